"""Confines a bot's process before any of the bot's code runs in it.

    python -m arena.sandbox.confine CONTROL RESTRICTIONS exec COMMAND...  executes a program
    python -m arena.sandbox.confine CONTROL RESTRICTIONS bot NAME         plays a Python bot here

RESTRICTIONS is JSON from arena/sandbox/policy.py. Walls that this system does not support are
skipped; policy.py runs a probe to find out which protections hold. CONTROL is the descriptor of a
control socket. The arena holds its other end; when the arena closes it, the bot is killed.

There are two processes. The supervisor stays outside and reports on the control socket how the bot
ended. Its child is the bot, as the first process of a PID namespace: when it exits, the kernel
kills everything else in there.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from arena.sandbox.cgroup import join_group
from arena.sandbox.kernel import become_user, die_with_parent, drop_privileges
from arena.sandbox.landlock import apply_landlock
from arena.sandbox.private_root import (
    enter_other_namespaces,
    enter_private_root,
    enter_process_namespace,
)
from arena.sandbox.seccomp import LINK, apply_seccomp
from arena.sandbox.supervisor import CANNOT_BUILD, LISTENER, SEEN_FROM_OUTSIDE, Supervisor

DESCRIPTORS_END: Final = 256
"""Above any descriptor that this process opens; those it was given may be higher."""

FIRST_USER: Final = 1_900_000_000
"""Bots of an arena that runs as root get users from here on, which nobody else uses."""
USERS: Final = 200_000_000
"""How many, drawn at random: the number of a process would show how many were started before."""


def confine(control: int, restrictions: dict[str, Any]) -> None:
    """Apply every wall this system supports; returns in the bot's process only."""
    walls = restrictions["walls"]
    link, inner_link = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    namespaced = "namespaces" in walls and restrictions["namespaces"] and _try_namespaces()
    user = _new_user() if restrictions["own_user"] else 0
    bot = os.fork()
    if bot:
        inner_link.close()
        os.closerange(0, 3)  # so that the bot's pipes close when the bot closes them
        Supervisor(bot, control, link, restrictions).run()
    link.close()
    die_with_parent()
    os.setsid()
    _show_from_outside(inner_link, restrictions)
    os.dup2(inner_link.detach(), LINK)
    given = (control, restrictions.get("process_table") or 0)
    os.closerange(LINK + 1, max(DESCRIPTORS_END, *given) + 1)
    inner_link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=LINK)
    try:
        _enter(namespaced, restrictions, user)
    except OSError:
        inner_link.send(CANNOT_BUILD)
        os._exit(1)
    if "limits" in walls:
        limits = dict(restrictions["limits"])
        if not namespaced and not user:
            limits.pop("RLIMIT_NPROC", None)  # it would count all processes of the user
        set_resource_limits(limits)
    if user:
        become_user(user)
        die_with_parent()
    with suppress(OSError):
        drop_privileges()
    if "landlock" in walls:
        with suppress(OSError):
            # Not /dev/zero: it could be mapped as shared memory.
            writable = [restrictions["scratch"], "/dev/null", "/dev/full"]
            apply_landlock(restrictions["readable"], restrictions["listable"], writable)
    if "seccomp" in walls:
        _filter_system_calls(inner_link, restrictions["program"])
    inner_link.close()


def _show_from_outside(link: socket.socket, restrictions: Mapping[str, Any]) -> None:
    """Give the supervisor this process's folder in the host's /proc, to see what it uses."""
    table = restrictions.get("process_table")
    with suppress(OSError):  # there is no /proc
        folder = os.open("/proc/self" if table is None else "self", os.O_PATH, dir_fd=table)
        try:
            socket.send_fds(link, [SEEN_FROM_OUTSIDE], [folder])
            # Where core dumps cannot be forbidden, there is no memory in them.
            core = os.open("coredump_filter", os.O_WRONLY, dir_fd=folder)
            os.write(core, b"0")
            os.close(core)
        finally:
            os.close(folder)


def _new_user() -> int:
    return FIRST_USER + int.from_bytes(os.urandom(8), "little") % USERS


def _try_namespaces() -> bool:
    with suppress(OSError):
        enter_process_namespace()
        return True
    return False


def _enter(namespaced: bool, restrictions: Mapping[str, Any], user: int) -> None:
    """Enter the control group, namespaces and scratch folder of the bot."""
    if group := restrictions["group"]:
        with suppress(OSError):
            join_group(group)
    if namespaced:
        enter_other_namespaces()
        enter_private_root(restrictions["root"], restrictions["scratch"], user)
    elif user:
        os.chown(restrictions["scratch"], user, user)


def _filter_system_calls(link: socket.socket, program: bool) -> None:
    """Install the filter, and give the supervisor the listener that counts refusals."""
    with suppress(OSError, KeyError):
        listener = apply_seccomp(program, referred=True)
        if listener >= 0:
            try:
                socket.send_fds(link, [LISTENER], [listener])
            finally:
                os.close(listener)


def set_resource_limits(limits: Mapping[str, int]) -> None:
    """Set limits, named as in the resource module."""
    for name, wanted in limits.items():
        which = getattr(resource, name)
        _, hard = resource.getrlimit(which)
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            # One second between soft and hard, so that the bot gets SIGXCPU before SIGKILL.
            resource.setrlimit(which, (soft, soft + (which == resource.RLIMIT_CPU)))


def _main() -> None:
    _, control, restrictions, mode, *arguments = sys.argv
    if mode == "bot":
        # Before confinement: inside, the folder of our packages cannot be listed.
        from bots.runtime import child_main  # noqa: PLC0415

        child_main.import_packages()
    confine(int(control), json.loads(restrictions))
    if mode == "bot":
        child_main.run_bot(arguments)
    try:
        os.execv(arguments[0], arguments)  # noqa: S606  (executing it is the point)
    except OSError as error:
        sys.exit(f"{arguments[0]} cannot be run in the sandbox: {error.strerror}")


if __name__ == "__main__":
    _main()
