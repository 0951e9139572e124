"""Landlock: which paths a confined process may use; also denies TCP and signals to the outside."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Sequence
from typing import Final

from arena.sandbox.kernel import system_call

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


def apply_landlock(
    readable: Sequence[str], listable: Sequence[str], writable: Sequence[str]
) -> None:
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
            _allow_path(ruleset, path, access)
    system_call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def _allow_path(ruleset: int, path: str, access: int) -> None:
    """Allow a file or all that is beneath a folder; never what a link leads to."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return  # what does not exist needs no rule
    try:
        kind = os.fstat(descriptor).st_mode
        if stat.S_ISLNK(kind):
            return
        if not stat.S_ISDIR(kind):
            access &= FILE_ACCESS
        rule = struct.pack("=Qi", access, descriptor)
        system_call("landlock_add_rule", ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
