"""The Snapshot: what everyone is shown."""

import json

import pytest
from tests.table import draw, lobby, table

from varv.rules import commands as c

EDITIONS = pytest.mark.parametrize("edition", ["dj", "oracle"])


@EDITIONS
@pytest.mark.rule("VIEW-01", "GAME-02")
def test_a_lobby(edition):
    at = lobby(edition, 3, years={"Cia": None}, max_players=4)
    shown = at.snapshot()
    assert (shown["code"], shown["edition"], shown["state"]) == ("K7QX", edition, "LOBBY")
    assert shown["mix"] == {"id": "test", "name": "Test", "songs": 600}
    assert (shown["min_players"], shown["max_players"]) == (3, 4)
    assert shown["start_years"] == [1980, 2010]
    assert shown["joinable"] is True
    assert shown["host"] == "p1"
    assert shown["options"] == {"audio": "default", "guess_seconds": None}
    assert [(row["id"], row["name"], row["start_year"]) for row in shown["players"]] == [
        ("p1", "Ada", 1990), ("p2", "Bo", 1990), ("p3", "Cia", None),
    ]  # fmt: skip
    assert [shown[key] for key in ("cycle", "round", "last_round", "ranking")] == [None] * 4
    assert at.view("Ada")["blocked"] == {"start_game": "START_YEAR_MISSING"}
    assert at.view("Bo") == {
        "player": "p2", "is_host": False, "is_leader": False, "plays_audio": False,
        "actions": ["set_start_year"], "blocked": {},
        "guess": {"placement": None, "title": None, "artist": None}, "open_parts": [],
        "options": {"title": None, "artist": None}, "jokers_registered": [], "joker_parts": [],
        "decade": None, "answer": None, "prediction": None, "audio": None,
    }  # fmt: skip
    assert at.actions("Bo") == {"set_start_year"}
    assert at.actions("Ada") == {"set_start_year", "remove_player", "configure", "finish_game"}
    assert at.joins("Dan").snapshot()["joinable"] is False


@EDITIONS
@pytest.mark.rule("VIEW-04", "CYC-01")
def test_a_cycle_as_everyone_sees_it(edition):
    at = table(edition, 4).plays_cycle().starts_cycle().plays_round().removes("Cia")
    assert at.snapshot()["cycle"] == {
        "number": 2, "state": "ACTIVE", "rotation": ["p1", "p2", "p4"], "completed": ["p1"],
    }  # fmt: skip


@pytest.mark.rule("VIEW-03", "VIEW-04")
def test_cards_as_everyone_sees_them():
    at = table("dj", 3).starts(1995).places_right("Ada", "Bo").names("Bo").locks().reveals()
    start = {"kind": "start", "year": 1990}
    won = {"year": 1995, "title": None, "artist": None, "star": False, "round": 1, "cycle": 1}
    ada, bo, _ = at.snapshot()["players"]
    assert (ada["timeline"], ada["side_cards"]) == ([start], [{"kind": "dj", **won}])
    assert (bo["timeline"], bo["side_cards"]) == ([start, {"kind": "timeline", **won}], [])
    song = draw(1).song
    named = {**won, "title": song.title, "artist": song.artist}
    ada, bo, _ = at.reveals().snapshot()["players"]
    assert (ada["timeline"], ada["side_cards"]) == ([start], [{"kind": "dj", **named}])
    starred = {"kind": "timeline", **named, "star": True}
    assert (bo["timeline"], bo["side_cards"]) == ([start, starred], [])


@EDITIONS
@pytest.mark.rule("VIEW-01")
def test_everyone_sees_who_is_a_bot_and_how_long_there_is_to_guess(edition):
    at = table(edition, 3, bots=["Bo"], options=c.OptionsChange(guess_seconds=30))
    assert [row["bot"] for row in at.snapshot()["players"]] == [False, True, False]
    assert at.snapshot()["round"]["deadline"] is None
    at.now = 1_000
    assert at.starts().snapshot()["round"]["deadline"] == 31_000


@EDITIONS
def test_alone_there_is_nobody_to_remove(edition):
    at = lobby(edition, 1)
    assert at.actions("Ada") == {"set_start_year", "configure", "finish_game"}
    assert at.view("Ada")["blocked"] == {"start_game": "TOO_FEW_PLAYERS"}


@pytest.mark.rule("VIEW-02", "VIEW-04")
def test_a_round_before_the_reveal():
    at = table("oracle", 4).plays_until("Bo").starts(1987).uses_joker("Cia").places("Cia", 0)
    at.titles("Ada").predicts("hard")
    shown = at.snapshot()["round"]
    assert shown == {
        "number": 2, "state": "GUESSING", "leader": "p2", "leader_name": "Bo",
        "leader_removed": False, "next_leader": "p3", "performance": 1, "deadline": None,
        "difficulty_scale": {"hard": [0, 0], "medium": [1, 1], "easy": [2, 3]},
        "submitted": {"p1": ["title"], "p3": ["placement"], "p4": []}, "predicted": True,
        "answer": None, "results": None, "difficulty": None, "guessers": None, "correct": None,
        "prediction": None, "prediction_correct": None, "aborted_because": None,
    }  # fmt: skip
    assert at.locks().snapshot()["round"] == {**shown, "state": "LOCKED"}


@pytest.mark.rule("VIEW-07")
def test_a_round_after_the_reveal():
    at = table("oracle", 3).starts(1987).uses_joker("Bo").places("Bo", 0).names("Bo", artist=False)
    at.predicts("hard").locks().reveals()
    song = draw(1, 1987).song
    shown = at.snapshot()["round"]
    assert shown["answer"] == {"year": 1987, "title": song.title, "artist": song.artist}
    assert (shown["difficulty"], shown["guessers"], shown["correct"]) == ("medium", 2, 1)
    assert (shown["prediction"], shown["prediction_correct"]) == ("hard", False)
    assert shown["submitted"] == {"p2": ["placement", "title", "artist"], "p3": []}
    row = shown["results"]["p2"]
    performance = at.round.performance
    assert performance is not None
    wrong = row["guess"]["artist"]["id"]
    assert row == {
        "guess": {
            "placement": 0,
            "title": {"id": performance.title, "text": song.title},
            "artist": {"id": wrong, "text": performance.artists[int(wrong[1:])]},
        },
        "placement": True, "title": True, "artist": False, "card": "song", "position": 0,
        "star": False, "joker_won": False, "jokers_used": ["placement"],
    }  # fmt: skip
    assert row["guess"]["artist"]["text"] != song.artist
    assert shown["results"]["p3"] == {
        "guess": {"placement": None, "title": None, "artist": None},
        "placement": False, "title": False, "artist": False, "card": None, "position": None,
        "star": False, "joker_won": False, "jokers_used": [],
    }  # fmt: skip
    assert set(shown["results"]) == {"p2", "p3"}
    assert [row["jokers"] for row in at.snapshot()["players"]] == [1, 0, 1]


@pytest.mark.rule("VIEW-03")
def test_between_the_two_reveals():
    at = table("dj", 3).starts(1995).uses_joker("Bo").places("Bo", 1).names("Bo").places("Ada", 1)
    at.locks().reveals()
    shown = at.snapshot()
    assert shown["round"]["answer"] == {"year": 1995}
    row = shown["round"]["results"]["p2"]
    assert (row["placement"], row["card"], row["position"]) == (True, "timeline", 1)
    assert row["guess"] == {"placement": 1, "title": None, "artist": None}
    hidden = ("title", "artist", "star", "joker_won", "jokers_used")
    assert [row[key] for key in hidden] == [None] * 5
    ada, bo, _ = shown["players"]
    assert bo["timeline"][1] == {
        "kind": "timeline", "year": 1995, "title": None, "artist": None, "star": False,
        "round": 1, "cycle": 1,
    }  # fmt: skip
    assert ada["side_cards"][0]["title"] is None
    assert bo["timeline"][0] == {"kind": "start", "year": 1990}
    assert shown["round"]["submitted"]["p2"] == ["placement", "title", "artist"]
    song = draw(1).song
    assert song.title not in json.dumps(shown)
    at.reveals()
    ada, bo, _ = at.snapshot()["players"]
    assert (bo["timeline"][1]["title"], bo["timeline"][1]["star"]) == (song.title, True)
    assert ada["side_cards"][0]["artist"] == song.artist
    older = at.next_round().starts(1999).locks().reveals().snapshot()["players"][1]["timeline"][1]
    assert older["title"] == song.title


@pytest.mark.rule("VIEW-04")
@EDITIONS
def test_the_previous_round_without_the_answer_if_it_was_aborted(edition):
    at = table(edition, 3).starts(1987).places("Bo", 0).aborts()
    last = at.snapshot()["last_round"]
    assert (last["number"], last["state"], last["aborted_because"]) == (1, "ABORTED", "HOST")
    assert (last["answer"], last["results"], last["submitted"]) == (None, None, {})
    assert (last["predicted"], last["difficulty_scale"]) == (False, None)
    assert draw(1).song.title not in json.dumps(at.snapshot())


@pytest.mark.rule("VIEW-04")
@EDITIONS
def test_the_previous_round_as_it_ended_until_the_new_one_starts(edition):
    at = table(edition, 3).plays_round(right=["Bo"])
    ended = at.snapshot()["round"]
    at.next_round()
    last = at.snapshot()["last_round"]
    assert last["answer"] == ended["answer"]
    assert last["results"] == ended["results"]
    assert at.starts().snapshot()["last_round"] is None


@pytest.mark.rule("VIEW-04", "RND-17")
@EDITIONS
def test_who_has_gone_is_in_no_round(edition):
    at = table(edition, 5).plays_round(right=["Bo", "Cia", "Dan"]).removes("Dan")
    shown = at.snapshot()["round"]
    rows = {"p2", "p3", "p5"} | ({"p1"} if edition == "dj" else set())
    assert set(shown["results"]) == set(shown["submitted"]) == rows
    at.next_round().removes("Cia")
    last = at.snapshot()["last_round"]
    assert set(last["results"]) == set(last["submitted"]) == rows - {"p3"}
    told = json.dumps(at.snapshot())
    assert '"p3"' not in told
    assert '"p4"' not in told


@EDITIONS
def test_who_leads_next(edition):
    at = table(edition, 4)
    leaders = []
    for _ in range(4):
        leaders.append(at.snapshot()["round"]["next_leader"])
        at.plays_round()
        assert at.snapshot()["round"]["next_leader"] == leaders[-1]
        if at.states[1] == "ACTIVE":
            at.next_round()
    assert leaders == ["p2", "p3", "p4", None]


@EDITIONS
def test_nobody_leads_next_when_the_game_is_over(edition):
    at = table(edition, 3).plays_round()
    assert at.snapshot()["round"]["next_leader"] == "p2"
    assert at.finishes().snapshot()["round"]["next_leader"] is None


@EDITIONS
@pytest.mark.rule("CYC-07")
def test_after_an_abort_the_same_leader_is_next(edition):
    at = table(edition, 3).plays_until("Bo").starts().aborts()
    assert at.snapshot()["last_round"]["leader"] == "p2"
    assert at.snapshot()["last_round"]["next_leader"] == "p2"


def test_a_leader_who_has_gone_is_still_named():
    at = table("dj", 4).plays_until("Bo").starts().removes("Bo")
    shown = at.snapshot()["round"]
    assert (shown["leader"], shown["leader_name"], shown["leader_removed"]) == ("p2", "Bo", True)
    assert shown["next_leader"] == "p3"


@EDITIONS
def test_standings_so_far(edition):
    at = table(edition, 4).plays_round(right=["Cia", "Dan"]).next_round()
    cards = {row["player"]: row["cards"] for row in at.snapshot()["standings"]}
    start = 1 if edition == "oracle" else 0
    assert cards == {"p3": start + 1, "p4": start + 1, "p1": start, "p2": start}
    first = [row["player"] for row in at.snapshot()["standings"]][:2]
    assert first == ["p3", "p4"]


def test_standings_break_ties_too():
    at = table("oracle", 3).plays_until("Bo").plays_round(predicts="hard")
    assert at.snapshot()["standings"][0] == {"player": "p2", "cards": 1, "tiebreak": 1}


def test_the_scale_stays_as_it_was_when_the_round_locked():
    at = table("oracle", 5).starts().predicts("easy").locks().removes("Eva")
    assert at.snapshot()["round"]["difficulty_scale"]["easy"] == [3, 4]
    at.unlocks()
    assert at.snapshot()["round"]["difficulty_scale"]["easy"] == [2, 3]
    assert table("dj", 3).starts().snapshot()["round"]["difficulty_scale"] is None
