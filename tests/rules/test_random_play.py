"""Random play in both editions: legal and illegal commands by anyone, in any order.

Every command goes through `Machine.give`, which looks at what must hold whatever happens.
"""

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.rules.play import MUTANT, PHASES, chance, new_game, stored, unfinished, values

from varv.rules import Step, decide, join, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import CardKind, CycleState, Game, GameState, Part, RoundState
from varv.rules.refusals import Reason, Refusal
from varv.rules.views import Encoder, snapshot, version, viewer

encode = msgspec.json.encode

ENDINGS = {"finish_game", "remove_player", "abort_round", "change_song"}
"""Actions that have a rule of their own, so that games grow long enough to tell."""

GARBAGE: list[c.Command] = [
    c.SetStartYear(1979), c.SetStartYear(10**30), c.RemovePlayer(""), c.RemovePlayer("p1"),
    c.StartRound(-1), c.ChangeSong(0, None), c.LockRound(1, None), c.UnlockRound(10**9),
    c.Reveal(1, "READY"), c.Reveal(1, ""), c.AbortRound(0), c.NextRound(99),
    c.SubmitGuess(1, 1, "placement", -1), c.SubmitGuess(1, 1, "titel", "t0"),
    c.SubmitGuess(1, 1, "title", 0), c.SubmitGuess(1, 1, "artist", "a10"),
    c.UseJoker(1, 1, ""), c.UseJoker(1, 2, "placement"), c.Predict(1, 1, "lätt"),
    c.Play(1, 7), c.Stop(2, None), c.Configure(options=c.OptionsChange(audio="loud")),
    c.Configure(options=c.OptionsChange(guess_seconds=0)), c.StartGame(), c.StartCycle(),
]  # fmt: skip


def audio_url(game: Game, player: str) -> str:
    round_ = game.round
    assert round_ is not None and round_.performance is not None
    return f"/audio/{round_.number}-{round_.performance.number}-{player}"


def mentions(value: Any, wanted: set[str], path: str = "") -> list[str]:
    """Where any of these strings stands in a JSON value."""
    if isinstance(value, dict):
        return [
            found
            for key, inner in value.items()
            for found in [
                *([f"{path}.{key}"] if key in wanted else []),
                *mentions(inner, wanted, f"{path}.{key}"),
            ]
        ]
    if isinstance(value, list | tuple):
        return [found for inner in value for found in mentions(inner, wanted, path)]
    return [path] if value in wanted else []


class Machine(RuleBasedStateMachine):
    """One game, everything that has happened in it, and what everyone has been shown."""

    edition: str
    met: Counter[str] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.game = new_game(self.edition, players=1)
        self.log: list[e.Event] = [
            e.GameCreated("CODE", self.edition, self.game.mix, self.game.options, 3, 6),
            e.PlayerJoined("p1", "Name-1"),
        ]
        self.gone: set[str] = set()
        self.gone_names: set[str] = set()
        self.turns: Counter[tuple[int, str]] = Counter()
        self.encoder = Encoder()
        self.shown = self.views()
        assert replay(self.log) == self.game

    # Doing

    def give(self, actor: str, command: c.Command, seed: int = 0) -> Step | Refusal:
        """Give a command and look at everything that must hold afterwards."""
        before, bytes_before, outside = self.game, encode(self.game), chance(self.game, seed)
        step = take(before, actor, command, outside)
        decided = decide(before, actor, command, outside)
        assert encode(before) == bytes_before, "deciding changed the game"
        if isinstance(step, Refusal):
            assert decided == step
            assert isinstance(step.reason, Reason) and step.reason.rule
            encode(step)
        else:
            assert decided == step.events
            self.happened(step)
        return step

    def happened(self, step: Step) -> None:
        folded = replay(map(stored, step.events), self.game)
        assert folded == step.game, "the stored events make another game"
        assert encode(folded) == encode(step.game)
        before, self.game = self.game, step.game
        self.log += step.events
        for event in step.events:
            self.note(before, event)
        self.check_game(before, step.events)
        self.check_views(before)
        self.check_actions()
        self.met.update(
            [
                self.game.state,
                *([self.game.cycle.state] if self.game.cycle else []),
                *([self.game.round.state] if self.game.round else []),
                *(["ranked"] if self.game.ranking else []),
                *(["removed"] if self.gone else []),
                *(["late"] if len({p.cycle for p in self.game.players.values()}) > 1 else []),
            ]
        )

    def note(self, before: Game, event: e.Event) -> None:
        if isinstance(event, e.PlayerRemoved):
            self.gone.add(event.player)
            self.gone_names.add(before.players[event.player].name)
        if isinstance(event, e.RoundRevealed) and event.to is EDITIONS[self.edition].terminal:
            assert before.round is not None
            self.turns[before.round.cycle, before.round.leader] += 1
        if isinstance(event, e.CycleFinished):
            assert before.cycle is not None
            for player in before.cycle.rotation:
                if player in self.game.players:
                    assert self.turns[before.cycle.number, player] == 1, "CYC-15"
        if isinstance(event, e.JokerUsed | e.GuessSubmitted | e.PredictionMade):
            assert before.round is not None and before.round.state is RoundState.GUESSING

    # What must hold of the game

    def check_game(self, before: Game, events: tuple[e.Event, ...]) -> None:
        game = self.game
        again = msgspec.json.decode(encode(game), type=Game)
        assert again == game
        assert encode(again) == encode(game)
        assert max(self.turns.values(), default=0) <= 1, "CYC-02"
        self.check_cards()
        self.check_jokers(before, events)
        self.check_rounds()
        found = (
            mentions(msgspec.to_builtins(game), self.gone | self.gone_names) if self.gone else []
        )
        assert set(found) <= {
            ".round.leader", ".round.leader_name", ".last_round.leader", ".last_round.leader_name",
        }  # fmt: skip
        if game.state is GameState.FINISHED:
            self.check_ranking()
        else:
            assert game.ranking is None

    def check_cards(self) -> None:
        for player in self.game.players.values():
            years = [card.year for card in player.timeline]
            assert years == sorted(years), "RND-28"
            per_round = Counter(
                card.round for card in (*player.timeline, *player.side_cards) if card.round
            )
            assert max(per_round.values(), default=0) <= 1, "RND-22"
            starts = [card for card in player.timeline if card.kind is CardKind.START]
            assert len(starts) == (player.cycle is not None)
            if starts:
                assert starts[0].year == player.start_year

    def check_jokers(self, before: Game, events: tuple[e.Event, ...]) -> None:
        settled = any(
            isinstance(event, e.RoundRevealed) and event.to is EDITIONS[self.edition].terminal
            for event in events
        )
        for player in self.game.players.values():
            assert 0 <= player.jokers <= 3, "JOK-01"
            earlier = before.players.get(player.id)
            if earlier is None or earlier.cycle is None:
                assert player.jokers == (player.cycle is not None), "JOK-01"
                continue
            assert player.jokers == earlier.jokers or settled, "JOK-06"
            assert player.jokers <= earlier.jokers + 1, "at most one joker won"

    def check_rounds(self) -> None:
        game, round_ = self.game, self.game.round
        if game.state is GameState.LOBBY:
            assert game.cycle is None and round_ is None
            return
        if game.cycle is None:
            assert game.state is GameState.FINISHED and round_ is None
            return
        edition = EDITIONS[self.edition]
        assert set(game.cycle.rotation) <= set(game.players)
        assert set(game.cycle.completed) <= set(game.cycle.rotation)
        if game.state is GameState.IN_PROGRESS:
            assert len(game.players) >= game.min_players, "GAME-05"
            if game.cycle.state is CycleState.ACTIVE:
                assert round_ is not None and round_.cycle == game.cycle.number, "CYC-13"
                assert set(game.cycle.completed) < set(game.cycle.rotation) or (
                    round_.state is not edition.terminal
                ), "CYC-08"
        if round_ is None:
            return
        live = round_.state is not edition.terminal
        assert round_.state is not RoundState.ABORTED
        assert not live or (
            game.state is GameState.IN_PROGRESS and game.cycle.state is CycleState.ACTIVE
        )
        assert (round_.performance is None) == (round_.state is edition.first), "PRF-01"
        for player, guess in round_.guesses.items():
            assert live is False or len(guess.jokers) <= game.players[player].jokers, "JOK-05"

    def check_ranking(self) -> None:
        """Count again from the log alone: cards given in rounds of FINISHED cycles."""
        game = self.game
        if not game.finished_cycles:
            assert game.ranking is None, "RANK-06"
            return
        assert game.ranking is not None
        rows = {row.player: row for row in game.ranking}
        assert set(rows) == {
            player.id
            for player in game.players.values()
            if player.cycle is not None and player.cycle <= game.finished_cycles[-1]
        }, "RANK-05, RANK-09"
        cards, stars, oracles = self.count_again()
        for player, row in rows.items():
            expected = (
                (cards[player], stars[player])
                if self.edition == "dj"
                else (1 + cards[player], oracles[player])
            )
            assert (row.cards, row.tiebreak) == expected
            better = [
                other
                for other in game.ranking
                if (other.cards, other.tiebreak) > (row.cards, row.tiebreak)
            ]
            assert row.place == len(better) + 1, "RANK-07"
        for above, below in pairwise(game.ranking):
            assert above.place <= below.place

    def count_again(self) -> tuple[Counter[str], Counter[str], Counter[str]]:
        cards: Counter[str] = Counter()
        stars: Counter[str] = Counter()
        oracles: Counter[str] = Counter()
        cycle, leader = 0, ""
        for event in self.log:
            if isinstance(event, e.CycleStarted):
                cycle = event.number
            elif isinstance(event, e.RoundCreated):
                leader = event.leader
            elif isinstance(event, e.RoundRevealed):
                counted = event.to is EDITIONS[self.edition].terminal
                if not counted or cycle not in self.game.finished_cycles:
                    continue
                for player, result in event.results.items():
                    cards[player] += result.card is not None
                    stars[player] += bool(result.star)
                oracles[leader] += event.leader_card is not None
        return cards, stars, oracles

    # What must hold of the views

    def views(self) -> dict[str | None, tuple[int, bytes]]:
        """Version and bytes of everyone's state, and of a shared screen's (None)."""
        game = self.game
        everyone = encode(snapshot(game))
        assert self.encoder.snapshot(game) == everyone
        views: dict[str | None, tuple[int, bytes]] = {None: (version(game, None), everyone)}
        for player in game.players:
            own = encode(viewer(game, player, audio_url))
            assert self.encoder.viewer(game, player, audio_url) == own
            views[player] = (version(game, player), everyone + own)
        return views

    def check_views(self, before: Game) -> None:
        earlier, self.shown = self.shown, self.views()
        for who, (number, view) in self.shown.items():
            if who not in earlier:
                continue
            number_before, view_before = earlier[who]
            assert (number > number_before) == (view != view_before), f"VIEW-08 for {who}"
            assert number >= number_before
        if not self.gone:
            return
        builtins = msgspec.to_builtins(snapshot(self.game))
        leaders = {"leader", "leader_name"}
        for path in mentions(builtins, self.gone | self.gone_names):
            assert path.rsplit(".", 1)[1] in leaders, f"VIEW-04: {path}"

    def check_actions(self) -> None:
        """What is offered is accepted for some value; what is not is refused for all (VIEW-01).

        One player at a time, in turn, and everyone whenever a round has moved on.
        """
        game = self.game
        players, outside = list(game.players), chance(game)
        moved = not isinstance(self.log[-1], e.GuessSubmitted | e.GuessWithdrawn | e.JokerUsed)
        for player in players if moved else [players[len(self.log) % len(players)]]:
            shown = viewer(game, player)
            assert not set(shown.actions) & set(shown.blocked)
            for command in c.COMMANDS:
                name = c.NAMES[command]
                answers = [
                    (asked, decide(game, player, asked, outside))
                    for asked in values(game, shown, command)
                ]
                accepted = [asked for asked, answer in answers if isinstance(answer, tuple)]
                assert (name in shown.actions) == bool(accepted), (player, name)
                if name in shown.blocked:
                    reasons = [answer.reason for _, answer in answers if answer]  # type: ignore[union-attr]
                    assert shown.blocked[name] in reasons
                if command is c.SubmitGuess:
                    self.check_guesses(shown.open_parts, accepted)
                    self.check_options(shown, accepted)
                if command is c.UseJoker:
                    assert {asked.part for asked in accepted} == set(shown.joker_parts)

    def check_guesses(self, open_parts: tuple[Part, ...], accepted: list[Any]) -> None:
        given = {asked.part for asked in accepted}
        assert given == set(open_parts)

    def check_options(self, shown: Any, accepted: list[Any]) -> None:
        for part in ("title", "artist"):
            if part in shown.open_parts:
                options = {option.id for option in getattr(shown.options, part)}
                chosen = {asked.choice for asked in accepted if asked.part == part}
                assert chosen - {None} == options, "GUE-08"

    # The rules of the machine: who does what next

    @initialize(players=st.integers(3, 6), years=st.integers(0, 2**20))
    def gather(self, players: int, years: int) -> None:
        chances = random.Random(years)
        for number in range(2, players + 1):
            self.sit_down(number)
        for player in list(self.game.players):
            self.give(player, c.SetStartYear(chances.randint(1980, 2010)))

    def sit_down(self, number: int) -> None:
        events = join(self.game, f"Name-{number}", bot=number == 3)
        if isinstance(events, tuple):
            self.happened(Step(events, replay(events, self.game)))
        else:
            assert isinstance(events, Refusal)

    @rule()
    def somebody_joins(self) -> None:
        joinable = snapshot(self.game).joinable
        players = len(self.game.players)
        self.sit_down(self.game.joined + 1)
        assert (len(self.game.players) > players) == joinable
        for player in list(self.game.players.values()):
            if player.start_year is None and unfinished(self.game):
                self.give(player.id, c.SetStartYear(1980 + player.jokers + len(player.name)))

    @rule(seed=st.integers(0, 2**30))
    def somebody_acts(self, seed: int) -> None:
        self.act(random.Random(seed), ENDINGS)

    @rule(seed=st.integers(0, 2**30))
    def everybody_guesses(self, seed: int) -> None:
        chances = random.Random(seed)
        for player in list(self.game.players):
            shown = viewer(self.game, player)
            for name in ("use_joker", "guess", "guess", "guess", "predict"):
                if name in shown.actions and chances.random() < 0.7:
                    self.give(player, self.pick(player, name, chances))

    @rule(seed=st.integers(0, 2**30))
    def the_round_goes_on(self, seed: int) -> None:
        """Whoever leads takes the next steps, with guesses in between."""
        for step in range(6):
            self.lead(random.Random(seed + step))

    @rule(seed=st.integers(0, 2**30))
    def the_cycle_goes_on(self, seed: int) -> None:
        chances = random.Random(seed)
        for _ in range(40):
            if self.game.cycle and self.game.cycle.state is CycleState.BOUNDARY_DECISION:
                break
            self.lead(chances)

    @rule(seed=st.integers(0, 2**30))
    def the_host_decides(self, seed: int) -> None:
        if seed % 2:
            self.somebody_joins()
        if unfinished(self.game) and self.game.cycle:
            self.give(self.game.host, c.StartCycle(), seed)

    @rule(seed=st.integers(0, 2**30))
    def something_drastic(self, seed: int) -> None:
        chances = random.Random(seed)
        rare = {"finish_game"} if chances.random() < 0.9 else set()
        usual = {name for name in c.NAMES.values() if name not in ENDINGS}
        self.act(chances, usual | rare)

    @rule(seed=st.integers(0, 2**30))
    def somebody_is_wrong(self, seed: int) -> None:
        """Anyone gives any command, about any round, with any value."""
        chances = random.Random(seed)
        actor = chances.choice([*self.game.players, *sorted(self.gone), "p99", ""])
        command = chances.choice(GARBAGE)
        current = self.game.round
        if current and hasattr(command, "round") and chances.random() < 0.7:
            command = msgspec.structs.replace(command, round=current.number)
            if current.performance and hasattr(command, "performance"):
                command = msgspec.structs.replace(command, performance=current.performance.number)
        answer = self.give(actor, command, seed)
        if actor not in self.game.players and actor not in self.gone:
            assert isinstance(answer, Refusal)

    @rule(seed=st.integers(0, 2**30))
    @precondition(lambda self: self.game.round is not None)
    def a_late_tap(self, seed: int) -> None:
        """A command about an earlier round or song is STALE, whoever gives it (GUE-09)."""
        chances, round_ = random.Random(seed), self.game.round
        assert round_ is not None
        actor = chances.choice(list(self.game.players))
        shown = viewer(self.game, actor)
        kind = chances.choice([kind for kind in c.COMMANDS if "round" in kind.__struct_fields__])
        command: Any = next(values(self.game, shown, kind))
        if "performance" in kind.__struct_fields__ and chances.random() < 0.5:
            stale = msgspec.structs.replace(command, performance=(command.performance or 0) + 1)
        else:
            stale = msgspec.structs.replace(command, round=chances.choice([round_.number - 1, 999]))
        answer = self.give(actor, stale)
        assert isinstance(answer, Refusal) and answer.reason is Reason.STALE

    @rule(seed=st.integers(0, 2**30))
    @precondition(lambda self: bool(self.gone))
    def somebody_who_left(self, seed: int) -> None:
        actor = sorted(self.gone)[seed % len(self.gone)]
        shown, outside = viewer(self.game, self.game.host), chance(self.game)
        for kind in c.COMMANDS:
            for command in values(self.game, shown, kind):
                answer = decide(self.game, actor, command, outside)
                assert isinstance(answer, Refusal) and answer.reason is Reason.REMOVED

    # Choosing

    def pick(self, player: str, name: str, chances: random.Random) -> c.Command:
        """A command of this name that is accepted."""
        game = self.game
        kind = next(kind for kind, known in c.NAMES.items() if known == name)
        asked = list(values(game, viewer(game, player), kind))
        chances.shuffle(asked)
        outside = chance(game)
        return next(one for one in asked if isinstance(decide(game, player, one, outside), tuple))

    def act(self, chances: random.Random, without: set[str]) -> None:
        offers = [
            (player, name)
            for player in self.game.players
            for name in viewer(self.game, player).actions
            if name not in without
        ]
        if offers:
            player, name = chances.choice(offers)
            answer = self.give(player, self.pick(player, name, chances), chances.randrange(2**20))
            assert isinstance(answer, Step)

    def lead(self, chances: random.Random) -> None:
        """One step of the ceremony by whoever may take it, now and then with guesses before."""
        if chances.random() < 0.3:
            self.everybody_guesses(chances.randrange(2**20))
        for name in ("start_game", "start_round", "next_round", "reveal", "lock_round", "predict"):
            for player in self.game.players:
                if name in viewer(self.game, player).actions:
                    self.give(player, self.pick(player, name, chances), chances.randrange(2**20))
                    return

    def teardown(self) -> None:
        assert replay(map(stored, self.log)) == self.game


class DjMachine(Machine):
    edition = "dj"


class OracleMachine(Machine):
    edition = "oracle"


@pytest.mark.rule(
    "GAME-06", "GAME-16", "RND-03", "RND-04", "RND-14", "RND-17", "RND-22", "RND-28", "RND-29",
    "CYC-02", "CYC-13", "CYC-15", "JOK-01", "JOK-05", "JOK-06", "JOK-10", "JOK-11", "GUE-07",
    "GUE-08", "GUE-09", "RANK-05", "RANK-06", "RANK-07", "RANK-09", "VIEW-01", "VIEW-04", "VIEW-08",
)  # fmt: skip
@pytest.mark.parametrize("machine", [DjMachine, OracleMachine])
def test_random_play(machine: type[Machine]) -> None:
    machine.met = Counter()
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=12 if MUTANT else 60,
            stateful_step_count=20,
            deadline=None,
            derandomize=True,
            database=None,
            phases=PHASES,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
    states = {source for source, _ in EDITIONS[machine.edition].rounds}
    if MUTANT:
        return
    assert states <= set(machine.met), "random play never came to some state of the round"
    met = {"LOBBY", "IN_PROGRESS", "FINISHED", "BOUNDARY_DECISION", "removed", "ranked"}
    late = {"late"} if EDITIONS[machine.edition].late_join else set()
    assert met | late <= set(machine.met)
