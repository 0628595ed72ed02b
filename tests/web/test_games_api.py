"""Creating and joining games, and what can be asked about them over HTTP."""

import asyncio
from typing import Any

import pytest
from tests.live import Live, play_cycle, short

NEW = {"edition": "dj", "mix": "party", "name": "Maja"}


async def test_creating_gives_a_code_a_seat_and_an_owner(live: Live) -> None:
    answer = await live.post("/api/v1/games", NEW)
    assert answer.status_code == 201
    made = answer.json()
    assert set(made) == {"code", "player", "token", "owner_token"}
    assert 4 <= len(made["code"]) <= 6
    assert not set(made["code"]) & set("0O1IL")
    assert len(made["token"]) >= 22
    cookie = answer.headers["set-cookie"]
    assert "varv_owner=" in cookie and "HttpOnly" in cookie and "samesite=lax" in cookie.lower()
    assert "Secure" not in cookie
    card = await live.get(f"/api/v1/games/{made['code']}")
    assert card.json() == {
        "code": made["code"], "edition": "dj", "state": "LOBBY", "players": 1, "max_players": 10,
        "joinable": True,
    }  # fmt: skip


async def test_options_are_taken_over(live: Live) -> None:
    host = await live.create(options={"audio": "everyone", "guess_seconds": 60}, language="sv")
    state = await host.fetch()
    assert state["snapshot"]["options"] == {"audio": "everyone", "guess_seconds": 60}
    plain = await live.create(options=None, language=None)
    state = await plain.fetch()
    assert state["snapshot"]["options"] == {"audio": "default", "guess_seconds": None}


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "MALFORMED"),
        (b"{", 400, "MALFORMED"),
        (b"[]", 400, "MALFORMED"),
        (b"\xff", 400, "MALFORMED"),
        ({}, 400, "MALFORMED"),
        (NEW | {"name": 5}, 400, "MALFORMED"),
        (NEW | {"name": None}, 400, "MALFORMED"),
        (NEW | {"colour": "red"}, 400, "MALFORMED"),
        (NEW | {"options": {"audio": 1}}, 400, "MALFORMED"),
        (NEW | {"options": {"volume": 1}}, 400, "MALFORMED"),
        (NEW | {"options": []}, 400, "MALFORMED"),
        (NEW | {"edition": "chess"}, 422, "UNKNOWN_EDITION"),
        (NEW | {"mix": "none"}, 422, "UNKNOWN_MIX"),
        (NEW | {"mix": "empty"}, 409, "MIX_NOT_PLAYABLE"),
        (NEW | {"name": ""}, 422, "NAME_INVALID"),
        (NEW | {"name": "   "}, 422, "NAME_INVALID"),
        (NEW | {"name": "x" * 25}, 422, "NAME_INVALID"),
        (NEW | {"name": "x" * 10_000}, 422, "NAME_INVALID"),
        (NEW | {"name": "a\u202eb"}, 422, "NAME_INVALID"),
        (NEW | {"name": "a\nb"}, 422, "NAME_INVALID"),
        (NEW | {"name": "\x00"}, 422, "NAME_INVALID"),
        (NEW | {"language": "klingon"}, 422, "OUT_OF_RANGE"),
        (NEW | {"options": {"audio": "loud"}}, 422, "OPTIONS_INVALID"),
        (NEW | {"options": {"guess_seconds": -1}}, 422, "OPTIONS_INVALID"),
        (NEW | {"options": {"guess_seconds": 10**30}}, 422, "OPTIONS_INVALID"),
        (b"[" * 10_000, 400, "MALFORMED"),
        (b" " * 17_000, 413, "TOO_LARGE"),
    ],
    ids=short,
)
async def test_a_bad_game_is_refused(live: Live, body: Any, status: int, reason: str) -> None:
    answer = await live.post("/api/v1/games", body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["reason"] == reason
    assert problem["status"] == status
    assert set(problem) >= {"type", "title", "status", "code", "reason", "facts", "detail"}
    assert await live.services.store.games(finished=True) == ()


@pytest.mark.rule("GAME-23")
async def test_a_host_has_one_unfinished_game(live: Live) -> None:
    host = await live.create()
    again = await live.post("/api/v1/games", NEW, X_Varv_Owner=host.owner_token)
    assert again.status_code == 409
    assert again.json()["reason"] == "GAME_UNFINISHED"
    assert again.json()["game"] == host.code
    by_cookie = await live.post("/api/v1/games", NEW, Cookie=f"varv_owner={host.owner_token}")
    assert by_cookie.status_code == 409
    card = (await live.get("/api/v1/owner", X_Varv_Owner=host.owner_token)).json()
    assert card["game"] == host.code and card["premium"] and card["owner"].startswith("o-")
    await host.connect()
    await host.do("finish_game")
    after = await live.post("/api/v1/games", NEW, X_Varv_Owner=host.owner_token)
    assert after.status_code == 201
    assert after.json()["owner_token"] == host.owner_token
    nobody = (await live.get("/api/v1/owner")).json()
    assert nobody == {"owner": None, "premium": True, "game": None}


async def test_creating_again_with_the_same_key_is_the_same_game(live: Live) -> None:
    first = await live.post("/api/v1/games", NEW, Idempotency_Key="k-1")
    again = await live.post("/api/v1/games", NEW, Idempotency_Key="k-1")
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    other = await live.post("/api/v1/games", NEW | {"name": "Bo"}, Idempotency_Key="k-1")
    assert (other.status_code, other.json()["reason"]) == (409, "ID_REUSED")
    made = first.json()
    state = await live.get(f"/api/v1/games/{made['code']}/state", made["token"])
    assert state.status_code == 200
    assert len(await live.services.store.games(finished=True)) == 1


async def test_calls_with_one_key_at_the_same_time_make_one_seat(live: Live) -> None:
    host = await live.create()
    path = f"/api/v1/games/{host.code}/players"
    calls = (live.post(path, {"name": "Bo"}, Idempotency_Key="same") for _ in range(6))
    answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert (await live.get(f"/api/v1/games/{host.code}")).json()["players"] == 2
    other = await live.post(path, {"name": "Eva"}, Idempotency_Key="same")
    assert other.json()["reason"] == "ID_REUSED"
    bad = await live.post(path, {"name": "Eva"}, Idempotency_Key="x" * 300)
    assert bad.status_code == 422


async def test_two_of_the_same_name_are_told_apart(live: Live) -> None:
    host = await live.create(name="Anna")
    await live.join(host.code, "Anna")
    await live.join(host.code, "anna")
    state = await host.fetch()
    assert [p["name"] for p in state["snapshot"]["players"]] == ["Anna", "Anna 2", "anna 3"]


@pytest.mark.rule("GAME-18")
async def test_a_full_table_takes_no_more(live: Live) -> None:
    host = await live.create()
    for n in range(9):
        await live.join(host.code, f"P{n}")
    answer = await live.post(f"/api/v1/games/{host.code}/players", {"name": "Eva"})
    assert (answer.status_code, answer.json()["reason"]) == (409, "TOO_MANY_PLAYERS")
    card = (await live.get(f"/api/v1/games/{host.code}")).json()
    assert (card["players"], card["joinable"]) == (10, False)


async def test_nobody_joins_a_started_game(live: Live) -> None:
    people = await live.started("dj")
    answer = await live.post(f"/api/v1/games/{people[0].code}/players", {"name": "Eva"})
    assert (answer.status_code, answer.json()["reason"]) == (409, "JOINING_CLOSED")


@pytest.mark.parametrize("code", ["ZZZZ", "zz", "0000", "ABCDEFGH", "%00", "a b", "..", "Å"])
async def test_unknown_codes_are_not_found(live: Live, code: str) -> None:
    for path in (f"/api/v1/games/{code}", f"/api/v1/games/{code}/qr.svg"):
        answer = await live.get(path)
        assert answer.status_code == 404, path
        assert answer.json()["code"] == "not_found"
    answer = await live.post(f"/api/v1/games/{code}/players", {"name": "Bo"})
    assert answer.status_code in (404, 405)


@pytest.mark.parametrize("call", ["state", "history"])
async def test_a_token_is_needed_and_must_be_right(live: Live, call: str) -> None:
    host, other = await live.create(), await live.create()
    path = f"/api/v1/games/{host.code}/{call}"
    for token, reason in (
        (None, "TOKEN_MISSING"),
        ("x", "TOKEN_UNKNOWN"),
        (other.token, "TOKEN_UNKNOWN"),
    ):
        answer = await live.get(path, token)
        assert (answer.status_code, answer.json()["reason"]) == (401, reason)
        assert answer.headers["www-authenticate"] == "Bearer"
    assert (await live.get(path, Authorization="Basic abc")).status_code == 401


async def test_history_is_for_players_and_comes_at_the_end(live: Live) -> None:
    people = await live.started("dj", 3)
    path = f"/api/v1/games/{people[0].code}/history"
    early = await live.get(path, people[1].token)
    assert (early.status_code, early.json()["reason"]) == (409, "GAME_NOT_FINISHED")
    await people[0].do("finish_game")
    assert (await live.get(path, people[1].token)).status_code == 200
    assert (await live.get(path)).status_code == 401


async def test_flags_come_after_the_reveal(live: Live) -> None:
    people = await live.started("oracle", 3)
    path = f"/api/v1/games/{people[0].code}/flags"
    early = await live.post(path, {"round": 1}, people[1].token)
    assert (early.status_code, early.json()["reason"]) == (409, "ROUND_NOT_REVEALED")
    await play_cycle(people)
    made = await live.post(path, {"round": 2, "note": "1971, surely"}, people[1].token)
    assert made.status_code == 201
    assert live.music.flags == [
        (live.music.drawn[1].id, "1971, surely", people[0].code, 2),
    ]
    assert (await live.post(path, {"round": 99}, people[1].token)).status_code == 409
    assert (
        await live.post(path, {"round": 1, "note": "x" * 501}, people[1].token)
    ).status_code == 422
    assert (await live.post(path, {"round": "1"}, people[1].token)).status_code == 400


async def test_mixes_are_listed(live: Live) -> None:
    mixes = (await live.get("/api/v1/mixes")).json()["mixes"]
    assert mixes[0] == {
        "id": "party", "name": "Party", "songs": 300, "years": [1950, 2019], "playable": True,
        "allowed": True,
    }  # fmt: skip


async def test_the_host_is_told_of_a_song_that_was_passed_over(live: Live) -> None:
    people = await live.started("oracle", 3)
    live.music.broken = {song.id for song in live.music.songs}
    await people[0].do("start_round")
    await people[0].message(type="notice", kind="SONG_PASSED_OVER")
    assert not [m for m in people[1].inbox if m["type"] == "notice"]


async def test_a_song_without_sound_does_not_break_the_round(live: Live) -> None:
    people = await live.started("oracle", 3)
    live.music.broken = {"silent"}
    answer = await people[0].say("start_round")
    assert (answer["code"], answer["reason"]) == ("conflict", "SOUND_UNAVAILABLE")
    live.music.broken = set()
    await people[0].do("start_round")
