"""The same views as JSON, made again only where something has changed."""

from typing import Any

from msgspec import Raw
from msgspec.json import Encoder as JsonEncoder

from varv.rules.editions.base import Edition
from varv.rules.model import Game, Guess, Part, Performance, Player
from varv.rules.permission import Offer, offers
from varv.rules.views.private import (
    AudioUrl,
    audio_view,
    part_options,
    rests_on,
    viewer_with,
)
from varv.rules.views.public import hidden_round, player_view, snapshot_with, standings
from varv.rules.views.shapes import AudioView


class Encoder:
    """The same views as JSON, making again only what has changed since the last time.

    Frozen values that are the same object have the same bytes: a player's cards are encoded once
    per change, a performance's options once, and a Viewer when something it rests on has changed.
    """

    def __init__(self) -> None:
        """An encoder for the views of one game."""
        self._json = JsonEncoder()
        self._table: tuple[dict[str, Player], int | None, Any, Any] | None = None
        self._players: dict[str, tuple[Player, int | None, Raw]] = {}
        self._game: Game | None = None
        self._basis: tuple[object, ...] = ()
        self._offers: dict[str, Offer] = {}
        self._viewers: dict[str, tuple[Guess | None, AudioView | None, bytes]] = {}
        self._options: dict[tuple[Any, ...], Raw] = {}
        self._performance: Performance | None = None

    def snapshot(self, game: Game) -> bytes:
        """`snapshot` as JSON."""
        hidden, known = hidden_round(game), self._table
        if known is None or known[0] is not game.players or known[1] != hidden:
            players = [self._player(player, hidden) for player in game.players.values()]
            known = (game.players, hidden, self._raw(players), self._raw(standings(game)))
            self._table = known
        return self._json.encode(snapshot_with(game, *known[2:]))

    def _raw(self, value: Any) -> Any:
        """Encoded here and now; it can stand wherever the value could."""
        return Raw(self._json.encode(value))

    def _player(self, player: Player, hidden: int | None) -> Raw:
        known = self._players.get(player.id)
        if known is None or known[0] is not player or known[1] != hidden:
            known = (player, hidden, self._raw(player_view(player, hidden)))
            self._players[player.id] = known
        return known[2]

    def viewer(self, game: Game, player: str, audio_url: AudioUrl | None = None) -> bytes:
        """`viewer` as JSON."""
        self._look_at(game)
        guess = game.round.guesses.get(player) if game.round else None
        audio = audio_view(game, player, audio_url)
        known = self._viewers.get(player)
        if known is None or known[0] is not guess or known[1] != audio:
            viewer = viewer_with(game, player, audio, self._offers[player], self._part_options)
            known = self._viewers[player] = (guess, audio, self._json.encode(viewer))
        return known[2]

    def _look_at(self, game: Game) -> None:
        """Forget all viewers if something that they share has changed."""
        if game is self._game:
            return
        self._game, basis = game, rests_on(game)
        if basis != self._basis:
            self._basis = basis
            self._viewers.clear()
            self._offers = offers(game)

    def _part_options(self, edition: Edition, performance: Performance, guess: Guess) -> Any:
        if performance is not self._performance:
            self._performance = performance
            self._options.clear()
        titles = edition.options(performance, guess, Part.TITLE)
        key = (titles, edition.options(performance, guess, Part.ARTIST))
        if key not in self._options:
            self._options[key] = self._raw(part_options(edition, performance, guess))
        return self._options[key]
