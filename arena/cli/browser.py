"""Pages in the browser: a server for them, opening one, and options of commands that do so."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Self

import click

from games.errors import GameError
from games.extras import how_to_install

if TYPE_CHECKING:
    from starlette.applications import Starlette

AppMaker = Callable[[list[str]], "Starlette"]
"""Makes the server, given the names by which it is called."""

browser_option = click.option(
    "--browser", is_flag=True, help="In the browser instead, on this machine; Ctrl-C ends it."
)


def needs_web(command: str) -> None:
    """GameError unless what the server needs is installed."""
    try:
        import starlette  # noqa: F401, PLC0415  (an extra)
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise GameError(f"{command} needs {error.name}; {how_to_install('web')}") from None


def open_page(address: str) -> bool:
    """Open the page in the user's browser; false if there is none to open."""
    return _has_display() and webbrowser.open(address)


def _has_display() -> bool:
    """Whether a window can be opened; a browser in the terminal is not wanted."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def listen(host: str, port: int) -> socket.socket:
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


def run_server(
    make_app: AppMaker,
    announce: Callable[[str], None],
    host: str = "127.0.0.1",
    port: int = 0,
    until_eof: bool = False,
    allowed: Sequence[str] = (),
) -> None:
    """Serve pages until Ctrl-C, or until stdin ends; `announce` is told the address first.

    `allowed`: more names by which the server may be called, with or without a port.
    """
    import uvicorn  # noqa: PLC0415  (an extra)

    listener = listen(host, port)
    name, actual = listener.getsockname()[:2]
    names = {name, host} | ({"localhost"} if name.startswith("127.") else set())
    app = make_app([f"{each}:{actual}" for each in sorted(names | {*allowed})] + [*allowed])
    announce(f"http://{host}:{actual}/")
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    if until_eof:
        Thread(target=_stop_at_eof, args=(server,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _stop_at_eof(server: object) -> None:
    while sys.stdin.buffer.read(4096):
        pass
    server.should_exit = True  # type: ignore[attr-defined]


def serve_page(make_app: AppMaker, path: str) -> None:
    """Serve pages on a free port and open one of them, until Ctrl-C."""

    def announce(address: str) -> None:
        page = address.rstrip("/") + path
        done = "Opened" if open_page(page) else "Open in a browser:"
        click.echo(f"{done} {page} (Ctrl-C ends it)")

    run_server(make_app, announce)


class PageServer:
    """`arena serve` in a process of its own, which ends with this one whatever happens."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "arena", "serve", str(folder), "--port", "0"]
        self.process = subprocess.Popen(  # noqa: S603
            [*command, "--until-eof"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for the command that started it
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if " at http" not in line:
            self.close()
            raise GameError("the server for the browser did not start; see `arena serve`")
        self.address = line.split(" at ")[1].split()[0].rstrip("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
