"""Looking on at a table in tests: whose turn it is, what lies there, who is shown what."""

from typing import Any

import msgspec

from varv.rules.editions import EDITIONS
from varv.rules.model import Game, Player, Result, Round
from varv.rules.refusals import Refusal
from varv.rules.views import snapshot, viewer


class Onlooker:
    """Reads a game by the names of its players; `tests.table.Table` plays it."""

    _game: Game
    ids: dict[str, str]
    refusal: Refusal | None
    """The last answer, if it was a refusal."""
    expected: bool

    @property
    def game(self) -> Game:
        """The game now; nobody may have been refused unexpectedly."""
        self.settled()
        return self._game

    def settled(self) -> None:
        """Fail if the last command was refused and the test did not expect it."""
        assert self.expected, f"refused: {self.refusal}"

    # Whose turn it is

    def name(self, player: str) -> str:
        """The name behind an id."""
        return next(name for name, id_ in self.ids.items() if id_ == player)

    @property
    def host(self) -> str:
        return self.name(self._game.host)

    @property
    def leader(self) -> str:
        return self.name(self.round.leader)

    @property
    def _ceremony(self) -> str:
        round_ = self._game.round
        if round_ is None or round_.leader not in self._game.players:
            return self.host
        return self.name(round_.leader)

    @property
    def _song_changer(self) -> str:
        return self.host if EDITIONS[self._game.edition].predicts else self._ceremony

    @property
    def _round_number(self) -> int:
        last = self._game.round or self._game.last_round
        return last.number if last else 1

    @property
    def _performance_number(self) -> int | None:
        round_ = self._game.round
        return round_.performance.number if round_ and round_.performance else None

    # What lies on the table

    @property
    def round(self) -> Round:
        round_ = self.game.round
        assert round_ is not None, "there is no round"
        return round_

    def player(self, name: str) -> Player:
        return self.game.players[self.ids[name]]

    def timeline(self, name: str) -> list[int]:
        """The years in a player's timeline."""
        return [card.year for card in self.player(name).timeline]

    def side_cards(self, name: str) -> list[str]:
        """The kinds of the cards beside it."""
        return [card.kind.value for card in self.player(name).side_cards]

    def jokers(self, name: str) -> int:
        return self.player(name).jokers

    def result(self, name: str) -> Result:
        """What the reveal said of this player's guess."""
        assert self.round.results is not None
        return self.round.results[self.ids[name]]

    @property
    def states(self) -> tuple[str, str | None, str | None]:
        """The states of game, cycle and current round."""
        game = self.game
        return (
            game.state.value,
            game.cycle.state.value if game.cycle else None,
            game.round.state.value if game.round else None,
        )

    # What is right

    def position(self, name: str, *, right: bool) -> int:
        """The first position in this player's timeline that is right, or that is wrong."""
        assert self._game.round and self._game.round.performance
        year = self._game.round.performance.song.year
        years = [card.year for card in self._game.players[self.ids[name]].timeline]
        for at in range(len(years) + 1):
            if right == (all(y <= year for y in years[:at]) and all(y >= year for y in years[at:])):
                return at
        raise AssertionError(f"no such position for {year} in {years}")

    def option(self, part: str, *, right: bool) -> str:
        """The right option of the active performance, or the first wrong one of the three."""
        assert self._game.round and self._game.round.performance
        performance = self._game.round.performance
        answer = performance.title if part == "title" else performance.artist
        few = performance.few_titles if part == "title" else performance.few_artists
        shown = [f"{part[0]}{index}" for index in few]
        return answer if right else next(option for option in shown if option != answer)

    # What is shown

    def snapshot(self) -> dict[str, Any]:
        """What everyone is shown, as plain JSON."""
        return msgspec.json.decode(msgspec.json.encode(snapshot(self.game)))

    def view(self, name: str) -> dict[str, Any]:
        """What only this player is shown, as plain JSON."""
        return msgspec.json.decode(msgspec.json.encode(viewer(self.game, self.ids[name])))

    def actions(self, name: str) -> set[str]:
        return set(self.view(name)["actions"])

    def ranking(self) -> list[tuple[int, str, int, int]] | None:
        """Place, name, cards and tie-break of everyone ranked."""
        rows = self.game.ranking
        if rows is None:
            return None
        return [(row.place, self.name(row.player), row.cards, row.tiebreak) for row in rows]
