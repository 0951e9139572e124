"""Calls into the Linux kernel that Python's standard library does not offer."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
from typing import Final

from arena.sandbox.system_calls import NUMBERS

MACHINE: Final = os.uname().machine
_LIBC: Final = ctypes.CDLL(None, use_errno=True)

# From <sys/prctl.h> and <linux/capability.h>.
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
_LINUX_CAPABILITY_VERSION_3: Final = 0x20080522


def libc_call(name: str, *arguments: int | bytes | None) -> int:
    """Call a function of the C library; OSError if it fails."""
    # ctypes would pass a bare int as 32 bits and leave the upper half of the register undefined.
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    function = getattr(_LIBC, name)
    # What `syscall` returns may be an address, which has more than the 32 bits of an int.
    function.restype = ctypes.c_long if name == "syscall" else ctypes.c_int
    result: int = function(*wide)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def system_call(name: str, *arguments: int | bytes | None) -> int:
    """Make a system call that has no wrapper in the C library; OSError if it fails."""
    try:
        number = NUMBERS[MACHINE][name]
    except KeyError:
        raise OSError(f"{name} is not known on {MACHINE}") from None
    return libc_call("syscall", number, *arguments)


def die_with_parent() -> None:
    """Get SIGKILL when the parent exits; a change of user cancels it."""
    libc_call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def drop_privileges() -> None:
    """Give up all capabilities, for good."""
    libc_call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc_call("prctl", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    libc_call("capset", struct.pack("Ii", _LINUX_CAPABILITY_VERSION_3, 0), bytes(24))


def become_user(user: int) -> None:
    """Become an unprivileged user that owns nothing, with no groups."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
