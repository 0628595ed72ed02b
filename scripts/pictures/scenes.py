"""The scenes, each played against a real server until the moment that the camera waits for."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import expect
from scripts.pictures.camera import Camera
from tests.browser.guest import Guest, guess, play_lap, play_round, reveal, right_gap, wholly
from tests.browser.party import MIX_ID
from websockets.sync.client import connect

NAMES = ("Maja", "Ann-Charlotte", "Ali", "Bo", "Siiri", "Gustav", "Fatima", "Olle", "Ida", "Jon")
YEARS = (1984, 1994, 2003, 1981, 1999, 1990, 2008, 1987, 1996, 2010)


@contextmanager
def present(*guests: Guest) -> Iterator[None]:
    """Their phones are on: without it everyone who speaks HTTP is away."""
    with ExitStack() as stack:
        for guest in guests:
            address = guest.house.url.replace("http", "ws", 1)
            socket = stack.enter_context(connect(f"{address}/api/v1/games/{guest.code}/ws"))
            socket.send(json.dumps({"type": "hello", "token": guest.token, "version": 0}))
            threading.Thread(target=deque, args=(socket, 0), daemon=True).start()
        yield


def seated(camera: Camera, edition: str, players: int = 4, **more: Any) -> list[Guest]:
    """A lobby with everyone's start year."""
    host = Guest.create(camera.house, edition, NAMES[0], **{"mix": MIX_ID} | more)
    people = [host, *[Guest.join(camera.house, host.code, name) for name in NAMES[1:players]]]
    for person, year in zip(people, YEARS, strict=False):
        person.do("set_start_year", year=year)
    return people


def rightly(people: list[Guest]) -> Callable[[Guest], None]:
    """Guessers who are mostly right, so that timelines grow."""

    def how(guest: Guest) -> None:
        right, cards = right_gap(people, guest), len(guest.timeline)
        late = guest is people[-1] and cards > 1
        guest.guesses(right if not late else (right + 1) % (cards + 1), 1, 1)

    return how


def at_the_door(camera: Camera) -> None:
    """Start, create, join, how to play."""
    with camera.phone() as phone:
        camera.take("01-start", phone, "h1")
        phone.presses("appearance")
        camera.take("02-look", phone, "dialog[open]")
        phone.opens("/how")
        camera.take("03-how-to", phone, ".manual h1")
        phone.opens("/#new")
        camera.take("04-create", phone, ".choice")
        phone.opens("/#try")
        camera.take("05-try-alone", phone, ".choice")
        phone.creates("oracle")
        phone.opens("/")
        camera.take("06-start-unfinished", phone, ".notice")
    people = seated(camera, "oracle", 3)
    code = people[0].code
    with camera.phone(path=f"/g/{code}") as phone:
        camera.take("07-join", phone, "#name")
        people[0].do("start_game")
        phone.page.reload()
        camera.take("08-join-closed", phone, ".why")
        phone.opens("/g/ZZZZZZ")
        camera.take("09-no-such-game", phone, ".blank")


def lobby(camera: Camera) -> None:
    """Waiting for people, on the phone and on the wall."""
    host = Guest.create(camera.house, "oracle", NAMES[0], mix=MIX_ID)
    with (
        ExitStack() as stack,
        camera.phone(host) as phone,
        camera.screen(f"/screen/{host.code}") as tv,
    ):
        camera.take("10-lobby-alone", phone, ".dial")
        others = [Guest.join(camera.house, host.code, name) for name in NAMES[1:5]]
        for guest, year in zip(others[:3], YEARS[1:], strict=False):
            guest.do("set_start_year", year=year)
        stack.enter_context(present(*others[:2], others[3]))
        host.do("set_start_year", year=YEARS[0])
        phone.reads(NAMES[4])
        camera.take("11-lobby", phone, ".dial")
        camera.take("60-tv-lobby", tv, ".tv__lobby")
        phone.opens_menu("bots")
        camera.take("81-sheet-bots", phone, "dialog[open]")
        phone.presses("close")
        host.bots(5)
        phone.page.locator(".folk li").nth(9).wait_for()
        camera.take("12-lobby-ten", phone, ".dial")
        camera.take("61-tv-lobby-ten", tv, ".tv__lobby")
        for number, (name, sheet) in enumerate(
            (
                ("code", "code sheet"),
                ("pair", "pair"),
                ("settings", "settings"),
                ("link", "link"),
                ("about", "about"),
            )
        ):
            phone.opens_menu(sheet)
            camera.take(f"{50 + number}-sheet-{name}", phone, "dialog[open]")
            phone.presses("close")
        phone.presses("menu")
        camera.take("55-menu-lobby", phone, "dialog[open]")


def oracle(camera: Camera) -> None:
    """The `oracle` edition from its second lap, so that there is something on the table."""
    people = seated(camera, "oracle", 5)
    maja, ann, ali, bo, siiri = people
    maja.do("start_game")
    with (
        present(ali, siiri),
        camera.phone(ann) as phone,
        camera.phone(maja) as host,
        camera.screen(f"/screen/{maja.code}") as tv,
    ):
        camera.take("20-waiting-first", phone, ".between")
        play_lap(people, rightly(people))
        host.page.locator(".flood").wait_for()
        host.presses("standings")
        camera.take("40-boundary-host", host, ".between")
        phone.presses("standings")
        camera.take("41-boundary", phone, ".between")
        late = Guest.join(camera.house, maja.code, "Eva")
        with camera.phone(late) as latecomer:
            camera.take("42-boundary-late", latecomer, ".dial")
        late.do("set_start_year", year=1992)
        people.append(late)
        camera.take("64-tv-boundary", tv, ".tv__stand")
        maja.do("start_cycle")
        camera.take("21-your-turn", host, ".between")
        maja.do("start_round")
        camera.take("22-guess-empty", phone, ".hand")
        camera.take("23-oracle-blocked", host, ".picks")
        phone.asks_joker()
        camera.take("24-sheet-joker", phone, "dialog[open]")
        phone.presses("use joker")
        phone.sees("joker says")
        phone.gap(right_gap(people, ann)).click()
        phone.names("title", 2)
        ali.guesses(0, 3, 3)
        bo.places(1)
        camera.take("25-guess", phone, ".tabs")
        phone.page.locator(".seat").nth(2).click()
        camera.take("26-sheet-player", phone, "dialog[open]")
        phone.presses("close")
        host.predicts("medium")
        camera.take("27-oracle", host, ".picks")
        camera.take("62-tv-guess", tv, ".tv__guess")
        guessing = tv.page.locator("h1").inner_text()
        host.presses("lock")
        camera.take("83-confirm-lock", host, "dialog[open]")
        host.presses("close")
        siiri.guesses(right_gap(people, siiri), 1, 1)
        late.guesses(1, 1, 1)
        for sheet, name in (("end game", "finish"), ("change song", "change"), ("abort", "abort")):
            host.opens_menu(sheet)
            camera.take(f"56-confirm-{name}", host, "dialog[open]")
            host.presses("close")
        host.opens_menu("remove a player")
        camera.take("82-sheet-remove", host, "dialog[open]")
        host.picks_person("Ali")
        camera.take("57-confirm-remove", host, "dialog[open]")
        host.presses("close")
        host.presses("menu")
        camera.take("58-menu", host, "dialog[open]")
        host.presses("close")
        maja.do("lock_round")
        camera.take("28-locked", phone, ".suspense")
        camera.take("29-locked-oracle", host, ".picks")
        expect(tv.page.locator("h1")).not_to_have_text(guessing)
        camera.take("85-tv-locked", tv, ".tv__guess")
        maja.do("reveal", to="REVEALED")
        camera.take("30-reveal", phone, ".verdict")
        camera.take("31-reveal-oracle", host, ".verdict")
        camera.take("63-tv-reveal", tv, ".verdict")
        phone.presses("doubt")
        camera.take("59-sheet-doubt", phone, "dialog[open]")
        phone.presses("close")
        maja.do("next_round")
        camera.take("32-waiting", host, ".between")
        camera.take("84-tv-waiting", tv, ".tv__last")
        for turn in range(5):
            play_round(people, rightly(people))
            if turn < 4:
                maja.do("next_round")
        maja.do("finish_game")
        camera.take("43-end-host", host, ".champ")
        camera.take("44-end", phone, ".marvels")
        camera.take("65-tv-end", tv, ".tv__stand")
        phone.opens(f"/g/{maja.code}/history")
        camera.take("45-history", phone, ".past__round")


def dj(camera: Camera) -> None:
    """The `dj` edition: steps, jokers, and the reveal in two."""
    people = seated(camera, "dj", 4)
    maja, ann, ali, bo = people
    maja.do("start_game")
    play_lap(people, lambda guest: guest.guesses(0 if guest.player < "p3" else 1, 4, 4))
    maja.do("start_cycle")
    maja.do("start_round")
    with (
        present(ali, bo),
        camera.phone(ann) as phone,
        camera.phone(maja) as leader,
        camera.screen(f"/screen/{maja.code}") as tv,
    ):
        phone.gap(1).click()
        camera.take("33-dj-place", phone, ".steps")
        phone.presses("send placement")
        phone.heading(phone.word("name the song"))
        camera.take("34-dj-title", phone, ".opts")
        phone.uses_joker()
        phone.option(2).wait_for()
        phone.option(1).click()
        camera.take("35-dj-joker", phone, ".joker-used")
        phone.presses("send title")
        phone.option(5).click()
        camera.take("36-dj-artist", phone, ".opts")
        phone.presses("send artist")
        camera.take("37-dj-sent", phone, ".steps")
        for guest, place in ((maja, 0), (ali, 1), (bo, 0)):
            guest.guesses(place, 2, 2)
        camera.take("38-dj-leads", leader, ".steps")
        camera.take("66-tv-dj", tv, ".tv__guess")
        maja.do("lock_round")
        camera.take("39-dj-locked", leader, ".slips")
        maja.do("reveal", to="REVEALED_TIMELINE")
        camera.take("46-dj-year", phone, ".table")
        camera.take("67-tv-year", tv, ".sleeve")
        maja.do("reveal", to="REVEALED_FULL")
        camera.take("47-dj-names", phone, ".flood__names")
        camera.take("48-dj-names-leader", leader, ".flood__names")
        camera.take("68-tv-names", tv, ".flood__names")
        maja.do("remove_player", player=ann.player)
        camera.take("49-removed", phone, ".blank")


def honours(camera: Camera) -> None:
    """Stars, from the table to the end; somebody who came too late for a place."""
    people = seated(camera, "dj", 4)
    maja, ann, ali, _ = people
    maja.do("start_game")
    play_lap(people, lambda guest: wholly(guest) if guest in (ann, ali) else guest.guesses())
    maja.do("start_cycle")
    maja.do("start_round")
    with (
        present(*people[2:]),
        camera.phone(ann) as phone,
        camera.screen(f"/screen/{maja.code}") as tv,
    ):
        camera.take("86-dj-stars", phone, ".card__star")
        guess(people, lambda guest: wholly(guest) if guest in (ann, maja) else guest.guesses())
        reveal(people)
        camera.take("87-dj-reveal-star", phone, ".gain--star")
        camera.take("88-tv-reveal-star", tv, ".gain--star")
        for _ in people[1:]:
            maja.do("next_round")
            play_round(people, wholly)
        maja.do("finish_game")
        camera.take("89-dj-end-stars", phone, ".champ")
        camera.take("90-tv-dj-end", tv, ".tv__stand")
    people = seated(camera, "oracle", 3)
    people[0].do("start_game")
    play_lap(people, rightly(people))
    Guest.join(camera.house, people[0].code, "Eva")
    people[0].do("finish_game")
    with camera.phone(people[1]) as phone, camera.screen(f"/screen/{people[0].code}") as tv:
        camera.take("91-end-unranked", phone, ".champ")
        camera.take("92-tv-end-unranked", tv, ".tv__stand")


def crowd(camera: Camera) -> None:
    """Ten at the table, a long timeline, and the demo mix with its old songs."""
    people = seated(camera, "oracle", 10, guess_seconds=180)
    maja = people[0]
    maja.do("start_game")
    with (
        present(*people[2:]),
        camera.phone(people[1]) as phone,
        camera.phone(maja) as host,
        camera.screen(f"/screen/{maja.code}") as tv,
    ):
        for _ in range(9):
            play_round(people, rightly(people))
            maja.do("next_round")
        play_round(people, rightly(people))
        maja.do("start_cycle")
        maja.do("start_round")
        phone.gap(3).click()
        people[2].guesses(1, 2, 3)
        camera.take("70-ten-guess", phone, ".tabs")
        camera.take("71-ten-oracle", host, ".picks")
        camera.take("72-tv-ten", tv, ".tv__guess")
        guess(people, rightly(people))
        reveal(people)
        camera.take("73-ten-reveal", phone, ".verdict")
        camera.take("74-tv-ten-reveal", tv, ".verdict")
        maja.do("finish_game")
        camera.take("75-ten-end", phone, ".champ")
        camera.take("76-tv-ten-end", tv, ".tv__stand")
    people = seated(camera, "oracle", 3, mix="demo", audio="screen")
    people[0].do("start_game")
    play_round(people, rightly(people))
    people[0].do("next_round")
    people[1].do("start_round")
    with camera.phone(people[0]) as phone, camera.screen(people[0].screen()) as tv:
        phone.gap(0).click()
        camera.take("77-demo-guess", phone, ".tabs")
        camera.take("78-tv-paired", tv, ".tv__sound")


def cut_off(camera: Camera) -> None:
    """Last of all: the server is gone."""
    people = seated(camera, "oracle", 3)
    people[0].do("start_game")
    people[0].do("start_round")
    with (
        camera.phone(people[1]) as phone,
        camera.screen(f"/screen/{people[0].code}") as tv,
    ):
        phone.page.locator(".hand").wait_for()
        tv.page.locator(".tv__guess").wait_for()
        camera.house.kill()
        phone.gap(1).click()
        camera.take("79-no-contact", phone, ".banner")
        camera.take("80-tv-no-contact", tv, ".banner")
    camera.house.start()


SCENES = (at_the_door, lobby, oracle, dj, honours, crowd, cut_off)
