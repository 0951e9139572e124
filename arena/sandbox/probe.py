"""Tries to break out of the sandbox and prints, as JSON, what held.

    python arena/sandbox/probe.py FOLDER OWN SCRATCH PID

FOLDER holds a file `secret` that must not be readable, and must not be writable; OWN is the folder
of the probe's own files `read.txt` and `times.txt`; SCRATCH is where it may write; PID is a process
of the same user outside the sandbox. The result names every attack, with its protection
(protections.py) and whether it failed, as it should. An attack that succeeds does no harm.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EBADF, EFAULT, EINVAL
from pathlib import Path
from typing import Final

from arena.sandbox.kernel import libc_call, system_call

TOO_MUCH_MEMORY: Final = 512 << 20
"""Bytes, more than the sandbox under test allows."""

PAGE: Final = 4096

# From <sys/mman.h>, <linux/fs.h>, <signal.h>, <sys/prctl.h> and <sched.h>.
MAP_GROWSDOWN: Final = 0x100
MAP_HUGETLB: Final = 0x40000
MAP_NORESERVE: Final = 0x4000
MADV_MERGEABLE: Final = 12
MADV_PAGEOUT: Final = 21
RWF_NOWAIT: Final = 8
IPC_CREAT: Final = 0o1000
_CLONE_PIDFD: Final = 0x1000
_CLONE_THREAD: Final = 0x10000
_CLONE_NEWUSER: Final = 0x10000000
MEMBARRIER_CMD_GLOBAL_EXPEDITED: Final = 2
PR_SET_PDEATHSIG: Final = 1
PTRACE_SEIZE: Final = 0x4206
PR_SET_DUMPABLE: Final = 4

PRIVATE: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
SHARED: Final = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS


class Probe:
    """The attacks, by name."""

    def __init__(
        self, folder: Path, own: Path, scratch: Path, pid: int, too_much: int = TOO_MUCH_MEMORY
    ) -> None:
        self.secret = folder / "secret"
        self.folder = folder
        self.own = own / "read.txt"
        self.pid = pid
        self.too_much = too_much
        self.scratch = scratch
        self.times = own / "times.txt"
        self.opened = os.open(self.own, os.O_RDONLY)
        self.homes = homes_elsewhere(
            [__file__, folder, own, sys.prefix, sys.base_prefix, *sys.path]
        )

    def attacks(self) -> dict[str, tuple[str, Callable[[], object]]]:
        """Name -> protection, and what to try."""
        return {
            **self._for_memory(),
            **self._for_resources(),
            **self._for_files(),
            **self._for_processes(),
            **self._for_traces(),
            **self._for_death(),
            **self._for_the_kernel(),
        }

    def _for_memory(self) -> dict[str, tuple[str, Callable[[], object]]]:
        size = self.too_much
        return {
            "allocate": ("memory", lambda: bytearray(size)),
            "map": ("memory", lambda: mmap.mmap(-1, size, PRIVATE).close()),
            "map shared": ("memory", lambda: mmap.mmap(-1, size, SHARED).close()),
            "map /dev/zero": ("memory", map_zeros),
            "map a stack": ("memory", lambda: map_pages(PAGE, PRIVATE | MAP_GROWSDOWN)),
            "map huge pages": (
                "memory",
                lambda: map_pages(2 << 20, PRIVATE | MAP_NORESERVE | MAP_HUGETLB),
            ),
            "memfd": ("memory", lambda: os.close(os.memfd_create("probe"))),
            "memfd_secret": ("memory", lambda: os.close(system_call("memfd_secret", 0))),
            "System V shared memory": ("memory", lambda: new_ipc("shmget", PAGE)),
            "System V message queue": ("memory", lambda: new_ipc("msgget")),
            "POSIX message queue": ("memory", open_queue),
            "large pipe": ("memory", enlarge_pipe),
            "pending signals": ("memory", keep_signals_pending),
            "core dump": ("memory", dumps_core),
        }

    def _for_resources(self) -> dict[str, tuple[str, Callable[[], object]]]:
        unlimited = resource.RLIM_INFINITY
        return {
            "CPU time": (
                "processor",
                lambda: resource.getrlimit(resource.RLIMIT_CPU)[0] == unlimited,
            ),
            "open files": ("files", open_many),
            "threads": ("processes", start_threads),
            "inotify": ("traces", lambda: os.close(system_call("inotify_init1", 0))),
            "UDP": ("network", send_packet),
            "local socket": ("network", lambda: socket.socket(socket.AF_UNIX).close()),
            "socket pair": ("network", socket.socketpair),
            "netlink": (
                "network",
                lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
            ),
        }

    def _for_files(self) -> dict[str, tuple[str, Callable[[], object]]]:
        return {
            "write a file": ("writing", lambda: (self.folder / "new").write_text("x")),
            "write its own file": ("writing", lambda: self.own.write_text("read me")),
            "link a file": ("writing", lambda: os.link(self.secret, self.folder / "linked")),
            "name a pipe": ("writing", lambda: os.mkfifo(self.folder / "pipe")),
            "read a file": ("reading", lambda: bool(self.secret.read_bytes())),
            "read through a link": ("reading", self._read_through_link),
            "read above its root": ("reading", self._read_above),
            "read passwords": ("reading", lambda: bool(Path("/etc/passwd").read_bytes())),
            "size of a file": ("seeing", lambda: os.stat(self.secret)),
            "names in a folder": ("seeing", lambda: self.secret.name in os.listdir(self.folder)),
            "names of home folders": ("seeing", lambda: os.stat(self.homes)),
            "chmod": ("changing", lambda: self.secret.chmod(0o644)),
            "chmod of its own file": ("changing", lambda: self.own.chmod(0o644)),
            "chown": ("changing", lambda: os.chown(self.own, -1, -1)),
            "utime": ("changing", lambda: os.utime(self.own)),
            "setxattr": ("changing", lambda: os.setxattr(self.own, "user.probe", b"x")),
            "limits of another process": (
                "changing",
                lambda: resource.prlimit(self.pid, resource.RLIMIT_CORE, (0, -1)),
            ),
            "its own limits": (
                "changing",
                lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
            ),
            "priority of another process": (
                "changing",
                lambda: os.setpriority(os.PRIO_PROCESS, self.pid, 19),
            ),
            "cores of another process": (
                "changing",
                lambda: os.sched_setaffinity(self.pid, os.sched_getaffinity(0)),
            ),
        }

    def _read_through_link(self) -> bool:
        link = self.scratch / "link"
        link.symlink_to(self.secret)
        return bool(link.read_bytes())

    def _read_above(self) -> bool:
        """Climb out of the root folder, by a path relative to where it began."""
        climb = "../" * 40
        return bool(Path(climb + str(self.secret).lstrip("/")).read_bytes())

    def _for_processes(self) -> dict[str, tuple[str, Callable[[], object]]]:
        there = Path(f"/proc/{self.pid}")
        return {
            "fork": ("processes", fork),
            "spawn": ("processes", lambda: os.posix_spawn("/bin/true", ["true"], {})),
            "command line of another": ("others", (there / "cmdline").read_bytes),
            "environment of another": ("others", (there / "environ").read_bytes),
            "files of another": ("others", lambda: os.listdir(there / "fd")),
            "memory of another": ("others", lambda: read_memory(self.pid)),
            "handle of another": ("others", lambda: os.close(os.pidfd_open(self.pid))),
            "load of the machine": ("others", lambda: bool(Path("/proc/stat").read_bytes())),
            "CPU time of another": ("others", lambda: cpu_time(self.pid)),
            "trace another": (
                "others",
                lambda: system_call("ptrace", PTRACE_SEIZE, self.pid, 0, 0),
            ),
            "signal another": ("signals", lambda: os.kill(self.pid, 0)),
            "signal its group": ("signals", lambda: os.killpg(os.getpgid(self.pid), 0)),
            "signal everybody": ("signals", lambda: os.kill(-1, 0)),
        }

    def _for_traces(self) -> dict[str, tuple[str, Callable[[], object]]]:
        return {
            "lease": ("traces", lambda: self._on_own(fcntl.F_SETLEASE, fcntl.F_RDLCK)),
            "lock": ("traces", self._lock),
            "record lock": ("traces", self._lock_record),
            "user keyring": ("traces", lambda: add_key(-4)),
            "session keyring": ("traces", lambda: add_key(-3)),
            "search of keyrings": ("traces", lambda: system_call("keyctl", 0, -3, 0)),
            "pages in memory": ("traces", self._mincore),
            "pages of a file": ("traces", self._cachestat),
            "reading without waiting": ("traces", self._read_now),
            "eviction of pages": ("traces", lambda: os.posix_fadvise(self.opened, 0, 0, 4)),
            "merged pages": (
                "traces",
                lambda: mmap.mmap(-1, PAGE, PRIVATE).madvise(MADV_MERGEABLE),
            ),
            "pages paged out": (
                "traces",
                lambda: mmap.mmap(-1, PAGE, PRIVATE).madvise(MADV_PAGEOUT),
            ),
            "access times": ("traces", self._access_time),
            "reads from the disk": ("traces", lambda: resource.getrusage(resource.RUSAGE_SELF)),
            "numbers of pipes": ("traces", make_pipes),
            "numbers of processes": (
                "traces",
                lambda: may_try("clone", _CLONE_THREAD | _CLONE_PIDFD, 0, 0, 0, 0),
            ),
            "futex in a file": ("traces", wakes_others),
            "semaphores": ("traces", lambda: new_ipc("semget", 1)),
            "free memory": ("traces", free_memory),
            "free disk space": ("traces", lambda: os.statvfs("/usr")),
        }

    def _on_own(self, command: int, argument: int) -> int:
        return fcntl.fcntl(self.opened, command, argument)

    def _lock(self) -> None:
        fcntl.flock(self.opened, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def _lock_record(self) -> None:
        fcntl.lockf(self.opened, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def _mincore(self) -> int:
        with mmap.mmap(self.opened, 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as page:
            place = ctypes.addressof(ctypes.c_char.from_buffer(page))
            return system_call("mincore", place, PAGE, bytes(1))

    def _cachestat(self) -> int:
        return system_call("cachestat", self.opened, struct.pack("QQ", 0, 0), bytes(40), 0)

    def _read_now(self) -> int:
        return os.preadv(self.opened, [bytearray(1)], 0, RWF_NOWAIT)

    def _access_time(self) -> bool:
        """Whether reading leaves a trace in the time of the last access."""
        before = os.stat(self.times).st_atime_ns
        self.times.read_bytes()
        return os.stat(self.times).st_atime_ns != before

    def _for_death(self) -> dict[str, tuple[str, Callable[[], object]]]:
        me, thread = os.getpid(), threading.get_ident()
        limits = (resource.RLIMIT_CPU, (10**6, 10**6))
        return {
            "timer": ("death", create_timer),
            "signal of a file": ("death", lambda: self._on_own(fcntl.F_SETSIG, signal.SIGKILL)),
            "owner of a file": ("death", lambda: self._on_own(fcntl.F_SETOWN, me)),
            "lower CPU limit": ("death", lambda: resource.setrlimit(*limits)),
            "death of the parent": (
                "death",
                lambda: libc_call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0),
            ),
            "queued signal": ("death", queue_signal),
            "filter of its own": ("death", install_filter),
            # Last, because these would be the end.
            "SIGKILL": ("death", lambda: dies_of(lambda: os.kill(os.getpid(), signal.SIGKILL))),
            "SIGKILL to a thread": (
                "death",
                lambda: dies_of(lambda: signal.pthread_kill(thread, signal.SIGKILL)),
            ),
        }

    def _for_the_kernel(self) -> dict[str, tuple[str, Callable[[], object]]]:
        return {
            "user namespace": ("kernel", lambda: libc_call("unshare", _CLONE_NEWUSER)),
            "io_uring": ("kernel", lambda: system_call("io_uring_setup", 1, bytes(120))),
            "userfaultfd": ("kernel", lambda: os.close(system_call("userfaultfd", 1))),
            "fanotify": ("kernel", lambda: os.close(system_call("fanotify_init", 0x200, 0))),
            "signal descriptor": ("kernel", signal_descriptor),
            "dumpable": ("kernel", lambda: libc_call("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)),
            "splice": ("kernel", splice),
            "barrier for all processors": (
                "kernel",
                lambda: system_call("membarrier", MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0),
            ),
            "flushing of disks": ("kernel", flushes_disks),
            "file handles": ("kernel", self._handle),
        }

    def _handle(self) -> int:
        handle, mount = ctypes.create_string_buffer(struct.pack("I", 128), 136), bytes(4)
        return system_call("name_to_handle_at", -100, os.fsencode(self.own), handle.raw, mount, 0)


def open_many() -> None:
    opened: list[int] = []
    try:
        for _ in range(500):
            opened.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for descriptor in opened:
            os.close(descriptor)


def map_zeros() -> None:
    with open("/dev/zero", "r+b", buffering=0) as file:
        mmap.mmap(file.fileno(), TOO_MUCH_MEMORY).close()


def map_pages(size: int, flags: int) -> None:
    """Map memory with any flags; the mmap module knows only some."""
    read_and_write, no_file = mmap.PROT_READ | mmap.PROT_WRITE, -1
    system_call("mmap", 0, size, read_and_write, flags, no_file, 0)


def new_ipc(call: str, *arguments: int) -> None:
    """Make a private object of System V, and remove it if that works."""
    made = system_call(call, 0, *arguments, IPC_CREAT | 0o600)
    removal = {"shmget": "shmctl", "msgget": "msgctl", "semget": "semctl"}[call]
    middle = (0,) if call == "semget" else ()
    system_call(removal, made, *middle, 0, 0)


def open_queue() -> None:
    name = f"arena-{os.getpid()}".encode()
    try:
        os.close(system_call("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None))
    finally:
        # Landlock refuses to open the queue when it has been made already.
        with suppress(OSError):
            system_call("mq_unlink", name)


def enlarge_pipe() -> None:
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1 << 20)
    finally:
        os.close(reading)
        os.close(writing)


def keep_signals_pending() -> None:
    """Signals that wait to be delivered take memory of the kernel, and of what a user may have."""
    kept = signal.SIGRTMIN + 7
    signal.pthread_sigmask(signal.SIG_BLOCK, [kept])
    try:
        for _ in range(1000):
            signal.pthread_kill(threading.get_ident(), kept)
    finally:
        while kept in signal.sigpending():
            signal.sigwait([kept])


def dumps_core() -> bool:
    """Whether its memory may be written to the host's disk when it crashes."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    return most not in {0, 1}


def start_threads() -> bool:
    """Start 100 threads, which end when the last one has started or could not be."""
    all_started = threading.Event()
    before = threading.stack_size(1 << 16)
    threads = [threading.Thread(target=all_started.wait, daemon=True) for _ in range(100)]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:
        return False
    finally:
        all_started.set()
        threading.stack_size(before)
        for thread in threads:
            if thread.ident:
                thread.join()
    return True


def cpu_time(pid: int) -> int:
    """How much CPU time another process has used: clocks of processes have numbers."""
    return system_call("clock_gettime", ~pid << 3 | 2, bytes(16))


def make_pipes() -> None:
    """Make many pipes, one after the other: they are numbered for the whole machine."""
    for _ in range(100):
        for descriptor in os.pipe():
            os.close(descriptor)


def flushes_disks() -> bool:
    """Whether the kernel is told to flush: it would refuse to flush a file that is not open."""
    try:
        system_call("fsync", -1)
    except OSError as error:
        return error.errno == EBADF
    return False


def wakes_others() -> bool:
    """Whether the kernel is asked to wake other processes: it would refuse an odd address."""
    futex_wake, odd_address = 1, 1
    try:
        system_call("futex", odd_address, futex_wake, 1, 0, 0, 0)
    except OSError as error:
        return error.errno == EINVAL
    return False


def send_packet() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.sendto(b"hello", ("127.0.0.1", 9))


def fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def may_try(call: str, *arguments: int | bytes | None) -> None:
    """Make a system call with wrong arguments: if the kernel says so, it was allowed."""
    try:
        system_call(call, *arguments)
    except OSError as error:
        if error.errno not in {EFAULT, EINVAL}:
            raise


def read_memory(pid: int) -> None:
    """Read one byte of another process, at address 1."""
    byte = ctypes.create_string_buffer(1)
    here, there = struct.pack("QQ", ctypes.addressof(byte), 1), struct.pack("QQ", 1, 1)
    may_try("process_vm_readv", pid, here, 1, there, 1, 0)


def install_filter() -> None:
    set_mode_filter, no_flags = 1, 0
    may_try("seccomp", set_mode_filter, no_flags, None)


def add_key(keyring: int) -> None:
    key = system_call("add_key", b"user", b"arena-probe", b"x", 1, keyring)
    system_call("keyctl", 9, key, keyring)  # unlink it


def free_memory() -> None:
    system_call("sysinfo", bytes(128))


def create_timer() -> None:
    """A timer that would send SIGKILL; it is never started."""
    event = struct.pack("QiI48x", 0, signal.SIGKILL, 0)
    timer = bytes(4)
    system_call("timer_create", 1, event, timer)


def queue_signal() -> None:
    """Queue a signal for itself; number 0, which only checks whether it may."""
    system_call("rt_sigqueueinfo", os.getpid(), 0, struct.pack("iii116x", 0, 0, -1))


def dies_of(send: Callable[[], object]) -> bool:
    """Whether sending SIGKILL works: a child tries it, if there can be one, so that we can tell."""
    try:
        child = os.fork()
    except OSError:
        send()  # refused, or the end of the probe
        return False
    if child == 0:
        send()
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def signal_descriptor() -> None:
    os.close(system_call("signalfd4", -1, bytes(8), 8, 0))


def splice() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b"x")
        system_call("tee", reading, os.pipe()[1], 1, 0)
    finally:
        os.close(reading)
        os.close(writing)


def homes_elsewhere(shown: Sequence[str | Path]) -> str:
    """A folder of homes that leads to none of these, which a bot may see.

    Of an arena in /home/ada a bot may know that there is a /home, but not what else is in it.
    """
    for homes in ("/home", "/root"):
        if not any(Path(path).is_relative_to(homes) for path in shown):
            return homes
    return "/boot"


def succeeds(attempt: Callable[[], object]) -> bool:
    """Whether it neither raises nor returns False."""
    try:
        return attempt() is not False
    except (OSError, MemoryError, ValueError):
        return False


def _main() -> None:
    """Try everything and print the result."""
    folder, own, scratch, pid = sys.argv[1:]
    attacks = Probe(Path(folder), Path(own), Path(scratch), int(pid)).attacks()
    result: dict[str, tuple[str, bool]] = {}
    for name, (protection, attempt) in attacks.items():
        result[name] = (protection, not succeeds(attempt))
    print(json.dumps(result))


if __name__ == "__main__":
    _main()
