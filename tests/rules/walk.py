"""A small world, walked from state to state: what anyone can do, and when two games are the same.

Of a game, the *ceremony* is what moves it on: who is at the table and has a start year, who leads
and who has led, the states of game, cycle and round, and whether there is a prediction. Guesses
and jokers are laid on top of it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec.structs import replace
from tests.rules.play import draw, new_game

from varv.rules import Chance, Step, join, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.evolve import evolve
from varv.rules.model import CycleState, Game, GameState, Guess, Part, Performance, Player, Song
from varv.rules.refusals import Refusal

Key: TypeAlias = tuple[Any, ...]
Move: TypeAlias = tuple[Key, str, c.Command, Chance]
"""What it is called, whatever the ids; who does it; the command; what comes from outside."""

YEAR = 1995
"""Of every song; all Start Cards are older, so that position 0 is wrong and the last one right."""
START = 1990
MAX_PLAYERS = 5
CYCLES = 2
NOTHING = Chance()
QUIET = (e.GuessSubmitted, e.GuessWithdrawn, e.JokerUsed, e.PredictionMade)
DRASTIC = (c.FinishGame, c.RemovePlayer, c.AbortRound)
"""A game that only these could move on would be stuck."""


# When two games are the same


def ceremony(game: Game) -> Key:
    """What moves a game on, with everyone known by their place in join order."""
    cycle, round_ = game.cycle, game.round
    if game.state is GameState.FINISHED:
        return (game.state,)
    if cycle is None:
        return (game.state, tuple(one.start_year is not None for one in game.players.values()))
    table = tuple(
        (
            player.start_year is not None,
            player.id in cycle.rotation,
            player.id in cycle.completed,
            round_ is not None and player.id == round_.leader,
        )
        for player in game.players.values()
    )
    if round_ is None:
        return (game.state, cycle.number, cycle.state, table)
    gone = round_.leader not in game.players
    predicted = round_.prediction is not None
    return (game.state, cycle.number, cycle.state, table, round_.state, gone, predicted)


def laid_on(game: Game, player: Player) -> Key:
    """A player's balance and guess: each part missing, wrong or right, and the jokers on it."""
    round_ = game.round
    guess = round_.guesses.get(player.id, Guess()) if round_ else Guess()
    if guess == Guess():
        return (player.jokers,)
    assert round_ is not None and round_.performance is not None
    right = round_.performance
    return (
        player.jokers,
        guess.placement and guess.placement > 0,
        guess.title and guess.title == right.title,
        guess.artist and guess.artist == right.artist,
        *sorted(guess.jokers),
    )


def whole(game: Game, known: Key) -> Key:
    """The ceremony with what is laid on it.

    Ids, names, numbers that only count, cards (CYC-05) and which songs were played are left out;
    nothing more is laid on a round that is over; and players who are alike in the ceremony may
    change places, since no walk here tells them apart by their guesses later on.
    """
    if len(known) < 4:
        return known
    round_ = game.round
    if round_ is None or round_.state is EDITIONS[game.edition].terminal:
        return (known, tuple(player.jokers for player in game.players.values()))
    alike: dict[Key, list[str]] = {}
    for place, player in zip(known[3], game.players.values(), strict=True):
        alike.setdefault((place, player.id == game.host), []).append(repr(laid_on(game, player)))
    return (known, tuple(tuple(sorted(group)) for group in alike.values()))


# What anyone can do


@dataclass
class World:
    """An edition, and the songs that are drawn in it."""

    edition: str
    songs: tuple[Chance, Chance] = field(init=False)
    bad: Chance = field(init=False)
    """A song with an option too few (CAN-04)."""

    def __post_init__(self) -> None:
        first = self._drawn(1)
        other = next(
            other
            for other in map(self._drawn, range(2, 1000))
            if not set(first.draw.group) & set(other.draw.group)  # type: ignore[union-attr]
        )
        self.songs = (first, other)
        self.bad = Chance(draw=replace(first.draw, titles=first.draw.titles[:9]))  # type: ignore[type-var, union-attr]

    def _drawn(self, seed: int) -> Chance:
        drawn = draw(new_game(self.edition), seed)
        song = Song(drawn.song.id, drawn.song.title, drawn.song.artist, YEAR)
        return Chance(draw=replace(drawn, song=song))

    def leading(self, game: Game) -> Iterator[Move]:
        """Everything but guesses, by the host and by the leader, and start years by anyone."""
        host, cycle, round_ = game.host, game.cycle, game.round
        places = {player: place for place, player in enumerate(game.players)}
        yield ("finish_game",), host, c.FinishGame(), NOTHING
        for player, place in places.items():
            if player != host:
                yield ("remove_player", place), host, c.RemovePlayer(player), NOTHING
            if game.players[player].start_year is None:
                yield ("set_start_year", place), player, c.SetStartYear(START), NOTHING
        if cycle is None:
            yield ("start_game",), host, c.StartGame(), NOTHING
            return
        yield ("start_cycle",), host, c.StartCycle(), NOTHING
        if round_ is None:
            return
        number = round_.number
        performance = round_.performance.number if round_.performance else None
        song = self.songs[len(round_.songs) % 2]
        for actor in dict.fromkeys((host, round_.leader)):
            by = places.get(actor)
            yield ("start_round", by), actor, c.StartRound(number), song
            yield ("start_round", by, "bad"), actor, c.StartRound(number), self.bad
            yield ("change_song", by), actor, c.ChangeSong(number, performance), song
            yield ("change_song", by, "bad"), actor, c.ChangeSong(number, performance), self.bad
            yield ("lock_round", by), actor, c.LockRound(number, performance), NOTHING
            yield ("unlock_round", by), actor, c.UnlockRound(number), NOTHING
            yield ("abort_round", by), actor, c.AbortRound(number), NOTHING
            yield ("next_round", by), actor, c.NextRound(number), NOTHING
            for state in EDITIONS[game.edition].reveals:
                yield ("reveal", by, state), actor, c.Reveal(number, state), NOTHING
        for difficulty in ("easy", "hard"):
            prediction = c.Predict(number, performance, difficulty)
            yield ("predict",), round_.leader, prediction, NOTHING


def guess(game: Game, player: Player, *parts: Part, what: str) -> Iterator[Move]:
    """For each of these parts, as asked for: a right choice, a wrong one, a withdrawal, a joker."""
    round_ = game.round
    if round_ is None or round_.performance is None or round_.state != "GUESSING":
        return
    number, performance = round_.number, round_.performance
    for part in parts:
        for one in what.split():
            command: c.Command = c.UseJoker(number, performance.number, part)
            if one != "joker":
                choice = _choice(performance, player, part, one)
                command = c.SubmitGuess(number, performance.number, part, choice)
            yield (part, one), player.id, command, NOTHING


def _choice(performance: Performance, player: Player, part: Part, what: str) -> int | str | None:
    if what == "withdrawn":
        return None
    if part is Part.PLACEMENT:
        return len(player.timeline) if what == "right" else 0
    right = performance.title if part is Part.TITLE else performance.artist
    few = performance.few_titles if part is Part.TITLE else performance.few_artists
    wrong = next(f"{part[0]}{index}" for index in few if f"{part[0]}{index}" != right)
    return right if what == "right" else wrong


# The walk


@dataclass
class Walk:
    """Every state that was found, how one comes from one to another, and what was seen there."""

    world: World
    guesses: Callable[[Game], Iterator[Move]]
    tries: Callable[[Game], Iterator[Move]]
    """Guesses that are looked at, but not followed."""
    leads_to: dict[Key, Key | None]
    """What each move of the ceremony makes of it (None: refused), whatever is laid on it."""
    lays: dict[Key, Key | None]
    """What each guess or joker makes of a player's own, whatever the rest of the game."""
    one_round: bool = False
    found: dict[Key, int] = field(default_factory=dict)
    ceremonies: set[Key] = field(default_factory=set)
    back: list[list[int]] = field(default_factory=list)
    """For each state, those that ordinary commands lead to it from."""
    moving_on: set[int] = field(default_factory=set)
    """States from which an ordinary command makes a new round, ends the cycle, or the game."""
    unfinished: dict[int, Game] = field(default_factory=dict)
    states: set[tuple[str, str | None]] = field(default_factory=set)
    moves: set[tuple[str, str | None, str]] = field(default_factory=set)
    """Which machine went from where to where."""
    queue: deque[tuple[int, Game, Key]] = field(default_factory=deque)
    edges: int = 0

    def go(self, *starts: Game) -> None:
        """Find everything that can be come to from these games."""
        for start in starts:
            self.visit(start, ceremony(start))
        while self.queue:
            self.expand(*self.queue.popleft())

    def visit(self, game: Game, known: Key) -> int:
        key = whole(game, known)
        number = self.found.get(key)
        if number is None:
            number = self.found[key] = len(self.back)
            self.back.append([])
            self.ceremonies.add(known)
            self.look_at(game)
            if game.state is not GameState.FINISHED:
                self.unfinished[number] = game
                self.queue.append((number, game, known))
        return number

    def look_at(self, game: Game) -> None:
        cycle, round_ = game.cycle, game.round
        if cycle is not None:
            self.states.add((cycle.state, round_.state if round_ else None))
        if game.state is GameState.IN_PROGRESS:
            assert cycle is not None and len(game.players) >= game.min_players
            assert cycle.state is not CycleState.FINISHED
            assert round_ is not None or cycle.state is CycleState.BOUNDARY_DECISION

    def expand(self, number: int, game: Game, known: Key) -> None:
        for label, actor, command, outside in self.world.leading(game):
            step = take(game, actor, command, outside)
            self.lead(number, game, known, label, step, drastic=isinstance(command, DRASTIC))
        if not self.one_round and len(game.players) < MAX_PLAYERS:
            joined = join(game, f"Name-{game.joined + 1}")
            step = joined if isinstance(joined, Refusal) else Step(joined, replay(joined, game))
            self.lead(number, game, known, ("join",), step, drastic=False)
        for label, actor, command, outside in self.guesses(game):
            step = take(game, actor, command, outside)
            self.lay(game, known, label, actor, step)
            if isinstance(step, Step) and step.events:
                self.follow(number, game, step, known, drastic=False)
        for label, actor, command, outside in self.tries(game):
            self.lay(game, known, label, actor, take(game, actor, command, outside))

    def lead(
        self,
        number: int,
        game: Game,
        known: Key,
        label: Key,
        step: Step | Refusal,
        *,
        drastic: bool,
    ) -> None:
        """A move of the ceremony: what it leads to depends on the ceremony alone."""
        after = None if isinstance(step, Refusal) else ceremony(step.game)
        assert self.leads_to.setdefault((known, label), after) == after
        if isinstance(step, Step) and step.events and after is not None:
            self.follow(number, game, step, after, drastic=drastic)

    def lay(self, game: Game, known: Key, label: Key, actor: str, step: Step | Refusal) -> None:
        """A guess or a joker: it depends on its player's own alone, and changes nothing else."""
        before = game.round
        assert before is not None
        own = (before.leader == actor, laid_on(game, game.players[actor]))
        if isinstance(step, Refusal):
            assert self.lays.setdefault((own, label), None) is None
            return
        after = laid_on(step.game, step.game.players[actor])
        assert self.lays.setdefault((own, label), after) == after
        assert ceremony(step.game) == known and step.game.round is not None
        guesses = step.game.round.guesses
        assert all(guesses[one] is before.guesses[one] for one in before.guesses if one != actor)

    def follow(self, number: int, game: Game, step: Step, after: Key, *, drastic: bool) -> None:
        self.edges += 1
        moved_on = any(
            isinstance(event, e.RoundCreated | e.CycleCompleted | e.GameFinished)
            for event in step.events
        )
        if moved_on and not drastic:
            self.moving_on.add(number)
        self.note_moves(game, step.events)
        cycle = step.game.cycle
        if (cycle and cycle.number > CYCLES) or (self.one_round and moved_on):
            return
        target = self.visit(step.game, after)
        if not drastic:
            self.back[target].append(number)

    def note_moves(self, game: Game, events: tuple[e.Event, ...]) -> None:
        for event in events:
            if isinstance(event, QUIET):
                continue
            if isinstance(event, e.RoundCreated):
                assert game.cycle is not None and game.cycle.state is CycleState.ACTIVE
            before, game = game, evolve(game, event)
            if before.state is not game.state:
                self.moves.add(("game", before.state, game.state))
            self.note("cycle", before.cycle, game.cycle)
            aborted = isinstance(event, e.RoundAborted)
            self.note("round", before.round, game.last_round if aborted else game.round)

    def note(self, machine: str, before: Any, after: Any) -> None:
        source = before.state if before else None
        if after is not None and after is not before and source != after.state:
            self.moves.add((machine, source, after.state))

    def stuck(self) -> list[Game]:
        """Unfinished games that no ordinary command, nor any sequence of them, moves on."""
        alive, queue = set(self.moving_on), deque(self.moving_on)
        while queue:
            for number in self.back[queue.popleft()]:
                if number not in alive:
                    alive.add(number)
                    queue.append(number)
        return [game for number, game in self.unfinished.items() if number not in alive]
