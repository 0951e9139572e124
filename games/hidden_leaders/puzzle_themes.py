"""What a puzzle of Hidden Leaders turns on: themes, read off the line that solves it.

A theme counts if the solution depends on it, not if it merely happens along the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from games.hidden_leaders.positions.position import Position, Seat
from games.hidden_leaders.rules.bytecode import SUPPORTS
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.scoring import party_strength
from games.hidden_leaders.rules.state import HiddenLeaders
from games.puzzle_material import SolutionLine
from games.state import NOBODY, State


class Theme:
    """The themes by name, as puzzle files spell them."""

    COPY_CHAIN: Final = "copy chain"
    DENYING: Final = "denying"
    EMPEROR: Final = "emperor"
    FORCED_BURIAL: Final = "forced burial"
    FORCED_CHOICE: Final = "forced choice"
    HIDDEN_CARDS: Final = "hidden cards"
    MARKERS: Final = "markers"
    STRENGTH: Final = "strength"
    TIE_BREAK: Final = "tie-break"


THEMES: Final = tuple(theme for name, theme in vars(Theme).items() if name.isupper())

COPYING: Final = frozenset(
    card for card, hero in enumerate(HEROES) if any("perform" in step.verb for step in hero.steps)
)
"""Heroes that do what another hero does."""


def line_themes(line: SolutionLine) -> list[str]:
    """All themes that the line shows, most telling first."""
    return [theme for theme, holds in _CHECKS if holds(line)]


def plain_theme(line: SolutionLine, ends: Sequence[State]) -> str:
    """Strength if with another move the same faction wins for somebody else, else the markers."""
    end = _table(line.end)
    strength = _is_over(end) and any(
        other.actor == NOBODY and other.faction == end.faction and other.winner != end.winner
        for other in map(_table, ends)
    )
    return Theme.STRENGTH if strength else Theme.MARKERS


# ---- the single themes ------------------------------------------------------------------------


def _copies(line: SolutionLine) -> bool:
    """The seat plays a hero that copies another, and that changes something."""
    tables = _tables(line)
    for (table, following), move in zip(pairwise(tables), line.moves, strict=True):
        played = move in table.cards(Zone.HAND + line.seat) and move in following.cards(
            Zone.OPEN + line.seat
        )
        if table.actor == line.seat and played and move in COPYING:
            markers = {(one.red, one.green) for one in (*tables, _table(line.end))}
            return len(markers) > 1 or _burials(line) != []
    return False


def _emperor_counts(line: SolutionLine) -> bool:
    """Without the Emperor, or with it where it was, somebody else would win."""
    end = _table(line.end)
    if not _is_over(end):
        return False
    parties = _parties(end)
    if any(EMPEROR in party for party in parties):
        return _winner(end, [party - {EMPEROR} for party in parties]) != end.winner
    owner = _owner(_tables(line)[0], EMPEROR)
    return owner >= 0 and _winner_with(end, EMPEROR, owner) != end.winner


def _burial_counts(line: SolutionLine) -> bool:
    """A buried hero would have changed who wins, or would have ended the game."""
    end, burials = _table(line.end), _burials(line)
    if not _is_over(end):
        return any(owner != line.seat for _, owner in burials)
    return any(_winner_with(end, card, owner) != end.winner for card, owner in burials)


def _forced_choice(line: SolutionLine) -> bool:
    """During the seat's turn another seat must choose, and its choice changes the table."""
    tables = _tables(line)
    for table in tables:
        if table.turns == tables[0].turns and table.actor not in (NOBODY, line.seat):
            if table.actor >= 0 and len({_shown(table, move) for move in table.moves()}) > 1:
                return True
    return False


def _tied(line: SolutionLine) -> bool:
    """Two supporters of the winning faction are equally strong in it."""
    end = _table(line.end)
    if not _is_over(end) or end.winner == NOBODY:
        return False
    strengths = [
        party_strength(end, seat, end.faction)
        for seat in range(end.players)
        if SUPPORTS[end.leader(seat)] & end.faction
    ]
    return strengths.count(max(strengths)) > 1


_CHECKS: Final[tuple[tuple[str, Callable[[SolutionLine], bool]], ...]] = (
    (Theme.COPY_CHAIN, _copies),
    (Theme.EMPEROR, _emperor_counts),
    (Theme.FORCED_BURIAL, _burial_counts),
    (Theme.FORCED_CHOICE, _forced_choice),
    (Theme.TIE_BREAK, _tied),
)


# ---- what else might have been ----------------------------------------------------------------


def _table(state: State) -> HiddenLeaders:
    assert isinstance(state, HiddenLeaders)
    return state


def _tables(line: SolutionLine) -> list[HiddenLeaders]:
    return [_table(state) for state in line.states]


def _is_over(end: HiddenLeaders) -> bool:
    """Whether the game has ended with a winning faction."""
    return bool(end.actor == NOBODY and end.faction)


def _burials(line: SolutionLine) -> list[tuple[int, int]]:
    """Heroes buried from a party during the seat's turns, each with the party's owner."""
    owners = {}
    for table, following in pairwise((*_tables(line), _table(line.end))):
        if table.player == line.seat:
            buried = set(following.cards(Zone.GRAVEYARD)) - set(table.cards(Zone.GRAVEYARD))
            owners.update({card: _owner(table, card) for card in buried})
    return sorted((card, owner) for card, owner in owners.items() if owner >= 0)


def _owner(table: HiddenLeaders, card: int) -> int:
    """The seat whose party has the hero, or NOBODY."""
    for seat, party in enumerate(_parties(table)):
        if card in party:
            return seat
    return NOBODY


def _parties(table: HiddenLeaders) -> list[set[int]]:
    seats = range(table.players)
    return [{*table.cards(Zone.OPEN + seat), *table.cards(Zone.HIDDEN + seat)} for seat in seats]


def _shown(table: HiddenLeaders, move: int) -> tuple[object, ...]:
    """Markers and parties after the move."""
    following = _table(table.copy())
    following.play(move)
    return (following.red, following.green, *map(frozenset, _parties(following)))


def _winner_with(end: HiddenLeaders, card: int, owner: int) -> int:
    """The winner if the hero were in that party."""
    parties = [party - {card} for party in _parties(end)]
    parties[owner].add(card)
    return _winner(end, parties)


def _winner(end: HiddenLeaders, parties: list[set[int]]) -> int:
    """The winner of the finished game with these parties."""
    seats = tuple(Seat(end.leader(seat), hidden=tuple(party)) for seat, party in enumerate(parties))
    deck = tuple(sorted(card for party in parties for card in party))
    table = Position(players=end.players, deck=deck, seats=seats, over=end.faction)
    return int(table.state().winner)
