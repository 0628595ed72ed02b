"""How fast the rules are: commands per second, beside python-chess' moves for scale.

Run it with `python bench/rules.py`. Whole games of eight players are prepared beforehand; what is
timed is what a server does with each command. Times are processor time of this one process, so that
a busy machine disturbs them less; each figure is the best of several runs, and the runs of the
things compared alternate.
"""

import argparse
import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import chess

from varv.music.options import lay_out
from varv.rules import Chance, Setup, create, evolve, replay, take
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import Draw, Game, GameState, Mix, Song
from varv.rules.refusals import Refusal
from varv.rules.views import Encoder, version, viewer

PLAYERS = 8
GOAL_WITH_VIEWS = 15_000
GOAL_GROWTH = 1.1


class Move(NamedTuple):
    """A command as the server gets it, with what comes from outside."""

    actor: str
    command: c.Command
    chance: Chance


class Prepared(NamedTuple):
    """A game to play: where it starts, and everything that is said at the table."""

    start: Game
    moves: list[Move]


# Games to play


def _draw(number: int, dice: random.Random) -> Draw:
    songs = [
        Song(
            f"s{number}-{i}", f"Tune {number} {i}", f"Singer {number} {i}", dice.randint(1955, 2024)
        )
        for i in range(10)
    ]
    return lay_out(songs, songs[0], dice)


class Table:
    """Plays a game with dice and writes down every command."""

    def __init__(self, edition: str, seed: int) -> None:
        """A game in its first round."""
        self.dice = random.Random(seed)
        made = create("K7QX", edition, "Ada", Setup(Mix("m", "Mix", 600), 10), c.OptionsChange())
        assert not isinstance(made, Refusal)
        self.game = replay(made)
        for number in range(2, PLAYERS + 1):
            self.game = evolve(self.game, e.PlayerJoined(f"p{number}", f"Player {number}"))
        self.start = self.game
        self.moves: list[Move] = []
        self.draws = 0
        for player in self.game.players:
            self.say(player, c.SetStartYear(self.dice.randint(1980, 2010)))
        self.say("p1", c.StartGame())

    def say(self, actor: str, command: c.Command) -> None:
        draw = None
        if isinstance(command, c.StartRound):
            self.draws += 1
            draw = _draw(self.draws, self.dice)
        move = Move(actor, command, Chance(now=0, draw=draw))
        step = take(self.game, *move)
        if isinstance(step, Refusal):
            raise RuntimeError(f"{command} was refused: {step}")
        self.game = step.game
        self.moves.append(move)

    def round(self) -> None:
        """One whole round: everyone guesses, some use jokers, some change their mind."""
        edition, dice = EDITIONS[self.game.edition], self.dice
        assert self.game.round is not None
        number, leader = self.game.round.number, self.game.round.leader
        self.say(leader, c.StartRound(number))
        players = list(self.game.players)
        dice.shuffle(players)
        for player in players:
            if dice.random() < 0.2 and viewer(self.game, player).joker_parts:
                self.say(player, c.UseJoker(number, 1, "placement"))
        for part in ("placement", "title", "artist"):
            for player in players:
                if part in viewer(self.game, player).open_parts:
                    self.say(player, c.SubmitGuess(number, 1, part, self._choice(player, part)))
        if edition.predicts:
            self.say(leader, c.Predict(number, 1, dice.choice(["easy", "medium", "hard"])))
        self.say(leader, c.LockRound(number, 1))
        for state in edition.reveals:
            self.say(leader, c.Reveal(number, state))

    def _choice(self, player: str, part: str) -> int | str:
        round_ = self.game.round
        assert round_ is not None and round_.performance is not None
        right = self.dice.random() < 0.5
        if part == "placement":
            cards = self.game.players[player].timeline
            year = round_.performance.song.year
            fits = sum(card.year <= year for card in cards)
            return fits if right else self.dice.randint(0, len(cards))
        answer = round_.performance.title if part == "title" else round_.performance.artist
        return answer if right else f"{part[0]}{self.dice.randrange(10)}"

    def next(self) -> None:
        """On to the next round, or the next cycle."""
        assert self.game.round is not None and self.game.cycle is not None
        if self.game.cycle.state == "BOUNDARY_DECISION":
            self.say("p1", c.StartCycle())
        else:
            self.say(self.game.round.leader, c.NextRound(self.game.round.number))


def whole_game(edition: str, seed: int, rounds: int = 2 * PLAYERS) -> Prepared:
    """Two cycles from the lobby to the ranking."""
    table = Table(edition, seed)
    for _ in range(rounds - 1):
        table.round()
        table.next()
    table.round()
    table.say("p1", c.FinishGame())
    assert table.game.state is GameState.FINISHED
    return Prepared(table.start, table.moves)


def rounds_at(edition: str, wanted: Sequence[int]) -> list[Prepared]:
    """Single rounds of one long game, each from its start to its terminal reveal."""
    table, found = Table(edition, 7), []
    for number in range(1, max(wanted) + 1):
        table.moves, table.start = [], table.game
        table.round()
        if number in wanted:
            found.append(Prepared(table.start, table.moves))
        table.next()
    return found


# What is timed


def decide_only(games: Sequence[Prepared]) -> int:
    """Every command through decide and evolve; how many there were."""
    count = 0
    for game, moves in games:
        for actor, command, chance in moves:
            step = take(game, actor, command, chance)
            game = step.game  # type: ignore[union-attr]
        count += len(moves)
    return count


def decide_and_show(games: Sequence[Prepared]) -> int:
    """And the state message of everyone who can see a difference, as bytes (VIEW-08)."""
    count = 0
    for game, moves in games:
        encoder, snapshot, shown = Encoder(), b"", 0
        versions = dict.fromkeys(game.players, 0)
        for actor, command, chance in moves:
            step = take(game, actor, command, chance)
            game = step.game  # type: ignore[union-attr]
            if game.public_changes != shown:
                shown, snapshot = game.public_changes, encoder.snapshot(game)
            for player in game.players:
                number = version(game, player)
                if number != versions[player]:
                    versions[player] = number
                    b'{"type":"state","version":%d,"now":%d,"snapshot":%b,"viewer":%b}' % (
                        number, chance.now, snapshot, encoder.viewer(game, player),
                    )  # fmt: skip
        count += len(moves)
    return count


def chess_games(count: int) -> list[list[chess.Move]]:
    """Random legal games."""
    dice = random.Random(1)
    games: list[list[chess.Move]] = []
    for _ in range(count):
        board = chess.Board()
        moves: list[chess.Move] = []
        while len(moves) < 100 and not board.is_game_over():
            move = dice.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move)
        games.append(moves)
    return games


def play_chess(games: Sequence[list[chess.Move]]) -> int:
    """Every move through is_legal and push; how many there were."""
    count = 0
    for moves in games:
        board = chess.Board()
        for move in moves:
            if not board.is_legal(move):
                raise RuntimeError(f"{move} is not legal")
            board.push(move)
        count += len(moves)
    return count


# Timing


def rates(runs: int, *things: Callable[[], int]) -> list[float]:
    """How many a second each thing does, the best of several alternating runs."""
    best = [0.0] * len(things)
    gc.collect()
    gc.freeze()  # what was prepared is not part of what is measured
    for _ in range(runs):
        for index, thing in enumerate(things):
            begun = time.process_time()
            count = thing()
            best[index] = max(best[index], count / (time.process_time() - begun))
    return best


def growth(
    edition: str, work: Callable[[Sequence[Prepared]], int], rounds: tuple[int, int], runs: int
) -> float:
    """The cost per command in the later round over that in the earlier one."""
    early, late = rounds_at(edition, rounds)
    earlier, later = rates(runs, lambda: work([early] * 20), lambda: work([late] * 20))
    return earlier / later


def main() -> None:
    """Print the figures and how they stand to the goals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=15, help="runs of each thing (best counts)")
    parser.add_argument("--check", action="store_true", help="exit 1 if a goal is missed")
    arguments = parser.parse_args()
    runs, missed = arguments.runs, []
    board = chess_games(30)
    for edition in EDITIONS:
        games = [whole_game(edition, seed) for seed in range(6)]
        moves, plain, shown = rates(
            runs,
            lambda: play_chess(board),
            lambda games=games: decide_only(games),  # type: ignore[misc]
            lambda games=games: decide_and_show(games),  # type: ignore[misc]
        )
        print(f"{edition}, {PLAYERS} players, whole games")
        print(f"  decide + evolve             {plain:>9,.0f} commands/s")
        print(f"  python-chess in the same run{moves:>9,.0f} moves/s: {plain / moves:.2f}×")
        print(
            f"  with all state messages     {shown:>9,.0f} commands/s: "
            f"{shown / GOAL_WITH_VIEWS:.2f}× the goal of {GOAL_WITH_VIEWS:,}"
        )
        grown = growth(edition, decide_only, (3, 300), runs)
        print(f"  cost at round 300 over 3    {grown:>9.2f} (goal ≤ {GOAL_GROWTH})")
        views = growth(edition, decide_and_show, (3, 40), runs)
        print(f"  with views, round 40 over 3 {views:>9.2f}")
        missed += [
            f"{edition}: {goal}"
            for goal, met in (
                ("as fast as python-chess", plain >= moves),
                ("15,000 commands/s with views", shown >= GOAL_WITH_VIEWS),
                ("no growth with age", grown <= GOAL_GROWTH),
            )
            if not met
        ]
    for goal in missed:
        print(f"missed: {goal}")
    if missed and arguments.check:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
