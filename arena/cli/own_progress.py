"""The person's progress through the puzzles, for commands."""

from __future__ import annotations

from typing import Final

import click

from arena.cli import colour
from arena.cli.verbosity import note
from solver.puzzles.progress import BadProgress, Progress, load_progress

_TOLD: Final = "damaged progress was told"


def own_progress() -> Progress:
    """The person's progress; damaged lines of its file are named once in a command."""
    progress = load_progress()
    told = click.get_current_context().meta
    if progress.damage and _TOLD not in told:
        told[_TOLD] = True
        note(progress.damage)
    return progress


def can_be_kept() -> bool:
    """Whether an attempt can be added to the progress; if not, the person is told why."""
    try:
        own_progress()
    except BadProgress as error:
        colour.error(f"this attempt will not be kept: {error}")
        return False
    return True
