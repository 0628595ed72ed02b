"""Creating, joining, coming back, bots, again: the HTTP calls about seats."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.live import SETTINGS, Live, Player, play_cycle, play_round, serving, short

from varv.stores.memory import MemoryStore

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


@pytest.mark.rule("GAME-21")
async def test_a_rejoin_link_is_used_once_and_everyone_is_told(live: Live) -> None:
    people = await live.table(players=3)
    host, bo, cleo = people
    path = f"/api/v1/games/{host.code}/players/p2/rejoin-link"
    refused = await live.post(path, token=cleo.token)
    assert (refused.status_code, refused.json()["reason"]) == (403, "NOT_YOURS")
    assert (await live.post(path)).status_code == 401
    made = await live.post(path, token=host.token)
    link = made.json()
    assert set(link) == {"link", "expires"}
    page, _, ticket = link["link"].partition("#")
    assert page.endswith(f"/g/{host.code}") and ticket
    used = await live.post(f"/api/v1/games/{host.code}/rejoin", {"ticket": ticket})
    assert used.status_code == 200
    assert used.json()["player"] == "p2"
    for person in (host, cleo):
        await person.message(type="notice", kind="REJOINED", player="p2")
    await bo.until(lambda: bo.closed is not None)
    assert bo.closed == 4401
    assert (await live.get(f"/api/v1/games/{host.code}/state", bo.token)).status_code == 401
    bo.token = used.json()["token"]
    await bo.connect()
    assert bo.viewer["player"] == "p2"
    again = await live.post(f"/api/v1/games/{host.code}/rejoin", {"ticket": ticket})
    assert (again.status_code, again.json()["reason"]) == (404, "TICKET_UNKNOWN")
    own = await live.post(path, token=bo.token)
    assert own.status_code == 200


async def test_a_lost_answer_to_a_rejoin_can_be_had_again(live: Live) -> None:
    host = await live.create()
    path = f"/api/v1/games/{host.code}/players/p1/rejoin-link"
    link = (await live.post(path, token=host.token)).json()["link"]
    body = {"ticket": link.partition("#")[2]}
    rejoin = f"/api/v1/games/{host.code}/rejoin"
    first = await live.post(rejoin, body, Idempotency_Key="r-1")
    again = await live.post(rejoin, body, Idempotency_Key="r-1")
    assert first.json() == again.json()
    assert (await live.post(rejoin, body, Idempotency_Key="r-2")).status_code == 404


@pytest.mark.rule("GAME-21")
async def test_the_owner_recovers_the_hosts_own_seat_and_no_other(live: Live) -> None:
    host = await live.create()
    await live.join(host.code, "Bo")
    path = f"/api/v1/games/{host.code}/players"
    mine = await live.post(f"{path}/p1/rejoin-link", X_Varv_Owner=host.owner_token)
    assert mine.status_code == 200
    other = await live.post(f"{path}/p2/rejoin-link", X_Varv_Owner=host.owner_token)
    assert other.status_code == 403
    stranger = await live.post(f"{path}/p1/rejoin-link", X_Varv_Owner="nobody")
    assert stranger.status_code == 403
    nobody = await live.post(f"{path}/p9/rejoin-link", token=host.token)
    assert (nobody.status_code, nobody.json()["reason"]) == (404, "PLAYER_UNKNOWN")


async def test_the_same_people_again(live: Live) -> None:
    people = await live.started("oracle", 3)
    host, bo, cleo = people
    path = f"/api/v1/games/{host.code}/again"
    early = await live.post(path, token=host.token)
    assert (early.status_code, early.json()["reason"]) == (409, "GAME_NOT_FINISHED")
    await play_cycle(people)
    await host.do("finish_game")
    assert (await live.post(path, token=bo.token)).status_code == 403
    await cleo.disconnect()
    made = await live.post(path, token=host.token)
    assert made.status_code == 201
    new = made.json()
    assert set(new) == {"code", "player", "token"}
    told = await bo.message(type="notice", kind="AGAIN")
    assert told["code"] == new["code"]
    seat = await live.post(f"/api/v1/games/{new['code']}/rejoin", {"ticket": told["ticket"]})
    assert seat.json()["player"] == "p2"
    # Whoever was away is told when they come back.
    await cleo.connect()
    late = await cleo.message(type="notice", kind="AGAIN")
    assert late["ticket"] != told["ticket"]
    seat = await live.post(f"/api/v1/games/{new['code']}/rejoin", {"ticket": late["ticket"]})
    assert seat.json()["player"] == "p3"
    state = (await live.get(f"/api/v1/games/{new['code']}/state", new["token"])).json()
    assert [p["name"] for p in state["snapshot"]["players"]] == ["Maja", "Bo", "Cleo"]
    assert state["snapshot"]["state"] == "LOBBY"
    assert (await live.post(path, token=host.token)).json() == new


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


async def test_a_paired_screen_plays_the_sound(live: Live) -> None:
    host = await live.create("dj", options={"audio": "screen"})
    people = [host] + [await live.join(host.code, name) for name in ("Bo", "Cleo")]
    for person in people:
        await person.connect()
        await person.do("set_start_year", year=1990)
    path = f"/api/v1/games/{host.code}/screens"
    assert (await live.post(path, token=people[1].token)).json()["reason"] == "HOST_ONLY"
    pairing = (await live.post(path, token=host.token)).json()
    page, _, ticket = pairing["link"].partition("#")
    assert page.endswith(f"/screen/{host.code}")
    by_link, by_code = Player(live, host.code, "", ""), Player(live, host.code, "", "")
    await by_link.connect(type="hello", screen=True, ticket=ticket)
    await by_code.connect(type="hello", screen=True, ticket=pairing["code"].lower())
    assert by_link.state["audio"] is None
    await host.do("start_game")
    await host.do("start_round")
    for screen in (by_link, by_code):
        await screen.until(lambda s=screen: bool(s.state["audio"]))  # type: ignore[misc]
        sound = await live.get(screen.state["audio"]["url"])
        assert sound.status_code == 200
    assert host.viewer["audio"] is None
    await host.do("play")
    await by_link.message(type="playing", playing=True)


async def test_guessing_codes_is_slowed(tmp_path: Path) -> None:
    settings = structs.replace(SETTINGS, limits="default")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        host = await live.create()
        answers = [
            await live.get(f"/api/v1/games/ZZZ{letter}") for letter in "ABCDEFGHJKMNPQRSTUVWXYZ"
        ]
        statuses = [answer.status_code for answer in answers]
        assert statuses[0] == 404 and statuses[-1] == 429
        limited = answers[-1]
        assert int(limited.headers["retry-after"]) >= 1
        assert limited.json()["code"] == "too_often"
        # A guess that would be right is told no more than a wrong one …
        assert (await live.get(f"/api/v1/games/{host.code}")).status_code == 429
        # … but whoever sits at the table plays on.
        assert (await live.get(f"/api/v1/games/{host.code}/state", host.token)).status_code == 200
        await host.connect()
        assert host.state


async def test_a_party_behind_one_address_is_not_slowed(tmp_path: Path) -> None:
    settings = structs.replace(SETTINGS, limits="default")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        for _ in range(3):
            people = await live.table(players=10)
            for person in people:
                await person.disconnect()
            for person in people:
                await person.connect()
                assert person.state


async def allowed(live: Live, owner_token: str) -> dict[str, bool]:
    """Which mixes the server says that this owner may use."""
    mixes = (await live.get("/api/v1/mixes", X_Varv_Owner=owner_token)).json()["mixes"]
    return {mix["id"]: mix["allowed"] for mix in mixes}


BASE = {"party": True, "gold": False, "rock": False, "empty": True}
"""What everyone may use."""


@pytest.mark.rule("ENT-01", "ENT-02", "GAME-18")
async def test_entitlements_count_when_they_are_enforced(tmp_path: Path) -> None:
    settings = structs.replace(SETTINGS, entitlements="enforced")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        gold = NEW | {"mix": "gold"}
        refused = await live.post("/api/v1/games", gold)
        assert (refused.status_code, refused.json()["reason"]) == (403, "MIX_NOT_ALLOWED")
        host = await live.create()
        assert (await host.fetch())["snapshot"]["max_players"] == 5
        card = (await live.get("/api/v1/owner", X_Varv_Owner=host.owner_token)).json()
        assert not card["premium"]
        assert await allowed(live, host.owner_token) == BASE == await allowed(live, "nobody")
        await host.connect()
        answer = await host.say("configure", mix="gold")
        assert (answer["code"], answer["reason"]) == ("forbidden", "MIX_NOT_ALLOWED")
        await live.services.store.grant(card["owner"], "premium")
        assert await allowed(live, host.owner_token) == BASE | {"gold": True}
        await host.do("configure", mix="gold")
        assert host.snapshot["max_players"] == 10
        # Never looked at again once the game is set up.
        await live.services.store.revoke(card["owner"], "premium")
        for n in range(9):
            await live.join(host.code, f"P{n}")


@pytest.mark.rule("ENT-01", "ENT-02")
@pytest.mark.parametrize(
    ("granted", "allowed_then"),
    [
        ([], False),
        (["premium"], False),
        (["mix:rock"], False),
        (["premium", "mix:gold"], False),
        (["premium", "mix:rock"], True),
    ],
    ids=["nothing", "premium", "only-the-mix", "another-mix", "both"],
)
async def test_a_single_mix_requires_premium_and_itself(
    tmp_path: Path, granted: list[str], allowed_then: bool
) -> None:
    settings = structs.replace(SETTINGS, entitlements="enforced")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        host = await (await live.create()).connect()
        card = (await live.get("/api/v1/owner", X_Varv_Owner=host.owner_token)).json()
        for entitlement in granted:
            assert await live.services.store.grant(card["owner"], entitlement)
        assert (await allowed(live, host.owner_token))["rock"] is allowed_then
        answer = await host.say("configure", mix="rock")
        assert answer.get("reason") == (None if allowed_then else "MIX_NOT_ALLOWED")
        await host.do("finish_game")
        rock = NEW | {"mix": "rock"}
        made = await live.post("/api/v1/games", rock, X_Varv_Owner=host.owner_token)
        assert made.status_code == (201 if allowed_then else 403)


@pytest.mark.rule("ENT-02")
async def test_a_single_mix_that_is_taken_back_is_played_to_the_end(tmp_path: Path) -> None:
    settings = structs.replace(SETTINGS, entitlements="enforced")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        people = await live.table(players=3)
        host = people[0]
        card = (await live.get("/api/v1/owner", X_Varv_Owner=host.owner_token)).json()
        store, both = live.services.store, ("premium", "mix:rock")
        for entitlement in both:
            await store.grant(card["owner"], entitlement)
        await host.do("configure", mix="rock")
        for entitlement in both:
            await store.revoke(card["owner"], entitlement)
        assert not (await allowed(live, host.owner_token))["rock"]
        # Saying again what is already so is no change of the configuration.
        await host.do("configure", mix="rock", options={"guess_seconds": 90})
        await host.do("start_game")
        await play_cycle(people)
        await host.do("start_cycle")
        await play_round(people)
        await host.do("finish_game")
        assert host.snapshot["mix"]["id"] == "rock"
        # Another game with the same people is another game.
        again = await live.post(f"/api/v1/games/{host.code}/again", token=host.token)
        assert (again.status_code, again.json()["reason"]) == (403, "MIX_NOT_ALLOWED")


@pytest.mark.rule("ENT-01")
async def test_everyone_has_everything_when_they_are_not_enforced(live: Live) -> None:
    assert set((await allowed(live, "nobody")).values()) == {True}
    assert (await live.post("/api/v1/games", NEW | {"mix": "rock"})).status_code == 201


async def test_another_site_cannot_use_the_cookie(live: Live) -> None:
    answer = await live.post("/api/v1/games", NEW, Origin="https://evil.example")
    assert (answer.status_code, answer.json()["reason"]) == (403, "ORIGIN_REFUSED")
    own = await live.post("/api/v1/games", NEW, Origin=live.url)
    assert own.status_code == 201


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
