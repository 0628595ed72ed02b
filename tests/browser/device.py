"""A browser of its own at one address: what a phone and the shared screen have in common."""

import json
import re
import time
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser import eyes
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.words import word

Lang = Literal["sv", "en"]
PATIENCE = 20_000
"""Milliseconds that a machine under load may take; nothing waits so long that works."""
LOCALES = {"sv": "sv-SE", "en": "en-GB"}

# Every media element that has ever been asked to play, attached to the page or not. As on a phone,
# one plays if it is asked to within a touch, or has been before: Chromium's own policy cannot be
# used, since every look that Playwright takes at a page counts as a touch there.
EARS = """
(() => {
  const TOUCHES = ['pointerdown', 'pointerup', 'click', 'keydown'];
  const HOLDS = 1000;  // milliseconds that a touch counts
  const heard = new Set();
  const play = HTMLMediaElement.prototype.play;
  let touched = -Infinity;
  for (const touch of TOUCHES) {
    // When it is handled: on a busy machine that is long after it has happened.
    const feel = (event) => { if (event.isTrusted) touched = performance.now(); };
    addEventListener(touch, feel, true);
  }
  globalThis.refusedToPlay = 0;
  HTMLMediaElement.prototype.play = function () {
    if (!heard.has(this) && performance.now() - touched > HOLDS) {
      refusedToPlay += 1;
      return Promise.reject(new DOMException('no touch', 'NotAllowedError'));
    }
    heard.add(this);
    return play.call(this);
  };
  globalThis.songTime = () => {
    const song = [...heard].find((e) => e.src.includes('/api/v1/audio/') && !e.paused);
    return song ? song.currentTime : null;
  };
})();
"""


def until(condition: Callable[[], bool], page: Page) -> None:
    """Wait for something that no locator can show."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        page.wait_for_timeout(25)


class Device:
    """A browser of its own, at one address."""

    def __init__(
        self, browser: Browser, house: House, lang: Lang, *, seat: Guest | None = None, **more: Any
    ) -> None:
        self.house, self.lang = house, lang
        settings: dict[str, Any] = {
            "base_url": house.url,
            "locale": LOCALES[lang],
            "reduced_motion": "reduce",
        }
        settings |= {"color_scheme": "dark"} | more
        if seat is not None:
            settings["storage_state"] = _kept(settings["base_url"], seat)
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(EARS)
        self.noise = eyes.Noise(self.context)
        self.page = self.context.new_page()

    def word(self, key: str, name: str = "") -> str:
        """In this device's language."""
        return word(self.lang, key, name)

    def says(self, key: str, name: str = "") -> None:
        """The page says so at its top, in this device's language."""
        self.heading(self.word(key, name))

    def opens(self, path: str) -> None:
        """Type an address, or follow a link."""
        self.page.goto(path)

    def button(self, key: str, page: Page | None = None) -> Locator:
        """By what it begins with; the sheet in front hides what is behind it."""
        name = re.compile(rf"^{re.escape(self.word(key))}(?!:)")
        return (page or self.page).get_by_role("button", name=name).first

    def presses(self, key: str) -> None:
        """A tap on a button."""
        self.button(key).click()

    def sees(self, key: str, name: str = "") -> None:
        """A text of ours, anywhere on the page."""
        self.reads(self.word(key, name))

    def reads(self, text: str | re.Pattern[str]) -> None:
        """A text that is not ours: a name, a title, a year."""
        expect(self.page.get_by_text(text).filter(visible=True).first).to_be_visible()

    def heading(self, text: str | re.Pattern[str]) -> None:
        """The page says so at its top."""
        expect(self.page.get_by_role("heading", level=1, name=text)).to_be_visible()

    def looks(self) -> None:
        """Nothing to be ashamed of on this screen, by night and by day."""
        eyes.look(self.page, self.lang)

    @property
    def song_time(self) -> float | None:
        """How far the song has come here; None if it is silent."""
        at: float | None = self.page.evaluate("songTime()")
        return at

    def refused(self) -> bool:
        """The browser has kept the song in, since nobody has touched this device."""
        return bool(self.page.evaluate("refusedToPlay"))

    def hears(self) -> None:
        """The song is playing here: its time advances."""
        until(lambda: (self.song_time or 0) > 0.1, self.page)
        before = self.song_time or 0
        until(lambda: (self.song_time or 0) > before + 0.2, self.page)

    def close(self) -> None:
        """Put it away; it must not have complained."""
        self.context.close()
        assert not self.noise.unexpected, self.noise.unexpected


class Screen(Device):
    """A TV on the wall."""

    def __init__(self, browser: Browser, house: House, lang: Lang, **more: Any) -> None:
        super().__init__(browser, house, lang, viewport={"width": 1920, "height": 1080}, **more)

    def watches(self, code: str) -> None:
        """Without being paired."""
        self.opens(f"/screen/{code}")

    def reveals(self) -> None:
        """The answer is on the wall, or at least its year."""
        expect(self.page.locator(".tv__reveal")).to_be_visible()


def _kept(origin: str, guest: Guest) -> dict[str, Any]:
    """What the phone of somebody who sits at a table keeps."""
    seat = {"code": guest.code, "player": guest.player, "token": guest.token, "name": guest.name}
    kept = [{"name": "varv.seats", "value": json.dumps([seat | {"at": 1}])}]
    return {"cookies": [], "origins": [{"origin": origin, "localStorage": kept}]}
