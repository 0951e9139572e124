"""A control group (cgroup v2) for one bot, where the arena may make one: caps all its memory."""

from __future__ import annotations

import os
import re
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

MOUNTED: Final = Path("/sys/fs/cgroup")
_NAME: Final = re.compile(r"arena-(\d+)-\w+")
"""Named after the arena's process, so that what a killed one leaves can be told."""
_PATIENCE: Final = 0.5
"""Seconds to wait for the last process of a group."""


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
    _sweep_once(parent)
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
    """Remove a group; what is left in it is killed."""
    deadline = time.monotonic() + _PATIENCE
    while group and time.monotonic() < deadline:
        try:
            os.rmdir(group)
        except FileNotFoundError:
            return
        except OSError:
            with suppress(OSError):
                Path(group, "cgroup.kill").write_text("1", encoding="ascii")
            time.sleep(0.002)
        else:
            return


@cache
def _sweep_once(parent: str) -> None:
    """Remove the groups of arenas that were killed; the kernel keeps those with processes."""
    for group in Path(parent).glob("arena-*"):
        named = _NAME.fullmatch(group.name)
        if named and not Path("/proc", named[1]).exists():
            with suppress(OSError):
                group.rmdir()
