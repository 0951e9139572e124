"""`arena sandbox`: what isolated bots cannot do on this machine."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Sequence

import click

from arena.cli.console import format_table, show_json, show_report
from arena.cli.exit_codes import FAILED
from arena.cli.options import json_option
from arena.sandbox import policy
from arena.sandbox.cgroup import parent_group
from arena.sandbox.protections import PROTECTIONS, Attack, Protection, attacks, in_force

MAKERS = {"own": "made by arena itself", "bubblewrap": "made by bubblewrap", "": "none"}


@click.command("sandbox")
@click.option(
    "--namespaces",
    type=click.Choice(["own", "bubblewrap", "none"]),
    help="test as if only this could make namespaces",
)
@click.option("--walls", is_flag=True, help="also test what each wall holds alone")
@json_option
def sandbox_command(namespaces: str | None, walls: bool, as_json: bool) -> None:
    """Show what isolated bots cannot do here.

    Starts a probe in the sandbox of an isolated bot. It makes many attacks: it tries to read,
    write, connect, escape and leave traces. The table shows which protections held. Exit code 1
    if one is missing.

    \b
    Examples:
      arena sandbox
      arena sandbox --namespaces none
      arena match their_bot.py:TheirBot greedy --isolate
    """
    maker = None if namespaces is None else namespaces.replace("none", "")
    tried = attacks(maker)
    if namespaces == "bubblewrap" and not tried:
        if shutil.which("bwrap") is None:
            problem = "bubblewrap is not installed, so nothing was tested; install it or omit"
        else:
            problem = "bubblewrap cannot run the probe here, so nothing was tested; omit"
        raise click.ClickException(f"{problem} --namespaces")
    held = in_force(tried)
    complete = all(each.in_force for each in held)
    alone = _each_alone(maker) if walls else None
    used = policy.SandboxPolicy(maker=maker)
    if as_json:
        show_json("sandbox", _as_json(used, held, tried, alone))
    else:
        show_report(_report(used, held, tried, alone, complete))
    if not complete:
        sys.exit(FAILED)


def _each_alone(maker: str | None) -> dict[str, set[str]]:
    """Wall -> the attacks that it alone withstands; the supervisor only kills, so it has none."""
    return {
        wall: {attack.name for attack in attacks(maker, (wall,)) if attack.held}
        for wall in policy.WALLS
        if wall != "watch"
    }


def _as_json(
    used: policy.SandboxPolicy,
    held: Sequence[Protection],
    tried: Sequence[Attack],
    alone: dict[str, set[str]] | None,
) -> dict[str, object]:
    return {
        "complete": all(each.in_force for each in held),
        "namespaces": used.namespaces or None,
        "root": os.geteuid() == 0,
        "own_user": used.has_own_user(),
        "group_memory": "cgroup" if parent_group() else "watching",
        "kernel": platform.release(),
        "protections": [vars(each) for each in held],
        "attacks": [vars(each) for each in tried],
        "walls": None
        if alone is None
        else [{"wall": wall, "held": sorted(names)} for wall, names in alone.items()],
    }


def _report(
    used: policy.SandboxPolicy,
    held: Sequence[Protection],
    tried: Sequence[Attack],
    alone: dict[str, set[str]] | None,
    complete: bool,
) -> str:
    rows = [[each.meaning, "yes" if each.in_force else "NO"] for each in held]
    lines = [format_table(rows, ["protection", "in force"]), ""]
    lines += [f"Attack that succeeded: {each.name}." for each in tried if not each.held]
    if alone is not None:
        lines += [_walls_table(tried, alone), ""]
    user = "one of its own" if used.has_own_user() else "the arena's, without its rights"
    lines.append(f"Namespaces: {MAKERS[used.namespaces]}. User of a bot: {user}.")
    verdict = "Isolated bots are not fully contained here; run only bots that you trust."
    lines.append("All protections are in force." if complete else verdict)
    return "\n".join(lines)


def _walls_table(tried: Sequence[Attack], alone: dict[str, set[str]]) -> str:
    """For each protection, how many of its attacks each wall withstands without the others."""
    rows = []
    for name in PROTECTIONS:
        names = [attack.name for attack in tried if attack.protection == name]
        counts = [len(held.intersection(names)) for held in alone.values()]
        rows.append([name, len(names), *counts])
    return format_table(rows, ["attacks withstood alone", "of", *alone])
