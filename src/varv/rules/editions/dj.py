"""The `dj` edition: the DJ plays the song and guesses too; year first, then the names."""

from collections.abc import Collection

from varv.rules import candidates
from varv.rules import commands as c
from varv.rules.editions.base import ROLES, Edition, Role
from varv.rules.model import (
    PARTS,
    Card,
    CardKind,
    Draw,
    Game,
    Guess,
    Part,
    Performance,
    Round,
    RoundState,
)
from varv.rules.refusals import Reason, Refusal, refuse


class Dj(Edition):
    """S0, S1, S2."""

    name = "dj"
    rounds = {
        (RoundState.WAITING_FOR_DJ, c.StartRound): RoundState.GUESSING,
        (RoundState.WAITING_FOR_DJ, c.AbortRound): RoundState.ABORTED,
        (RoundState.GUESSING, c.SubmitGuess): RoundState.GUESSING,
        (RoundState.GUESSING, c.UseJoker): RoundState.GUESSING,
        (RoundState.GUESSING, c.ChangeSong): RoundState.GUESSING,
        (RoundState.GUESSING, c.Play): RoundState.GUESSING,
        (RoundState.GUESSING, c.Stop): RoundState.GUESSING,
        (RoundState.GUESSING, c.LockRound): RoundState.LOCKED,
        (RoundState.GUESSING, c.AbortRound): RoundState.ABORTED,
        (RoundState.LOCKED, c.Stop): RoundState.LOCKED,
        (RoundState.LOCKED, c.UnlockRound): RoundState.GUESSING,
        (RoundState.LOCKED, c.Reveal): RoundState.REVEALED_TIMELINE,
        (RoundState.LOCKED, c.AbortRound): RoundState.ABORTED,
        (RoundState.REVEALED_TIMELINE, c.Stop): RoundState.REVEALED_TIMELINE,
        (RoundState.REVEALED_TIMELINE, c.Reveal): RoundState.REVEALED_FULL,
        (RoundState.REVEALED_FULL, c.Play): RoundState.REVEALED_FULL,
        (RoundState.REVEALED_FULL, c.Stop): RoundState.REVEALED_FULL,
        (RoundState.REVEALED_FULL, c.NextRound): RoundState.REVEALED_FULL,
    }
    leader_gone = {RoundState.WAITING_FOR_DJ: RoundState.ABORTED}
    roles = {**ROLES, c.ChangeSong: Role.LEADER_IN_PERSON}
    first = RoundState.WAITING_FOR_DJ
    terminal = RoundState.REVEALED_FULL
    card = CardKind.TIMELINE

    def audio_player(self, game: Game, round_: Round) -> str:
        """The DJ; the host if the DJ has been removed or is a bot (RND-18, VIEW-06)."""
        leader = self.acting_leader(game, round_)
        return game.host if game.players[leader].bot else leader

    def open_parts(self, guess: Guess) -> tuple[Part, ...]:
        """One part after the other; the last may still change (GUE-04, GUE-05)."""
        return (_next_part(guess) or Part.ARTIST,)

    def not_open(self, guess: Guess, part: Part, *, withdraw: bool) -> Refusal | None:
        """Placement and title are final once submitted, and nothing is taken back (GUE-05)."""
        (expected,) = self.open_parts(guess)
        if part is expected and not withdraw:
            return None
        if withdraw or getattr(guess, part) is not None:
            return refuse(Reason.PART_FINAL, part=part)
        return refuse(Reason.PART_OUT_OF_ORDER, expected=expected)

    def joker_refused(self, guess: Guess, part: Part) -> Refusal | None:
        """One per part, on the next part, before it is submitted (JOK-03)."""
        expected = _next_part(guess)
        if part != expected:
            return refuse(Reason.PART_OUT_OF_ORDER, expected=expected)
        return refuse(Reason.JOKER_ALREADY_USED, part=part) if part in guess.jokers else None

    def options(self, performance: Performance, guess: Guess, part: Part) -> tuple[int, ...] | None:
        """Hidden until it is the player's next part; three with a joker on it (GUE-06, JOK-08)."""
        next_part = _next_part(guess)
        if next_part is not None and PARTS.index(part) > PARTS.index(next_part):
            return None
        titles = part is Part.TITLE
        if part in guess.jokers:
            return performance.few_titles if titles else performance.few_artists
        return candidates.ALL

    def valid(self, draw: Draw, retired_texts: Collection[str]) -> bool:
        """The reduced lists too, since a joker may ask for them (CAN-03)."""
        return super().valid(draw, retired_texts) and candidates.valid_few(draw)

    def card_of(self, round_: Round, player: str) -> CardKind:
        """What the DJ wins in their own round lies beside the timeline (RND-23)."""
        return CardKind.DJ if player == round_.leader else self.card

    def wins_card(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """RND-22."""
        return placement or (title and artist)

    def wins_joker(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """RND-25."""
        return placement and title and artist

    def stars(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """RND-24."""
        return placement and title and artist

    def score(self, cards: tuple[Card, ...], side_cards: tuple[Card, ...]) -> tuple[int, int]:
        """All cards but the Start Card; ties by stars (RANK-03)."""
        won = [card for card in cards + side_cards if card.kind is not CardKind.START]
        return len(won), sum(card.star for card in won)


def _next_part(guess: Guess) -> Part | None:
    if guess.placement is None:
        return Part.PLACEMENT
    if guess.title is None:
        return Part.TITLE
    return Part.ARTIST if guess.artist is None else None
