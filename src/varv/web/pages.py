"""The web client: one page for every address of it, and its files."""

import mimetypes
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from varv.rooms.reasons import Refused, Trouble

CLIENT = Path(__file__).parent / "client"
ADDRESSES = ("/", "/g/{code}", "/g/{code}/history", "/screen/{code}", "/how", "/about")

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""No inline script; styles set by transitions are inline."""
PAGE_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Varv</title>
<h1>The web client has not been built</h1>
<p>The server runs, but there is no client to show. In the project folder, run
<code>make client</code> and load this page again. Packages from a release have it built in.</p>
</html>
"""
mimetypes.add_type("application/manifest+json", ".webmanifest")


async def index(_: Request) -> Response:
    """The client finds out by itself what to show."""
    page = CLIENT / "index.html"
    if not page.is_file():
        return HTMLResponse(NOT_BUILT, 503, PAGE_HEADERS)
    return FileResponse(page, headers=PAGE_HEADERS, media_type="text/html")


async def root_file(request: Request) -> Response:
    """Manifest, icons and the like, which browsers expect at the root."""
    name = request.path_params["name"]
    # Names are compared, never looked up: what a stranger types is no path of this machine.
    file = next((path for path in _root_files() if path.name == name), None)
    if file is None:
        raise Refused(Trouble.PATH_UNKNOWN)
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return FileResponse(file, headers=headers)


def _root_files() -> list[Path]:
    if not CLIENT.is_dir():
        return []
    return [path for path in CLIENT.iterdir() if path.is_file() and path.name != "index.html"]


class Assets(StaticFiles):
    """Files whose names change with their content."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Kept by browsers for good."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    async def check_config(self) -> None:
        """A client that is not built, or just now, has no files: that is not found, not wrong."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Unknown ones are refused as elsewhere."""
        try:
            return await self._packed(path, scope)
        except (OSError, ValueError):
            # No name that a file can have.
            raise Refused(Trouble.PATH_UNKNOWN) from None

    async def _packed(self, path: str, scope: Scope) -> Response:
        """Packed by the build, where the browser takes it."""
        asked = Headers(scope=scope)
        whole = "gzip" in asked.get("accept-encoding", "") and "range" not in asked
        if not whole or self.lookup_path(f"{path}.gz")[1] is None:
            return await super().get_response(path, scope)
        response = await super().get_response(f"{path}.gz", scope)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        return response


def pages() -> list[BaseRoute]:
    """The routes of the client; they come last."""
    folders = [name for name in ("assets", "icons", "fonts") if (CLIENT / name).is_dir()]
    return [
        *(Route(address, index) for address in ADDRESSES),
        *(
            Mount(f"/{name}", Assets(directory=CLIENT / name, check_dir=False))
            for name in {*folders, "assets"}
        ),
        Route("/{name}", root_file),
    ]
