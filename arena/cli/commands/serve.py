"""`arena serve`: runs, games, play, puzzles and analysis in a browser on this machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click

from arena.cli.browser import needs_web, open_page, run_server
from arena.match.bot_factory import RUNS

_HOST_NAME: Final = re.compile(r"[\w.-]+(:\d+)?", re.ASCII)


def host_names(
    _: click.Context, option: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """The names in lower case, as browsers send them; a usage error if one is not a name."""
    for name in names:
        if not _HOST_NAME.fullmatch(name):
            raise click.BadParameter(
                f"'{name}' is not the name of a host, such as lab.example.org or 192.168.1.7",
                param=option,
            )
    return tuple(name.lower() for name in names)


def existing_folder(_: click.Context, __: click.Parameter, folder: Path | None) -> Path:
    """The folder, by default `runs`, which need not exist; a usage error if a named one does not.

    An empty page would look as if all leagues were lost.
    """
    if folder is None:
        return RUNS
    if not folder.is_dir():
        inside = f"; name the folder it is in: {str(folder.parent)!r}" if folder.exists() else ""
        raise click.UsageError(f"there is no folder {str(folder)!r}{inside}")
    return folder


@click.command("serve")
@click.argument(
    "folder",
    type=click.Path(path_type=Path),
    required=False,
    callback=existing_folder,
    metavar="[FOLDER]",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="0: any free one.",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    callback=host_names,
    help="Another name by which the server may be called; repeat it for more.",
)
@click.option("--open", "at_once", is_flag=True, help="Open the first page in the browser.")
@click.option("--until-eof", is_flag=True, hidden=True, help="End when stdin ends.")
def serve_command(
    folder: Path, host: str, port: int, allowed: tuple[str, ...], at_once: bool, until_eof: bool
) -> None:
    """Serve runs, games, play and puzzles to a browser.

    FOLDER holds run files of leagues, by default `runs`. The pages list them, follow a league
    while it plays, show every game move by move, let you play against the built-in bots and solve
    puzzles, and compute what the moves of any position are worth. Ctrl-C ends the server; leagues
    are only read, so nothing depends on it.

    Only this machine can connect unless --host names another address, and requests from pages of
    other sites, or to a name that the server does not know, are refused; --allow-host makes a
    name known. It needs the extra `web`: pip install 'hidden-leaders-arena[web]'.

    \b
    Examples:
      arena serve --open
      arena serve ~/league/runs --port 9000
      arena serve --host 0.0.0.0 --allow-host lab.example.org
    """
    needs_web("arena serve")
    from arena.web.server.app import make_app  # noqa: PLC0415  (needs the extra)

    def announce(address: str) -> None:
        click.echo(f"Serving {folder} at {address} (Ctrl-C ends it)")
        if at_once:
            open_page(address)

    run_server(lambda hosts: make_app(folder, hosts), announce, host, port, until_eof, allowed)
