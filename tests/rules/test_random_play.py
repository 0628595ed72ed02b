"""Random play in both editions: legal and illegal commands by anyone, in any order.

Every command goes through `Referee.give`, which looks at what must hold whatever happens.
"""

import random
from collections import Counter
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
from tests.rules.play import MUTANT, PHASES, chance, pick, stored, unfinished, values
from tests.rules.referee import Referee

from varv.rules import Step, decide, join, replay
from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.model import CycleState
from varv.rules.refusals import Reason, Refusal
from varv.rules.views import snapshot, viewer

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


class Machine(Referee, RuleBasedStateMachine):
    """Who does what next; the referee looks on."""

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
                    self.give(player, pick(self.game, player, name, chances))

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

    def act(self, chances: random.Random, without: set[str]) -> None:
        offers = [
            (player, name)
            for player in self.game.players
            for name in viewer(self.game, player).actions
            if name not in without
        ]
        if offers:
            player, name = chances.choice(offers)
            answer = self.give(
                player, pick(self.game, player, name, chances), chances.randrange(2**20)
            )
            assert isinstance(answer, Step)

    def lead(self, chances: random.Random) -> None:
        """One step of the ceremony by whoever may take it, now and then with guesses before."""
        if chances.random() < 0.3:
            self.everybody_guesses(chances.randrange(2**20))
        for name in ("start_game", "start_round", "next_round", "reveal", "lock_round", "predict"):
            for player in self.game.players:
                if name in viewer(self.game, player).actions:
                    self.give(
                        player, pick(self.game, player, name, chances), chances.randrange(2**20)
                    )
                    return

    def teardown(self) -> None:
        assert replay(map(stored, self.log)) == self.game


class DjMachine(Machine):
    edition = "dj"


class OracleMachine(Machine):
    edition = "oracle"


@pytest.mark.rule(
    "GAME-06", "GAME-16", "RND-14", "RND-17", "RND-22", "RND-28", "RND-29", "CYC-02", "CYC-13",
    "CYC-15", "JOK-01", "JOK-05", "JOK-06", "JOK-10", "JOK-11", "GUE-07", "GUE-08", "GUE-09",
    "RANK-05", "RANK-06", "RANK-07", "RANK-09", "VIEW-01", "VIEW-04", "VIEW-08",
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
