"""Every page and every sheet, in both languages, by night and by day, and with large text."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import Lang
from tests.browser.guest import guessing, table
from tests.browser.house import House
from tests.browser.party import MIX_ID
from tests.browser.phone import Phone

pytestmark = pytest.mark.xdist_group("browser-pages")
LANGS: tuple[Lang, ...] = ("sv", "en")
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("lang", LANGS)
def test_pages_that_need_no_game(phone: PhoneMaker, lang: Lang) -> None:
    bo = phone("Bo", lang)
    bo.opens("/")
    bo.looks()
    bo.presses("appearance")
    bo.looks()
    bo.presses("close")
    bo.opens("/#new")
    expect(bo.page.get_by_role("radio", name=re.compile("Fredagsmix"))).to_be_visible()
    bo.looks()
    bo.opens("/#try")
    expect(bo.page.get_by_role("radio", name=re.compile("Fredagsmix"))).to_be_visible()
    bo.looks()


@pytest.mark.parametrize("lang", LANGS)
def test_how_to_play_is_the_manual_with_its_pictures(phone: PhoneMaker, lang: Lang) -> None:
    manual = (DOCS / f"manual.{lang}.md").read_text(encoding="utf-8")
    bo = phone("Bo", lang)
    bo.opens("/")
    bo.page.get_by_role("link", name=bo.word("how to")).click()
    bo.heading(bo.word("how to"))
    for heading in re.findall(r"^#+ (.+)$", manual, re.MULTILINE):
        expect(bo.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    for alt in re.findall(r'alt="([^"]+)"', manual):
        picture = bo.page.get_by_role("img", name=alt, exact=True)
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("(img) => img.naturalWidth") > 390
    bo.looks()


@pytest.mark.parametrize("lang", LANGS)
def test_every_sheet_of_the_menu(phone: PhoneMaker, house: House, lang: Lang) -> None:
    people = table(house, "oracle", 3, mix=MIX_ID)
    maja = phone("", lang, seat=people[0])
    maja.in_lobby()
    for sheet in ("code sheet", "pair", "bots", "settings", "link", "remove a player", "about"):
        maja.opens_menu(sheet)
        maja.looks()
        maja.presses("close")
    maja.presses("menu")
    maja.looks()
    maja.presses("close")
    people[0].do("start_game")
    people[0].do("start_round")
    for sheet in ("change song", "abort", "end game"):
        maja.opens_menu(sheet)
        maja.looks()
        maja.presses("close")
    maja.opens_menu("end game")
    maja.sees("lap unfinished")
    maja.confirms("end game")
    maja.sees("no ranking")
    maja.looks()


def test_the_language_can_be_changed_and_stays(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.opens("/")
    bo.sees("create")
    bo.presses("appearance")
    bo.page.get_by_role("radio", name="English").check(force=True)
    bo.lang = "en"
    bo.sees("appearance")
    bo.presses("close")
    bo.page.reload()
    bo.sees("create")
    bo.looks()


def test_day_and_night_can_be_chosen_and_stay(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.opens("/")
    room = "getComputedStyle(document.body).backgroundColor"
    night = bo.page.evaluate(room)
    bo.presses("appearance")
    bo.page.get_by_role("radio", name="Dag").check(force=True)
    day = bo.page.evaluate(room)
    assert day != night
    bo.page.reload()
    bo.sees("create")
    assert bo.page.evaluate(room) == day


def fits(*devices: Phone) -> None:
    for device in devices:
        wide = device.page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= 390, f"{device.page.url} is {wide} px wide"


@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_text_can_grow_to_twice_its_size(phone: PhoneMaker, house: House, edition: str) -> None:
    """It fits the width, and the buttons that matter are in reach: nothing lies over them."""
    people = table(house, edition, 3, mix=MIX_ID)
    maja, bo = (phone("", "sv", seat=guest) for guest in people[:2])
    for device in (maja, bo):
        device.in_lobby()
        device.page.add_style_tag(content="html { font-size: 200% !important }")
    fits(maja, bo)
    maja.presses("start game")
    bo.reads(re.compile("Väntar på att Maja"))
    fits(maja, bo)
    maja.presses("start round")
    bo.taps_gap(1)
    fits(maja, bo)
    if edition == "dj":
        bo.presses("send placement")
        bo.says("name the song")
        bo.sends("title", 9)
        bo.sends("artist", 9)
    else:
        bo.names("title", 9)
        bo.names("artist", 9)
        maja.predicts("hard")
    fits(maja, bo)
    maja.presses("lock")
    if edition == "dj":
        # She has not guessed herself, so she is asked.
        fits(maja)
        maja.confirms("lock")
    bo.says("locked")
    fits(maja, bo)
    maja.presses("reveal year" if edition == "dj" else "reveal")
    names = bo.page.locator("tbody th")
    expect(names).to_have_count(3 if edition == "dj" else 2)
    wide = names.evaluate_all("(all) => Math.min(...all.map((e) => e.clientWidth))")
    assert wide > 80, f"{wide} px for a name"
    fits(maja, bo)


def test_the_start_page_with_large_text(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.opens("/")
    bo.sees("create")
    bo.page.add_style_tag(content="html { font-size: 200% !important }")
    for what in bo.page.locator("main a, main button, main input, main p").all():
        box = what.bounding_box()
        assert box is None or box["x"] + box["width"] <= 390, what.inner_text()


def test_motion_stages_the_reveal_and_stillness_shows_it_at_once(
    phone: PhoneMaker, house: House
) -> None:
    people = guessing(house, "oracle")
    moving = phone("", "en", seat=people[1], reduced_motion="no-preference")
    still = phone("", "en", seat=people[2])
    for device in (moving, still):
        device.heading("Listen and guess")
    for guest in people[1:]:
        guest.guesses()
    people[0].do("predict", difficulty="easy")
    people[0].do("lock_round")
    for device in (moving, still):
        device.heading("Locked")
    # Its clock stands still, so that the first stage lasts however long the machine takes.
    moving.page.clock.install(time=0)
    moving.page.clock.pause_at(1)
    people[0].do("reveal", to="REVEALED")
    # The year fills the phone first; a tap shows the rest.
    expect(moving.page.locator(".flood--full")).to_be_visible()
    moving.presses("skip")
    moving.sees("difficulty")
    still.sees("difficulty")
    expect(still.page.locator(".flood--full")).to_have_count(0)


def test_what_changes_is_read_aloud(phone: PhoneMaker, house: House) -> None:
    people = table(house, "oracle", 3, mix=MIX_ID)
    bo = phone("", "sv", seat=people[1])
    bo.in_lobby()
    spoken = bo.page.locator("[aria-live][aria-atomic=true]")
    people[0].do("start_game")
    expect(spoken).to_have_text("Runda 1. Maja leder.")
    people[0].do("start_round")
    expect(spoken).to_have_text("Rundan har börjat. Lyssna och gissa.")


def test_a_screen_for_an_unknown_game_says_so(screen: ScreenMaker) -> None:
    tv = screen("sv")
    tv.watches("ZZZZZZ")
    tv.heading("Det spelet finns inte")
    tv.looks()


@pytest.mark.parametrize("lang", LANGS)
def test_ten_at_the_table(phone: PhoneMaker, screen: ScreenMaker, house: House, lang: Lang) -> None:
    people = guessing(house, "oracle", 10)
    maja, bo = (phone("", lang, seat=guest) for guest in people[:2])
    tv = screen(lang)
    tv.watches(people[0].code)
    expect(tv.page.locator(".tvseat")).to_have_count(10)
    tv.looks()
    maja.sees("predict first")
    maja.looks()
    expect(bo.page.locator(".seat")).to_have_count(9)
    bo.looks()
