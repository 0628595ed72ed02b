"""A whole game of the `oracle` edition in each language: four phones and a screen on the wall."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import Lang
from tests.browser.phone import Phone

pytestmark = pytest.mark.xdist_group("browser-oracle")


@pytest.mark.parametrize("lang", ["en", "sv"])
def test_a_whole_game(phone: PhoneMaker, screen: ScreenMaker, lang: Lang) -> None:
    maja, bo, cleo, david = people = [phone(name, lang) for name in ("Maja", "Bo", "Cleo", "David")]
    tv = screen(lang)
    code = maja.creates("oracle")
    tv.watches(code)
    bo.types_code(code)
    bo.looks()
    bo.joins(code)
    cleo.joins(code)
    david.joins(code)
    for person, year in zip(people, (1988, 1994, 2003, 1981), strict=True):
        person.picks_year(year)
    maja.looks()
    tv.looks()
    maja.presses("start game")
    for turn, leader in enumerate(people):
        leader.says("oracle turn")
        tv.says("oracle is up", leader.name)
        if turn == 1:
            leader.looks()
            tv.looks()
        leader.presses("start round")
        tv.says("listen")
        guessers = [person for person in people if person is not leader]
        if turn == 0:
            first_round(leader, bo, cleo, david)
            tv.looks()
        else:
            leader.predicts(("easy", "medium", "hard")[turn - 1])
            for person in guessers:
                person.guesses(1, turn)
        expect(leader.button("lock")).to_contain_text(leader.word("three placed"))
        leader.presses("lock")
        leader.heading(re.compile(leader.word("you said")))
        for person in guessers:
            person.says("locked")
        if turn == 0:
            bo.looks()
            leader.looks()
            leader.presses("unlock")
            bo.says("listen")
            leader.presses("lock")
            bo.says("locked")
        leader.presses("reveal")
        for person in people:
            expect(person.page.locator(".flood h1")).not_to_be_empty()
            person.sees("difficulty")
        tv.reveals()
        tv.sees("difficulty")
        if turn == 0:
            leader.looks()
            bo.looks()
            tv.looks()
            doubts(bo)
        if turn < 3:
            maja.sees("oracle next", people[turn + 1].name)
            maja.presses("next round")

    for person in people:
        person.presses("standings")
        person.says("lap done")
    bo.looks()
    tv.says("lap done")
    tv.looks()
    maja.presses("end here")
    maja.confirms("end game")
    for person in people:
        person.sees("one lap")
        expect(person.page.locator(".place")).to_have_count(4)
    maja.sees("memories")
    maja.looks()
    tv.sees("screen end")
    tv.looks()
    maja.page.get_by_role("link", name=maja.word("history")).click()
    expect(maja.page.locator(".past__round")).to_have_count(4)
    maja.looks()
    maja.page.go_back()
    with maja.page.expect_download() as download:
        maja.presses("picture")
    assert download.value.suggested_filename.endswith(".png")


def first_round(oracle: Phone, bo: Phone, cleo: Phone, david: Phone) -> None:
    """Every screen of guessing: free until it is locked, and the Oracle who knows."""
    oracle.sees("predict first")
    expect(oracle.button("lock")).to_have_attribute("aria-disabled", "true")
    oracle.looks()
    oracle.predicts("hard")
    oracle.predicts("medium")
    expect(oracle.button("lock")).not_to_have_attribute("aria-disabled", "true")
    bo.looks()
    bo.uses_joker()
    bo.sees("joker says")
    bo.taps_gap(1)
    bo.taps_gap(0)
    bo.names("title", 4)
    bo.names("title", 5)
    bo.names("artist", 5)
    bo.takes_back("artist")
    bo.looks()
    cleo.guesses(0, 2)
    david.guesses(1, 9)
    seat = re.compile(f"Cleo.* {bo.word('seat done')}")
    expect(bo.page.get_by_role("button", name=seat)).to_be_visible()
    bo.page.get_by_role("button", name=seat).click()
    expect(bo.page.get_by_role("dialog")).to_contain_text("2003")
    bo.looks()
    bo.presses("close")


def doubts(bo: Phone) -> None:
    """A year that looks wrong can be flagged."""
    bo.presses("doubt")
    bo.looks()
    bo.confirms("send")
    bo.sees("noted")
