"""A phone in somebody's hand: tests read like play. And the shared screen on the wall."""

import copy
import json
import re
import time
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser import eyes
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.party import MIX
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
    addEventListener(touch, (event) => { if (event.isTrusted) touched = event.timeStamp; }, true);
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


def until(condition: Callable[[], bool], page: Page, seconds: float = PATIENCE / 1000) -> None:
    """Wait for something that no locator can show."""
    deadline = time.monotonic() + seconds
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
        expect(self.page.get_by_text(self.word(key, name)).first).to_be_visible()

    def reads(self, text: str | re.Pattern[str]) -> None:
        """A text that is not ours: a name, a title, a year."""
        expect(self.page.get_by_text(text).first).to_be_visible()

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


class Phone(Device):
    """390 × 844, a finger, and a name."""

    def __init__(self, browser: Browser, house: House, lang: Lang, name: str, **more: Any) -> None:
        hand: dict[str, Any] = {
            "viewport": {"width": 390, "height": 844},
            "has_touch": True,
            "is_mobile": True,
        }
        super().__init__(browser, house, lang, **hand | more)
        self.name = name

    def twin(self) -> "Phone":
        """A second tab of the same browser, at the same address."""
        twin = copy.copy(self)
        twin.page = self.context.new_page()
        twin.page.goto(self.page.url)
        return twin

    # Coming in

    @property
    def code(self) -> str:
        """Of the game it is in."""
        expect(self.page).to_have_url(re.compile(r"/g/[A-Z0-9]{4,6}$"))
        return self.page.url.rsplit("/", 1)[1]

    def creates(self, edition: str, mix: str = MIX, audio: str | None = None) -> str:
        """From the start page to the lobby; gives the code."""
        self.opens("/")
        self.page.get_by_role("link", name=self.word("create")).click()
        self.page.get_by_label(self.word("name")).fill(self.name)
        for choice in filter(None, (self.word(edition), mix, audio and self.word(audio))):
            self.page.get_by_role("radio", name=re.compile(rf"^{re.escape(choice)}")).check()
        self.presses("create it")
        self.in_lobby()
        return self.code

    def types_code(self, code: str) -> None:
        """On the start page."""
        self.opens("/")
        self.page.get_by_label(self.word("code")).fill(code.lower())
        self.presses("join")

    def joins(self, code: str) -> None:
        """By typing the code and a name."""
        self.types_code(code)
        self.page.get_by_label(self.word("name")).fill(self.name)
        self.presses("take a seat")

    def sits(self, guest: Guest) -> None:
        """At the seat that this phone already has."""
        self.opens(f"/g/{guest.code}")

    def in_lobby(self) -> None:
        expect(self.page.get_by_label(self.word("start year"), exact=True)).to_be_visible()

    def picks_year(self, year: int) -> None:
        """On the dial; it has arrived when the list of players says so."""
        self.page.get_by_label(self.word("start year"), exact=True).fill(str(year))
        mine = self.page.locator(".folk li").filter(has_text=self.name)
        expect(mine).to_contain_text(str(year))

    # Guessing

    def gap(self, position: int) -> Locator:
        """Between two cards, or at an end."""
        return self.page.locator(f".crate button.gap[data-gap='{position}']")

    @property
    def placed(self) -> Locator:
        """The new card where it lies, while it can be moved."""
        return self.page.locator(".crate .card--new")

    def taps_gap(self, position: int) -> None:
        """The plain way to place a card."""
        self.gap(position).tap()
        self.lies_at(position)

    def drags_to(self, position: int) -> None:
        """The card in the hand, or the one that lies, into a gap, with a finger."""
        self._drags(_middle(self.gap(position)))
        self.lies_at(position)

    def drags_away(self) -> None:
        """Far from the timeline, where it belongs nowhere."""
        self._drags((30.0, 30.0))

    def _drags(self, end: tuple[float, float]) -> None:
        card = self.page.locator(".hand__card, .crate .card--new").first
        start = _middle(card)
        touch = self.context.new_cdp_session(self.page)

        def send(kind: str, *points: tuple[float, float]) -> None:
            at = [{"x": x, "y": y} for x, y in points]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

        send("touchStart", start)
        for step in range(1, 9):
            x, y = (a + (b - a) * step / 8 for a, b in zip(start, end, strict=True))
            send("touchMove", (x, y))
        expect(self.page.locator(".card--drag")).to_be_visible()
        send("touchEnd")
        touch.detach()
        expect(self.page.locator(".card--drag")).to_have_count(0)

    @property
    def keyboard(self) -> "Keyboard":
        """For hands that do not touch the screen."""
        return Keyboard(self.page)

    def is_answered(self) -> None:
        """Nothing is on its way any more: the server has acknowledged all of it."""
        kept = "Object.keys(sessionStorage).some((key) => key.startsWith('varv.outbox.'))"
        until(lambda: not self.page.evaluate(kept), self.page)

    def lies_at(self, position: int) -> None:
        expect(self.placed).to_have_attribute("data-gap", str(position))

    def option(self, number: int) -> Locator:
        """Of the ten, or three, that are shown."""
        return self.page.locator(".opts").get_by_role("radio").nth(number)

    def picks(self, part: str, number: int) -> Locator:
        """`oracle`: a title or an artist, whatever comes of it; gives its tab."""
        tab = self.page.get_by_role("tab", name=re.compile(rf"^{self.word(part)}"))
        tab.click()
        self.option(number).click()
        return tab

    def names(self, part: str, number: int) -> None:
        """`oracle`: a title or an artist, free until locked; it is in when the tab says so."""
        tab = self.picks(part, number)
        expect(self.option(number)).to_be_checked()
        expect(tab.locator(".mark--yes")).to_be_visible()

    def guesses(self, position: int = 0, number: int = 0) -> None:
        """`oracle`: all three."""
        self.taps_gap(position)
        self.names("title", number)
        self.names("artist", number)

    def sends(self, part: str, number: int = 0) -> None:
        """`dj`: choose and confirm; there is no way back."""
        if part == "placement":
            self.taps_gap(number)
        else:
            self.option(number).click()
        self.presses(f"send {part}")
        if part != "artist":
            done = self.page.locator(".step--done").filter(has_text=re.compile(r"\S"))
            expect(done).to_have_count(1 if part == "placement" else 2)
        else:
            expect(self.button("send artist")).to_have_count(0)

    def sends_all(self, position: int = 0, number: int = 0) -> None:
        """`dj`: one part after the other."""
        self.sends("placement", position)
        self.sends("title", number)
        self.sends("artist", number)

    @property
    def jokers(self) -> Locator:
        """Those in the hand, when one of them can be spent."""
        return self.page.locator("button.joker-btn:has(.jokers)")

    def asks_joker(self) -> None:
        """What would it show, and what does it cost?"""
        self.jokers.click()

    def uses_joker(self) -> None:
        """Spend one on the part at hand."""
        self.asks_joker()
        self.presses("use joker")

    def takes_back(self, part: str) -> None:
        """`oracle`: no answer after all."""
        self.presses(f"take back {part}")
        tab = self.page.get_by_role("tab", name=re.compile(rf"^{self.word(part)}"))
        expect(tab.locator(".mark--yes")).to_have_count(0)

    def predicts(self, level: str) -> None:
        """As the Oracle."""
        pick = self.page.get_by_role("radio", name=re.compile(rf"^{self.word(level)}"))
        pick.click()
        expect(pick).to_be_checked()

    # Through the menu

    def opens_menu(self, key: str) -> None:
        """And one thing in it."""
        self.presses("menu")
        menu = self.page.get_by_role("dialog")
        menu.get_by_role("button", name=re.compile(rf"^{re.escape(self.word(key))}")).click()

    def confirms(self, key: str) -> None:
        """Yes, in the sheet that asks."""
        sheet = self.page.get_by_role("dialog")
        sheet.get_by_role("button", name=self.word(key), exact=True).click()
        expect(sheet).to_have_count(0)

    def picks_person(self, name: str) -> None:
        """In a sheet that lists the players."""
        people = self.page.get_by_role("dialog").locator(".people")
        people.get_by_role("button", name=re.compile(rf"\b{name}\b")).click()

    def removes(self, name: str) -> None:
        """As the host."""
        self.opens_menu("remove a player")
        self.picks_person(name)
        self.confirms("remove")


class Keyboard:
    """Tab, arrows and Enter: nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def presses(self, key: str) -> None:
        """One key."""
        self.page.keyboard.press(key)

    def _tabs_until(self, found: str, argument: Any = None) -> None:
        for _ in range(80):
            if self.page.evaluate(found, argument):
                return
            self.presses("Tab")
        raise AssertionError(f"the keyboard never gets there: {argument or found}")

    def activates(self, name: str) -> None:
        """Tab to a button that is not blocked, and press it."""
        button = self.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))
        expect(button).to_be_visible()
        expect(button).not_to_have_attribute("aria-disabled", "true")
        mine = button.element_handle()
        self._tabs_until("(e) => document.activeElement === e", mine)
        self.presses("Enter")

    def walks_to_gap(self, position: int) -> None:
        """Tab to the gaps, go along them with the arrows, and lay the card."""
        self._tabs_until("!!document.activeElement.closest('.crate [data-gap]')")
        at = int(self.page.evaluate("document.activeElement.dataset.gap"))
        for _ in range(abs(position - at)):
            self.presses("ArrowRight" if position > at else "ArrowLeft")
        self.presses("Enter")

    def chooses(self, number: int) -> None:
        """Tab to the options, and to one of them with the arrows."""
        self._tabs_until("!!document.activeElement.closest('.opts [role=radio]')")
        for _ in range(number):
            self.presses("ArrowRight")
        self.presses("Enter")
        option = self.page.locator(".opts").get_by_role("radio").nth(number)
        expect(option).to_be_checked()


def _middle(of: Locator) -> tuple[float, float]:
    of.scroll_into_view_if_needed()
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _kept(origin: str, guest: Guest) -> dict[str, Any]:
    """What the phone of somebody who sits at a table keeps."""
    seat = {"code": guest.code, "player": guest.player, "token": guest.token, "name": guest.name}
    kept = [{"name": "varv.seats", "value": json.dumps([seat | {"at": 1}])}]
    return {"cookies": [], "origins": [{"origin": origin, "localStorage": kept}]}
