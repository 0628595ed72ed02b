"""What must hold whatever happens: a referee who sees every command and every view."""

from collections import Counter
from itertools import pairwise
from typing import Any

import msgspec
from tests.rules.play import audio_url, chance, new_game, stored, values

from varv.rules import Step, decide, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import CardKind, CycleState, Game, GameState, Part, RoundState
from varv.rules.refusals import Reason, Refusal
from varv.rules.views import Encoder, snapshot, version, viewer

encode = msgspec.json.encode
SAID = (e.GuessSubmitted, e.GuessWithdrawn, e.JokerUsed)
"""What a player can say for themself only."""


def mentions(value: Any, wanted: set[str], path: str = "") -> list[str]:
    """Where any of these strings stands in a JSON value."""
    if isinstance(value, dict):
        return [
            found
            for key, inner in value.items()
            for found in [
                *([f"{path}.{key}"] if key in wanted else []),
                *mentions(inner, wanted, f"{path}.{key}"),
            ]
        ]
    if isinstance(value, list | tuple):
        return [found for inner in value for found in mentions(inner, wanted, path)]
    return [path] if value in wanted else []


class Referee:
    """One game, everything that has happened in it, and what everyone has been shown."""

    edition: str
    met: Counter[str] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.game = new_game(self.edition, players=1)
        self.log: list[e.Event] = [
            e.GameCreated("CODE", self.edition, self.game.mix, self.game.options, 3, 6),
            e.PlayerJoined("p1", "Name-1"),
        ]
        self.gone: set[str] = set()
        self.gone_names: set[str] = set()
        self.turns: Counter[tuple[int, str]] = Counter()
        self.encoder = Encoder()
        self.shown = self.views()
        assert replay(self.log) == self.game

    # Doing

    def give(self, actor: str, command: c.Command, seed: int = 0) -> Step | Refusal:
        """Give a command and look at everything that must hold afterwards."""
        before, bytes_before, outside = self.game, encode(self.game), chance(self.game, seed)
        step = take(before, actor, command, outside)
        decided = decide(before, actor, command, outside)
        assert encode(before) == bytes_before, "deciding changed the game"
        if isinstance(step, Refusal):
            assert decided == step
            assert isinstance(step.reason, Reason) and step.reason.rule
            encode(step)
        else:
            assert decided == step.events
            said = [event.player for event in step.events if isinstance(event, SAID)]
            assert all(player == actor for player in said), "GUE-07"
            self.happened(step)
        return step

    def happened(self, step: Step) -> None:
        folded = replay(map(stored, step.events), self.game)
        assert folded == step.game, "the stored events make another game"
        assert encode(folded) == encode(step.game)
        before, self.game = self.game, step.game
        self.log += step.events
        for event in step.events:
            self.note(before, event)
        self.check_game(before, step.events)
        self.check_views(before)
        self.check_actions()
        self.met.update(
            [
                self.game.state,
                *([self.game.cycle.state] if self.game.cycle else []),
                *([self.game.round.state] if self.game.round else []),
                *(["ranked"] if self.game.ranking else []),
                *(["removed"] if self.gone else []),
                *(["late"] if len({p.cycle for p in self.game.players.values()}) > 1 else []),
            ]
        )

    def note(self, before: Game, event: e.Event) -> None:
        if isinstance(event, e.PlayerRemoved):
            self.gone.add(event.player)
            self.gone_names.add(before.players[event.player].name)
        if isinstance(event, e.RoundRevealed) and event.to is EDITIONS[self.edition].terminal:
            assert before.round is not None
            self.turns[before.round.cycle, before.round.leader] += 1
        if isinstance(event, e.CycleFinished):
            assert before.cycle is not None
            for player in before.cycle.rotation:
                if player in self.game.players:
                    assert self.turns[before.cycle.number, player] == 1, "CYC-15"
        if isinstance(event, e.JokerUsed | e.GuessSubmitted | e.PredictionMade):
            assert before.round is not None and before.round.state is RoundState.GUESSING

    # What must hold of the game

    def check_game(self, before: Game, events: tuple[e.Event, ...]) -> None:
        game = self.game
        again = msgspec.json.decode(encode(game), type=Game)
        assert again == game
        assert encode(again) == encode(game)
        assert max(self.turns.values(), default=0) <= 1, "CYC-02"
        self.check_cards()
        self.check_jokers(before, events)
        self.check_rounds()
        found = (
            mentions(msgspec.to_builtins(game), self.gone | self.gone_names) if self.gone else []
        )
        assert set(found) <= {
            ".round.leader", ".round.leader_name", ".last_round.leader", ".last_round.leader_name",
        }  # fmt: skip
        if game.state is GameState.FINISHED:
            self.check_ranking()
        else:
            assert game.ranking is None

    def check_cards(self) -> None:
        for player in self.game.players.values():
            years = [card.year for card in player.timeline]
            assert years == sorted(years), "RND-28"
            per_round = Counter(
                card.round for card in (*player.timeline, *player.side_cards) if card.round
            )
            assert max(per_round.values(), default=0) <= 1, "RND-22"
            starts = [card for card in player.timeline if card.kind is CardKind.START]
            assert len(starts) == (player.cycle is not None)
            if starts:
                assert starts[0].year == player.start_year

    def check_jokers(self, before: Game, events: tuple[e.Event, ...]) -> None:
        settled = any(
            isinstance(event, e.RoundRevealed) and event.to is EDITIONS[self.edition].terminal
            for event in events
        )
        for player in self.game.players.values():
            assert 0 <= player.jokers <= 3, "JOK-01"
            earlier = before.players.get(player.id)
            if earlier is None or earlier.cycle is None:
                assert player.jokers == (player.cycle is not None), "JOK-01"
                continue
            assert player.jokers == earlier.jokers or settled, "JOK-06"
            assert player.jokers <= earlier.jokers + 1, "at most one joker won"

    def check_rounds(self) -> None:
        game, round_ = self.game, self.game.round
        if game.state is GameState.LOBBY:
            assert game.cycle is None and round_ is None
            return
        if game.cycle is None:
            assert game.state is GameState.FINISHED and round_ is None
            return
        edition = EDITIONS[self.edition]
        assert set(game.cycle.rotation) <= set(game.players)
        assert set(game.cycle.completed) <= set(game.cycle.rotation)
        if game.state is GameState.IN_PROGRESS:
            assert len(game.players) >= game.min_players, "GAME-05"
            if game.cycle.state is CycleState.ACTIVE:
                assert round_ is not None and round_.cycle == game.cycle.number, "CYC-13"
                assert set(game.cycle.completed) < set(game.cycle.rotation) or (
                    round_.state is not edition.terminal
                ), "CYC-08"
        if round_ is None:
            return
        live = round_.state is not edition.terminal
        assert round_.state is not RoundState.ABORTED
        assert not live or (
            game.state is GameState.IN_PROGRESS and game.cycle.state is CycleState.ACTIVE
        )
        assert (round_.performance is None) == (round_.state is edition.first), "PRF-01"
        for player, guess in round_.guesses.items():
            assert live is False or len(guess.jokers) <= game.players[player].jokers, "JOK-05"

    def check_ranking(self) -> None:
        """Count again from the log alone: cards given in rounds of FINISHED cycles."""
        game = self.game
        if not game.finished_cycles:
            assert game.ranking is None, "RANK-06"
            return
        assert game.ranking is not None
        rows = {row.player: row for row in game.ranking}
        assert set(rows) == {
            player.id
            for player in game.players.values()
            if player.cycle is not None and player.cycle <= game.finished_cycles[-1]
        }, "RANK-05, RANK-09"
        cards, stars, oracles = self.count_again()
        for player, row in rows.items():
            expected = (
                (cards[player], stars[player])
                if self.edition == "dj"
                else (1 + cards[player], oracles[player])
            )
            assert (row.cards, row.tiebreak) == expected
            better = [
                other
                for other in game.ranking
                if (other.cards, other.tiebreak) > (row.cards, row.tiebreak)
            ]
            assert row.place == len(better) + 1, "RANK-07"
        for above, below in pairwise(game.ranking):
            assert above.place <= below.place

    def count_again(self) -> tuple[Counter[str], Counter[str], Counter[str]]:
        cards: Counter[str] = Counter()
        stars: Counter[str] = Counter()
        oracles: Counter[str] = Counter()
        cycle, leader = 0, ""
        for event in self.log:
            if isinstance(event, e.CycleStarted):
                cycle = event.number
            elif isinstance(event, e.RoundCreated):
                leader = event.leader
            elif isinstance(event, e.RoundRevealed):
                counted = event.to is EDITIONS[self.edition].terminal
                if not counted or cycle not in self.game.finished_cycles:
                    continue
                for player, result in event.results.items():
                    cards[player] += result.card is not None
                    stars[player] += bool(result.star)
                oracles[leader] += event.leader_card is not None
        return cards, stars, oracles

    # What must hold of the views

    def views(self) -> dict[str | None, tuple[int, bytes]]:
        """Version and bytes of everyone's state, and of a shared screen's (None)."""
        game = self.game
        everyone = encode(snapshot(game))
        assert self.encoder.snapshot(game) == everyone
        views: dict[str | None, tuple[int, bytes]] = {None: (version(game, None), everyone)}
        for player in game.players:
            own = encode(viewer(game, player, audio_url))
            assert self.encoder.viewer(game, player, audio_url) == own
            views[player] = (version(game, player), everyone + own)
        return views

    def check_views(self, before: Game) -> None:
        earlier, self.shown = self.shown, self.views()
        for who, (number, view) in self.shown.items():
            if who not in earlier:
                continue
            number_before, view_before = earlier[who]
            assert (number > number_before) == (view != view_before), f"VIEW-08 for {who}"
            assert number >= number_before
        if not self.gone:
            return
        builtins = msgspec.to_builtins(snapshot(self.game))
        leaders = {"leader", "leader_name"}
        for path in mentions(builtins, self.gone | self.gone_names):
            assert path.rsplit(".", 1)[1] in leaders, f"VIEW-04: {path}"

    def check_actions(self) -> None:
        """What is offered is accepted for some value; what is not is refused for all (VIEW-01).

        One player at a time, in turn, and everyone whenever a round has moved on.
        """
        game = self.game
        players, outside = list(game.players), chance(game)
        moved = not isinstance(self.log[-1], e.GuessSubmitted | e.GuessWithdrawn | e.JokerUsed)
        for player in players if moved else [players[len(self.log) % len(players)]]:
            shown = viewer(game, player)
            assert not set(shown.actions) & set(shown.blocked)
            for command in c.COMMANDS:
                name = c.NAMES[command]
                answers = [
                    (asked, decide(game, player, asked, outside))
                    for asked in values(game, shown, command)
                ]
                accepted = [asked for asked, answer in answers if isinstance(answer, tuple)]
                assert (name in shown.actions) == bool(accepted), (player, name)
                if name in shown.blocked:
                    reasons = [answer.reason for _, answer in answers if answer]  # type: ignore[union-attr]
                    assert shown.blocked[name] in reasons
                if command is c.SubmitGuess:
                    self.check_guesses(shown.open_parts, accepted)
                    self.check_options(shown, accepted)
                if command is c.UseJoker:
                    assert {asked.part for asked in accepted} == set(shown.joker_parts)

    def check_guesses(self, open_parts: tuple[Part, ...], accepted: list[Any]) -> None:
        given = {asked.part for asked in accepted}
        assert given == set(open_parts)

    def check_options(self, shown: Any, accepted: list[Any]) -> None:
        for part in ("title", "artist"):
            if part in shown.open_parts:
                options = {option.id for option in getattr(shown.options, part)}
                chosen = {asked.choice for asked in accepted if asked.part == part}
                assert chosen - {None} == options, "GUE-08"
