"""`arena sandbox`: what isolated bots are kept from on this machine."""

from __future__ import annotations

import sys

import click
from tabulate import tabulate

from arena.sandbox import policy as work

MAKERS = {"own": "made by the arena itself", "bubblewrap": "made by bubblewrap", "": "none"}


@click.command("sandbox")
def sandbox() -> None:
    """Show which protections against isolated bots are in force here.

    A burglar is sent into a sandbox like that of an isolated bot and tries everything. Shown is
    what it could not do, and what it could. Exit code 1 if anything is missing.

    \b
    Example:
      arena sandbox
      arena match their_bot.py:TheirBot greedy --isolate
    """
    found = work.protections()
    rows = [[one.meaning, "yes" if one.in_force else "NO"] for one in found]
    click.echo(tabulate(rows, headers=["protection", "in force"]))
    click.echo(f"\nNamespaces: {MAKERS[work.namespace_maker()]}.")
    if all(one.in_force for one in found):
        click.echo("All protections are in force.")
        return
    click.echo("Isolated bots are not fully kept in: play only bots here that you trust.")
    sys.exit(1)
