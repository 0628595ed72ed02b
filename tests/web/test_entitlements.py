"""Entitlements, as the owner of games meets them (ENT-01, ENT-02)."""

from pathlib import Path

import pytest
from msgspec import structs
from tests.live import SETTINGS, Live, play_cycle, play_round, serving

from varv.stores.memory import MemoryStore

NEW = {"edition": "dj", "mix": "party", "name": "Maja"}


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
