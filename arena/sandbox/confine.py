"""Walls around a bot, built from inside its own process before a line of the bot is run.

    python -m arena.sandbox.confine LEASH WALLS run COMMAND...     becomes a program
    python -m arena.sandbox.confine LEASH WALLS guest NAME         becomes bots.runtime.child_main in this interpreter

WALLS is JSON, written by arena/sandbox/policy.py. A wall that this system cannot build is left out; which
ones stand is found out by arena/sandbox/policy.py, by trying to break through. LEASH is the number of a
socket, whose other end the arena holds: when the arena lets go of it, the cell is cleared out.

There are two processes, or three. The keeper stays outside, and tells on the leash how the bot
ended; it is the bot's parent, or that of the first process in the cell's own PID namespace, which
is the bot's parent then and with which all others in there end.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import struct
import sys
from contextlib import suppress
from typing import Final, NamedTuple

LIBC: Final = ctypes.CDLL(None, use_errno=True)
NOBODY: Final = 65534
DESCRIPTORS: Final = 256
"""More than any of ours is numbered."""

# Of <sched.h>, <sys/mount.h> and <sys/prctl.h>.
CLONE_NEWNS: Final = 0x00020000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000
CLONE_THREAD: Final = 0x00010000
MS_RDONLY: Final = 1
MS_NOSUID_NODEV_NOEXEC: Final = 2 | 4 | 8
MS_BIND: Final = 0x1000
MS_REC_PRIVATE: Final = 0x4000 | 1 << 18
MOUNT_ATTR_RDONLY: Final = 1
AT_RECURSIVE: Final = 0x8000
PR_SET_PDEATHSIG: Final = 1
PR_SET_SECCOMP: Final = 22
PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4

# System calls that have the same number everywhere.
SYS_MOUNT_SETATTR: Final = 442
SYS_LANDLOCK_CREATE_RULESET: Final = 444
SYS_LANDLOCK_ADD_RULE: Final = 445
SYS_LANDLOCK_RESTRICT_SELF: Final = 446


def call(name: str, *arguments: int | bytes | None) -> int:
    """What a function of the C library returns; OSError if it fails."""
    # Whole registers: unwrapped, numbers would be passed as 32 bits and the rest left as it was.
    wide = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result: int = getattr(LIBC, name)(*wide)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


# ---- namespaces ---------------------------------------------------------------------------------


def own_namespaces() -> None:
    """A user that is nobody, no network, no other processes, mounts of our own."""
    user, group = os.getuid(), os.getgid()
    kinds = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
    call("unshare", CLONE_NEWUSER | kinds)
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{NOBODY} {user} 1")
    write("/proc/self/gid_map", f"{NOBODY} {group} 1")


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def own_mounts(scratch: str, size: object, covered: object) -> None:
    """All is read-only but a small scratch folder in memory; some places are covered up."""
    call("mount", None, b"/", None, MS_REC_PRIVATE, None)
    assert isinstance(covered, list)
    for place in covered:
        with suppress(OSError):
            cover(place)
    memory_on(scratch, f"size={size},nr_inodes=1000,mode=700".encode(), 0)
    set_mount(b"/", AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0)
    set_mount(os.fsencode(scratch), 0, 0, MOUNT_ATTR_RDONLY)


def cover(place: str) -> None:
    """Put an empty folder, or nothing at all, over what is there."""
    if os.path.isdir(place):
        memory_on(place, b"size=4096,nr_inodes=2,mode=755", MS_RDONLY)
    else:
        call("mount", b"/dev/null", os.fsencode(place), None, MS_BIND, None)


def memory_on(folder: str, options: bytes, flags: int) -> None:
    flags |= MS_NOSUID_NODEV_NOEXEC
    call("mount", b"arena", os.fsencode(folder), b"tmpfs", flags, options)


def set_mount(folder: bytes, how: int, add: int, remove: int) -> None:
    attributes = struct.pack("QQQQ", add, remove, 0, 0)
    call("syscall", SYS_MOUNT_SETATTR, -100, folder, how, attributes, len(attributes))


def keep(leash: int, inside: bool, walls: dict[str, object]) -> None:
    """Go on as the bot's own process; the keeper and the first one never return from this."""
    first = os.fork()
    if first:
        watch_over(first, leash)
    end_with_parent()
    if inside:
        with suppress(OSError):
            own_mounts(str(walls["scratch"]), walls["size"], walls["covered"])
        bot = os.fork()
        if bot:
            close_pipes()
            report(leash, *os.wait4(bot, 0)[1:])
            os._exit(0)  # and with the first process of its namespace everything in it ends
    os.setsid()
    os.closerange(3, DESCRIPTORS)


def watch_over(first: int, leash: int) -> None:
    """Wait for the bot's end, or bring it about when the arena lets go of the leash."""
    close_pipes()
    poll = select.poll()
    poll.register(os.pidfd_open(first), select.POLLIN)
    poll.register(leash, select.POLLIN)
    ready = [descriptor for descriptor, _ in poll.poll()]
    if leash in ready:
        with suppress(ProcessLookupError):
            os.kill(first, signal.SIGKILL)
    report(leash, *os.wait4(first, 0)[1:])
    os._exit(0)


def report(leash: int, status: int, usage: resource.struct_rusage) -> None:
    """Tell how a process ended, the most memory and all the processor time that it used.

    Only the first report counts.
    """
    seconds = usage.ru_utime + usage.ru_stime
    with suppress(OSError):
        os.write(leash, struct.pack("iqd", status, usage.ru_maxrss, seconds))


def close_pipes() -> None:
    """Keep none of the bot's pipes: they shall close when the bot closes them."""
    for descriptor in (0, 1, 2):
        os.close(descriptor)


# ---- one process --------------------------------------------------------------------------------


def end_with_parent() -> None:
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def limit(limits: dict[str, int]) -> None:
    """Set resource limits, by the names of the resource module."""
    for name, most in limits.items():
        which = getattr(resource, name)
        _, hard = resource.getrlimit(which)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):
            # A moment between soft and hard, so that processor time ends with its own signal.
            resource.setrlimit(which, (least, least + (which == resource.RLIMIT_CPU)))


def drop_privileges() -> None:
    """No capabilities, and no way to get any."""
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))


# ---- Landlock -----------------------------------------------------------------------------------

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READING: Final = EXECUTE | READ_FILE | READ_DIR
OF_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
NO_TCP: Final = 3
NO_SIGNALS_OR_ABSTRACT_SOCKETS: Final = 3
RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Version of Landlock -> how many rights to files it knows; later ones know as many as the last."""


def landlock(readable: list[str], listable: list[str], writable: list[str]) -> None:
    """Nothing but these files and folders, no TCP, no signals to processes outside."""
    version = call("syscall", SYS_LANDLOCK_CREATE_RULESET, None, 0, 1)
    everything = (1 << RIGHTS[min(version, max(RIGHTS))]) - 1
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = struct.pack("QQQ", everything, NO_TCP, NO_SIGNALS_OR_ABSTRACT_SOCKETS)[:size]
    ruleset = call("syscall", SYS_LANDLOCK_CREATE_RULESET, rules, len(rules), 0)
    for path in readable:
        allow(ruleset, path, READING)
    for path in listable:
        allow(ruleset, path, READ_DIR)
    for path in writable:
        allow(ruleset, path, everything)
    call("syscall", SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there need not be allowed
    if not os.path.isdir(path):
        rights &= OF_FILES
    rule = struct.pack("=Qi", rights, descriptor)
    try:
        call("syscall", SYS_LANDLOCK_ADD_RULE, ruleset, 1, rule, 0)
    finally:
        os.close(descriptor)


# ---- system calls -------------------------------------------------------------------------------

EPERM, ENOMEM, ENOSYS = 1, 12, 38


class Calls(NamedTuple):
    """Numbers of system calls on one kind of machine."""

    architecture: int
    clone: int
    mmap: int
    signals: tuple[tuple[int, int], ...]
    """Calls that send signals, and which of their arguments is the signal."""
    refused: tuple[int, ...]
    """socket, fork, vfork, ptrace, process_vm_readv and _writev, unshare, setns, mount, bpf,
    perf_event_open, keyctl; shmget, memfd_create and _secret; rt_sigqueueinfo, rt_tgsigqueueinfo
    and pidfd_send_signal."""


CALLS: Final = {
    "x86_64": Calls(
        0xC000003E,
        56,
        9,
        ((62, 1), (200, 1), (234, 2)),
        (
            *(41, 57, 58, 101, 310, 311, 272, 308, 165, 321, 298, 250),
            *(29, 319, 447, 129, 297, 424),
        ),
    ),
    "aarch64": Calls(
        0xC00000B7,
        220,
        222,
        ((129, 1), (130, 1), (131, 2)),
        (
            *(198, 117, 270, 271, 97, 268, 40, 280, 241, 219),
            *(194, 279, 447, 138, 240, 424),
        ),
    ),
}
MAP_SHARED_ANONYMOUS: Final = 0x21
UNKNOWN: Final = (435, 425)
"""clone3 and io_uring_setup, here as if the kernel were older: programs then do without."""

LOAD, AND, JUMP_IF, JUMP_IF_AT_LEAST, JUMP_IF_ANY, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
ALLOWED, REFUSED, KILLED = 0x7FFF0000, 0x00050000, 0x80000000


def refuse_calls() -> None:
    """No sockets, no child processes, no shared memory, which no limit counts; threads are free.

    And nobody kills himself as others would, with SIGKILL: such games are played again.
    """
    calls = CALLS[os.uname().machine]
    code = [
        (LOAD, 0, 0, 4),  # which architecture the number of the call is meant for
        (JUMP_IF, 1, 0, calls.architecture),
        (RETURN, 0, 0, KILLED),
        (LOAD, 0, 0, 0),  # the number of the call
        (JUMP_IF_AT_LEAST, 0, 1, 0x40000000),  # another numbering on x86
        (RETURN, 0, 0, REFUSED | EPERM),
    ]
    for number in calls.refused:
        code += [(JUMP_IF, 0, 1, number), (RETURN, 0, 0, REFUSED | EPERM)]
    for number in UNKNOWN:
        code += [(JUMP_IF, 0, 1, number), (RETURN, 0, 0, REFUSED | ENOSYS)]
    for number, argument in calls.signals:
        code += [
            (JUMP_IF, 0, 4, number),
            (LOAD, 0, 0, 16 + 8 * argument),
            (JUMP_IF, 0, 1, signal.SIGKILL),
            (RETURN, 0, 0, REFUSED | EPERM),
            (RETURN, 0, 0, ALLOWED),
        ]
    code += [
        (JUMP_IF, 0, 5, calls.mmap),
        (LOAD, 0, 0, 40),  # its flags
        (AND, 0, 0, MAP_SHARED_ANONYMOUS),
        (JUMP_IF, 0, 1, MAP_SHARED_ANONYMOUS),
        (RETURN, 0, 0, REFUSED | ENOMEM),
        (RETURN, 0, 0, ALLOWED),
        (JUMP_IF, 0, 3, calls.clone),
        (LOAD, 0, 0, 16),  # its flags
        (JUMP_IF_ANY, 1, 0, CLONE_THREAD),
        (RETURN, 0, 0, REFUSED | EPERM),
        (RETURN, 0, 0, ALLOWED),
    ]
    packed = b"".join(struct.pack("HBBI", *line) for line in code)
    lines = ctypes.create_string_buffer(packed, len(packed))
    program = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(lines))
    call("prctl", PR_SET_SECCOMP, 2, program, 0, 0)


# ---- all together -------------------------------------------------------------------------------


def enclose(leash: int, walls: dict[str, object]) -> None:
    """Build what can be built. From here on, this process is the bot's."""
    readable, listable, limits = walls["readable"], walls["listable"], walls["limits"]
    assert isinstance(readable, list)
    assert isinstance(listable, list)
    assert isinstance(limits, dict)
    end_with_parent()
    inside = False
    if walls["namespaces"]:
        with suppress(OSError):
            own_namespaces()
            inside = True
    if not inside:
        limits.pop("RLIMIT_NPROC", None)  # it would count all processes of the user
    keep(leash, inside, walls)
    limit(limits)
    with suppress(OSError):
        drop_privileges()
    with suppress(OSError):
        # Not /dev/zero: it could be mapped as shared memory.
        writable = [str(walls["scratch"]), "/dev/null", "/dev/full"]
        landlock(readable, listable, writable)
    with suppress(OSError, KeyError):
        refuse_calls()


def main() -> None:
    """Build the walls and become the bot."""
    _, leash, walls, what, *words = sys.argv
    if what == "guest":
        # Ours, so it may be loaded outside; inside, the folder of our packages cannot be listed.
        from bots.runtime import child_main as guest  # noqa: PLC0415
    enclose(int(leash), json.loads(walls))
    if what == "guest":
        guest.run_bot(words)
    try:
        os.execv(words[0], words)  # noqa: S606  (this is what it is for)
    except OSError as error:
        sys.exit(f"{words[0]} cannot be run in the sandbox: {error.strerror}")


if __name__ == "__main__":
    main()
