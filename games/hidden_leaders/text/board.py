"""The table of Hidden Leaders as text, for a terminal."""

from __future__ import annotations

import textwrap
from typing import Final

from games.hidden_leaders.rules.bytecode import TURN_START
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import ALL_FACTIONS, FACTION_NAMES, Track, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAMES
from games.hidden_leaders.text.cards import faction_words
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from games.wording import counted

_UNKNOWN: Final = "?"
_EMPTY: Final = "-"
_TIED: Final = "\xa0"
"""A non-breaking space."""
_WIDTH: Final = 80
_LABEL: Final = 16
"""Width of the labels on the left."""


def card_name(card: int) -> str:
    """The hero's name and its faction's initial; a question mark for an unknown card."""
    if not 0 <= card < len(HEROES):  # unseen, or a blank on an imagined table
        return _UNKNOWN
    hero = HEROES[card]
    faction = "all" if hero.faction == ALL_FACTIONS else FACTION_NAMES[hero.faction][0]
    return f"{hero.name} ({faction})"


def leader_name(leader: int) -> str:
    """The leader's name and factions; a question mark for an unknown leader."""
    if leader < 0:
        return _UNKNOWN
    return f"{LEADERS[leader].name} ({faction_words(LEADERS[leader].factions, ' and ')})"


def draw_board(state: State, seat: int | None = None) -> str:
    """The table; for one seat, with the hands and hidden heroes of others as counts."""
    assert isinstance(state, HiddenLeaders)
    lines = [headline(state), _track(state.red, state.green)]
    slots = [card_name(card) if card >= 0 else _EMPTY for card in state.cards(Zone.TAVERN)]
    lines.append(_row("tavern", ", ".join(slots)))
    lines.append(_row("piles", _piles(state)))
    for name, zone in (("set aside", Zone.ASIDE), ("drawn", Zone.DRAWN)):
        # Only the turn player sees the cards drawn.
        if state.size(zone):
            own = zone == Zone.ASIDE or seat in (None, state.player)
            lines.append(_row(name, _cards(state, zone, own)))
    for party in range(state.players):
        lines.extend(_party(state, party, seat is None or seat == party))
    return "\n".join(lines)


def turn_heading(state: State) -> tuple[str, str]:
    """The turn, and the markers and the tavern at this moment."""
    assert isinstance(state, HiddenLeaders)
    if state.m[FRAMES] < TURN_START:
        return "setup", ""
    slots = [card_name(card) if card >= 0 else _EMPTY for card in state.cards(Zone.TAVERN)]
    table = f"red {state.red}, green {state.green}; tavern {', '.join(slots)}"
    return f"turn {state.turns + 1} of {seat_name(state.player)}", table


def headline(state: HiddenLeaders) -> str:
    if state.actor == NOBODY:
        faction = FACTION_NAMES.get(state.faction, "no faction")
        winner = seat_name(state.winner) if state.winner != NOBODY else "nobody"
        return f"over after {counted(state.turns, 'turn')}: {faction} has won, {winner} wins"
    who = "chance" if state.actor == CHANCE else seat_name(state.actor)
    return f"turn {state.turns + 1} of {seat_name(state.player)}, {who} decides"


def _track(red: int, green: int) -> str:
    spaces: list[str] = []
    for space in range(Track.FIRST, Track.LAST + 1):
        if space == Track.WAR_ZONE:
            spaces.append("|")
        markers = "R" * (space == red) + "G" * (space == green)
        spaces.append(f"{markers or space:>2}")
    return _row("track", " ".join(spaces))


def _row(label: str, text: str) -> str:
    """A line with its label; a long one is wrapped, after commas only."""
    if 0 < len(text) <= _WIDTH - _LABEL:  # most are, and wrapping is slow
        return f"{label:{_LABEL}}{text}"
    bound = text.replace(" ", _TIED).replace(f",{_TIED}", ", ")
    return textwrap.fill(
        bound,
        _WIDTH,
        initial_indent=f"{label:{_LABEL}}",
        subsequent_indent=" " * _LABEL,
        break_on_hyphens=False,
    ).replace(_TIED, " ")


def _piles(state: HiddenLeaders) -> str:
    buried = state.cards(Zone.GRAVEYARD)
    top = f" (top {card_name(buried[-1])})" if buried else ""
    return (
        f"harbor {state.size(Zone.HARBOR)}, wilderness {state.size(Zone.WILDERNESS)}, "
        f"graveyard {len(buried)}{top}"
    )


def _cards(state: HiddenLeaders, zone: int, shown: bool) -> str:
    cards = state.cards(zone)
    if not cards:
        return _EMPTY
    return ", ".join(card_name(card) for card in cards) if shown else str(len(cards))


def _party(state: HiddenLeaders, seat: int, shown: bool) -> list[str]:
    leader = state.leader(seat)
    name = leader_name(leader) if shown else _UNKNOWN
    return [
        _row(f"{seat_name(seat)}  leader", name),
        _row("   hand", _cards(state, Zone.HAND + seat, shown)),
        _row(
            f"   open {state.size(Zone.OPEN + seat)} of {state.threshold}",
            _cards(state, Zone.OPEN + seat, True),
        ),
        _row("   hidden", _cards(state, Zone.HIDDEN + seat, shown)),
    ]
