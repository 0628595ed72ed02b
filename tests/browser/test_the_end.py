"""The end of a game: places, what to remember, a picture to share, and every round of it."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import Lang, until
from tests.browser.guest import Guest, play_lap, play_round, right_gap, seated, wholly
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
def test_all_that_a_full_house_gives(
    phone: PhoneMaker, screen: ScreenMaker, house: House, lang: Lang
) -> None:
    """A card, a star and a joker, the DJ's too (RND-24, RND-25): in sight, and on the shelf."""
    people = seated(house, "dj")
    play_round(people, wholly)
    bo, tv = phone("", lang, seat=people[1]), screen(lang)
    tv.watches(people[0].code)
    for device in (bo, tv):
        expect(device.page.locator("tbody tr")).to_have_count(3)
        for gain in (".gain--card", ".gain--star", ".gain .jk"):
            expect(device.page.locator(f"tbody {gain}")).to_have_count(3)
        expect(device.page.locator(".gain__seal")).to_have_count(1)
        device.looks()
    for _ in people[1:]:
        people[0].do("next_round")
        play_round(people, wholly)
    people[0].do("finish_game")
    for device in (bo, tv):
        # Two in each timeline and one beside it; the Start Card has none.
        expect(device.page.locator(".shelf .star")).to_have_count(9)
    bo.sees("most stars")
    bo.looks()
    tv.looks()


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


def test_whoever_came_too_late_for_a_place(
    phone: PhoneMaker, screen: ScreenMaker, house: House
) -> None:
    """RANK-09: listed after the others, on the phone and on the wall."""
    people = seated(house, "oracle")
    play_lap(people)
    Guest.join(house, people[0].code, "Eva")
    people[0].do("finish_game")
    bo, tv = phone("", "sv", seat=people[1]), screen("sv")
    tv.watches(people[0].code)
    for device in (bo, tv):
        last = device.page.locator(".place").nth(3)
        expect(last).to_contain_text("Eva")
        expect(last).to_contain_text(device.word("no place"))
        device.looks()


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
