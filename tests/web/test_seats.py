"""Coming back to a seat, the next game with the same people, and a screen that is paired."""

import pytest
from tests.live import Live, Player, play_cycle


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
