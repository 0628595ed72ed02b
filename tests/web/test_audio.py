"""Sound goes to whoever plays it, in ranges, and says nothing of the song."""

import pytest
from tests.fakes import SOUND
from tests.live import Live

from varv.web.audio import ranged


@pytest.mark.rule("VIEW-06")
async def test_only_who_plays_has_an_address_and_it_dies_with_the_performance(live: Live) -> None:
    people = await live.started("dj", 3)
    dj, bo, _ = people
    await dj.do("start_round")
    await bo.sees(lambda s: s["round"]["state"] == "GUESSING")
    assert bo.viewer["audio"] is None
    url = dj.viewer["audio"]["url"]
    answer = await live.get(url)
    assert answer.status_code == 200
    assert answer.content == SOUND
    assert answer.headers["content-type"] == "audio/mpeg"
    assert answer.headers["cache-control"] == "no-store"
    assert not {"etag", "last-modified"} & set(answer.headers)
    part = await live.get(url, Range="bytes=10-19")
    assert (part.status_code, part.content) == (206, SOUND[10:20])
    assert part.headers["content-range"] == f"bytes 10-19/{len(SOUND)}"
    song = live.music.drawn[-1]
    for secret in (song.title, song.artist, song.id, str(song.year), "clip"):
        assert secret not in str(answer.headers)
        assert secret not in url
    await dj.do("lock_round")
    assert dj.viewer["audio"] is None
    assert (await live.get(url)).status_code == 200, "what is playing may go on"
    await dj.do("unlock_round")
    await dj.do("change_song")
    dead = await live.get(url)
    assert (dead.status_code, dead.json()["reason"]) == (404, "AUDIO_UNKNOWN")
    assert dj.viewer["audio"]["url"] != url


@pytest.mark.rule("VIEW-06")
async def test_everyone_hears_with_an_address_of_their_own(live: Live) -> None:
    host = await live.create("oracle", options={"audio": "everyone"})
    people = [host] + [await live.join(host.code, name) for name in ("Bo", "Cleo")]
    for person in people:
        await person.connect()
        await person.do("set_start_year", year=1990)
    await host.do("start_game")
    await host.do("start_round")
    for person in people:
        await person.sees(lambda s: s["round"]["state"] == "GUESSING")
    urls = {person.viewer["audio"]["url"] for person in people}
    assert len(urls) == 3
    await host.do("remove_player", player="p3")
    gone = next(url for url in urls if ".p3." in url)
    assert (await live.get(gone)).status_code == 404


@pytest.mark.parametrize(
    "ticket",
    ["x", "a.b.c.d.e", "AAAA.1.1.p1.xxxx", "....", "AAAA.-1.1.p1.x", "%ff", "AAAA.1.٣.p1.x"],
)
async def test_made_up_tickets_are_unknown(live: Live, ticket: str) -> None:
    assert (await live.get(f"/api/v1/audio/{ticket}")).status_code == 404


@pytest.mark.parametrize(
    ("wanted", "status", "content"),
    [
        (None, 200, b"0123456789"),
        ("bytes=0-", 206, b"0123456789"),
        ("bytes=3-5", 206, b"345"),
        ("bytes=8-99", 206, b"89"),
        ("bytes=-3", 206, b"789"),
        ("bytes=-99", 206, b"0123456789"),
        ("bytes=10-", 416, b""),
        ("bytes=-0", 416, b""),
        ("bytes=5-3", 200, b"0123456789"),
        ("bytes=-", 200, b"0123456789"),
        ("bytes=0-1,4-5", 200, b"0123456789"),
        ("lines=1-2", 200, b"0123456789"),
        ("", 200, b"0123456789"),
    ],
)
def test_ranges(wanted: str | None, status: int, content: bytes) -> None:
    response = ranged(b"0123456789", "audio/mpeg", wanted)
    assert (response.status_code, response.body) == (status, content)
