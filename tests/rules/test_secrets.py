"""Secrets: swap only what somebody must not know, and not a byte of what they see changes.

Each performance is played in several worlds at once. A `Twin` differs from the game in one secret
(the answer, a guess, a joker, a prediction, a change of mind); until that secret is revealed nobody
but those entitled to it may be shown, told or refused anything else than in the game itself.
"""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.rules.play import MUTANT, PHASES, new_game
from tests.rules.swaps import secrets
from tests.rules.worlds import Worlds

from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.model import PARTS, CycleState, RoundState
from varv.rules.views import viewer

CEREMONY = ("start_round", "lock_round", "reveal", "next_round", "start_cycle")
RARE = ("unlock_round", "change_song", "abort_round", "remove_player")

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
            worlds.do(RARE[move // 100 % len(RARE)], move)
            if worlds.game.cycle and worlds.game.cycle.state is CycleState.BOUNDARY_DECISION:
                worlds.join()
        elif move // 100 % 5 == 0:
            worlds.do("finish_game", move)
    met[edition].update(worlds.compared)


@pytest.mark.rule("VIEW-02", "VIEW-03", "VIEW-04", "VIEW-05", "VIEW-08")
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


@pytest.mark.rule("VIEW-02", "VIEW-03", "VIEW-05", "VIEW-08")
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
