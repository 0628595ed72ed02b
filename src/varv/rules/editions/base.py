"""What an edition says: the table of its rounds, who may do what, and what a guess is worth.

The rest of the rules ask the edition and never look at its name. What most editions share is here;
an edition's own file says what differs.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from enum import StrEnum, auto
from typing import ClassVar

from varv.rules import candidates, jokers, timeline
from varv.rules import commands as c
from varv.rules.machine import RoundTable, Trigger, sources
from varv.rules.model import (
    Card,
    CardKind,
    Draw,
    Game,
    Guess,
    Outcome,
    Part,
    Performance,
    Player,
    Result,
    Round,
    RoundState,
    guess_of,
)
from varv.rules.refusals import Reason, Refusal


class Role(StrEnum):
    """Who may give a command."""

    WITHOUT_CARD = auto()
    """Whoever has not been dealt their Start Card."""
    HOST = auto()
    LEADER = auto()
    """The leader of the round, or the host in their place (RND-18)."""
    LEADER_IN_PERSON = auto()
    LEADER_OR_HOST = auto()
    GUESSER = auto()
    JOKER_USER = auto()
    AUDIO = auto()


ROLES: Mapping[Trigger, Role] = {
    c.SetStartYear: Role.WITHOUT_CARD,
    c.RemovePlayer: Role.HOST,
    c.Configure: Role.HOST,
    c.StartGame: Role.HOST,
    c.FinishGame: Role.HOST,
    c.StartCycle: Role.HOST,
    c.StartRound: Role.LEADER,
    c.LockRound: Role.LEADER,
    c.UnlockRound: Role.LEADER,
    c.Reveal: Role.LEADER,
    c.AbortRound: Role.HOST,
    c.NextRound: Role.LEADER_OR_HOST,
    c.SubmitGuess: Role.GUESSER,
    c.UseJoker: Role.JOKER_USER,
    c.Predict: Role.LEADER_IN_PERSON,
    c.Play: Role.AUDIO,
    c.Stop: Role.AUDIO,
}
"""GAME-10, GAME-12, GAME-16, CYC-10, CYC-16, RND-15, RND-16, GUE-07, JOK-02, VIEW-06."""


class Edition(ABC):
    """One set of rules. An edition is a value: it holds no state."""

    name: ClassVar[str]
    rounds: ClassVar[RoundTable]
    """Event-triggered transitions of a round."""
    leader_gone: ClassVar[Mapping[RoundState, RoundState]]
    """State-triggered ones: what becomes of a live round whose leader has been removed."""
    roles: ClassVar[Mapping[Trigger, Role]] = ROLES
    first: ClassVar[RoundState]
    terminal: ClassVar[RoundState]
    late_join: ClassVar[bool] = False
    """GAME-19, GAME-20."""
    moves_on_without_leader: ClassVar[bool] = False
    """CYC-17."""
    leader_guesses: ClassVar[bool] = True
    no_guess: ClassVar[Reason] = Reason.LEADER_ONLY
    """Why a leader who does not guess is refused."""
    card: ClassVar[CardKind]
    """The kind of card a guesser wins."""
    predicts: ClassVar[bool] = False
    """Whether the leader sees the answer and predicts the difficulty (RND-08, PRF-08)."""

    def __init__(self) -> None:
        """Work out from the table what can be asked for in each state."""
        self.accepts = {
            state: tuple(command for source, command in self.rounds if source is state)
            for state in RoundState
        }
        self.reveals = {
            target: state for (state, command), target in self.rounds.items() if command is c.Reveal
        }
        self.wrong_state = {
            command: (
                Reason.ROUND_ALREADY_REVEALED
                if command is c.AbortRound
                else Reason[f"ROUND_NOT_IN_{sources(self.rounds, command)[0]}"]
            )
            for _, command in self.rounds
        }

    # Who

    def acting_leader(self, game: Game, round_: Round) -> str:
        """Who leads the ceremony: the host if the leader has been removed (RND-18)."""
        return round_.leader if round_.leader in game.players else game.host

    @abstractmethod
    def audio_player(self, game: Game, round_: Round) -> str:
        """Who plays the song when the sound comes from one device (VIEW-06)."""

    # What a guess may be

    @abstractmethod
    def open_parts(self, guess: Guess) -> tuple[Part, ...]:
        """The parts this guess may be given now."""

    @abstractmethod
    def not_open(self, guess: Guess, part: Part, *, withdraw: bool) -> Refusal | None:
        """Why this part may not be given or withdrawn, if it may not."""

    @abstractmethod
    def joker_refused(self, guess: Guess, part: Part) -> Refusal | None:
        """Why no joker may be laid on this part, if so; the balance is looked at elsewhere."""

    @abstractmethod
    def options(self, performance: Performance, guess: Guess, part: Part) -> tuple[int, ...] | None:
        """Indexes of the options of a part that this guess's owner is shown, or None (GUE-06)."""

    def valid(self, draw: Draw, retired_texts: Collection[str]) -> bool:
        """Whether a performance may be played with these options (CAN-04)."""
        return candidates.valid(draw, retired_texts)

    # When and how it ends

    def not_ready_to_lock(self, round_: Round) -> Refusal | None:
        """Why the round cannot be locked yet, if so."""
        return None

    def outcome(self, game: Game, round_: Round) -> Outcome | None:
        """What is fixed when the round locks (RND-13)."""
        return None

    def leader_card(self, round_: Round) -> CardKind | None:
        """The card the leader gets at the terminal reveal besides what a guesser can win."""
        return None

    def wins_card(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """Whether a fully judged guess wins a card."""
        return placement

    @abstractmethod
    def wins_joker(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """Whether a fully judged guess wins a joker."""

    def stars(self, *, placement: bool, title: bool, artist: bool) -> bool:
        """Whether a fully judged guess marks its card with a star."""
        return False

    def card_of(self, round_: Round, player: str) -> CardKind:
        """The kind of card this player wins in this round."""
        return self.card

    @abstractmethod
    def score(self, cards: tuple[Card, ...], side_cards: tuple[Card, ...]) -> tuple[int, int]:
        """What these cards count, and what breaks a tie (RANK-03, RANK-04)."""

    # Judgement, the same for all

    def judge(self, game: Game, round_: Round, to: RoundState) -> dict[str, Result]:
        """Everyone's results, as far as they are judged in that state (RND-20, RND-21)."""
        performance = round_.performance
        assert performance is not None
        judge = self._judge_fully if to is self.terminal else self._judge_placement
        return {
            player: judge(round_, performance, game.players[player], guess_of(round_, player))
            for player in guessers(self, game, round_)
        }

    def _judge_placement(
        self, round_: Round, performance: Performance, player: Player, guess: Guess
    ) -> Result:
        placed = timeline.fits(player.timeline, guess.placement, performance.song.year)
        card = self.card_of(round_, player.id) if placed else None
        return Result(
            guess=guess,
            placement=placed,
            card=card,
            position=guess.placement if in_timeline(card) else None,
        )

    def _judge_fully(
        self, round_: Round, performance: Performance, player: Player, guess: Guess
    ) -> Result:
        # A card that an earlier reveal has laid there is of the song's own year: it fits still
        placed = timeline.fits(player.timeline, guess.placement, performance.song.year)
        title, artist = guess.title == performance.title, guess.artist == performance.artist
        wins = self.wins_card(placement=placed, title=title, artist=artist)
        card = self.card_of(round_, player.id) if wins else None
        position = None
        if in_timeline(card):
            position = (
                guess.placement
                if placed
                else timeline.position_by_year(player.timeline, performance.song.year)
            )
        won = self.wins_joker(placement=placed, title=title, artist=artist)
        return Result(
            guess=guess,
            placement=placed,
            title=title,
            artist=artist,
            card=card,
            position=position,
            star=self.stars(placement=placed, title=title, artist=artist),
            joker_won=won,
            jokers_used=guess.jokers,
            jokers=jokers.settle(player.jokers, len(guess.jokers), won=won),
        )


def in_timeline(card: CardKind | None) -> bool:
    """Whether a card of this kind lies in the timeline, not beside it (RND-23, RND-26)."""
    return card in (CardKind.START, CardKind.TIMELINE, CardKind.SONG)


def guessers(edition: Edition, game: Game, round_: Round) -> list[str]:
    """The remaining players who guess in this round, in join order (RND-07, RND-08)."""
    assert game.cycle is not None
    rotation = game.cycle.rotation
    if edition.leader_guesses:
        return list(rotation)
    return [player for player in rotation if player != round_.leader]
