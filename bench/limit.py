"""The limit to compare with: a bare Starlette server that sends the same bytes to all eight.

It stores nothing, checks nothing and knows nothing; nobody who uses Starlette can do better. Run
alone it prints its own figures; bench/rooms.py runs it beside Varv.
"""

import os
import sys
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

sys.path.insert(0, str(Path(__file__).parent))

from support.servers import Bare, load

FILLER = '{"type":"state","version":1,"now":1,"snapshot":{},"viewer":"' + "x" * 3500 + '"}'
tables: dict[str, set[WebSocket]] = {}


async def table(socket: WebSocket) -> None:
    """Whatever arrives, everyone at the table gets the state, and the sender an ack."""
    state = STATE
    await socket.accept()
    seats = tables.setdefault(socket.path_params["code"], set())
    seats.add(socket)
    await socket.receive_text()
    await socket.send_text(state)
    try:
        while True:
            await socket.receive_text()
            await socket.send_text('{"type":"ack","id":"t-1","version":1}')
            for seat in seats:
                await seat.send_text(state)
    except WebSocketDisconnect:
        seats.discard(socket)


STATE = Path(os.environ["BENCH_STATE"]).read_text() if "BENCH_STATE" in os.environ else FILLER
app = Starlette(routes=[WebSocketRoute("/api/v1/games/{code}/ws", table)])


def main() -> None:
    """100 tables of eight."""
    with Bare() as bare:
        for tables_set in (1, 100):
            got = load(bare.url, "closed", tables_set, bare=True)
            print(
                f"bare broadcast, {tables_set} tables of eight: {got['per_second']:.0f} commands/s,"
                f" p50 {got['p50_ms']:.2f} ms, p99 {got['p99_ms']:.2f} ms"
            )


if __name__ == "__main__":
    main()
