"""A bot at the table: what it does, seeing what a player sees and hearing what a player hears.

A bot keeps no memory of the game: everything is in its view, so that it can be put back in its seat
at any time, on any machine.
"""

import random
from collections.abc import Collection

from varv.bots import oracle
from varv.bots.belief import Belief, placements
from varv.bots.hearing import Hearing, imagine
from varv.bots.skills import Skill
from varv.rules import commands as c
from varv.rules.candidates import fold
from varv.rules.editions import EDITIONS
from varv.rules.model import PARTS, Part
from varv.rules.views import Snapshot, Viewer
from varv.rules.views.shapes import OptionView, PlayerView, RoundView

_SURE_ENOUGH = {1: 0.45, 2: 0.55, 3: 0.70}
"""Jokers in hand → how sure of a place a bot keeps them. A fourth would be lost (JOK-10)."""
_USUAL_START_YEAR, _START_YEAR_SPREAD = 1994, 8


class Bot:
    """A player of a given skill. `act` is all there is to it."""

    def __init__(self, skill: Skill, rng: random.Random) -> None:
        """A bot draws all its chance from `rng`."""
        self.skill = skill
        self._rng = rng

    def act(
        self,
        snapshot: Snapshot,
        viewer: Viewer,
        hearing: Hearing | None,
        *,
        waiting_for: Collection[str] | None = None,
        leads_on: bool = False,
    ) -> c.Command | None:
        """The next thing this bot does, or None if it has nothing to do until its view changes.

        Without a `hearing` it guesses in the dark. When it leads, it locks once all of
        `waiting_for` (everyone, if None) who guess have submitted all parts. Only one that
        `leads_on` says `next_round`; the others leave people the time to look.
        """
        me = next(player for player in snapshot.players if player.id == viewer.player)
        if "set_start_year" in viewer.actions and me.start_year is None:
            return c.SetStartYear(self._start_year(*snapshot.start_years))
        round_ = snapshot.round
        if round_ is None:
            return None
        return (
            self._guess(me, round_, viewer, hearing)
            or self._predict(snapshot, round_, viewer)
            or _lead(snapshot, round_, viewer, waiting_for, leads_on=leads_on)
        )

    def _start_year(self, first: int, last: int) -> int:
        year = round(self._rng.gauss(_USUAL_START_YEAR, _START_YEAR_SPREAD))
        return min(max(year, first), last)

    def _predict(self, snapshot: Snapshot, round_: RoundView, viewer: Viewer) -> c.Command | None:
        if "predict" not in viewer.actions or viewer.prediction is not None:
            return None
        answer, scale = viewer.answer, round_.difficulty_scale
        assert answer is not None and scale is not None
        guessers = [player for player in snapshot.players if player.id in round_.submitted]
        difficulty = oracle.predict(answer.year, guessers, scale)
        return c.Predict(round_.number, round_.performance, difficulty)

    def _guess(
        self, me: PlayerView, round_: RoundView, viewer: Viewer, hearing: Hearing | None
    ) -> c.Command | None:
        part = _next_part(viewer)
        if part is None:
            return None
        heard = hearing or imagine(self._rng)
        chances = placements(_belief(heard, viewer), [card.year for card in me.timeline])
        if part in viewer.joker_parts and _wants_joker(part, me, viewer, heard, max(chances)):
            return c.UseJoker(round_.number, round_.performance, part)
        choice: int | str
        if part is Part.PLACEMENT:
            choice = chances.index(max(chances))
        elif part is Part.TITLE:
            choice = self._choose(viewer.options.title, heard.title)
        else:
            choice = self._choose(viewer.options.artist, heard.artist)
        return c.SubmitGuess(round_.number, round_.performance, part, choice)

    def _choose(self, options: list[OptionView] | None, wanted: str | None) -> str:
        """The option that is what was heard, or any."""
        assert options
        known = fold(wanted) if wanted is not None else None
        right = [option.id for option in options if fold(option.text) == known]
        return right[0] if right else self._rng.choice(options).id


def _next_part(viewer: Viewer) -> Part | None:
    """The first part that is open and not submitted."""
    if "guess" not in viewer.actions:
        return None
    missing = (part for part in PARTS if getattr(viewer.guess, part) is None)
    return next((part for part in missing if part in viewer.open_parts), None)


def _belief(heard: Hearing, viewer: Viewer) -> Belief:
    """What was heard, within the decade that a joker shows (JOK-07)."""
    if viewer.decade is None:
        return Belief(heard.year, heard.spread)
    return Belief(heard.year, heard.spread, viewer.decade.start, viewer.decade.end)


def _wants_joker(
    part: Part, me: PlayerView, viewer: Viewer, heard: Hearing, sure_of_place: float
) -> bool:
    """On the placement when in doubt; on a name when only that one is missing."""
    if part is Part.PLACEMENT:
        left = me.jokers - len(viewer.jokers_registered)
        return sure_of_place < _SURE_ENOUGH[left]
    known = {Part.TITLE: heard.title, Part.ARTIST: heard.artist}
    other = Part.ARTIST if part is Part.TITLE else Part.TITLE
    return known[part] is None and known[other] is not None


def _lead(
    snapshot: Snapshot,
    round_: RoundView,
    viewer: Viewer,
    waiting_for: Collection[str] | None,
    *,
    leads_on: bool,
) -> c.Command | None:
    """The ceremony of a round, for whoever may lead it (RND-16, RND-18)."""
    if "start_round" in viewer.actions:
        return c.StartRound(round_.number)
    if "lock_round" in viewer.actions and _all_done(round_, waiting_for):
        return c.LockRound(round_.number, round_.performance)
    if "reveal" in viewer.actions:
        to = EDITIONS[snapshot.edition].rounds[round_.state, c.Reveal]
        return c.Reveal(round_.number, to)
    if "next_round" in viewer.actions and leads_on:
        return c.NextRound(round_.number)
    return None


def _all_done(round_: RoundView, waiting_for: Collection[str] | None) -> bool:
    return all(
        len(parts) == len(PARTS)
        for player, parts in round_.submitted.items()
        if waiting_for is None or player in waiting_for
    )
