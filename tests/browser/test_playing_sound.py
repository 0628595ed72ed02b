"""The song comes out where it should, and nowhere else."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import Device, until
from tests.browser.guest import guess, reveal, seated, table
from tests.browser.house import House
from tests.browser.party import MIX_ID, SONGS

pytestmark = pytest.mark.xdist_group("browser-sound")


def only(here: Device, *elsewhere: Device) -> None:
    """It plays here, for a while, and is silent everywhere else."""
    here.hears()
    for device in elsewhere:
        assert device.song_time is None, f"heard at {getattr(device, 'name', 'the screen')}"


def test_dj_the_song_follows_the_dj(phone: PhoneMaker, screen: ScreenMaker, house: House) -> None:
    people = seated(house, "dj")
    maja, bo, cleo = (phone("", "sv", seat=guest) for guest in people)
    tv = screen("sv")
    tv.watches(people[0].code)
    maja.presses("start round")
    only(maja, bo, cleo, tv)
    expect(tv.page.get_by_role("img", name="låten spelas").first).to_be_visible()
    maja.presses("pause")
    until(lambda: maja.song_time is None, maja.page)
    bo.reads("DJ: Maja, som spelar låten.")
    maja.presses("play")
    only(maja, bo, cleo, tv)
    guess(people)
    reveal(people)
    people[0].do("next_round")
    bo.presses("start round")
    only(bo, maja, cleo, tv)


def test_oracle_the_hosts_phone_plays_whoever_is_oracle(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle")
    maja, bo, cleo = (phone("", "en", seat=guest) for guest in people)
    maja.presses("start round")
    only(maja, bo, cleo)
    guess(people)
    reveal(people)
    maja.presses("next round")
    bo.presses("start round")
    only(maja, bo, cleo)


def test_apart_every_phone_plays(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle", audio="everyone")
    phones = [phone("", "sv", seat=guest) for guest in people]
    for device in phones:
        device.page.locator("main").click(position={"x": 5, "y": 5})
    phones[0].presses("start round")
    for device in phones:
        device.hears()


def test_a_paired_screen_plays_and_the_phones_are_silent(
    phone: PhoneMaker, screen: ScreenMaker, house: House
) -> None:
    people = table(house, "oracle", 3, mix=MIX_ID, audio="screen")
    tv, other = screen("en"), screen("en")
    tv.opens(people[0].screen())
    other.watches(people[0].code)
    tv.sees("screen sound")
    tv.looks()
    tv.page.keyboard.press("Enter")
    people[0].do("start_game")
    maja, bo, cleo = (phone("", "en", seat=guest) for guest in people)
    maja.presses("start round")
    only(tv, other, maja, bo, cleo)
    maja.presses("pause")
    until(lambda: tv.song_time is None, tv.page)


@pytest.mark.rule("VIEW-06")
def test_nothing_that_a_lock_screen_shows_tells_the_song(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle")
    maja = phone("", "sv", seat=people[0])
    maja.presses("start round")
    maja.hears()
    shown = maja.page.evaluate(
        "[document.title, navigator.mediaSession.metadata.title,"
        " navigator.mediaSession.metadata.artist, navigator.mediaSession.metadata.album].join(' ')"
    )
    assert maja.page.title() == "Varv"
    assert not [song for song in SONGS if song[0] in shown or song[1] in shown]


def test_a_paired_screen_is_silent_until_it_is_touched(
    screen: ScreenMaker, phone: PhoneMaker, house: House
) -> None:
    """Browsers let no sound out before that; the screen says so, and one key is enough."""
    people = seated(house, "oracle", audio="screen")
    tv = screen("sv")
    tv.opens(people[0].screen())
    tv.sees("screen sound")
    maja = phone("", "sv", seat=people[0])
    maja.presses("start round")
    tv.heading("Lyssna och gissa")
    until(tv.refused, tv.page)
    assert tv.song_time is None
    tv.sees("screen sound")
    tv.page.keyboard.press("Enter")
    tv.hears()
