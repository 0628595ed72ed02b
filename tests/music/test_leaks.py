"""Nothing about a list points at the answer (CAN-06), shown by guessing thousands of times.

Each strategy below is a way to guess without listening. With ten options, chance is one in ten; a
strategy that did better by more than luck allows (four standard deviations) would be a leak.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from tests.music.worlds import pool, request, songs

from varv.music import options
from varv.music.options import Candidate, Pool
from varv.rules.model import Draw
from varv.rules.refusals import Reason


class Look(NamedTuple):
    """What a guesser has before them: the lists, and what they remember of this game."""

    made: Draw
    options: list[Candidate]
    """The ten, in the order of their titles: a player who knows every song by heart."""
    seen: Counter[str]


Strategy = Callable[[Look], str | None]


def play(mix: Pool, games: int, rounds: int, seed: int) -> Iterator[Look]:
    """Rounds of whole games, each song revealed before the next is drawn."""
    rng = random.Random(seed)
    by_title = {c.song.title: c for c in mix.members + mix.others}
    for game in range(games):
        played: frozenset[str] = frozenset()
        seen: Counter[str] = Counter()
        for _ in range(rounds):
            made = options.draw(mix, request(played=played, revealed=played, game=str(game)), rng)
            if isinstance(made, Reason):
                raise AssertionError(made)
            yield Look(made, [by_title[title] for title in made.titles], seen.copy())
            played |= {made.song.id}
            seen.update(made.titles)


def middle_year(look: Look) -> str:
    ordered = sorted(look.options, key=lambda c: (c.song.year, c.song.title))
    return ordered[len(ordered) // 2].song.title


def outermost_year(look: Look) -> str:
    return max(look.options, key=lambda c: (c.song.year, c.song.title)).song.title


def only_swedish(look: Look) -> str | None:
    swedish = [c for c in look.options if c.language == "sv"]
    return swedish[0].song.title if len(swedish) == 1 else None


def only_one_of_its_language(look: Look) -> str | None:
    count = Counter(c.language for c in look.options)
    lonely = [c for c in look.options if count[c.language] == 1]
    return lonely[0].song.title if lonely else None


def only_one_of_its_genre(look: Look) -> str | None:
    count = Counter(c.genre for c in look.options)
    lonely = [c for c in look.options if count[c.genre] == 1]
    return lonely[0].song.title if lonely else None


def most_common_language(look: Look) -> str:
    count = Counter(c.language for c in look.options)
    return max(look.options, key=lambda c: (count[c.language], c.song.title)).song.title


def longest_title(look: Look) -> str:
    return max(look.made.titles, key=len)


def shortest_title(look: Look) -> str:
    return min(look.made.titles, key=len)


def first_of_the_list(look: Look) -> str:
    return look.made.titles[0]


def seen_before(look: Look) -> str | None:
    old = [title for title in look.made.titles if look.seen[title]]
    return old[0] if 0 < len(old) < 10 else None


def seen_most_often(look: Look) -> str | None:
    best = max(look.made.titles, key=lambda title: look.seen[title])
    return best if look.seen[best] else None


def seen_least_often(look: Look) -> str:
    return min(look.made.titles, key=lambda title: look.seen[title])


def never_seen(look: Look) -> str | None:
    new = [title for title in look.made.titles if not look.seen[title]]
    return new[0] if 0 < len(new) < 10 else None


def at_the_same_place_as_its_artist(look: Look) -> str | None:
    pairs = zip(look.options, look.made.artists, strict=True)
    same = [c.song.title for c, artist in pairs if c.song.artist == artist]
    return same[0] if same else None


STRATEGIES: list[Strategy] = [
    middle_year,
    outermost_year,
    only_swedish,
    only_one_of_its_language,
    only_one_of_its_genre,
    most_common_language,
    longest_title,
    shortest_title,
    first_of_the_list,
    seen_before,
    seen_most_often,
    seen_least_often,
    never_seen,
    at_the_same_place_as_its_artist,
]


def no_better_than(chance: float, right: int, tries: int) -> bool:
    return right <= tries * chance + 4 * math.sqrt(tries * chance * (1 - chance))


def test_the_bound_can_fail() -> None:
    assert no_better_than(0.1, 430, 4000)
    assert not no_better_than(0.1, 500, 4000)


def scores(looks: list[Look]) -> dict[str, tuple[int, int]]:
    found = {}
    for strategy in STRATEGIES:
        guesses = [(strategy(look), look.made.song.title) for look in looks]
        made = [(guess, right) for guess, right in guesses if guess is not None]
        found[strategy.__name__] = sum(guess == right for guess, right in made), len(made)
    return found


@pytest.mark.rule("CAN-06", "CAN-07")
@pytest.mark.parametrize(
    ("members", "others", "games", "rounds"),
    [
        pytest.param(songs(1200), [], 160, 25, id="a large mix, all recorded"),
        pytest.param(songs(1200, recorded=0.2), [], 160, 25, id="a large mix, a fifth recorded"),
        pytest.param(
            songs(45, artists=25, world="demo", years=(1700, 1928)),
            songs(100, artists=50, world="demo", years=(1700, 1928), mark="x", seed=3),
            200,
            20,
            id="the demo mix",
        ),
        pytest.param(songs(60, artists=50), songs(1200, mark="x", seed=3), 160, 25, id="own music"),
    ],
)
def test_no_strategy_beats_chance(
    members: list[Candidate], others: list[Candidate], games: int, rounds: int
) -> None:
    looks = list(play(pool(members, others), games, rounds, seed=7))
    assert len(looks) == games * rounds
    result = scores(looks)
    leaks = {name: s for name, s in result.items() if not no_better_than(0.1, *s)}
    assert not leaks
    assert result["first_of_the_list"][1] == len(looks)


@pytest.mark.rule("CAN-06", "CAN-07")
def test_a_mix_played_to_its_end_leaks_little() -> None:
    """When few songs are left, stand-ins make up the ten; none of them may be easy to tell.

    One that is on a list for the first time can be told by its newness, so one in eight is what is
    promised here. Who keeps a tally of how often each title was listed does better: the mix comes
    first (CAN-07), so its last songs have been listed longest. Larger mixes are the cure.
    """
    mix = pool(songs(30, artists=30), songs(900, mark="x", seed=3))
    looks = [look for n, look in enumerate(play(mix, 200, 30, seed=8)) if n % 30 >= 18]
    result = scores(looks)
    del result["seen_most_often"]
    assert not {name: s for name, s in result.items() if not no_better_than(0.125, *s)}


@pytest.mark.rule("CAN-06")
def test_the_answer_is_at_every_place_equally_often() -> None:
    """Chi-square with 9 (and 2) degrees of freedom: 33 (and 18) come by chance once in 10,000."""
    looks = list(play(pool(songs(400)), 160, 25, seed=9))

    def chi_square(places: list[int], size: int) -> float:
        expected = len(places) / size
        count = Counter(places)
        return sum((count[n] - expected) ** 2 / expected for n in range(size))

    made = [look.made for look in looks]
    titles = [d.titles.index(d.song.title) for d in made]
    artists = [d.artists.index(d.song.artist) for d in made]
    assert chi_square(titles, 10) < 33
    assert chi_square(artists, 10) < 33
    assert chi_square([d.few_titles.index(t) for d, t in zip(made, titles, strict=True)], 3) < 18
    assert chi_square([d.few_artists.index(a) for d, a in zip(made, artists, strict=True)], 3) < 18
    together = Counter(zip(titles, artists, strict=True))
    assert sum((together[t, a] - 40) ** 2 / 40 for t in range(10) for a in range(10)) < 160


@pytest.mark.rule("CAN-06")
def test_the_reduced_three_do_not_point_at_the_answer() -> None:
    looks = list(play(pool(songs(400)), 160, 25, seed=10))
    right: Counter[str] = Counter()
    for look in looks:
        three = [look.options[n] for n in look.made.few_titles]
        guesses = {
            "middle year": sorted(three, key=lambda c: c.song.year)[1],
            "longest": max(three, key=lambda c: len(c.song.title)),
            "seen most often": max(three, key=lambda c: look.seen[c.song.title]),
        }
        for name, guess in guesses.items():
            right[name] += guess.song.id == look.made.song.id
    assert all(no_better_than(1 / 3, count, len(looks)) for count in right.values()), right
