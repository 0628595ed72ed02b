"""The end of a game: places, what to remember, a picture to share, and every round of it."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker
from tests.browser.device import Lang, until
from tests.browser.guest import Guest, play_lap, right_gap, seated
from tests.browser.house import House

pytestmark = pytest.mark.xdist_group("browser-end")

# As on a phone that can share files; Chromium without a screen cannot.
SHARES = """
navigator.canShare = (what) => what.files.length === 1;
navigator.share = async (what) => { globalThis.shared = what.files[0]; };
"""


def finished(house: House, edition: str) -> list[Guest]:
    """A game of one lap; where an Oracle can tell the guessers the year, all are right."""
    people = seated(house, edition)

    def rightly(guest: Guest) -> None:
        guest.guesses(right_gap(people, guest))

    play_lap(people, rightly if edition == "oracle" else Guest.guesses)
    people[0].do("finish_game")
    return people


@pytest.mark.parametrize("lang", ["sv", "en"])
def test_what_to_remember_and_every_round(phone: PhoneMaker, house: House, lang: Lang) -> None:
    bo = phone("", lang, seat=finished(house, "oracle")[1])
    bo.sees("one lap")
    # Everyone was right every time: all have two cards and the Start Card, and share the place.
    expect(bo.page.locator(".place__no")).to_have_text([f"1{bo.word('shared')}"] * 3)
    expect(bo.page.get_by_role("img", name=re.compile(r"(\d{4}, ){2}\d{4}"))).to_have_count(3)
    bo.sees("memories")
    bo.sees("streak")
    bo.looks()
    bo.page.get_by_role("link", name=bo.word("history")).click()
    expect(bo.page.locator(".past__round")).to_have_count(3)
    bo.looks()


def test_the_picture_is_saved(phone: PhoneMaker, house: House) -> None:
    bo = phone("", "sv", seat=finished(house, "dj")[1])
    with bo.page.expect_download() as download:
        bo.presses("picture")
    with download.value.path().open("rb") as file:
        picture = Image.open(io.BytesIO(file.read())).convert("RGB")
    assert picture.width == 1080
    assert len(picture.getcolors(1 << 24) or []) > 100, "nothing is drawn on it"


def test_the_picture_is_shared_where_the_phone_can(phone: PhoneMaker, house: House) -> None:
    guest = finished(house, "dj")[1]
    bo = phone("Bo", "sv")
    bo.context.add_init_script(SHARES)
    bo.opens(guest.link())
    bo.presses("picture")
    until(lambda: bo.page.evaluate("!!globalThis.shared"), bo.page)
    name, kind, size = bo.page.evaluate("[shared.name, shared.type, shared.size]")
    assert name == f"varv-{guest.code}.png"
    assert (kind, size > 10_000) == ("image/png", True)
