"""What a bot hears of a song, by its skill."""

import random
from statistics import fmean, pstdev

from varv.bots.hearing import hear, imagine
from varv.bots.skills import SKILLS
from varv.rules.model import Song

SONG = Song("s", "Silver River", "The Paper Comets", 1984)


def heard(skill: str) -> list[float]:
    rng = random.Random(1)
    return [hear(SONG, SKILLS[skill], rng).year for _ in range(2000)]


def test_better_listeners_are_less_far_off():
    errors = [pstdev(heard(skill)) for skill in ("novice", "regular", "expert")]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 2 * errors[2]


def test_nobody_is_off_on_average():
    for skill in SKILLS:
        assert abs(fmean(heard(skill)) - SONG.year) < 1


def test_names_are_known_as_often_as_the_skill_says():
    rng = random.Random(2)
    for skill in SKILLS.values():
        hearings = [hear(SONG, skill, rng) for _ in range(3000)]
        expected = skill.recognises * skill.names
        for known in ("title", "artist"):
            share = sum(getattr(each, known) is not None for each in hearings) / len(hearings)
            assert abs(share - expected) < 0.04
        assert {each.title for each in hearings} == {None, SONG.title}


def test_the_same_chance_hears_the_same():
    skill = SKILLS["regular"]
    assert hear(SONG, skill, random.Random(3)) == hear(SONG, skill, random.Random(3))


def test_whoever_hears_nothing_knows_no_names():
    rng = random.Random(4)
    ideas = [imagine(rng) for _ in range(100)]
    assert all(idea.title is None and idea.artist is None for idea in ideas)
    assert len({idea.year for idea in ideas}) > 20
