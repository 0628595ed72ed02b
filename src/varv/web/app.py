"""The ASGI application: HTTP through Starlette, WebSockets straight to `sockets`."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from varv.rooms.reasons import Refused, Trouble
from varv.web import openapi, problems, requests
from varv.web.metrics import CONTENT_TYPE
from varv.web.operations import OPERATIONS
from varv.web.origins import is_here, same_origin
from varv.web.pages import pages
from varv.web.protocol import DRAIN
from varv.web.services import Services
from varv.web.shapes import Health
from varv.web.sockets import Sockets

log = structlog.get_logger("varv.web")


class Application:
    """What uvicorn runs."""

    services: Services
    _sockets: Sockets

    def __init__(self, open_services: Callable[[], AbstractAsyncContextManager[Services]]) -> None:
        """The services are opened when the server starts, and closed when it ends."""

        @asynccontextmanager
        async def lifespan(http: Starlette) -> AsyncIterator[dict[str, Any]]:
            async with open_services() as services:
                http.state.services = self.services = services
                self._sockets = Sockets(services)
                yield {DRAIN: services.begin_draining}

        http = Starlette(
            routes=[*_api(), *pages()],
            middleware=[Middleware(Failures)],
            exception_handlers={Refused: _refused, HTTPException: _not_found},
            lifespan=lifespan,
        )
        http.router.redirect_slashes = False
        self._http: ASGIApp = Logged(http)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, request or lifetime."""
        if scope["type"] == "websocket":
            await self._sockets(scope, receive, send)
        else:
            await self._http(scope, receive, send)


class Logged:
    """One line and one count per request: the route, never the address, which may hold a ticket."""

    def __init__(self, app: Starlette) -> None:
        """Around the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Floods and other sites are refused before anything is looked at."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        services: Services = self._app.state.services

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            try:
                if scope["path"].startswith("/api/"):
                    services.limits.spend("request", requests.address(Request(scope)))
                    _check_origin(scope, services.settings.public_url)
            except Refused as refused:
                await problems.response(refused)(scope, receive, sending)
            else:
                await self._app(scope, receive, sending)
        finally:
            route = getattr(scope.get("route"), "path", "-")
            services.metrics.requests.labels(route, str(status)).inc()
            log.debug(
                "request",
                method=scope["method"],
                route=route,
                status=status,
                ms=round((time.perf_counter() - started) * 1000, 1),
            )


def _check_origin(scope: Scope, public_url: str) -> None:
    """Another site must not act for somebody, by means of their cookie or in any other way."""
    if scope["method"] not in ("GET", "HEAD") and not same_origin(scope, public_url):
        raise Refused(Trouble.ORIGIN_REFUSED)


class Failures:
    """Our own mistakes, and a store that is away: logged once, and the client told only that.

    Starlette's own handler for exceptions raises them again, for uvicorn to log a second time.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Around the routes."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An answer that has begun cannot be taken back."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            services: Services = scope["app"].state.services
            route = getattr(scope.get("route"), "path", "-")
            services.rooms.outage.failed("a request failed", error, route=route)
            refused = Refused(Trouble.UNAVAILABLE, retry_after=1)
            await problems.response(refused)(scope, receive, send)


def _api() -> list[Route]:
    routes = [Route(op.path, op.handler, methods=[op.method]) for op in OPERATIONS]
    return [
        *routes,
        Route("/api/openapi.json", _openapi),
        Route("/api/v1/schema.json", _schema),
        Route("/healthz", _healthz),
        Route("/readyz", _readyz),
        Route("/metrics", _metrics),
    ]


def _json(content: bytes, status: int = 200) -> Response:
    return Response(content, status, {"Cache-Control": "no-cache"}, "application/json")


async def _openapi(_: Request) -> Response:
    return _json(openapi.openapi())


async def _schema(_: Request) -> Response:
    return _json(openapi.message_schema())


async def _healthz(_: Request) -> Response:
    return _json(msgspec.json.encode(Health("ok")))


async def _readyz(request: Request) -> Response:
    """Whether commands can be taken: the store and the bus answer, and nobody is shutting down."""
    serving = requests.services(request)
    checks: dict[str, str] = {}
    for name, ping in (("store", serving.store.ping), ("bus", serving.bus.ping)):
        try:
            await ping()
            checks[name] = "ok"
        except Exception as error:
            checks[name] = f"unreachable ({type(error).__name__})"
    if serving.rooms.draining:
        checks["server"] = "restarting"
    ready = all(check == "ok" for check in checks.values())
    health = Health("ready" if ready else "not ready", checks)
    return _json(msgspec.json.encode(health), 200 if ready else 503)


async def _metrics(request: Request) -> Response:
    """For the operator: a count that grows tells a player of what others do unseen (VIEW-08)."""
    serving = requests.services(request)
    if serving.settings.metrics != "open" and not is_here(requests.address(request)):
        raise Refused(Trouble.PATH_UNKNOWN)
    serving.measure()
    content = serving.metrics.text()
    return Response(content, headers={"Content-Type": CONTENT_TYPE})


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problems.response(error)


async def _not_found(_: Request, error: Exception) -> Response:
    """Starlette's own refusals, in our words."""
    assert isinstance(error, HTTPException)
    known = {404: Trouble.PATH_UNKNOWN, 405: Trouble.METHOD_UNKNOWN, 413: Trouble.TOO_LARGE}
    response = problems.response(Refused(known.get(error.status_code, Trouble.MALFORMED)))
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response
