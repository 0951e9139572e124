"""Hostile bots: each plays two moves and then does what its name says."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from bots import Bot, Option
from games.view import View

STORM = 200
"""Child processes to start, each of which exits after a second."""


class Hostile(Bot):
    """Attacks when asked for its third move; without an attack, it is not hostile."""

    target = Option("", "the path, port or process to attack")
    asked = 0
    note = ""
    """What it explains its moves with."""

    def choose(self, view: View) -> int:
        self.asked += 1
        if self.asked == 3:
            self.attack()
        return view.moves[0]

    def attack(self) -> None:
        pass

    def explain(self) -> str:
        return self.note


def attack(*harm: Callable[[Hostile], object]) -> type[Hostile]:
    """A bot that does all that at its third move."""

    class Attacker(Hostile):
        def attack(self) -> None:
            for act in harm:
                act(self)

    return Attacker


def loop(_: Hostile) -> None:
    while True:
        pass


def ignore(signals: Iterable[int]) -> Callable[[Hostile], object]:
    return lambda bot: [signal.signal(number, signal.SIG_IGN) for number in signals]


def close_everything(_: Hostile) -> None:
    os.closerange(0, 64)


def sleep(_: Hostile) -> None:
    time.sleep(3600)


def scratch_folder() -> Path:
    return Path(os.environ["TMPDIR"])


Loops = attack(loop)
LoopsDeaf = attack(ignore(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}), loop)
WorksDeaf = attack(ignore([signal.SIGXCPU]), loop)
Sleeps = attack(sleep)
StormsAnyway = attack(lambda bot: subprocess.run(["/bin/sleep", "1"], check=False))
Exits = attack(lambda bot: os._exit(42))
ExitsAsIfKilled = attack(lambda bot: os._exit(128 + signal.SIGKILL))
KillsItself = attack(lambda bot: os.kill(os.getpid(), signal.SIGKILL))
KillsItsThread = attack(lambda bot: signal.pthread_kill(threading.get_ident(), signal.SIGKILL))
Crashes = attack(lambda bot: ctypes.string_at(0))
Recurses = attack(lambda bot: bot.attack())
Closes = attack(close_everything)
ClosesAndStays = attack(close_everything, sleep)
Opens = attack(lambda bot: [os.open("/dev/null", os.O_RDONLY) for _ in range(2000)])
Writes = attack(lambda bot: Path(bot.target).write_text("I was here"))
WritesBesideItself = attack(lambda bot: Path(__file__).with_name("graffiti.py").write_text("!"))
Fills = attack(
    lambda bot: [(scratch_folder() / str(n)).write_bytes(bytes(1 << 20)) for n in range(64)]
)
Listens = attack(lambda bot: socket.create_server(("127.0.0.1", 0)))
Calls = attack(
    lambda bot: socket.create_connection(("127.0.0.1", int(bot.target)), 1).sendall(b"hello")
)
CallsByUdp = attack(
    lambda bot: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
        b"hello", ("127.0.0.1", int(bot.target))
    )
)


class Threads(Hostile):
    def attack(self) -> None:
        for _ in range(2000):
            threading.Thread(target=time.sleep, args=(5,), daemon=True).start()


class Hogs(Hostile):
    def attack(self) -> None:
        hoard = []
        while True:
            hoard.append(bytes(10_000_000))  # takes address space without touching it: quick


class Storms(Hostile):
    """Starts as many processes as it can, and counts them."""

    def attack(self) -> None:
        started = 0
        for _ in range(STORM):
            try:
                child = os.fork()
            except OSError:
                continue
            if child == 0:
                os.setsid()
                time.sleep(1)
                os._exit(0)
            started += 1
        time.sleep(0.2)
        self.note = f"started {started}"


class RecursesDeep(Hostile):
    """Recurses in C, without Python's recursion limit."""

    def attack(self) -> None:
        sys.setrecursionlimit(1 << 30)
        chains: list[object] = [None, None]
        for _ in range(1 << 19):
            chains = [[chain] for chain in chains]
        assert chains[0] == chains[1]


class Prints(Hostile):
    def attack(self) -> None:
        while True:
            print("x" * 100_000)


class PrintsToTheArena(Hostile):
    """Writes to every descriptor it has, the pipe to the arena among them."""

    def attack(self) -> None:
        while True:
            for descriptor in range(1, 16):
                with suppress(OSError):
                    os.write(descriptor, b"x" * 60_000)


class Illegal(Hostile):
    def choose(self, view: View) -> int:
        return -7 if self.asked == 2 else super().choose(view)


class Scribbles(Hostile):
    """Leaves a mess in its scratch folder."""

    def attack(self) -> None:
        home = scratch_folder()
        (home / "deep" / "er").mkdir(parents=True)
        (home / "deep" / "er" / "note").write_text("mine")
        (home / "link").symlink_to("/")
        (home / "deep" / "er").chmod(0)
        self.note = str(home)


class Reads(Hostile):
    def attack(self) -> None:
        self.note = Path(self.target).read_text()


class Kills(Hostile):
    """Kills every process it can."""

    def attack(self) -> None:
        for pid in (os.getppid(), int(self.target), 1, *range(2, 400)):
            with suppress(OSError):
                if pid != os.getpid():
                    os.kill(pid, signal.SIGKILL)


class Tampers(Hostile):
    """Overwrites our modules."""

    def attack(self) -> None:
        import arena.match.referee  # noqa: PLC0415
        import bots.runtime.faults  # noqa: PLC0415

        bots.runtime.faults.check_move = None  # type: ignore[assignment]
        arena.match.referee.run_game = None  # type: ignore[assignment]
        for name in list(sys.modules):
            if name.startswith(("games", "bots", "arena")):
                sys.modules[name] = None  # type: ignore[assignment]


class Works(Hostile):
    """Uses more CPU time than a game has, but answers every question in time."""

    def choose(self, view: View) -> int:
        end = time.process_time() + 0.4
        while time.process_time() < end:
            pass
        return view.moves[0]
