"""Who has won: the ranking of a finished game, and the standings so far."""

from collections.abc import Collection

from varv.rules.editions import EDITIONS
from varv.rules.model import Card, Game, Placing, Player


def tally(edition: str, player: Player, cycles: Collection[int] | None = None) -> tuple[int, int]:
    """A player's cards and tie-break, from these cycles or from all."""
    cards, side_cards = player.timeline, player.side_cards
    if cycles is not None:
        cards, side_cards = _given_in(cards, cycles), _given_in(side_cards, cycles)
    return EDITIONS[edition].score(cards, side_cards)


def _given_in(cards: tuple[Card, ...], cycles: Collection[int]) -> tuple[Card, ...]:
    """These cards as far as they are from these cycles; a Start Card is from none (RANK-01)."""
    return tuple(card for card in cards if card.cycle is None or card.cycle in cycles)


def rank(game: Game) -> tuple[Placing, ...] | None:
    """The ranking from the FINISHED cycles; none without one (RANK-01, RANK-06).

    Ranked are the remaining players who were in the rotation of one of them (RANK-05, RANK-09).
    """
    if not game.finished_cycles:
        return None
    last = game.finished_cycles[-1]
    scores = [
        (tally(game.edition, player, game.finished_cycles), player.id)
        for player in game.players.values()
        if player.cycle is not None and player.cycle <= last
    ]
    scores.sort(key=lambda score: score[0], reverse=True)
    only = [score for score, _ in scores]
    return tuple(
        Placing(only.index(score) + 1, player, *score)  # equal scores share a place (RANK-07)
        for score, player in scores
    )
