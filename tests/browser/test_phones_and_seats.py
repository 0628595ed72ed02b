"""A seat belongs to a token: taken from, given back, moved, found again, opened twice."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import until
from tests.browser.guest import guessing, local, play_lap, play_round, seated, table
from tests.browser.house import House
from tests.browser.party import MIX_ID

pytestmark = pytest.mark.xdist_group("browser-seats")


def test_the_dj_is_removed_in_the_middle_and_the_creator_takes_over(
    phone: PhoneMaker, house: House
) -> None:
    people = seated(house, "dj", 4)
    play_round(people)
    people[0].do("next_round")
    maja, bo, cleo = (phone("", "sv", seat=guest) for guest in people[:3])
    bo.presses("start round")
    bo.hears()
    maja.heading("Var hör den hemma?")
    maja.opens_menu("remove a player")
    maja.picks_person("Bo")
    maja.reads("Du tar över rundan.")
    maja.looks()
    maja.confirms("remove")

    bo.heading("Du är ute ur spelet")
    assert bo.song_time is None
    bo.looks()
    maja.reads("DJ har lämnat: Maja tar över.")
    cleo.reads("DJ har lämnat: Maja tar över.")
    maja.presses("play")
    maja.hears()
    # Not the DJ, only standing in: the creator may use jokers.
    maja.uses_joker()
    maja.sees("joker says")
    maja.sends_all(0, 1)
    cleo.sends_all(0, 2)
    people[3].guesses()
    maja.presses("lock")
    cleo.reads("Maja visar snart svaret.")
    maja.presses("reveal year")
    maja.presses("reveal names")
    expect(cleo.page.locator(".table tbody tr")).to_have_count(3)
    maja.presses("next round")
    cleo.heading("Din tur som DJ")


def test_the_oracle_is_removed_and_the_round_is_called_off(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle", 4)
    play_round(people)
    people[0].do("next_round")
    maja, bo, cleo = (phone("", "en", seat=guest) for guest in people[:3])
    bo.presses("start round")
    maja.heading("Listen and guess")
    maja.removes("Bo")
    bo.heading("You are out of the game")
    cleo.heading("Your turn as Oracle")
    cleo.reads("The round was aborted: its leader is no longer in the game.")
    bo.page.reload()
    bo.heading("A lap is under way")


def test_a_screen_with_a_ticket_that_is_no_good_is_a_plain_screen(
    screen: ScreenMaker, house: House
) -> None:
    people = seated(house, "oracle")
    tv = screen("sv")
    tv.opens(f"/screen/{people[0].code}#ticket=nonsense")
    tv.says("oracle is up", "Maja")
    expect(tv.page.locator(".tv__sound")).to_have_count(0)


def test_a_late_guest_waits_and_joins_between_laps(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle")
    maja, bo, cleo = people
    host = phone("", "en", seat=maja)
    late = phone("Eva", "en")
    late.types_code(maja.code)
    late.reads(re.compile("You can join when this lap is over"))
    late.looks()
    play_lap(people)
    host.presses("standings")
    host.reads("New players can join now, with the code.")
    # The page has noticed by itself.
    late.page.get_by_label(late.word("name")).fill("Eva")
    late.presses("take a seat")
    late.reads("Welcome! Choose your start year: you play from the next lap.")
    host.reads("Eva has not chosen a start year yet.")
    late.looks()
    late.page.get_by_label(late.word("start year"), exact=True).fill("1999")
    expect(host.button("another lap")).not_to_have_attribute("aria-disabled", "true")
    host.presses("another lap")
    host.presses("start round")
    late.heading("Listen and guess")
    late.reads("1999")
    late.guesses(1, 0)
    bo.guesses()
    cleo.guesses()
    host.predicts("easy")
    expect(host.button("lock")).to_contain_text("3 of 3 have placed")


def test_two_tabs_of_one_player_show_the_same_and_one_of_them_plays(
    phone: PhoneMaker, house: House
) -> None:
    people = seated(house, "dj")
    maja = phone("", "sv", seat=people[0])
    other = maja.twin()
    maja.presses("start round")
    maja.hears()
    maja.sends("placement", 1)
    other.heading("Vad heter låten?")
    other.option(4).click()
    other.presses("send title")
    maja.heading("Vem är artisten?")
    assert [maja.song_time is None, other.song_time is None] == [False, True]
    other.presses("play")
    other.hears()
    until(lambda: maja.song_time is None, maja.page)


def test_typing_the_code_on_the_same_phone_finds_the_seat(phone: PhoneMaker, house: House) -> None:
    people = table(house, "oracle", 3, mix=MIX_ID)
    bo = phone("Bosse", "sv")
    bo.joins(people[0].code)
    bo.in_lobby()
    bo.picks_year(1991)
    people[0].do("start_game")
    people[0].do("start_round")
    bo.heading("Lyssna och gissa")
    bo.types_code(people[0].code)
    bo.heading("Lyssna och gissa")
    bo.reads("1991")
    names = [player["name"] for player in people[0].snapshot["players"]]
    assert names.count("Bosse") == 1


def test_a_link_moves_the_seat_to_another_phone(phone: PhoneMaker, house: House) -> None:
    people = guessing(house, "oracle")
    maja, bo = (phone("", "en", seat=guest) for guest in people[:2])
    bo.taps_gap(1)
    bo.is_answered()
    maja.opens_menu("link")
    maja.picks_person("Bo")
    link = maja.page.get_by_role("dialog").locator("code").inner_text()
    assert re.fullmatch(rf"http://[\d.:]+/g/{people[0].code}#[\w-]+", link)
    maja.looks()
    maja.presses("close")
    new = phone("Bo", "en")
    new.opens(local(link))
    new.lies_at(1)
    assert "#" not in new.page.url, "the ticket is not left in the address"
    bo.sees("seat moved")
    maja.sees("rejoined")
    # It works once.
    third = phone("Bo", "en")
    third.noise.cut = True
    third.opens(local(link))
    third.sees("link used")
    third.looks()


def test_an_unknown_code_leads_back(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.noise.cut = True
    bo.types_code("ZZZZZZ")
    bo.heading("Det spelet finns inte")
    bo.looks()
    bo.page.get_by_role("link", name="Till startsidan").click()
    bo.heading("Varv")


def test_an_unfinished_game_is_offered_and_can_be_ended(phone: PhoneMaker) -> None:
    maja = phone("Maja", "sv")
    code = maja.creates("oracle")
    maja.opens("/")
    maja.reads(f"Gå tillbaka till {code}, eller avsluta det.")
    maja.looks()
    maja.noise.cut = True
    maja.page.get_by_role("link", name=maja.word("create")).click()
    maja.presses("create it")
    sheet = maja.page.get_by_role("dialog")
    expect(sheet).to_contain_text(code)
    maja.looks()
    sheet.get_by_role("button", name="Avsluta det").click()
    maja.looks()
    sheet.get_by_role("button", name="Avsluta det").click()
    maja.in_lobby()
    assert maja.code != code
