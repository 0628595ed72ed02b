"""The game round by round, once it is over."""

import msgspec
import pytest
from tests.table import Table, draw, table

from varv.rules.views import history, snapshot


def told(at: Table) -> dict:
    return msgspec.json.decode(msgspec.json.encode(history(at.log)))


@pytest.mark.rule("VIEW-04", "VIEW-07")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_every_round_as_it_ended(edition):
    at = table(edition, 4).plays_round(1995, right=["Bo", "Dan"], named=["Bo"]).next_round()
    at.aborts().plays_cycle().starts_cycle().starts(2001).finishes()
    rounds = told(at)["rounds"]
    assert [(row["cycle"], row["round"]["number"]) for row in rounds] == [
        (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 6),
    ]  # fmt: skip
    first, second, last = rounds[0]["round"], rounds[1]["round"], rounds[-1]["round"]
    assert first["answer"] == {
        "year": 1995, "title": draw(1).song.title, "artist": draw(1).song.artist,
    }  # fmt: skip
    assert first["results"]["p2"]["joker_won"] is True
    assert (second["state"], second["aborted_because"]) == ("ABORTED", "HOST")
    assert second["answer"] is None
    assert (last["state"], last["aborted_because"]) == ("ABORTED", "GAME_FINISHED")
    assert (last["answer"], last["results"]) == (None, None)


@pytest.mark.rule("VIEW-02")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_round_that_has_not_ended_is_not_in_it(edition):
    at = table(edition, 3).plays_round().next_round().starts()
    assert [row["round"]["number"] for row in told(at)["rounds"]] == [1]


@pytest.mark.rule("VIEW-04")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_nobody_is_next_once_the_game_is_over(edition):
    at = table(edition, 3).plays_round().next_round().finishes()
    assert [row["round"]["next_leader"] for row in told(at)["rounds"]] == [None, None]


@pytest.mark.rule("VIEW-04")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_nobody_removed_is_in_it(edition):
    at = table(edition, 4).plays_round(right=["Bo", "Dan"]).removes("Dan").plays_cycle().finishes()
    first = told(at)["rounds"][0]["round"]
    assert set(first["results"]) == ({"p1", "p2", "p3"} if edition == "dj" else {"p2", "p3"})
    assert '"p4"' not in msgspec.json.encode(history(at.log)).decode()


@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_it_ends_with_the_last_snapshot(edition):
    at = table(edition, 3).plays_cycle().finishes()
    assert history(at.log).snapshot == snapshot(at.game)
    assert history(at.log).snapshot.ranking is not None


@pytest.mark.rule("VIEW-04")
def test_a_round_aborted_between_its_reveals_tells_nothing():
    at = table("dj", 3).starts(1987).places_right("Bo").locks().reveals().finishes()
    (row,) = told(at)["rounds"]
    assert (row["round"]["state"], row["round"]["answer"]) == ("ABORTED", None)
