"""`arena sandbox`: what isolated bots cannot do on this machine."""

from __future__ import annotations

import sys

import click

from arena.cli.console import format_table
from arena.cli.exit_codes import FAILED
from arena.sandbox import policy


@click.command("sandbox")
def sandbox_command() -> None:
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
    rows = [[each.meaning, "yes" if each.in_force else "NO"] for each in protections]
    click.echo(format_table(rows, ["protection", "in force"]))
    makers = {"own": "made by arena itself", "bubblewrap": "made by bubblewrap", "": "none"}
    click.echo(f"\nNamespaces: {makers[policy.namespace_maker()]}.")
    if all(each.in_force for each in protections):
        click.echo("All protections are in force.")
        return
    click.echo("Isolated bots are not fully contained here; run only bots that you trust.")
    sys.exit(FAILED)
