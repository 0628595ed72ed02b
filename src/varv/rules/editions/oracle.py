"""The `oracle` edition: the Oracle sees the answer and predicts how hard the round will be."""

from varv.rules import candidates, difficulty, timeline
from varv.rules import commands as c
from varv.rules.editions.base import ROLES, Edition, Role, guessers
from varv.rules.model import (
    PARTS,
    Card,
    CardKind,
    Game,
    Guess,
    Outcome,
    Part,
    Performance,
    Round,
    RoundState,
    guess_of,
)
from varv.rules.refusals import Reason, Refusal, refuse


class Oracle(Edition):
    """S3, S4."""

    name = "oracle"
    rounds = {
        (RoundState.READY, c.StartRound): RoundState.GUESSING,
        (RoundState.READY, c.AbortRound): RoundState.ABORTED,
        (RoundState.GUESSING, c.SubmitGuess): RoundState.GUESSING,
        (RoundState.GUESSING, c.UseJoker): RoundState.GUESSING,
        (RoundState.GUESSING, c.Predict): RoundState.GUESSING,
        (RoundState.GUESSING, c.ChangeSong): RoundState.GUESSING,
        (RoundState.GUESSING, c.Play): RoundState.GUESSING,
        (RoundState.GUESSING, c.Stop): RoundState.GUESSING,
        (RoundState.GUESSING, c.LockRound): RoundState.LOCKED,
        (RoundState.GUESSING, c.AbortRound): RoundState.ABORTED,
        (RoundState.LOCKED, c.Stop): RoundState.LOCKED,
        (RoundState.LOCKED, c.UnlockRound): RoundState.GUESSING,
        (RoundState.LOCKED, c.Reveal): RoundState.REVEALED,
        (RoundState.LOCKED, c.AbortRound): RoundState.ABORTED,
        (RoundState.REVEALED, c.Play): RoundState.REVEALED,
        (RoundState.REVEALED, c.Stop): RoundState.REVEALED,
        (RoundState.REVEALED, c.NextRound): RoundState.REVEALED,
    }
    leader_gone = {
        RoundState.READY: RoundState.ABORTED,
        RoundState.GUESSING: RoundState.ABORTED,
        RoundState.LOCKED: RoundState.ABORTED,
    }
    roles = {**ROLES, c.ChangeSong: Role.HOST}
    first = RoundState.READY
    terminal = RoundState.REVEALED
    late_join = True
    moves_on_without_leader = True
    leader_guesses = False
    no_guess = Reason.ORACLE_DOES_NOT_GUESS
    predicts = True
    card = CardKind.SONG

    def audio_player(self, game: Game, round_: Round) -> str:
        """VIEW-06."""
        return game.host

    def open_parts(self, guess: Guess) -> tuple[Part, ...]:
        """Any part, in any order, until the round locks (GUE-03)."""
        return PARTS

    def not_open(self, guess: Guess, part: Part, *, withdraw: bool) -> Refusal | None:
        """GUE-03."""
        return None

    def joker_refused(self, guess: Guess, part: Part) -> Refusal | None:
        """One per performance, on the placement only (JOK-04)."""
        if part is not Part.PLACEMENT:
            return refuse(Reason.PART_TAKES_NO_JOKER, part=part)
        return refuse(Reason.JOKER_ALREADY_USED, part=part) if guess.jokers else None

    def options(self, performance: Performance, guess: Guess, part: Part) -> tuple[int, ...]:
        """The ten, the same for all; a joker never affects them (CAN-02)."""
        return candidates.ALL

    def not_ready_to_lock(self, round_: Round) -> Refusal | None:
        """RND-10."""
        return refuse(Reason.PREDICTION_MISSING) if round_.prediction is None else None

    def outcome(self, game: Game, round_: Round) -> Outcome:
        """RND-13, PRE-03."""
        assert round_.performance is not None
        year = round_.performance.song.year
        placed = [
            timeline.fits(game.players[player].timeline, guess_of(round_, player).placement, year)
            for player in guessers(self, game, round_)
        ]
        return difficulty.judge(len(placed), sum(placed))

    def leader_card(self, round_: Round) -> CardKind | None:
        """RND-26."""
        assert round_.outcome is not None
        return CardKind.ORACLE if round_.prediction is round_.outcome.difficulty else None

    def wins_joker(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """RND-27."""
        return title and artist

    def score(self, cards: tuple[Card, ...], side_cards: tuple[Card, ...]) -> tuple[int, int]:
        """Cards in the timeline, the Start Card too; ties by Oracle Cards (RANK-04)."""
        return len(cards), len(side_cards)
