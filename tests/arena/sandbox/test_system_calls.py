"""The tables of system calls are right, and the filter allows what honest programs need."""

import ctypes
import ctypes.util
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox.kernel import MACHINE
from arena.sandbox.seccomp import AUDIT_ARCH, seccomp_filter
from arena.sandbox.system_calls import (
    ALLOWED,
    CHECKED,
    MACHINES,
    NOT_COUNTED,
    NUMBERS,
    OWN_PID,
    PIPES,
    PRETENDED,
    PROGRAM_ALLOWED,
    THREADS,
    name_of,
)
from tests.support.leftovers import linux
from tests.support.matches import played, run_python, seat_bot
from tests.support.paths import ROOT

HEADER = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
CARRIERS = """
socket connect shmget msgget semget mq_open memfd_create add_key request_key keyctl flock
inotify_init1 fanotify_init mincore cachestat preadv2 fadvise64 readahead sysinfo statfs fstatfs
timer_create timerfd_create setrlimit chmod fchmod fchmodat chown fchown utimensat setxattr link
linkat mknod ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd unshare setns mount
pivot_root chroot bpf perf_event_open userfaultfd io_uring_setup open_by_handle_at
name_to_handle_at kexec_load seccomp landlock_create_ruleset setuid setgid setpriority
sched_setaffinity sched_setscheduler vmsplice splice tee process_madvise migrate_pages move_pages
kcmp fork vfork clone3 execve execveat signalfd4 rt_sigqueueinfo rt_tgsigqueueinfo
pidfd_send_signal personality swapon acct quotactl remap_file_pages mlock syslog sethostname
init_module getrusage fsync fdatasync sync syncfs msync pipe pipe2 sched_getattr getpriority
"""
"""Calls that have carried an attack, or could."""


@pytest.mark.parametrize("machine", MACHINES)
def test_the_tables_agree_with_libseccomp(machine: str) -> None:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.skip("needs libseccomp")
    library.seccomp_syscall_resolve_name_arch.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    unknown_to_it = []
    for name, number in NUMBERS[machine].items():
        theirs = library.seccomp_syscall_resolve_name_arch(AUDIT_ARCH[machine], name.encode())
        if theirs < 0:
            unknown_to_it.append(name)
        else:
            assert (name, number) == (name, theirs)
    # Calls that are newer than the library.
    assert all(NUMBERS[machine][name] >= 451 for name in unknown_to_it)


def test_the_table_of_x86_64_agrees_with_the_headers_of_the_kernel() -> None:
    if not HEADER.exists():
        pytest.skip("needs the headers of an x86-64 kernel")
    defined = re.findall(r"#define __NR_(\w+) (\d+)", HEADER.read_text())
    assert len(defined) > 300
    assert {name: int(number) for name, number in defined}.items() <= NUMBERS["x86_64"].items()


def test_all_names_exist_and_none_is_listed_twice() -> None:
    known = {name for numbers in NUMBERS.values() for name in numbers}
    listed = [*ALLOWED, *CHECKED, *PROGRAM_ALLOWED, *NOT_COUNTED, *PRETENDED, *PIPES]
    assert set(listed) <= known
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("name", CARRIERS.split())
def test_calls_that_can_do_harm_are_not_allowed(name: str) -> None:
    assert name not in ALLOWED
    assert name in NUMBERS["x86_64"]


@pytest.mark.parametrize("machine", MACHINES)
def test_the_jumps_of_the_filter_stay_inside(machine: str) -> None:
    code = seccomp_filter(machine, program=True, listener=True)
    for place, (operation, if_true, if_false, _) in enumerate(code):
        assert max(if_true, if_false) <= 255
        if operation & 7 == 5:  # a jump
            assert place + 1 + max(if_true, if_false) < len(code)


def decide(code: list[tuple[int, int, int, int]], number: int, *arguments: int) -> int:
    """What a filter returns for a system call: an interpreter of the few instructions used."""
    data = {0: number, 4: AUDIT_ARCH["aarch64"]}
    for index, value in enumerate(arguments):
        data[16 + 8 * index] = value & 0xFFFFFFFF
        data[20 + 8 * index] = value >> 32 & 0xFFFFFFFF
    place, loaded = 0, 0
    while True:
        operation, if_true, if_false, operand = code[place]
        place += 1
        if operation == 0x20:
            loaded = data.get(operand, 0)
        elif operation == 0x54:
            loaded &= operand
        elif operation == 0x06:
            return operand
        else:
            test = {0x15: loaded == operand, 0x35: loaded >= operand, 0x45: bool(loaded & operand)}
            place += if_true if test[operation] else if_false


@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
        ("read", (), True),
        ("socket", (), False),
        ("execve", (), False),
        ("mmap", (0, 4096, 3, 0x22), True),
        ("mmap", (0, 4096, 3, 0x21), False),
        ("mmap", (0, 4096, 3, 0x122), False),
        ("clone", (0x3D0F00,), True),
        ("clone", (17,), False),
        ("clone", (0x10000 | 0x10000000,), False),
        ("fcntl", (0, 1), True),
        ("fcntl", (0, 1024), False),
        ("prlimit64", (0, 7, 0), True),
        ("prlimit64", (0, 7, 1 << 40), False),
        ("prlimit64", (1, 7, 0), False),
        ("madvise", (0, 0, 4), True),
        ("madvise", (0, 0, 12), False),
        ("clone", (0x3D0F00 | 0x1000,), False),
        ("clock_gettime", (1,), True),
        ("clock_gettime", (~1234 << 3 | 2,), False),
        ("clock_nanosleep", (1,), True),
        ("clock_nanosleep", (~1234 << 3 | 2,), False),
        ("membarrier", (8,), True),
        ("membarrier", (2,), False),
        ("futex", (0, 128), True),
        ("futex", (0, 1), False),
        ("pipe2", (), True),  # unless somebody counts them
    ],
)
def test_the_filter_of_arm64_decides_by_arguments(
    name: str, arguments: tuple[int, ...], allowed: bool
) -> None:
    code = seccomp_filter("aarch64")
    result = decide(code, NUMBERS["aarch64"][name], *arguments)
    assert (result == 0x7FFF0000) == allowed


def test_the_supervisor_judges_arguments_as_the_filter_does() -> None:
    """It lets threads pass that the filter refers to it, so it must not be more generous."""
    code = seccomp_filter("aarch64")
    rng = random.Random(5)
    values = [0, 1, 9, 19, 0x10000, 0x3D0F00, 0x3D1F00, 0x10010F00, 1 << 40, 0x21, 0x122, 1 << 31]
    outcomes = set()
    for name, checks in CHECKED.items():
        if name not in NUMBERS["aarch64"] or any(OWN_PID in check.one_of for check in checks):
            continue
        for _ in range(300):
            arguments = [rng.choice([rng.choice(values), rng.getrandbits(64)]) for _ in range(6)]
            filtered = decide(code, NUMBERS["aarch64"][name], *arguments) == 0x7FFF0000
            judged = all(check.holds(arguments[check.argument]) for check in checks)
            assert (name, arguments, filtered) == (name, arguments, judged)
            outcomes.add((name == THREADS, judged))
    assert len(outcomes) == 4


@pytest.mark.parametrize("listener", [False, True])
def test_some_calls_are_pretended_and_threads_and_pipes_are_referred(listener: bool) -> None:
    code, numbers = seccomp_filter("aarch64", listener=listener), NUMBERS["aarch64"]
    allowed, referred, done = 0x7FFF0000, 0x7FC00000, 0x00050000
    assert decide(code, numbers["fsync"]) == done
    assert decide(code, numbers["futex"], 0, 9) == (referred if listener else done)
    for name in ("clone", "pipe2"):
        assert decide(code, numbers[name], 0x3D0F00) == (referred if listener else allowed)


def test_a_number_without_a_name_is_named_by_its_number() -> None:
    assert name_of(0, "x86_64") == "read"
    assert name_of(99_999, "x86_64") == "number 99999"


# ---- honest programs ----------------------------------------------------------------------------

FILTERED = "from arena.sandbox import kernel, seccomp\nkernel.drop_privileges()\n"


@linux
def test_python_computes_under_the_filter() -> None:
    printed = run_python(
        f"{FILTERED}seccomp.apply_seccomp()\n"
        "import hashlib, json, random, resource, signal, sqlite3, tempfile, threading, time\n"
        "thread = threading.Thread(target=time.sleep, args=(0.01,))\n"
        "thread.start(); thread.join()\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)\n"
        "with tempfile.TemporaryFile() as file: file.write(b'x'); file.flush()\n"
        "print(resource.getrlimit(resource.RLIMIT_CPU) and hashlib.sha256(b'x').hexdigest()[:4])\n"
    )
    assert printed == "2d71\n"


PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *place = strstr(line, "\\"moves\\":[{\\"move\\":");
        char *number = strstr(line, "\\"decision\\":");
        if (strstr(line, "\\"hello\\"")) puts("{\\"type\\":\\"ready\\",\\"protocol\\":1}");
        else if (place && number)
            printf("{\\"type\\":\\"move\\",\\"decision\\":%d,\\"move\\":%d}\\n",
                   atoi(number + 11), atoi(place + 17));
        fflush(stdout);
    }
    return 0;
}
"""


@pytest.mark.slow
@linux
def test_a_static_c_program_plays_in_the_sandbox(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    (tmp_path / "bot.c").write_text(PROGRAM)
    built = [compiler, "-static", "-O1", "-o", str(tmp_path / "bot"), str(tmp_path / "bot.c")]
    if subprocess.run(built, capture_output=True, check=False).returncode:
        pytest.skip("needs a static C library")
    names = [f"cmd:{tmp_path / 'bot'}", f"cmd:{sys.executable} {ROOT / 'examples/remote/first.py'}"]
    for name in names:
        here, there = (played(seat_bot(name, isolated), "random") for isolated in (False, True))
        assert here.replay.moves == there.replay.moves


@linux
def test_this_machine_has_a_filter() -> None:
    assert MACHINE in MACHINES
