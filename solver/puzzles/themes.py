"""What a solved puzzle of Hidden Leaders turns on: themes, read off the line that solves it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from games.hidden_leaders.positions.position import Position, Seat
from games.hidden_leaders.rules.bytecode import SUPPORTS
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.scoring import party_strength
from games.hidden_leaders.rules.state import HiddenLeaders
from games.state import NOBODY
from solver.answer import MoveValue
from solver.ask import Solved
from solver.search.alpha_beta import after

COPY_CHAIN: Final = "copy chain"
DENYING: Final = "denying"
EMPEROR_COUNTS: Final = "emperor"
FORCED_BURIAL: Final = "forced burial"
FORCED_CHOICE: Final = "forced choice"
HIDDEN_CARDS: Final = "hidden cards"
MARKERS: Final = "markers"
STRENGTH: Final = "strength"
TIE_BREAK: Final = "tie-break"
THEMES: Final = (
    COPY_CHAIN,
    DENYING,
    EMPEROR_COUNTS,
    FORCED_BURIAL,
    FORCED_CHOICE,
    HIDDEN_CARDS,
    MARKERS,
    STRENGTH,
    TIE_BREAK,
)

COPYING: Final = frozenset(
    card for card, hero in enumerate(HEROES) if any("perform" in step.verb for step in hero.steps)
)
"""Heroes that do what another hero does."""


@dataclass(frozen=True)
class Told:
    """The line that solves a puzzle, as the tables it leads over."""

    seat: int
    tables: tuple[HiddenLeaders, ...]
    """Before every choice of the line, and after the last."""
    moves: tuple[int, ...]
    end: HiddenLeaders
    """At the end of the last turn, which may be that of the game."""

    @property
    def over(self) -> bool:
        return bool(self.end.actor == NOBODY and self.end.faction)


def themes(solved: Solved) -> tuple[str, ...]:
    """All that the answer turns on, the most telling first.

    If it is nothing else, it is strength or the markers: with a lesser move the same faction wins,
    but for somebody else, or another does.
    """
    if solved.hidden:
        return (HIDDEN_CARDS,)
    told = _told(solved, solved.answer.best[0])
    found = [DENYING] if solved.answer.question.goal.unless_decided else []
    checks = (
        (COPY_CHAIN, _copies),
        (EMPEROR_COUNTS, _emperor_counts),
        (FORCED_BURIAL, _burial_counts),
        (FORCED_CHOICE, _forced_choice),
        (TIE_BREAK, _tied),
    )
    found += [theme for theme, holds in checks if holds(told)]
    if not found:
        lesser = [_told(solved, one).end for one in solved.answer.values]
        strength = told.over and any(
            end.actor == NOBODY
            and end.faction == told.end.faction
            and end.winner != told.end.winner
            for end in lesser
        )
        found = [STRENGTH if strength else MARKERS]
    return tuple(found)


def _told(solved: Solved, value: MoveValue) -> Told:
    table = solved.worlds[0]
    moves = tuple(move for _, move in value.line)
    tables = [table]
    for move in moves:
        tables.append(after(tables[-1], move))
    last = tables[-1]
    end = last if last.actor == NOBODY else last.settled_end() or last
    assert isinstance(end, HiddenLeaders)
    walked = [one for one in tables if isinstance(one, HiddenLeaders)]
    return Told(solved.answer.question.seat, tuple(walked), moves, end)


# ---- the single themes ------------------------------------------------------------------------


def _copies(told: Told) -> bool:
    """A hero that copies is played by the seat, and something comes of it."""
    for (table, following), move in zip(pairwise(told.tables), told.moves, strict=True):
        played = move in table.cards(Zone.HAND + told.seat) and move in following.cards(
            Zone.OPEN + told.seat
        )
        if table.actor == told.seat and played and move in COPYING:
            markers = {(one.red, one.green) for one in (*told.tables, told.end)}
            return len(markers) > 1 or _burials(told) != []
    return False


def _emperor_counts(told: Told) -> bool:
    """Without the Emperor, or with it where it was, somebody else would win."""
    if not told.over:
        return False
    parties = _parties(told.end)
    if any(EMPEROR in party for party in parties):
        return _winner(told.end, [party - {EMPEROR} for party in parties]) != told.end.winner
    owner = _owner(told.tables[0], EMPEROR)
    return owner >= 0 and _winner_with(told.end, EMPEROR, owner) != told.end.winner


def _burial_counts(told: Told) -> bool:
    """A hero is buried that would have changed who wins, or kept the game from going on."""
    burials = _burials(told)
    if not told.over:
        return any(owner != told.seat for _, owner in burials)
    return any(_winner_with(told.end, card, owner) != told.end.winner for card, owner in burials)


def _forced_choice(told: Told) -> bool:
    """During the seat's turn another must choose, and what it chooses changes the table."""
    first = told.tables[0]
    for table in told.tables:
        if table.turns == first.turns and table.actor not in (NOBODY, told.seat):
            if table.actor >= 0 and len({_shown(after(table, one)) for one in table.moves()}) > 1:
                return True
    return False


def _tied(told: Told) -> bool:
    """Two supporters of the faction that wins are equally strong in it."""
    if not told.over or told.end.winner == NOBODY:
        return False
    end, faction = told.end, told.end.faction
    strengths = [
        party_strength(end, seat, faction)
        for seat in range(end.players)
        if SUPPORTS[end.leader(seat)] & faction
    ]
    return strengths.count(max(strengths)) > 1


# ---- what else might have been ----------------------------------------------------------------


def _burials(told: Told) -> list[tuple[int, int]]:
    """Heroes that are buried out of a party during the seat's turns, and whose party it was."""
    found = {}
    steps = (*told.tables, told.end)
    for table, following in pairwise(steps):
        if table.player == told.seat:
            buried = set(following.cards(Zone.GRAVEYARD)) - set(table.cards(Zone.GRAVEYARD))
            found.update({card: _owner(table, card) for card in buried})
    return sorted((card, owner) for card, owner in found.items() if owner >= 0)


def _owner(table: HiddenLeaders, card: int) -> int:
    """Whose party the hero is in; NOBODY if in none."""
    for seat, party in enumerate(_parties(table)):
        if card in party:
            return seat
    return NOBODY


def _parties(table: HiddenLeaders) -> list[set[int]]:
    seats = range(table.players)
    return [{*table.cards(Zone.OPEN + seat), *table.cards(Zone.HIDDEN + seat)} for seat in seats]


def _shown(table: object) -> tuple[object, ...]:
    """Markers and parties."""
    assert isinstance(table, HiddenLeaders)
    return (table.red, table.green, *map(frozenset, _parties(table)))


def _winner_with(end: HiddenLeaders, card: int, owner: int) -> int:
    """Who would win if the hero were in that party."""
    parties = [party - {card} for party in _parties(end)]
    parties[owner].add(card)
    return _winner(end, parties)


def _winner(end: HiddenLeaders, parties: list[set[int]]) -> int:
    """Who would win the finished game with these parties."""
    seats = tuple(Seat(end.leader(seat), hidden=tuple(party)) for seat, party in enumerate(parties))
    deck = tuple(sorted(card for party in parties for card in party))
    table = Position(players=end.players, deck=deck, seats=seats, over=end.faction)
    return int(table.state().winner)
