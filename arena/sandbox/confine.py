"""Confines a bot's process before any of the bot's code runs in it.

    python -m arena.sandbox.confine CONTROL RESTRICTIONS exec COMMAND...  executes a program
    python -m arena.sandbox.confine CONTROL RESTRICTIONS bot NAME         plays a Python bot here

RESTRICTIONS is JSON from arena/sandbox/policy.py. Layers that this system does not support are
skipped; policy.py runs a probe to find out which protections hold. CONTROL is the descriptor of a
control socket. The arena holds its other end; when the arena closes it, the bot is killed.

There are two or three processes. The supervisor stays outside and reports on the control socket
how the bot ended. Its child is the bot, or the init process of a PID namespace, whose child is the
bot. When init exits, the kernel kills everything else in the namespace.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
from contextlib import suppress
from errno import ENOMEM, ENOSYS, EPERM
from typing import Any, Final

LIBC: Final = ctypes.CDLL(None, use_errno=True)
NOBODY_ID: Final = 65534
DESCRIPTORS_END: Final = 256
"""Above any descriptor the arena passes on."""

# From <fcntl.h>, <sched.h>, <sys/mount.h>, <sys/prctl.h> and <linux/capability.h>.
AT_FDCWD: Final = -100
AT_RECURSIVE: Final = 0x8000
CLONE_THREAD: Final = 0x00010000
CLONE_NEWNS: Final = 0x00020000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000
MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_BIND: Final = 0x1000
MS_REC: Final = 0x4000
MS_PRIVATE: Final = 1 << 18
MOUNT_ATTR_RDONLY: Final = 1
PR_SET_PDEATHSIG: Final = 1
PR_SET_SECCOMP: Final = 22
PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
LINUX_CAPABILITY_VERSION_3: Final = 0x20080522

# From <asm/unistd.h>: the number of each system call on x86-64 and ARM64, which has no (v)fork.
MACHINES: Final = {"x86_64": 0, "aarch64": 1}
SYSCALLS: Final[dict[str, tuple[int, int | None]]] = {
    "bpf": (321, 280),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fork": (57, None),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "kill": (62, 129),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mmap": (9, 222),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "perf_event_open": (298, 241),
    "pidfd_send_signal": (424, 424),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setns": (308, 268),
    "shmget": (29, 194),
    "socket": (41, 198),
    "tgkill": (234, 131),
    "tkill": (200, 130),
    "unshare": (272, 97),
    "vfork": (58, None),
}


def libc_call(name: str, *arguments: int | bytes | None) -> int:
    """Call a function of the C library; OSError if it fails."""
    # ctypes would pass a bare int as 32 bits and leave the upper half of the register undefined.
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result: int = getattr(LIBC, name)(*wide)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def system_call(name: str, *arguments: int | bytes | None) -> int:
    """Make a system call that has no wrapper in the C library; one numbered alike everywhere."""
    return libc_call("syscall", SYSCALLS[name][0], *arguments)


# ---- namespaces ---------------------------------------------------------------------------------


def enter_namespaces() -> None:
    """Become nobody, with no network, no view of other processes, and private mounts."""
    identity = {
        "setgroups": "deny",
        "uid_map": f"{NOBODY_ID} {os.getuid()} 1",
        "gid_map": f"{NOBODY_ID} {os.getgid()} 1",
    }
    kinds = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
    libc_call("unshare", CLONE_NEWUSER | kinds)
    for name, text in identity.items():
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def restrict_mounts(restrictions: dict[str, Any]) -> None:
    """Make everything read-only but a small tmpfs for scratch files, and mask some paths."""
    libc_call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
    for path in restrictions["masked"]:
        with suppress(OSError):
            mask_path(path)
    scratch, size = restrictions["scratch"], restrictions["scratch_bytes"]
    mount_tmpfs(scratch, f"size={size},nr_inodes=1000,mode=700".encode(), 0)
    set_mount_attributes(b"/", AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0)
    set_mount_attributes(os.fsencode(scratch), 0, 0, MOUNT_ATTR_RDONLY)


def mask_path(path: str) -> None:
    """Mount an empty folder over a folder, /dev/null over a file."""
    if os.path.isdir(path):
        mount_tmpfs(path, b"size=4096,nr_inodes=2,mode=755", MS_RDONLY)
    else:
        libc_call("mount", b"/dev/null", os.fsencode(path), None, MS_BIND, None)


def mount_tmpfs(folder: str, options: bytes, flags: int) -> None:
    flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC
    libc_call("mount", b"arena", os.fsencode(folder), b"tmpfs", flags, options)


def set_mount_attributes(folder: bytes, flags: int, add: int, remove: int) -> None:
    attributes = struct.pack("QQQQ", add, remove, 0, 0)
    system_call("mount_setattr", AT_FDCWD, folder, flags, attributes, len(attributes))


# ---- supervision --------------------------------------------------------------------------------


def fork_under_supervision(control: int, namespaced: bool, restrictions: dict[str, Any]) -> None:
    """Return in the bot's process only; the supervisor and init exit from here."""
    child = os.fork()
    if child:
        os.closerange(0, 3)  # so that the bot's pipes close when the bot closes them
        supervise(child, control)
    die_with_parent()
    if namespaced:
        with suppress(OSError):
            restrict_mounts(restrictions)
        bot = os.fork()
        if bot:
            os.closerange(0, 3)
            report_exit(bot, control)  # as init, which takes the rest of the namespace with it
    os.setsid()
    os.closerange(3, DESCRIPTORS_END)


def supervise(child: int, control: int) -> None:
    """Wait until the child exits, or kill it when the arena closes the control socket."""
    poll = select.poll()
    poll.register(os.pidfd_open(child), select.POLLIN)
    poll.register(control, select.POLLIN)
    ready = [descriptor for descriptor, _ in poll.poll()]
    if control in ready:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    report_exit(child, control)


def report_exit(child: int, control: int) -> None:
    """Wait for the child, report how it ended and exit; the arena reads the first report only."""
    _, status, usage = os.wait4(child, 0)
    cpu_seconds = usage.ru_utime + usage.ru_stime
    with suppress(OSError):
        os.write(control, struct.pack("iqd", status, usage.ru_maxrss, cpu_seconds))
    os._exit(0)


# ---- limits and privileges ----------------------------------------------------------------------


def die_with_parent() -> None:
    libc_call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def set_resource_limits(limits: dict[str, int]) -> None:
    """Set limits, named as in the resource module."""
    for name, wanted in limits.items():
        which = getattr(resource, name)
        _, hard = resource.getrlimit(which)
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            # One second between soft and hard, so that the bot gets SIGXCPU before SIGKILL.
            resource.setrlimit(which, (soft, soft + (which == resource.RLIMIT_CPU)))


def drop_privileges() -> None:
    """Give up all capabilities, for good."""
    libc_call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc_call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    libc_call("capset", struct.pack("Ii", LINUX_CAPABILITY_VERSION_3, 0), bytes(24))


# ---- Landlock -----------------------------------------------------------------------------------

# From <linux/landlock.h>.
LANDLOCK_CREATE_RULESET_VERSION: Final = 1
LANDLOCK_RULE_PATH_BENEATH: Final = 1
ACCESS_FS_EXECUTE: Final = 1 << 0
ACCESS_FS_WRITE_FILE: Final = 1 << 1
ACCESS_FS_READ_FILE: Final = 1 << 2
ACCESS_FS_READ_DIR: Final = 1 << 3
ACCESS_FS_TRUNCATE: Final = 1 << 14
ACCESS_FS_IOCTL_DEV: Final = 1 << 15
ACCESS_NET_BIND_TCP: Final = 1 << 0
ACCESS_NET_CONNECT_TCP: Final = 1 << 1
SCOPE_ABSTRACT_UNIX_SOCKET: Final = 1 << 0
SCOPE_SIGNAL: Final = 1 << 1

READ_ACCESS: Final = ACCESS_FS_EXECUTE | ACCESS_FS_READ_FILE | ACCESS_FS_READ_DIR
CHANGE_ACCESS: Final = ACCESS_FS_WRITE_FILE | ACCESS_FS_TRUNCATE | ACCESS_FS_IOCTL_DEV
FILE_ACCESS: Final = READ_ACCESS & ~ACCESS_FS_READ_DIR | CHANGE_ACCESS
"""The rights that make sense for a file; the kernel refuses others in a rule on one."""
FS_RIGHTS_BY_ABI: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Landlock ABI version -> how many file system rights it knows; later versions know no more."""


def apply_landlock(readable: list[str], listable: list[str], writable: list[str]) -> None:
    """Deny all other paths, TCP, and signals to processes outside."""
    abi = system_call("landlock_create_ruleset", None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    full_access = (1 << FS_RIGHTS_BY_ABI[min(abi, max(FS_RIGHTS_BY_ABI))]) - 1
    attributes = struct.pack(
        "QQQ",
        full_access,
        ACCESS_NET_BIND_TCP | ACCESS_NET_CONNECT_TCP,  # from ABI 4
        SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL,  # from ABI 6
    )[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    ruleset = system_call("landlock_create_ruleset", attributes, len(attributes), 0)
    allowed = {READ_ACCESS: readable, ACCESS_FS_READ_DIR: listable, full_access: writable}
    for access, paths in allowed.items():
        for path in paths:
            allow_path(ruleset, path, access)
    system_call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def allow_path(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what does not exist needs no rule
    if not os.path.isdir(path):
        access &= FILE_ACCESS
    rule = struct.pack("=Qi", access, descriptor)
    try:
        system_call("landlock_add_rule", ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)


# ---- seccomp ------------------------------------------------------------------------------------

# From <linux/bpf_common.h>: the instructions of a filter.
BPF_LD_W_ABS: Final = 0x00 | 0x00 | 0x20
BPF_AND_K: Final = 0x04 | 0x50 | 0x00
BPF_JEQ_K: Final = 0x05 | 0x10 | 0x00
BPF_JGE_K: Final = 0x05 | 0x30 | 0x00
BPF_JSET_K: Final = 0x05 | 0x40 | 0x00
BPF_RET_K: Final = 0x06 | 0x00

# From <linux/seccomp.h> and <linux/audit.h>.
SECCOMP_MODE_FILTER: Final = 2
SECCOMP_RET_KILL_PROCESS: Final = 0x80000000
SECCOMP_RET_ERRNO: Final = 0x00050000
SECCOMP_RET_ALLOW: Final = 0x7FFF0000
AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_SYSCALL_BIT: Final = 0x40000000

# Offsets in struct seccomp_data.
DATA_NR: Final = 0
DATA_ARCH: Final = 4
DATA_ARGS: Final = 16
ARG_BYTES: Final = 8

DENIED_SYSCALLS: Final = (
    *("socket", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev"),
    *("unshare", "setns", "mount", "bpf", "perf_event_open", "keyctl"),
    *("shmget", "memfd_create", "memfd_secret"),
    *("rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"),
)
FAILING_SYSCALLS: Final = {
    **dict.fromkeys(DENIED_SYSCALLS, EPERM),
    **dict.fromkeys(("clone3", "io_uring_setup"), ENOSYS),
}
"""System call -> its error; ENOSYS, as on an older kernel, makes programs use filtered calls."""

SIGNAL_ARGUMENT: Final = {"kill": 1, "tkill": 1, "tgkill": 2}
"""System calls that send signals -> which argument is the signal."""

BpfInstruction = tuple[int, int, int, int]
"""Operation, instructions to skip if true, and if false, operand."""


def seccomp_filter(machine: str) -> list[BpfInstruction]:
    """Deny sockets, child processes and shared memory, which no limit counts; allow threads.

    Sending SIGKILL is denied as well, or a bot could kill itself and look as if the system had
    killed it: such games are played again.
    """
    column = MACHINES[machine]
    syscalls = {name: number for name, row in SYSCALLS.items() if (number := row[column])}
    allow = (BPF_RET_K, 0, 0, SECCOMP_RET_ALLOW)
    deny = (BPF_RET_K, 0, 0, SECCOMP_RET_ERRNO | EPERM)
    code = [
        (BPF_LD_W_ABS, 0, 0, DATA_ARCH),
        (BPF_JEQ_K, 1, 0, AUDIT_ARCH[machine]),
        (BPF_RET_K, 0, 0, SECCOMP_RET_KILL_PROCESS),
        (BPF_LD_W_ABS, 0, 0, DATA_NR),
        (BPF_JGE_K, 0, 1, X32_SYSCALL_BIT),
        deny,
    ]
    for name, error in FAILING_SYSCALLS.items():
        if name in syscalls:
            code.append((BPF_JEQ_K, 0, 1, syscalls[name]))
            code.append((BPF_RET_K, 0, 0, SECCOMP_RET_ERRNO | error))
    for name, argument in SIGNAL_ARGUMENT.items():
        code += [
            (BPF_JEQ_K, 0, 4, syscalls[name]),
            (BPF_LD_W_ABS, 0, 0, DATA_ARGS + ARG_BYTES * argument),
            (BPF_JEQ_K, 0, 1, signal.SIGKILL),
            deny,
            allow,
        ]
    code += [
        (BPF_JEQ_K, 0, 5, syscalls["mmap"]),
        (BPF_LD_W_ABS, 0, 0, DATA_ARGS + ARG_BYTES * 3),  # its flags
        (BPF_AND_K, 0, 0, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS),
        (BPF_JEQ_K, 0, 1, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS),
        (BPF_RET_K, 0, 0, SECCOMP_RET_ERRNO | ENOMEM),
        allow,
        (BPF_JEQ_K, 0, 3, syscalls["clone"]),
        (BPF_LD_W_ABS, 0, 0, DATA_ARGS),  # its flags
        (BPF_JSET_K, 1, 0, CLONE_THREAD),
        deny,
        allow,
    ]
    return code


def apply_seccomp() -> None:
    """Install the filter of system calls for this process."""
    code = seccomp_filter(os.uname().machine)
    packed = b"".join(struct.pack("HBBI", *instruction) for instruction in code)
    buffer = ctypes.create_string_buffer(packed, len(packed))
    program = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(buffer))
    libc_call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)


# ---- all layers ---------------------------------------------------------------------------------


def confine(control: int, restrictions: dict[str, Any]) -> None:
    """Apply every layer this system supports; returns in the bot's process only."""
    limits = restrictions["limits"]
    die_with_parent()
    namespaced = False
    if restrictions["namespaces"]:
        with suppress(OSError):
            enter_namespaces()
            namespaced = True
    if not namespaced:
        limits.pop("RLIMIT_NPROC", None)  # it would count all processes of the user
    fork_under_supervision(control, namespaced, restrictions)
    set_resource_limits(limits)
    with suppress(OSError):
        drop_privileges()
    with suppress(OSError):
        # Not /dev/zero: it could be mapped as shared memory.
        writable = [restrictions["scratch"], "/dev/null", "/dev/full"]
        apply_landlock(restrictions["readable"], restrictions["listable"], writable)
    with suppress(OSError, KeyError):
        apply_seccomp()


def _main() -> None:
    _, control, restrictions, mode, *arguments = sys.argv
    if mode == "bot":
        # Before confinement: inside, the folder of our packages cannot be listed.
        from bots.runtime import child_main  # noqa: PLC0415
    confine(int(control), json.loads(restrictions))
    if mode == "bot":
        child_main.run_bot(arguments)
    try:
        os.execv(arguments[0], arguments)  # noqa: S606  (executing it is the point)
    except OSError as error:
        sys.exit(f"{arguments[0]} cannot be run in the sandbox: {error.strerror}")


if __name__ == "__main__":
    _main()
