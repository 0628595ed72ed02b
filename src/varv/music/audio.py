"""Clips: sound that tells nothing but itself (VIEW-06).

A clip is always made anew from decoded sound, never a cut of the source's own bytes: no tag, cover
or encoder's name can come along. It is MP3, because Chrome, Firefox and Safari all play it, in
every build of theirs (AAC is missing from some, Opus from older Safari). Constant bit rate at
32 kHz makes every frame 576 bytes, so that all clips are of the same length to the byte; and it is
written frame by frame without a container, so that there is no header to say anything.
"""

import hashlib
import io
import re
from collections.abc import Iterator

import av
import numpy as np
from av.audio.resampler import AudioResampler
from numpy.typing import NDArray

from varv.music.model import RecordingMissing

Sound = NDArray[np.float32]
"""Samples from -1 to 1, one row per channel."""

RATE = 32_000
"""MP3 at this bit rate keeps nothing above 16 kHz anyway, and a third less is a third faster."""
SECONDS = 27
BIT_RATE = 128_000

_FRAME = 1152
_LOUDNESS = 10 ** (-17 / 20)
"""RMS of the louder parts of a clip, the same for all."""
_FADE_IN, _FADE_OUT = 0.03, 1.2
_BLOCK = RATE // 5
_BAD_FRAMES = 50
_ENCODER_MARK = re.compile(rb"LAME(?:3(?:\.(?:1(?:00?)?)?)?)?")


def clip_of_file(path: str, recording: str) -> bytes:
    """A clip from an audio file of any format."""
    return _clip(path, recording, f"the sound of {path}")


def clip_of_bytes(content: bytes, recording: str) -> bytes:
    """A clip from the content of an audio file."""
    return _clip(io.BytesIO(content), recording, "the sound")


def _clip(source: str | io.BytesIO, recording: str, name: str) -> bytes:
    try:
        return encode(even(_cut(source, recording)))
    except (av.FFmpegError, OSError, ValueError, IndexError) as error:
        raise RecordingMissing(f"{name} cannot be read: {error}") from error


def clip_of_sound(sound: Sound, rate: int) -> bytes:
    """A clip from samples that the program made itself, from their beginning."""
    return encode(even(_resample(np.atleast_2d(sound), rate)))


def start_of(recording: str, seconds: float) -> float:
    """Where a clip starts: always the same for a recording, from a tenth to half of the way in."""
    slack = max(0.0, seconds - SECONDS)
    share = int.from_bytes(hashlib.blake2b(recording.encode(), digest_size=4).digest()) / 2**32
    return slack * (0.1 + 0.4 * share)


def _cut(source: str | io.BytesIO, recording: str) -> Sound:
    with av.open(source, "r", metadata_errors="ignore") as container:
        if not container.streams.audio:
            raise ValueError("there is no sound in it")
        stream = container.streams.audio[0]
        length = container.duration / av.time_base if container.duration else 0.0
        start = start_of(recording, length)
        if start > 0:
            container.seek(int(start * av.time_base))
        sound = _samples(_frames(container, stream), SECONDS)
        if start > 0 and sound.shape[1] < RATE:
            # A wrong length in the header took us past the end.
            container.seek(0)
            sound = _samples(_frames(container, stream), SECONDS)
    if not sound.shape[1]:
        raise ValueError("there is no sound in it")
    return sound


def _frames(
    container: av.container.InputContainer, stream: av.AudioStream
) -> Iterator[av.AudioFrame]:
    """Decoded frames; a broken one is left out, many are one too many."""
    bad = 0
    for packet in container.demux(stream):
        try:
            yield from packet.decode()
        except av.InvalidDataError:
            bad += 1
            if bad > _BAD_FRAMES:
                return


def _samples(frames: Iterator[av.AudioFrame], seconds: float) -> Sound:
    resampler = AudioResampler(format="fltp", layout="stereo", rate=RATE)
    parts: list[Sound] = []
    wanted = int(seconds * RATE)
    for frame in frames:
        frame.pts = None
        for part in resampler.resample(frame):
            parts.append(part.to_ndarray().astype(np.float32, copy=False))
            wanted -= parts[-1].shape[1]
        if wanted <= 0:
            break
    else:
        rest = resampler.resample(None)
        parts.extend(part.to_ndarray().astype(np.float32, copy=False) for part in rest)
    return np.concatenate(parts, axis=1) if parts else np.zeros((2, 0), np.float32)


def _resample(sound: Sound, rate: int) -> Sound:
    layout = "mono" if sound.shape[0] == 1 else "stereo"
    frame = av.AudioFrame.from_ndarray(
        np.ascontiguousarray(sound, dtype=np.float32), format="fltp", layout=layout
    )
    frame.sample_rate = rate
    return _samples(iter([frame]), SECONDS)


def even(sound: Sound) -> Sound:
    """Even length and loudness, so that clips cannot be told apart by either."""
    wanted = SECONDS * RATE
    sound = np.nan_to_num(sound)
    if sound.shape[1] < wanted:
        # Too short: over again from the beginning, with a breath in between.
        breath = np.zeros((2, RATE // 2), np.float32)
        once = np.concatenate([sound, breath], axis=1)
        sound = np.tile(once, (1, wanted // once.shape[1] + 1))
    sound = sound[:, :wanted]
    sound = _limited(sound * (_LOUDNESS / max(_loudness(sound), 1e-5)))
    ramp_in, ramp_out = int(_FADE_IN * RATE), int(_FADE_OUT * RATE)
    sound[:, :ramp_in] *= np.linspace(0, 1, ramp_in, dtype=np.float32)
    sound[:, -ramp_out:] *= np.linspace(1, 0, ramp_out, dtype=np.float32)
    return sound


def _loudness(sound: Sound) -> float:
    """RMS of the louder half of a clip: a long quiet passage must not make the rest scream."""
    mono = sound.mean(axis=0)
    blocks = mono[: mono.size // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
    power = np.sort((blocks**2).mean(axis=1))
    return float(np.sqrt(power[power.size // 2 :].mean()))


def _limited(sound: Sound) -> Sound:
    """Peaks bent softly below full scale instead of cut."""
    knee = np.float32(0.7)
    over = np.abs(sound) > knee
    bent = knee + (1 - knee) * np.tanh((np.abs(sound) - knee) / (1 - knee)) * np.float32(0.97)
    return np.where(over, np.sign(sound) * bent, sound).astype(np.float32)


def encode(sound: Sound) -> bytes:
    """MP3 frames and nothing else."""
    encoder = av.CodecContext.create("libmp3lame", "w")
    assert isinstance(encoder, av.AudioCodecContext)
    encoder.sample_rate = RATE
    encoder.layout = "stereo"
    encoder.format = "fltp"
    encoder.bit_rate = BIT_RATE
    # Half the time of the default, and no difference that anybody hears on a phone.
    encoder.options = {"compression_level": "7"}
    encoder.open()
    out = bytearray()
    for start in range(0, sound.shape[1], _FRAME):
        part = np.ascontiguousarray(sound[:, start : start + _FRAME])
        frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="stereo")
        frame.sample_rate = RATE
        frame.pts = start
        for packet in encoder.encode(frame):
            out += bytes(packet)
    for packet in encoder.encode(None):
        out += bytes(packet)
    # The encoder fills unused bits with its name; decoders skip them, and so can we.
    return _ENCODER_MARK.sub(lambda mark: bytes(len(mark[0])), bytes(out))
