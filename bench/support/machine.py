"""What the machine does besides."""

from pathlib import Path

STAT = Path("/proc/stat")


class Stolen:
    """How much of a virtual machine's processors its host gives to others, from now on."""

    def __init__(self) -> None:
        self._before = _ticks()

    def percent(self) -> float:
        """Of all processors; 0 on a machine of one's own, and where nobody counts."""
        stolen, everything = (now - then for now, then in zip(_ticks(), self._before, strict=True))
        return 100 * stolen / everything if everything else 0.0


def _ticks() -> tuple[int, int]:
    if not STAT.exists():
        return 0, 0
    ticks = [int(field) for field in STAT.read_text().split("\n", 1)[0].split()[1:9]]
    return ticks[7], sum(ticks)
