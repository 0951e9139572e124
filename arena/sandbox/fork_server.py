"""A fork server: loads Python and the games once, forks one child per isolated bot.

Loading takes a tenth of a second, a fork a few milliseconds, and a league has thousands of games.
The server never runs a bot's code and learns nothing of a game. It gets pipes, restrictions and a
name; the child it forks is confined (arena/sandbox/confine.py) before the name is looked at.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.sandbox.policy import NoSandbox

READY: Final = b"ready"
MAX_REQUEST_BYTES: Final = 1 << 18


class ForkServer:
    """The arena's handle on its fork server."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.owner = os.getpid()
        self.environment = dict(environment)
        self.requests, server_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        descriptor = server_end.fileno()
        command = [sys.executable, "-s", "-P", "-m", "arena.sandbox.fork_server"]
        self.process = subprocess.Popen(  # noqa: S603  (our own module)
            [*command, str(descriptor), str(self.owner)],  # the owner is for people reading `ps`
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.environment,
            pass_fds=[descriptor],
            start_new_session=True,  # Ctrl-C is for the arena, which decides what happens to games
        )
        server_end.close()
        if not self.requests.recv(len(READY)):
            self.requests.close()
            _, stderr = self.process.communicate()
            last_line = stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise NoSandbox(f"isolated bots cannot be started: {last_line}")
        assert self.process.stderr is not None
        self.process.stderr.close()
        atexit.register(self.close)

    def fork_bot(self, order: Mapping[str, object], descriptors: Sequence[int]) -> None:
        """Start a bot, given its arguments, restrictions and own environment variables.

        It owns these ends of its three pipes and of its control socket.
        """
        request = {"folder": str(Path.cwd()), **order}
        socket.send_fds(self.requests, [json.dumps(request).encode()], descriptors)

    def serves(self, environment: Mapping[str, str]) -> bool:
        """Whether it is alive, belongs to this process, and gives bots this environment."""
        ours = self.owner == os.getpid() and self.environment == environment
        return ours and self.process.poll() is None

    def close(self) -> None:
        """Close the request socket, on which the server exits; may be called twice."""
        self.requests.close()
        if self.owner == os.getpid():
            self.process.wait()


_server: ForkServer | None = None


def fork_server(environment: Mapping[str, str]) -> ForkServer:
    """This process's fork server; starts a new one if there is none or it cannot be used."""
    global _server  # noqa: PLW0603  (one per process, for its whole life)
    if _server is None or not _server.serves(environment):
        if _server is not None:
            _server.close()
        _server = ForkServer(environment)
    return _server


# ---- the server's side --------------------------------------------------------------------------


def _serve(requests: socket.socket) -> None:
    """Fork for every request until the arena closes the socket."""
    from arena.sandbox.confine import confine  # noqa: PLC0415  (the arena itself needs neither)
    from arena.sandbox.seccomp import packed_filter  # noqa: PLC0415
    from bots.runtime import child_main  # noqa: PLC0415

    child_main.preload()
    with suppress(KeyError):  # this machine has no filter
        packed_filter()
    requests.send(READY)
    os.dup2(1, 2)  # /dev/null; startup is over, and nobody reads its messages any more
    gc.freeze()  # none of it will become garbage, and collecting would copy it into every child
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that the kernel reaps children
    while requests.recv(1, socket.MSG_PEEK):
        reading, writing = os.pipe()
        if not _forked():
            os.close(writing)
            if not os.read(reading, 1):
                _discard(requests)
            os.close(reading)
            continue
        # Only the child reads the request: in the memory of the server, later bots would find it.
        request, descriptors, _, _ = socket.recv_fds(requests, MAX_REQUEST_BYTES, 4)
        os.write(writing, b"!")
        os.close(reading)
        os.close(writing)
        requests.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        order = json.loads(request)
        *pipes, control = descriptors
        for number, descriptor in enumerate(pipes):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.chdir(order["folder"])
        os.environ.update(order["environment"])
        confine(control, order["restrictions"])
        child_main.run_bot(order["arguments"])


def _forked() -> bool:
    """True in the child; False in the server, also when it could not fork."""
    try:
        return os.fork() == 0
    except OSError:
        return False


def _discard(requests: socket.socket) -> None:
    """Throw away a request that no child has read; the arena sees its control socket closed."""
    with suppress(BlockingIOError):
        requests.recv(1, socket.MSG_DONTWAIT)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
