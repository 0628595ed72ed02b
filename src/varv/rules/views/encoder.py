"""The same views as JSON, made again only where something has changed."""

from typing import Any

from msgspec import Raw
from msgspec.json import Encoder as JsonEncoder

from varv.rules.editions.base import Edition
from varv.rules.model import Game, Guess, Part, Performance, Player
from varv.rules.views.private import AudioUrl, part_options, viewer_with
from varv.rules.views.public import hidden_round, player_view, snapshot_with, standing
from varv.rules.views.shapes import Standing


class Encoder:
    """The same views as JSON, making again only what has changed since the last time.

    Frozen values that are the same object have the same bytes: a player's cards are encoded once
    per change, a performance's options once.
    """

    def __init__(self) -> None:
        """An encoder for the views of one game."""
        self._json = JsonEncoder()
        self._players: dict[str, tuple[Player, int | None, Raw, Standing]] = {}
        self._options: dict[tuple[Any, ...], Raw] = {}
        self._performance: Performance | None = None

    def snapshot(self, game: Game) -> bytes:
        """`snapshot` as JSON."""
        hidden = hidden_round(game)
        for player in game.players.values():
            known = self._players.get(player.id)
            if known is None or known[0] is not player or known[1] != hidden:
                encoded = Raw(self._json.encode(player_view(player, hidden)))
                self._players[player.id] = (player, hidden, encoded, standing(game, player))
        known_players = [self._players[player] for player in game.players]
        players: list[Any] = [encoded for _, _, encoded, _ in known_players]
        return self._json.encode(
            snapshot_with(game, players, [standing for *_, standing in known_players])
        )

    def viewer(self, game: Game, player: str, audio_url: AudioUrl | None = None) -> bytes:
        """`viewer` as JSON."""
        return self._json.encode(viewer_with(game, player, audio_url, self._part_options))

    def _part_options(self, edition: Edition, performance: Performance, guess: Guess) -> Any:
        if performance is not self._performance:
            self._performance = performance
            self._options.clear()
        key = tuple(edition.options(performance, guess, part) for part in (Part.TITLE, Part.ARTIST))
        if key not in self._options:
            encoded = self._json.encode(part_options(edition, performance, guess))
            self._options[key] = Raw(encoded)
        return self._options[key]
