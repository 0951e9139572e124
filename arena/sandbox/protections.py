"""Which protections hold on this machine: a probe in the sandbox tries to break each of them.

Nobody asks the kernel what it supports. The probe (probe.py) makes many attacks, each of which
belongs to one protection; a protection is in force if all its attacks fail.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.sandbox.cgroup import remove_group
from arena.sandbox.policy import EXEC_MODE, WALLS, NoSandbox, SandboxPolicy, run_quietly
from arena.sandbox.scratch import new_scratch, remove_scratch
from arena.sandbox.submission import Submission
from games.engine import ROOT

PROBE_SCRIPT: Final = Path(__file__).with_name("probe.py")
PROBE_MEMORY: Final = 256 << 20

PROTECTIONS: Final = {
    "memory": "memory limit",
    "processor": "CPU time limit",
    "files": "limit on open files",
    "processes": "no child processes",
    "network": "no sockets, not even to localhost",
    "writing": "no writes outside its scratch folder",
    "reading": "no reads except its own and system files",
    "seeing": "no sight of other files, not even of their names and sizes",
    "changing": "no changes to modes, owners, times or limits of anything",
    "others": "no access to other processes, through /proc or otherwise",
    "signals": "no signals to the arena or other processes",
    "traces": "no traces for a later game or another bot: locks, queues, caches",
    "death": "no death that looks like the machine's fault",
    "kernel": "no system calls except those on a list",
    "cleanup": "no process outlives the bot",
}
"""Name -> what it means. Every attack of the probe belongs to one of them."""


@dataclass(frozen=True)
class Protection:
    """One thing that a bot must not be able to do."""

    name: str
    meaning: str
    in_force: bool


@dataclass(frozen=True)
class Attack:
    """One attack of the probe, and whether the sandbox held."""

    name: str
    protection: str
    held: bool


@cache
def protections() -> tuple[Protection, ...]:
    """The protections, each tested on this machine."""
    return in_force(attacks())


def in_force(tried: tuple[Attack, ...]) -> tuple[Protection, ...]:
    """Every protection, and whether it withstood all its attacks."""
    broken = {attack.protection for attack in tried if not attack.held}
    untested = set(PROTECTIONS) - {attack.protection for attack in tried}
    return tuple(
        Protection(name, meaning, name not in broken | untested)
        for name, meaning in PROTECTIONS.items()
    )


def attacks(maker: str | None = None, walls: tuple[str, ...] = tuple(WALLS)) -> tuple[Attack, ...]:
    """What the probe achieves in a sandbox with those walls; nothing if it cannot run.

    `maker`: what makes the namespaces; see `SandboxPolicy`.
    """
    scratch = new_scratch()
    control, probe_end = socket.socketpair()
    with control, probe_end, tempfile.TemporaryDirectory(prefix="arena-") as folder:
        own = probe_folder(Path(folder))
        mine, ours = (Submission(own),), (ROOT,)
        policy = SandboxPolicy(mine, listable=ours, memory=PROBE_MEMORY, maker=maker, walls=walls)
        python = (sys.executable, "-s", "-P", str(PROBE_SCRIPT))
        command = [EXEC_MODE, *python, folder, str(own), scratch, str(os.getpid())]
        restrictions = policy.restrictions(command, scratch)
        try:
            with policy.command_line(command, restrictions, probe_end.fileno()) as line:
                printed = run_quietly(line.words, *line.passed)
        finally:
            remove_group(str(restrictions["group"]))
            remove_scratch(scratch)
    return _read(json.loads(printed), policy) if printed else ()


def probe_folder(folder: Path) -> Path:
    """Prepare what the probe attacks; returns the folder of its own."""
    (folder / "secret").write_text("treasure", encoding="ascii")
    own = folder / "own"
    own.mkdir()
    for name in ("read.txt", "times.txt"):
        (own / name).write_text("read me", encoding="ascii")
        os.utime(own / name, (0, 1))  # an old time of access, so that a new one shows
    folder.chmod(0o755)
    return own


def _read(printed: Mapping[str, tuple[str, bool]], policy: SandboxPolicy) -> tuple[Attack, ...]:
    tried = [Attack(name, protection, held) for name, (protection, held) in printed.items()]
    alone = next((attack.held for attack in tried if attack.name == "fork"), False)
    # Its namespace ends with it; without one, it must not be able to start anything.
    tried.append(Attack("outlive the bot", "cleanup", alone or bool(policy.namespaces)))
    return tuple(tried)


def require_sandbox() -> None:
    """Raise NoSandbox, naming what is missing, unless every protection holds."""
    missing = [protection.meaning for protection in protections() if not protection.in_force]
    if missing:
        raise NoSandbox(
            f"this machine cannot isolate bots fully; missing: {'; '.join(missing)}. "
            "Use a Linux kernel with Landlock and user namespaces, or install bubblewrap"
        )
