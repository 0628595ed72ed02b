"""An Oracle's prediction, from the answer and what lies on the table."""

from collections.abc import Iterable, Mapping

from varv.bots.belief import Belief, right_span
from varv.bots.skills import DEFAULT_SKILL, SKILLS, Skill
from varv.rules.model import Difficulty
from varv.rules.views.shapes import PlayerView

_WITH_A_JOKER = 6.0
"""How far off somebody dates a song at most once they know its decade."""


def predict(
    year: int,
    guessers: Iterable[PlayerView],
    scale: Mapping[Difficulty, tuple[int, int]],
) -> Difficulty:
    """The likeliest difficulty if the others hear as people usually do (PRE-03)."""
    usual = SKILLS[DEFAULT_SKILL]
    counts = _counts([_chance(player, year, usual) for player in guessers])
    return max(scale, key=lambda difficulty: sum(counts[_inclusive(*scale[difficulty])]))


def _inclusive(first: int, last: int) -> slice:
    return slice(first, last + 1)


def _chance(player: PlayerView, year: int, skill: Skill) -> float:
    """How likely this player is to place a song of this year right."""
    span = right_span([card.year for card in player.timeline], year)
    unsure = min(skill.heard_error, _WITH_A_JOKER) if player.jokers else skill.heard_error
    known = Belief(year, skill.known_error).chance(*span)
    heard = Belief(year, unsure).chance(*span)
    return skill.recognises * known + (1 - skill.recognises) * heard


def _counts(chances: list[float]) -> list[float]:
    """How likely each number of right placements is, when everyone guesses for themself."""
    counts = [1.0]
    for chance in chances:
        missed = [*(count * (1 - chance) for count in counts), 0.0]
        hit = [0.0, *(count * chance for count in counts)]
        counts = [a + b for a, b in zip(missed, hit, strict=True)]
    return counts
