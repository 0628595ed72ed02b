"""A small world to play in: songs, draws, and every command that somebody could think of."""

import os
import random
from collections.abc import Iterator

import msgspec
from hypothesis import Phase

from varv.rules import Chance, Setup, create, decide, evolve, replay
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.drawing import request
from varv.rules.editions import EDITIONS
from varv.rules.model import Draw, Game, GameState, Mix, Part, Song
from varv.rules.views import Viewer, viewer

MIX = Mix("test-mix", "Test mix", 200)
SONGS = tuple(
    Song(f"s{number}", f"Tune {number}", f"Singer {number}", 1960 + number * 7 % 61)
    for number in range(MIX.songs)
)
CHANGES = c.OptionsChange(guess_seconds=30)

MUTANT = "MUTANT_UNDER_TEST" in os.environ
"""Whether the rules have been changed on purpose: then it is enough that a few games notice."""
PHASES = (Phase.generate,) if MUTANT else (Phase.generate, Phase.shrink)

event_decoder: msgspec.json.Decoder[e.Event] = msgspec.json.Decoder(e.Event)


def stored(event: e.Event) -> e.Event:
    """The event as it comes back from a store."""
    return event_decoder.decode(msgspec.json.encode(event))


def new_game(edition: str, players: int = 3, max_players: int = 6) -> Game:
    """A game in LOBBY, nobody with a start year yet."""
    events = create("CODE", edition, "Name-1", Setup(MIX, max_players), c.OptionsChange())
    assert isinstance(events, tuple)
    game = replay(events)
    for number in range(2, players + 1):
        game = evolve(game, e.PlayerJoined(f"p{number}", f"Name-{number}"))
    return game


def draw(game: Game, seed: int) -> Draw:
    """A song with options, none of which has been seen in this round (CAN-05)."""
    chance = random.Random(seed)
    retired = request(game).retired
    group: list[Song] = []
    while len(group) < 10:
        song = chance.choice(SONGS)
        if song.id not in retired and song not in group:
            group.append(song)
    song = group[0]
    titles = [other.title for other in group]
    artists = [other.artist for other in group]
    few = group[:3]
    chance.shuffle(titles)
    chance.shuffle(artists)
    return Draw(
        song=song,
        titles=tuple(titles),
        artists=tuple(artists),
        few_titles=tuple(sorted(titles.index(other.title) for other in few)),
        few_artists=tuple(sorted(artists.index(other.artist) for other in few)),
        group=tuple(other.id for other in group),
        recording=f"recording of {song.id}",
    )


def chance(game: Game, seed: int = 0) -> Chance:
    """What the outside hands in with a command."""
    mix = Mix(f"mix-{seed % 3}", "Another mix", 100)
    return Chance(now=1_000_000 + seed, draw=draw(game, seed), setup=Setup(mix, 6))


def values(game: Game, shown: Viewer, command: type[c.Command]) -> Iterator[c.Command]:
    """Every value that could make a difference to whether such a command is accepted.

    All of them are about the current round and song, as a client that is up to date sends them.
    """
    round_ = game.round
    number = round_.number if round_ else 1
    performance = round_.performance.number if round_ and round_.performance else None
    if command is c.SetStartYear:
        yield from (c.SetStartYear(year) for year in (1979, 1980, 1995, 2010, 2011))
    elif command is c.RemovePlayer:
        yield from (c.RemovePlayer(player) for player in (*game.players, "p99"))
    elif command is c.Configure:
        yield c.Configure(mix="mix-1", options=CHANGES)
        yield c.Configure(options=c.OptionsChange(audio="everyone"))
    elif command is c.Reveal:
        states = [*EDITIONS[game.edition].reveals, "NOWHERE"]
        yield from (c.Reveal(number, str(state)) for state in states)
    elif command is c.SubmitGuess:
        cards = len(game.players[shown.player].timeline)
        for position in (*range(-1, cards + 2), None, "t0"):
            yield c.SubmitGuess(number, performance, Part.PLACEMENT, position)
        for part in ("title", "artist"):
            for option in (*range(11), "x"):
                yield c.SubmitGuess(number, performance, part, f"{part[0]}{option}")
            yield c.SubmitGuess(number, performance, part, None)
            yield c.SubmitGuess(number, performance, part, 3)
        yield c.SubmitGuess(number, performance, "year", 3)
    elif command is c.UseJoker:
        yield from (c.UseJoker(number, performance, part) for part in (*Part, "year"))
    elif command is c.Predict:
        yield from (c.Predict(number, performance, how) for how in ("easy", "hard", "unheard-of"))
    elif "performance" in command.__struct_fields__:
        yield command(number, performance)  # type: ignore[call-arg]
    elif "round" in command.__struct_fields__:
        yield command(number)  # type: ignore[call-arg]
    else:
        yield command()  # type: ignore[call-arg]


def pick(game: Game, player: str, name: str, chances: random.Random) -> c.Command:
    """A command of this name that is accepted."""
    kind = next(kind for kind, known in c.NAMES.items() if known == name)
    asked = list(values(game, viewer(game, player), kind))
    chances.shuffle(asked)
    outside = chance(game)
    return next(one for one in asked if isinstance(decide(game, player, one, outside), tuple))


def audio_url(game: Game, player: str) -> str:
    """An address that is another one for every song and player."""
    assert game.round is not None and game.round.performance is not None
    return f"/audio/{game.round.number}-{game.round.performance.number}-{player}"


def unfinished(game: Game) -> bool:
    """Whether there is anything left to play."""
    return game.state is not GameState.FINISHED
