"""Whatever happens to the phone or the server, you are where you were within two seconds."""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tests.browser.cable import Cable
from tests.browser.conftest import PhoneMaker, ScreenMaker
from tests.browser.device import Device, until
from tests.browser.guest import Guest, guess, guessing, play_lap, reveal, seated
from tests.browser.house import House
from tests.browser.party import open_house
from tests.browser.phone import Phone

pytestmark = pytest.mark.xdist_group("browser-back")
TWO_SECONDS = 2.0


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that these tests may kill."""
    with open_house(tmp_path_factory.mktemp("killed")) as house:
        yield house


@pytest.fixture
def house(own: House) -> House:
    return own


def contact(device: Device) -> None:
    """The banner is gone."""
    expect(device.page.locator(".banner")).to_have_count(0)


def test_the_server_is_killed_in_the_middle_of_a_round(
    phone: PhoneMaker, screen: ScreenMaker, house: House
) -> None:
    people = guessing(house, "dj")
    maja, bo = (phone("", "sv", seat=guest) for guest in people[:2])
    tv = screen("sv")
    tv.watches(people[0].code)
    tv.heading("Lyssna och gissa")
    maja.sends("placement", 1)
    bo.sends("placement", 0)
    bo.sends("title", 4)
    bo.heading("Vem är artisten?")
    for device in (maja, bo):
        device.is_answered()
    chosen = bo.page.locator(".step--done").nth(1).text_content() or ""
    for device in (maja, bo, tv):
        device.noise.cut = True
    house.kill()
    for device in (maja, bo, tv):
        device.sees("no contact")
    bo.looks()
    # What is decided meanwhile is kept, and sent once.
    bo.option(2).click()
    bo.presses("send artist")
    bo.sees("queued")
    house.start()
    for device in (maja, bo, tv):
        contact(device)
    maja.heading("Vad heter låten?")
    bo.heading("Allt är skickat")
    bo.is_answered()
    expect(bo.page.locator(".step--done").nth(1)).to_have_text(chosen)
    mine = people[1].state["viewer"]
    assert mine["guess"]["artist"] == mine["options"]["artist"][2]["id"]
    expect(tv.page.locator(".tv__count")).to_be_visible()
    people[2].guesses()
    maja.sends("title", 1)


def test_a_reload_changes_nothing(phone: PhoneMaker, house: House) -> None:
    people = guessing(house, "oracle")
    bo = phone("", "en", seat=people[1])
    bo.guesses(1, 3)
    bo.page.reload()
    bo.lies_at(1)
    expect(bo.option(3)).to_be_checked()


def test_a_reload_between_laps_shows_the_standings_still(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle")
    play_lap(people)
    bo = phone("", "sv", seat=people[1])
    bo.presses("standings")
    bo.says("lap done")
    bo.page.reload()
    bo.says("lap done")


def test_a_page_that_could_not_be_fetched_comes_when_the_line_is_back(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.noise.cut = True
    bo.opens("/")
    bo.sees("create")
    bo.context.set_offline(True)
    bo.page.get_by_role("link", name=bo.word("how to")).click()
    bo.sees("no contact")
    bo.context.set_offline(False)
    bo.heading(bo.word("how to"))
    # In its own clothes: a style that failed is fetched again too.
    assert (
        bo.page.locator(".manual h3").first.evaluate("(e) => getComputedStyle(e).display")
        == "table"
    )


def test_the_first_file_that_does_not_come_is_asked_for_again(phone: PhoneMaker) -> None:
    bo = phone("Bo", "sv")
    bo.noise.cut = True
    failures = iter([True])
    bo.page.route(
        re.compile(r"/assets/sv-"),
        lambda route: route.abort() if next(failures, False) else route.continue_(),
    )
    bo.opens("/")
    bo.sees("create")


@pytest.mark.parametrize("late", [False, True])
def test_an_old_tab_keeps_the_seat_that_a_new_one_took(
    phone: PhoneMaker, house: House, late: bool
) -> None:
    """Also when it hears only afterwards that its token is no good any more, since it slept."""
    people = guessing(house, "oracle")
    bo = phone("", "sv", seat=people[1])
    closed: list[WebSocketRoute] = []

    def held(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_close(lambda *_: closed.append(socket))

    if late:
        bo.page.route_web_socket(re.compile("/ws$"), held)
        bo.page.reload()
    bo.heading("Lyssna och gissa")
    old = bo.page
    new = bo.page = bo.context.new_page()
    bo.opens(people[0].link(people[1].player))
    bo.heading("Lyssna och gissa")
    if late:
        until(lambda: bool(closed), new)
        old.unroute_all()
        closed[0].close(code=4401)
    for tab in (old, new):
        bo.page = tab
        bo.heading("Lyssna och gissa")
        tab.reload()
        bo.heading("Lyssna och gissa")


@pytest.fixture
def cable(house: House) -> Iterator[Cable]:
    """Between a phone and the server; it can be cut."""
    with Cable(house.port) as cable:
        yield cable


def plugged(phone: PhoneMaker, cable: Cable, guest: Guest) -> Phone:
    """A phone whose only way to the server is the cable."""
    device = phone("", "en", seat=guest, base_url=cable.url)
    device.noise.cut = True
    return device


def test_a_guess_made_in_flight_mode_is_sent_once(
    phone: PhoneMaker, house: House, cable: Cable
) -> None:
    people = guessing(house, "oracle")
    bo = plugged(phone, cable, people[1])
    bo.taps_gap(0)
    bo.is_answered()
    assert people[1].state["viewer"]["guess"]["placement"] == 0
    before = people[1].state["version"]
    cable.cut()
    bo.context.set_offline(True)
    bo.sees("no contact")
    bo.taps_gap(1)
    bo.reads(re.compile("will be sent when you are back"))
    assert people[1].state["viewer"]["guess"]["placement"] == 0
    cable.mend()
    bo.context.set_offline(False)
    contact(bo)
    until(lambda: people[1].state["viewer"]["guess"]["placement"] == 1, bo.page)
    assert people[1].state["version"] == before + 1, "one change, not two"
    bo.lies_at(1)


def test_a_guess_that_comes_too_late_is_refused_clearly(
    phone: PhoneMaker, house: House, cable: Cable
) -> None:
    people = guessing(house, "oracle")
    bo = plugged(phone, cable, people[1])
    bo.heading("Listen and guess")
    cable.cut()
    bo.context.set_offline(True)
    bo.sees("no contact")
    bo.taps_gap(1)
    people[0].do("predict", difficulty="hard")
    reveal(people)
    people[0].do("next_round")
    people[1].do("start_round")
    cable.mend()
    bo.context.set_offline(False)
    contact(bo)
    bo.reads("Too late: the round had moved on.")
    bo.reads("You are the Oracle: only you see this.")


def test_a_phone_that_slept_wakes_where_the_game_is(phone: PhoneMaker, house: House) -> None:
    people = guessing(house, "oracle")
    bo = phone("", "sv", seat=people[1])
    bo.heading("Lyssna och gissa")
    sleep = bo.context.new_cdp_session(bo.page)
    sleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    guess(people)
    reveal(people)
    sleep.send("Page.setWebLifecycleState", {"state": "active"})
    expect(bo.page.locator(".flood h1")).not_to_be_empty()


def test_the_back_button_leads_out_and_in_again(phone: PhoneMaker, house: House) -> None:
    people = guessing(house, "oracle")
    bo = phone("", "en", seat=people[1])
    bo.types_code(people[1].code)
    bo.heading("Listen and guess")
    bo.taps_gap(1)
    bo.page.go_back()
    bo.heading("Varv")
    bo.page.go_forward()
    bo.lies_at(1)
    bo.presses("menu")
    bo.page.get_by_role("link", name=re.compile(bo.word("leave"))).click()
    bo.heading("Varv")
    bo.page.go_back()
    bo.lies_at(1)


def test_back_from_the_history_is_the_end(phone: PhoneMaker, house: House) -> None:
    people = seated(house, "oracle")
    play_lap(people)
    people[0].do("finish_game")
    bo = phone("", "sv", seat=people[1])
    bo.reads("1 helt varv")
    bo.page.get_by_role("link", name=bo.word("history")).click()
    expect(bo.page.locator(".past__round")).to_have_count(3)
    bo.page.go_back()
    bo.reads("1 helt varv")


def reload(bo: Phone, house: House, cable: Cable) -> Callable[[], object]:
    return bo.page.reload


def sleep(bo: Phone, house: House, cable: Cable) -> Callable[[], object]:
    session = bo.context.new_cdp_session(bo.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    return lambda: session.send("Page.setWebLifecycleState", {"state": "active"})


def flight_mode(bo: Phone, house: House, cable: Cable) -> Callable[[], object]:
    cable.cut()
    bo.context.set_offline(True)
    bo.sees("no contact")
    cable.mend()
    return lambda: bo.context.set_offline(False)


def restart(bo: Phone, house: House, cable: Cable) -> Callable[[], object]:
    house.kill()
    bo.sees("no contact")
    house.start()
    return lambda: None


def second_tab(bo: Phone, house: House, cable: Cable) -> Callable[[], object]:
    here = bo.page.url

    def opened() -> None:
        bo.page = bo.context.new_page()
        bo.page.goto(here)

    return opened


def back_button(bo: Phone, house: House, cable: Cable) -> Callable[[], object]:
    bo.opens("/")
    bo.heading("Varv")
    return bo.page.go_back


@pytest.mark.parametrize(
    "happens",
    [reload, sleep, flight_mode, restart, second_tab, back_button],
    ids=lambda happens: happens.__name__,
)
def test_within_two_seconds(
    phone: PhoneMaker,
    house: House,
    cable: Cable,
    happens: Callable[[Phone, House, Cable], Callable[[], object]],
) -> None:
    """From the moment at which it is possible at all; a busy machine has three tries."""
    people = guessing(house, "oracle")
    bo = plugged(phone, cable, people[1])
    bo.taps_gap(1)
    bo.is_answered()
    cleo = people[2]
    answers = (cleo.places, lambda: cleo.names("title"), lambda: cleo.names("artist"))
    took: list[float] = []
    while not took or (took[-1] >= TWO_SECONDS and len(took) < len(answers)):
        back = happens(bo, house, cable)
        # Cleo goes on meanwhile, so that being back is not to look at what was there before.
        answers[len(took)]()
        seat = re.compile(f"Cleo.* {len(took) + 1} of 3 answers")
        started = time.monotonic()
        back()
        contact(bo)
        bo.lies_at(1)
        expect(bo.page.get_by_role("button", name=seat)).to_be_visible()
        took.append(time.monotonic() - started)
    assert min(took) < TWO_SECONDS, took
