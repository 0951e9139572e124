"""Holds the solver against the plain checker, on random positions small enough for both.

A case is all that a seed decides: a position with few cards, often in the middle of a turn, and a
question about it. Cases too large for the checker are passed over.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Final
from zlib import crc32

from games.hidden_leaders.game import GAME as HIDDEN_LEADERS
from games.hidden_leaders.positions.notation import Position, Seat
from games.hidden_leaders.positions.position import UNKNOWN
from games.hidden_leaders.positions.worlds import world_count, worlds
from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import LEADER_COUNT, MOST_PLAYERS
from games.registry import Game
from games.secrets.game import GAME as SECRETS
from games.secrets.position import position_of
from games.secrets.random_endings import hide_cards, random_ending
from games.secrets.worlds import PosedSecrets
from games.state import CHANCE, NOBODY, State
from solver.answer import solve_hidden, solve_open
from solver.core.budget import NodeBudget
from solver.core.question import Goal, Others, Policy, Question, deny, verdict_is, win
from solver.reference.brute_force import brute_plans, brute_values

FEWEST_NODES: Final = 30
"""Smaller trees would test nothing."""
DULL: Final = 4
"""Of cases in which all moves are worth the same, one in so many is compared."""
MOST_WORLDS: Final = 8
LONGEST: Final = 3
"""Turns until the game is stopped, for questions that go to the end."""

Values = dict[int, tuple[Fraction, ...]]
"""By move: the bounds of how likely the goal is, and of how sure."""


@dataclass(frozen=True)
class Case:
    """One position and question; worlds that the seat cannot tell apart, or a single one."""

    seed: int
    worlds: tuple[State, ...]
    question: Question
    hidden: bool
    game: Game = HIDDEN_LEADERS

    def __str__(self) -> str:
        assert self.game.positions
        table = self.game.positions.write(self.worlds[0])
        words = " ".join(self.question.sentences())
        return f"seed {self.seed}, {len(self.worlds)} worlds: {table}: {words}"


Maker = Callable[[int, bool], Case | None]
"""Makes the case of a seed, with or without unknown cards; None if it has none of use."""


@dataclass
class Tally:
    """How a sweep went."""

    compared: Counter[tuple[int, str, int]] = field(default_factory=Counter)
    """Cases by players, others and horizon."""
    telling: int = 0
    """Cases in which some move is worth more than another."""
    chancy: int = 0
    """Cases in which some value is neither 0 nor 1."""
    disagreements: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return self.compared.total()


class TooLarge(Exception):
    """The checker would take too long over this case."""


def sweep(
    first: int, count: int, most_nodes: int, hidden: bool, make: Maker | None = None
) -> Tally:
    """Compare so many cases, of the seeds from the first on, as far as they are small enough.

    They are of Hidden Leaders, unless somebody else makes them.
    """
    tally = Tally()
    seed = first - 1
    while tally.cases < count:
        seed += 1
        case = (make or hidden_leaders_case)(seed, hidden)
        if case is None:
            continue
        try:
            expected = checked(case, most_nodes)
        except TooLarge:
            continue
        if len(set(expected.values())) == 1 and seed % DULL:
            continue
        found = solved(case)
        question = case.question
        tally.compared[int(case.worlds[0].players), question.others.value, question.horizon] += 1
        values = {value for one in found.values() for value in one}
        tally.telling += len(set(found.values())) > 1
        tally.chancy += not values <= {0, 1}
        if found != expected:
            tally.disagreements.append(f"{case}: solver {found}, checker {expected}")
    return tally


def solved(case: Case) -> Values:
    """What the solver says; every value must be exact."""
    if case.hidden:
        answer = solve_hidden(case.question, case.worlds, NodeBudget())
    else:
        answer = solve_open(case.question, case.worlds[0], NodeBudget())
    return {one.move: (*one.likely, *one.sure) for one in answer.values}


def checked(case: Case, most_nodes: int) -> Values:
    """What the checker says."""
    question, worlds = case.question, case.worlds
    until = question.deadline(worlds[0])
    nodes = sum(size(question, world, until, most_nodes) for world in worlds)
    if not FEWEST_NODES < nodes < most_nodes:
        raise TooLarge
    if not case.hidden:
        plain = brute_values(question, worlds[0])
        return {move: (value,) * 4 for move, value in plain.items()}
    found: Values = {}
    for move in worlds[0].moves():
        plans = list(islice(brute_plans(question, worlds, move), most_nodes // nodes + 1))
        if len(plans) * nodes > most_nodes:
            raise TooLarge
        likely = max(sum(plan, Fraction(0)) / len(plan) for plan in plans)
        sure = max(min(plan) for plan in plans)
        found[move] = (likely, likely, sure, sure)
    return found


def size(question: Question, state: State, until: int, most: int) -> int:
    """Positions the plain recursion would look at; counted only up to the number given."""
    if state.actor == NOBODY or state.turns == until:
        return 1
    found = 1
    for move in state.moves():
        following = state.copy()
        following.play(move)
        found += size(question, following, until, most - found)
        if found >= most:
            break
    return found


# ---- making cases -----------------------------------------------------------------------------


def open_case(seed: int) -> Case | None:
    """The case of that seed with all cards open; None if it makes none."""
    return hidden_leaders_case(seed, hidden=False)


def hidden_leaders_case(seed: int, hidden: bool) -> Case | None:
    """A few heroes, a party that is nearly full, and 2 to 6 players."""
    dice = random.Random(seed)
    players = 2 + seed % (MOST_PLAYERS - 1)
    position = _position(dice, players)
    asked = _veiled(dice, position) if hidden else position
    if world_count(asked) > MOST_WORLDS:
        return None
    found = worlds(asked, MOST_WORLDS)
    if not hidden:
        _play_on(dice, found[0])
    if found[0].actor < 0 or found[0].settled_end() is not None:
        return None
    others = _others(dice, hidden)
    seat = int(found[0].actor)
    question = Question(
        seat,
        _goal(dice, HIDDEN_LEADERS, seat, players),
        dice.choice((0, 1, 1, 2)),
        others,
        policy=_habit(HIDDEN_LEADERS, others),
    )
    return Case(seed, tuple(found), question, hidden)


def secrets_case(seed: int, hidden: bool) -> Case | None:
    """A turn that may be the last, of 4 to 8 players, and a deck of a few cards."""
    dice = random.Random(seed)
    players = SECRETS.min_players + seed % len(SECRETS.player_counts)
    table = random_ending(dice, players)
    if table is None:
        return None
    found: list[State] = [table]
    if hidden:
        posed = PosedSecrets(hide_cards(dice, position_of(table)))
        if posed.world_count() > MOST_WORLDS:
            return None
        found = posed.worlds(MOST_WORLDS)
    seat = int(table.actor)
    others = _others(dice, hidden)
    goal = _goal(dice, SECRETS, seat, players)
    horizon = dice.choice((1, 1, 2))
    question = Question(seat, goal, horizon, others, policy=_habit(SECRETS, others))
    return Case(seed, tuple(found), question, hidden, SECRETS)


def _others(dice: random.Random, hidden: bool) -> Others:
    return dice.choice([one for one in Others if not hidden or one is not Others.SELFISH])


def _habit(game: Game, others: Others) -> Policy | None:
    """Stands for a bot: some move, the same wherever the seat sees the same."""
    if others is not Others.BOT:
        return None

    def choose(state: State) -> int:
        moves = state.moves()
        view = game.analysis.late_view(state, int(state.actor))
        assert view is not None
        return moves[crc32(view.key()) % len(moves)]

    return Policy("habit", choose)


def _goal(dice: random.Random, game: Game, seat: int, players: int) -> Goal:
    kind = dice.randrange(4)
    if kind == 0:
        other = (seat + dice.randrange(1, players)) % players
        return deny(other, "another")
    if kind == 1:
        return verdict_is(game.verdict, dice.choice(game.verdicts))
    return win(seat, "the seat")


def _position(dice: random.Random, players: int) -> Position:
    """Few cards, a party that is nearly full, and the end near in any case."""
    cards = dice.sample(RETAIL, len(RETAIL))
    leaders = dice.sample(range(LEADER_COUNT), players)
    threshold = dice.randint(2, 3)
    deck: list[int] = []

    def draw(most: int, least: int = 0) -> tuple[int, ...]:
        drawn = tuple(cards.pop() for _ in range(dice.randint(least, most)))
        deck.extend(drawn)
        return drawn

    seats = tuple(
        Seat(leader, draw(2 - (number > 0), 1), draw(threshold - 1, threshold - 2), draw(1))
        for number, leader in enumerate(leaders)
    )
    tavern = draw(1)
    graveyard, wilderness, harbor = draw(2), draw(1), draw(1)
    return Position(
        players=players,
        red=dice.randint(5, 9),
        green=dice.randint(5, 9),
        limit=dice.randint(1, LONGEST),
        threshold=threshold,
        deck=tuple(sorted(deck)),
        tavern=tavern + (-1,) * (3 - len(tavern)),
        graveyard=graveyard,
        wilderness=wilderness,
        harbor=harbor,
        seats=seats,
    )


def _veiled(dice: random.Random, position: Position) -> Position:
    """The same with some leaders, hidden heroes and hand cards of others unknown to seat 0."""
    seats = list(position.seats)
    for number in range(1, position.players):
        seat = seats[number]
        if dice.random() < 0.5:
            seat = replace(seat, leader=UNKNOWN)
        if dice.random() < 0.5:
            seat = replace(seat, hidden=(UNKNOWN,) * len(seat.hidden))
        if dice.random() < 0.3:
            seat = replace(seat, hand=(UNKNOWN,) * len(seat.hand))
        seats[number] = seat
    return replace(position, seats=tuple(seats), harbor=None)


def _play_on(dice: random.Random, state: State) -> None:
    """Some moves, to come into the middle of things."""
    for _ in range(dice.choice((0, 0, 1, 1, 2))):
        if state.actor != NOBODY:
            state.play(dice.choice(state.moves()))
    while state.actor == CHANCE:
        state.play(dice.choice(state.moves()))
