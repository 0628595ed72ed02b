"""The command line: `varv` and everything after it.

Each command imports what it needs itself, so that `varv --help` is quick. Options given before a
command are handed on through the environment, where every command looks for its options.
"""

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from varv import __version__
from varv.bots.command import bots, simulate
from varv.config import FIELDS, ConfigError, Settings, UsageError, from_environment
from varv.stores.errors import StoreError

Data = Annotated[str, typer.Option(envvar="VARV_DATA", help="Folder for games and sound.")]
Store = Annotated[
    str,
    typer.Option(envvar="VARV_STORE", help="postgresql://… instead of SQLite in that folder."),
]
Host = Annotated[str, typer.Option(envvar="VARV_HOST", help="Address to listen on.")]
Port = Annotated[int, typer.Option(envvar="VARV_PORT", min=0, max=65535, help="Port.")]
Bus = Annotated[str, typer.Option(envvar="VARV_BUS", help="redis://… between several workers.")]
Workers = Annotated[int, typer.Option(envvar="VARV_WORKERS", min=1, help="Processes.")]
PublicUrl = Annotated[
    str, typer.Option(envvar="VARV_PUBLIC_URL", help="The address that players see.")
]
Entitlements = Annotated[
    str, typer.Option(envvar="VARV_ENTITLEMENTS", help="open (all have Premium) or enforced.")
]
Limits = Annotated[
    str, typer.Option(envvar="VARV_LIMITS", help="default, or off for no rates per address.")
]
Previews = Annotated[
    str, typer.Option(envvar="VARV_PREVIEWS", help="off, or deezer for previews from there.")
]
Owner = Annotated[str, typer.Argument(help='The public owner id, shown under "About".')]
What = Annotated[str, typer.Argument(help="premium, or mix.")]
SingleMix = Annotated[str, typer.Argument(help="The id of the mix.")]
DEFAULTS = Settings()


class Commands(TyperGroup):
    """Loads the music commands only when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """With the music."""
        return [*super().list_commands(ctx), "music"]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import now what was not needed before."""
        if cmd_name != "music":
            return super().get_command(ctx, cmd_name)
        cli_music = import_module("varv.cli_music")
        command = typer.main.get_command(cli_music.app)
        command.name = "music"
        return command


app = typer.Typer(
    name="varv",
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
games_app = typer.Typer(invoke_without_command=True, help="The operator's view of games.")
app.add_typer(games_app, name="games")
app.command()(simulate)
app.command()(bots)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"varv {__version__}")
        raise typer.Exit


def _hand_on(values: dict[str, Any]) -> Settings:
    """What was given or is in the environment, for the commands and workers that come after."""
    for name in FIELDS:
        if values.get(name) not in (None, ""):
            os.environ[f"VARV_{name.upper()}"] = str(values[name])
    return from_environment()


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    host: Host = DEFAULTS.host,
    port: Port = DEFAULTS.port,
    data: Data = "",
    store: Store = "",
    bus: Bus = "",
    workers: Workers = 1,
    public_url: PublicUrl = "",
    entitlements: Entitlements = "open",
    limits: Limits = "default",
    previews: Previews = "off",
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    """A social music game: everyone places the song in their own timeline.

    Without a command it runs the server, as `varv serve` does.
    """
    settings = _hand_on(locals())
    if context.invoked_subcommand is None:
        _serve(settings)


@app.command()
def serve(
    host: Host = DEFAULTS.host,
    port: Port = DEFAULTS.port,
    data: Data = "",
    store: Store = "",
    bus: Bus = "",
    workers: Workers = 1,
    public_url: PublicUrl = "",
    entitlements: Entitlements = "open",
    limits: Limits = "default",
    previews: Previews = "off",
) -> None:
    """Run the server; prints the address to open, and its QR code on a terminal."""
    _serve(_hand_on(locals()))


def _serve(settings: Settings) -> None:
    from varv.web.server import run

    run(settings, lambda port: _announce(settings, port))


def _announce(settings: Settings, port: int) -> None:
    """The address to open, for this machine and for phones."""
    from varv.web.origins import LOCAL, lan_address

    everywhere = settings.host in ("0.0.0.0", "::")  # noqa: S104 - a name, not a binding
    local = "localhost" if everywhere or settings.host in LOCAL else settings.host
    typer.echo(f"Varv is ready: http://{local}:{port}")
    shared = settings.public_url
    if not shared and everywhere:
        address = lan_address()
        shared = f"http://{address}:{port}" if address else ""
    if shared:
        typer.echo(f"On phones:     {shared}")
        if sys.stdout.isatty():
            import segno

            segno.make(shared, error="l").terminal(compact=True)
    sys.stdout.flush()


@app.command()
def migrate(data: Data = "", store: Store = "") -> None:
    """Bring a PostgreSQL store up to date (SQLite does it by itself)."""
    from varv.operator import migrate as run

    run(_hand_on(locals()))


@app.command()
def doctor(data: Data = "", store: Store = "", bus: Bus = "", port: Port = 8000) -> None:
    """Check store, bus, audio tools and port, and say what to do."""
    from varv.operator import doctor as run

    raise typer.Exit(run(_hand_on(locals())))


@app.command()
def grant(
    owner: Owner, what: What, mix: SingleMix = "", data: Data = "", store: Store = ""
) -> None:
    """Give an owner Premium, or a single mix (which requires Premium)."""
    from varv.operator import grant as run

    _check_entitlement(what, mix)
    run(_hand_on(locals()), owner, mix)


@app.command()
def revoke(
    owner: Owner, what: What, mix: SingleMix = "", data: Data = "", store: Store = ""
) -> None:
    """Take back what was granted."""
    from varv.operator import revoke as run

    _check_entitlement(what, mix)
    run(_hand_on(locals()), owner, mix)


def _check_entitlement(what: str, mix: str) -> None:
    if (what, bool(mix)) not in (("premium", False), ("mix", True)):
        raise typer.BadParameter("say `premium`, or `mix ID`.", param_hint="WHAT")


@games_app.callback()
def games(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Finished ones too.")] = False,
    data: Data = "",
    store: Store = "",
) -> None:
    """List the games."""
    settings = _hand_on(locals())
    if context.invoked_subcommand is None:
        from varv.operator import list_games

        list_games(settings, finished=everything)


@games_app.command()
def delete(
    code: Annotated[str, typer.Argument(help="The game's code.")],
    data: Data = "",
    store: Store = "",
) -> None:
    """Forget a game and everything that belongs to it."""
    from varv.operator import delete as run

    run(_hand_on(locals()), code)


@games_app.command()
def prune(
    older_than: Annotated[str, typer.Option(help="Such as 30d, 12h or 90m.")],
    data: Data = "",
    store: Store = "",
) -> None:
    """Forget games that nobody has touched for so long."""
    from varv.operator import prune as run
    from varv.operator import seconds

    span = seconds(older_than)
    if span is None:
        raise typer.BadParameter("say a number and d, h or m, such as 30d.")
    run(_hand_on(locals()), span)


@games_app.command()
def rejoin(
    code: Annotated[str, typer.Argument(help="The game's code.")],
    player: Annotated[str, typer.Argument(help="The player's id; the host if none.")] = "",
    data: Data = "",
    store: Store = "",
    public_url: PublicUrl = "",
    port: Port = DEFAULTS.port,
) -> None:
    """Print a single-use link for a seat."""
    from varv.operator import rejoin as run

    run(_hand_on(locals()), code, player)


def main() -> None:
    """One clear line instead of a traceback, whatever the operator can do something about."""
    try:
        app()
    except (ConfigError, StoreError) as error:
        typer.echo(str(error), err=True)
        sys.exit(2 if isinstance(error, UsageError) else 1)
