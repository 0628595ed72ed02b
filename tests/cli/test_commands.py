"""The command line: what it prints, its exit statuses, and no traceback ever."""

import asyncio
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.process import VARV, Varv, varv
from tests.services import free_port

from varv import __version__


def test_version_and_help_are_quick(tmp_path: Path) -> None:
    assert varv("--version", data=tmp_path).stdout.strip() == f"varv {__version__}"
    shown = varv("--help", data=tmp_path)
    assert shown.returncode == 0
    for command in ("serve", "music", "games", "simulate", "bots", "grant", "migrate", "doctor"):
        assert command in shown.stdout
    # What is heavy is imported by the commands that need it.
    code = (
        "import sys, varv.cli.commands; "
        "heavy = 'numpy av starlette uvicorn asyncpg redis httpx rich structlog'.split(); "
        "print([name for name in heavy if name in sys.modules])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["fly"], 2, "No such command"),
        (["serve", "--port", "x"], 2, "valid int"),
        (["serve", "--fly"], 2, "No such option"),
        (["serve", "--store", "mysql://x"], 2, "--store takes"),
        (["serve", "--bus", "kafka://x"], 2, "--bus takes"),
        (["serve", "--bus", "redis://localhost:many"], 2, "--bus takes"),
        (["serve", "--bus", "redis://"], 2, "--bus takes"),
        (["serve", "--host", "no.such.host.invalid"], 1, "--host"),
        (["serve", "--workers", "2"], 2, "Several workers need"),
        (["serve", "--entitlements", "some"], 2, "--entitlements takes"),
        (["serve", "--limits", "some"], 2, "--limits takes"),
        (["serve", "--public-url", "varv"], 2, "--public-url takes"),
        (["serve", "--public-url", "http://"], 2, "--public-url takes"),
        (["serve", "--public-url", "http://[x"], 2, "--public-url takes"),
        (["serve", "--store", "postgresql://127.0.0.1:9/x"], 1, "PostgreSQL cannot be reached"),
        (["games", "delete", "ZZZZ"], 1, "There is no game ZZZZ"),
        (["games", "rejoin", "ZZZZ"], 1, "There is no game ZZZZ"),
        (["games", "prune", "--older-than", "soon"], 2, "30d"),
        (["grant", "o-NOBODY", "premium"], 1, "no owner"),
        (["grant", "o-NOBODY", "gold"], 2, "premium"),
        (["grant", "o-NOBODY", "mix"], 2, "mix ID"),
        (["grant", "o-NOBODY", "mix", "nosuch"], 1, "varv music mixes"),
        (["grant", "o-NOBODY", "mix", "demo"], 1, "no owner"),
        (["revoke", "o-NOBODY", "premium"], 1, "does not have"),
    ],
)
def test_mistakes_are_told_in_one_clear_line(
    tmp_path: Path, arguments: list[str], status: int, said: str
) -> None:
    done = varv(*arguments, data=tmp_path)
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = varv("games", data=tmp_path / "file")
    assert done.returncode == 1
    assert "--data" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_for_sound_is_needed_wherever_the_games_are(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    store = f"sqlite:///{tmp_path}/games.db"
    done = varv("serve", "--store", store, "--port", str(free_port()), data=tmp_path / "file" / "x")
    assert done.returncode == 1
    assert "cannot be written to" in done.stderr and "--data" in done.stderr
    assert "Traceback" not in done.stderr
    told = varv("doctor", "--store", store, data=tmp_path / "file" / "x")
    assert (told.returncode, "WRONG folder" in told.stdout) == (1, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_told_to_stop_it_stops_in_order(tmp_path: Path, number: signal.Signals) -> None:
    server = Varv(tmp_path).start()
    host = await (await server.live.create("dj", mix="demo")).connect()
    assert server.process is not None
    server.process.send_signal(number)
    await host.until(lambda: host.closed is not None)
    assert host.inbox[-1] == {"type": "bye", "reason": "RESTARTING"}
    assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
    assert "Traceback" not in server.log.read_text()
    await server.close()


async def test_a_second_server_on_the_same_database_is_refused(tmp_path: Path) -> None:
    """Each would know nothing of what the other does; the operator's commands do no harm."""
    async with Varv(tmp_path) as server:
        host = await (await server.live.create("dj", mix="demo")).connect()
        other = ["serve", "--host", "127.0.0.1", "--port", str(free_port())]
        again = varv(*other, data=tmp_path)
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == (
            f"Another server already uses {tmp_path}/varv.db. End it first, or choose another "
            "folder with --data.\n"
        )
        named = varv(*other, "--store", f"sqlite:///{tmp_path}/varv.db", data=tmp_path / "sound")
        assert "Another server" in named.stderr
        assert host.code in varv("games", data=tmp_path).stdout
        assert varv("music", "mixes", data=tmp_path).returncode == 0
        assert "ok    store" in varv("doctor", data=tmp_path).stdout
        await host.do("set_start_year", year=1990)
        server.kill()
        # Nothing is left behind by a server that had no time to tidy up.
        server.start()
        assert (await host.connect()).snapshot["players"][0]["start_year"] == 1990


@pytest.mark.parametrize(
    ("module", "statuses"),
    [("click", {130}), ("starlette.routing", {130}), ("uvloop", {130, 0})],
    ids=["commands", "server", "loop"],
)
def test_ctrl_c_ends_it_quietly_also_while_it_starts(
    tmp_path: Path, module: str, statuses: set[int]
) -> None:
    """At the last of these moments it may already serve, and then it stops in order."""
    arguments = ["serve", "--host", "127.0.0.1", "--port", str(free_port())]
    command = [sys.executable, "-X", "importtime", VARV, *arguments, "--data", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = iter(process.stderr.readline, "")
        assert any(line.split("|")[-1].strip() == module for line in said), "it is not imported"
        process.send_signal(signal.SIGINT)
        rest = "".join(said)
    assert process.returncode in statuses, rest
    assert "Traceback" not in rest


async def test_the_log_holds_no_secrets(tmp_path: Path) -> None:
    """At its most talkative level."""
    async with Varv(tmp_path) as server:
        live = server.live
        host = await live.create("dj", mix="demo")
        people = [host] + [await live.join(host.code, name) for name in ("Bo", "Cleo")]
        for person in people:
            await person.connect()
            await person.do("set_start_year", year=1990)
        await host.do("start_game")
        await host.do("start_round")
        url = host.viewer["audio"]["url"]
        assert (await live.get(url)).status_code == 200
        path = f"/api/v1/games/{host.code}"
        link = await live.post(f"{path}/players/p1/rejoin-link", token=host.token)
        ticket = link.json()["link"].partition("#")[2]
        await live.post(f"{path}/rejoin?in=query", {"ticket": ticket})
        await host.connect()
        assert host.closed == 4401
        await people[1].send(b"\xff\xfe")
        assert people[1].socket is not None
        await people[1].socket.send(b"\xff\xfe", text=True)
        await people[1].until(lambda: people[1].closed is not None)
        with sqlite3.connect(tmp_path / "varv.db") as database:
            sql = "SELECT data FROM events WHERE name = 'performance_started'"
            ((data,),) = database.execute(sql).fetchall()
    log = server.log.read_text()
    assert "/api/v1/audio/{ticket}" in log
    title = re.search(r'"song":\{"id":"[^"]*","title":"([^"]*)"', data)
    assert title is not None
    for secret in (*[p.token for p in people], host.owner_token, url, ticket, title[1], "in=query"):
        assert secret not in log
    assert "Traceback" not in log


def test_what_is_said_on_the_command_line_counts_more_than_the_environment(tmp_path: Path) -> None:
    data = str(tmp_path / "said")
    assert varv("games", "--data", data, data=tmp_path / "environment").returncode == 0
    assert (tmp_path / "said" / "varv.db").exists()
    assert varv("--data", data, "music", "mixes", data=tmp_path / "environment").returncode == 0
    assert not (tmp_path / "environment").exists()
