"""Which songs may be drawn, and which stand beside them."""

import random
import statistics
import time

import pytest
from tests.music.worlds import drawn, ids, pool, request, songs

from varv.music import options
from varv.music.pool import SPAN, candidate, playable
from varv.rules.candidates import fold, valid
from varv.rules.model import Song
from varv.rules.refusals import Reason

RNG = random.Random


@pytest.mark.rule("CAN-01", "CAN-03", "CAN-06")
@pytest.mark.parametrize("recorded", [1.0, 0.1, 0.02])
def test_ten_titles_and_artists_of_the_same_ten_songs(recorded: float) -> None:
    members = songs(1500, recorded=recorded)
    mix, by_id, rng = pool(members), {c.song.id: c.song for c in members}, RNG(2)
    for _ in range(200):
        made = drawn(mix, request(), rng)
        group = [by_id[song] for song in made.group]
        assert valid(made)
        assert made.song in group
        assert sorted(made.titles) == sorted(song.title for song in group)
        assert sorted(made.artists) == sorted(song.artist for song in group)
        titles = {made.titles[i] for i in made.few_titles}
        artists = {made.artists[i] for i in made.few_artists}
        assert {song.artist for song in group if song.title in titles} == artists
        assert made.song.title in titles
        assert made.recording == f"r-{made.song.id}"


@pytest.mark.rule("CAN-01")
def test_nobody_stands_beside_their_own_duet() -> None:
    members = songs(60)
    pair = members[0].song.artist, members[1].song.artist
    duet = Song("duet", "Our Song", f"{pair[0]} & {pair[1]}", members[0].song.year)
    mix, rng = pool([candidate(duet, "pop", "en", "pop", ("r",)), *members]), RNG(3)
    for _ in range(500):
        made = drawn(mix, request(), rng)
        assert "duet" not in made.group or not set(pair) & set(made.artists)


@pytest.mark.rule("PRF-09")
def test_songs_not_played_come_first_then_those_on_no_table_then_any() -> None:
    members = songs(40, artists=40)
    everything, rng = ids(members), RNG(4)
    left, off_table = frozenset(["s0007"]), frozenset(["s0009", "s0011"])
    for _ in range(50):
        first = drawn(pool(members), request(played=everything - left), rng)
        assert first.song.id == "s0007"
        second = request(played=everything, on_tables=everything - off_table)
        assert drawn(pool(members), second, rng).song.id in off_table
        third = request(played=everything, on_tables=everything, this_round=everything - left)
        assert drawn(pool(members), third, rng).song.id == "s0007"
    assert options.draw(pool(members), request(this_round=everything), rng) is Reason.MIX_EXHAUSTED
    assert options.draw(pool([]), request(), rng) is Reason.MIX_EXHAUSTED


@pytest.mark.rule("PRF-09")
def test_every_song_of_the_mix_is_about_as_likely() -> None:
    members, rng = songs(150, artists=150), RNG(5)
    count = dict.fromkeys(ids(members), 0)
    for _ in range(6000):
        count[drawn(pool(members), request(), rng).song.id] += 1
    assert min(count.values()) > 10
    assert max(count.values()) < 100


@pytest.mark.rule("CAN-05")
def test_after_a_change_no_option_returns_until_none_are_left() -> None:
    mix, rng = pool(songs(45, artists=45), songs(100, seed=9, mark="x")), RNG(6)
    seen: set[str] = set()
    retired: set[str] = set()
    this_round: set[str] = set()
    changes = 0
    while True:
        asked = request(
            played=frozenset(this_round),
            this_round=frozenset(this_round),
            retired=frozenset(retired),
            retired_texts=frozenset(seen),
        )
        made = options.draw(mix, asked, rng)
        if isinstance(made, Reason):
            break
        assert valid(made, seen)
        assert retired.isdisjoint(made.group)
        retired |= set(made.group)
        seen |= {fold(text) for text in made.titles + made.artists}
        this_round.add(made.song.id)
        changes += 1
    assert made is Reason.OPTIONS_EXHAUSTED
    assert changes >= 5


@pytest.mark.rule("CAN-05", "MUS-02")
def test_the_smallest_playable_mix_can_change_its_song() -> None:
    members = songs(20, artists=10)
    assert playable(members)
    mix, rng = pool(members, songs(300, seed=9, mark="x")), RNG(7)
    for _ in range(50):
        first = drawn(mix, request(), rng)
        texts = frozenset(fold(text) for text in first.titles + first.artists)
        again = request(
            played=frozenset([first.song.id]),
            this_round=frozenset([first.song.id]),
            retired=frozenset(first.group),
            retired_texts=texts,
        )
        assert valid(drawn(mix, again, rng), texts)


@pytest.mark.rule("CAN-07")
def test_revealed_songs_are_options_only_when_nothing_else_is_left() -> None:
    members, rng = songs(40, artists=40), RNG(8)
    heard = ids(members[:34])
    asked = request(played=heard, revealed=heard)
    with_help = pool(members, songs(300, seed=9, mark="x"))
    for _ in range(100):
        assert heard.isdisjoint(drawn(with_help, asked, rng).group)
        alone = drawn(pool(members), asked, rng)
        assert alone.song.id not in heard
        assert len(heard & set(alone.group)) == 4


@pytest.mark.rule("CAN-07")
@pytest.mark.parametrize("off_table", [2, 30])
def test_a_revealed_answer_hides_among_revealed_songs(off_table: int) -> None:
    members, rng = songs(40, artists=40), RNG(9)
    heard = ids(members)
    tables = ids(members[off_table:])
    asked = request(played=heard, revealed=heard, on_tables=tables)
    for _ in range(100):
        made = drawn(pool(members, songs(300, seed=9, mark="x")), asked, rng)
        assert made.song.id in heard
        assert len(heard & set(made.group)) >= 6


@pytest.mark.rule("CAN-07")
def test_the_ten_are_near_each_other() -> None:
    members, rng = songs(1500), RNG(10)
    by_id = {c.song.id: c for c in members}
    spans, one_language = [], 0
    for _ in range(300):
        group = [by_id[song] for song in drawn(pool(members), request(), rng).group]
        years = [c.song.year for c in group]
        spans.append(max(years) - min(years))
        one_language += len({c.language for c in group}) == 1
    assert max(spans) <= SPAN
    assert one_language == 300


@pytest.mark.rule("CAN-07")
def test_stand_ins_come_from_the_mix_first_and_stay_in_their_world() -> None:
    mates = songs(900, recorded=0, mark="m")
    members = [*songs(12, artists=12), *mates]
    demo = songs(300, world="demo", mark="d", seed=5)
    rng = RNG(11)
    for _ in range(100):
        group = drawn(pool(members, [*demo, *songs(300, seed=9, mark="x")]), request(), rng).group
        assert not [song for song in group if song[0] in "dx"]
    old = songs(12, world="demo", mark="o")
    for _ in range(100):
        group = drawn(pool(old, [*demo, *songs(300, seed=9, mark="x")]), request(), rng).group
        assert not [song for song in group if song[0] == "x"]


@pytest.mark.parametrize("recorded", [1.0, 0.006])
def test_drawing_is_quick(recorded: float) -> None:
    """Not much longer than to sort the mix once, by turns, whatever the machine is at."""
    members, rng = songs(1500, recorded=recorded), RNG(12)
    asked = request(played=ids(members[:50]), revealed=ids(members[:50]))
    mix, spent, usual = pool(members), [], []
    for _ in range(60):
        start = time.thread_time()
        drawn(mix, asked, rng)
        spent.append(time.thread_time() - start)
        start = time.thread_time()
        sorted(members, key=lambda c: (c.song.year, c.song.title))
        usual.append(time.thread_time() - start)
    assert statistics.median(spent) < 4 * statistics.median(usual)
