"""What follows by itself, and in which order (CYC-09)."""

import pytest
from tests.table import lobby, table

from varv.rules import coupling
from varv.rules import events as e
from varv.rules.model import AbortReason, Difficulty, Part


def names(events) -> list[str]:
    return [type(event).__name__ for event in events]


@pytest.mark.rule("CYC-09")
def test_the_table_reads_from_top_to_bottom():
    assert [row.rules for row in coupling.CONSEQUENCES] == [
        ("RND-18", "RND-19"),
        ("GAME-05", "GAME-13"),
        ("CYC-08",),
        ("CYC-16", "CYC-17"),
    ]


@pytest.mark.parametrize(
    "event",
    [
        e.GuessSubmitted("p2", Part.PLACEMENT, 0),
        e.GuessWithdrawn("p2", Part.PLACEMENT),
        e.JokerUsed("p2", Part.PLACEMENT),
        e.PredictionMade(Difficulty.HARD),
    ],
    ids=lambda event: type(event).__name__,
)
def test_nobody_asks_what_follows_from_a_guess(event, monkeypatch):
    """Most of what is sent is guesses, and nothing can follow from one: no time is spent on it."""
    asked, game = [], table("oracle", 3).starts().game
    row = coupling.Consequence(("CYC-09",), asked.append, coupling.next_round)
    monkeypatch.setattr(coupling, "CONSEQUENCES", (row,))
    assert coupling.follow(game, (event,))[0] == (event,)
    assert not asked
    coupling.follow(game, (e.RoundLocked(),))
    assert len(asked) == 1


@pytest.mark.rule("GAME-11", "CYC-16")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_game_starts_with_a_cycle_and_a_round_led_by_the_host(edition):
    at = table(edition, 3)
    assert at.last == (
        e.GameStarted(),
        e.CycleStarted(1, ("p1", "p2", "p3")),
        e.RoundCreated(1, "p1"),
    )


@pytest.mark.rule("CYC-16")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_next_round_waits_for_somebody_to_say_so(edition):
    at = table(edition, 3).plays_round()
    assert "RoundCreated" not in names(at.last)
    at.next_round(by="Ada")
    assert at.last == (e.RoundCreated(2, "p2"),)


@pytest.mark.rule("CYC-07", "CYC-16")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_after_an_abort_the_next_round_comes_by_itself(edition):
    at = table(edition, 3).plays_until("Bo").starts().aborts()
    assert at.last == (e.RoundAborted(AbortReason.HOST), e.RoundCreated(3, "p2"))
    at.aborts()
    assert at.last == (e.RoundAborted(AbortReason.HOST), e.RoundCreated(4, "p2"))


ENDS = {
    "aborted": lambda at: at.aborts(),
    "finished": lambda at: at.finishes(),
    "too few": lambda at: at.removes("Dan").removes("Cia"),
}


@pytest.mark.rule("JOK-11", "RND-14", "GAME-13")
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    ("edition", "state"),
    [("dj", "GUESSING"), ("dj", "LOCKED"), ("dj", "REVEALED_TIMELINE"),
     ("oracle", "GUESSING"), ("oracle", "LOCKED")],
)  # fmt: skip
def test_a_joker_on_a_round_that_comes_to_nothing_costs_nothing(edition, state, end):
    at = table(edition, 4).starts(1995).uses_joker("Bo").places_right("Bo", "Cia").names("Bo")
    if edition == "oracle":
        at.predicts("easy")
    if state != "GUESSING":
        at.locks()
    if state == "REVEALED_TIMELINE":
        at.reveals()
    assert at.states[2] == state
    ENDS[end](at)
    if (state, end) == ("REVEALED_TIMELINE", "aborted"):
        at.refused("ROUND_ALREADY_REVEALED")
        return
    assert at.game.last_round is not None
    assert at.game.last_round.state == "ABORTED"
    assert [at.jokers(name) for name in ("Ada", "Bo")] == [1, 1]
    assert [at.timeline(name) for name in ("Ada", "Bo")] == [[1990], [1990]]
    assert at.side_cards("Ada") == []


@pytest.mark.rule("CYC-06")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_only_the_terminal_reveal_completes_a_turn(edition):
    at = table(edition, 3)
    completed = []
    at.starts()
    if edition == "oracle":
        at.predicts("easy")
    at.locks()
    while at.round.state not in ("REVEALED_FULL", "REVEALED"):
        completed.append(at.snapshot()["cycle"]["completed"])
        at.reveals()
    assert completed == [[]] * len(completed)
    assert at.snapshot()["cycle"]["completed"] == ["p1"]
    at.next_round().starts().aborts()
    assert at.snapshot()["cycle"]["completed"] == ["p1"]


@pytest.mark.rule("CYC-08", "CYC-06")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_last_reveal_completes_the_cycle(edition):
    at = table(edition, 3).plays_until("Cia").plays_round()
    assert names(at.last) == ["RoundRevealed", "CycleCompleted"]


@pytest.mark.rule("CYC-11")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_new_cycle_finishes_the_old_and_brings_a_round(edition):
    at = table(edition, 3).plays_cycle().starts_cycle()
    assert at.last == (
        e.CycleFinished(),
        e.CycleStarted(2, ("p1", "p2", "p3")),
        e.RoundCreated(4, "p1"),
    )
    assert at.game.finished_cycles == (1,)


@pytest.mark.rule("CYC-11", "GAME-12")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_finishing_at_the_boundary_finishes_the_cycle_first(edition):
    at = table(edition, 3).plays_cycle().finishes()
    assert names(at.last) == ["CycleFinished", "GameFinished"]
    assert at.states[:2] == ("FINISHED", "FINISHED")


@pytest.mark.rule("GAME-13")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_finishing_aborts_a_live_round_first(edition):
    for at in (table(edition, 3), table(edition, 3).starts()):
        at.finishes()
        assert at.last == (e.RoundAborted(AbortReason.GAME_FINISHED), e.GameFinished(None))


@pytest.mark.rule("GAME-13")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_finishing_leaves_a_revealed_round_alone(edition):
    at = table(edition, 3).plays_round().finishes()
    assert at.last == (e.GameFinished(None),)
    assert at.round.results is not None


@pytest.mark.rule("CYC-07", "RND-19")
def test_oracle_removed_one_after_the_other():
    """Each removal aborts a round and passes the turn on; the counting goes on too."""
    at = table("oracle", 5).plays_until("Bo").starts().removes("Bo")
    assert names(at.last) == ["PlayerRemoved", "RoundAborted", "RoundCreated"]
    assert (at.round.number, at.leader) == (3, "Cia")
    at.removes("Cia")
    assert (at.round.number, at.leader) == (4, "Dan")
    assert at.game.last_round is not None
    assert at.game.last_round.aborted_because is AbortReason.LEADER_REMOVED


@pytest.mark.rule("CYC-17")
def test_oracle_moves_on_by_itself_only_without_its_leader():
    at = table("oracle", 5).plays_until("Bo").plays_round().removes("Dan")
    assert names(at.last) == ["PlayerRemoved"]
    at.removes("Bo")
    assert names(at.last) == ["PlayerRemoved", "RoundCreated"]
    assert (at.round.number, at.leader) == (3, "Cia")


@pytest.mark.rule("RND-18")
def test_dj_never_moves_on_by_itself_after_a_reveal():
    at = table("dj", 4).plays_until("Bo").plays_round().removes("Bo")
    assert names(at.last) == ["PlayerRemoved"]
    assert at.round.number == 2


@pytest.mark.rule("CYC-08")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_cycle_is_complete_when_the_only_one_left_to_lead_goes(edition):
    at = table(edition, 4).plays_until("Cia").plays_round().removes("Dan")
    assert names(at.last) == ["PlayerRemoved", "CycleCompleted"]
    at.next_round(by="Ada").refused("CYCLE_NOT_IN_ACTIVE")


@pytest.mark.rule("CYC-13")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_revealed_round_stays_until_the_next_and_is_then_the_last(edition):
    at = table(edition, 3).plays_round()
    first = at.round
    at.next_round()
    assert at.game.last_round == first
    assert at.snapshot()["last_round"]["number"] == 1
    at.starts()
    assert at.game.last_round is None


@pytest.mark.rule("CYC-13")
def test_rounds_have_the_number_of_their_cycle():
    at = table("dj", 3)
    assert at.round.cycle == 1
    at.plays_cycle().starts_cycle()
    assert (at.round.number, at.round.cycle) == (4, 2)
    at.plays_until("Cia").aborts()
    assert (at.round.number, at.round.cycle) == (7, 2)


@pytest.mark.rule("CYC-02", "CYC-03", "CYC-05")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_rotation_is_the_host_and_then_join_order_whatever_was_won(edition):
    """Dan wins all there is in the first cycle, and has jokers; the second goes as the first."""
    at = lobby(edition, 4).removes("Bo").joins("Bo").sets_year("Bo", 1990).starts_game()
    order = []
    for year in range(1991, 1999):
        order.append(at.leader)
        at.starts(year)
        if at.leader != "Dan":
            at.places_right("Dan").names("Dan")
        at.ends_round()
        if at.states[1] == "ACTIVE":
            at.next_round()
        elif year < 1998:
            at.starts_cycle()
    assert len(at.timeline("Dan")) == 7
    assert at.jokers("Dan") == 3
    assert order == ["Ada", "Cia", "Dan", "Bo"] * 2
