"""Bots that make every attack of the sandbox's probe, and some of their own, in real games."""

import ctypes
import gc
import mmap
import os
import re
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path

from arena.sandbox.kernel import system_call
from arena.sandbox.probe import Probe
from bots import Bot, Option
from games.view import View

HERE = Path(__file__).parent


class Attempt(Bot):
    """Makes all attacks on one protection at its second decision, and says which succeeded."""

    protection = Option("traces", "which protection to attack")
    folder = Option("", "the folder with the secret")
    pid = Option(0, "a process outside", least=0)
    asked = 0
    note = ""

    def choose(self, view: View) -> int:
        self.asked += 1
        if self.asked == 2:
            self.note = self.result()
        return view.moves[0]

    def result(self) -> str:
        scratch = Path(os.environ["TMPDIR"])
        attacks = Probe(Path(self.folder), HERE, scratch, self.pid, 2 << 30).attacks()
        mine = {name: act for name, (kind, act) in attacks.items() if kind == self.protection}
        broken = [name for name, act in mine.items() if succeeds(act)]
        return f"tried {len(mine)}, succeeded: {', '.join(broken) or 'none'}"

    def explain(self) -> str:
        return self.note


def succeeds(act: Callable[[], object]) -> bool:
    try:
        return act() is not False
    except (OSError, MemoryError, ValueError, SystemError):
        return False


# ---- attacks of our own -------------------------------------------------------------------------


def flood() -> None:
    """Make refused calls, far more than are counted, and say so only if one succeeded."""
    for _ in range(5000):
        with suppress(OSError):
            os.close(system_call("inotify_init"))
            return
    raise OSError


def stop_itself() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def execute() -> None:
    os.execv("/bin/true", ["true"])  # noqa: S606


def execute_handle() -> None:
    system_call("execveat", -100, b"/bin/true", None, None, 0)


def fill_root() -> None:
    Path("/filler").write_bytes(bytes(1 << 20))


def replace_itself() -> None:
    Path(__file__).unlink()


def read_other_bots() -> object:
    """What lies beside its own folder."""
    return any(path.is_file() for path in HERE.parent.rglob("*.py") if HERE not in path.parents)


def shared_memory_folder() -> None:
    Path("/dev/shm/arena").write_bytes(b"x")  # noqa: S108


def terminal() -> None:
    os.close(os.open("/dev/tty", os.O_RDWR))


def kernel_log() -> None:
    system_call("syslog", 3, bytes(100), 100)


def swap_arguments() -> None:
    """A 32-bit call number in a 64-bit register must not pass the filter."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long((1 << 32) | 1000)) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def x32_call() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(0x40000000 | 39)) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def signal_threads() -> None:
    """Signals to threads by number alone: only its own main thread may be named."""
    other = threading.Thread(target=threading.Event().wait, args=(0.2,))
    other.start()
    try:
        system_call("tkill", other.native_id or 0, 0)
    finally:
        other.join()


def climb() -> object:
    return Path("../" * 60 + "etc/passwd").exists()


def descriptors() -> object:
    """Descriptors that somebody forgot to close."""
    return [number for number in range(4, 256) if _is_open(number)] or False


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def parent() -> object:
    """In a namespace of its own it has no parent; else the parent must be out of reach."""
    if os.getppid() == 0:
        return False
    os.kill(os.getppid(), 0)
    return True


def own_user() -> None:
    os.setuid(0)


def new_session_keyring() -> None:
    system_call("keyctl", 1, None)


def timer_descriptor() -> None:
    os.close(system_call("timerfd_create", 1, 0))


def open_by_beneath() -> None:
    how = (ctypes.c_uint64 * 3)(0, 0, 0)
    system_call("openat2", -100, b"/", bytes(how), 24)


def remap() -> None:
    """Make its private memory writable as a stack that grows."""
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    place = ctypes.addressof(ctypes.c_char.from_buffer(page))
    system_call("mprotect", place, 4096, 0x01000003)


def lower_priority_of_io() -> None:
    system_call("ioprio_set", 1, 0, 3 << 13)


def names_in_memory() -> list[str] | bool:
    """What the process from which all bots are forked remembers of other bots: their folders."""
    own = os.path.basename(os.environ["TMPDIR"])
    found = {
        name.decode()
        for page in _readable_pages()
        for name in re.findall(rb"arena-\d+-\d+-\d+-\w{8}", ctypes.string_at(page, mmap.PAGESIZE))
    }
    if own not in found:
        return ["the search is blind"]
    return sorted(found - {own}) or False


def _readable_pages() -> set[int]:
    """Memory around its objects and around blocks of any size, as far as it can be read.

    Pages that cannot be read are found without a crash: the kernel refuses to write them to a file.
    """
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    blocks = [libc.malloc(size) for size in (64, 5000, 50_000, 300_000)]
    starts = {place & -mmap.PAGESIZE for place in (*blocks, *map(id, gc.get_objects()[::50]))}
    pages: set[int] = set()
    with open(os.path.join(os.environ["TMPDIR"], "page"), "wb") as file:
        for start, step in product(starts, (mmap.PAGESIZE, -mmap.PAGESIZE)):
            page = start + min(step, 0)
            with suppress(OSError):
                while page not in pages and len(pages) < 20_000:
                    system_call("pwrite64", file.fileno(), page, mmap.PAGESIZE, 0)
                    pages.add(page)
                    page += step
    return pages


def scheduler() -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


OWN: dict[str, Callable[[], object]] = {
    act.__name__: act
    for act in (
        *(stop_itself, execute, execute_handle, fill_root, replace_itself),
        *(read_other_bots, shared_memory_folder, terminal, kernel_log, swap_arguments, x32_call),
        *(signal_threads, climb, descriptors, parent, own_user, new_session_keyring),
        *(timer_descriptor, open_by_beneath, remap, lower_priority_of_io, scheduler),
        *(names_in_memory, flood),  # after a flood of refused calls, no thread can be started
    )
}


class OwnAttempt(Attempt):
    """Makes the attacks of this file."""

    def result(self) -> str:
        broken = [name for name, act in OWN.items() if succeeds(act)]
        return f"tried {len(OWN)}, succeeded: {', '.join(broken) or 'none'}"


class Remembers(Attempt):
    """Leaves a message wherever it can, and looks for one from an earlier game."""

    def result(self) -> str:
        name = "arena-message"
        places = [Path(os.environ["TMPDIR"]).parent, HERE, Path("/tmp"), Path("/dev/shm")]  # noqa: S108
        found = [str(place) for place in places if (place / name).exists()]
        for place in (*places, Path(os.environ["TMPDIR"])):
            with suppress(OSError):
                (place / name).write_text("my rival is the Empire")
        return f"tried {len(places)}, succeeded: {', '.join(found) or 'none'}"


class Talker(Bot):
    """Says as much as it can about every move, in words that cannot be compressed."""

    def choose(self, view: View) -> int:
        return view.moves[0]

    def noise(self, letters: int) -> str:
        return "".join(chr(0x4E00 + self.rng.below(20_000)) for _ in range(letters))

    def explain(self) -> str:
        return self.noise(2000)

    def belief(self) -> dict[str, float]:
        return {self.noise(200): 0.5 for _ in range(64)}
