"""Which songs of a mix are in play, and what keeps a small mix company."""

import random

import pytest
from tests.music.worlds import drawn, ids, pool, request, songs

from varv.music.pool import COMPANY, ENOUGH_SONGS, EVENING, candidate, playable
from varv.rules.model import Song


@pytest.mark.rule("CAN-07")
def test_a_mix_with_few_recordings_has_company_the_same_all_game() -> None:
    mates = songs(300, recorded=0, mark="m")
    mix = pool([*songs(20, artists=20), *mates], songs(300, seed=9, mark="x"))
    company = mix.company("K7QX")
    assert len(company) == ENOUGH_SONGS - 20
    assert {c.song.id[0] for c in company} == {"m"}
    assert mix.company("K7QX") == company != mix.company("ABCD")
    assert len(pool(songs(EVENING - 1), mates).company("K7QX")) == COMPANY
    assert not pool(songs(EVENING), mates).company("K7QX")
    in_play = ids(mix.playable) | ids(company)
    played: frozenset[str] = frozenset()
    rng = random.Random(13)
    for _ in range(20):
        made = drawn(mix, request(played=played, revealed=played), rng)
        assert in_play >= set(made.group)
        played |= {made.song.id}


@pytest.mark.rule("CAN-07")
def test_company_from_outside_is_of_the_same_sort() -> None:
    """A hit among Christmas songs would be known at once for one that cannot be the answer."""
    others = songs(300, recorded=0, mark="x")
    carols = [c._replace(genre="carol") for c in songs(20, artists=20)]
    assert pool(carols, others).company("K7QX") == []
    sort = [c._replace(language="sv", genre="rock") for c in songs(20, artists=20)]
    company = pool(sort, others).company("K7QX")
    assert company and {(c.language, c.genre) for c in company} == {("sv", "rock")}
    untold = [c._replace(genre="") for c in songs(20, artists=20)]
    assert len({c.genre for c in pool(untold, others).company("K7QX")}) > 1


@pytest.mark.rule("CAN-07")
def test_an_artist_with_many_songs_has_company_by_the_same() -> None:
    alike = [c._replace(genre="pop", language="en") for c in songs(70, artists=10)]
    strangers = [c._replace(genre="pop", language="en") for c in songs(300, mark="x", seed=2)]
    company = pool(alike[:30], alike[30:] + strangers).company("K7QX")
    assert [c.song.id[0] for c in company].count("s") > len(company) / 2


@pytest.mark.rule("MUS-02")
def test_a_mix_needs_twenty_songs_ten_titles_and_ten_artists() -> None:
    assert playable(songs(20, artists=200))
    assert not playable(songs(19, artists=200))
    assert not playable(songs(200, artists=9))
    same = [
        candidate(Song(f"s{n}", f"Song {n % 9}", f"Artist {n}", 1990), "pop", "en", "pop")
        for n in range(40)
    ]
    assert not playable(same)
