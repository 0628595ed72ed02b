"""Rates: what a bucket lets through, and when it forgets."""

from pathlib import Path

import pytest
from msgspec import structs
from tests.live import SETTINGS, serving

from varv.rooms.reasons import Refused
from varv.stores.memory import MemoryStore
from varv.web import limits
from varv.web.limits import RATES, Limits


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def spend(given: Limits, kind: str, address: str) -> bool:
    try:
        given.spend(kind, address)
    except Refused as refused:
        return not refused.retry_after
    return True


def test_a_burst_then_a_trickle() -> None:
    clock = Clock()
    given = Limits(clock=clock)
    burst = int(RATES["miss"].burst)
    assert [spend(given, "miss", "a") for _ in range(burst + 2)] == [True] * burst + [False] * 2
    with pytest.raises(Refused) as refused:
        given.guard("miss", "a")
    clock.now += refused.value.retry_after or 0
    given.guard("miss", "a")
    assert spend(given, "miss", "a")
    assert not spend(given, "miss", "a")


def test_addresses_and_kinds_are_apart() -> None:
    given = Limits(clock=Clock())
    while spend(given, "miss", "a"):
        pass
    assert spend(given, "miss", "b")
    assert spend(given, "join", "a")


def test_an_ipv6_network_is_one_address() -> None:
    given = Limits(clock=Clock())
    while spend(given, "miss", "2001:db8::1"):
        pass
    assert not spend(given, "miss", "2001:db8::2")
    assert spend(given, "miss", "2001:db8:0:1::1")


def test_ipv4_through_an_ipv6_socket_is_ipv4() -> None:
    """A server on `::` would otherwise count the whole world as one address."""
    given = Limits(clock=Clock())
    while spend(given, "miss", "::ffff:192.168.1.5"):
        pass
    assert not spend(given, "miss", "192.168.1.5")
    assert spend(given, "miss", "::ffff:192.168.1.6")


def test_off_lets_everything_through() -> None:
    given = Limits(on=False)
    assert all(spend(given, "miss", "a") for _ in range(1000))
    given.guard("miss", "a")
    assert given.socket() is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 100)
    clock = Clock()
    given = Limits(clock=clock)
    for n in range(1000):
        spend(given, "miss", f"busy {n}")
    assert len(given._buckets) <= 100
    while spend(given, "miss", "guesser"):
        pass
    clock.now += 3600
    for n in range(150):
        spend(given, "join", f"later {n}")
    assert len(given._buckets) <= 151


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
