"""The camera: a screen at every size and theme, or a part of it for the documents."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, ViewportSize
from tests.browser.device import Device, Lang, Screen
from tests.browser.eyes import SETTLED
from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.phone import Phone

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "screenshots"
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "wide": {"width": 1920, "height": 1080},
}
Theme = Literal["dark", "light"]
THEMES: tuple[Theme, ...] = ("dark", "light")

PICTURES = ROOT / "docs" / "pictures"
LOOK = {
    "25-guess": "table", "27-oracle": "oracle", "30-reveal": "reveal", "34-dj-title": "dj",
    "44-end": "end", "63-tv-reveal": "screen",
}  # fmt: skip
"""Whole screens, by night and in English, for the README and docs/design.md."""
LOOK_WIDTH = {"phone": 468, "wide": 1280}
MANUAL = {
    "11-lobby": ("start-year", ".dial", ".folk li:nth-child(4)"),
    "22-guess-empty": ("timeline", ".line", ".years"),
    "34-dj-title": ("dj", ".steps", ".opts"),
    "27-oracle": ("oracle", ".only", ".picks"),
    "30-reveal": ("reveal", ".flood", ".table"),
}
"""What the manuals show: from the top of one thing to the bottom of another."""
MARGIN = 20


class Camera:
    """Takes a screen at every size and theme."""

    scale = 1

    def __init__(self, browser: Browser, house: House, lang: Lang, only: str = "") -> None:
        self.browser, self.house, self.lang, self.only = browser, house, lang, only
        self.scenes: list[str] = []

    @contextmanager
    def phone(self, guest: Guest | None = None, path: str | None = None) -> Iterator[Phone]:
        """A phone, at its seat or at an address."""
        sharp = {"device_scale_factor": self.scale}
        phone = Phone(self.browser, self.house, self.lang, "Maja", seat=guest, **sharp)
        phone.opens(path or (f"/g/{guest.code}" if guest else "/"))
        yield phone
        phone.context.close()

    @contextmanager
    def screen(self, path: str) -> Iterator[Screen]:
        """A TV."""
        screen = Screen(self.browser, self.house, self.lang)
        screen.opens(path)
        yield screen
        screen.context.close()

    def take(self, name: str, device: Device, ready: str) -> None:
        """One scene, when what it is about is there; the whole page too, if it is longer."""
        if self.only not in name:
            return
        page = device.page
        page.locator(ready).filter(visible=True).first.wait_for()
        page.wait_for_load_state("networkidle")
        self.scenes.append(name)
        first = page.viewport_size
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                page.evaluate(SETTLED)
                self._shoot(page, f"{size}-{theme}-{self.lang}", name, viewport)
        page.emulate_media(color_scheme="dark")
        if first:
            page.set_viewport_size(first)

    def _shoot(self, page: Page, kind: str, name: str, viewport: ViewportSize) -> None:
        folder = FOLDER / kind
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")
        high = page.evaluate("document.scrollingElement.scrollHeight")
        modal = page.locator("dialog[open]").count()
        if high > viewport["height"] + 4 and not modal:
            page.screenshot(path=folder / f"{name}.whole.png", full_page=True)


class Illustrator(Camera):
    """Takes only what the documents show, twice as sharp, by night."""

    scale = 2

    def take(self, name: str, device: Device, ready: str) -> None:
        """A part of the page for the manual of this language, all of it for the look."""
        look = self.lang == "en" and name in LOOK
        if not (look or name in MANUAL):
            return
        page = device.page
        page.locator(ready).filter(visible=True).first.wait_for()
        page.wait_for_load_state("networkidle")
        page.evaluate(SETTLED)
        self.scenes.append(name)
        if name in MANUAL:
            self._part(page, *MANUAL[name])
        if look:
            wide = LOOK_WIDTH["phone" if isinstance(device, Phone) else "wide"]
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            high = round(picture.height * wide / picture.width)
            picture.resize((wide, high), Image.Resampling.LANCZOS).quantize(256).save(
                PICTURES / f"{LOOK[name]}.png", optimize=True
            )

    def _part(self, page: Page, name: str, first: str, last: str) -> None:
        high = page.evaluate("document.scrollingElement.scrollHeight")
        page.set_viewport_size({"width": SIZES["phone"]["width"], "height": high})
        page.evaluate(SETTLED)
        top, end = (page.locator(part).first.bounding_box() for part in (first, last))
        assert top and end
        clip: FloatRect = {
            "x": 0, "y": top["y"], "width": SIZES["phone"]["width"],
            "height": end["y"] + end["height"] - top["y"],
        }  # fmt: skip
        picture = framed(Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB"))
        (PICTURES / "manual").mkdir(parents=True, exist_ok=True)
        picture.save(PICTURES / "manual" / f"{name}.{self.lang}.webp", quality=78, method=6)
        page.set_viewport_size(SIZES["phone"])


def framed(picture: Image.Image) -> Image.Image:
    """With room above and below, in the colours that are there, and nothing of what was beside."""
    wide, high = picture.size
    out = Image.new("RGB", (wide, high + 2 * MARGIN))
    for row, top in ((0, 0), (high - 1, high + MARGIN)):
        out.paste(picture.crop((0, row, 1, row + 1)).resize((wide, MARGIN)), (0, top))
    out.paste(picture, (0, MARGIN))
    return out
