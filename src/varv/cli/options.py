"""Options that several commands have. Each is also an environment variable, `VARV_…`."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click
from msgspec.structs import replace

from varv.config import Settings, from_environment

Function = TypeVar("Function", bound=Callable[..., Any])

DEFAULTS = Settings()


def _option(name: str, text: str, kind: click.IntRange | None = None) -> Any:
    default = getattr(DEFAULTS, name)
    return click.option(
        f"--{name.replace('_', '-')}",
        envvar=f"VARV_{name.upper()}",
        type=kind or click.STRING,
        default=None if default == "" else default,
        show_envvar=True,
        help=text,
    )


_OPTIONS = {
    "host": _option("host", "Address to listen on."),
    "port": _option("port", "Port.", click.IntRange(0, 65535)),
    "data": _option("data", "Folder for games and sound."),
    "store": _option("store", "postgresql://… instead of SQLite in that folder."),
    "bus": _option("bus", "redis://… between several workers."),
    "workers": _option("workers", "Processes.", click.IntRange(1)),
    "public_url": _option("public_url", "The address that players see."),
    "entitlements": _option("entitlements", "open (all have Premium) or enforced."),
    "limits": _option("limits", "default, or off for no rates per address."),
    "previews": _option("previews", "off, or deezer for previews from there."),
}
SERVER = tuple(_OPTIONS)
"""What a server can be told."""
WHERE = ("data", "store")
"""Where the games and the songs are."""


def options(*names: str) -> Callable[[Function], Function]:
    """Give a command these options."""

    def decorate(function: Function) -> Function:
        for name in reversed(names):
            function = _OPTIONS[name](function)
        return function

    return decorate


def settings_of(given: dict[str, Any]) -> Settings:
    """What was said, and for the rest what is in the environment."""
    said = {name: value for name, value in given.items() if value is not None}
    return replace(from_environment(), **said)


def hand_on(given: dict[str, Any]) -> None:
    """Put what was said before a command where the command looks for its options."""
    for name, value in given.items():
        if value is not None:
            os.environ[f"VARV_{name.upper()}"] = str(value)
