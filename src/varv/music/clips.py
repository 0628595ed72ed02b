"""The folder of clips that are ready to be served, under names that tell nothing (VIEW-06)."""

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from varv.music.model import Clip, RecordingMissing

MEDIA_TYPE = "audio/mpeg"
VERSION = "1"
"""Part of a clip's name: raise it when `audio` is to make clips differently."""
MAX_BYTES = 2_000_000_000
"""So much room clips may take; those made the longest time ago go first."""

_PART = ".part"
_LEFT_BEHIND = 600.0
"""Seconds after which nobody is writing a part any more."""


class Clips:
    """Clips by recording. Making one is work for a thread, and done once however many ask."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
        """The folder is made when it is first needed."""
        self._folder = folder
        self._max_bytes = max_bytes
        self._making: dict[str, asyncio.Task[Clip]] = {}
        # Two at a time: more would starve the game that is being played meanwhile.
        self._turns = asyncio.Semaphore(2)
        self._secret: bytes | None = None

    def ready(self, recording: str, max_age: float | None = None) -> Clip | None:
        """The clip, if it is there and no older than `max_age` seconds."""
        path = self._path(recording)
        try:
            stat = path.stat()
        except FileNotFoundError:
            return None
        if max_age is not None and time.time() - stat.st_mtime > max_age:
            return None
        return Clip(path, MEDIA_TYPE, stat.st_size)

    async def make(self, recording: str, make: Callable[[], bytes]) -> Clip:
        """The clip, made now. A failure is not remembered."""
        task = self._making.get(recording)
        if task is None:
            task = asyncio.create_task(self._make(recording, make))
            self._making[recording] = task
            task.add_done_callback(lambda _: self._making.pop(recording, None))
        # Whoever stops waiting must not take the clip from the others.
        return await asyncio.shield(task)

    async def _make(self, recording: str, make: Callable[[], bytes]) -> Clip:
        async with self._turns:
            return await asyncio.to_thread(self._write, recording, make)

    def _write(self, recording: str, make: Callable[[], bytes]) -> Clip:
        content = make()
        try:
            path = self._path(recording)
            self._part(path.name, content).replace(path)
            self._tidy()
        except OSError as error:
            raise RecordingMissing(f"the sound cannot be kept ({error.strerror})") from error
        return Clip(path, MEDIA_TYPE, len(content))

    def _part(self, name: str, content: bytes) -> Path:
        """A file on its way to another name, so that nobody reads half of it."""
        part = self._folder / f"{name}.{secrets.token_hex(4)}{_PART}"
        part.write_bytes(content)
        return part

    def _path(self, recording: str) -> Path:
        name = hashlib.blake2b(f"{VERSION}:{recording}".encode(), key=self._key(), digest_size=16)
        return self._folder / name.hexdigest()

    def _key(self) -> bytes:
        """A secret of this folder, without which the names of its files cannot be worked out."""
        if self._secret is None:
            path = self._folder / "key"
            self._folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                new = self._part("key", secrets.token_bytes(32))
                new.chmod(0o600)
                # Two servers may start at once: the first one's key is everybody's.
                with contextlib.suppress(FileExistsError):
                    path.hardlink_to(new)
                new.unlink()
            self._secret = path.read_bytes()
        return self._secret

    def _tidy(self) -> None:
        clips = []
        for path in self._folder.iterdir():
            # Others make clips and tidy up at the same time: what is gone is gone.
            with contextlib.suppress(FileNotFoundError):
                stat = path.stat()
                under_way = path.suffix == _PART and time.time() - stat.st_mtime < _LEFT_BEHIND
                if path.name != "key" and not under_way:
                    clips.append((stat, path))
        total = sum(stat.st_size for stat, _ in clips)
        for stat, path in sorted(clips, key=lambda clip: clip[0].st_mtime):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= stat.st_size
