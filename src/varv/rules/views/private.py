"""The Viewer: what one player sees besides the Snapshot."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from varv.rules import commands as c
from varv.rules import jokers
from varv.rules.candidates import option_id
from varv.rules.decide import joker_refused
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition
from varv.rules.model import NO_GUESS, PARTS, Audio, Game, Guess, Part, Performance, guess_of
from varv.rules.permission import Offer, offers, plays_audio
from varv.rules.refusals import Reason
from varv.rules.views.public import answer_view
from varv.rules.views.shapes import (
    AudioView,
    ChoiceView,
    Decade,
    OptionView,
    PartOptions,
    Viewer,
)

AudioUrl: TypeAlias = Callable[[Game, str], str]

_NO_PARTS = PartOptions(None, None)
_USE_JOKER, _REMOVE_PLAYER = c.NAMES[c.UseJoker], c.NAMES[c.RemovePlayer]


def viewer(game: Game, player: str, audio_url: AudioUrl | None = None) -> Viewer:
    """What this player sees besides the Snapshot."""
    audio = audio_view(game, player, audio_url)
    return viewer_with(game, player, audio, offers(game)[player], part_options)


def rests_on(game: Game) -> tuple[object, ...]:
    """All of a game that Viewers rest on, save for each player's own guess and sound.

    As long as these are the same, so is the Viewer: most of what happens at a table is somebody's
    guess, and leaves everyone else's as it was.
    """
    table = (game.state, game.options, game.max_players, game.cycle, game.players)
    round_ = game.round
    if round_ is None:
        return table
    return (*table, round_.state, round_.leader, round_.performance, round_.prediction)


def viewer_with(
    game: Game,
    player: str,
    audio: AudioView | None,
    offer: Offer,
    part_options: Callable[[Edition, Performance, Guess], PartOptions],
) -> Viewer:
    """The Viewer, with what is offered and its sound found, and its options made in a given way."""
    edition, round_ = EDITIONS[game.edition], game.round
    performance = round_.performance if round_ else None
    guess, led = NO_GUESS, False
    registered: tuple[Part, ...] = ()
    if round_ is not None:
        guess = guess_of(round_, player)
        led = round_.leader == player
        if round_.state is not edition.terminal:
            registered = guess.jokers
    open_parts: tuple[Part, ...] = ()
    if c.SubmitGuess in offer.may:
        open_parts = edition.open_parts(guess)
    joker_parts: tuple[Part, ...] = ()
    no_joker: Reason | None = None
    if c.UseJoker in offer.may:
        joker_parts, no_joker = _joker_parts(edition, guess, game.players[player].jokers)
    actions, blocked = _actions(game, offer, no_joker)
    knows = led and edition.predicts and performance is not None
    return Viewer(
        player=player,
        is_host=player == game.host,
        is_leader=led,
        plays_audio=c.Play in offer.may,
        actions=actions,
        blocked=blocked,
        guess=ChoiceView(guess.placement, guess.title, guess.artist),
        open_parts=open_parts,
        options=part_options(edition, performance, guess)
        if performance and game.cycle and player in game.cycle.rotation
        else _NO_PARTS,
        jokers_registered=registered,
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


@lru_cache(maxsize=1 << 12)
def _joker_parts(
    edition: Edition, guess: Guess, balance: int
) -> tuple[tuple[Part, ...], Reason | None]:
    """The parts that are open to a joker, or why none is."""
    refusals = {part: joker_refused(edition, guess, part, balance) for part in PARTS}
    joker_parts = tuple(part for part in PARTS if refusals[part] is None)
    if joker_parts:
        return joker_parts, None
    reasons = [refusal.reason for refusal in refusals.values() if refusal is not None]
    return (), next((why for why in _JOKER_REASONS if why in reasons), Reason.NO_JOKER_LEFT)


_JOKER_REASONS = (Reason.NO_JOKER_LEFT, Reason.JOKER_ALREADY_USED, Reason.PART_OUT_OF_ORDER)


def _actions(
    game: Game, offer: Offer, no_joker: Reason | None
) -> tuple[list[str], dict[str, Reason]]:
    """What this player may do now, and what is theirs to do but not yet (VIEW-01)."""
    actions = [c.NAMES[command] for command in offer.may]
    blocked = {c.NAMES[command]: refusal.reason for command, refusal in offer.not_yet.items()}
    if no_joker is not None:
        actions.remove(_USE_JOKER)
        blocked[_USE_JOKER] = no_joker
    if len(game.players) == 1 and _REMOVE_PLAYER in actions:
        actions.remove(_REMOVE_PLAYER)
    return actions, blocked
