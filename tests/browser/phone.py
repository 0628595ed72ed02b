"""A phone in somebody's hand: tests read like play."""

import copy
import re
from typing import Any

from playwright.sync_api import Browser, Locator, expect
from tests.browser.device import Device, Lang, until
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.keyboard import Keyboard
from tests.browser.party import MIX


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

    def creates(self, edition: str) -> str:
        """From the start page to the lobby; gives the code."""
        self.opens("/")
        self.page.get_by_role("link", name=self.word("create")).click()
        self.page.get_by_label(self.word("name")).fill(self.name)
        for choice in (self.word(edition), MIX):
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


def _middle(of: Locator) -> tuple[float, float]:
    of.scroll_into_view_if_needed()
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
