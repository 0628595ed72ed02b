"""The Viewer: what one player sees besides the Snapshot."""

from collections.abc import Callable
from typing import TypeAlias

from varv.rules import commands as c
from varv.rules import jokers
from varv.rules.candidates import option_id
from varv.rules.decide import joker_refused
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition
from varv.rules.machine import GAME, Trigger
from varv.rules.model import PARTS, Audio, Game, GameState, Guess, Part, Performance
from varv.rules.permission import permit, plays_audio
from varv.rules.refusals import Reason
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

_ABOUT_GAME: dict[GameState, tuple[Trigger, ...]] = {
    state: tuple(command for source, command in GAME if source is state) for state in GameState
}
_NOT_YET = {
    Reason.TOO_FEW_PLAYERS,
    Reason.TOO_MANY_PLAYERS,
    Reason.START_YEAR_MISSING,
    Reason.PREDICTION_MISSING,
}
_NO_PARTS = PartOptions(None, None)


def viewer(game: Game, player: str, audio_url: AudioUrl | None = None) -> Viewer:
    """What this player sees besides the Snapshot."""
    return viewer_with(game, player, audio_url, part_options)


def viewer_with(
    game: Game,
    player: str,
    audio_url: AudioUrl | None,
    part_options: Callable[[Edition, Performance, Guess], PartOptions],
) -> Viewer:
    """The Viewer, with its options made in a given way."""
    edition, round_ = EDITIONS[game.edition], game.round
    performance = round_.performance if round_ else None
    guess, over, led = NO_GUESS, True, False
    if round_ is not None:
        guess = round_.guesses.get(player, NO_GUESS)
        over = round_.state is edition.terminal
        led = round_.leader == player
    guessing = performance is not None and _takes_part(edition, game, player)
    open_parts, joker_parts, no_joker = _openings(edition, game, player, guess)
    actions, blocked = _actions(edition, game, player, no_joker)
    plays = plays_audio(game, player)
    knows = led and edition.predicts and performance is not None
    return Viewer(
        player=player,
        is_host=player == game.host,
        is_leader=led,
        plays_audio=plays,
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
        audio=AudioView(audio_url(game, player))
        if plays and audio_url and game.options.audio != Audio.SCREEN
        else None,
    )


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
    edition: Edition, game: Game, player: str, guess: Guess
) -> tuple[tuple[Part, ...], list[Part], Reason | None]:
    """The parts open to a guess, those open to a joker, and why there is none of the latter."""
    round_ = game.round
    if round_ is None or (round_.state, c.SubmitGuess) not in edition.rounds:
        return (), [], None
    open_parts = edition.open_parts(guess) if permit(game, player, c.SubmitGuess) is None else ()
    if permit(game, player, c.UseJoker) is not None:
        return open_parts, [], None
    refusals = [joker_refused(game, player, guess, part) for part in PARTS]
    joker_parts = [part for part, refusal in zip(PARTS, refusals, strict=True) if refusal is None]
    reasons = [refusal.reason for refusal in refusals if refusal is not None]
    first = next((reason for reason in _JOKER_REASONS if reason in reasons), Reason.NO_JOKER_LEFT)
    return open_parts, joker_parts, None if joker_parts else first


_JOKER_REASONS = (Reason.NO_JOKER_LEFT, Reason.JOKER_ALREADY_USED, Reason.PART_OUT_OF_ORDER)


def _actions(
    edition: Edition, game: Game, player: str, no_joker: Reason | None
) -> tuple[list[str], dict[str, Reason]]:
    """What this player may do now, and what is theirs to do but not yet (VIEW-01)."""
    candidates = _ABOUT_GAME[game.state]
    if game.round is not None:
        candidates += edition.accepts[game.round.state]
    actions: list[str] = []
    blocked: dict[str, Reason] = {}
    for command in candidates:
        name = c.NAMES[command]
        refusal = permit(game, player, command)
        if command is c.UseJoker and no_joker is not None:
            blocked[name] = no_joker
        elif command is c.RemovePlayer and len(game.players) == 1:
            continue
        elif refusal is None:
            actions.append(name)
        elif refusal.reason in _NOT_YET:
            blocked[name] = refusal.reason
    return actions, blocked
