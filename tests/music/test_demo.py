"""The demo mix: right facts, right notes, even and pleasant sound (MUS-01, MUS-02, CAN-07)."""

import time
import wave
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from varv.music.demo import Melody, facts, melodies
from varv.music.demo.accompaniment import STYLES, accompany
from varv.music.demo.arrangement import plan
from varv.music.demo.library import read_melody, read_sections
from varv.music.demo.notation import (
    NotationError,
    check_bars,
    pitch,
    read_chord,
    read_chords,
    read_voice,
)
from varv.music.demo.studio import LOUDNESS, render, write_wav
from varv.music.demo.timbres import TIMBRES
from varv.music.demo.tones import SAMPLE_RATE, frequency, tone
from varv.rules.candidates import fold

LANGUAGES = {"zxx", "de", "en", "fr", "it", "ja", "sv"}
GENRES = {"carol", "classical", "dance", "jazz", "march", "opera", "ragtime", "song"}

# How each tune begins, in semitones from note to note, worked out apart from the score files. It
# guards against slips in them; it is the same person's knowledge, not a second source. Where notes
# sound together the highest one is the tune.
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
        assert len(melodies()) >= 44
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


def spectrum(sound: NDArray[np.float64], size: int = 1 << 17) -> NDArray[np.float64]:
    return np.abs(np.fft.rfft(sound * np.hanning(len(sound)), size))


def colour(sound: NDArray[np.float32]) -> NDArray[np.float64]:
    """The strength of ten overtones, in dB above the faintest that counts, in four moments."""
    moments = [spectrum(part.astype(np.float64)) for part in np.array_split(sound[:30_000], 4)]
    width = frequency(60) * (1 << 17) / SAMPLE_RATE
    heights = [[m[round(width * (k - 0.1)) : round(width * (k + 0.1))].max() for k in range(1, 11)]
               for m in moments]  # fmt: skip
    decibel = 20 * np.log10(np.array(heights) / np.max(heights) + 1e-9)
    return np.maximum(decibel + 50, 0).ravel()


def salience(shape: NDArray[np.float64], hertz: float, size: int = 1 << 17) -> float:
    """How strongly a tone of that frequency and its first overtones are heard."""
    step = SAMPLE_RATE / size
    near = [shape[round(hertz * k * 0.99 / step) : round(hertz * k * 1.01 / step) + 1].max()
            for k in (1, 2, 3)]  # fmt: skip
    return float(near[0] + 0.6 * near[1] + 0.4 * near[2])


def longest_quiet(sound: NDArray[np.float64]) -> float:
    """Seconds of the longest stretch below -50 dB of full scale."""
    window = SAMPLE_RATE // 20
    whole = sound[: len(sound) // window * window].reshape(-1, window)
    longest = run = 0
    for quiet in np.sqrt((whole**2).mean(axis=1)) < 10 ** (-50 / 20):
        run = run + 1 if quiet else 0
        longest = max(longest, run)
    return longest / 20


def clear_notes(melody: Melody) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Pitches, first and last sample of early notes long enough to tell a semitone by."""
    beat = 60 / melody.score.tempo
    for note in melody.score.melody[:24]:
        seconds = note.beats * beat * 0.9
        if seconds > 0.15 and seconds * frequency(max(note.pitches)) * 0.0595 > 3:
            begin = int((note.start * beat + 0.01) * SAMPLE_RATE)
            yield note.pitches, begin, begin + int(seconds * SAMPLE_RATE)


class TestSound:
    @every_melody
    def test_it_is_even_whole_and_in_tune(self, melody: Melody) -> None:
        sound = render(melody)
        assert sound.dtype == np.float32 and sound.ndim == 2 and sound.shape[1] == 2
        assert 20 <= len(sound) / SAMPLE_RATE <= 30
        assert len(sound) / SAMPLE_RATE == pytest.approx(plan(melody).seconds, abs=0.01)
        loudness = 20 * np.log10(np.sqrt(np.mean(np.square(sound, dtype=np.float64))) / LOUDNESS)
        assert abs(loudness) < 0.5
        assert np.abs(sound).max() < 0.98
        assert np.abs(sound[-20:]).max() < 1e-3
        assert np.abs(sound.mean(axis=0)).max() < 1e-3
        mono = sound.mean(axis=1, dtype=np.float64)
        assert longest_quiet(mono) <= 1.0
        sides = np.sqrt(np.mean(np.square(sound, dtype=np.float64), axis=0))
        assert 0.6 < sides[0] / sides[1] < 1.6
        self.check_brightness(mono)
        self.check_pitches(melody, mono)

    @staticmethod
    def check_brightness(mono: NDArray[np.float64]) -> None:
        """Neither a rumble nor a hiss."""
        middle = mono[len(mono) // 3 :][: 1 << 18]
        power = spectrum(middle, 1 << 18) ** 2
        hertz = np.fft.rfftfreq(1 << 18, 1 / SAMPLE_RATE)
        assert 250 < float((power * hertz).sum() / power.sum()) < 2000
        assert power[hertz > 10_000].sum() < 0.001 * power.sum()
        assert power[hertz < 35].sum() < 0.01 * power.sum()

    @staticmethod
    def check_pitches(melody: Melody, mono: NDArray[np.float64]) -> None:
        """The written note is heard more clearly than its neighbours two semitones each way."""
        heard = 0
        for written, begin, end in islice(clear_notes(melody), 6):
            shape = spectrum(mono[begin:end])
            top = max(written)
            near = {off for off in range(-2, 3) if top + off == top or top + off not in written}
            clarity = {off: salience(shape, frequency(top + off)) for off in near}
            found = max(clarity, key=clarity.__getitem__)
            assert found == 0, f"{top} at {begin / SAMPLE_RATE:.2f} s sounds {found:+d}"
            heard += 1
        assert heard >= 2

    @pytest.mark.parametrize("name", TIMBRES)
    @pytest.mark.parametrize("midi", [40, 57, 69, 84, 96])
    def test_instruments_are_in_tune(self, name: str, midi: int) -> None:
        sound = tone(TIMBRES[name], midi, 1.0).astype(np.float64)
        size = 1 << 18
        shape = spectrum(sound, size)
        step = SAMPLE_RATE / size
        low, high = (round(frequency(midi) * cents / step) for cents in (0.97, 1.03))
        peak = (low + int(shape[low:high].argmax())) * step
        assert abs(1200 * np.log2(peak / frequency(midi))) < 12
        assert np.isfinite(sound).all() and 0.05 < np.abs(sound).max() <= 1.5

    def test_instruments_differ(self) -> None:
        """By their overtones, or by how long they sound."""
        shapes = [colour(tone(timbre, 60, 0.8)) for timbre in TIMBRES.values()]
        unit = np.stack([shape / np.linalg.norm(shape) for shape in shapes])
        likeness = unit @ unit.T
        assert len(TIMBRES) >= 3
        assert (likeness[~np.eye(len(unit), dtype=bool)] < 0.99).all()

    def test_the_second_time_is_richer(self) -> None:
        melody = next(melody for melody in melodies() if melody.id == "can-can")
        parts = plan(melody).parts
        once = melody.score.beats * 60 / melody.score.tempo
        first = {part.timbre for part in parts if part.notes and part.notes[0].start < once}
        later = {part.timbre for part in parts if part.notes and part.notes[0].start >= once}
        assert len(later) > len(first)

    def test_the_same_every_time(self) -> None:
        melody = melodies()[0]
        assert np.array_equal(render(melody), render(melody))

    def test_a_short_tune_goes_round_and_a_long_one_is_cut(self) -> None:
        melody = melodies()[0]
        for tempo in (20.0, 60.0, 117.0, 400.0, 2000.0):
            score = msgspec.structs.replace(melody.score, tempo=tempo)
            assert 20 <= plan(msgspec.structs.replace(melody, score=score)).seconds <= 30

    def test_rendering_takes_well_under_a_second(self) -> None:
        spent = []
        for melody in melodies()[5:7]:
            began = time.process_time()
            render(melody)
            spent.append(time.process_time() - began)
        assert min(spent) < 0.8

    def test_a_wav_file_has_the_sound_and_nothing_else(self, tmp_path: Path) -> None:
        melody = melodies()[0]
        path = tmp_path / "clip.wav"
        write_wav(melody, path)
        with wave.open(str(path)) as file:
            assert (file.getnchannels(), file.getsampwidth()) == (2, 2)
            assert file.getframerate() == SAMPLE_RATE
            frames = file.getnframes()
        assert 20 <= frames / SAMPLE_RATE <= 30
        assert path.stat().st_size == 44 + 4 * frames
