"""Tables across workers: the next game, and keys that are used twice."""

import asyncio

import pytest
from tests.patience import becomes
from tests.rooms.workers import Worker

from varv.rooms.keys import hash_token
from varv.rooms.reasons import Refused
from varv.rooms.tables import Wanted
from varv.rules import commands as c


async def test_the_next_game_is_found_without_a_bus_and_made_once(two: list[Worker]) -> None:
    one, other = two
    here, _ = await one.create()
    there = await other.registry.room(here.code)
    _, pipe = await other.look(there, "p2")
    await one.do(here, "p1", c.FinishGame())
    await other.registry.refresh(there)
    answers = await asyncio.gather(
        one.tables.again(here, "p1"), other.tables.again(there, "p1"), one.tables.again(here, "p1")
    )
    assert len({(answer.code, answer.token) for answer in answers}) == 1
    await other.registry._poll_once()
    await becomes(lambda: any(message["type"] == "notice" for message in pipe.messages()))
    notices = [message for message in pipe.messages() if message["type"] == "notice"]
    assert [(n["kind"], n["code"]) for n in notices] == [("AGAIN", answers[0].code)]
    # Deleted by the operator, it is made anew.
    await one.service.store.delete(answers[0].code)
    anew = await other.tables.again(there, "p1")
    assert anew.code != answers[0].code
    assert (await one.tables.again(here, "p1")).code == anew.code


async def test_another_game_of_the_host_stands_in_the_way_of_the_next(two: list[Worker]) -> None:
    one, _ = two
    made = await one.tables.create(Wanted("oracle", "party", "Maja"), None, None)
    room = await one.registry.room(made.code)
    await one.do(room, "p1", c.FinishGame())
    busy = await one.tables.create(Wanted("dj", "party", "Maja"), made.owner_token, None)
    with pytest.raises(Refused, match="GAME_UNFINISHED") as refused:
        await one.tables.again(room, "p1")
    assert refused.value.facts == {"game": busy.code}


async def test_a_key_whose_game_was_deleted_finds_its_owner_again(worker: Worker) -> None:
    wanted = Wanted("oracle", "party", "Maja")
    first = await worker.tables.create(wanted, None, "key")
    await worker.service.store.delete(first.code)
    again = await worker.tables.create(wanted, None, "key")
    assert (again.token, again.owner_token) == (first.token, first.owner_token)
    room = await worker.registry.room(again.code)
    assert await worker.service.store.owner(hash_token(again.owner_token)) == room.owner
