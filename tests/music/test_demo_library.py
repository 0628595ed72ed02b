"""The demo mix: right facts and right notes (MUS-01, MUS-02, CAN-07)."""

from collections import Counter
from itertools import pairwise

import pytest

from varv.music.demo import Melody, facts, melodies
from varv.music.demo.notation import pitch
from varv.music.pool import EVENING
from varv.rules.candidates import fold

LANGUAGES = {"zxx", "de", "en", "fr", "it", "ja", "sv"}
GENRES = {"carol", "classical", "dance", "jazz", "march", "opera", "ragtime", "song"}

# How each tune begins, in semitones from note to note. It guards against slips in the score files
# and is no second source. Where notes sound together the highest one is the tune.
OPENINGS = {
    "es-ist-ein-ros": (0, 0, 2, -2, 0, -3, 1, -1, -2),
    "spring": (4, 0, 0, -2, -2, 7, 0, -2, -1),
    "rondo-alla-turca": (-2, -1, 1, 3, 2, -2, -1, 1, 4),
    "la-marseillaise": (0, 0, 5, 0, 2, 0, 5, -3, -4),
    "emperors-hymn": (2, 2, -2, 3, -1, -2, -3, 1, 9, -2),
    "prelude-in-c": (4, 3, 5, 4, -9, 5, 4),
    "moonlight-sonata": (5, 3, -8, 5, 3),
    "sonata-facile": (4, 3, -8, 1, 2, -2, 9, -2, 5, -5),
    "symphony-no-5": (0, 0, -4, 2, 0, 0, -3),
    "ode-to-joy": (0, 1, 2, 0, -2, -1, -2, -2, 0, 2, 2, 0, -2, 0),
    "eine-kleine-nachtmusik": (-5, 5, -5, 5, -5, 5, 4, 3, -2, -3, 3, -3),
    "william-tell": (0, 0, 0, 0, 0, 0, 0, 5, 2, 2),
    "nocturne-in-e-flat": (9, -2, 2, -2, -2, -5, 9, -7, 12),
    "toccata-in-d-minor": (-2, 2, -2, -2, -1, -2, -1, 1),
    "traumerei": (5, -1, 1, 4, 3, 5, -1, -2, -2),
    "funeral-march": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, -1, 0, -2, 0, -1, 1),
    "oh-susanna": (2, 2, 3, 0, 2, -2, -3, -4, 2, 2, 0, -2, -2, 2),
    "old-folks-at-home": (-2, -2, 4, -2, -2, 12, -3, 3, -5, -3, -4, 2),
    "la-donna-e-mobile": (0, 0, 3, -2, -3, 0, 0, 0, 3, -1, -4),
    "jingle-bells": (0, 0, 0, 0, 0, 0, 3, -7, 2, 2, 1, 0, 0, 0),
    "can-can": (2, 3, -1, -2, 5, 0, 0, 2, -5, 1, -3, 0),
    "aura-lee": (5, -1, 1, 2, -5, 5, -2, -1, -2, 2, 1),
    "we-three-kings": (-2, -2, -3, 2, 1, -1, -2),
    "fur-elise": (-1, 1, -1, 1, -5, 3, -2, -3, -9, 4, 5, 2),
    "blue-danube": (0, 4, 3, 0, 12, 0, -3, 0),
    "brahms-lullaby": (0, 3, -3, 0, 3, -3, 3, 5, -1, -2, 0, -2),
    "grandfathers-clock": (5, -1, 1, 2, -2, 2, 2, 1, -1, -7),
    "swan-lake": (-7, 2, 1, 2, 2, -4, 4, -4, 4),
    "chopsticks": (0,) * 11 + (4,) + (0,) * 5 + (1,),
    "promenade": (-2, 5, 2, 5, -3, -2, 5, -3, -4, 2, -5, -2),
    "the-swan": (-1, -7, 5, -2, -7, 2, 2, 1),
    "gymnopedie-no-1": (3, -2, -1, -5, -2, 2, 1, -5, -3),
    "hall-of-the-mountain-king": (2, 1, 2, 2, -4, 4, -1, -4, 4, -1, -4, 4),
    "morning-mood": (-3, -2, -2, 2, 2, 3, -3, -2, -2),
    "sugar-plum-fairy": (-3, 3, -1, -3, 1, -2, 0, 0, -1, 0, 0, -1),
    "daisy-bell": (-3, -4, -5, 2, 2, 1, -3, 3, -5),
    "good-morning-to-all": (2, -2, 5, -1, -4, 2, -2, 7, -2, -5, 12),
    "new-world-largo": (3, 0, -3, -2, -2, 2, 2, 3, -3, -2),
    "humoresque": (2, -2, 2, 2, 3, 2, -2, 5, -1, 3, -2),
    "also-sprach-zarathustra": (7, 5),
    "kojo-no-tsuki": (0, 5, 2, 1, -1, -2, -4, 0, -1, -1, 1),
    "the-entertainer": (1, 1, 8, -8, 8, -8, 8, 12, 2, 1, 1),
    "take-me-out-to-the-ball-game": (12, -3, -2, -3, 3, -5, -2, 12),
    "jupiter": (3, 2, 3, -1, -4, 5, 2, -2, -1),
    "mein-gmut": (5, -2, -2, -1, -2, 2, 7, 1, 0),
    "der-mond-ist-aufgegangen": (2, -2, 5, -1, -2, -2, 4, 0, 0, 5),
    "gubben-noak": (0, 0, 4, -2, 0, 0, 3, -1, 0, -2, 0, -2),
    "santa-lucia": (0, 5, 0, -1, 0, -6, 0, 4, 0, -2),
    "abide-with-me": (0, -2, -2, 7, 2, -2, 0, -2, -1),
    "away-in-a-manger": (0, -2, -1, 0, -2, -2, 0, -1, -2, -2),
    "furusato": (0, 0, 2, 2, -2, 2, 0, 1, 2),
    "canon-in-d": (-2, -2, -1, -2, -2, 2, 2, 1),
}

# Known by heart and typed again: it catches a slip of the pen, not a wrong belief.
YEARS = {
    ("Antonio Vivaldi", 1725),
    ("Claude Joseph Rouget de Lisle", 1792),
    ("Gioachino Rossini", 1829),
    ("Johann Strauss II", 1867),
    ("Erik Satie", 1888),
    ("Albert Von Tilzer", 1908),
}

every_melody = pytest.mark.parametrize("melody", melodies(), ids=lambda melody: melody.id)


def intervals(melody: Melody) -> tuple[int, ...]:
    tops = [max(note.pitches) for note in melody.score.melody]
    return tuple(later - earlier for earlier, later in pairwise(tops))


class TestFacts:
    @pytest.mark.rule("MUS-02")
    def test_it_is_enough_for_an_evening(self) -> None:
        assert len(melodies()) >= EVENING
        assert len({melody.artist for melody in melodies()}) >= 20
        assert len({fold(melody.title) for melody in melodies()}) == len(melodies())

    def test_years_spread_over_the_whole_span(self) -> None:
        centuries = Counter(melody.year // 100 for melody in melodies())
        assert all(1600 <= melody.year <= 1928 for melody in (*melodies(), *facts()))
        assert centuries[16] >= 1 and centuries[17] >= 4
        assert centuries[18] >= 20 and centuries[19] >= 4

    def test_years_known_by_heart(self) -> None:
        assert {(melody.artist, melody.year) for melody in melodies()} >= YEARS

    @every_melody
    def test_every_field_is_filled(self, melody: Melody) -> None:
        assert melody.title and melody.artist and melody.source
        assert melody.language in LANGUAGES and melody.genre in GENRES
        assert melody.id == melody.id.lower() and " " not in melody.id
        assert melody.id.replace("-", "").isalnum()

    @pytest.mark.rule("CAN-07")
    def test_wrong_options_stay_in_the_same_world(self) -> None:
        known = {fold(melody.title) for melody in melodies()}
        titles = [fold(fact.title) for fact in facts()]
        assert len(facts()) >= 100
        assert len(set(titles)) == len(titles)
        assert not known & set(titles)
        assert {fact.language for fact in facts()} <= LANGUAGES
        assert {fact.genre for fact in facts()} <= GENRES
        assert len({song.artist for song in (*melodies(), *facts())}) >= 60

    def test_nobody_is_spelled_two_ways(self) -> None:
        artists = {song.artist for song in (*melodies(), *facts())}
        assert len({fold(artist) for artist in artists}) == len(artists)

    def test_oldest_first_and_always_the_same(self) -> None:
        years = [melody.year for melody in melodies()]
        assert years == sorted(years)
        assert melodies() is melodies()


class TestTunes:
    @every_melody
    def test_it_opens_as_everybody_knows_it(self, melody: Melody) -> None:
        opening = OPENINGS[melody.id]
        assert intervals(melody)[: len(opening)] == opening

    def test_every_opening_is_of_a_melody(self) -> None:
        assert set(OPENINGS) == {melody.id for melody in melodies()}

    @every_melody
    def test_it_lies_where_instruments_sound_well(self, melody: Melody) -> None:
        pitches = [top for note in melody.score.melody for top in note.pitches]
        assert pitch("D2") <= min(pitches) and max(pitches) <= pitch("A6")
        assert len(melody.score.melody) >= 8
        assert all(note.beats > 0 for note in melody.score.melody)

    @pytest.mark.parametrize(
        "melody",
        [melody for melody in melodies() if melody.score.chords],
        ids=lambda melody: melody.id,
    )
    def test_chords_agree_with_the_tune(self, melody: Melody) -> None:
        """A wrong chord or a slip of the bars puts the long notes outside the harmony."""
        score = melody.score
        agreeing = lasting = 0.0
        for note in score.melody:
            for chord in score.chords:
                if chord.start <= note.start < chord.start + chord.beats:
                    lasting += note.beats
                    agreeing += note.beats * any(top % 12 in chord.tones for top in note.pitches)
        assert agreeing / lasting >= 0.55
