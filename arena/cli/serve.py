"""`arena serve`: runs, games, play, puzzles and analysis in a browser on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.browser import needs_web, open_page, run_server


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("runs"), metavar="[FOLDER]")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="0: any free one.",
)
@click.option("--open", "at_once", is_flag=True, help="Open the first page in the browser.")
@click.option("--until-eof", is_flag=True, hidden=True, help="End when stdin ends.")
def serve_command(folder: Path, host: str, port: int, at_once: bool, until_eof: bool) -> None:
    """Serve runs, games, play and puzzles to a browser.

    FOLDER holds run files of leagues, by default `runs`. The pages list them, follow a league
    while it plays, show every game move by move, let you play against the built-in bots and solve
    puzzles, and compute what the moves of any position are worth. Ctrl-C ends the server; leagues
    are only read, so nothing depends on it.

    Only this machine can connect unless --host names another address, and requests from pages of
    other sites are refused. It needs the extra `web`: pip install 'hidden-leaders-arena[web]'.

    \b
    Examples:
      arena serve --open
      arena serve ~/league/runs --port 9000
    """
    needs_web("arena serve")
    from arena.web.server.app import make_app  # noqa: PLC0415  (needs the extra)

    def announce(address: str) -> None:
        click.echo(f"Serving {folder} at {address} (Ctrl-C ends it)")
        if at_once:
            open_page(address)

    run_server(lambda hosts: make_app(folder, hosts), announce, host, port, until_eof)
