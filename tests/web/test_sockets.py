"""The WebSocket: hello, states, acknowledgements, closing, and everything that can be wrong."""

import json
import time
from pathlib import Path

import pytest
import websockets
from msgspec import structs
from tests.live import SETTINGS, Live, Player, serving, short
from tests.patience import PATIENCE

from varv.stores.memory import MemoryStore
from varv.web import sockets


async def test_hello_gets_the_whole_state_at_once(live: Live) -> None:
    host = await live.create()
    await host.connect()
    assert host.inbox[0]["type"] == "state"
    assert host.snapshot["code"] == host.code
    assert host.viewer["player"] == "p1"
    assert host.viewer["is_host"]
    assert abs(host.state["now"] / 1000 - time.time()) < PATIENCE
    await host.until(lambda: host.presence == ["p1"])


async def test_ping_gets_pong(live: Live) -> None:
    host = await (await live.create()).connect()
    await host.send({"type": "ping"})
    await host.message(type="pong")


async def test_a_change_reaches_everyone_and_presence_tells_who_is_there(live: Live) -> None:
    people = await live.table(players=3)
    await people[1].do("set_start_year", year=2001)
    for person in people:
        await person.sees(lambda s: s["players"][1]["start_year"] == 2001)
        await person.until(lambda p=person: p.presence == ["p1", "p2", "p3"])  # type: ignore[misc]
    await people[2].disconnect()
    await people[0].until(lambda: people[0].presence == ["p1", "p2"])


@pytest.mark.rule("VIEW-08")
async def test_one_player_on_two_devices(live: Live) -> None:
    host = await (await live.create()).connect()
    guest = await (await live.join(host.code, "Bo")).connect()
    other = Player(live, host.code, host.player, host.token)
    await other.connect()
    await other.do("set_start_year", year=1999)
    await host.sees(lambda s: s["players"][0]["start_year"] == 1999)
    await other.disconnect()
    await host.do("set_start_year", year=1998)
    assert host.presence == ["p1", "p2"]
    # Who is there has not changed, so nobody was told.
    await guest.sees(lambda s: s["players"][0]["start_year"] == 1998)
    assert [m["connected"] for m in guest.inbox if m["type"] == "presence"] == [["p1", "p2"]]


@pytest.mark.rule("VIEW-08")
async def test_nothing_is_sent_to_a_viewer_whose_view_has_not_changed(live: Live) -> None:
    people = await live.started("oracle", 4)
    oracle, bo, cleo, _ = people
    await oracle.do("start_round")
    await bo.sees(lambda s: s["round"]["state"] == "GUESSING")
    await bo.do("guess", part="placement", choice=0)
    await cleo.sees(lambda s: s["round"]["submitted"]["p2"] == ["placement"])
    before = [m for m in cleo.inbox if m["type"] == "state"]
    version = cleo.state["version"]
    await bo.do("guess", part="placement", choice=1)
    await bo.do("use_joker", part="placement")
    assert bo.viewer["decade"] is not None
    # Whatever was sent to Cleo in the meantime is there before the answer to this.
    await cleo.send({"type": "ping"})
    await cleo.message(type="pong")
    assert [m for m in cleo.inbox if m["type"] == "state"] == before
    assert cleo.state["version"] == version


async def test_a_refusal_says_why_and_changes_nothing(live: Live) -> None:
    people = await live.table(players=3)
    before = people[1].state
    answer = await people[1].say("start_game")
    assert answer["type"] == "refused"
    assert (answer["code"], answer["reason"]) == ("forbidden", "HOST_ONLY")
    assert answer["detail"]
    late = await people[0].say("lock_round", round=7, performance=None)
    assert (late["code"], late["reason"]) == ("conflict", "STALE")
    assert people[1].state == before


def order(command: str, command_id: str = "x") -> str:
    return f'{{"type":"command","id":"{command_id}","command":{{{command}}}}}'


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", "malformed"),
        ("{", "malformed"),
        ("[]", "malformed"),
        ("null", "malformed"),
        ("nonsense", "malformed"),
        (b"\x00\x01", "malformed"),
        ('{"type":"nothing"}', "malformed"),
        ('{"type":"command"}', "malformed"),
        ('{"type":"command","id":"x"}', "malformed"),
        ('{"type":"command","id":1,"command":{"type":"start_game"}}', "malformed"),
        (order('"type":"fly"'), "malformed"),
        (order('"type":"start_game","now":1'), "malformed"),
        ('{"type":"command","id":"x","command":{"type":"start_game"},"more":1}', "malformed"),
        (order('"type":"set_start_year"'), "malformed"),
        (order('"type":"set_start_year","year":"1990"'), "malformed"),
        (order('"type":"set_start_year","year":null'), "malformed"),
        (order('"type":"set_start_year","year":1.5'), "malformed"),
        (order('"type":"set_start_year","year":true'), "malformed"),
        (order('"type":"set_start_year","year":-1'), "invalid"),
        (order(f'"type":"set_start_year","year":{10**40}'), "invalid"),
        (order('"type":"start_game"', ""), "invalid"),
        (order('"type":"start_game"', "x" * 65), "invalid"),
        (order('"type":"remove_player","player":"\\ud800"'), "malformed"),
        ("[" * 5000, "malformed"),
        ('{"type":"ping","x":' + "[" * 3000 + "]" * 3000 + "}", "malformed"),
    ],
    ids=short,
)
async def test_bad_messages_are_refused_and_the_socket_goes_on(
    live: Live, message: str | bytes, code: str
) -> None:
    host = await (await live.create()).connect()
    before = host.state
    await host.send(message)
    refused = await host.message(type="refused")
    assert refused["code"] == code
    assert refused["reason"]
    await host.send({"type": "ping"})
    await host.message(type="pong")
    assert host.state == before


async def test_an_oversize_message_ends_the_socket(live: Live) -> None:
    host = await (await live.create()).connect()
    await host.send("x" * 20_000)
    await host.until(lambda: host.closed is not None)
    assert host.closed == 1009


async def test_invalid_utf8_ends_the_socket(live: Live) -> None:
    host = await (await live.create()).connect()
    assert host.socket is not None
    await host.socket.send(b"\xff\xfe", text=True)
    await host.until(lambda: host.closed is not None)
    assert host.closed == 1007


@pytest.mark.parametrize(
    ("hello", "reason", "closed"),
    [
        ({"type": "hello", "token": "wrong", "version": 0}, "TOKEN_UNKNOWN", 4401),
        ({"type": "hello", "token": "", "version": 0}, "TOKEN_MISSING", 4401),
        ({"type": "hello"}, "MALFORMED", 1008),
        ({"type": "hello", "token": 5}, "MALFORMED", 1008),
        ({"type": "hello", "token": "x", "screen": True}, "MALFORMED", 1008),
        ({"type": "hello", "screen": True, "ticket": "wrong"}, "TOKEN_UNKNOWN", 4401),
        ({"type": "ping"}, "MALFORMED", 1008),
        ("nonsense", "MALFORMED", 1008),
        (b"\x00", "MALFORMED", 1008),
    ],
)
async def test_a_bad_hello_is_told_why_and_closed(
    live: Live, hello: object, reason: str, closed: int
) -> None:
    host = await live.create()
    async with websockets.connect(host.address) as socket:
        await socket.send(hello if isinstance(hello, str | bytes) else json.dumps(hello))
        refused = json.loads(await socket.recv())
        assert (refused["type"], refused["reason"]) == ("refused", reason)
        with pytest.raises(websockets.ConnectionClosed):
            await socket.recv()
        assert socket.close_code == closed


async def test_an_unknown_game_and_a_token_of_another(live: Live) -> None:
    host, other = await live.create(), await live.create(name="Bo")
    stranger = Player(live, other.code, "p1", host.token)
    await stranger.connect()
    assert stranger.closed == 4401
    lost = Player(live, "ZZZZ", "p1", host.token)
    await lost.connect()
    assert lost.closed == 4404
    assert lost.inbox[0]["reason"] == "GAME_UNKNOWN"


async def test_a_code_may_be_typed_in_small_letters(live: Live) -> None:
    host = await live.create()
    host.code = host.code.lower()
    await host.connect()
    assert host.snapshot["code"] == host.code.upper()


@pytest.mark.rule("GAME-16")
async def test_a_removed_player_is_told_and_closed(live: Live) -> None:
    people = await live.table(players=3)
    await people[0].do("remove_player", player="p3")
    await people[2].until(lambda: people[2].closed is not None)
    assert people[2].inbox[-1] == {"type": "bye", "reason": "REMOVED"}
    assert people[2].closed == 4403
    await people[2].connect()
    assert people[2].inbox == [{"type": "bye", "reason": "REMOVED"}]
    assert people[2].closed == 4403
    answer = await live.get(f"/api/v1/games/{people[2].code}/state", people[2].token)
    assert answer.status_code == 403
    assert answer.json()["reason"] == "REMOVED"


async def test_a_socket_that_says_nothing_is_closed(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SILENCE", 0.05)
    host = await live.create()
    async with websockets.connect(host.address) as socket:
        with pytest.raises(websockets.ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 1008


async def test_an_address_without_a_game_is_refused(live: Live) -> None:
    with pytest.raises(websockets.InvalidStatus):
        await websockets.connect(live.url.replace("http", "ws") + "/api/v1/elsewhere")


async def test_a_flood_is_refused_and_then_closed(tmp_path: Path) -> None:
    settings = structs.replace(SETTINGS, limits="default")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        host = await (await live.create()).connect()
        for _ in range(500):
            if host.closed is not None:
                break
            await host.send({"type": "ping"})
        await host.until(lambda: host.closed is not None)
        assert any(m.get("reason") == "TOO_OFTEN" for m in host.inbox)
        assert host.closed == 1008


async def test_the_same_command_again_gets_the_same_answer(live: Live) -> None:
    people = await live.table(players=3)
    first = await people[0].say("set_start_year", "c-x", year=2000)
    await people[0].do("set_start_year", year=2005)
    again = await people[0].say("set_start_year", "c-x", year=2000)
    assert again == first
    await people[0].sees(lambda s: s["players"][0]["start_year"] == 2005)
    other = await people[0].say("set_start_year", "c-x", year=2001)
    assert (other["code"], other["reason"]) == ("conflict", "ID_REUSED")
    mine = await people[1].say("set_start_year", "c-x", year=2001)
    assert mine["type"] == "ack"


async def test_a_command_that_can_no_longer_be_given_is_still_acknowledged_again(
    live: Live,
) -> None:
    people = await live.table(players=3)
    first = await people[0].say("start_game", "go")
    again = await people[0].say("start_game", "go")
    assert first == again
    refused = await people[0].say("start_game", "go once more")
    assert refused["reason"] == "GAME_NOT_IN_LOBBY"
    path = f"/api/v1/games/{people[0].code}/commands"
    body = {"id": "go", "command": {"type": "start_game"}}
    answer = await live.post(path, body, people[0].token)
    assert answer.json() == {"version": first["version"]}


async def test_a_screen_sees_the_table_and_no_more(live: Live) -> None:
    people = await live.started("oracle", 3)
    screen = Player(live, people[0].code, "", "")
    await screen.connect(type="hello", screen=True)
    assert screen.state["viewer"] is None
    assert "audio" not in screen.state
    await screen.send({"type": "command", "id": "x", "command": {"type": "finish_game"}})
    assert (await screen.message(type="refused"))["code"] == "unauthorized"
    await people[0].do("start_round")
    await screen.sees(lambda s: s["round"]["state"] == "GUESSING")
    secret = live.music.drawn[-1]
    said = json.dumps(screen.inbox)
    assert secret.title not in said and secret.artist not in said


@pytest.mark.rule("PRF-07")
async def test_play_and_stop_are_told_to_everyone_and_change_nothing(live: Live) -> None:
    people = await live.started("dj", 3)
    dj, bo, cleo = people
    await dj.do("start_round")
    await bo.sees(lambda s: s["round"]["state"] == "GUESSING")
    version = bo.state["version"]
    await dj.do("play")
    await bo.message(type="playing", playing=True)
    refused = await bo.say("play")
    assert refused["code"] == "forbidden"
    await cleo.disconnect()
    await cleo.connect()
    await cleo.message(type="playing", playing=True)
    await dj.do("stop")
    await bo.message(type="playing", playing=False)
    assert bo.state["version"] == version


@pytest.mark.rule("RND-15")
async def test_everyone_is_told_that_the_host_aborted(live: Live) -> None:
    people = await live.started("dj", 3)
    await people[0].do("start_round")
    await people[0].do("abort_round")
    for person in people:
        await person.message(type="notice", kind="ABORTED_BY_HOST")


async def test_a_server_that_shuts_down_says_so(tmp_path: Path) -> None:
    store = MemoryStore()
    async with serving(store, tmp_path) as live:
        people = await live.table(players=3)
        screen = Player(live, people[0].code, "", "")
        await screen.connect(type="hello", screen=True)
    for person in (*people, screen):
        await person.until(lambda p=person: p.closed is not None)  # type: ignore[misc]
        assert person.inbox[-1] == {"type": "bye", "reason": "RESTARTING"}
        assert person.closed == 1012


async def test_hello_again_sends_the_state_again(live: Live) -> None:
    host = await (await live.create()).connect()
    host.inbox.clear()
    await host.send({"type": "hello", "token": host.token, "version": host.state["version"]})
    await host.message(type="state")
