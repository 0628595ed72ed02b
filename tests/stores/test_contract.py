"""What every store promises: one suite, run against memory, SQLite and PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec import structs
from tests.services import empty_postgres

from varv.rooms.ports import (
    Append,
    CommandRecord,
    Creation,
    Idempotency,
    Outcome,
    RejoinTicket,
    Seat,
    Store,
    StoredEvent,
    StoredSnapshot,
)
from varv.stores.memory import MemoryStore
from varv.stores.postgres import PostgresStore
from varv.stores.sqlite import SqliteStore

pytestmark = pytest.mark.asyncio

CREATED = StoredEvent("game_created", 1, '{"å": 1}')
JOINED = StoredEvent("player_joined", 1, "{}")


@pytest_asyncio.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    made: Store
    match request.param:
        case "memory":
            made = MemoryStore()
        case "sqlite":
            made = SqliteStore(tmp_path / "varv.db")
        case _:
            url = request.getfixturevalue("postgres_url")
            await empty_postgres(url)
            made = PostgresStore(url)
    await made.open()
    yield made
    await made.close()


def creation(code: str = "K7QX", owner: str = "o1", at: int = 1000) -> Append:
    return Append(
        code,
        0,
        (CREATED, JOINED),
        "LOBBY",
        1,
        at,
        seats=(Seat("p1", b"t1"),),
        creation=Creation(owner, "dj", owner.encode()),
    )


def step(expected: int, command_id: str = "c1", *, at: int = 2000, state: str = "LOBBY") -> Append:
    command = CommandRecord("p1", command_id, b"f", expected + 10)
    return Append("K7QX", expected, (JOINED,), state, 2, at, command)


async def test_a_created_game_loads_as_it_was_written(store: Store) -> None:
    assert await store.append(creation()) is Outcome.APPENDED
    loaded = await store.load("K7QX")
    assert loaded is not None
    assert loaded.tail == (CREATED, JOINED)
    assert loaded.snapshot is None
    assert loaded.seats == (Seat("p1", b"t1"),)
    row = loaded.row
    assert (row.code, row.owner, row.edition, row.state) == ("K7QX", "o1", "dj", "LOBBY")
    assert (row.players, row.seq, row.created, row.updated) == (1, 2, 1000, 1000)


async def test_an_unknown_game_is_nothing(store: Store) -> None:
    assert await store.load("NONE") is None
    assert await store.since("NONE", 0) == ()
    assert await store.heads(["NONE"]) == {}
    assert await store.append(step(0)) is Outcome.CONFLICT


async def test_a_code_is_given_once(store: Store) -> None:
    await store.append(creation())
    assert await store.append(creation(owner="o2")) is Outcome.CODE_TAKEN


@pytest.mark.rule("GAME-23")
async def test_an_owner_has_one_unfinished_game(store: Store) -> None:
    await store.append(creation())
    assert await store.unfinished("o1") == "K7QX"
    assert await store.append(creation("ABCD")) is Outcome.OWNER_BUSY
    assert await store.load("ABCD") is None
    await store.append(step(2, state="FINISHED"))
    assert await store.unfinished("o1") is None
    assert await store.append(creation("ABCD")) is Outcome.APPENDED


async def test_only_one_append_at_a_version_wins(store: Store) -> None:
    await store.append(creation())
    steps = (step(2, f"c{n}") for n in range(8))
    outcomes = await asyncio.gather(*(store.append(one) for one in steps))
    assert sorted(outcomes) == sorted([Outcome.APPENDED] + [Outcome.CONFLICT] * 7)
    assert len(await store.since("K7QX", 0)) == 3
    assert (await store.heads(["K7QX"]))["K7QX"].seq == 3


async def test_a_lost_race_leaves_no_trace_of_the_command(store: Store) -> None:
    await store.append(creation())
    await store.append(step(2, "c1"))
    assert await store.append(step(2, "c2")) is Outcome.CONFLICT
    assert await store.command("K7QX", "p1", "c2") is None
    assert await store.append(step(3, "c2")) is Outcome.APPENDED


async def test_a_command_id_counts_once_per_player(store: Store) -> None:
    await store.append(creation())
    assert await store.append(step(2)) is Outcome.APPENDED
    assert await store.append(step(3)) is Outcome.DUPLICATE
    assert await store.append(step(2)) is Outcome.DUPLICATE
    assert await store.command("K7QX", "p1", "c1") == CommandRecord("p1", "c1", b"f", 12)
    assert await store.command("K7QX", "p2", "c1") is None
    other = structs.replace(step(3), command=CommandRecord("p2", "c1", b"f", 1))
    assert await store.append(other) is Outcome.APPENDED
    assert len(await store.since("K7QX", 0)) == 4


async def test_a_command_without_events_is_remembered_too(store: Store) -> None:
    await store.append(creation())
    nothing = structs.replace(step(2), events=())
    assert await store.append(nothing) is Outcome.APPENDED
    assert await store.append(nothing) is Outcome.DUPLICATE
    assert (await store.heads(["K7QX"]))["K7QX"].seq == 2


async def test_loading_starts_from_the_snapshot(store: Store) -> None:
    await store.append(creation())
    for seq in range(2, 12):
        kept = StoredSnapshot(seq + 1, "s", f"game {seq}") if seq in (5, 9) else None
        await store.append(structs.replace(step(seq, f"c{seq}"), snapshot=kept))
    loaded = await store.load("K7QX")
    assert loaded is not None
    assert loaded.snapshot == StoredSnapshot(10, "s", "game 9")
    assert len(loaded.tail) == 2
    assert len(await store.since("K7QX", 4)) == 8


async def test_an_idempotency_key_gets_its_first_answer(store: Store) -> None:
    first = Idempotency(b"key", b"body", '{"player": "p1"}')
    assert await store.append(structs.replace(creation(), idempotency=first)) is Outcome.APPENDED
    again = structs.replace(creation("ABCD", "o2"), idempotency=first)
    assert await store.append(again) is Outcome.DUPLICATE
    joining = structs.replace(step(2), idempotency=first)
    assert await store.append(joining) is Outcome.DUPLICATE
    assert await store.command("K7QX", "p1", "c1") is None
    assert await store.idempotent(b"key") == first
    assert await store.idempotent(b"other") is None


@pytest.mark.rule("GAME-21")
async def test_a_ticket_seats_its_holder_once(store: Store) -> None:
    await store.append(creation())
    await store.add_ticket(RejoinTicket(b"ticket", "K7QX", "p1", 100))
    before = (await store.heads(["K7QX"]))["K7QX"].seating
    assert await store.use_ticket(b"ticket", "ABCD", b"t2", 50) is None
    assert await store.use_ticket(b"ticket", "K7QX", b"t2", 101) is None
    assert await store.use_ticket(b"ticket", "K7QX", b"t2", 50) == ("p1", True)
    assert await store.use_ticket(b"ticket", "K7QX", b"t3", 50) is None
    assert await store.use_ticket(b"ticket", "K7QX", b"t2", 500) == ("p1", False)
    assert await store.seats("K7QX") == ((Seat("p1", b"t2"),), before + 1)


async def test_a_seat_not_taken_before_is_told_apart(store: Store) -> None:
    await store.append(structs.replace(creation(), seats=(Seat("p1"), Seat("p2", skill="good"))))
    await store.add_ticket(RejoinTicket(b"ticket", "K7QX", "p1", 100))
    assert await store.use_ticket(b"ticket", "K7QX", b"t", 50) == ("p1", False)
    seats, _ = await store.seats("K7QX")
    assert set(seats) == {Seat("p1", b"t"), Seat("p2", None, "good")}


async def test_new_seats_are_noticed(store: Store) -> None:
    await store.append(creation())
    before = (await store.heads(["K7QX"]))["K7QX"].seating
    await store.append(structs.replace(step(2), seats=(Seat("p2", b"t2"),)))
    assert (await store.heads(["K7QX"]))["K7QX"].seating > before


@pytest.mark.rule("ENT-01")
async def test_entitlements_belong_to_an_owner(store: Store) -> None:
    assert not await store.grant("o1", "premium")
    await store.append(creation())
    assert await store.owner(b"o1") == "o1"
    assert await store.owner(b"o2") is None
    assert await store.grant("o1", "premium")
    assert await store.grant("o1", "premium")
    assert await store.grant("o1", "mix:rock")
    assert await store.entitlements("o1") == {"premium", "mix:rock"}
    assert await store.revoke("o1", "premium")
    assert not await store.revoke("o1", "premium")
    assert await store.entitlements("o1") == {"mix:rock"}


async def test_games_are_listed_deleted_and_pruned(store: Store) -> None:
    await store.append(creation("AAAA", "o1", at=1000))
    await store.append(creation("BBBB", "o2", at=3000))
    await store.append(creation("K7QX", "o3", at=2000))
    await store.append(step(2, state="FINISHED", at=2500))
    assert [row.code for row in await store.games(finished=False)] == ["BBBB", "AAAA"]
    assert [row.code for row in await store.games(finished=True)] == ["BBBB", "K7QX", "AAAA"]
    assert await store.delete("K7QX")
    assert not await store.delete("K7QX")
    assert await store.since("K7QX", 0) == ()
    assert await store.command("K7QX", "p1", "c1") is None
    assert await store.prune(2000) == 1
    assert [row.code for row in await store.games(finished=True)] == ["BBBB"]


async def test_a_successor_is_remembered(store: Store) -> None:
    await store.append(creation())
    next_one = structs.replace(creation("ABCD"), creation=Creation("o1", "dj", continues="K7QX"))
    assert await store.append(next_one) is Outcome.OWNER_BUSY
    assert (await store.heads(["K7QX"]))["K7QX"].successor is None
    await store.append(step(2, state="FINISHED"))
    assert await store.append(next_one) is Outcome.APPENDED
    heads = await store.heads(["K7QX", "ABCD"])
    assert (heads["K7QX"].successor, heads["ABCD"].successor) == ("ABCD", None)
    loaded = await store.load("K7QX")
    assert loaded is not None
    assert loaded.row.successor == "ABCD"


async def test_a_secret_is_made_once(store: Store) -> None:
    one, other = await asyncio.gather(store.secret("server"), store.secret("server"))
    assert one == other
    assert len(one) == 32
    assert await store.secret("another") != one
    await store.ping()
