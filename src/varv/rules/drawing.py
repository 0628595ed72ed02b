"""What has to be known of a game to draw its next song."""

from varv.rules.candidates import fold
from varv.rules.model import DrawRequest, Game


def request(game: Game) -> DrawRequest:
    """PRF-09, CAN-05, CAN-07."""
    round_ = game.round
    old = round_.performance if round_ else None
    return DrawRequest(
        mix=game.mix.id,
        played=frozenset(game.played),
        on_tables=frozenset(
            card.song
            for player in game.players.values()
            for card in (*player.timeline, *player.side_cards)
            if card.song is not None
        ),
        this_round=frozenset(round_.songs if round_ else ()),
        retired=frozenset((*round_.retired, *old.group) if round_ and old else ()),
        retired_texts=retired_texts(game),
        revealed=frozenset(game.revealed),
        game=game.code,
    )


def retired_texts(game: Game) -> frozenset[str]:
    """The options of this round so far, folded: none of them may return (CAN-05)."""
    round_ = game.round
    if round_ is None or round_.performance is None:
        return frozenset()
    current = (*round_.performance.titles, *round_.performance.artists)
    return frozenset((*round_.retired_texts, *map(fold, current)))
