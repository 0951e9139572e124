"""Namespaces: a root folder, process table and network of a bot's own.

The root folder is a small tmpfs with nothing in it but read-only mounts of what the bot may read,
and a scratch folder. A link that leads elsewhere leads nowhere.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from arena.sandbox.kernel import libc_call, system_call

NOBODY_ID: Final = 65534

# From <fcntl.h>, <sched.h> and <sys/mount.h>.
AT_FDCWD: Final = -100
AT_RECURSIVE: Final = 0x8000
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
MS_MOVE: Final = 0x2000
MS_REC: Final = 0x4000
MS_PRIVATE: Final = 1 << 18
MOUNT_ATTR_RDONLY: Final = 1
MOUNT_ATTR_NOSUID: Final = 2

_KINDS: Final = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET


def enter_process_namespace() -> None:
    """Give the next child a process table of its own; it can then make the other namespaces.

    Root needs no user namespace for that, unless it lacks the capability.
    """
    if os.geteuid() == 0:
        with suppress(OSError):
            libc_call("unshare", CLONE_NEWPID)
            return
    identity = {
        "setgroups": "deny",
        "uid_map": f"{NOBODY_ID} {os.getuid()} 1",
        "gid_map": f"{NOBODY_ID} {os.getgid()} 1",
    }
    libc_call("unshare", CLONE_NEWUSER | CLONE_NEWPID)
    for name, text in identity.items():
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def enter_other_namespaces() -> None:
    """No network, no shared queues, and mounts that nobody else sees."""
    libc_call("unshare", _KINDS)
    libc_call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)


def enter_private_root(plan: Mapping[str, Any], scratch: str, owner: int) -> None:
    """Leave the host's root folder for one with only what the plan names; see policy.py."""
    root = scratch  # its real place; inside, a folder of the same name is the scratch folder
    _mount_tmpfs(root, "size=1m,nr_inodes=4000,mode=755")
    for path, target in plan["links"]:
        _make_folder(os.path.dirname(root + path))
        os.symlink(target, root + path)
    for source, path in plan["binds"]:
        _bind(source, root + path)
    for path in plan["masked"]:
        with suppress(OSError):  # it is not in the new root at all
            _mask(root + path)
    for path in plan["folders"]:
        _make_folder(root + path)
    _make_folder(root + scratch)
    user = f",uid={owner},gid={owner}" if owner else ""
    _mount_tmpfs(root + scratch, f"size={plan['scratch_bytes']},nr_inodes=1000,mode=700{user}")
    os.chdir(root)
    _set_attributes(b".", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0)
    _set_attributes(os.fsencode(root + scratch), 0, 0, MOUNT_ATTR_RDONLY)
    # Over the old root, which nothing can name any more. To unmount it would take milliseconds.
    libc_call("mount", b".", b"/", None, MS_MOVE, None)
    os.chroot(".")
    os.chdir(plan["folder"])


def _bind(source: str, target: str) -> None:
    """Mount a file or folder in another place as well; what does not exist is left out."""
    if os.path.isdir(source):
        _make_folder(target)
    elif os.path.exists(source):
        _make_folder(os.path.dirname(target))
        if not os.path.exists(target):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    else:
        return
    libc_call("mount", os.fsencode(source), os.fsencode(target), None, MS_BIND | MS_REC, None)


def _make_folder(path: str) -> None:
    if not os.path.isdir(path):
        os.makedirs(path, 0o755, exist_ok=True)


def _mask(path: str) -> None:
    """Mount an empty folder over a folder, /dev/null over a file."""
    if os.path.isdir(path):
        _mount_tmpfs(path, "size=4k,nr_inodes=2,mode=755", MS_RDONLY)
    else:
        libc_call("mount", b"/dev/null", os.fsencode(path), None, MS_BIND, None)


def _mount_tmpfs(folder: str, options: str, flags: int = 0) -> None:
    flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC
    libc_call("mount", b"arena", os.fsencode(folder), b"tmpfs", flags, options.encode())


def _set_attributes(folder: bytes, flags: int, add: int, remove: int) -> None:
    attributes = struct.pack("QQQQ", add, remove, 0, 0)
    system_call("mount_setattr", AT_FDCWD, folder, flags, attributes, len(attributes))
