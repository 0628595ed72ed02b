"""Every screen at both sizes, by night and by day, in both languages: build/screenshots/.

Played against a real server, so that what is shown is what there is. `--only WORD` takes the scenes
whose name has it; contact sheets, one per size, theme and language, make them easy to look through.
`--docs` takes the pictures of docs/pictures/ instead, for the manuals and the page about the look.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scripts.pictures.camera import FOLDER, PICTURES, Camera, Illustrator  # noqa: E402
from scripts.pictures.scenes import SCENES, dj, lobby, oracle  # noqa: E402
from scripts.pictures.sheets import contact_sheets  # noqa: E402
from tests.browser.chromium import launch  # noqa: E402
from tests.browser.device import Lang  # noqa: E402
from tests.browser.party import open_house  # noqa: E402

LANGS: tuple[Lang, ...] = ("sv", "en")


def main() -> None:
    """Take them all, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of a scene's name")
    parser.add_argument("--lang", choices=LANGS, help="one language")
    parser.add_argument("--scene", choices=[scene.__name__ for scene in SCENES])
    parser.add_argument("--docs", action="store_true", help="the pictures of docs/pictures/")
    asked = parser.parse_args()
    scenes = [scene for scene in SCENES if asked.scene in (None, scene.__name__)]
    if asked.docs:
        scenes = [lobby, oracle, dj]
    elif not (asked.only or asked.lang or asked.scene):
        shutil.rmtree(FOLDER, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="varv-screens-") as data, sync_playwright() as play:
        browser = launch(play)
        with open_house(Path(data) / "data") as house:
            for lang in LANGS if asked.lang is None else (asked.lang,):
                docs = asked.docs
                camera = (Illustrator if docs else Camera)(browser, house, lang, asked.only)
                for scene in scenes:
                    scene(camera)
                    print(f"{lang} {scene.__name__}: {len(camera.scenes)} screens")
        browser.close()
    if not asked.docs:
        contact_sheets(FOLDER)
    print(f"Look at them: {(PICTURES if asked.docs else FOLDER).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
