"""What a person is shown: the Snapshot, the same for all, and the Viewer, theirs alone.

These are allow-lists: a field of the game is invisible until somebody writes it in here. Every exit
(WebSocket, HTTP, shared screen, history) is made by these functions and no others.
"""

from varv.rules.model import Game
from varv.rules.views.encoder import Encoder
from varv.rules.views.history import History, history
from varv.rules.views.private import AudioUrl, viewer
from varv.rules.views.public import snapshot
from varv.rules.views.shapes import Snapshot, Viewer

__all__ = [
    "AudioUrl",
    "Encoder",
    "History",
    "Snapshot",
    "Viewer",
    "history",
    "snapshot",
    "version",
    "viewer",
]


def version(game: Game, player: str | None) -> int:
    """How many changes this player, or a shared screen, has been able to see (VIEW-08)."""
    return game.public_changes + (game.private_changes[player] if player else 0)
