"""`arena sandbox`: what isolated bots cannot do on this machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from arena.cli.console import format_table, show_json, show_report
from arena.cli.exit_codes import FAILED
from arena.cli.options import json_option
from arena.sandbox import policy


@click.command("sandbox")
@json_option
def sandbox_command(as_json: bool) -> None:
    """Show what isolated bots cannot do here.

    Starts a probe in the sandbox of an isolated bot. It tries to read, write, connect and escape;
    the table shows what failed, as it should, and what succeeded. Exit code 1 if a protection is
    missing.

    \b
    Examples:
      arena sandbox
      arena match their_bot.py:TheirBot greedy --isolate
    """
    protections = policy.protections()
    complete = all(each.in_force for each in protections)
    if as_json:
        each_one = [vars(each) for each in protections]
        maker = policy.namespace_maker() or None
        show_json("sandbox", {"complete": complete, "namespaces": maker, "protections": each_one})
    else:
        show_report(_report(protections, complete))
    if not complete:
        sys.exit(FAILED)


def _report(protections: Sequence[policy.Protection], complete: bool) -> str:
    rows = [[each.meaning, "yes" if each.in_force else "NO"] for each in protections]
    makers = {"own": "made by arena itself", "bubblewrap": "made by bubblewrap", "": "none"}
    verdict = "Isolated bots are not fully contained here; run only bots that you trust."
    return "\n".join(
        [
            format_table(rows, ["protection", "in force"]),
            "",
            f"Namespaces: {makers[policy.namespace_maker()]}.",
            "All protections are in force." if complete else verdict,
        ]
    )
