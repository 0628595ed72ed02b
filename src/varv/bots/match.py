"""One whole game among bots, straight on the rules: no server, no clock, no waiting."""

import random
from collections.abc import Callable, Sequence

from msgspec import Struct

from varv.bots.deck import Deck
from varv.bots.hearing import Hearing, hear
from varv.bots.names import bot_name
from varv.bots.player import Bot
from varv.bots.skills import Skill
from varv.rules import Chance, Setup, Step, create, evolve, join, take, views
from varv.rules import commands as c
from varv.rules.drawing import request
from varv.rules.model import (
    MAX_PLAYERS_PREMIUM,
    CycleState,
    Game,
    GameState,
    Mix,
    RoundState,
)
from varv.rules.refusals import Refusal

MISHAP = 0.004
"""How likely something goes wrong after a command, in a match with mishaps."""

_HOST = "p1"
_DRAWS = (c.StartRound, c.ChangeSong)


class BotRefused(Exception):
    """A bot asked for something that the rules refuse. That is a bug: a view said it might."""


class Conditions(Struct, frozen=True):
    """How a match is played."""

    edition: str
    cycles: int = 3
    mishaps: bool = False
    """Whether players leave, songs are changed, and rounds are aborted or unlocked now and then."""


Watcher = Callable[[Step], None]
"""Told of everything that happens at the table."""


class Match:
    """A table of bots. The first is the host; what only a host decides is decided here."""

    def __init__(
        self, conditions: Conditions, skills: Sequence[Skill], deck: Deck, rng: random.Random
    ) -> None:
        """Seat one bot per skill."""
        self.conditions = conditions
        self._deck = deck
        self._rng = rng
        self.game = _seated(conditions.edition, len(skills), deck)
        self.skills = dict(zip(self.game.players, skills, strict=True))
        self._bots = {player: Bot(skill, rng) for player, skill in self.skills.items()}
        self._hearings: dict[str, Hearing] = {}
        self._shown = (self.game, views.snapshot(self.game))

    def play(self, watch: Watcher) -> Game:
        """Play until the game is finished."""
        while self.game.state is not GameState.FINISHED:
            moved = [self._turn(player, watch) for player in self._bots]
            if not any(moved):
                self._do(_HOST, self._host_decides(), watch)
        return self.game

    def _turn(self, player: str, watch: Watcher) -> bool:
        """Let a bot do all it wants to."""
        moved = False
        while player in self.game.players:
            command = self._bots[player].act(
                self._snapshot(),
                views.viewer(self.game, player),
                self._hearing(player),
                leads_on=True,
            )
            if command is None:
                break
            moved = True
            self._do(player, command, watch)
            if self.conditions.mishaps and self._rng.random() < MISHAP:
                self._mishap(watch)
        return moved

    def _snapshot(self) -> views.Snapshot:
        """What everyone sees, made once per change."""
        if self._shown[0] is not self.game:
            self._shown = (self.game, views.snapshot(self.game))
        return self._shown[1]

    def _hearing(self, player: str) -> Hearing | None:
        """What this player has heard of the song that is being played."""
        round_ = self.game.round
        if round_ is None or round_.performance is None or round_.state is not RoundState.GUESSING:
            return None
        if player not in self._hearings:
            song = round_.performance.song
            self._hearings[player] = hear(song, self.skills[player], self._rng)
        return self._hearings[player]

    def _host_decides(self) -> c.Command:
        cycle = self.game.cycle
        if cycle is None:
            return c.StartGame()
        if cycle.state is not CycleState.BOUNDARY_DECISION:
            raise BotRefused(f"nobody goes on from {self.game.round}")
        return c.StartCycle() if cycle.number < self.conditions.cycles else c.FinishGame()

    def _do(self, player: str, command: c.Command, watch: Watcher) -> None:
        draws = isinstance(command, _DRAWS)
        chance = Chance(draw=self._deck.draw(request(self.game), self._rng)) if draws else Chance()
        step = take(self.game, player, command, chance)
        if isinstance(step, Refusal):
            raise BotRefused(f"{player}: {command} → {step}")
        self.game = step.game
        if draws:
            self._hearings.clear()
        watch(step)

    def _mishap(self, watch: Watcher) -> None:
        """Something that happens at a table, by somebody who may do it."""
        round_ = self.game.round
        if round_ is None or self.game.state is GameState.FINISHED:
            return
        performance = round_.performance.number if round_.performance else None
        players = list(self.game.players)
        things: dict[str, c.Command] = {
            "change_song": c.ChangeSong(round_.number, performance),
            "unlock_round": c.UnlockRound(round_.number),
            "abort_round": c.AbortRound(round_.number),
            "remove_player": c.RemovePlayer(self._rng.choice(players[1:])),
        }
        possible = [
            (player, things[action])
            for player in players
            for action in views.viewer(self.game, player).actions
            if action in things
        ]
        if possible:
            self._do(*self._rng.choice(possible), watch)


def _seated(edition: str, players: int, deck: Deck) -> Game:
    setup = Setup(Mix("invented", "Invented", len(deck.songs)), MAX_PLAYERS_PREMIUM)
    events = create("SIMU", edition, bot_name(()), setup, c.OptionsChange())
    game: Game | None = None
    while True:
        if isinstance(events, Refusal):
            raise BotRefused(str(events))
        for event in events:
            game = evolve(game, event)
        assert game is not None
        if len(game.players) == players:
            return game
        events = join(game, bot_name(player.name for player in game.players.values()), bot=True)
