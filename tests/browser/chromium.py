"""The browser that tests, pictures and benches use: the Chromium of this machine."""

import shutil

from playwright.sync_api import Browser, Playwright


def launch(playwright: Playwright) -> Browser:
    """Debian's, or whichever is on the path."""
    found = shutil.which("chromium")
    if found is None:
        raise RuntimeError("there is no chromium on the path: scripts/services.sh installs it")
    return playwright.chromium.launch(executable_path=found)
