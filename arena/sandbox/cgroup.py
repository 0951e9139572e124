"""A control group (cgroup v2) for one bot, where the arena may make one: caps all its memory."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

MOUNTED: Final = Path("/sys/fs/cgroup")


@cache
def parent_group() -> str:
    """The folder in which groups with a memory limit can be made; empty if there is none."""
    try:
        text = Path("/proc/self/cgroup").read_text(encoding="utf-8")
    except OSError:
        return ""
    return find_parent(MOUNTED, text)


def find_parent(mounted: Path, membership: str) -> str:
    """The group next to which ours lies, or ours, if it hands out memory limits and is writable.

    `membership`: the text of /proc/self/cgroup.
    """
    own = next((line[3:] for line in membership.splitlines() if line.startswith("0::")), None)
    if own is None or not (mounted / "cgroup.controllers").exists():
        return ""  # cgroup v1, or none
    folder = mounted / own.strip("/")
    for group in dict.fromkeys((folder.parent if folder != mounted else folder, folder)):
        with suppress(OSError):
            handed_out = (group / "cgroup.subtree_control").read_text(encoding="ascii").split()
            if "memory" in handed_out and os.access(group / "cgroup.procs", os.W_OK):
                return str(group) if os.access(group, os.W_OK) else ""
    return ""


def new_group(parent: str, memory: int) -> str:
    """A group with that limit for all its processes together; empty if that fails."""
    with suppress(OSError):
        group = tempfile.mkdtemp(prefix=f"arena-{os.getpid()}-", dir=parent)
        try:
            Path(group, "memory.max").write_text(str(memory), encoding="ascii")
            with suppress(OSError):  # there may be no swap to account for
                Path(group, "memory.swap.max").write_text("0", encoding="ascii")
        except OSError:
            remove_group(group)
        else:
            return group
    return ""


def join_group(group: str) -> None:
    """Move this process there."""
    Path(group, "cgroup.procs").write_text("0", encoding="ascii")  # itself


def out_of_memory(group: str) -> bool:
    """Whether the kernel has killed a process of the group for its memory."""
    with suppress(OSError):
        lines = Path(group, "memory.events").read_text(encoding="ascii").splitlines()
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)
    return False


def remove_group(group: str) -> None:
    """Remove an empty group."""
    if group:
        with suppress(OSError):
            os.rmdir(group)
