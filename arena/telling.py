"""Tells a game move by move, as everybody or as one seat perceives it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from games.registry import Game
from games.replay import seat_name
from games.state import State


class Teller:
    """Prints every move; what a seat does not perceive is told as such."""

    def __init__(self, rules: Game, names: Sequence[str], seat: int | None) -> None:
        self.rules = rules
        self.names = names
        self.seat = seat

    def __call__(self, state: State, move: int, reason: str) -> None:
        actor = state.actor
        hidden = self.seat is not None and actor != self.seat and state.veiled(move) != move
        text = "chooses face down" if hidden else self.rules.move_text(state, move)
        because = f"   [{reason}]" if reason and self.seat in (None, actor) else ""
        click.echo(f"{seat_name(actor)} ({self.names[actor]}): {text}{because}")


def seat_number(letter: str, players: int) -> int:
    """The seat that a person calls A, B, ..."""
    seats = [seat_name(number) for number in range(players)]
    if letter.upper() not in seats:
        raise click.BadParameter(f"seats are {', '.join(seats)}, not {letter!r}")
    return seats.index(letter.upper())


def verdict(names: Sequence[str], winners: Sequence[int], decisions: int) -> str:
    """Who won, in a sentence."""
    if not winners:
        return f"Nobody wins after {decisions} decisions."
    told = " and ".join(f"{seat_name(one)} ({names[one]})" for one in winners)
    return f"Winner after {decisions} decisions: {told}"
