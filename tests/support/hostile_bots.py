"""Hostile bots: each plays two moves and then does what its name says."""

import ctypes
import mmap
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


class Illegal(Hostile):
    def choose(self, view: View) -> int:
        return -7 if self.asked == 2 else super().choose(view)


def attacker(*harm: Callable[[Hostile], object]) -> type[Hostile]:
    """A bot that does all that at its third move."""

    class Attacker(Hostile):
        def attack(self) -> None:
            for act in harm:
                act(self)

    return Attacker


def loop(*_: object) -> None:
    while True:
        pass


def sleep(*_: object) -> None:
    time.sleep(3600)


def ignore(signals: Iterable[int]) -> Callable[[Hostile], object]:
    return lambda bot: [signal.signal(number, signal.SIG_IGN) for number in signals]


def close_everything(*_: object) -> None:
    os.closerange(0, 64)


def scratch_folder() -> Path:
    return Path(os.environ["TMPDIR"])


def hog(*_: object) -> None:
    hoard = []
    while True:
        hoard.append(bytes(10_000_000))  # takes address space without touching it: quick


def start_threads(_bot: Hostile) -> None:
    for _ in range(2000):
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()


def recurse_deep(_bot: Hostile) -> None:
    """Recurse in C, without Python's recursion limit."""
    sys.setrecursionlimit(1 << 30)
    chains: list[object] = [None, None]
    for _ in range(1 << 19):
        chains = [[chain] for chain in chains]
    assert chains[0] == chains[1]


def print_forever(*_: object) -> None:
    while True:
        print("x" * 100_000)


def write_to_every_descriptor(*_: object) -> None:
    """The pipe to the arena is among them."""
    while True:
        for descriptor in range(1, 16):
            with suppress(OSError):
                os.write(descriptor, b"x" * 60_000)


def fill(*_: object) -> None:
    for number in range(64):
        (scratch_folder() / str(number)).write_bytes(bytes(1 << 20))


def call_as_32_bit(*_: object) -> None:
    """Make a system call by the interface of 32-bit programs, where numbers mean other calls."""
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_WRITE | mmap.PROT_EXEC, flags=PRIVATE)
    memory.write(bytes.fromhex("b814000000 cd80 c3"))  # mov eax, 20; int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()


def end_first_thread(*_: object) -> None:
    """The process goes on without it."""
    threading.Thread(target=sleep).start()
    ctypes.CDLL(None).pthread_exit(None)


def dig(*_: object) -> None:
    """Nest folders as deep as possible."""
    os.chdir(scratch_folder())
    for _depth in range(1100):
        os.mkdir("d")
        os.chdir("d")


EVERY_SIGNAL = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
BESIDE = Path(__file__).with_name("graffiti.py")
NOT_PERMITTED = "raised PermissionError"

FAULTS: list[tuple[str, str, str, type[Hostile]]] = [
    ("Loops", "time", "gave no answer within", attacker(loop)),
    ("LoopsDeaf", "time", "gave no answer within", attacker(ignore(EVERY_SIGNAL), loop)),
    ("Sleeps", "time", "gave no answer within", attacker(sleep)),
    ("Hogs", "memory", "raised MemoryError", attacker(hog)),
    (
        "StormsAnyway",
        "exception",
        NOT_PERMITTED,
        attacker(lambda _: subprocess.call(["/bin/true"])),
    ),
    ("Threads", "exception", "RuntimeError: can't start new thread", attacker(start_threads)),
    ("Exits", "died", "exited with code 42", attacker(lambda _: os._exit(42))),
    ("ExitsAsIfKilled", "died", "exited with code 137", attacker(lambda _: os._exit(137))),
    ("KillsItself", "exception", NOT_PERMITTED, attacker(lambda _: os.kill(os.getpid(), 9))),
    (
        *("KillsItsThread", "exception", NOT_PERMITTED),
        attacker(lambda _: signal.pthread_kill(threading.get_ident(), 9)),
    ),
    ("Crashes", "died", "was killed by SIGSEGV", attacker(lambda _: ctypes.string_at(0))),
    (
        *("Raises", "exception", "raised ZeroDivisionError"),
        attacker(lambda _: print("about to fail", file=sys.stderr), lambda _: 1 // 0),
    ),
    ("Recurses", "exception", "raised RecursionError", attacker(lambda bot: bot.attack())),
    ("CallsAs32Bit", "died", "was killed by SIGSYS", attacker(call_as_32_bit)),
    ("EndsItsFirstThread", "time", "gave no answer within", attacker(end_first_thread)),
    ("RecursesDeep", "died", "was killed by SIGSEGV", attacker(recurse_deep)),
    ("Prints", "output", "to stderr", attacker(print_forever)),
    ("PrintsToTheArena", "output", "wrote ", attacker(write_to_every_descriptor)),
    ("ClosesAndStays", "protocol", "closed its stdout but", attacker(close_everything, sleep)),
    ("Illegal", "illegal", "played -7, which is not legal", Illegal),
    ("WritesBesideItself", "exception", "raised ", attacker(lambda _: BESIDE.write_text("!"))),
    ("Fills", "exception", "No space left on device", attacker(fill)),
    ("Digs", "exception", "No space left on device", attacker(dig)),
    (
        *("Listens", "exception", NOT_PERMITTED),
        attacker(lambda _: socket.create_server(("127.0.0.1", 0))),
    ),
    (
        *("Opens", "exception", "Too many open files"),
        attacker(lambda _: [os.open(os.devnull, os.O_RDONLY) for _ in range(2000)]),
    ),
]
"""Name, kind of fault, part of the message, and the bot."""

globals().update({name: bot for name, _, _, bot in FAULTS})
WorksDeaf = attacker(ignore([signal.SIGXCPU]), loop)
Closes = attacker(close_everything)
Writes = attacker(lambda bot: Path(bot.target).write_text("I was here"))
Calls = attacker(
    lambda bot: socket.create_connection(("127.0.0.1", int(bot.target)), 1).sendall(b"hello")
)
CallsByUdp = attacker(
    lambda bot: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
        b"hello", ("127.0.0.1", int(bot.target))
    )
)


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


class Scribbles(Hostile):
    """Leaves a mess in its scratch folder."""

    def attack(self) -> None:
        home = scratch_folder()
        (home / "deep" / "er").mkdir(parents=True)
        (home / "deep" / "er" / "note").write_text("mine")
        (home / "link").symlink_to("/")
        os.umask(0o777)
        (home / "deep" / "shut").mkdir()
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
