"""The Viewer: what one player is shown (that nobody else is: see test_secrets)."""

import pytest
from tests.table import Table, draw, lobby, table

from varv.rules import commands as c
from varv.rules.views import viewer

EDITIONS = pytest.mark.parametrize("edition", ["dj", "oracle"])


@pytest.mark.rule("VIEW-01", "PRF-08")
def test_what_the_oracle_is_shown():
    at = table("oracle", 3)
    assert at.view("Ada")["answer"] is None
    at.starts(1987).predicts("easy")
    song = draw(1).song
    shown = at.view("Ada")
    assert shown["is_leader"] is True
    assert shown["is_host"] is True
    assert shown["answer"] == {"year": 1987, "title": song.title, "artist": song.artist}
    assert shown["prediction"] == "easy"
    assert (shown["open_parts"], shown["joker_parts"]) == ([], [])
    assert len(shown["options"]["title"]) == 10
    assert shown["guess"] == {"placement": None, "title": None, "artist": None}
    bo = at.view("Bo")
    assert (bo["player"], bo["is_leader"], bo["is_host"]) == ("p2", False, False)
    assert (bo["answer"], bo["prediction"]) == (None, None)
    assert table("dj", 3).starts().view("Ada")["answer"] is None


@pytest.mark.rule("CAN-02", "CAN-01")
def test_options_are_the_same_for_all_in_the_same_order():
    at = table("oracle", 4).starts()
    shown = at.view("Bo")["options"]
    performance = at.round.performance
    assert performance is not None
    assert [row["id"] for row in shown["title"]] == [f"t{index}" for index in range(10)]
    assert [row["id"] for row in shown["artist"]] == [f"a{index}" for index in range(10)]
    assert [row["text"] for row in shown["title"]] == list(performance.titles)
    assert [row["text"] for row in shown["artist"]] == list(performance.artists)
    at.uses_joker("Bo").places("Cia", 0)
    assert all(at.view(name)["options"] == shown for name in ("Ada", "Bo", "Cia", "Dan"))


@pytest.mark.rule("CAN-02", "CAN-03", "JOK-08", "GUE-06")
def test_a_joker_leaves_three_in_the_same_order_to_its_user_alone():
    at = table("dj", 3).starts().places("Bo", 1).places("Cia", 1)
    ten = at.view("Cia")["options"]["title"]
    at.uses_joker("Bo", "title")
    performance = at.round.performance
    assert performance is not None
    three = at.view("Bo")["options"]["title"]
    assert three == [ten[index] for index in performance.few_titles]
    assert performance.title in [row["id"] for row in three]
    assert at.view("Cia")["options"] == {"title": ten, "artist": None}
    shown = at.view("Bo")
    assert (shown["jokers_registered"], shown["joker_parts"]) == (["title"], [])
    assert shown["blocked"] == {"use_joker": "JOKER_ALREADY_USED"}


@pytest.mark.rule("JOK-07")
@EDITIONS
def test_a_joker_shows_the_decade_to_its_user_alone(edition):
    at = table(edition, 3).starts(1987)
    assert at.view("Bo")["decade"] is None
    assert at.view("Bo")["joker_parts"] == ["placement"]
    at.uses_joker("Bo")
    shown = at.view("Bo")
    assert shown["decade"] == {"from": 1980, "to": 1989}
    assert shown["jokers_registered"] == ["placement"]
    assert shown["joker_parts"] == []
    assert at.view("Cia")["decade"] is None
    at.ends_round()
    assert at.view("Bo")["jokers_registered"] == []


def test_why_there_is_no_joker():
    at = table("oracle", 3).starts()
    assert "use_joker" in at.actions("Bo")
    at.uses_joker("Bo")
    assert at.view("Bo")["blocked"] == {"use_joker": "JOKER_ALREADY_USED"}
    at.ends_round().plays_until("Cia").starts()
    assert at.view("Bo")["blocked"] == {"use_joker": "NO_JOKER_LEFT"}
    at = table("dj", 3).starts().places("Bo", 1).names("Bo")
    assert at.view("Bo")["blocked"] == {"use_joker": "PART_OUT_OF_ORDER"}
    spent = table("dj", 3).starts().uses_joker("Bo").places("Bo", 0)
    assert spent.view("Bo")["blocked"] == {"use_joker": "NO_JOKER_LEFT"}


@pytest.mark.rule("GUE-01")
@EDITIONS
def test_ones_own_guess(edition):
    at = table(edition, 3).starts().places("Bo", 1).titles("Bo")
    performance = at.round.performance
    assert performance is not None
    assert at.view("Bo")["guess"] == {"placement": 1, "title": performance.title, "artist": None}
    assert at.view("Cia")["guess"] == {"placement": None, "title": None, "artist": None}


@pytest.mark.rule("CYC-14")
def test_a_late_joiner_is_shown_no_options_of_a_round_they_are_not_in():
    at = table("oracle", 3).plays_cycle().joins("Dan")
    shown = at.view("Dan")
    assert shown["options"] == {"title": None, "artist": None}
    assert (shown["open_parts"], shown["blocked"]) == ([], {})
    assert shown["actions"] == ["set_start_year"]
    assert at.view("Ada")["blocked"] == {"start_cycle": "START_YEAR_MISSING"}


# Sound


def _url(_, player: str) -> str:
    return f"/audio/{player}"


def heard(at: Table) -> dict[str, str | None]:
    """Who plays the song, and where from."""
    views = {name: viewer(at.game, at.ids[name], _url) for name in ("Ada", "Bo", "Cia")}
    return {
        name: view.audio.url if view.audio else None
        for name, view in views.items()
        if view.plays_audio or view.audio
    }


@pytest.mark.rule("VIEW-06", "PRF-07")
@pytest.mark.parametrize(("edition", "plays"), [("dj", "Bo"), ("oracle", "Ada")])
def test_who_plays_and_when(edition, plays):
    at = table(edition, 3).plays_until("Bo")
    sound = {plays: f"/audio/{at.ids[plays]}"}
    assert heard(at) == {}
    at.starts()
    assert heard(at) == sound
    if edition == "oracle":
        at.predicts("easy")
    at.locks()
    assert heard(at) == {}
    if edition == "dj":
        at.reveals()
        assert heard(at) == {}
    at.reveals()
    assert heard(at) == sound
    at.finishes()
    assert heard(at) == {}
    assert heard(lobby(edition, 3)) == {}


@pytest.mark.rule("VIEW-06")
@EDITIONS
def test_sound_on_every_device_or_on_a_screen(edition):
    at = table(edition, 3, options=c.OptionsChange(audio="everyone")).plays_until("Bo").starts()
    assert heard(at) == {"Ada": "/audio/p1", "Bo": "/audio/p2", "Cia": "/audio/p3"}
    at = table(edition, 3, options=c.OptionsChange(audio="screen")).plays_until("Bo").starts()
    assert heard(at) == {("Bo" if edition == "dj" else "Ada"): None}


@pytest.mark.rule("VIEW-06", "RND-18")
def test_the_host_plays_for_a_bot_and_for_a_dj_who_has_gone():
    at = table("dj", 4, bots=["Bo"]).plays_until("Bo").starts()
    assert heard(at) == {"Ada": "/audio/p1"}
    at = table("dj", 4).plays_until("Dan").starts().removes("Dan")
    assert heard(at) == {"Ada": "/audio/p1"}


def test_without_an_address_there_is_no_sound():
    assert viewer(table("dj", 3).starts().game, "p1").audio is None
