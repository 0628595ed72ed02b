"""Nothing gets stuck: every state of a small world, found one by one.

Two walks for each edition, both breadth first over all that anyone can do:

* **whole games** from an empty lobby: up to five players who come, are removed and come late,
  two cycles, aborts, every way to end; a guess is a right placement, a wrong one, or none;
* **one round** at a table of four, one or two of whom guess in full detail (each part right, wrong
  or missing, every joker): the first round, which the host leads, and the second, in which the
  host guesses.

Two games are the same state if nothing that can happen next tells them apart: numbers that only
count, ids, song names and cards are left out (cards never decide what may happen, CYC-05), players
are known by their place in join order, and two who differ in nothing but their guess may change
places.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest
from tests.rules.play import draw, new_game

from varv.rules import Chance, join, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.evolve import evolve
from varv.rules.model import CycleState, Draw, Game, GameState, Guess, Part, Player, Song
from varv.rules.refusals import Refusal

Key: TypeAlias = tuple[Any, ...]
Moves: TypeAlias = Callable[[Game], Iterator[tuple[str, c.Command]]]

YEAR = 1995
"""Of every song; all Start Cards are older, so that position 0 is wrong and the last one right."""
START = 1990
MAX_PLAYERS = 5
CYCLES = 2
DRASTIC = (c.FinishGame, c.RemovePlayer, c.AbortRound)
"""A game that only these could move on would be stuck."""

# What the rulebook allows, written down once more by hand

GAME = {("LOBBY", "IN_PROGRESS"), ("LOBBY", "FINISHED"), ("IN_PROGRESS", "FINISHED")}
CYCLE = {
    (None, "ACTIVE"),
    ("ACTIVE", "BOUNDARY_DECISION"),
    ("BOUNDARY_DECISION", "FINISHED"),
    ("FINISHED", "ACTIVE"),
}
ROUND = {
    "dj": {
        (None, "WAITING_FOR_DJ"),
        ("WAITING_FOR_DJ", "GUESSING"),
        ("GUESSING", "LOCKED"),
        ("LOCKED", "GUESSING"),
        ("LOCKED", "REVEALED_TIMELINE"),
        ("REVEALED_TIMELINE", "REVEALED_FULL"),
        ("WAITING_FOR_DJ", "ABORTED"),
        ("GUESSING", "ABORTED"),
        ("LOCKED", "ABORTED"),
        ("REVEALED_TIMELINE", "ABORTED"),
        ("REVEALED_FULL", "WAITING_FOR_DJ"),
    },
    "oracle": {
        (None, "READY"),
        ("READY", "GUESSING"),
        ("GUESSING", "LOCKED"),
        ("LOCKED", "GUESSING"),
        ("LOCKED", "REVEALED"),
        ("READY", "ABORTED"),
        ("GUESSING", "ABORTED"),
        ("LOCKED", "ABORTED"),
        ("REVEALED", "READY"),
    },
}
"""RND-03 with RND-05, RND-04; the last row of each: a revealed round makes room for the next."""
QUIET = (e.GuessSubmitted, e.GuessWithdrawn, e.JokerUsed, e.PredictionMade)


def some_draw(game: Game, number: int) -> Draw:
    drawn = draw(game, number)
    song = Song(drawn.song.id, drawn.song.title, drawn.song.artist, YEAR)
    return Draw(song, *(getattr(drawn, name) for name in Draw.__struct_fields__[1:]))


def chances(edition: str) -> list[Chance]:
    """A song to start with, and one to change to: no option of the one is in the other."""
    empty = new_game(edition)
    first = some_draw(empty, 1)
    for seed in range(2, 1000):
        other = some_draw(empty, seed)
        if not set(first.group) & set(other.group):
            return [Chance(draw=first), Chance(draw=other)]
    raise AssertionError("no two draws without a song in common")


# When two games are the same


def guess_key(game: Game, guess: Guess | None) -> Key:
    if guess is None:
        return ()
    assert game.round is not None and game.round.performance is not None
    right = game.round.performance
    return (
        -1 if guess.placement is None else int(guess.placement > 0),
        -1 if guess.title is None else int(guess.title == right.title),
        -1 if guess.artist is None else int(guess.artist == right.artist),
        "".join(sorted(part[0] for part in guess.jokers)),
    )


def player_key(game: Game, player: Player) -> Key:
    cycle, round_ = game.cycle, game.round
    return (
        player.start_year is not None,
        player.jokers,
        cycle is not None and player.id in cycle.rotation,
        cycle is not None and player.id in cycle.completed,
        round_ is not None and player.id == round_.leader,
    )


def key(game: Game) -> Key:
    if game.state is GameState.FINISHED:
        return (game.state, game.ranking is not None)
    players = list(game.players.values())
    known = tuple(player_key(game, player) for player in players)
    cycle, round_ = game.cycle, game.round
    if cycle is None:
        return (game.state, known)
    about = (game.state, cycle.state, cycle.number, known)
    if round_ is None:
        return about
    over = round_.state is EDITIONS[game.edition].terminal
    guesses: dict[Key, list[Key]] = {}
    if not over:
        for attributes, player in zip(known, players, strict=True):
            guess = guess_key(game, round_.guesses.get(player.id))
            guesses.setdefault(attributes if player.id != game.host else (), []).append(guess)
    alike = tuple(tuple(sorted(group)) for group in guesses.values())
    outcome = None if over else round_.outcome
    counted = None if outcome is None else (outcome.guessers, outcome.correct)
    gone = round_.leader not in game.players
    return (*about, round_.state, gone, None if over else round_.prediction, alike, counted)


# What anyone can do


def ceremony(game: Game) -> Iterator[tuple[str, c.Command]]:
    """Everything but guesses, by the host and by the leader."""
    host, cycle, round_ = game.host, game.cycle, game.round
    yield host, c.FinishGame()
    for player in game.players:
        if player != host:
            yield host, c.RemovePlayer(player)
    for player in game.players.values():
        if player.start_year is None:
            yield player.id, c.SetStartYear(START)
    if cycle is None:
        yield host, c.StartGame()
        return
    yield host, c.StartCycle()
    if round_ is None:
        return
    number = round_.number
    performance = round_.performance.number if round_.performance else None
    for actor in {host, round_.leader}:
        yield actor, c.StartRound(number)
        yield actor, c.LockRound(number, performance)
        yield actor, c.UnlockRound(number)
        yield actor, c.AbortRound(number)
        yield actor, c.NextRound(number)
        yield actor, c.ChangeSong(number, performance)
        for state in EDITIONS[game.edition].reveals:
            yield actor, c.Reveal(number, state)


def placements(game: Game) -> Iterator[tuple[str, c.Command]]:
    """A placement, wrong or right, by anyone; a prediction by the leader."""
    yield from ceremony(game)
    round_ = game.round
    if round_ is None or round_.performance is None or round_.state != "GUESSING":
        return
    number, performance = round_.number, round_.performance.number
    yield round_.leader, c.Predict(number, performance, "hard")
    for player in game.players.values():
        for position in (0, len(player.timeline)):
            yield player.id, c.SubmitGuess(number, performance, "placement", position)


def everything_by(*detailed: str) -> Moves:
    """And names, wrong or right, and jokers, by these players, who alone guess.

    Every prediction where one player guesses; where two do, one, so that the walk stays short.
    """

    def moves(game: Game) -> Iterator[tuple[str, c.Command]]:
        yield from ceremony(game)
        round_ = game.round
        if round_ is None or round_.performance is None or round_.state != "GUESSING":
            return
        number, performance = round_.number, round_.performance.number
        for difficulty in ("easy", "medium", "hard")[: 3 // len(detailed)]:
            yield round_.leader, c.Predict(number, performance, difficulty)
        titles, artists = names(round_.performance)
        for player in detailed:
            for part in Part:
                yield player, c.UseJoker(number, performance, part)
            for position in (0, 1):
                yield player, c.SubmitGuess(number, performance, "placement", position)
            for title in titles:
                yield player, c.SubmitGuess(number, performance, "title", title)
            for artist in artists:
                yield player, c.SubmitGuess(number, performance, "artist", artist)

    return moves


def names(performance: Any) -> tuple[tuple[str, str], tuple[str, str]]:
    """The right title and a wrong one of the three, the right artist and a wrong one."""
    title = next(f"t{i}" for i in performance.few_titles if f"t{i}" != performance.title)
    artist = next(f"a{i}" for i in performance.few_artists if f"a{i}" != performance.artist)
    return (performance.title, title), (performance.artist, artist)


# The walk


@dataclass
class Walk:
    """Every state that was found, how one comes from one to another, and what was seen there."""

    edition: str
    moves: Moves
    joins: bool
    ends_with_the_round: bool
    found: dict[Key, int] = field(default_factory=dict)
    back: list[list[int]] = field(default_factory=list)
    """For each state, those that ordinary commands lead to it from."""
    moving_on: set[int] = field(default_factory=set)
    """States from which an ordinary command makes a new round, ends the cycle, or the game."""
    unfinished: dict[int, Game] = field(default_factory=dict)
    states: set[tuple[str, str | None]] = field(default_factory=set)
    game_moves: set[tuple[str | None, str]] = field(default_factory=set)
    cycle_moves: set[tuple[str | None, str]] = field(default_factory=set)
    round_moves: set[tuple[str | None, str]] = field(default_factory=set)
    queue: deque[tuple[int, Game]] = field(default_factory=deque)
    edges: int = 0

    def go(self, *starts: Game) -> None:
        self.outside = chances(self.edition)
        for start in starts:
            self.visit(start)
        while self.queue:
            self.expand(*self.queue.popleft())

    def visit(self, game: Game) -> int:
        known = key(game)
        number = self.found.get(known)
        if number is None:
            number = self.found[known] = len(self.back)
            self.back.append([])
            self.look_at(game)
            if game.state is not GameState.FINISHED:
                self.unfinished[number] = game
                self.queue.append((number, game))
        return number

    def look_at(self, game: Game) -> None:
        cycle, round_ = game.cycle, game.round
        if cycle is not None:
            self.states.add((cycle.state, round_.state if round_ else None))
        if game.state is GameState.IN_PROGRESS:
            assert cycle is not None and len(game.players) >= game.min_players
            assert cycle.state is not CycleState.FINISHED
            assert round_ is not None or cycle.state is CycleState.BOUNDARY_DECISION

    def expand(self, number: int, game: Game) -> None:
        round_ = game.round
        outside = self.outside[len(round_.songs) % 2 if round_ else 0]
        for actor, command in self.moves(game):
            step = take(game, actor, command, outside)
            if not isinstance(step, Refusal) and step.events:
                self.follow(number, game, command, step.events, step.game)
        if self.joins and len(game.players) < MAX_PLAYERS:
            joined = join(game, f"Name-{game.joined + 1}")
            if isinstance(joined, tuple):
                self.follow(number, game, None, joined, replay(joined, game))

    def follow(
        self,
        number: int,
        game: Game,
        command: c.Command | None,
        events: tuple[e.Event, ...],
        after: Game,
    ) -> None:
        self.edges += 1
        drastic = isinstance(command, DRASTIC)
        moved_on = any(
            isinstance(event, e.RoundCreated | e.CycleCompleted | e.GameFinished)
            for event in events
        )
        if moved_on and not drastic:
            self.moving_on.add(number)
        self.note_moves(game, events)
        new_cycle = (
            isinstance(command, c.StartCycle) and after.cycle and after.cycle.number > CYCLES
        )
        if new_cycle or (self.ends_with_the_round and moved_on):
            return
        target = self.visit(after)
        if not drastic:
            self.back[target].append(number)

    def note_moves(self, game: Game, events: tuple[e.Event, ...]) -> None:
        for event in events:
            if isinstance(event, QUIET):
                continue
            before, game = game, evolve(game, event)
            if before.state is not game.state:
                self.game_moves.add((before.state, game.state))
            _note(self.cycle_moves, before.cycle, game.cycle, CYCLE)
            aborted = isinstance(event, e.RoundAborted)
            after = game.last_round if aborted else game.round
            _note(self.round_moves, before.round, after, ROUND[self.edition])

    def stuck(self) -> list[Game]:
        """Unfinished games that no ordinary command, nor any sequence of them, moves on."""
        alive, queue = set(self.moving_on), deque(self.moving_on)
        while queue:
            for number in self.back[queue.popleft()]:
                if number not in alive:
                    alive.add(number)
                    queue.append(number)
        return [game for number, game in self.unfinished.items() if number not in alive]


def _note(moves: set[Any], before: Any, after: Any, allowed: set[Any]) -> None:
    if after is not None and after is not before:
        move = (before.state if before else None, after.state)
        if move[0] != move[1]:
            assert move in allowed, f"no such transition: {move}"
            moves.add(move)


def started(edition: str, players: int) -> Game:
    game = new_game(edition, players)
    commands = [*((player, c.SetStartYear(START)) for player in game.players)]
    for actor, command in [*commands, (game.host, c.StartGame())]:
        step = take(game, actor, command, Chance())
        assert not isinstance(step, Refusal)
        game = step.game
    return game


def ordinary_step(game: Game, outside: Chance) -> Game:
    """The next step of a round in which nobody guesses."""
    assert game.round is not None
    number, leader, edition = game.round.number, game.round.leader, EDITIONS[game.edition]
    performance = game.round.performance.number if game.round.performance else None
    for command in (
        c.NextRound(number),
        *(c.Reveal(number, state) for state in edition.reveals),
        c.LockRound(number, performance),
        c.Predict(number, performance, "hard"),
        c.StartRound(number),
    ):
        step = take(game, leader, command, outside)
        if not isinstance(step, Refusal):
            return step.game
    raise AssertionError("a round that nobody can move on")


@pytest.mark.rule(
    "GAME-01", "GAME-02", "GAME-04", "GAME-05", "GAME-06", "CYC-01", "CYC-08", "CYC-09", "CYC-10",
    "CYC-11", "CYC-12", "CYC-16", "CYC-17", "RND-01", "RND-02", "RND-03", "RND-04", "RND-05",
    "RND-18", "RND-19",
)  # fmt: skip
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_no_game_gets_stuck(edition: str) -> None:
    walk = Walk(edition, placements, joins=True, ends_with_the_round=False)
    walk.go(new_game(edition, 1, max_players=MAX_PLAYERS))
    print(f"{edition}, whole games: {len(walk.found)} states, {walk.edges} transitions")
    assert walk.stuck() == []
    assert walk.game_moves == GAME
    assert walk.cycle_moves == CYCLE
    assert walk.round_moves == ROUND[edition]
    rules = EDITIONS[edition]
    everywhere = {state for state, _ in rules.rounds}
    assert {round_ for cycle, round_ in walk.states if cycle == "ACTIVE"} >= everywhere
    assert ("BOUNDARY_DECISION", rules.terminal) in walk.states
    assert ("BOUNDARY_DECISION", None) in walk.states
    assert len(walk.found) > 2000


@pytest.mark.rule("RND-07", "RND-08", "RND-10", "GUE-03", "GUE-04", "JOK-03", "JOK-04", "PRF-03")
@pytest.mark.parametrize(
    ("edition", "round_number", "detailed"),
    [
        ("dj", 1, ("p1", "p2")),
        ("dj", 1, ("p2", "p3")),
        ("dj", 2, ("p1", "p2")),
        ("oracle", 1, ("p2", "p3")),
        ("oracle", 2, ("p1",)),
    ],
)
def test_no_round_gets_stuck(edition: str, round_number: int, detailed: tuple[str, ...]) -> None:
    game = started(edition, 4)
    while game.round is not None and game.round.number < round_number:
        game = ordinary_step(game, chances(edition)[0])
    walk = Walk(edition, everything_by(*detailed), joins=False, ends_with_the_round=True)
    walk.go(game)
    print(f"{edition}, round {round_number}: {len(walk.found)} states, {walk.edges} transitions")
    assert walk.stuck() == []
    assert walk.round_moves >= {move for move in ROUND[edition] if move[0] is not None}
    assert len(walk.found) > 500
