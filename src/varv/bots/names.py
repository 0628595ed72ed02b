"""What bots are called, in any language."""

from collections.abc import Iterable

NAMES = (
    "Banjo", "Oboe", "Tuba", "Viola", "Bongo", "Cello", "Kazoo", "Lyra", "Sitar", "Piccolo",
    "Ukulele", "Maracas", "Timpani", "Celesta", "Theremin",
)  # fmt: skip


def bot_name(taken: Iterable[str]) -> str:
    """The first name that nobody at the table has; if none is left, the rules add a number."""
    used = {name.casefold() for name in taken}
    return next((name for name in NAMES if name.casefold() not in used), NAMES[0])
