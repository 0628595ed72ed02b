"""What waits for one socket: bounded, the newest state wins, and nobody else is harmed."""

import pytest
from tests.rooms.workers import Worker

from varv.rooms import outbox
from varv.rooms.room import Room
from varv.rules import commands as c


async def test_a_client_that_stops_reading_gets_the_newest_state_and_no_other(
    worker: Worker,
) -> None:
    room = await worker.guessing()
    box, pipe = await worker.look(room, "p2")
    pipe.ready = False
    pipe.sent.clear()
    for n in range(20):
        await worker.do(room, "p3", c.SubmitGuess(1, 1, "placement", 0 if n % 2 == 0 else None))
    assert pipe.sent == []
    pipe.ready = True
    box.flush()
    states = [m for m in pipe.messages() if m["type"] == "state"]
    assert [state["version"] for state in states] == [room.version("p2")]


async def test_a_client_that_lets_messages_pile_up_is_cut_off(worker: Worker) -> None:
    room = await worker.guessing()
    box, pipe = await worker.look(room, "p2")
    pipe.ready = False
    for _ in range(outbox.MOST + 1):
        box.post(b"{}")
    assert pipe.aborted
    box.post(b"{}")
    box.dismiss("REMOVED", 4403)
    assert pipe.closed is None


async def test_our_own_mistake_about_one_viewer_harms_no_other(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await worker.guessing()
    _, broken = await worker.look(room, "p2")
    _, fine = await worker.look(room, "p3")
    made = Room.viewer

    def viewer(self: Room, player: str) -> bytes:
        if player == "p2":
            raise RuntimeError("a bug")
        return made(self, player)

    monkeypatch.setattr(Room, "viewer", viewer)
    await worker.do(room, "p3", c.SubmitGuess(1, 1, "placement", 0))
    assert broken.aborted
    assert fine.messages()[-1]["viewer"]["guess"]["placement"] == 0
