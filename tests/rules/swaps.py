"""The secrets of a performance: what can be swapped, and who may know it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.model import Draw, Game, Guess, Song


@dataclass
class Secret:
    """One secret: how it differs in the other world, who may know it, and for how long it holds."""

    name: str
    draw: Callable[[Draw], Draw] = lambda drawn: drawn
    command: Callable[[Game, str, Any], c.Command | None] = lambda game, actor, command: command
    entitled: Callable[[Game, str], bool] = lambda game, player: False
    outlives_the_year: bool = False
    """Whether it is still secret between the two reveals (VIEW-03)."""


def another_answer(years: int, *, in_few: bool = True) -> Callable[[Draw], Draw]:
    """The same options with another right one, and a year so much later."""

    def swapped(drawn: Draw) -> Draw:
        title, few_titles = _another(drawn.titles, drawn.few_titles, drawn.song.title, in_few)
        artist, few_artists = _another(drawn.artists, drawn.few_artists, drawn.song.artist, in_few)
        song = Song("other", drawn.titles[title], drawn.artists[artist], drawn.song.year + years)
        if years and abs(years) < 10:
            decade, place = divmod(drawn.song.year, 10)
            song = msgspec.structs.replace(song, year=decade * 10 + (place + years) % 10)
        return msgspec.structs.replace(
            drawn, song=song, few_titles=few_titles, few_artists=few_artists, recording="other"
        )

    return swapped


def _another(
    texts: tuple[str, ...], few: tuple[int, ...], answer: str, in_few: bool
) -> tuple[int, tuple[int, ...]]:
    right = texts.index(answer)
    if in_few:
        return next(index for index in few if index != right), few
    other = next(index for index in range(10) if index not in few)
    return other, tuple(sorted({other, *few} - {right}))


def leads_as_oracle(game: Game, player: str) -> bool:
    return (
        EDITIONS[game.edition].predicts and game.round is not None and game.round.leader == player
    )


def _guess(game: Game, player: str) -> Guess:
    return game.round.guesses.get(player, Guess()) if game.round else Guess()


def knows_decade(game: Game, player: str) -> bool:
    return leads_as_oracle(game, player) or "placement" in _guess(game, player).jokers


def knows_few(game: Game, player: str) -> bool:
    used = _guess(game, player).jokers
    return leads_as_oracle(game, player) or "title" in used or "artist" in used


def another_choice(game: Game, part: str, choice: int | str | None) -> int | str | None:
    """Another choice that is just as legal: one of the three for one of the three."""
    performance = game.round.performance if game.round else None
    if performance is None or choice is None or isinstance(choice, int):
        return choice
    few = performance.few_titles if part == "title" else performance.few_artists
    index = int(choice[1:]) if choice[1:].isdigit() else 99
    rest = tuple(other for other in range(10) if other not in few)
    for group in (few, rest):
        if index in group:
            index = group[(group.index(index) + 1) % len(group)]
            break
    return f"{choice[0]}{index}"


def as_shown(here: Game, there: Game, actor: str, command: Any) -> c.Command:
    """The command of somebody whom a joker shows another three there: right for right."""
    rounds = here.round, there.round
    if not isinstance(command, c.SubmitGuess) or command.part not in _guess(here, actor).jokers:
        return command
    played = [round_.performance for round_ in rounds if round_ and round_.performance]
    if len({getattr(one, f"few_{command.part}s", ()) for one in played}) < 2:
        return command
    right, other = (getattr(one, command.part) for one in played)
    choice = {right: other, other: right}.get(command.choice, command.choice)
    return msgspec.structs.replace(command, choice=choice)


def other_names(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    def swapped(game: Game, actor: str, command: Any) -> c.Command:
        if actor != victim or not isinstance(command, c.SubmitGuess):
            return command
        choice = another_choice(game, command.part, command.choice)
        return msgspec.structs.replace(command, choice=choice)

    return swapped


def other_guesses(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    names = other_names(victim)

    def swapped(game: Game, actor: str, command: Any) -> c.Command | None:
        if actor == victim and isinstance(command, c.SubmitGuess):
            last = len(game.players[actor].timeline)
            if isinstance(command.choice, int) and 0 <= command.choice <= last:
                other = (command.choice + 1) % (last + 1)
                return msgspec.structs.replace(command, choice=other)
        return names(game, actor, command)

    return swapped


def no_joker(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    def swapped(game: Game, actor: str, command: Any) -> c.Command | None:
        return None if actor == victim and isinstance(command, c.UseJoker) else command

    return swapped


def no_second_thoughts(victim: str) -> Callable[[Game, str, Any], c.Command | None]:
    def swapped(game: Game, actor: str, command: Any) -> c.Command | None:
        if actor != victim or not isinstance(command, c.SubmitGuess) or command.choice is None:
            return command
        given = getattr(_guess(game, actor), command.part, None)
        return command if given is None else None

    return swapped


def other_prediction(game: Game, actor: str, command: Any) -> c.Command:
    if not isinstance(command, c.Predict):
        return command
    turn = {"easy": "medium", "medium": "hard", "hard": "easy"}
    other = turn.get(command.difficulty, command.difficulty)
    return msgspec.structs.replace(command, difficulty=other)


def secrets(game: Game) -> list[Secret]:
    """Everything that is secret about a performance in this game."""
    answers = [
        Secret("answer", another_answer(30), entitled=knows_decade),
        Secret("answer of the decade", another_answer(3), entitled=leads_as_oracle),
        Secret("answer of the ten", another_answer(3, in_few=False), entitled=knows_few),
        Secret(
            "title and artist", another_answer(0), entitled=leads_as_oracle, outlives_the_year=True
        ),
    ]
    guesses = [
        secret
        for victim in game.players
        for secret in (
            Secret("guess", command=other_guesses(victim), entitled=_is(victim)),
            Secret(
                "names guessed",
                command=other_names(victim),
                entitled=_is(victim),
                outlives_the_year=True,
            ),
            Secret("joker", command=no_joker(victim), entitled=_is(victim), outlives_the_year=True),
            Secret("second thoughts", command=no_second_thoughts(victim), entitled=_is(victim)),
        )
    ]
    prediction = Secret("prediction", command=other_prediction, entitled=leads_as_oracle)
    return [*answers, *guesses, *([prediction] if EDITIONS[game.edition].predicts else [])]


def _is(victim: str) -> Callable[[Game, str], bool]:
    return lambda game, player: player == victim
