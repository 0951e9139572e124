"""The table of Secrets as text, for a terminal."""

from __future__ import annotations

import textwrap
from typing import Final

from games.seats import seat_name
from games.secrets.constants import BULLETS, CENTRE, KINDS, SIDE_NAMES, VALUES, Move, Phase
from games.secrets.moves import bullet_text, character_name
from games.secrets.scoring import score
from games.secrets.state import Secrets
from games.secrets.table import FACELESS, SHOT
from games.state import CHANCE, NOBODY, UNSEEN, State
from games.wording import counted

_UNKNOWN: Final = "?"
_WIDTH: Final = 80
_LABEL: Final = 17
"""Width of the labels on the left."""


def side_name(side: int) -> str:
    """CIA, KGB or Hippie; a question mark for an unknown token."""
    return SIDE_NAMES[side] if side >= 0 else _UNKNOWN


def winner_names(state: Secrets) -> str:
    """The seat letters of the winners of a finished game."""
    return ", ".join(seat_name(seat) for seat in state.winners()) or "nobody"


def draw_table(state: State, seat: int | None = None) -> str:
    """The table; for one seat, without what lies face down.

    It does not show who has seen which token: that is in the Views.
    """
    assert isinstance(state, Secrets)
    shown = seat is None or state.actor == NOBODY
    lines = [headline(state), _row("deck", _deck(state, shown or seat == state.player))]
    if Phase.CHOOSE <= state.phase <= Phase.ANSWER:
        lines.append(_row("turned up", turned_up_text(state, shown or seat == state.player)))
    holder = seat_name(state.un) if state.un != NOBODY else "in the centre"
    lines.append(_row("UN token", holder))
    lines.append(_row("centre", side_name(state.token(CENTRE)) if shown else _UNKNOWN))
    for owner in range(state.players):
        lines.append(_row(f"{seat_name(owner)}  token", _token(state, owner, shown)))
        count = f"   cards {state.size(owner)} of {state.threshold}"
        lines.append(_row(count, _display(state, owner, shown)))
    return "\n".join(lines)


def turn_heading(state: State) -> tuple[str, str]:
    """The turn, and who holds the UN token."""
    assert isinstance(state, Secrets)
    if state.player == NOBODY:
        return "setup", ""
    holder = seat_name(state.un) if state.un != NOBODY else "in the centre"
    return f"turn {state.turns + 1} of {seat_name(state.player)}", f"UN token {holder}"


def headline(state: Secrets) -> str:
    if state.actor == NOBODY:
        side = f"{side_name(state.side)} has won" if state.side >= 0 else "a tie"
        win = "win" if len(state.winners()) > 1 else "wins"
        return f"over after {counted(state.turns, 'turn')}: {side}, {winner_names(state)} {win}"
    who = "chance" if state.actor == CHANCE else seat_name(state.actor)
    return f"turn {state.turns + 1} of {seat_name(state.player)}, {who} decides"


def _row(label: str, text: str) -> str:
    if 0 < len(text) <= _WIDTH - _LABEL:  # most are, and wrapping is slow
        return f"{label:{_LABEL}}{text}"
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=f"{label:{_LABEL}}",
        subsequent_indent=" " * _LABEL,
        break_on_hyphens=False,
    )


def _deck(state: Secrets, shown: bool) -> str:
    """Cards put back come in a known order; only one seat may know the last one."""
    cards = state.bottom_cards()
    if not shown and Phase.TARGET <= state.phase <= Phase.ANSWER and state.two != UNSEEN:
        cards[-1] = UNSEEN
    then = ", then " + ", ".join(character_name(card) for card in cards) if cards else ""
    return f"{state.bag} never turned up{then}"


def turned_up_text(state: Secrets, shown: bool = True) -> str:
    """The characters turned up, and what is on offer to whom."""
    both = [character_name(card) for card in (state.one, state.two) if card != UNSEEN]
    offered = offered_text(state, shown)
    return " and ".join(both) + (f"; {offered}" if offered else "")


def offered_text(state: Secrets, shown: bool = True) -> str:
    """Which character is on offer, to whom and as what; empty as long as nothing is known of it."""
    known = shown and state.phase >= Phase.TARGET and 0 <= state.offered < len(VALUES)
    if not known and state.target == NOBODY:
        return ""
    words = f"on offer: {character_name(state.offered) if known else 'one of them'}"
    if state.target != NOBODY:
        words += f", to {seat_name(state.target)}"
    if Move.CLAIM <= state.claim < Move.SILENCE:
        words += f', as "{character_name(state.claim - Move.CLAIM)}"'
    return words


def _token(state: Secrets, seat: int, shown: bool) -> str:
    token = side_name(state.token(seat)) if shown else _UNKNOWN
    if state.actor != NOBODY:
        return token
    return f"{token}, {counted(score(state, seat), 'point')}"


def _display(state: Secrets, seat: int, shown: bool) -> str:
    parts: list[str] = []
    for card in range(KINDS):
        value = f" {VALUES[card]:+d}" if card < len(VALUES) else ""
        parts += [character_name(card) + value] * state.up(seat, card)
    for card in range(KINDS):
        parts += [f"({character_name(card)})"] * state.down(seat, card)
    shot = state.m[SHOT + seat]
    for bullet in range(BULLETS):
        if (shot >> bullet) & 1:
            parts.append(f"Bullet {bullet_text(bullet) if shown else _UNKNOWN}")
    parts += [f"Bullet {_UNKNOWN}"] * state.m[FACELESS + seat]
    return ", ".join(parts) or "-"
