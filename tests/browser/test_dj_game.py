"""A whole game of the `dj` edition in each language: four phones and a screen on the wall."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import Lang
from tests.browser.phone import Phone

pytestmark = pytest.mark.xdist_group("browser-dj")


@pytest.mark.parametrize("lang", ["sv", "en"])
def test_a_whole_game(phone: PhoneMaker, screen: ScreenMaker, lang: Lang) -> None:
    maja, bo, cleo, david = people = [phone(name, lang) for name in ("Maja", "Bo", "Cleo", "David")]
    tv = screen(lang)
    maja.opens("/")
    maja.looks()
    code = maja.creates("dj")
    expect(maja.button("start game")).to_have_attribute("aria-disabled", "true")
    maja.looks()
    tv.watches(code)
    tv.says("waiting for players")
    for person in (bo, cleo, david):
        person.joins(code)
        person.in_lobby()
    for person, year in zip(people, (1988, 1994, 2003, 1981), strict=True):
        person.picks_year(year)
    maja.presses("test sound")
    maja.sees("sound works")
    bo.sees("starts the game", "Maja")
    bo.looks()
    tv.reads("2003")
    tv.looks()

    maja.presses("start game")
    for turn, leader in enumerate(people):
        leader.says("dj turn")
        tv.says("dj is up", leader.name)
        leader.presses("start round")
        for person in people:
            person.says("where")
        tv.says("listen")
        if turn == 0:
            first_round(maja, bo, cleo, david)
            tv.looks()
        else:
            for person in people:
                person.sends_all(0, turn)
        tv.reads(re.compile(rf"^{tv.word('of four')}$"))
        leader.presses("lock")
        leader.says("ready")
        for person in people:
            if person is not leader:
                person.says("locked")
        if turn == 1:
            leader.looks()
            maja.looks()
        leader.presses("reveal year")
        for person in people:
            person.sees("in the sleeve")
        tv.reveals()
        tv.sees("in the sleeve")
        if turn == 1:
            cleo.looks()
            tv.looks()
        leader.presses("reveal names")
        for person in people:
            expect(person.page.locator(".flood h1")).not_to_be_empty()
            expect(person.page.locator(".table tbody tr")).to_have_count(4)
        if turn == 1:
            cleo.looks()
            tv.looks()
        if turn < 3:
            following = people[turn + 1]
            leader.sees("dj next", following.name)
            leader.presses("next round")

    for person in people:
        person.presses("standings")
        person.says("lap done")
    maja.looks()
    bo.sees("decides", "Maja")
    maja.presses("end here")
    maja.sees("lap counts")
    maja.looks()
    maja.confirms("end game")
    for person in people:
        person.sees("one lap")
        expect(person.page.locator(".place")).to_have_count(4)
    bo.looks()
    tv.sees("screen end")
    tv.looks()
    bo.page.get_by_role("link", name=bo.word("history")).click()
    expect(bo.page.locator(".past__round")).to_have_count(4)
    bo.looks()


def first_round(maja: Phone, bo: Phone, cleo: Phone, david: Phone) -> None:
    """Every screen of guessing, looked at: one part after the other, and jokers."""
    maja.looks()
    # The DJ uses no joker in their own round.
    expect(maja.jokers).to_have_count(0)
    bo.uses_joker()
    bo.sees("joker says")
    bo.looks()
    bo.taps_gap(1)
    bo.sees("no way back")
    bo.presses("send placement")
    bo.says("name the song")
    expect(bo.page.locator(".opts").get_by_role("radio")).to_have_count(10)
    bo.looks()
    cleo.sends("placement", 0)
    cleo.uses_joker()
    expect(cleo.page.locator(".opts").get_by_role("radio")).to_have_count(3)
    cleo.sees("three titles")
    cleo.looks()
    cleo.sends("title", 1)
    bo.sends("title", 3)
    bo.sends("artist", 3)
    bo.says("all sent")
    bo.looks()
    cleo.sends("artist", 2)
    david.sends_all(0, 5)
    maja.sends_all(1, 6)
    maja.sees("all done")
