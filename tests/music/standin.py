"""Services of others, played by a server of our own on this machine: shapes, never data."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Answer = tuple[int, Any]
"""A status, and either bytes or what becomes JSON."""


class StandIn:
    """What was asked, and how it is answered: a function of the path and the query."""

    def __init__(self, answer: Callable[[str, dict[str, str]], Answer]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.agents: set[str] = set()
        self.url = ""


@contextmanager
def standing_in(answer: Callable[[str, dict[str, str]], Answer]) -> Iterator[StandIn]:
    """A server on a free port of this machine."""
    stand_in = StandIn(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(url.query).items()}
            stand_in.asked.append((url.path, query))
            stand_in.agents.add(self.headers["User-Agent"])
            status, body = stand_in.answer(url.path, query)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
