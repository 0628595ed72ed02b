"""The real server with songs that need no sound: rendering clips is measured elsewhere.

Takes the same arguments as `varv`.
"""

from random import Random

from varv.cli import main
from varv.config import Settings
from varv.music.catalogue import Catalogue
from varv.music.service import Music
from varv.rules.model import DrawRequest
from varv.web import wiring


class Silent(Music):
    """Draws as always, prepares nothing."""

    async def prepare(self, recording: str) -> None:
        """Nothing to do."""

    async def ahead(self, request: DrawRequest, rng: Random) -> None:
        """Nothing to do."""


def make_music(settings: Settings, catalogue: Catalogue) -> Music:
    """Instead of the one with sound."""
    return Silent(catalogue, settings.folder)


wiring.make_music = make_music

if __name__ == "__main__":
    main()
