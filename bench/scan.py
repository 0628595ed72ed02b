"""Files per second of `varv music scan`, against bare tinytag over the same files in one run.

    python bench/scan.py [--files 10000] [--runs 3]

Goal: within 2x of bare tinytag. The files are made here, tagged and as short as they can be, which
is the hardest case: there is nothing to wait for but our own work. Both are run by turns, and the
best of each counts, since a scan wants all processors and a busy machine does not give them.
"""

import argparse
import asyncio
import io
import os
import random
import resource
import struct
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF
from typing import NamedTuple

import av
import numpy as np
from tinytag import TinyTag

from varv.music import audio
from varv.music.scan import Report, scan
from varv.music.seeding import seed
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_catalogue import SqliteCatalogue

GOAL = 2.0
OTHERS = {"flac": ("flac", "flac"), "m4a": ("ipod", "aac"), "opus": ("ogg", "libopus")}
SYLLABLES = ["ba", "di", "ko", "lu", "ma", "ne", "po", "ra", "si", "tu", "ve", "zo"]


def name(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(3, 6))).title()


def id3(tags: dict[str, str]) -> bytes:
    frames = b"".join(
        key.encode() + struct.pack(">I", len(value) + 1) + b"\0\0\3" + value.encode()
        for key, value in tags.items()
    )
    size = bytes((len(frames) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\3\0\0" + size + frames


def tone(form: str) -> bytes:
    container_format, codec = OTHERS[form]
    out = io.BytesIO()
    samples = np.sin(np.arange(48_000) / 23).astype(np.float32) * np.float32(0.3)
    with av.open(out, "w", format=container_format) as container:
        stream = container.add_stream(codec, rate=48_000)
        assert isinstance(stream, av.AudioStream)
        stream.layout = "stereo"
        frame = av.AudioFrame.from_ndarray(
            np.stack([samples, samples]), format="fltp", layout="stereo"
        )
        frame.sample_rate = 48_000
        frame.pts = 0
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


def remux(form: str, sound: bytes, tags: dict[str, str], path: Path) -> None:
    with (
        av.open(io.BytesIO(sound), "r") as source,
        av.open(str(path), "w", format=OTHERS[form][0]) as out,
    ):
        stream = out.add_stream_from_template(source.streams.audio[0])
        out.metadata.update(tags)
        for packet in source.demux(audio=0):
            if packet.dts is not None:
                packet.stream = stream
                out.mux(packet)


def make(folder: Path, count: int) -> list[str]:
    """Seven of ten are MP3, the rest FLAC, M4A and Opus; in folders of a hundred."""
    rng = random.Random(1)
    mp3 = audio.encode(np.zeros((2, 48_000), np.float32) + np.float32(0.01))
    others = {form: tone(form) for form in OTHERS}
    artists = [f"{name(rng)} {name(rng)}" for _ in range(count // 10)]
    paths = []
    for n in range(count):
        place = folder / f"{n // 100:04}"
        place.mkdir(exist_ok=True)
        title = f"{name(rng)} {name(rng)}" + (" (Remastered 2011)" if n % 7 == 0 else "")
        artist, album = rng.choice(artists), name(rng)
        date = str(rng.randint(1955, 2024))
        form = "mp3" if n % 10 < 7 else list(OTHERS)[n % 10 - 7]
        path = place / f"{n:05}.{form}"
        if form == "mp3":
            tags = {"TIT2": title, "TPE1": artist, "TALB": album, "TYER": date}
            path.write_bytes(id3(tags) + mp3)
        else:
            tags = {"title": title, "artist": artist, "album": album, "date": date}
            remux(form, others[form], tags, path)
        paths.append(str(path))
    return paths


class Spent(NamedTuple):
    """Time on the clock, and of all our processors: on a busy machine only the latter compares."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> "Spent":
        own, children = (resource.getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
        used = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
        return cls(time.perf_counter(), used)

    def since(self, start: "Spent") -> "Spent":
        return Spent(self.wall - start.wall, self.cpu - start.cpu)

    def line(self, what: str, count: int) -> str:
        rate = f"{count / self.wall:8.0f} files/s"
        return f"{what:14} {rate} {self.wall:7.2f} s, {self.cpu:6.2f} s of processor"


def bare(paths: list[str]) -> Spent:
    start = Spent.now()
    for path in paths:
        TinyTag.get(path)
    return Spent.now().since(start)


async def ours(folder: Path, data: Path) -> tuple[Spent, Report, Spent]:
    store = SqliteStore(data / "varv.db")
    await store.open()
    catalogue = SqliteCatalogue(data / "varv.db")
    await seed(catalogue)
    start = Spent.now()
    report = await scan(catalogue, [folder])
    first = Spent.now().since(start)
    start = Spent.now()
    await scan(catalogue, [folder])
    again = Spent.now().since(start)
    await catalogue.close()
    await store.close()
    return first, report, again


def main() -> None:
    """Print every figure, and the ratio beside its goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    count = options.files
    references, firsts, agains = [], [], []
    with tempfile.TemporaryDirectory(prefix="varv-bench-") as scratch:
        folder = Path(scratch) / "music"
        folder.mkdir()
        paths = make(folder, count)
        bare(paths)  # so that both find the files in memory
        for run in range(options.runs):
            references.append(bare(paths))
            data = Path(scratch) / f"data-{run}"
            data.mkdir()
            first, report, again = asyncio.run(ours(folder, data))
            firsts.append(first)
            agains.append(again)
    print(min(references).line("bare tinytag", count))
    print(min(firsts).line("varv scan", count))
    print(min(agains).line("scanned again", count))
    print(", ".join(f"{n} {verdict}" for verdict, n in report.counts.most_common()))
    ratio = min(firsts).wall / min(references).wall
    told = "goal met" if ratio <= GOAL else "GOAL MISSED"
    print(f"{ratio:.2f}x the time of bare tinytag, within {GOAL:.0f}x: {told}")
    print(f"({os.cpu_count()} processors, load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main()
