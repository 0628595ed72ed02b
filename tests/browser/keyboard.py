"""Hands that do not touch the screen."""

import re
from typing import Any

from playwright.sync_api import Page, expect


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
