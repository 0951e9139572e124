"""Where guests are born: a process that has loaded what every guest needs, and is forked for each.

Loading takes a tenth of a second, a fork a few thousandths; a league has thousands of games. The
nursery itself never runs a line of a bot and never hears of a game: it gets pipes, walls and a
name, and what it forks is enclosed (arena/sandbox/confine.py) before the name is looked at.
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
from pathlib import Path
from typing import Final

from arena.sandbox.policy import NoSandbox

READY: Final = b"ready"
MOST: Final = 1 << 18
"""Bytes of an order."""


class ForkServer:
    """The arena's end of it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.owner = os.getpid()
        self.environment = dict(environment)
        self.orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        number = theirs.fileno()
        command = (
            sys.executable,
            "-s",
            "-P",
            "-m",
            "arena.sandbox.fork_server",
            str(number),
            str(self.owner),
        )
        self.process = subprocess.Popen(  # noqa: S603  (our own module)
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.environment,
            pass_fds=[number],
            start_new_session=True,  # Ctrl-C is for the arena, which decides what becomes of games
        )
        theirs.close()
        if not self.orders.recv(len(READY)):
            self.orders.close()
            _, last_words = self.process.communicate()
            last = last_words.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise NoSandbox(f"isolated bots cannot be started: {last}")
        assert self.process.stderr is not None
        self.process.stderr.close()

    def bear(
        self,
        words: Sequence[str],
        walls: Mapping[str, object],
        environment: Mapping[str, str],
        descriptors: Sequence[int],
    ) -> None:
        """Have a guest made, with these ends of its pipes and of its leash."""
        order = {
            "folder": str(Path.cwd()),
            "words": words,
            "walls": walls,
            "environment": dict(environment),
        }
        socket.send_fds(self.orders, [json.dumps(order).encode()], descriptors)

    def serves(self, environment: Mapping[str, str]) -> bool:
        """Whether it lives, is this process's own, and would give guests this environment."""
        ours = self.owner == os.getpid() and self.environment == environment
        return ours and self.process.poll() is None

    def close(self) -> None:
        """The nursery ends when nobody can give orders any more."""
        self.orders.close()
        if self.owner == os.getpid():
            self.process.wait()


_nursery: ForkServer | None = None


def fork_server(environment: Mapping[str, str]) -> ForkServer:
    """This process's nursery; a new one if it has none yet that will do."""
    global _nursery  # noqa: PLW0603  (one for each process, as long as it lives)
    if _nursery is None or not _nursery.serves(environment):
        if _nursery is None:
            atexit.register(close)
        else:
            _nursery.close()
        _nursery = ForkServer(environment)
    return _nursery


def close() -> None:
    if _nursery is not None:
        _nursery.close()


# ---- the other end ------------------------------------------------------------------------------


def serve(orders: socket.socket) -> None:
    """Fork for every order, until there can be no more."""
    from arena.sandbox import confine as cell  # noqa: PLC0415  (the arena itself needs none of this)
    from bots.runtime import child_main as guest  # noqa: PLC0415

    guest.preload()
    orders.send(READY)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    gc.freeze()  # nothing of it will ever be garbage, and looking would copy it into every guest
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever has ended need not be waited for
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, MOST, 4)
        if not order:
            return
        if forked(descriptors):
            continue
        orders.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        wanted = json.loads(order)
        *pipes, leash = descriptors
        for place, descriptor in enumerate(pipes):
            os.dup2(descriptor, place)
            os.close(descriptor)
        os.chdir(wanted["folder"])
        os.environ.update(wanted["environment"])
        cell.enclose(leash, wanted["walls"])
        guest.run_bot(wanted["words"])


def forked(descriptors: Sequence[int]) -> bool:
    """False in the new process; the old one, and one that could not fork, keeps no descriptor."""
    try:
        if os.fork() == 0:
            return False
    except OSError:
        pass  # the arena sees a leash that nobody holds
    for descriptor in descriptors:
        os.close(descriptor)
    return True


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
