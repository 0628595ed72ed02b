"""The demo mix sounds even, whole, pleasant and in tune."""

import time
import wave
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from varv.music.demo import Melody, melodies
from varv.music.demo.arrangement import plan
from varv.music.demo.studio import LOUDNESS, render, write_wav
from varv.music.demo.timbres import TIMBRES
from varv.music.demo.tones import SAMPLE_RATE, frequency, tone

every_melody = pytest.mark.parametrize("melody", melodies(), ids=lambda melody: melody.id)


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

    def test_rendering_is_quick(self) -> None:
        """A few times what two large transforms take, by turns, whatever the machine is at."""
        spent, usual = [], []
        for melody in melodies()[5:9]:
            began = time.process_time()
            sound = render(melody)
            spent.append(time.process_time() - began)
            began = time.process_time()
            np.fft.fft(sound[: 1 << 19].astype(np.float64), axis=0)
            usual.append(time.process_time() - began)
        assert min(spent) < 12 * min(usual)

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
