"""One game in memory: its state, who sits where, and who is looking."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any

from varv.rooms.keys import Keys
from varv.rooms.messages import (
    Notice,
    Playing,
    Presence,
    encode,
    state_bytes,
    state_middle,
)
from varv.rooms.outbox import Outbox
from varv.rooms.ports import Seat
from varv.rules import commands as c
from varv.rules import views
from varv.rules.events import Event, PerformanceStarted, RoundAborted, RoundCreated
from varv.rules.model import AbortReason, Audio, Game, GameState, Guess
from varv.rules.permission import controls_audio, plays_audio
from varv.rules.views.private import rests_on

SCREEN = "screen"
"""The viewer that a paired screen is in an audio ticket."""
SAME_MOMENT = 20
"""Milliseconds for which a state's `now` is good enough."""


class Room:
    """The game in it is moved on only under `lock`."""

    __slots__ = (
        "_common", "_encoder", "_shown", "_shown_game", "_told", "_told_at", "_viewers", "code",
        "elsewhere", "game", "kept", "keys", "lock", "owner", "playing", "seating", "seen", "seq",
        "skills", "stirred", "successor", "tokens", "touched", "viewers", "watched",
    )  # fmt: skip

    def __init__(self, game: Game, seq: int, owner: str, keys: Keys) -> None:
        """A game as it was loaded or created."""
        self.code = game.code
        self.game = game
        self.seq = seq
        self.kept = 0
        """The seq of the latest snapshot row."""
        self.owner = owner
        self.keys = keys
        self.successor: str | None = None
        self.lock = asyncio.Lock()
        self.viewers: set[Outbox] = set()
        self.watched = False
        self.tokens: dict[bytes, str] = {}
        self.skills: dict[str, str] = {}
        self.seating = 0
        self.elsewhere: dict[str, frozenset[str]] = {}
        self.seen: dict[str, float] = {}
        """When a player was last heard of over HTTP, or lost their socket."""
        self.playing = False
        self.stirred = time.monotonic()
        """When something last happened that everyone could see."""
        self.touched = time.monotonic()
        self._encoder: views.Encoder | None = None
        self._shown = b""
        self._shown_game: Game | None = None
        self._told = b""
        self._told_at = 0
        self._common: tuple[Any, ...] = ()
        self._viewers: dict[str, tuple[tuple[Any, ...], Guess | None, bytes]] = {}

    # Who sits where

    def seat(self, seats: Iterable[Seat], seating: int) -> None:
        """Take over who each token names."""
        seats = tuple(seats)
        self.tokens = {seat.token: seat.player for seat in seats if seat.token is not None}
        self.skills = {seat.player: seat.skill for seat in seats if seat.skill is not None}
        self.seating = seating
        for viewer in tuple(self.viewers):
            if viewer.token is not None and self.tokens.get(viewer.token) != viewer.player:
                viewer.dismiss("REJOINED", 4401)

    # Who is looking

    def connected(self) -> list[str]:
        """Players connected here or on another worker, and bots, in join order."""
        here = {viewer.player for viewer in self.viewers if viewer.closing is None}
        present = here.union(self.skills, *self.elsewhere.values())
        return [player for player in self.game.players if player in present]

    def connected_here(self) -> set[str]:
        """Players with a socket on this worker."""
        return {viewer.player for viewer in self.viewers if viewer.player is not None}

    def presence_message(self) -> bytes:
        """Who is connected, as JSON."""
        return encode(Presence(self.connected()))

    def tell_presence(self) -> None:
        """Somebody came or went."""
        for viewer in self.viewers:
            viewer.refresh_presence()

    # What they see

    def version(self, player: str | None) -> int:
        """How many changes this viewer has been able to see; a removed player sees no more."""
        if player is not None and player not in self.game.players:
            return -1
        return views.version(self.game, player)

    def _look(self) -> views.Encoder:
        """The encoder, with everything that all views share made once per change."""
        if self._encoder is None:
            self._encoder = views.Encoder()
        if self._shown_game is not self.game:
            self._shown = self._encoder.snapshot(self.game)
            self._shown_game = self.game
            self._told_at = 0
            common = _common(self.game)
            if common != self._common:
                self._common = common
        return self._encoder

    def snapshot(self) -> bytes:
        """The Snapshot as JSON."""
        self._look()
        return self._shown

    def viewer(self, player: str) -> bytes:
        """A player's own part as JSON; most changes at the table are not in it."""
        encoder, game = self._look(), self.game
        guess = game.round.guesses.get(player) if game.round else None
        known = self._viewers.get(player)
        if known is not None and known[0] is self._common and known[1] == guess:
            return known[2]
        made = encoder.viewer(game, player, self._audio_url)
        self._viewers[player] = (self._common, guess, made)
        return made

    def state(self, player: str | None, version: int, *, paired: bool = False) -> bytes:
        """The whole `state` message for a viewer."""
        viewer = b"null" if player is None else self.viewer(player)
        self._look()
        now = time.time_ns() // 1_000_000
        if now - self._told_at > SAME_MOMENT:
            self._told_at = now
            self._told = state_middle(now, self._shown)
        return state_bytes(version, self._told, viewer, self._screen_audio() if paired else None)

    def rest(self) -> None:
        """Let go of what can be made again, while nobody is looking."""
        self._encoder = None
        self._shown = self._told = b""
        self._shown_game = None
        self._viewers.clear()

    # What they hear

    def _audio_url(self, game: Game, viewer: str) -> str:
        round_ = game.round
        assert round_ is not None and round_.performance is not None
        number = round_.performance.number
        return "/api/v1/audio/" + self.keys.audio_ticket(game.code, round_.number, number, viewer)

    def _screen_audio(self) -> bytes:
        """A paired screen plays when whoever controls the sound could (VIEW-06)."""
        game = self.game
        if game.options.audio == Audio.SCREEN and any(plays_audio(game, p) for p in game.players):
            return encode({"url": self._audio_url(game, SCREEN)})
        return b"null"

    def hears(self, round_number: int, performance: int, viewer: str) -> str | None:
        """The recording, if this performance is the current one and this viewer's to play."""
        game, round_ = self.game, self.game.round
        if game.state is not GameState.IN_PROGRESS or round_ is None or round_.performance is None:
            return None
        if (round_.number, round_.performance.number) != (round_number, performance):
            return None
        if game.options.audio == Audio.SCREEN:
            allowed = viewer == SCREEN
        else:
            allowed = viewer in game.players and controls_audio(game, viewer)
        return round_.performance.recording if allowed else None

    # What happens

    def advance(self, game: Game, events: tuple[Event, ...], sender: Outbox | None = None) -> None:
        """The game has moved on: show everyone who can see it, but for the sender."""
        self.touched = time.monotonic()
        if game.public_changes != self.game.public_changes:
            self.stirred = self.touched
        self.game = game
        self.seq += len(events)
        for event in events:
            if isinstance(event, RoundAborted) and event.because is AbortReason.HOST:
                self.tell(encode(Notice("ABORTED_BY_HOST")))
            elif isinstance(event, RoundCreated | PerformanceStarted):
                self.playing = False
        for viewer in tuple(self.viewers):
            if viewer.player is not None and viewer.player not in game.players:
                viewer.dismiss("REMOVED", 4403)
            elif viewer is not sender:
                viewer.poke()

    def tell(self, message: bytes, *, only: str | None = None) -> None:
        """A short message to everyone, or to one player's devices."""
        for viewer in tuple(self.viewers):
            if only is None or viewer.player == only:
                viewer.post(message)

    def play(self, command: c.Play | c.Stop) -> None:
        """The song starts or stops (PRF-07)."""
        self.set_playing(isinstance(command, c.Play))

    def set_playing(self, playing: bool) -> None:
        """Tell everyone that the song is being played, or no longer."""
        self.playing = playing
        self.tell(encode(Playing(playing)))


def _common(game: Game) -> tuple[Any, ...]:
    """All that a player's own part can depend on, but for their own guess.

    Other people's guesses are what changes most, and nobody's own part depends on them (VIEW-02).
    """
    return (game.round and game.round.number, *rests_on(game))
