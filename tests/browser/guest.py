"""A player without a screen: for the seats that a test is not about."""

import json
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from tests.browser.house import House
from tests.browser.party import MIX_ID
from tests.commands import ABOUT_A_PERFORMANCE, ABOUT_THE_GAME

Json = dict[str, Any]
NAMES = ("Maja", "Bo", "Cleo", "David", "Eva", "Fia", "Gustav", "Hal", "Ida", "Jon")
DEMO = "demo"


class Guest:
    """Somebody at the table who speaks HTTP."""

    def __init__(self, house: House, code: str, player: str, token: str, name: str) -> None:
        self.house, self.code, self.player, self.token = house, code, player, token
        self.name = name

    @classmethod
    def create(
        cls, house: House, edition: str, name: str = "Maja", *, mix: str = DEMO, **options: Any
    ) -> "Guest":
        """A new game, and its host."""
        body = {"edition": edition, "mix": mix, "name": name, "options": options}
        made = house.call("POST", "/games", body=body)
        return cls(house, made["code"], made["player"], made["token"], name)

    @classmethod
    def join(cls, house: House, code: str, name: str) -> "Guest":
        """A seat in a game that is open."""
        made = house.call("POST", f"/games/{code}/players", body={"name": name})
        return cls(house, code, made["player"], made["token"], name)

    @property
    def state(self) -> Json:
        """What this player sees now."""
        state: Json = self.house.call("GET", f"/games/{self.code}/state", token=self.token)
        return state

    @property
    def snapshot(self) -> Json:
        """The part that is the same for all."""
        snapshot: Json = self.state["snapshot"]
        return snapshot

    @property
    def timeline(self) -> list[Json]:
        """This player's own cards."""
        mine = next(p for p in self.snapshot["players"] if p["id"] == self.player)
        cards: list[Json] = mine["timeline"]
        return cards

    def do(self, kind: str, **fields: Any) -> None:
        """A command that must be accepted."""
        round_ = self.snapshot["round"]
        command: Json = {"type": kind}
        if round_ is not None and kind not in ABOUT_THE_GAME:
            command["round"] = round_["number"]
            if kind in ABOUT_A_PERFORMANCE:
                command["performance"] = round_["performance"]
        body = {"id": f"g-{secrets.token_hex(6)}", "command": command | fields}
        self.house.call("POST", f"/games/{self.code}/commands", token=self.token, body=body)

    def places(self, position: int = 0) -> None:
        """Into a gap of the own timeline."""
        self.do("guess", part="placement", choice=position)

    def names(self, part: str, option: int = 0) -> None:
        """A title or an artist, by its place in the list."""
        self.do("guess", part=part, choice=self.state["viewer"]["options"][part][option]["id"])

    def guesses(self, position: int = 0, title: int = 0, artist: int = 0) -> None:
        """All three parts."""
        self.places(position)
        self.names("title", title)
        self.names("artist", artist)

    def link(self, player: str | None = None) -> str:
        """A single-use way back to a seat, without the address of this machine on the network."""
        path = f"/games/{self.code}/players/{player or self.player}/rejoin-link"
        return local(self.house.call("POST", path, token=self.token)["link"])

    def screen(self) -> str:
        """The address that pairs a shared screen."""
        return local(
            self.house.call("POST", f"/games/{self.code}/screens", token=self.token)["link"]
        )

    def bots(self, count: int, skill: str | None = None) -> None:
        """Bots take seats."""
        body = {"count": count} | ({} if skill is None else {"skill": skill})
        self.house.call("POST", f"/games/{self.code}/bots", token=self.token, body=body)


def local(link: str) -> str:
    """A link as the same path on whatever address the browser is at."""
    return "/" + link.split("/", 3)[3]


def table(
    house: House, edition: str, players: int = 4, years: Sequence[int] = (), **more: Any
) -> list[Guest]:
    """A lobby in which everyone has a start year."""
    host = Guest.create(house, edition, NAMES[0], **more)
    people = [host, *[Guest.join(house, host.code, name) for name in NAMES[1:players]]]
    for i, person in enumerate(people):
        person.do("set_start_year", year=years[i] if i < len(years) else 1982 + 3 * i)
    return people


def seated(house: House, edition: str, players: int = 3, **options: Any) -> list[Guest]:
    """The game has begun, with our mix; its first round waits for Maja."""
    people = table(house, edition, players, mix=MIX_ID, **options)
    people[0].do("start_game")
    return people


def guessing(house: House, edition: str, players: int = 3) -> list[Guest]:
    """In the first round, led by Maja."""
    people = seated(house, edition, players)
    people[0].do("start_round")
    return people


def leader_of(people: Sequence[Guest]) -> Guest:
    """Whoever leads the round that there is."""
    leads = people[0].snapshot["round"]["leader"]
    return next(p for p in people if p.player == leads)


def right_gap(people: Sequence[Guest], guest: Guest) -> int:
    """Where the song belongs in a guest's timeline, as told by the Oracle."""
    year = leader_of(people).state["viewer"]["answer"]["year"]
    return sum(card["year"] <= year for card in guest.timeline)


def wholly(guest: Guest) -> None:
    """All three parts right, for whoever may look into the server's own file."""
    sql = "SELECT data FROM events WHERE code = ? AND name = ? ORDER BY seq DESC LIMIT 1"
    with closing(sqlite3.connect(guest.house.data / "varv.db")) as file:
        (data,) = file.execute(sql, (guest.code, "performance_started")).fetchone()
    now = json.loads(data)["performance"]
    guest.places(sum(card["year"] <= now["song"]["year"] for card in guest.timeline))
    for part in ("title", "artist"):
        guest.do("guess", part=part, choice=now[part])


def guess(people: Sequence[Guest], how: Callable[[Guest], None] = Guest.guesses) -> None:
    """Everyone who guesses does, and an Oracle predicts."""
    snapshot = people[0].snapshot
    for person in people:
        if snapshot["edition"] == "oracle" and person.player == snapshot["round"]["leader"]:
            person.do("predict", difficulty="medium")
        else:
            how(person)


def reveal(people: Sequence[Guest]) -> None:
    """From GUESSING to the terminal reveal."""
    leader = leader_of(people)
    dj = leader.snapshot["edition"] == "dj"
    leader.do("lock_round")
    for to in ("REVEALED_TIMELINE", "REVEALED_FULL") if dj else ("REVEALED",):
        leader.do("reveal", to=to)


def play_round(people: Sequence[Guest], how: Callable[[Guest], None] = Guest.guesses) -> None:
    """One round, from its start to its terminal reveal."""
    leader_of(people).do("start_round")
    guess(people, how)
    reveal(people)


def play_lap(people: Sequence[Guest], how: Callable[[Guest], None] = Guest.guesses) -> None:
    """Once around the table, to BOUNDARY_DECISION."""
    for turn in range(len(people)):
        play_round(people, how)
        if turn < len(people) - 1:
            people[0].do("next_round")
