"""`varv`, `varv serve` and what an operator does. Each command imports what it needs itself.

Options given before a command are handed on through the environment, where every command looks
for its options.
"""

import sys
from importlib import import_module
from typing import Any

import click

from varv import __version__
from varv.bots.command import bots, simulate
from varv.cli import INTERRUPTED
from varv.cli.options import SERVER, WHERE, hand_on, options, settings_of
from varv.config import ConfigError, Settings, UsageError
from varv.stores.errors import StoreError

HELP = {"help_option_names": ["-h", "--help"], "show_default": True}


class Commands(click.Group):
    """Loads the music commands only when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """With the music."""
        return [*super().list_commands(ctx), "music"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import now what was not needed before."""
        if cmd_name != "music":
            return super().get_command(ctx, cmd_name)
        music: click.Command = import_module("varv.cli.music").app
        return music


@click.group(cls=Commands, invoke_without_command=True, context_settings=HELP)
@options(*SERVER)
@click.version_option(__version__, message="varv %(version)s", help="Say which.")
@click.pass_context
def app(context: click.Context, /, **given: Any) -> None:
    """A social music game: everyone places the song in their own timeline.

    Without a command it runs the server, as `varv serve` does.
    """
    hand_on(given)
    if context.invoked_subcommand is None:
        _serve(settings_of(given))


app.add_command(simulate)
app.add_command(bots)


@app.command()
@options(*SERVER)
def serve(**given: Any) -> None:
    """Run the server; prints the address to open, and its QR code on a terminal."""
    _serve(settings_of(given))


def _serve(settings: Settings) -> None:
    from varv.web.server import run

    run(settings, lambda port: _announce(settings, port))


def _announce(settings: Settings, port: int) -> None:
    """The address to open, for this machine and for phones."""
    from varv.web.origins import LOCAL, lan_address

    everywhere = settings.host in ("0.0.0.0", "::")  # noqa: S104 - a name, not a binding
    local = "localhost" if everywhere or settings.host in LOCAL else settings.host
    click.echo(f"Varv is ready: http://{local}:{port}")
    shared = settings.public_url
    if not shared and everywhere:
        address = lan_address()
        shared = f"http://{address}:{port}" if address else ""
    if shared:
        click.echo(f"On phones:     {shared}")
        if sys.stdout.isatty():
            import segno

            segno.make(shared, error="l").terminal(compact=True)
    sys.stdout.flush()


@app.command()
@options(*WHERE)
def migrate(**given: Any) -> None:
    """Bring a PostgreSQL store up to date (SQLite does it by itself)."""
    from varv.operator import migrate as run

    run(settings_of(given))


@app.command()
@options(*WHERE, "bus", "port")
def doctor(**given: Any) -> None:
    """Check store, bus, audio tools and port, and say what to do."""
    from varv.operator import doctor as run

    sys.exit(run(settings_of(given)))


def _mix_of(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> str:
    """The id of the mix; none for Premium."""
    match words:
        case ("premium",):
            return ""
        case ("mix", mix) if mix:
            return mix
    raise click.BadParameter("say `premium`, or `mix ID`.")


OWNER = click.argument("owner")
WHAT = click.argument("mix", metavar="premium|mix ID", nargs=-1, callback=_mix_of)


@app.command()
@OWNER
@WHAT
@options(*WHERE)
def grant(owner: str, mix: str, **given: Any) -> None:
    """Give an owner Premium, or a single mix (which requires Premium).

    OWNER is the public owner id, shown under "About"; ID is that of the mix.
    """
    from varv.operator import grant as run

    run(settings_of(given), owner, mix)


@app.command()
@OWNER
@WHAT
@options(*WHERE)
def revoke(owner: str, mix: str, **given: Any) -> None:
    """Take back what was granted."""
    from varv.operator import revoke as run

    run(settings_of(given), owner, mix)


@app.group(invoke_without_command=True)
@click.option("--all", "everything", is_flag=True, help="List finished ones too.")
@options(*WHERE)
@click.pass_context
def games(context: click.Context, /, everything: bool, **given: Any) -> None:
    """List the games, and look after them."""
    hand_on(given)
    if context.invoked_subcommand is None:
        from varv.operator import list_games

        list_games(settings_of(given), finished=everything)


@games.command()
@click.argument("code")
@options(*WHERE)
def delete(code: str, **given: Any) -> None:
    """Forget a game and everything that belongs to it."""
    from varv.operator import delete as run

    run(settings_of(given), code)


@games.command()
@click.option("--older-than", required=True, help="Such as 30d, 12h or 90m.")
@options(*WHERE)
def prune(older_than: str, **given: Any) -> None:
    """Forget games that nobody has touched for so long."""
    from varv.operator import prune as run
    from varv.operator import seconds

    span = seconds(older_than)
    if span is None:
        raise click.BadParameter("say a number and d, h or m, such as 30d.")
    run(settings_of(given), span)


@games.command()
@click.argument("code")
@click.argument("player", default="")
@options(*WHERE, "public_url", "port")
def rejoin(code: str, player: str, **given: Any) -> None:
    """Print a single-use link for a seat: a player's, by their id, or the host's."""
    from varv.operator import rejoin as run

    run(settings_of(given), code, player)


def run() -> None:
    """One clear line instead of a traceback, whatever the operator can do something about."""
    try:
        status = app(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (ConfigError, StoreError) as error:
        click.echo(str(error), err=True)
        status = 2 if isinstance(error, UsageError) else 1
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    sys.exit(status)
