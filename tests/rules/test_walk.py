"""Nothing gets stuck: every state of a small world, found one by one.

Two walks for each edition, both breadth first over all that anyone can do:

* **whole games** from an empty lobby: up to five players who come, are removed and come late, two
  cycles, aborts, changed songs, songs that cannot be played, every way to end; a guess is a right
  placement, a wrong one, or none, and may be withdrawn (and every other first guess is tried);
* **one round** at a table of four: somebody guesses in full detail (each part right, wrong,
  missing or withdrawn, every joker) with each balance from none to three, beside somebody who
  places the song: the leader, the host while another leads, or neither.

One walk over whole games with every guess of everyone would be millions of states. It would
find nothing that these two do not, because they also show, at every single step:

* where a move of the *ceremony* (all but guesses and jokers, see `tests.rules.walk`) leads, and
  whether it is refused, depends on the ceremony alone: never on a guess, a joker or a balance;
* a guess or a joker changes nothing but its player's own guess, and what it does depends on that
  guess, on the balance and on whether its player leads: never on the rest of the game;
* every ceremony of the second walk is one of the first, and both agree on where it leads.

So any game that can be come to is one of the first walk with guesses and balances laid on it, and
whoever can move that one on can move this one on. In the second walk every guess was laid, at
every balance, and none was found that holds up the round.
"""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from tests.rules.play import new_game
from tests.rules.walk import MAX_PLAYERS, NOTHING, START, Key, Move, Walk, World, guess

from varv.rules import Chance, take
from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.model import MAX_JOKERS, PARTS, Game, Part
from varv.rules.refusals import Refusal

# What the rulebook allows, written down once more by hand

GAME = {
    ("game", "LOBBY", "IN_PROGRESS"),
    ("game", "LOBBY", "FINISHED"),
    ("game", "IN_PROGRESS", "FINISHED"),
}
CYCLE = {
    ("cycle", None, "ACTIVE"),
    ("cycle", "ACTIVE", "BOUNDARY_DECISION"),
    ("cycle", "BOUNDARY_DECISION", "FINISHED"),
    ("cycle", "FINISHED", "ACTIVE"),
}
ROUND = {
    "dj": {
        ("round", None, "WAITING_FOR_DJ"),
        ("round", "WAITING_FOR_DJ", "GUESSING"),
        ("round", "GUESSING", "LOCKED"),
        ("round", "LOCKED", "GUESSING"),
        ("round", "LOCKED", "REVEALED_TIMELINE"),
        ("round", "REVEALED_TIMELINE", "REVEALED_FULL"),
        ("round", "WAITING_FOR_DJ", "ABORTED"),
        ("round", "GUESSING", "ABORTED"),
        ("round", "LOCKED", "ABORTED"),
        ("round", "REVEALED_TIMELINE", "ABORTED"),
        ("round", "REVEALED_FULL", "WAITING_FOR_DJ"),
    },
    "oracle": {
        ("round", None, "READY"),
        ("round", "READY", "GUESSING"),
        ("round", "GUESSING", "LOCKED"),
        ("round", "LOCKED", "GUESSING"),
        ("round", "LOCKED", "REVEALED"),
        ("round", "READY", "ABORTED"),
        ("round", "GUESSING", "ABORTED"),
        ("round", "LOCKED", "ABORTED"),
        ("round", "REVEALED", "READY"),
    },
}
"""RND-03 with RND-05, RND-04; the last row of each: a revealed round makes room for the next."""

HOST, OTHER, PLACES = "p1", "p2", "p4"
"""In the first round the host leads; in the second, p2."""
IN_DETAIL = "Name-in-detail"


def placements(game: Game) -> Iterator[Move]:
    """Anyone may place the song, rightly or wrongly, and take it back."""
    for player in game.players.values():
        yield from guess(game, player, Part.PLACEMENT, what="right wrong withdrawn")


def any_guess(game: Game) -> Iterator[Move]:
    """Every guess with which a round can begin, by anyone."""
    if game.round is not None and not game.round.guesses:
        for player in game.players.values():
            yield from guess(game, player, *PARTS, what="right wrong withdrawn joker")


def one_in_detail(game: Game) -> Iterator[Move]:
    """Whoever was given another balance guesses all they can, and somebody places the song."""
    for player in game.players.values():
        if player.name == IN_DETAIL:
            yield from guess(game, player, *PARTS, what="right wrong withdrawn joker")
        elif player.id == PLACES:
            yield from guess(game, player, Part.PLACEMENT, what="right withdrawn")


def nothing_else(_: Game) -> Iterator[Move]:
    yield from ()


def started(edition: str) -> Game:
    game = new_game(edition, 4)
    commands = [*((player, c.SetStartYear(START)) for player in game.players)]
    for actor, command in [*commands, (game.host, c.StartGame())]:
        step = take(game, actor, command, NOTHING)
        assert not isinstance(step, Refusal)
        game = step.game
    return game


def next_round(game: Game, song: Chance) -> Game:
    """The second round, after a first in which nobody guessed."""
    assert game.round is not None
    number, reveals = game.round.number, EDITIONS[game.edition].reveals
    for command in (
        c.StartRound(number),
        c.Predict(number, 1, "hard"),
        c.LockRound(number, 1),
        *(c.Reveal(number, state) for state in reveals),
        c.NextRound(number),
    ):
        step = take(game, game.host, command, song)
        game = game if isinstance(step, Refusal) else step.game
    assert game.round is not None and game.round.number == number + 1
    return game


def starts(edition: str, song: Chance) -> Iterator[Game]:
    """The leader, the host while another leads, and neither, each with every balance."""
    first = started(edition)
    second = next_round(first, song)
    for game, player in ((first, HOST), (second, HOST), (first, OTHER)):
        for balance in range(MAX_JOKERS + 1):
            detailed = replace(game.players[player], name=IN_DETAIL, jokers=balance)
            yield replace(game, players={**game.players, player: detailed})


@pytest.mark.rule(
    "GAME-01", "GAME-05", "CYC-01", "CYC-08", "CYC-10", "CYC-11", "CYC-12", "RND-01", "RND-02",
    "RND-03", "RND-04", "RND-05",
)  # fmt: skip
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_nothing_gets_stuck(edition: str) -> None:
    world, rules = World(edition), EDITIONS[edition]
    leads_to: dict[Key, Key | None] = {}
    lays: dict[Key, Key | None] = {}
    games = Walk(world, placements, any_guess, leads_to, lays)
    games.go(new_game(edition, 1, max_players=MAX_PLAYERS))
    print(f"{edition}, whole games: {len(games.found)} states, {games.edges} transitions")
    rounds = Walk(world, one_in_detail, nothing_else, leads_to, lays, one_round=True)
    rounds.go(*starts(edition, world.songs[0]))
    print(f"{edition}, one round: {len(rounds.found)} states, {rounds.edges} transitions")
    assert games.stuck() == rounds.stuck() == []
    assert games.moves == GAME | CYCLE | ROUND[edition]
    assert rounds.moves < games.moves
    assert rounds.ceremonies < games.ceremonies
    everywhere = {state for state, _ in rules.rounds}
    assert {round_ for cycle, round_ in games.states if cycle == "ACTIVE"} == everywhere
    assert {round_ for cycle, round_ in games.states if cycle == "BOUNDARY_DECISION"} == {
        rules.terminal,
        None,
    }
    assert len(games.found) > 2000 and len(rounds.found) > 2000
