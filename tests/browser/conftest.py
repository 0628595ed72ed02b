"""A browser, a real server, and phones to hand out."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tests.browser.chromium import launch
from tests.browser.device import PATIENCE, Device, Lang, Screen
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.party import open_house
from tests.browser.phone import Phone

PhoneMaker = Callable[..., Phone]
ScreenMaker = Callable[..., Screen]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One per file: Playwright keeps an event loop running, which other files have their own of."""
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with a mix of eight decades, for all tests that leave it running."""
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def house(party: House) -> House:
    """The server of a test; a file that kills it has its own."""
    return party


@pytest.fixture
def devices() -> Iterator[list[Device]]:
    """Put away when the test is over; a complaint of the browser is a failure."""
    out: list[Device] = []
    yield out
    noise = {}
    for device in out:
        device.context.close()
        if device.noise.unexpected:
            noise[getattr(device, "name", "screen")] = device.noise.unexpected
    assert not noise


@pytest.fixture
def phone(browser: Browser, house: House, devices: list[Device]) -> PhoneMaker:
    """`phone("Bo", "sv")`; with `seat` it already sits there."""

    def make(
        name: str = "Maja", lang: Lang = "sv", *, seat: Guest | None = None, **more: Any
    ) -> Phone:
        device = Phone(browser, house, lang, seat.name if seat else name, seat=seat, **more)
        devices.append(device)
        if seat is not None:
            device.sits(seat)
        return device

    return make


@pytest.fixture
def screen(browser: Browser, house: House, devices: list[Device]) -> ScreenMaker:
    """`screen("sv")`."""

    def make(lang: Lang = "sv", **more: Any) -> Screen:
        device = Screen(browser, house, lang, **more)
        devices.append(device)
        return device

    return make
