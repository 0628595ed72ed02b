"""A folder of music as it is found in the wild: every format, and every way to tag it wrongly."""

import io
import random
import struct
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np
from tests.music.worlds import word

from varv.music.decisions import Verdict
from varv.music.identity import song_id
from varv.music.model import CatalogueSong, Origin, YearSource

CODECS = {
    "mp3": ("mp3", "libmp3lame"),
    "m4a": ("ipod", "aac"),
    "aac": ("adts", "aac"),
    "flac": ("flac", "flac"),
    "ogg": ("ogg", "vorbis"),
    "opus": ("ogg", "libopus"),
    "wav": ("wav", "pcm_s16le"),
}
FORMATS = tuple(CODECS)
RATE = 48_000


@cache
def sound(form: str, seconds: float = 0.6) -> bytes:
    """A tone in a format, without tags."""
    container_format, codec = CODECS[form]
    out = io.BytesIO()
    times = np.arange(int(RATE * seconds)) / RATE
    tone = (0.4 * np.sin(2 * np.pi * 330 * times)).astype(np.float32)
    with av.open(out, "w", format=container_format) as container:
        # The built-in Vorbis encoder is experimental, and good enough for a tone.
        stream = container.add_stream(codec, rate=RATE, options={"strict": "-2"})
        assert isinstance(stream, av.AudioStream)
        stream.layout = "stereo"
        stream.time_base = Fraction(1, RATE)
        frame = av.AudioFrame.from_ndarray(np.stack([tone, tone]), format="fltp", layout="stereo")
        frame.sample_rate = RATE
        frame.pts = 0
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)
    return out.getvalue()


def tagged(form: str, tags: dict[str, str]) -> bytes:
    """The tone with tags in the format's own way."""
    out = io.BytesIO()
    options = {"write_id3v2": "1"} if form == "aac" else {}
    with (
        av.open(io.BytesIO(sound(form)), "r") as source,
        av.open(out, "w", format=CODECS[form][0], options=options) as container,
    ):
        stream = container.add_stream_from_template(source.streams.audio[0])
        container.metadata.update(tags)
        for packet in source.demux(audio=0):
            if packet.dts is not None:
                packet.stream = stream
                container.mux(packet)
    return out.getvalue()


def id3v1(title: str, artist: str, album: str, year: str) -> bytes:
    def field(text: str, size: int) -> bytes:
        return text.encode("latin-1")[:size].ljust(size, b"\0")

    fields = field(title, 30) + field(artist, 30) + field(album, 30) + field(year, 4)
    return b"TAG" + fields + bytes(30) + b"\xff"


def id3v2(frames: dict[str, bytes], version: int = 3) -> bytes:
    """An ID3v2 tag with frames as bytes, encoding byte included."""
    body = b"".join(
        name.encode() + struct.pack(">I", len(content)) + b"\0\0" + content
        for name, content in frames.items()
    )
    size = bytes((len(body) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3" + bytes([version, 0, 0]) + size + body


def apev2(tags: dict[str, str]) -> bytes:
    items = b"".join(
        struct.pack("<II", len(value.encode()), 0) + key.encode() + b"\0" + value.encode()
        for key, value in tags.items()
    )
    footer = struct.pack("<8sIIII8x", b"APETAGEX", 2000, len(items) + 32, len(tags), 0)
    return items + footer


class Expected(NamedTuple):
    """What the scan should decide about a file."""

    verdict: Verdict
    title: str = ""
    artist: str = ""
    year: int = 0
    source: str = ""


class Folder:
    """Builds the folder, the catalogue to recognise songs by, and the table of what to expect."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.songs: list[CatalogueSong] = []
        self.expected: dict[str, Expected] = {}
        self._rng = random.Random(4)

    def name(self, syllables: int = 4) -> str:
        return word(self._rng, syllables)

    def known(self, title: str | None = None, artist: str | None = None) -> CatalogueSong:
        """A new song of the catalogue."""
        title = title or f"{self.name(3)} {self.name(4)}"
        artist = artist or f"{self.name(3)} {self.name(3)}"
        year = self._rng.randint(1960, 1999)
        song = CatalogueSong(
            song_id(title, artist), title, artist, year, YearSource.CURATED, origin=Origin.SHIPPED
        )
        self.songs.append(song)
        return song

    def write(self, name: str, content: bytes, expected: Expected) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.expected[str(path)] = expected

    def recognised(self, name: str, content: bytes, song: CatalogueSong) -> None:
        """A file that is to be taken for a song of the catalogue, with the catalogue's year."""
        expected = Expected(Verdict.ADDED, song.title, song.artist, song.year, "curated")
        self.write(name, content, expected)
