"""The Viewer: what one player sees besides the Snapshot."""

from collections.abc import Callable
from typing import TypeAlias

from varv.rules import commands as c
from varv.rules import jokers
from varv.rules.candidates import option_id
from varv.rules.decide import joker_refused
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition
from varv.rules.model import PARTS, Audio, Game, Guess, Part, Performance
from varv.rules.permission import Offers, offers, plays_audio
from varv.rules.refusals import Reason, refuse
from varv.rules.views.public import NO_GUESS, answer_view
from varv.rules.views.shapes import (
    AudioView,
    ChoiceView,
    Decade,
    OptionView,
    PartOptions,
    Viewer,
)

AudioUrl: TypeAlias = Callable[[Game, str], str]

_NOT_YET = {
    Reason.TOO_FEW_PLAYERS,
    Reason.TOO_MANY_PLAYERS,
    Reason.START_YEAR_MISSING,
    Reason.PREDICTION_MISSING,
}
_NO_PARTS = PartOptions(None, None)
_NOT_OFFERED = refuse(Reason.NOT_IN_THIS_EDITION)


def viewer(game: Game, player: str, audio_url: AudioUrl | None = None) -> Viewer:
    """What this player sees besides the Snapshot."""
    return viewer_with(game, player, audio_view(game, player, audio_url), part_options)


def rests_on(game: Game, player: str) -> tuple[object, ...]:
    """All of a game that a player's Viewer rests on: as long as it is the same, so is the Viewer.

    Others' guesses are not in it, so that most of what happens leaves most viewers as they were.
    """
    table = (game.state, game.options, game.max_players, game.cycle, game.players)
    round_ = game.round
    if round_ is None:
        return table
    guess = round_.guesses.get(player)
    return (*table, round_.state, round_.leader, round_.performance, round_.prediction, guess)


def viewer_with(
    game: Game,
    player: str,
    audio: AudioView | None,
    part_options: Callable[[Edition, Performance, Guess], PartOptions],
) -> Viewer:
    """The Viewer, with its sound found and its options made in a given way."""
    edition, round_ = EDITIONS[game.edition], game.round
    performance = round_.performance if round_ else None
    guess, over, led = NO_GUESS, True, False
    if round_ is not None:
        guess = round_.guesses.get(player, NO_GUESS)
        over = round_.state is edition.terminal
        led = round_.leader == player
    guessing = performance is not None and _takes_part(edition, game, player)
    offered = offers(game, player)
    open_parts, joker_parts, no_joker = _openings(edition, game, player, guess, offered)
    actions, blocked = _actions(game, offered, no_joker)
    knows = led and edition.predicts and performance is not None
    return Viewer(
        player=player,
        is_host=player == game.host,
        is_leader=led,
        plays_audio=plays_audio(game, player),
        actions=actions,
        blocked=blocked,
        guess=ChoiceView(guess.placement, guess.title, guess.artist),
        open_parts=open_parts,
        options=part_options(edition, performance, guess)
        if performance and (guessing or led)
        else _NO_PARTS,
        jokers_registered=() if over else guess.jokers,
        joker_parts=joker_parts,
        decade=Decade(*jokers.decade(performance.song.year))
        if performance and Part.PLACEMENT in guess.jokers
        else None,
        answer=answer_view(performance.song, fully=True) if knows and performance else None,
        prediction=round_.prediction if knows and round_ else None,
        audio=audio,
    )


def audio_view(game: Game, player: str, audio_url: AudioUrl | None) -> AudioView | None:
    """Where this player gets the sound, if their device plays it (VIEW-06)."""
    if audio_url is None or game.options.audio == Audio.SCREEN or not plays_audio(game, player):
        return None
    return AudioView(audio_url(game, player))


def _takes_part(edition: Edition, game: Game, player: str) -> bool:
    """Whether this player guesses in the current round."""
    round_, cycle = game.round, game.cycle
    assert round_ is not None and cycle is not None
    return player in cycle.rotation and edition.guesses(round_, player)


def part_options(edition: Edition, performance: Performance, guess: Guess) -> PartOptions:
    """The options this guess's owner is shown (GUE-06, JOK-08)."""
    return PartOptions(
        *(_option_list(edition, performance, guess, part) for part in (Part.TITLE, Part.ARTIST))
    )


def _option_list(
    edition: Edition, performance: Performance, guess: Guess, part: Part
) -> list[OptionView] | None:
    shown = edition.options(performance, guess, part)
    texts = performance.titles if part is Part.TITLE else performance.artists
    return None if shown is None else [OptionView(option_id(part, i), texts[i]) for i in shown]


def _openings(
    edition: Edition, game: Game, player: str, guess: Guess, offered: Offers
) -> tuple[tuple[Part, ...], list[Part], Reason | None]:
    """The parts open to a guess, those open to a joker, and why there is none of the latter."""
    may_guess = offered.get(c.SubmitGuess, _NOT_OFFERED) is None
    open_parts = edition.open_parts(guess) if may_guess else ()
    if offered.get(c.UseJoker, _NOT_OFFERED) is not None:
        return open_parts, [], None
    refusals = [joker_refused(game, player, guess, part) for part in PARTS]
    joker_parts = [part for part, refusal in zip(PARTS, refusals, strict=True) if refusal is None]
    reasons = [refusal.reason for refusal in refusals if refusal is not None]
    first = next((reason for reason in _JOKER_REASONS if reason in reasons), Reason.NO_JOKER_LEFT)
    return open_parts, joker_parts, None if joker_parts else first


_JOKER_REASONS = (Reason.NO_JOKER_LEFT, Reason.JOKER_ALREADY_USED, Reason.PART_OUT_OF_ORDER)


def _actions(
    game: Game, offered: Offers, no_joker: Reason | None
) -> tuple[list[str], dict[str, Reason]]:
    """What this player may do now, and what is theirs to do but not yet (VIEW-01)."""
    actions: list[str] = []
    blocked: dict[str, Reason] = {}
    for command, refusal in offered.items():
        name = c.NAMES[command]
        if command is c.UseJoker and no_joker is not None:
            blocked[name] = no_joker
        elif command is c.RemovePlayer and len(game.players) == 1:
            continue
        elif refusal is None:
            actions.append(name)
        elif refusal.reason in _NOT_YET:
            blocked[name] = refusal.reason
    return actions, blocked
