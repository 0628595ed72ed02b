"""A table to play at in tests: `table("oracle", players=4).starts().locks().refused("…")`.

Players are Ada (the host), Bo, Cia, Dan … in join order; every Start Card is 1990 unless told
otherwise. Whoever's turn it is acts unless `by` names somebody. Songs are drawn in a fixed order;
`year` chooses theirs. A refusal that the test does not expect fails it: see `refused`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from tests.onlooker import Onlooker

from varv.rules import Chance, Setup, Step, create, evolve, join, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import Draw, Game, Mix, Song
from varv.rules.refusals import Reason, Refusal

NAMES = ("Ada", "Bo", "Cia", "Dan", "Eva", "Fia", "Gus", "Hal", "Ida", "Jon")
MIX = Mix("test", "Test", 600)
YEAR = 1995
"""The year of a song when the test does not say."""

open_tables: list[Table] = []
"""Tables of the running test; the fixture in conftest looks for refusals nobody expected."""


def table(edition: str, players: int = 4, **options: Any) -> Table:
    """A game in progress: round 1 is led by Ada and has not started."""
    return lobby(edition, players, **options).starts_game()


def lobby(
    edition: str,
    players: int = 4,
    *,
    years: int | Mapping[str, int | None] | None = 1990,
    max_players: int = 10,
    bots: Iterable[str] = (),
    options: c.OptionsChange | None = None,
) -> Table:
    """A game in LOBBY whose players have all chosen a start year, save those told to have none."""
    at = Table(edition, max_players=max_players, options=options or c.OptionsChange())
    for name in NAMES[1:players]:
        at.joins(name, bot=name in bots)
    for name in NAMES[:players]:
        year = years.get(name, 1990) if isinstance(years, Mapping) else years
        if year is not None:
            at.sets_year(name, year)
    return at


def draw(number: int, year: int = YEAR, **changes: Any) -> Draw:
    """The number-th draw: ten songs of its own, so that no two draws share an option."""
    songs = [number * 10 + index for index in range(10)]
    right = number * 3 % 10
    titles = songs[right:] + songs[:right]
    artists = songs[::-1]
    few = sorted({right, (right + 4) % 10, (right + 7) % 10})
    made = Draw(
        song=Song(f"s{songs[right]}", f"Title {songs[right]}", f"Artist {songs[right]}", year),
        titles=tuple(f"Title {song}" for song in titles),
        artists=tuple(f"Artist {song}" for song in artists),
        few_titles=tuple(sorted(titles.index(songs[index]) for index in few)),
        few_artists=tuple(sorted(artists.index(songs[index]) for index in few)),
        group=tuple(f"s{song}" for song in songs),
        recording=f"r{songs[right]}",
    )
    return msgspec.structs.replace(made, **changes)


class Table(Onlooker):
    """A game, what has happened at it, and the last answer anybody got."""

    def __init__(
        self,
        edition: str = "oracle",
        *,
        host: str = "Ada",
        max_players: int = 10,
        options: c.OptionsChange | None = None,
    ) -> None:
        created = create(
            "K7QX", edition, host, Setup(MIX, max_players), options or c.OptionsChange()
        )
        assert not isinstance(created, Refusal), created
        self._game = replay(created)
        self.log: list[e.Event] = list(created)
        """Every event so far."""
        self.games: list[Game] = [self._game]
        """The game after each accepted command."""
        self.last: tuple[e.Event, ...] = created
        """What the last accepted command led to."""
        self.refusal: Refusal | None = None
        """The last answer, if it was a refusal."""
        self.expected = True
        self.ids = {host: "p1"}
        self.draws = 0
        self.now = 0
        open_tables.append(self)

    # What happened

    def refused(self, reason: str, **facts: Any) -> Table:
        """The last command was refused for this reason (and with these facts, if given)."""
        assert self.refusal is not None, f"accepted, not refused with {reason}: {self.last}"
        assert self.refusal.reason == reason, f"{self.refusal}, not {reason}"
        for fact, value in facts.items():
            assert self.refusal.facts.get(fact) == value, f"{self.refusal}, not {facts}"
        self.expected = True
        return self

    def accepted(self) -> Table:
        """The last command was accepted."""
        self.settled()
        assert self.refusal is None, f"refused: {self.refusal}"
        return self

    # Doing

    def sends(self, player: str, command: c.Command, chance: Chance | None = None) -> Table:
        """A player, by name, gives any command."""
        self.settled()
        before = msgspec.json.encode(self._game)
        answer = take(self._game, self.ids[player], command, chance or self.chance())
        if isinstance(answer, Refusal):
            assert msgspec.json.encode(self._game) == before, "a refusal changed the game"
            assert isinstance(answer.reason, Reason)
            self.refusal, self.expected = answer, False
            return self
        return self._accept(answer)

    def _accept(self, step: Step) -> Table:
        self.refusal, self.expected = None, True
        self.last = step.events
        self.log += step.events
        self._game = step.game
        self.games.append(step.game)
        return self

    def chance(self, year: int = YEAR, **draw_changes: Any) -> Chance:
        """The next song, and a mix for whoever asks for one."""
        return Chance(
            now=self.now,
            draw=draw(self.draws + 1, year, **draw_changes),
            setup=Setup(Mix("other", "Other", 40), 10),
        )

    def joins(self, name: str, *, bot: bool = False) -> Table:
        self.settled()
        answer = join(self._game, name, bot=bot)
        if isinstance(answer, Refusal):
            self.refusal, self.expected = answer, False
            return self
        joined = answer[0]
        assert isinstance(joined, e.PlayerJoined)
        self.ids[name] = joined.player
        game = self._game
        for event in answer:
            game = evolve(game, event)
        return self._accept(Step(answer, game))

    def sets_year(self, name: str, year: int) -> Table:
        return self.sends(name, c.SetStartYear(year))

    def removes(self, name: str, *, by: str | None = None) -> Table:
        return self.sends(by or self.host, c.RemovePlayer(self.ids.get(name, name)))

    def configures(self, *, by: str | None = None, **changes: Any) -> Table:
        return self.sends(by or self.host, c.Configure(**changes))

    def starts_game(self, *, by: str | None = None) -> Table:
        return self.sends(by or self.host, c.StartGame())

    def finishes(self, *, by: str | None = None) -> Table:
        return self.sends(by or self.host, c.FinishGame())

    def starts_cycle(self, *, by: str | None = None) -> Table:
        return self.sends(by or self.host, c.StartCycle())

    def starts(self, year: int = YEAR, *, by: str | None = None, **draw_changes: Any) -> Table:
        """The leader starts the round with a song of this year."""
        command = c.StartRound(self._round_number)
        return self._draws(by or self._ceremony, command, year, draw_changes)

    def changes_song(
        self, year: int = YEAR, *, by: str | None = None, **draw_changes: Any
    ) -> Table:
        command = c.ChangeSong(self._round_number, self._performance_number)
        return self._draws(by or self._song_changer, command, year, draw_changes)

    def _draws(self, by: str, command: c.Command, year: int, draw_changes: dict[str, Any]) -> Table:
        self.sends(by, command, self.chance(year, **draw_changes))
        if self.refusal is None:
            self.draws += 1
        return self

    def locks(self, *, by: str | None = None) -> Table:
        command = c.LockRound(self._round_number, self._performance_number)
        return self.sends(by or self._ceremony, command)

    def unlocks(self, *, by: str | None = None) -> Table:
        return self.sends(by or self._ceremony, c.UnlockRound(self._round_number))

    def reveals(self, to: str | None = None, *, by: str | None = None) -> Table:
        """The next step of the reveal, or the one to the state named."""
        if to is None:
            reveals = EDITIONS[self._game.edition].reveals
            state = self._game.round.state if self._game.round else None
            to = next((to for to, source in reveals.items() if source is state), "REVEALED")
        return self.sends(by or self._ceremony, c.Reveal(self._round_number, to))

    def aborts(self, *, by: str | None = None) -> Table:
        return self.sends(by or self.host, c.AbortRound(self._round_number))

    def next_round(self, *, by: str | None = None) -> Table:
        return self.sends(by or self._ceremony, c.NextRound(self._round_number))

    def plays(self, *, by: str) -> Table:
        return self.sends(by, c.Play(self._round_number, self._performance_number))

    def stops(self, *, by: str) -> Table:
        return self.sends(by, c.Stop(self._round_number, self._performance_number))

    def predicts(self, difficulty: str, *, by: str | None = None) -> Table:
        command = c.Predict(self._round_number, self._performance_number, difficulty)
        return self.sends(by or self.leader, command)

    def guesses(self, name: str, part: str, choice: int | str | None) -> Table:
        """Any guess, legal or not; see `places` and `names` for the usual ones."""
        number, performance = self._round_number, self._performance_number
        return self.sends(name, c.SubmitGuess(number, performance, part, choice))

    def withdraws(self, name: str, part: str) -> Table:
        return self.guesses(name, part, None)

    def places(self, name: str, position: int) -> Table:
        return self.guesses(name, "placement", position)

    def places_right(self, *names: str) -> Table:
        """These players place the song where it belongs."""
        for name in names:
            self.places(name, self.position(name, right=True))
        return self

    def places_wrong(self, *names: str) -> Table:
        for name in names:
            self.places(name, self.position(name, right=False))
        return self

    def titles(self, name: str, *, right: bool = True) -> Table:
        return self.guesses(name, "title", self.option("title", right=right))

    def artists(self, name: str, *, right: bool = True) -> Table:
        return self.guesses(name, "artist", self.option("artist", right=right))

    def names(self, name: str, *, title: bool = True, artist: bool = True) -> Table:
        """A player names the song: title, then artist."""
        return self.titles(name, right=title).artists(name, right=artist)

    def uses_joker(self, name: str, part: str = "placement") -> Table:
        number, performance = self._round_number, self._performance_number
        return self.sends(name, c.UseJoker(number, performance, part))

    # Many moves at once

    def plays_round(
        self,
        year: int = YEAR,
        *,
        right: Iterable[str] = (),
        wrong: Iterable[str] = (),
        named: Iterable[str] = (),
        predicts: str = "medium",
    ) -> Table:
        """A whole round: some place right or wrong, some (who have placed) name the song too."""
        self.starts(year).places_right(*right).places_wrong(*wrong)
        for name in named:
            self.names(name)
        return self.ends_round(predicts=predicts)

    def ends_round(self, *, predicts: str = "medium") -> Table:
        """From GUESSING or LOCKED to the terminal reveal."""
        edition = EDITIONS[self._game.edition]
        if self.round.state == "GUESSING":
            if edition.predicts and self.round.prediction is None:
                self.predicts(predicts)
            self.locks()
        while self.game.round and self.round.state is not edition.terminal:
            self.reveals()
        return self

    def _plays_it_out(self, **round_: Any) -> None:
        if self.round.state is EDITIONS[self._game.edition].first:
            self.plays_round(**round_)
        else:
            self.ends_round()

    def plays_until(self, leader: str) -> Table:
        """Dull rounds (nobody guesses) until this player leads one that has not started."""
        while self.leader != leader:
            self._plays_it_out()
            self.next_round()
        return self

    def plays_cycle(self, **round_: Any) -> Table:
        """Such rounds until the host has to decide."""
        while True:
            self._plays_it_out(**round_)
            assert self.game.cycle
            if self.game.cycle.state == "BOUNDARY_DECISION":
                return self
            self.next_round()
