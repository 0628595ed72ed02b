"""schemathesis plays with every call of the OpenAPI document, in live games with real tokens."""

import asyncio
import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import positive_data_acceptance
from tests.live import serving
from tests.patience import PATIENCE

from varv.stores.memory import MemoryStore
from varv.web.openapi import openapi
from varv.web.operations import OPERATIONS, PLAYER

schema = schemathesis.openapi.from_dict(msgspec.json.decode(openapi()))
numbers = itertools.count()
called: set[tuple[str, str]] = set()
met: Counter[int] = Counter()
pytestmark = pytest.mark.xdist_group("openapi")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own."""
    started, stopping = threading.Event(), threading.Event()
    address: list[str] = []

    async def run() -> None:
        async with serving(MemoryStore(), tmp_path_factory.mktemp("live")) as live:
            address.append(live.url)
            started.set()
            await asyncio.to_thread(stopping.wait)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        assert started.wait(PATIENCE), "the server did not start"
        yield address[0]
    finally:
        stopping.set()
        thread.join()


class Tables:
    """Games in several states, so that calls meet more than a lobby."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE)
        self.games = [
            self.game(edition, state) for edition in ("dj", "oracle") for state in range(4)
        ]

    def post(self, path: str, body: Any = None, token: str | None = None) -> dict[str, Any]:
        headers = {"X-Varv-Owner": f"owner {next(numbers)}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.http.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def game(self, edition: str, state: int) -> dict[str, str]:
        """0: lobby, 1: a round waits, 2: guessing, 3: finished."""
        made = self.post("/api/v1/games", {"edition": edition, "mix": "party", "name": "Maja"})
        path = f"/api/v1/games/{made['code']}"
        tokens = [made["token"]]
        tokens += [self.post(f"{path}/players", {"name": n})["token"] for n in ("Bo", "Cleo")]
        for token in tokens:
            self.do(path, token, type="set_start_year", year=1990)
        if state:
            self.do(path, tokens[0], type="start_game")
        if state == 2:
            self.do(path, tokens[0], type="start_round", round=1)
        if state == 3:
            self.do(path, tokens[0], type="finish_game")
        return {"code": made["code"], "host": tokens[0], "guest": tokens[1]}

    def do(self, path: str, token: str, **command: Any) -> None:
        body = {"id": f"t-{next(numbers)}", "command": command}
        self.post(f"{path}/commands", body, token)


@pytest.fixture(scope="module")
def tables(url: str) -> Iterator[Tables]:
    """In the end the calls together must have met more than refusals, and every refusal."""
    made = Tables(url)
    yield made
    made.http.close()
    if called == {(op.method, op.path) for op in OPERATIONS}:
        assert met[200] + met[201] > 50, met
        assert {400, 401, 403, 404, 409, 422} <= set(met), met


PLAYERS_ONLY = {op.path for op in OPERATIONS if op.who == PLAYER}


@schema.parametrize()
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
def test_every_call_keeps_its_word(case: Any, url: str, tables: Tables) -> None:
    called.add((case.operation.method.upper(), case.operation.path))
    number = next(numbers)
    game = tables.games[number % len(tables.games)]
    if "code" in (case.path_parameters or {}) and number % 8:
        case.path_parameters["code"] = game["code"]
    if "player" in (case.path_parameters or {}) and number % 3:
        case.path_parameters["player"] = "p2"
    headers = {}
    if case.operation.path in PLAYERS_ONLY and number % 8 != 1:
        token = game["host"] if number % 4 else game["guest"]
        headers["Authorization"] = f"Bearer {token}"
    # A well-formed call may still be against the rules: that is a 409 or 422, not a mistake.
    answer = case.call_and_validate(
        base_url=url, headers=headers, excluded_checks=[positive_data_acceptance]
    )
    met[answer.status_code] += 1
