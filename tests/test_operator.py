"""What an operator does from the command line, while the server runs or not."""

import re
import socket
import sqlite3
import time
from pathlib import Path

import pytest
from tests.patience import becomes
from tests.process import Varv, varv
from tests.services import free_port


def test_migrating_sqlite_says_that_it_needs_none(tmp_path: Path) -> None:
    done = varv("migrate", data=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (
        0,
        "SQLite is up to date; it keeps itself so.",
    )


def test_doctor(tmp_path: Path) -> None:
    done = varv("doctor", "--port", str(free_port()), data=tmp_path)
    lines = done.stdout.splitlines()
    assert any(line.startswith("ok    store: SQLite") for line in lines)
    assert any(line.startswith("ok    audio: PyAV") for line in lines)
    assert any(line.startswith("ok    port") for line in lines)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        environment = {"VARV_HOST": "127.0.0.1", "VARV_PORT": port}
        bad = varv("doctor", "--bus", "redis://127.0.0.1:9/0", data=tmp_path, **environment)
    assert bad.returncode == 1
    assert "WRONG bus" in bad.stdout
    assert "WRONG port" in bad.stdout and "--port" in bad.stdout


async def test_an_operators_evening(tmp_path: Path) -> None:
    """List, rejoin, grant, revoke, delete, prune: while the server runs."""
    async with Varv(tmp_path, "--entitlements", "enforced") as server:
        live = server.live
        host = await live.create("dj", mix="demo")
        listed = varv("games", "--data", str(tmp_path), data=tmp_path)
        assert host.code in listed.stdout
        before = varv("--data", str(tmp_path), "games", "--all", data=tmp_path / "elsewhere")
        assert host.code in before.stdout

        link = varv("games", "rejoin", host.code, data=tmp_path).stdout.strip()
        found = re.fullmatch(rf"http://\S+/g/{host.code}#(\S+)", link)
        assert found is not None, link
        seat = await live.post(f"/api/v1/games/{host.code}/rejoin", {"ticket": found[1]})
        assert seat.json()["player"] == "p1"
        host.token = seat.json()["token"]
        wrong = varv("games", "rejoin", host.code, "p7", data=tmp_path)
        assert wrong.returncode == 1
        assert "p1 (Maja)" in wrong.stderr

        card = (await live.get("/api/v1/owner", X_Varv_Owner=host.owner_token)).json()
        assert not card["premium"]
        assert varv("grant", card["owner"], "premium", data=tmp_path).returncode == 0
        assert (await live.get("/api/v1/owner", X_Varv_Owner=host.owner_token)).json()["premium"]
        assert varv("revoke", card["owner"], "premium", data=tmp_path).returncode == 0
        unknown = varv("grant", card["owner"], "mix", "nosuch", data=tmp_path)
        assert (unknown.returncode, unknown.stdout) == (1, "")
        assert unknown.stderr == "There is no mix nosuch. `varv music mixes` lists them.\n"

        await host.connect()
        assert varv("games", "delete", host.code, data=tmp_path).returncode == 0
        await host.until(lambda: host.closed is not None)
        assert host.closed == 4404
        assert (await live.get(f"/api/v1/games/{host.code}")).status_code == 404

        other = await live.create("dj", mix="demo")
        kept = varv("games", "prune", "--older-than", "1h", data=tmp_path)
        assert kept.stdout.strip() == "0 deleted."
        with sqlite3.connect(tmp_path / "varv.db") as database:
            old = int((time.time() - 7200) * 1000)
            database.execute("UPDATE games SET updated = ?", (old,))
        pruned = varv("games", "prune", "--older-than", "1h", data=tmp_path)
        assert pruned.stdout.strip() == "1 deleted."

        async def gone() -> bool:
            return (await live.get(f"/api/v1/games/{other.code}")).status_code == 404

        await becomes(gone)
        assert "No unfinished games" in varv("games", data=tmp_path).stdout


@pytest.mark.rule("ENT-01")
async def test_an_operator_sells_a_mix(tmp_path: Path) -> None:
    """A grant that has no effect yet says what is missing; the last step counts at once."""

    def said(*arguments: str) -> str:
        done = varv(*arguments, data=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    async with Varv(tmp_path, "--entitlements", "enforced") as server:
        host = await (await server.live.create("dj", mix="demo")).connect()
        mine = {"X_Varv_Owner": host.owner_token}
        owner = (await server.live.get("/api/v1/owner", **mine)).json()["owner"]

        async def allowed() -> bool:
            mixes = (await server.live.get("/api/v1/mixes", **mine)).json()["mixes"]
            return next(bool(mix["allowed"]) for mix in mixes if mix["id"] == "demo")

        first = said("grant", owner, "mix", "demo")
        assert f"{owner} has mix:demo." in first
        assert "everyone may use" in first and "varv music premium demo --single" in first
        assert f"varv grant {owner} premium" in first
        said("music", "premium", "demo")
        assert "every owner with Premium may use" in said("grant", owner, "mix", "demo")
        said("music", "premium", "demo", "--single")
        second = said("grant", owner, "mix", "demo")
        assert "--single" not in second and f"varv grant {owner} premium" in second

        async def refused() -> bool:
            return not await allowed()

        await becomes(refused)
        assert said("grant", owner, "premium") == f"{owner} has premium.\n"
        assert await allowed()
        assert said("grant", owner, "mix", "demo") == f"{owner} has mix:demo.\n"
        assert said("revoke", owner, "mix", "demo") == f"{owner} no longer has mix:demo.\n"
        assert not await allowed()
