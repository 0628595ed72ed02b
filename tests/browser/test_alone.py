"""One person and three bots play a whole lap, with the music that is always there; and again."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker
from tests.browser.guest import play_lap, seated
from tests.browser.house import House

pytestmark = pytest.mark.xdist_group("browser-alone")


def test_one_person_plays_a_lap_with_bots(phone: PhoneMaker) -> None:
    maja = phone("Maja", "sv")
    maja.opens("/")
    maja.page.get_by_role("link", name=maja.word("with bots")).click()
    maja.page.get_by_label(maja.word("name")).fill("Maja")
    maja.looks()
    maja.presses("create it")
    maja.in_lobby()
    expect(maja.page.locator(".folk li")).to_have_count(4)
    maja.picks_year(1990)
    maja.presses("start game")
    maja.presses("start round")
    maja.hears()
    maja.predicts("medium")
    expect(maja.button("lock")).to_contain_text("3 av 3 har placerat")
    maja.presses("lock")
    maja.presses("reveal")
    maja.presses("next round")
    for turn in range(3):
        # A bot leads: it starts by itself, locks when everyone is done, and shows the answer.
        maja.heading("Lyssna och gissa")
        maja.hears()
        maja.taps_gap(0)
        maja.names("title", turn)
        # The last thing that the bot waits for: it may lock before the choice can be looked at.
        maja.picks("artist", turn)
        maja.sees("difficulty")
        if turn < 2:
            maja.presses("next round")
    maja.presses("standings")
    maja.presses("end here")
    maja.confirms("end game")
    maja.reads("1 helt varv")
    first = maja.code
    maja.presses("play again")
    maja.in_lobby()
    expect(maja.page).not_to_have_url(re.compile(first))
    expect(maja.page.locator(".folk li")).to_have_count(4)


def test_play_again_takes_everyone_along(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle")
    play_lap(people)
    people[0].do("finish_game")
    maja, bo, cleo = (phone("", "en", seat=guest) for guest in people)
    bo.reads("Maja can start a new game with everyone.")
    maja.presses("play again")
    maja.in_lobby()
    code = maja.code
    assert code != people[0].code
    for person in (bo, cleo):
        person.in_lobby()
        assert person.code == code
    expect(maja.page.locator(".folk li")).to_have_count(3)
    for person, year in ((maja, 1990), (bo, 1985), (cleo, 2001)):
        person.picks_year(year)
    maja.presses("start game")
    cleo.heading("Maja is the Oracle")
