"""Nothing about a list points at the answer (CAN-06), shown by guessing thousands of times.

Each strategy below is a way to guess without listening. With ten options, chance is one in ten; a
strategy that did better by more than luck allows (four standard deviations) would be a leak.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import pytest
from tests.music.worlds import pool, request, shipped, songs

from varv.music import options
from varv.music.pool import Candidate, Pool
from varv.music.seeding import DEMO_MIX
from varv.rules.model import Draw
from varv.rules.refusals import Reason


class Look(NamedTuple):
    """What a guesser has before them: the lists, and what they remember of this game."""

    made: Draw
    options: list[Candidate]
    """The ten, in the order of their titles: a player who knows every song by heart."""
    round: int
    seen: Counter[str]
    """How often each title and each artist has been on a list."""
    last: dict[str, int]
    """In which round a title was last on a list."""
    answers: frozenset[str]
    """Artists who have been the answer."""


Strategy = Callable[[Look], Candidate | None]
Pick = Callable[[random.Random, list[Candidate]], list[Candidate]]


def play(mixes: Iterable[Pool], rounds: int, seed: int) -> Iterator[Look]:
    """Rounds of whole games, each song revealed before the next is drawn; a game per mix."""
    rng = random.Random(seed)
    for game, mix in enumerate(mixes):
        by_id = {c.song.id: c for c in mix.members + mix.others}
        played: frozenset[str] = frozenset()
        answers: frozenset[str] = frozenset()
        seen: Counter[str] = Counter()
        last: dict[str, int] = {}
        for n in range(rounds):
            made = options.draw(mix, request(played=played, revealed=played, game=str(game)), rng)
            if isinstance(made, Reason):
                raise AssertionError(made)
            group = {by_id[song].song.title: by_id[song] for song in made.group}
            ten = [group[title] for title in made.titles]
            yield Look(made, ten, n, seen.copy(), last.copy(), answers)
            played |= {made.song.id}
            answers |= {made.song.artist}
            seen.update(made.titles + made.artists)
            last.update(dict.fromkeys(made.titles, n))


def year(c: Candidate) -> tuple[int, str]:
    return c.song.year, c.song.title


def only(songs: list[Candidate]) -> Candidate | None:
    """One of those that a feature sets apart, unless it sets apart all of them."""
    return songs[0] if 0 < len(songs) < 10 else None


def alone(look: Look, kind: Callable[[Candidate], str]) -> Candidate | None:
    count = Counter(map(kind, look.options))
    return only([c for c in look.options if count[kind(c)] == 1])


def with_most(look: Look, kind: Callable[[Candidate], str]) -> Candidate:
    count = Counter(map(kind, look.options))
    return max(look.options, key=lambda c: (count[kind(c)], c.song.title))


def language(c: Candidate) -> str:
    return c.language


def genre(c: Candidate) -> str:
    return c.genre


def swedish(look: Look) -> Candidate | None:
    found = [c for c in look.options if c.language == "sv"]
    return found[0] if len(found) == 1 else None


def beside_its_artist(look: Look) -> Candidate | None:
    pairs = zip(look.options, look.made.artists, strict=True)
    return only([c for c, artist in pairs if c.song.artist == artist])


def first_artist(look: Look) -> Candidate:
    return next(c for c in look.options if c.song.artist == look.made.artists[0])


# Each is a rule that a player could follow; ties go to the title that comes first on the list.
STRATEGIES: dict[str, Strategy] = {
    "middle year": lambda look: sorted(look.options, key=year)[5],
    "first year": lambda look: min(look.options, key=year),
    "last year": lambda look: max(look.options, key=year),
    "only Swedish one": swedish,
    "only one of its language": lambda look: alone(look, language),
    "only one of its genre": lambda look: alone(look, genre),
    "most common language": lambda look: with_most(look, language),
    "most common genre": lambda look: with_most(look, genre),
    "longest title": lambda look: max(look.options, key=lambda c: len(c.song.title)),
    "shortest title": lambda look: min(look.options, key=lambda c: len(c.song.title)),
    "longest artist": lambda look: max(look.options, key=lambda c: len(c.song.artist)),
    "shortest artist": lambda look: min(look.options, key=lambda c: len(c.song.artist)),
    "first title of the list": lambda look: look.options[0],
    "first artist of the list": first_artist,
    "first title of the alphabet": lambda look: min(look.options, key=lambda c: c.song.title),
    "last title of the alphabet": lambda look: max(look.options, key=lambda c: c.song.title),
    "first artist of the alphabet": lambda look: min(look.options, key=lambda c: c.song.artist),
    "last artist of the alphabet": lambda look: max(look.options, key=lambda c: c.song.artist),
    "title beside its artist": beside_its_artist,
    "seen before": lambda look: only([c for c in look.options if look.seen[c.song.title]]),
    "never seen": lambda look: only([c for c in look.options if not look.seen[c.song.title]]),
    "seen most often": lambda look: max(look.options, key=lambda c: look.seen[c.song.title]),
    "seen least often": lambda look: min(look.options, key=lambda c: look.seen[c.song.title]),
    "seen last": lambda look: max(look.options, key=lambda c: look.last.get(c.song.title, -1)),
    "seen longest ago": lambda look: min(
        look.options, key=lambda c: look.last.get(c.song.title, -1)
    ),
    "seen in the last round": lambda look: only(
        [c for c in look.options if look.last.get(c.song.title) == look.round - 1]
    ),
    "artist seen most often": lambda look: max(
        look.options, key=lambda c: look.seen[c.song.artist]
    ),
    "artist seen least often": lambda look: min(
        look.options, key=lambda c: look.seen[c.song.artist]
    ),
    "artist who was the answer": lambda look: only(
        [c for c in look.options if c.song.artist in look.answers]
    ),
    "artist who was never the answer": lambda look: only(
        [c for c in look.options if c.song.artist not in look.answers]
    ),
}
TALLIES = {name for name in STRATEGIES if "seen" in name or "answer" in name}


def no_better_than(chance: float, right: int, tries: int) -> bool:
    return right <= tries * chance + 4 * math.sqrt(tries * chance * (1 - chance))


def test_the_bound_can_fail() -> None:
    assert no_better_than(0.1, 430, 4000)
    assert not no_better_than(0.1, 500, 4000)


def leaks(
    looks: list[Look], *, chance: float = 0.1, leave_out: Iterable[str] = ()
) -> dict[str, tuple[int, int]]:
    """The strategies that do better than chance: how often they were right, of how many."""
    found = {}
    for name in STRATEGIES.keys() - leave_out:
        guesses = [(STRATEGIES[name](look), look.made.song.id) for look in looks]
        made = [guess.song.id == right for guess, right in guesses if guess is not None]
        found[name] = sum(made), len(made)
    return {name: score for name, score in found.items() if not no_better_than(chance, *score)}


@pytest.mark.rule("CAN-06", "CAN-07")
@pytest.mark.parametrize(
    ("members", "others", "games", "rounds"),
    [
        pytest.param(songs(1200), [], 160, 25, id="a large mix, all recorded"),
        pytest.param(songs(1200, recorded=0.2), [], 160, 25, id="a large mix, a fifth recorded"),
        pytest.param(songs(60, artists=50), songs(1200, mark="x", seed=3), 160, 25, id="own music"),
    ],
)
def test_no_strategy_beats_chance(
    members: list[Candidate], others: list[Candidate], games: int, rounds: int
) -> None:
    looks = list(play([pool(members, others)] * games, rounds, seed=7))
    assert len(looks) == games * rounds
    assert not leaks(looks)


def small_mixes(count: int, size: int, world: list[Candidate]) -> Iterator[Pool]:
    """Mixes in which only some songs happen to have a recording."""
    rng = random.Random(5)
    for _ in range(count):
        picked = {c.song.id for c in rng.sample(world, size)}
        yield pool([c if c.song.id in picked else c._replace(recordings=()) for c in world])


@pytest.mark.rule("CAN-06", "CAN-07")
@pytest.mark.parametrize("size", [20, 30])
def test_a_mix_with_few_recordings_tells_nothing_to_who_keeps_a_tally(size: int) -> None:
    """Company from the first round on: nothing is new at the end, and nothing is rare."""
    mixes = small_mixes(4000 // size, size, songs(900, artists=100))
    looks = list(play(mixes, size, seed=8))
    for part in (0, 1, 2):
        assert not leaks([look for look in looks if look.round * 3 // size == part])


def own_mixes(count: int, pick: Pick) -> Iterator[Pool]:
    """Somebody's own music, all of it recorded; the rest of what we ship is only known."""
    rng = random.Random(6)
    known = [c for c in shipped().pool("").others if c.world == "pop"]
    for _ in range(count):
        picked = {c.song.id for c in pick(rng, known)}
        yield pool(
            [c._replace(recordings=("r",)) for c in known if c.song.id in picked],
            [c for c in known if c.song.id not in picked],
        )


def any_songs(size: int) -> Pick:
    return lambda rng, known: rng.sample(known, size)


def few_artists(rng: random.Random, known: list[Candidate]) -> list[Candidate]:
    """Three songs by each of twelve."""
    by: dict[str, list[Candidate]] = {}
    for song in known:
        by.setdefault(song.artist_key, []).append(song)
    artists = rng.sample([songs for songs in by.values() if len(songs) > 4], 12)
    return [song for songs in artists for song in rng.sample(songs, 3)]


@pytest.mark.rule("CAN-06", "CAN-07")
@pytest.mark.parametrize(
    ("pick", "rounds"),
    [
        pytest.param(any_songs(20), 20, id="20 songs to the very last"),
        pytest.param(any_songs(30), 30, id="30 songs to the very last"),
        pytest.param(any_songs(45), 45, id="45 songs to the very last"),
        pytest.param(few_artists, 30, id="30 of 36 songs by 12 artists"),
    ],
)
def test_a_small_mix_of_your_own_tells_nothing(pick: Pick, rounds: int) -> None:
    looks = list(play(own_mixes(3600 // rounds, pick), rounds, seed=8))
    for part in (0, 1, 2):
        assert not leaks([look for look in looks if look.round * 3 // rounds == part])


@pytest.mark.rule("CAN-06", "CAN-07")
def test_an_evening_with_the_demo_tells_nothing() -> None:
    """Three rounds led by each of ten players, and all ten options could always be the answer."""
    demo = shipped().pool(DEMO_MIX)
    playable = {c.song.id for c in demo.playable}
    looks = list(play([demo] * 120, 30, seed=12))
    assert all(playable.issuperset(look.made.group) for look in looks)
    for part in (0, 1):
        assert not leaks([look for look in looks if look.round // 15 == part])


@pytest.mark.rule("CAN-06", "CAN-07")
def test_a_small_mix_that_is_like_nothing_else_leaks_little_before_its_end() -> None:
    """Christmas songs, and no others known: at the end songs of another sort must stand in.

    Those are new then: one in eight is what is promised to all but who keeps a tally. Who does
    that does better, since the songs left have been listed longest. It cannot be otherwise when
    each of ten options must be new, heard already, or one of the few left.
    """
    carols = [c._replace(genre="carol") for c in songs(30, artists=30)]
    mix = pool(carols, songs(900, mark="x", seed=3))
    assert mix.company("K7QX") == []
    looks = list(play([mix] * 200, 30, seed=8))
    assert not leaks([look for look in looks if look.round < 17])
    assert not leaks([look for look in looks if look.round >= 17], chance=0.125, leave_out=TALLIES)


@pytest.mark.rule("CAN-06")
def test_the_answer_is_at_every_place_equally_often() -> None:
    """Chi-square with 9 (and 2) degrees of freedom: 33 (and 18) come by chance once in 10,000."""
    looks = list(play([pool(songs(400))] * 160, 25, seed=9))

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
    looks = list(play([pool(songs(400))] * 160, 25, seed=10))
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
