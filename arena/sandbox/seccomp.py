"""The filter of system calls: an allow-list in BPF, and a listener that counts what it refuses."""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from errno import EAGAIN, ENOSYS, EPERM
from functools import cache
from typing import Final

from arena.sandbox.kernel import MACHINE, libc_call, system_call
from arena.sandbox.system_calls import (
    ALLOWED,
    CHECKED,
    FUTEX,
    FUTEX_OPERATION,
    FUTEX_WAITS,
    FUTEX_WAKES,
    MOST_PIPES,
    MOST_THREADS,
    NOT_COUNTED,
    NUMBERS,
    OWN_PID,
    PIPES,
    PRETENDED,
    PROGRAM_ALLOWED,
    THREADS,
    ArgumentCheck,
    name_of,
)

# From <linux/bpf_common.h>: the instructions of a filter.
BPF_LD_W_ABS: Final = 0x00 | 0x00 | 0x20
BPF_AND_K: Final = 0x04 | 0x50 | 0x00
BPF_JEQ_K: Final = 0x05 | 0x10 | 0x00
BPF_JGE_K: Final = 0x05 | 0x30 | 0x00
BPF_JSET_K: Final = 0x05 | 0x40 | 0x00
BPF_RET_K: Final = 0x06 | 0x00

# From <linux/seccomp.h> and <linux/audit.h>.
SECCOMP_SET_MODE_FILTER: Final = 1
SECCOMP_FILTER_FLAG_NEW_LISTENER: Final = 8
PR_SET_SECCOMP: Final = 22
SECCOMP_MODE_FILTER: Final = 2
SECCOMP_RET_KILL_PROCESS: Final = 0x80000000
SECCOMP_RET_USER_NOTIF: Final = 0x7FC00000
SECCOMP_RET_ERRNO: Final = 0x00050000
SECCOMP_RET_ALLOW: Final = 0x7FFF0000
SECCOMP_IOCTL_NOTIF_RECV: Final = 0xC0502100
SECCOMP_IOCTL_NOTIF_SEND: Final = 0xC0182101
SECCOMP_USER_NOTIF_FLAG_CONTINUE: Final = 1
AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_SYSCALL_BIT: Final = 0x40000000

# Offsets in struct seccomp_data.
DATA_NR: Final = 0
DATA_ARCH: Final = 4
DATA_ARGS: Final = 16
ARG_BYTES: Final = 8

MOST_COUNTED: Final = 1000
"""Refusals that are counted in a game; then the listener closes, and the kernel refuses alone, new
threads and pipes too."""

LINK: Final = 3
"""The descriptor of the socket over which a process sends its listener to the supervisor."""

BpfInstruction = tuple[int, int, int, int]
"""Operation, instructions to skip if true, and if false, operand."""

_ALLOW: Final = (BPF_RET_K, 0, 0, SECCOMP_RET_ALLOW)
_REFUSE: Final = (BPF_RET_K, 0, 0, SECCOMP_RET_ERRNO | EPERM)
_COUNT: Final = (BPF_RET_K, 0, 0, SECCOMP_RET_USER_NOTIF)
_MISSING: Final = (BPF_RET_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS)
_PRETEND: Final = (BPF_RET_K, 0, 0, SECCOMP_RET_ERRNO)


def seccomp_filter(
    machine: str, program: bool = False, listener: bool = False, pid: int = 1
) -> list[BpfInstruction]:
    """The filter as BPF instructions.

    `program`: whether it may execute files. `listener`: whether refusals are reported to one, which
    may be sent over LINK, instead of failing at once. `pid`: of the process that is confined.
    """
    numbers = NUMBERS[machine]
    refuse = _COUNT if listener else _REFUSE
    code = [
        (BPF_LD_W_ABS, 0, 0, DATA_ARCH),
        (BPF_JEQ_K, 1, 0, AUDIT_ARCH[machine]),
        (BPF_RET_K, 0, 0, SECCOMP_RET_KILL_PROCESS),
        (BPF_LD_W_ABS, 0, 0, DATA_NR),
        (BPF_JGE_K, 0, 1, X32_SYSCALL_BIT),
        _REFUSE,
    ]
    checked = {**CHECKED, "sendmsg": (ArgumentCheck(0, one_of=(LINK,)),)} if listener else CHECKED
    for name, checks in checked.items():
        if name in numbers:
            # A wait that ends too early is made again by its thread, so that is no failure.
            failing = _PRETEND if name == FUTEX and not listener else refuse
            body = [step for check in checks for step in _steps(check, failing, pid)]
            result = _COUNT if name == THREADS and listener else _ALLOW
            code += [(BPF_JEQ_K, 0, len(body) + 1, numbers[name]), *body, result]
    allowed = (*ALLOWED, *PROGRAM_ALLOWED) if program else ALLOWED
    if not listener:  # nobody counts them
        allowed = (*allowed, *PIPES)
    for names, result in ((allowed, _ALLOW), (NOT_COUNTED, _MISSING), (PRETENDED, _PRETEND)):
        code += _any_of((numbers[name] for name in names if name in numbers), result)
    return [*code, refuse]


def _any_of(numbers: Iterable[int], result: BpfInstruction) -> list[BpfInstruction]:
    """Return the result if what is loaded equals one of the numbers, else go on."""
    code: list[BpfInstruction] = []
    values = list(numbers)
    for index, value in enumerate(values):
        to_result = len(values) - index - 1
        last = index == len(values) - 1
        code.append((BPF_JEQ_K, to_result, int(last), value))
    return [*code, result]


def _steps(check: ArgumentCheck, refuse: BpfInstruction, pid: int) -> list[BpfInstruction]:
    """Return the refusal if the check of an argument fails, else go on."""
    place = DATA_ARGS + ARG_BYTES * check.argument
    load = (BPF_LD_W_ABS, 0, 0, place)
    code = [load]
    if check.one_of:
        values = [pid if value == OWN_PID else value for value in check.one_of]
        for index, value in enumerate(values):
            code.append((BPF_JEQ_K, len(values) - index, 0, value))
        code.append(refuse)
    for value in check.none_of:
        code += [(BPF_JEQ_K, 0, 1, value), refuse]
    if check.without:
        code += [(BPF_JSET_K, 0, 1, check.without), refuse]
    if check.not_all:
        code += [(BPF_AND_K, 0, 0, check.not_all), (BPF_JEQ_K, 0, 1, check.not_all), refuse, load]
    if check.with_all:
        code += [(BPF_AND_K, 0, 0, check.with_all), (BPF_JEQ_K, 1, 0, check.with_all), refuse, load]
    if check.null:
        high = (BPF_LD_W_ABS, 0, 0, place + 4)
        code += [(BPF_JEQ_K, 1, 0, 0), refuse, high, (BPF_JEQ_K, 1, 0, 0), refuse]
    return code


def apply_seccomp(program: bool = False, referred: bool = False) -> int:
    """Install the filter for this process; returns the listener, or -1 if there is none.

    There is one if calls are to be referred to it and the kernel (Linux 5.5) can let calls pass.
    """
    if referred and _linux() >= (5, 5):
        with suppress(OSError):
            packed, _keep = _packed(packed_filter(program, True, os.getpid()))
            flags = SECCOMP_FILTER_FLAG_NEW_LISTENER
            return system_call("seccomp", SECCOMP_SET_MODE_FILTER, flags, packed)
    packed, _keep = _packed(packed_filter(program, False, os.getpid()))
    libc_call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, packed, 0, 0)
    return -1


@cache
def packed_filter(program: bool = False, listener: bool = True, pid: int = 1) -> bytes:
    """The filter for this machine as the kernel takes it; made before bots are forked."""
    code = seccomp_filter(MACHINE, program, listener, pid)
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def _linux() -> tuple[int, ...]:
    """The version of the kernel, as far as it matters."""
    return tuple(int(number) for number in re.findall(r"\d+", os.uname().release)[:2])


def _packed(instructions: bytes) -> tuple[bytes, object]:
    """A struct sock_fprog, and the buffer that it points to, which must be kept."""
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    return struct.pack("HxxxxxxQ", len(instructions) // 8, ctypes.addressof(buffer)), buffer


# ---- counting refusals --------------------------------------------------------------------------

_NOTICE: Final = struct.Struct("=QIIiIQ6Q")
"""A struct seccomp_notif: its ID, the thread, flags, the call, the machine, where, arguments."""
_ANSWER: Final = struct.Struct("=QqiI")
"""A struct seccomp_notif_resp: the ID, the result, the error, flags."""


class Referral:
    """What the supervisor answers to the system calls that the filter refers to it."""

    def __init__(self, listener: int, threads: Callable[[], int]) -> None:
        self.listener = listener
        self.threads = threads
        """Counts the threads of the bot."""
        self.refused: Counter[str] = Counter()
        self.pipes = 0
        self.sleeping: list[int] = []
        """Waits for a futex that other processes could wake: never made, and ended by `wake`."""

    def answer_one(self) -> None:
        """Refuse the system call that waits and count it by name, let it pass or pretend it."""
        notice = bytearray(_NOTICE.size)
        with suppress(OSError):  # the thread that made it has ended meanwhile
            fcntl.ioctl(self.listener, SECCOMP_IOCTL_NOTIF_RECV, notice)
            identity, _, _, number, _, _, *arguments = _NOTICE.unpack(notice)
            name = name_of(number, MACHINE)
            operation = arguments[1] & FUTEX_OPERATION
            if name == FUTEX and operation in FUTEX_WAITS:
                self.sleeping.append(identity)
                return
            if name == FUTEX and operation in FUTEX_WAKES:
                self._sent(identity, 0, 0)  # as if nobody had waited
                return
            error = self._error(name, arguments)
            if not error and self._sent(identity, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE):
                return
            if error != EAGAIN:
                self.refused[name] += 1
            self._sent(identity, error or EPERM, 0)

    def wake(self) -> None:
        """End the waits that were pretended; the threads look whether that was too early."""
        for identity in self.sleeping:
            self._sent(identity, 0, 0)
        self.sleeping.clear()

    def _error(self, name: str, arguments: Sequence[int]) -> int:
        """The error that the call gets; 0 if it may pass. The filter has checked all others."""
        if name in PIPES and self.pipes < MOST_PIPES:
            self.pipes += 1
            return 0
        if name == THREADS and all(
            check.holds(arguments[check.argument]) for check in CHECKED[THREADS]
        ):
            return 0 if self.threads() < MOST_THREADS else EAGAIN
        return EPERM if name in NUMBERS[MACHINE] else ENOSYS

    def _sent(self, identity: int, error: int, flags: int) -> bool:
        try:
            answer = _ANSWER.pack(identity, 0, -error, flags)
            fcntl.ioctl(self.listener, SECCOMP_IOCTL_NOTIF_SEND, answer)
        except OSError:
            return False  # its thread has ended
        return True
