"""Clips: alike in length and loudness, and nothing in them but sound."""

import base64
import io
import struct
from pathlib import Path

import av
import numpy as np
import pytest
from tests.music.messy import FORMATS, apev2, id3v1, id3v2, sound, tagged

from varv.music import audio
from varv.music.model import RecordingMissing

SECRETS = {
    "title": "Hemligtitel",
    "artist": "Hemligartist",
    "album": "Hemligskiva",
    "comment": "Hemligkommentar",
    "encoder": "Hemligkodare",
    "isrc": "SEHEMLIG0001",
}
PICTURE = b"\x89PNG\r\n\x1a\nHemligbild" + bytes(200)
FILE_NAME = "Hemligfil"


def flac_picture(content: bytes) -> bytes:
    """A FLAC file with a picture block right after its first block."""
    block = struct.pack(">I", 3) + struct.pack(">I", 9) + b"image/png" + struct.pack(">I", 0)
    block += bytes(16) + struct.pack(">I", len(PICTURE)) + PICTURE
    header = bytes([6]) + len(block).to_bytes(3, "big")
    first = 4 + 4 + int.from_bytes(content[5:8], "big")
    return content[:first] + header + block + content[first:]


def mp4_cover(content: bytes) -> bytes:
    """An MP4 file with a cover and a title in an atom of its own at the end."""
    data = struct.pack(">I4sII", 16 + len(PICTURE), b"data", 14, 0) + PICTURE
    covr = struct.pack(">I4s", 8 + len(data), b"covr") + data
    return content + struct.pack(">I4s", 8 + len(covr), b"udta") + covr


def secretive() -> dict[str, bytes]:
    """Files that say who they are in every way there is."""
    files = {form: tagged(form, SECRETS) for form in FORMATS}
    title = b"\0" + SECRETS["title"].encode()
    wide = b"\1" + SECRETS["artist"].encode("utf-16")
    picture = b"\0image/png\0\3\0" + PICTURE
    frames = {"TIT2": title, "TPE1": wide, "APIC": picture, "TSRC": b"\0" + b"SEHEMLIG0001"}
    files["id3v2.mp3"] = id3v2(frames) + sound("mp3")
    v1 = id3v1(SECRETS["title"], SECRETS["artist"], SECRETS["album"], "1990")
    files["id3v1.mp3"] = sound("mp3") + v1
    ape = apev2({"Title": SECRETS["title"], "Artist": SECRETS["artist"]})
    files["apev2.mp3"] = sound("mp3") + ape
    files["everything.mp3"] = id3v2(frames) + sound("mp3") + ape + v1
    files["picture.flac"] = flac_picture(tagged("flac", SECRETS))
    files["id3.flac"] = id3v2(frames) + tagged("flac", SECRETS)
    files["cover.m4a"] = mp4_cover(tagged("m4a", SECRETS))
    vorbis = {**SECRETS, "METADATA_BLOCK_PICTURE": base64.b64encode(PICTURE).decode()}
    files["picture.ogg"] = tagged("ogg", vorbis)
    files["picture.opus"] = tagged("opus", vorbis)
    return files


@pytest.mark.rule("VIEW-06")
@pytest.mark.parametrize("name", list(secretive()))
def test_no_byte_of_a_clip_tells_the_song(name: str, tmp_path: Path) -> None:
    content = secretive()[name]
    hidden = [*SECRETS.values(), FILE_NAME, "Hemligbild"]
    source = content + FILE_NAME.encode()
    assert any(text.encode() in source for text in hidden)
    path = tmp_path / f"{FILE_NAME}.{name.rpartition('.')[2]}"
    path.write_bytes(content)
    clip = audio.clip_of_file(str(path), "r")
    for text in hidden:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            assert text.encode(encoding) not in clip
        assert base64.b64encode(text.encode())[:-4] not in clip
    for mark in (b"LAME", b"Lavc", b"Lavf", b"Xing", b"APETAGEX", b"Hemlig"):
        assert mark not in clip
    assert clip[:2] == b"\xff\xfb"
    assert clip[-128:-125] != b"TAG"


def decoded(clip: bytes) -> audio.Sound:
    with av.open(io.BytesIO(clip)) as container:
        assert container.format.name == "mp3"
        frames = [frame.to_ndarray() for frame in container.decode(audio=0)]
    return np.concatenate(frames, axis=1)


def wave(seconds: float, gain: float = 0.5, rate: int = 8000) -> tuple[audio.Sound, int]:
    """A tone that rises by 20 Hz each second, so that one can hear where one is."""
    times = np.arange(int(seconds * rate)) / rate
    phase = 2 * np.pi * (300 * times + 10 * times**2)
    return (gain * np.sin(phase)).astype(np.float32)[None, :], rate


def wave_file(path: Path, seconds: float) -> None:
    samples, rate = wave(seconds)
    with av.open(str(path), "w", format="wav") as container:
        stream = container.add_stream("pcm_s16le", rate=rate, layout="mono")
        ints = (samples * 32767).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(ints, format="s16", layout="mono")
        frame.sample_rate = rate
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


@pytest.mark.rule("VIEW-06")
def test_clips_are_alike_in_length_and_loudness() -> None:
    clips = [
        audio.clip_of_sound(*wave(40, gain=0.01)),
        audio.clip_of_sound(*wave(40, gain=0.99)),
        audio.clip_of_sound(*wave(5)),
        audio.clip_of_sound(np.zeros((2, 48_000 * 10), np.float32), 48_000),
        audio.clip_of_bytes(sound("flac"), "r"),
    ]
    assert len({len(clip) for clip in clips}) == 1
    samples = [decoded(clip) for clip in clips]
    for one in samples:
        assert abs(one.shape[1] / audio.RATE - audio.SECONDS) < 0.1
        assert np.abs(one).max() <= 1.05
    loud = [20 * np.log10(np.sqrt((one[:, : 10 * audio.RATE] ** 2).mean())) for one in samples[:2]]
    assert abs(loud[0] - loud[1]) < 1
    assert -20 < loud[0] < -14


@pytest.mark.rule("VIEW-06")
def test_a_clip_starts_inside_the_song_and_always_at_the_same_place(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    wave_file(path, 90)
    clip = audio.clip_of_file(str(path), "recording-1")
    assert audio.clip_of_file(str(path), "recording-1") == clip
    start = audio.start_of("recording-1", 90)
    assert 6 < start < 32
    heard = decoded(clip)[0, audio.RATE // 2 : audio.RATE]
    loudest = np.argmax(np.abs(np.fft.rfft(heard))) * audio.RATE / heard.size
    assert loudest == pytest.approx(300 + 20 * (start + 0.75), abs=15)
    starts = {round(audio.start_of(f"r{n}", 200)) for n in range(100)}
    assert len(starts) > 30
    assert audio.start_of("r", 20) == 0


def test_what_cannot_be_played_says_so(tmp_path: Path) -> None:
    for name, content in {"a.mp3": b"", "b.mp3": b"no music" * 99, "c.flac": b"fLaC"}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RecordingMissing):
            audio.clip_of_file(str(tmp_path / name), "r")
    with pytest.raises(RecordingMissing):
        audio.clip_of_file(str(tmp_path / "gone.mp3"), "r")
    with pytest.raises(RecordingMissing):
        audio.clip_of_bytes(b"", "r")


def test_a_damaged_file_plays_what_is_left_of_it() -> None:
    whole = sound("mp3", 5.0)
    damaged = bytearray(whole)
    damaged[len(whole) // 3 : len(whole) // 3 + 2000] = bytes(2000)
    assert len(audio.clip_of_bytes(bytes(damaged), "r")) == len(audio.clip_of_bytes(whole, "r"))
    assert audio.clip_of_bytes(whole[: len(whole) // 2], "r")
