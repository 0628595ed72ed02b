"""Secrets: swap only what somebody must not know, and not a byte of what they see changes.

Each performance is played in several worlds at once. A `Twin` differs from the game in one secret
(the answer, a guess, a joker, a prediction, a change of mind); until that secret is revealed nobody
but those entitled to it may be shown, told or refused anything else than in the game itself.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.rules.play import MUTANT, PHASES, draw, new_game, values

from varv.rules import Chance, Setup, decide, join, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import PARTS, CycleState, Draw, Game, Guess, Mix, RoundState, Song
from varv.rules.refusals import Refusal
from varv.rules.views import Encoder, version, viewer

SETUP = Setup(Mix("other", "Other", 50), 6)


# The secrets that can be swapped


@dataclass
class Secret:
    """One secret: how it differs in the other world, who may know it, and for how long it holds."""

    name: str
    draw: Callable[[Draw], Draw] = lambda drawn: drawn
    command: Callable[[Game, str, Any], c.Command | None] = lambda game, actor, command: command
    entitled: Callable[[Game, str], bool] = lambda game, player: False
    outlives_the_year: bool = False
    """Whether it is still secret between the two reveals (VIEW-03)."""


def another_answer(years: int, *, in_few: bool = True) -> Callable[[Draw], Draw]:
    """The same options with another right one, and a year so much later."""

    def swapped(drawn: Draw) -> Draw:
        title, few_titles = _another(drawn.titles, drawn.few_titles, drawn.song.title, in_few)
        artist, few_artists = _another(drawn.artists, drawn.few_artists, drawn.song.artist, in_few)
        song = Song("other", drawn.titles[title], drawn.artists[artist], drawn.song.year + years)
        if years and abs(years) < 10:
            decade, place = divmod(drawn.song.year, 10)
            song = msgspec.structs.replace(song, year=decade * 10 + (place + years) % 10)
        return msgspec.structs.replace(
            drawn, song=song, few_titles=few_titles, few_artists=few_artists, recording="other"
        )

    return swapped


def _another(
    texts: tuple[str, ...], few: tuple[int, ...], answer: str, in_few: bool
) -> tuple[int, tuple[int, ...]]:
    right = texts.index(answer)
    if in_few:
        return next(index for index in few if index != right), few
    other = next(index for index in range(10) if index not in few)
    return other, tuple(sorted({other, *few} - {right}))


def leads_as_oracle(game: Game, player: str) -> bool:
    return (
        EDITIONS[game.edition].predicts and game.round is not None and game.round.leader == player
    )


def _guess(game: Game, player: str) -> Guess:
    return game.round.guesses.get(player, Guess()) if game.round else Guess()


def knows_decade(game: Game, player: str) -> bool:
    return leads_as_oracle(game, player) or "placement" in _guess(game, player).jokers


def knows_few(game: Game, player: str) -> bool:
    used = _guess(game, player).jokers
    return leads_as_oracle(game, player) or "title" in used or "artist" in used


def another_choice(game: Game, part: str, choice: int | str | None) -> int | str | None:
    """Another choice that is just as legal: one of the three for one of the three."""
    performance = game.round.performance if game.round else None
    if performance is None or choice is None or isinstance(choice, int):
        return choice
    few = performance.few_titles if part == "title" else performance.few_artists
    index = int(choice[1:]) if choice[1:].isdigit() else 99
    rest = tuple(other for other in range(10) if other not in few)
    for group in (few, rest):
        if index in group:
            index = group[(group.index(index) + 1) % len(group)]
            break
    return f"{choice[0]}{index}"


def other_names(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    def swapped(game: Game, actor: str, command: Any) -> c.Command:
        if actor != victim or not isinstance(command, c.SubmitGuess):
            return command
        choice = another_choice(game, command.part, command.choice)
        return msgspec.structs.replace(command, choice=choice)

    return swapped


def other_guesses(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    names = other_names(victim)

    def swapped(game: Game, actor: str, command: Any) -> c.Command | None:
        if actor == victim and isinstance(command, c.SubmitGuess):
            last = len(game.players[actor].timeline)
            if isinstance(command.choice, int) and 0 <= command.choice <= last:
                other = (command.choice + 1) % (last + 1)
                return msgspec.structs.replace(command, choice=other)
        return names(game, actor, command)

    return swapped


def no_joker(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    def swapped(game: Game, actor: str, command: Any) -> c.Command | None:
        return None if actor == victim and isinstance(command, c.UseJoker) else command

    return swapped


def no_second_thoughts(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    def swapped(game: Game, actor: str, command: Any) -> c.Command | None:
        if actor != victim or not isinstance(command, c.SubmitGuess) or command.choice is None:
            return command
        given = getattr(_guess(game, actor), command.part, None)
        return command if given is None else None

    return swapped


def other_prediction(game: Game, actor: str, command: Any) -> c.Command:
    if not isinstance(command, c.Predict):
        return command
    turn = {"easy": "medium", "medium": "hard", "hard": "easy"}
    other = turn.get(command.difficulty, command.difficulty)
    return msgspec.structs.replace(command, difficulty=other)


def secrets(game: Game) -> list[Secret]:
    """Everything that is secret about a performance in this game."""
    answers = [
        Secret("answer", another_answer(30), entitled=knows_decade),
        Secret("answer of the decade", another_answer(3), entitled=leads_as_oracle),
        Secret("answer of the ten", another_answer(3, in_few=False), entitled=knows_few),
        Secret(
            "title and artist", another_answer(0), entitled=leads_as_oracle, outlives_the_year=True
        ),
    ]
    guesses = [
        secret
        for victim in game.players
        for secret in (
            Secret("guess", command=other_guesses(victim), entitled=_is(victim)),
            Secret(
                "names guessed",
                command=other_names(victim),
                entitled=_is(victim),
                outlives_the_year=True,
            ),
            Secret("joker", command=no_joker(victim), entitled=_is(victim), outlives_the_year=True),
            Secret("second thoughts", command=no_second_thoughts(victim), entitled=_is(victim)),
        )
    ]
    prediction = Secret("prediction", command=other_prediction, entitled=leads_as_oracle)
    return [*answers, *guesses, *([prediction] if EDITIONS[game.edition].predicts else [])]


def _is(victim: str) -> Callable[[Game, str], bool]:
    return lambda game, player: player == victim


# Playing in several worlds at once


def audio_url(game: Game, player: str) -> str:
    assert game.round is not None and game.round.performance is not None
    return f"/audio/{game.round.number}-{game.round.performance.number}-{player}"


@dataclass
class Twin:
    secret: Secret
    game: Game
    encoder: Encoder


class Worlds:
    """The game, its twins, and which secrets were compared in which state."""

    def __init__(self, edition: str, players: int, *, all_probes: bool = False) -> None:
        self.game = new_game(edition, players)
        self.encoder = Encoder()
        self.twins: list[Twin] = []
        self.all_probes = all_probes
        self.steps = 0
        self.compared: Counter[tuple[str, str]] = Counter()
        self.probed: Counter[tuple[str, str]] = Counter()
        self.told_apart: Counter[tuple[str, str]] = Counter()
        for player in list(self.game.players):
            self.give(player, c.SetStartYear(1985 + 5 * (self.steps % 5)))
        self.give("p1", c.StartGame())

    @property
    def state(self) -> str:
        return self.game.round.state if self.game.round else "NO ROUND"

    def give(self, actor: str, command: c.Command, seed: int = 0) -> bool:
        """Give the command in every world; whether it was accepted."""
        self.steps += 1
        drawn = draw(self.game, seed)
        before = self.game
        answer = take(before, actor, command, Chance(seed, drawn, SETUP))
        started = not isinstance(answer, Refusal) and any(
            isinstance(event, e.PerformanceStarted) for event in answer.events
        )
        if started:
            self.twins = [Twin(secret, before, Encoder()) for secret in secrets(before)]
        for twin in self.twins:
            self.give_twin(
                twin, actor, command, Chance(seed, twin.secret.draw(drawn), SETUP), answer
            )
        if not isinstance(answer, Refusal):
            self.game = answer.game
        self.compare()
        return not isinstance(answer, Refusal)

    def give_twin(
        self, twin: Twin, actor: str, command: c.Command, chance: Chance, answer: Any
    ) -> None:
        may_differ = actor in twin.game.players and twin.secret.entitled(self.game, actor)
        there = twin.secret.command(twin.game, actor, command)
        if there is None:
            return
        other = take(twin.game, actor, there, chance)
        if isinstance(other, Refusal):
            assert may_differ or other == answer, (twin.secret.name, other, answer)
        else:
            assert not isinstance(answer, Refusal) or may_differ, (twin.secret.name, answer)
            twin.game = other.game

    def compare(self) -> None:
        """Nobody who is not entitled can tell the worlds apart; then forget what is revealed."""
        round_, edition = self.game.round, EDITIONS[self.game.edition]
        everyone = self.encoder.snapshot(self.game)
        kept = []
        for twin in self.twins:
            there = twin.encoder.snapshot(twin.game)
            known = round_ is not None and round_.results is not None
            over = round_ is not None and round_.state is edition.terminal
            if over or (known and not twin.secret.outlives_the_year):
                if there != everyone:
                    self.told_apart[twin.secret.name, "reveal"] += 1
                continue
            kept.append(twin)
            assert there == everyone, (twin.secret.name, there, everyone)
            assert version(twin.game, None) == version(self.game, None)
            for player in self.game.players:
                self.compare_viewer(twin, player)
        self.twins = kept
        self.probe()

    def compare_viewer(self, twin: Twin, player: str) -> None:
        here = self.encoder.viewer(self.game, player, audio_url)
        there = twin.encoder.viewer(twin.game, player, audio_url)
        if not self.blind(twin, player):
            if here != there:
                self.told_apart[twin.secret.name, self.state] += 1
            return
        assert here == there, (twin.secret.name, player, here, there)
        assert version(self.game, player) == version(twin.game, player), "VIEW-08"
        self.compared[twin.secret.name, self.state] += 1

    def blind(self, twin: Twin, player: str) -> bool:
        """Whether this player may not know the secret, in either world."""
        entitled = twin.secret.entitled
        return not entitled(self.game, player) and not entitled(twin.game, player)

    def probe(self) -> None:
        """Whatever somebody who is not entitled asks for, the answer tells them nothing."""
        names = sorted({twin.secret.name for twin in self.twins})
        if names and not self.all_probes:
            names = [names[self.steps % len(names)]]
        for turn, name in enumerate(names, start=self.steps):
            alike = [twin for twin in self.twins if twin.secret.name == name]
            twin = alike[turn % len(alike)]
            blind = [player for player in self.game.players if self.blind(twin, player)]
            if blind:
                self.probe_as(blind[turn // 2 % len(blind)], twin)

    def probe_as(self, player: str, twin: Twin) -> None:
        shown = viewer(self.game, player)
        for kind in c.COMMANDS:
            drawn = kind in (c.StartRound, c.ChangeSong)
            chance = Chance(0, draw(self.game, self.steps) if drawn else None, SETUP)
            for command in values(self.game, shown, kind):
                here = decide(self.game, player, command, chance)
                there = decide(twin.game, player, command, chance)
                if isinstance(here, Refusal) or isinstance(there, Refusal):
                    assert here == there, (twin.secret.name, player, command)
        self.probed[twin.secret.name, self.state] += 1

    # Moves

    def join(self) -> None:
        events = join(self.game, f"Name-{self.game.joined + 1}")
        if isinstance(events, tuple):
            self.game = replay(events, self.game)
            for twin in self.twins:
                twin.game = replay(events, twin.game)
            self.give(f"p{self.game.joined}", c.SetStartYear(1999))

    def pick(self, player: str, name: str, chances: random.Random) -> c.Command:
        kind = next(kind for kind, known in c.NAMES.items() if known == name)
        asked = list(values(self.game, viewer(self.game, player), kind))
        chances.shuffle(asked)
        outside = Chance(0, draw(self.game, 1), SETUP)
        return next(
            one for one in asked if isinstance(decide(self.game, player, one, outside), tuple)
        )

    def do(self, name: str, seed: int) -> bool:
        """Somebody who may does it; whether anybody could."""
        chances = random.Random(seed)
        able = [player for player in self.game.players if name in viewer(self.game, player).actions]
        if not able:
            return False
        player = chances.choice(able)
        return self.give(player, self.pick(player, name, chances), seed)

    def wrong(self, seed: int) -> None:
        """Anybody asks for anything."""
        chances = random.Random(seed)
        actor = chances.choice([*self.game.players, "p9"])
        kind = chances.choice(c.COMMANDS)
        rare = (c.FinishGame, c.RemovePlayer, c.AbortRound)
        if actor in self.game.players and kind not in rare:
            shown = viewer(self.game, actor)
            self.give(actor, chances.choice(list(values(self.game, shown, kind))), seed)
        else:
            self.give("p9", c.StartRound(1))


CEREMONY = ("start_round", "lock_round", "reveal", "next_round", "start_cycle")
RARE = ("unlock_round", "change_song", "abort_round", "remove_player", "finish_game")

met: dict[str, Counter[tuple[str, str]]] = {"dj": Counter(), "oracle": Counter()}


@settings(
    max_examples=4 if MUTANT else 20,
    deadline=None,
    derandomize=True,
    database=None,
    phases=PHASES,
    suppress_health_check=list(HealthCheck),
)
@given(players=st.integers(3, 5), moves=st.lists(st.integers(0, 2**20), min_size=60, max_size=90))
def play_at_random(edition: str, players: int, moves: list[int]) -> None:
    worlds = Worlds(edition, players)
    for move in moves:
        kind = move % 100
        if kind < 55:
            worlds.do(("guess", "guess", "guess", "use_joker", "predict")[move // 100 % 5], move)
        elif kind < 80:
            any(worlds.do(name, move) for name in CEREMONY)
        elif kind < 90:
            worlds.wrong(move)
        elif kind < 99:
            worlds.do(RARE[move // 100 % 4], move)
            if worlds.game.cycle and worlds.game.cycle.state is CycleState.BOUNDARY_DECISION:
                worlds.join()
        elif move // 100 % 5 == 0:
            worlds.do("finish_game", move)
    met[edition].update(worlds.compared)


@pytest.mark.rule("VIEW-02", "VIEW-03", "VIEW-04", "VIEW-05", "VIEW-08", "GUE-07", "JOK-09")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_no_secret_is_told_in_random_games(edition: str) -> None:
    met[edition].clear()
    play_at_random(edition)
    if MUTANT:
        return
    assert hidden_states(edition) <= set(met[edition])


def hidden_states(edition: str) -> set[tuple[str, str]]:
    """Every secret in every state in which it is one; after an abort the next round begins."""
    rules = EDITIONS[edition]
    names = {secret.name for secret in secrets(new_game(edition))}
    hidden = {(name, state) for name in names for state in ("GUESSING", "LOCKED", str(rules.first))}
    if "REVEALED_TIMELINE" in rules.reveals:
        hidden |= {
            (secret.name, "REVEALED_TIMELINE")
            for secret in secrets(new_game(edition))
            if secret.outlives_the_year
        }
    return hidden


def guesses_by_everyone(worlds: Worlds) -> None:
    """Jokers (by all but one) where one can be used, all three parts, and a change of mind."""
    careful = list(worlds.game.players)[-1]
    for player in list(worlds.game.players):
        for part in PARTS:
            if "use_joker" in viewer(worlds.game, player).actions and player != careful:
                worlds.give(player, _current(worlds, c.UseJoker, part))
            shown = viewer(worlds.game, player)
            if part not in shown.open_parts:
                continue
            options: list[Any] = (
                [0, 1]
                if part == "placement"
                else [option.id for option in getattr(shown.options, part)][:2]
            )
            for choice in options:
                worlds.give(player, _current(worlds, c.SubmitGuess, part, choice))
        if "predict" in viewer(worlds.game, player).actions:
            worlds.give(player, _current(worlds, c.Predict, "easy"))
            worlds.give(player, _current(worlds, c.Predict, "hard"))


def _current(worlds: Worlds, kind: Any, *values: Any) -> c.Command:
    round_ = worlds.game.round
    assert round_ is not None and round_.performance is not None
    return kind(round_.number, round_.performance.number, *values)  # type: ignore[no-any-return]


@pytest.mark.rule("VIEW-02", "VIEW-03", "VIEW-05", "VIEW-08", "GAME-15", "RND-09", "RND-14")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_no_secret_is_told_in_any_state(edition: str) -> None:
    """A game that comes to every state with everything in it that can be secret."""
    worlds = Worlds(edition, 4, all_probes=True)
    terminal = EDITIONS[edition].terminal
    worlds.do("start_round", 1)
    guesses_by_everyone(worlds)
    worlds.do("change_song", 2)
    guesses_by_everyone(worlds)
    worlds.do("lock_round", 3)
    worlds.do("unlock_round", 4)
    guesses_by_everyone(worlds)
    worlds.do("lock_round", 5)
    worlds.do("abort_round", 6)
    assert worlds.game.last_round is not None
    assert worlds.game.last_round.state is RoundState.ABORTED
    for aborted_in in ("GUESSING", "LOCKED"):
        worlds.do("start_round", 7)
        guesses_by_everyone(worlds)
        if aborted_in == "LOCKED":
            worlds.do("lock_round", 8)
        worlds.do("abort_round", 9)
    worlds.do("start_round", 10)
    guesses_by_everyone(worlds)
    worlds.do("lock_round", 11)
    while worlds.state != terminal:
        worlds.do("reveal", 12)
    assert not worlds.twins
    told = {name for name, state in worlds.told_apart if state == "reveal"}
    swapped = {secret.name for secret in secrets(worlds.game)}
    assert swapped - told <= {"second thoughts"}, "a swap that shows nowhere proves nothing"
    worlds.do("next_round", 13)
    worlds.do("start_round", 14)
    guesses_by_everyone(worlds)
    worlds.do("lock_round", 15)
    if "REVEALED_TIMELINE" in EDITIONS[edition].reveals:
        worlds.do("reveal", 16)
    worlds.do("finish_game", 17)
    assert worlds.game.state == "FINISHED"
    assert hidden_states(edition) <= set(worlds.compared)
    assert hidden_states(edition) <= set(worlds.probed)
    finished = {name for name, state in worlds.compared if state == "NO ROUND"}
    assert "joker" in finished, "nothing of an aborted round is told when the game ends"


@pytest.mark.rule("PRF-08", "JOK-07", "JOK-08", "VIEW-05")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_those_entitled_do_see_it(edition: str) -> None:
    """The swaps are real: whoever may know the answer is shown another one."""
    worlds = Worlds(edition, 3)
    worlds.do("start_round", 1)
    guesses_by_everyone(worlds)
    told = {name for name, state in worlds.told_apart if state == "GUESSING"}
    assert {"answer", "guess", "joker", "names guessed", "second thoughts"} <= told
    assert ("prediction" in told) == EDITIONS[edition].predicts
    assert ("title and artist" in told) == EDITIONS[edition].predicts
