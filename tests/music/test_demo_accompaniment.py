"""Chords become bass and accompaniment."""

from fractions import Fraction

from varv.music.demo import melodies
from varv.music.demo.accompaniment import STYLES, accompany
from varv.music.demo.notation import read_chords


class TestAccompaniment:
    def test_a_waltz_is_bass_and_two_chords(self) -> None:
        chords = read_chords("N | C | G7", (Fraction(1), Fraction(3), Fraction(3)))
        bass, above = accompany(chords, STYLES["waltz"], 1.0)
        assert [note.start for note in bass] == [1.0, 4.0]
        assert [note.start for note in above] == [2.0, 3.0, 5.0, 6.0]
        assert above[0].pitches == (52, 55, 60)

    def test_nothing_sounds_after_its_chord(self) -> None:
        for melody in melodies():
            score = melody.score
            ends = {chord.start + chord.beats for chord in score.chords}
            for line in accompany(score.chords, STYLES[score.style], score.upbeat):
                for note in line:
                    end = min(e for e in ends if e > note.start)
                    assert note.start + note.beats <= end + 1e-6
