"""`arena serve`: runs, games and play in a browser on this machine."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path

import click

from games.errors import GameError


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
def serve_command(folder: Path, host: str, port: int, at_once: bool) -> None:
    """Serve runs, games and play to a browser.

    FOLDER holds run files of leagues, by default `runs`. The pages list them, follow a league
    while it plays, show every game move by move, and let you play against the built-in bots.
    Ctrl-C ends the server; leagues are only read, so nothing depends on it.

    Only this machine can connect unless --host names another address, and requests from pages of
    other sites are refused. It needs the extra `web`: pip install 'hidden-leaders-arena[web]'.

    \b
    Examples:
      arena serve --open
      arena serve ~/league/runs --port 9000
    """
    try:
        import uvicorn  # noqa: PLC0415  (an extra)

        from arena.web.server.app import make_app  # noqa: PLC0415
    except ImportError as error:
        raise GameError(
            f"arena serve needs {error.name}: pip install 'hidden-leaders-arena[web]'"
        ) from None
    listener = _listen(host, port)
    name, actual = listener.getsockname()[:2]
    names = {name, host} | ({"localhost"} if name.startswith("127.") else set())
    hosts = [f"{each}:{actual}" for each in names]
    address = f"http://{host}:{actual}/"
    click.echo(f"Serving {folder} at {address} (Ctrl-C ends it)")
    if at_once:
        webbrowser.open(address)
    config = uvicorn.Config(
        make_app(folder, hosts), log_level="warning", timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; GameError if that is impossible."""
    listener = socket.socket(socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise GameError(
            f"cannot listen at {host}:{port}: {reason.lower()}; try another --port"
        ) from None
    return listener
