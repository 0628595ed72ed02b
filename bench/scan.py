"""Files per second of `varv music scan`, against bare tinytag over the same files in one run.

    python bench/scan.py [--files 10000] [--runs 3]

Goal: within 2x of bare tinytag. The files are made here, tagged and as short as they can be, which
is the hardest case: there is nothing to wait for but our own work. Both are run by turns, and the
best of each counts, since a scan wants all processors and a busy machine does not give them.
"""

import argparse
import asyncio
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF
from typing import NamedTuple

from support.goals import verdict
from tinytag import TinyTag

from varv.music.scan import Report, scan
from varv.music.seeding import seed
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_catalogue import SqliteCatalogue

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.music.messy import id3v2, sound, tagged
from tests.music.worlds import word

GOAL = 2.0
OTHERS = ("flac", "m4a", "opus")


def name(rng: random.Random) -> str:
    return word(rng, rng.randint(3, 6))


def make(folder: Path, count: int) -> list[str]:
    """Seven of ten are MP3, the rest FLAC, M4A and Opus; in folders of a hundred."""
    rng = random.Random(1)
    mp3 = sound("mp3")
    artists = [f"{name(rng)} {name(rng)}" for _ in range(count // 10)]
    paths = []
    for n in range(count):
        place = folder / f"{n // 100:04}"
        place.mkdir(exist_ok=True)
        title = f"{name(rng)} {name(rng)}" + (" (Remastered 2011)" if n % 7 == 0 else "")
        artist, album = rng.choice(artists), name(rng)
        date = str(rng.randint(1955, 2024))
        form = "mp3" if n % 10 < 7 else OTHERS[n % 10 - 7]
        path = place / f"{n:05}.{form}"
        if form == "mp3":
            frames = {"TIT2": title, "TPE1": artist, "TALB": album, "TYER": date}
            tag = id3v2({frame: b"\3" + text.encode() for frame, text in frames.items()})
            path.write_bytes(tag + mp3)
        else:
            tags = {"title": title, "artist": artist, "album": album, "date": date}
            path.write_bytes(tagged(form, tags))
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
    print(", ".join(f"{n} {decided}" for decided, n in report.counts.most_common()))
    ratio = min(firsts).wall / min(references).wall
    print(f"{ratio:.2f}x the time of bare tinytag, within {GOAL:.0f}x: {verdict(ratio <= GOAL)}")
    print(f"({os.cpu_count()} processors, load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main()
