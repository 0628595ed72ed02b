"""A server for browsers to visit: it can be killed and come back."""

from pathlib import Path
from typing import Any

import httpx
from tests.patience import PATIENCE
from tests.process import Server


class House(Server):
    """`varv serve`, and the HTTP half of its protocol."""

    def __init__(self, data: Path) -> None:
        super().__init__(data, VARV_BOT_PACE="0.02")
        self.http = httpx.Client(base_url=self.url, timeout=PATIENCE)

    def __enter__(self) -> "House":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end()
        self.http.close()

    def call(self, method: str, path: str, *, token: str | None = None, body: Any = None) -> Any:
        """A refusal is an error. No cookie is kept: a stranger."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.http.cookies.clear()
        answer = self.http.request(method, f"/api/v1{path}", json=body, headers=headers)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()
