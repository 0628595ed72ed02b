"""What a phone does and a laptop does not: sleep, shake, keep things on a home screen."""

import json

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker
from tests.browser.device import until
from tests.browser.guest import guessing, table
from tests.browser.house import House
from tests.browser.party import MIX_ID

pytestmark = pytest.mark.xdist_group("browser-phone")

# Counts who asks for the screen to stay on, and gives what Chromium without a screen does not.
AWAKE = """
globalThis.asked = 0;
Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
  asked += 1;
  globalThis.lock = Object.assign(new EventTarget(), { release: async () => {} });
  return lock;
} } });
"""
NO_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"
SHAKES = """
globalThis.shaken = [];
navigator.vibrate = (pattern) => { shaken.push(pattern); return true; };
"""


def test_the_screen_stays_on_and_is_asked_again_after_sleep(
    phone: PhoneMaker, house: House
) -> None:
    people = table(house, "oracle", 3, mix=MIX_ID)
    bo = phone("Bo", "sv")
    bo.context.add_init_script(AWAKE)
    bo.opens(people[1].link())
    bo.in_lobby()
    until(lambda: bo.page.evaluate("asked") == 1, bo.page)
    # The browser takes it back when the phone sleeps.
    bo.page.evaluate("lock.dispatchEvent(new Event('release'))")
    bo.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(lambda: bo.page.evaluate("asked") == 2, bo.page)


def test_on_plain_http_a_silent_film_keeps_the_screen_on(phone: PhoneMaker, house: House) -> None:
    people = table(house, "oracle", 3, mix=MIX_ID)
    bo = phone("Bo", "sv")
    bo.context.add_init_script(NO_LOCK)
    bo.opens(people[1].link())
    bo.in_lobby()
    bo.presses("later")
    film = bo.page.locator("video.keep-awake")
    expect(film).to_have_js_property("paused", False)
    expect(film).to_have_js_property("muted", True)
    expect(film).to_have_js_property("loop", True)
    until(lambda: bo.page.evaluate("document.querySelector('video').currentTime") > 0, bo.page)


def test_it_shakes_when_a_card_lands_and_when_it_is_your_turn(
    phone: PhoneMaker, house: House
) -> None:
    people = guessing(house, "oracle")
    bo = phone("Bo", "sv")
    bo.context.add_init_script(SHAKES)
    bo.opens(people[1].link())
    bo.says("listen")
    bo.drags_to(1)
    until(lambda: len(bo.page.evaluate("shaken")) >= 2, bo.page)
    before = len(bo.page.evaluate("shaken"))
    people[2].guesses()
    people[0].do("predict", difficulty="easy")
    people[0].do("lock_round")
    people[0].do("reveal", to="REVEALED")
    people[0].do("next_round")
    bo.says("oracle turn")
    until(lambda: len(bo.page.evaluate("shaken")) > before, bo.page)


def test_it_can_be_installed(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.opens("/")
    bo.sees("create")
    browser = bo.context.new_cdp_session(bo.page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    faults = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Every context of a test is a private window, which the browser installs nothing from.
    assert [fault["errorId"] for fault in faults] == ["in-incognito"]
    told = json.loads(manifest["data"])
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert {icon["purpose"] for icon in told["icons"] if "purpose" in icon} == {"any", "maskable"}
    for icon in told["icons"]:
        assert bo.page.request.get(icon["src"]).ok
