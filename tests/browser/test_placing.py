"""Placing a card: with a finger that drags, with one that taps, and with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker
from tests.browser.device import until
from tests.browser.guest import Guest, guessing, play_round, reveal, right_gap, seated
from tests.browser.house import House
from tests.browser.phone import Phone

pytestmark = pytest.mark.xdist_group("browser-placing")


def arrived(phone: Phone, guest: Guest, part: str, choice: object) -> None:
    """The server has it."""
    until(lambda: guest.state["viewer"]["guess"][part] == choice, phone.page)


def test_a_card_is_dragged_into_a_gap_and_to_another(phone: PhoneMaker, house: House) -> None:
    bo = guessing(house, "oracle")[1]
    hand = phone(seat=bo)
    hand.drags_to(1)
    arrived(hand, bo, "placement", 1)
    hand.drags_to(0)
    arrived(hand, bo, "placement", 0)


def test_a_drag_that_ends_nowhere_places_nothing(phone: PhoneMaker, house: House) -> None:
    bo = guessing(house, "oracle")[1]
    hand = phone(seat=bo)
    hand.drags_away()
    expect(hand.placed).to_have_count(0)
    expect(hand.page.locator(".hand")).to_be_visible()
    assert bo.state["viewer"]["guess"]["placement"] is None


def test_a_card_is_tapped_into_a_gap_moved_and_taken_back(phone: PhoneMaker, house: House) -> None:
    bo = guessing(house, "oracle")[1]
    hand = phone(seat=bo)
    hand.taps_gap(0)
    arrived(hand, bo, "placement", 0)
    hand.taps_gap(1)
    arrived(hand, bo, "placement", 1)
    hand.presses("take back card")
    expect(hand.placed).to_have_count(0)
    arrived(hand, bo, "placement", None)


def test_a_whole_turn_with_the_keyboard_alone(phone: PhoneMaker, house: House) -> None:
    """The DJ starts, places, names, locks, reveals and goes on, and never touches the screen."""
    people = seated(house, "dj")
    maja = phone("Maja", "en", seat=people[0], is_mobile=False, has_touch=False)
    keys = maja.keyboard
    maja.heading("Your turn as DJ")
    keys.activates("Start the round")
    maja.heading("Where does it go?")
    keys.walks_to_gap(1)
    maja.lies_at(1)
    keys.presses("ArrowLeft")
    maja.lies_at(0)
    keys.activates("Place the card")
    arrived(maja, people[0], "placement", 0)
    maja.heading("Name the song")
    keys.chooses(3)
    keys.activates("Send the title")
    maja.heading("Who is the artist?")
    keys.chooses(1)
    keys.activates("Send the artist")
    maja.heading("All sent")
    for guest in people[1:]:
        guest.guesses()
    maja.reads("Everyone is done")
    keys.activates("Lock the guesses")
    maja.heading("Ready to show the year?")
    keys.activates("Show the year")
    maja.sees("in the sleeve")
    keys.activates("Show title and artist")
    keys.activates("Next round")
    maja.heading("Bo is the DJ")
    keys.activates("Menu")
    expect(maja.page.get_by_role("dialog")).to_be_visible()
    keys.presses("Escape")
    expect(maja.page.get_by_role("dialog")).to_have_count(0)
    focused = "document.activeElement.getAttribute('aria-label')"
    assert maja.page.evaluate(focused) == "Menu", "the focus comes back to where it was"


def test_a_long_timeline_scrolls_and_takes_the_card_anywhere(
    phone: PhoneMaker, house: House
) -> None:
    """With several cards the far gaps are out of sight; the strip leads there."""
    people = seated(house, "oracle", years=(1990, 1980, 2010))
    maja, bo, cleo = people

    def rightly(guest: Guest) -> None:
        guest.places(right_gap(people, guest))

    for _ in range(3):
        play_round(people, rightly)
        if people[0].snapshot["cycle"]["state"] == "BOUNDARY_DECISION":
            maja.do("start_cycle")
        else:
            maja.do("next_round")
    for _ in range(2):
        play_round(people, rightly)
        maja.do("next_round")
    cleo.do("start_round")
    hand = phone(seat=bo)
    cards = len(bo.timeline)
    assert cards >= 4
    expect(hand.page.locator(".crate article.card")).to_have_count(cards)
    hand.page.get_by_role("button", name=re.compile("^Visa 2020-talet")).click()
    hand.taps_gap(cards)
    hand.drags_to(cards - 1)
    arrived(hand, bo, "placement", cards - 1)
    hand.looks()
    cleo.do("predict", difficulty="easy")
    reveal(people)
