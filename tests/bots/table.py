"""Tables to seat bots at."""

import random

from varv.music.options import lay_out
from varv.rules import Chance, Setup, create, join, replay, take
from varv.rules import commands as c
from varv.rules.model import Draw, Game, Mix, Song
from varv.rules.refusals import Refusal

GROUP = [Song(f"s{n}", f"Title {n}", f"Artist {n}", 1980 + n) for n in range(10)]
"""Ten songs of one decade, so that another of them can be the answer without a joker telling."""


def seated(edition: str, players: int = 4) -> Game:
    setup = Setup(Mix("m", "M", 20), 10)
    events = create("TEST", edition, "P1", setup, c.OptionsChange())
    assert not isinstance(events, Refusal)
    game = replay(events)
    for number in range(2, players + 1):
        joined = join(game, f"P{number}")
        assert not isinstance(joined, Refusal)
        game = replay(joined, game)
    return game


def do(game: Game, player: str, command: c.Command, draw: Draw | None = None) -> Game:
    step = take(game, player, command, Chance(draw=draw))
    assert not isinstance(step, Refusal), (player, command, step)
    return step.game


def guessing(edition: str, answer: Song = GROUP[4], players: int = 4) -> Game:
    """The first round of a game, just started by its leader p1. Start years are 1990, 1991, …"""
    game = seated(edition, players)
    for number, player in enumerate(game.players):
        game = do(game, player, c.SetStartYear(1990 + number))
    game = do(game, "p1", c.StartGame())
    return do(game, "p1", c.StartRound(1), lay_out(GROUP, answer, random.Random(1)))
