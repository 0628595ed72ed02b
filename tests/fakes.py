"""Music for tests of the server: invented songs, silent sound, nothing to prepare."""

import random
from pathlib import Path

from varv.music.model import Clip, MixInfo, MixKind, PassedOver, RecordingMissing
from varv.rules.model import Draw, DrawRequest, Song
from varv.rules.refusals import Reason

SONGS = [Song(f"s{n}", f"Title {n}", f"Artist {n}", 1950 + n % 70) for n in range(300)]
SOUND = bytes(range(256)) * 64


class FakeMusic:
    """`rooms.ports.Music` with mixes of every kind, and one that cannot be played."""

    def __init__(self, folder: Path, songs: int = 300) -> None:
        self.songs = SONGS[:songs]
        self.flags: list[tuple[str, str, str, int]] = []
        self.broken: set[str] = set()
        self.drawn: list[Song] = []
        self.asked_ahead: list[DrawRequest] = []
        self._file = folder / "clip.mp3"
        self._file.write_bytes(SOUND)

    async def mixes(self) -> list[MixInfo]:
        return [
            MixInfo("party", "Party", len(self.songs), (1950, 2019), True),
            MixInfo("gold", "Gold", len(self.songs), (1950, 2019), True, MixKind.PREMIUM),
            MixInfo("rock", "Rock", len(self.songs), (1950, 2019), True, MixKind.SINGLE),
            MixInfo("empty", "Empty", 3, (1950, 2019), False),
        ]

    async def mix(self, mix: str) -> MixInfo | None:
        return next((info for info in await self.mixes() if info.id == mix), None)

    async def draw(
        self,
        request: DrawRequest,
        rng: random.Random,
        passed: list[PassedOver] | None = None,
    ) -> Draw | Reason:
        usable = [song for song in self.songs if song.id not in request.retired]
        fresh = [song for song in usable if song.id not in request.played]
        if not fresh:
            return Reason.MIX_EXHAUSTED
        answer = rng.choice(fresh)
        group = [answer, *rng.sample([song for song in usable if song is not answer], 9)]
        few = group[:3]
        titles, artists = rng.sample(group, 10), rng.sample(group, 10)
        self.drawn.append(answer)
        if passed is not None and answer.id in self.broken:
            passed.append(PassedOver(answer.id, "broken"))
        return Draw(
            song=answer,
            titles=tuple(song.title for song in titles),
            artists=tuple(song.artist for song in artists),
            few_titles=tuple(i for i, song in enumerate(titles) if song in few),
            few_artists=tuple(i for i, song in enumerate(artists) if song in few),
            group=tuple(song.id for song in group),
            recording=f"r-{answer.id}",
        )

    async def ahead(self, request: DrawRequest, rng: random.Random) -> None:
        self.asked_ahead.append(request)

    async def prepare(self, recording: str) -> None:
        if "silent" in self.broken:
            raise RecordingMissing("silent")

    async def clip(self, recording: str) -> Clip:
        return Clip(self._file, "audio/mpeg", len(SOUND))

    async def flag(self, song: str, note: str, game: str, round: int) -> None:
        self.flags.append((song, note, game, round))
