"""One game played in several worlds at once, each of which differs in one secret."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.rules.play import audio_url, draw, new_game, pick, values
from tests.rules.swaps import Secret, as_shown, secrets

from varv.rules import Chance, Setup, decide, join, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import Game, Mix
from varv.rules.refusals import Refusal
from varv.rules.views import Encoder, version, viewer

SETUP = Setup(Mix("other", "Other", 50), 6)


@dataclass
class Twin:
    secret: Secret
    game: Game
    encoder: Encoder


class Worlds:
    """The game, its twins, and which secrets were compared in which state."""

    def __init__(self, edition: str, players: int, *, all_probes: bool = False) -> None:
        self.game = new_game(edition, players)
        self.encoder = Encoder()
        self.twins: list[Twin] = []
        self.all_probes = all_probes
        self.steps = 0
        self.compared: Counter[tuple[str, str]] = Counter()
        self.probed: Counter[tuple[str, str]] = Counter()
        self.told_apart: Counter[tuple[str, str]] = Counter()
        for player in list(self.game.players):
            self.give(player, c.SetStartYear(1985 + 5 * (self.steps % 5)))
        self.give("p1", c.StartGame())

    @property
    def state(self) -> str:
        return self.game.round.state if self.game.round else "NO ROUND"

    def give(self, actor: str, command: c.Command, seed: int = 0) -> bool:
        """Give the command in every world; whether it was accepted."""
        self.steps += 1
        drawn = draw(self.game, seed)
        before = self.game
        answer = take(before, actor, command, Chance(seed, drawn, SETUP))
        started = not isinstance(answer, Refusal) and any(
            isinstance(event, e.PerformanceStarted) for event in answer.events
        )
        if started:
            self.twins = [Twin(secret, before, Encoder()) for secret in secrets(before)]
        for twin in self.twins:
            self.give_twin(
                twin, actor, command, Chance(seed, twin.secret.draw(drawn), SETUP), answer
            )
        if not isinstance(answer, Refusal):
            self.game = answer.game
        self.compare()
        return not isinstance(answer, Refusal)

    def give_twin(
        self, twin: Twin, actor: str, command: c.Command, chance: Chance, answer: Any
    ) -> None:
        may_differ = actor in twin.game.players and twin.secret.entitled(self.game, actor)
        there = twin.secret.command(twin.game, actor, command)
        if there is None:
            return
        there = as_shown(self.game, twin.game, actor, there)
        other = take(twin.game, actor, there, chance)
        if isinstance(other, Refusal):
            assert may_differ or other == answer, (twin.secret.name, other, answer)
        else:
            assert not isinstance(answer, Refusal) or may_differ, (twin.secret.name, answer)
            twin.game = other.game

    def compare(self) -> None:
        """Nobody who is not entitled can tell the worlds apart; then forget what is revealed."""
        round_, edition = self.game.round, EDITIONS[self.game.edition]
        everyone = self.encoder.snapshot(self.game)
        kept = []
        for twin in self.twins:
            there = twin.encoder.snapshot(twin.game)
            known = round_ is not None and round_.results is not None
            over = round_ is not None and round_.state is edition.terminal
            if over or (known and not twin.secret.outlives_the_year):
                if there != everyone:
                    self.told_apart[twin.secret.name, "reveal"] += 1
                continue
            kept.append(twin)
            assert there == everyone, (twin.secret.name, there, everyone)
            assert version(twin.game, None) == version(self.game, None)
            for player in self.game.players:
                self.compare_viewer(twin, player)
        self.twins = kept
        self.probe()

    def compare_viewer(self, twin: Twin, player: str) -> None:
        here = self.encoder.viewer(self.game, player, audio_url)
        there = twin.encoder.viewer(twin.game, player, audio_url)
        if not self.blind(twin, player):
            if here != there:
                self.told_apart[twin.secret.name, self.state] += 1
            return
        assert here == there, (twin.secret.name, player, here, there)
        assert version(self.game, player) == version(twin.game, player), "VIEW-08"
        self.compared[twin.secret.name, self.state] += 1

    def blind(self, twin: Twin, player: str) -> bool:
        """Whether this player may not know the secret, in either world."""
        entitled = twin.secret.entitled
        return not entitled(self.game, player) and not entitled(twin.game, player)

    def probe(self) -> None:
        """Whatever somebody who is not entitled asks for, the answer tells them nothing."""
        names = sorted({twin.secret.name for twin in self.twins})
        if names and not self.all_probes:
            names = [names[self.steps % len(names)]]
        for turn, name in enumerate(names, start=self.steps):
            alike = [twin for twin in self.twins if twin.secret.name == name]
            twin = alike[turn % len(alike)]
            blind = [player for player in self.game.players if self.blind(twin, player)]
            if blind:
                self.probe_as(blind[turn // 2 % len(blind)], twin)

    def probe_as(self, player: str, twin: Twin) -> None:
        shown = viewer(self.game, player)
        for kind in c.COMMANDS:
            drawn = kind in (c.StartRound, c.ChangeSong)
            chance = Chance(0, draw(self.game, self.steps) if drawn else None, SETUP)
            for command in values(self.game, shown, kind):
                here = decide(self.game, player, command, chance)
                there = decide(twin.game, player, command, chance)
                if isinstance(here, Refusal) or isinstance(there, Refusal):
                    assert here == there, (twin.secret.name, player, command)
        self.probed[twin.secret.name, self.state] += 1

    # Moves

    def join(self) -> None:
        events = join(self.game, f"Name-{self.game.joined + 1}")
        if isinstance(events, tuple):
            self.game = replay(events, self.game)
            for twin in self.twins:
                twin.game = replay(events, twin.game)
            self.give(f"p{self.game.joined}", c.SetStartYear(1999))

    def do(self, name: str, seed: int) -> bool:
        """Somebody who may does it; whether anybody could."""
        chances = random.Random(seed)
        able = [player for player in self.game.players if name in viewer(self.game, player).actions]
        if not able:
            return False
        player = chances.choice(able)
        return self.give(player, pick(self.game, player, name, chances), seed)

    def wrong(self, seed: int) -> None:
        """Anybody asks for anything."""
        chances = random.Random(seed)
        actor = chances.choice([*self.game.players, "p9"])
        kind = chances.choice(c.COMMANDS)
        rare = (c.FinishGame, c.RemovePlayer, c.AbortRound)
        if actor in self.game.players and kind not in rare:
            shown = viewer(self.game, actor)
            self.give(actor, chances.choice(list(values(self.game, shown, kind))), seed)
        else:
            self.give("p9", c.StartRound(1))
