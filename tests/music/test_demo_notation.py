"""How a melody is written down, and what is told of a slip in it."""

from fractions import Fraction

import pytest

from varv.music.demo.library import read_melody, read_sections
from varv.music.demo.notation import (
    NotationError,
    check_bars,
    pitch,
    read_chord,
    read_chords,
    read_voice,
)


class TestNotation:
    def test_lengths_stay_until_changed(self) -> None:
        voice = read_voice("E5:1/4 D#5 | A4:1 - C4+E4:1/2")
        assert [(note.start, note.beats, note.pitches) for note in voice.notes] == [
            (0.0, 0.25, (76,)),
            (0.25, 0.25, (75,)),
            (0.5, 1.0, (69,)),
            (2.5, 0.5, (60, 64)),
        ]
        assert voice.bars == (Fraction(1, 2), Fraction(5, 2))

    def test_a_note_can_be_held_over_the_bar(self) -> None:
        (note,) = read_voice("G4:3 | _:2 -:1").notes
        assert note.beats == 5

    @pytest.mark.parametrize(
        ("name", "midi"), [("C4", 60), ("A4", 69), ("Bb4", 70), ("Cb5", 71), ("F#3", 54)]
    )
    def test_pitches(self, name: str, midi: int) -> None:
        assert pitch(name) == midi

    @pytest.mark.parametrize(
        ("name", "bass", "tones"),
        [
            ("C", 0, (0, 4, 7)),
            ("Am", 9, (9, 0, 4)),
            ("Am/E", 4, (9, 0, 4)),
            ("Bbm", 10, (10, 1, 5)),
            ("G7", 7, (7, 11, 2, 5)),
            ("F#dim7", 6, (6, 9, 0, 3)),
        ],
    )
    def test_chord_symbols(self, name: str, bass: int, tones: tuple[int, ...]) -> None:
        assert read_chord(name) == (bass, tones)

    @pytest.mark.parametrize(
        "text", ["H4", "C", "c4", "C4:0", "C4:-1", "C4:x", "C4:1/0", "C4 | | D4", "_:1", "- _", ""]
    )
    def test_nonsense_is_refused(self, text: str) -> None:
        with pytest.raises(NotationError):
            read_voice(text)

    @pytest.mark.parametrize("text", ["C", "C | G | C", "C:3 | G", "Q | G", "Csus | G"])
    def test_chords_must_fit_the_bars(self, text: str) -> None:
        with pytest.raises(NotationError):
            read_chords(text, (Fraction(4), Fraction(4)))

    @pytest.mark.parametrize(
        "text", ["C4:4 | C4:3 | C4:4", "C4:5 | C4:4 | C4:3", "C4:1 | C4:4 | C4:4"]
    )
    def test_bars_are_counted(self, text: str) -> None:
        with pytest.raises(NotationError):
            check_bars(read_voice(text).bars, Fraction(4))

    def test_an_upbeat_is_made_good_by_the_last_bar(self) -> None:
        check_bars(read_voice("C4:1 | C4:4 | C4:3").bars, Fraction(4))

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"timbre": "kazoo"}, "kazoo"),
            ({"style": "twist"}, "twist"),
            ({"year": "MDCC"}, "MDCC"),
            ({"melody": "C4:3 | X"}, "X"),
            ({"second": "C4:1"}, "second"),
            ({"title": None}, "title"),
        ],
    )
    def test_a_bad_score_says_what_and_where(
        self, change: dict[str, str | None], says: str
    ) -> None:
        text = "[tune]\nmelody: C4:4 | D4\nchords: C | G\nbar: 4\ntempo: 60\nstyle: block\n"
        text += (
            "timbre: piano\ntitle: T\nartist: A\nyear: 1700\nlanguage: zxx\ngenre: song\nsource: S"
        )
        fields = read_sections(text)["tune"]
        assert read_melody("tune", fields).title == "T"
        changed = {key: value for key, value in (fields | change).items() if value is not None}
        with pytest.raises(NotationError, match=says) as error:
            read_melody("tune", changed)
        assert str(error.value).startswith("tune: ")

    @pytest.mark.parametrize("text", ["[a]\n[a]", "[a]\ncolour: red", "[a]\nyear: 1\nyear: 2"])
    def test_a_bad_file_says_the_line(self, text: str) -> None:
        with pytest.raises(NotationError, match="line "):
            read_sections(text)
