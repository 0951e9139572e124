"""Holds equilibria against the plain checker, on random endings small enough for both.

Half of the endings are about Doubtful Priest and Saber-Toothed Troll: both let the other seat
decide which faction wins, without knowing the leader of the seat that plays them. So which of the
two is played must not tell too much, and now and then it takes dice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count, islice
from typing import Final

from games.hidden_leaders.positions.notation import Position, Seat, write
from games.hidden_leaders.positions.position import UNKNOWN
from games.hidden_leaders.positions.worlds import seen_by, world_count, worlds
from games.hidden_leaders.rules.cards import CARD_NUMBER, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, LEADER_COUNT, TAVERN_SLOTS
from games.hidden_leaders.rules.state import HiddenLeaders
from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Question, deny, win
from solver.equilibrium.solve import Equilibrium, solve_equilibrium
from solver.reference.brute_equilibrium import TooLarge, brute_equilibrium

FEWEST_NODES: Final = 60
"""Smaller trees would test nothing."""
DULL: Final = 8
"""Of endings whose value is 0 or 1, one in so many is compared."""
GUESSING: Final = (CARD_NUMBER["Doubtful Priest"], CARD_NUMBER["Saber-Toothed Troll"])
THRESHOLD: Final = 3


@dataclass
class Tally:
    """How a sweep went."""

    cases: int = 0
    between: int = 0
    """Cases whose value is neither 0 nor 1."""
    diced: int = 0
    """Cases in which the plans found use dice."""
    exact: int = 0
    """Cases in which the value was found exactly, and not only enclosed."""
    disagreements: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """An ending, its question, and the value by either way."""

    seed: int
    question: Question
    worlds: tuple[State, ...]
    found: Equilibrium
    expected: Fraction

    @property
    def agrees(self) -> bool:
        return self.found.value[0] <= self.expected <= self.found.value[1]

    def __str__(self) -> str:
        table = self.worlds[0]
        assert isinstance(table, HiddenLeaders)
        words = " ".join(self.question.sentences()[:2])
        return f"seed {self.seed}, {len(self.worlds)} worlds such as {write(table)}: {words}"


def sweep(first: int, many: int, most_nodes: int, most_worlds: int) -> Tally:
    """Compare so many endings, of the seeds from the first on, as far as they are small enough."""
    tally = Tally()
    for case in islice(cases(first, most_nodes, most_worlds), many):
        tally.cases += 1
        tally.between += 0 < case.expected < 1
        tally.diced += dice_matter(case.found)
        tally.exact += case.found.exact
        if not case.agrees:
            tally.disagreements.append(
                f"{case}: solver {case.found.value}, checker {case.expected}"
            )
    return tally


def cases(first: int, most_nodes: int, most_worlds: int) -> Iterator[Case]:
    """Endings of the seeds from the first on, as far as they are small enough, without end."""
    for seed in count(first):
        position = ending(random.Random(seed))
        if not 1 < world_count(position) <= most_worlds:
            continue
        possible = tuple(worlds(position, most_worlds))
        goal = win(0, "A") if seed % 2 else deny(1, "B")
        question = Question(0, goal, 1 + seed % 3 % 2)
        try:
            found = solve_equilibrium(question, possible, seen_by, NodeBudget(most_nodes))
            if found.form.budget.nodes < FEWEST_NODES or (found.value[0] in {0, 1} and seed % DULL):
                continue
            expected = brute_equilibrium(question, possible, seen_by, most_nodes)
        except (BadQuestion, TooLarge):
            continue
        yield Case(seed, question, possible, found, expected)


def dice_matter(found: Equilibrium) -> bool:
    shares = (*found.mine.shares, *found.theirs.shares)
    return any(0 < share < 1 for choice in shares for share in choice)


def ending(dice: random.Random) -> Position:
    """Two parties that one hero more may complete; some of what is hidden may be anything left."""
    cards = dice.sample(RETAIL, len(RETAIL))
    special = list(GUESSING) if dice.random() < 0.5 else []
    cards = special + [card for card in cards if card not in special]
    deck: list[int] = []

    def deal(most: int, least: int = 0) -> tuple[int, ...]:
        many = dice.randint(least, most)
        dealt = tuple(cards[:many])
        del cards[:many]
        deck.extend(dealt)
        return dealt

    def hide_cards(known: tuple[int, ...]) -> tuple[int, ...]:
        return (UNKNOWN,) * len(known) if dice.random() < 0.5 else known

    leaders = dice.sample(range(LEADER_COUNT), 2)
    seats = []
    for number, leader in enumerate(leaders):
        hand = deal(2 - number, 2 - 2 * number)
        opened, hidden = deal(THRESHOLD - 1, THRESHOLD - 1 - number), deal(1)
        seats.append(
            Seat(leader, hand if special else hide_cards(hand), opened, hide_cards(hidden))
        )
        if special or dice.random() < 0.5:
            seats[-1] = replace(seats[-1], leader=UNKNOWN)
    deal(1)
    red = dice.randint(4, 10)
    return Position(
        players=2,
        red=red,
        green=red + dice.randint(-1, 1) if special else dice.randint(4, 10),
        threshold=THRESHOLD,
        deck=tuple(sorted(deck)),
        tavern=(EMPTY,) * TAVERN_SLOTS,
        seats=tuple(seats),
    )
