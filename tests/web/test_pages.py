"""Everything that is not a game: pages, documents, health, metrics."""

import gzip
from pathlib import Path

import httpx
import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from tests.live import Live, play_cycle

from varv.rooms.messages import CLIENT_DECODER, ServerMessage
from varv.web import pages


async def test_without_a_client_the_page_says_what_to_do(
    live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pages, "CLIENT", tmp_path / "nothing")
    for address in ("/", "/g/K7QX", "/g/K7QX/history", "/screen/K7QX", "/how"):
        answer = await live.get(address)
        assert answer.status_code == 503
        assert "make client" in answer.text
    for address in ("/icon.svg", "/nothing.txt"):
        assert (await live.get(address)).status_code == 404


async def test_files_of_a_client_that_is_not_built_are_not_found(tmp_path: Path) -> None:
    assets = pages.Assets(directory=tmp_path / "nothing", check_dir=False)
    transport = httpx.ASGITransport(Starlette(routes=[Mount("/assets", assets)]))
    async with httpx.AsyncClient(transport=transport, base_url="http://varv") as client:
        assert (await client.get("/assets/x.js")).status_code == 404


async def test_the_client_is_served_at_all_its_addresses(
    live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client = tmp_path / "client"
    client.mkdir()
    (client / "index.html").write_text("<!doctype html>hello")
    (client / "manifest.webmanifest").write_text("{}")
    monkeypatch.setattr(pages, "CLIENT", client)
    for address in ("/", "/g/K7QX", "/g/K7QX/history", "/screen/K7QX", "/how"):
        answer = await live.get(address)
        assert (answer.status_code, answer.text) == (200, "<!doctype html>hello")
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-cache"
    manifest = await live.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for missing in ("/nothing.txt", "/index.html", "/..%2f..%2fetc%2fpasswd", "/assets/x.js"):
        assert (await live.get(missing)).status_code == 404


async def test_scripts_are_sent_packed_to_browsers_that_take_them_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "base.js").write_text("let long;")
    (tmp_path / "assets" / "base.js.gz").write_bytes(gzip.compress(b"let long;"))
    (tmp_path / "assets" / "small.js").write_text("let short;")
    monkeypatch.setattr(pages, "CLIENT", tmp_path)
    transport = httpx.ASGITransport(app=Starlette(routes=pages.pages()))
    async with httpx.AsyncClient(transport=transport, base_url="http://varv") as browser:
        packed = await browser.get("/assets/base.js")
        assert (packed.text, packed.headers["content-encoding"]) == ("let long;", "gzip")
        assert packed.headers["content-type"].startswith("text/javascript")
        assert packed.headers["vary"] == "Accept-Encoding"
        assert "immutable" in packed.headers["cache-control"]
        again = {"If-None-Match": packed.headers["etag"]}
        assert (await browser.get("/assets/base.js", headers=again)).status_code == 304
        assert "content-encoding" not in (await browser.get("/assets/small.js")).headers
        plain = await browser.get("/assets/base.js", headers={"Accept-Encoding": "identity"})
        assert (plain.text, "content-encoding" in plain.headers) == ("let long;", False)


async def test_health_readiness_metrics(live: Live) -> None:
    assert (await live.get("/healthz")).json()["status"] == "ok"
    ready = await live.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["checks"] == {"store": "ok", "bus": "ok"}
    host = await (await live.create()).connect()
    await host.do("set_start_year", year=1990)
    text = (await live.get("/metrics")).text
    assert 'varv_commands_total{outcome="accepted"} 1.0' in text
    assert "varv_sockets 1.0" in text
    assert "varv_rooms 1.0" in text
    assert host.code not in text


async def test_not_ready_when_the_store_is_gone(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone() -> None:
        raise OSError("gone")

    monkeypatch.setattr(live.services.store, "ping", gone)
    answer = await live.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["store"] == "unreachable (OSError)"
    assert (await live.get("/healthz")).status_code == 200


async def test_unknown_paths_and_methods_are_problems_too(live: Live) -> None:
    answer = await live.get("/api/v1/nothing/here")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    wrong = await live.http.delete("/api/v1/games")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "not_allowed")
    assert wrong.headers["allow"]


async def test_a_failure_of_ours_shows_no_traceback(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(live.music, "mixes", broken)
    answer = await live.get("/api/v1/mixes")
    assert answer.status_code == 503
    assert "secret" not in answer.text and "Traceback" not in answer.text


async def test_qr(live: Live) -> None:
    host = await live.create()
    answer = await live.get(f"/api/v1/games/{host.code}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")


async def test_every_message_fits_the_published_types(live: Live) -> None:
    """What is sent, byte by byte, is what the schema is made from."""
    people = await live.started("dj", 3)
    await play_cycle(people)
    await people[0].say("start_game")
    await people[0].send({"type": "ping"})
    await people[0].message(type="pong")
    for person in people:
        for message in person.inbox:
            typed = msgspec.convert(message, ServerMessage)
            assert msgspec.json.decode(msgspec.json.encode(typed)) == message
    schema = (await live.get("/api/v1/schema.json")).json()
    assert set(schema["properties"]) == {"client", "server", "history"}
    assert {"State", "Ack", "RefusedMessage", "Hello", "Order"} <= set(schema["$defs"])
    document = (await live.get("/api/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    assert "/api/v1/games/{code}/commands" in document["paths"]
    CLIENT_DECODER.decode('{"type":"hello","token":"x","version":41}')
