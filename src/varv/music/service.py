"""What the rest of the program asks of music: mixes, a song with its options, and its sound."""

import asyncio
import contextlib
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import structlog

from varv.music import options, sounds
from varv.music.catalogue import Catalogue
from varv.music.clips import Clips
from varv.music.library import Library, read
from varv.music.model import (
    Clip,
    Flag,
    MixInfo,
    PassedOver,
    RecordingMissing,
)
from varv.music.seeding import seed
from varv.rules.model import Draw, DrawRequest
from varv.rules.refusals import Reason

if TYPE_CHECKING:
    from varv.music.previews import Previews

log = structlog.get_logger(__name__)

LOOK_AGAIN = 1.0
"""Seconds after which a draw asks whether the catalogue has changed."""
TRIES = 5
"""Songs passed over in one draw, at least, before it gives up."""
PATIENCE = 3.0
"""Seconds that it may go on after that: many missing files are found out quickly."""
FIND_AGAIN = 120.0
"""Seconds after which previews are looked for again when the service did not answer."""
AHEAD = 1024
"""Songs drawn ahead and not yet asked for, at most."""


class Music:
    """Music for any number of games."""

    def __init__(
        self, catalogue: Catalogue, folder: Path, *, previews: "Previews | None" = None
    ) -> None:
        """`folder` is for clips; without `previews` only files and the demo are played."""
        self._catalogue = catalogue
        self._clips = Clips(folder / "clips")
        self._previews = previews
        self._library: Library | None = None
        self._looked = 0.0
        self._reading = asyncio.Lock()
        self._drawn_ahead: dict[DrawRequest, tuple[Draw, list[PassedOver]]] = {}
        self._on_its_way: dict[DrawRequest, asyncio.Event] = {}
        self._finding: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Put what we ship into the catalogue, if that is not yet done, and read it."""
        await seed(self._catalogue)
        await self.library()
        if self._previews is not None:
            # Takes minutes the first time; mixes become playable as it goes on.
            self._finding = asyncio.create_task(self._find(self._previews))

    async def close(self) -> None:
        """Let go of what was opened for previews; the catalogue is its owner's to close."""
        if self._finding is not None:
            self._finding.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._finding
        if self._previews is not None:
            await self._previews.close()

    async def library(self) -> Library:
        """The catalogue in memory, at most a second old."""
        now = time.monotonic()
        if self._library is not None and now - self._looked <= LOOK_AGAIN:
            return self._library
        async with self._reading:
            library = self._library
            if library is None or await self._catalogue.generation() != library.generation:
                library = await read(self._catalogue, previews=self._previews is not None)
                self._library = library
                self._drawn_ahead.clear()
            self._looked = now
        return library

    async def mixes(self) -> list[MixInfo]:
        """Every mix, in the order to show them (MUS-02)."""
        library = await self.library()
        return [info for mix in library.mixes if (info := library.info(mix)) is not None]

    async def mix(self, mix: str) -> MixInfo | None:
        """One mix."""
        return (await self.library()).info(mix)

    async def draw(
        self,
        request: DrawRequest,
        rng: random.Random,
        passed: list[PassedOver] | None = None,
    ) -> Draw | Reason:
        """A song with its options (PRF-09, CAN-01 … CAN-07).

        A song whose sound cannot be had is passed over, and noted in `passed` for the host; what
        is drawn can be played.
        """
        if passed is None:
            passed = []
        if request in self._on_its_way:
            # Nearly ready, and for just this: another song would only take longer.
            await self._on_its_way[request].wait()
        ready = self._drawn_ahead.pop(request, None)
        if ready is not None:
            passed += ready[1]
            return ready[0]
        return await self._draw(request, rng, passed)

    async def _draw(
        self, request: DrawRequest, rng: random.Random, passed: list[PassedOver]
    ) -> Draw | Reason:
        library = await self.library()
        asked = request
        began = time.monotonic()
        while len(passed) < TRIES or time.monotonic() - began < PATIENCE:
            if self._previews is not None and self._previews.down:
                silent = library.only_previewed(asked.mix)
                asked = msgspec.structs.replace(asked, this_round=asked.this_round | silent)
            drawn = options.draw(library.pool(asked.mix), asked, rng)
            if isinstance(drawn, Reason):
                return drawn
            try:
                recording = await self._playable(drawn.song.id, library)
            except RecordingMissing as error:
                log.warning("song passed over", song=drawn.song.id, why=str(error))
                passed.append(PassedOver(drawn.song.id, str(error)))
                without = asked.this_round | {drawn.song.id}
                asked = msgspec.structs.replace(asked, this_round=without)
            else:
                return msgspec.structs.replace(drawn, recording=recording)
        return Reason.MIX_EXHAUSTED

    async def ahead(self, request: DrawRequest, rng: random.Random) -> None:
        """Draw for a request that is likely to come, and prepare the sound (next song, no wait)."""
        if request in self._drawn_ahead or request in self._on_its_way:
            return
        done = self._on_its_way[request] = asyncio.Event()
        try:
            passed: list[PassedOver] = []
            drawn = await self._draw(request, rng, passed)
            if isinstance(drawn, Reason):
                return
            with contextlib.suppress(RecordingMissing):
                await self.prepare(drawn.recording)
                while len(self._drawn_ahead) >= AHEAD:
                    self._drawn_ahead.pop(next(iter(self._drawn_ahead)))
                self._drawn_ahead[request] = drawn, passed
        finally:
            del self._on_its_way[request]
            done.set()

    async def prepare(self, recording: str) -> None:
        """Make the clip of a recording ready to be served."""
        await self.clip(recording)

    async def clip(self, recording: str) -> Clip:
        """The sound of a recording, prepared now if need be; raises RecordingMissing."""
        found = (await self.library()).recordings.get(recording)
        ready = self._clips.ready(recording, sounds.keeps(found) if found else None)
        if ready is not None:
            return ready
        if found is None:
            raise RecordingMissing("this recording is no longer in the catalogue")
        return await self._clips.make(recording, await sounds.source(found, self._previews))

    async def flag(self, song: str, note: str, game: str, round: int) -> None:
        """A player doubts the year of a song; the operator sees it in `varv music check`."""
        await self._catalogue.add_flag(Flag(song, game, round, note, int(time.time())))

    async def flags(self) -> list[Flag]:
        """Every flag, the oldest first."""
        return await self._catalogue.flags()

    async def _find(self, previews: "Previews") -> None:
        from varv.music.finding import find_previews

        while True:
            try:
                asked, found = await find_previews(self._catalogue, previews, lambda *_: None)
            except RecordingMissing as error:
                log.warning("looking for previews stopped", why=str(error))
                await asyncio.sleep(FIND_AGAIN)
            else:
                log.info("looked for previews", songs=asked, found=found)
                return

    async def _playable(self, song: str, library: Library) -> str:
        """The first of a song's recordings that can be played now."""
        why = "it has no recording"
        for recording in library.recordings_of(song):
            if not sounds.may_fail(recording):
                return recording.id
            try:
                await self.prepare(recording.id)
            except RecordingMissing as error:
                why = str(error)
            else:
                return recording.id
        raise RecordingMissing(why)
