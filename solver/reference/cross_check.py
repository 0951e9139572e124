"""Compares the solver with plain recursion on random positions small enough for both.

A seed decides the whole case: a small ending, often in the middle of a turn, and a question about
it. Cases too large for plain recursion are skipped.
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

from games.errors import GameError
from games.puzzle_material import RandomEndings
from games.registry import Game
from games.state import NOBODY, State
from solver.answer import solve_hidden, solve_open
from solver.ask import Query, Solution, solve_query
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Goal, Others, Policy, Question, deny, verdict_is, win
from solver.reference.brute_force import (
    TooManyPositions,
    brute_plans,
    brute_values,
    remembering_values,
)
from solver.search.alpha_beta import OpenSearch

_FEWEST_NODES: Final = 30
"""Smaller trees would test nothing."""
_DULL_SHARE: Final = 4
"""Of the cases in which all moves are worth the same, one in this many is compared."""
_MOST_WORLDS: Final = 8
_ROUNDING: Final = Fraction(1, 10**9)
_MOST_UNUSABLE: Final = 1000
"""Seeds in a row that may give no ending of a kind; more, and the game has none."""
_LASTING_TURNS: Final = (3, 4)

Values = dict[int, tuple[Fraction, ...]]
"""By move: the bounds of `MoveValue.likely` and of `MoveValue.sure`."""


@dataclass(frozen=True)
class RandomCase:
    """A question about worlds that the seat cannot tell apart, or about a single one."""

    game: Game
    seed: int
    worlds: tuple[State, ...]
    question: Question
    hidden: bool

    def __str__(self) -> str:
        assert self.game.positions
        position = self.game.positions.write(self.worlds[0])
        words = " ".join(self.question.sentences())
        return f"seed {self.seed}, {len(self.worlds)} worlds: {position}: {words}"


@dataclass
class CrossCheck:
    """What was compared, and with what result."""

    compared: Counter[tuple[int, str, int]] = field(default_factory=Counter)
    """Cases by players, others and horizon."""
    telling: int = 0
    """Cases in which some move is worth more than another."""
    chancy: int = 0
    """Cases in which some value is neither 0 nor 1."""
    open: int = 0
    """Moves that only have bounds."""
    disagreements: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return self.compared.total()

    def add(self, case: RandomCase, solved: Values, expected: Values) -> None:
        """Compare what the solver says with what is right."""
        question = case.question
        self.compared[int(case.worlds[0].players), question.others.value, question.horizon] += 1
        self.telling += len(set(solved.values())) > 1
        self.chancy += not {value for values in solved.values() for value in values} <= {0, 1}
        if solved != expected:
            self.disagreements.append(f"{case}: solver {solved}, plain recursion {expected}")

    def add_own(self, seed: int, plain: Solution, blind: Solution) -> None:
        """Compare an answer by a seat's own view with one that went through the worlds."""
        players = int(plain.worlds[0].players)
        self.compared[players, plain.query.others, plain.answer.question.horizon] += 1
        values = [value.likely[0] for value in plain.answer.values]
        self.telling += len(set(values)) > 1
        self.chancy += not set(values) <= {0, 1}
        for true, found in zip(plain.answer.values, blind.answer.values, strict=True):
            low, high = found.likely
            self.open += low != high
            holds = low - _ROUNDING <= true.likely[0] <= high + _ROUNDING
            least, most = found.sure
            if not holds or not least - _ROUNDING <= true.sure[0] <= most + _ROUNDING:
                words = f"{plain.query.position}: {plain.text(true)}"
                self.disagreements.append(
                    f"seed {seed}: {words}: {found.likely}, by worlds {true.likely[0]}; "
                    f"in the worst world {found.sure}, by worlds {true.sure[0]}"
                )


class _TooLarge(Exception):
    """Plain recursion would take too long."""


def cross_check(rules: Game, first: int, count: int, most_nodes: int, hidden: bool) -> CrossCheck:
    """Compare that many cases, from the first seed on, skipping those that are too large."""
    result = CrossCheck()
    seed = first - 1
    while result.cases < count:
        seed += 1
        case = random_case(rules, seed, hidden)
        if case is None:
            continue
        try:
            expected = _plain_values(case, most_nodes)
        except _TooLarge:
            continue
        if len(set(expected.values())) == 1 and seed % _DULL_SHARE:
            continue
        result.add(case, _solver_values(case), expected)
    return result


def wide_check(rules: Game, first: int, count: int, most_nodes: int) -> CrossCheck:
    """The same with endings of two turns in which many cards may be drawn, all cards open."""
    return _remembering_check(rules, first, count, most_nodes, wide_case)


def lasting_check(rules: Game, first: int, count: int, most_nodes: int) -> CrossCheck:
    """The same with endings of three and four turns, all cards open."""
    return _remembering_check(rules, first, count, most_nodes, lasting_case)


def drawing_check(rules: Game, first: int, count: int, most_nodes: int) -> CrossCheck:
    """The same with endings in which a seat draws and acts once more, against a coalition.

    The solver treats every hand as one of many that may be drawn, although these are few.
    """
    return _remembering_check(rules, first, count, most_nodes, drawing_case, _values_for_any_hand)


def _remembering_check(
    rules: Game,
    first: int,
    count: int,
    most_nodes: int,
    case_of: Callable[[Game, int], RandomCase | None],
    values_of: Callable[[RandomCase], Values] | None = None,
) -> CrossCheck:
    """Compare with plain recursion that remembers positions."""
    result = CrossCheck()
    seed = first - 1
    used = seed
    while result.cases < count and seed < used + _MOST_UNUSABLE:
        seed += 1
        case = case_of(rules, seed)
        if case is None:
            continue
        used = seed
        (state,), question = case.worlds, case.question
        try:
            plain = remembering_values(question, state, most_nodes)
        except TooManyPositions:
            continue
        if len(set(plain.values())) == 1 and seed % _DULL_SHARE:
            continue
        expected: Values = {move: (value,) * 4 for move, value in plain.items()}
        result.add(case, (values_of or _solver_values)(case), expected)
    return result


def own_check(rules: Game, first: int, count: int, most_worlds: int = 400) -> CrossCheck:
    """Compare what a seat can reach this turn by its own view with plans searched world by world.

    Odds are computed in double precision, so values agree within 1e-9; bounds must hold them.
    """
    result = CrossCheck()
    endings = random_endings(rules)
    seed = first - 1
    while result.cases < count:
        seed += 1
        position = endings.secretive(random.Random(seed), _players(rules, seed))
        if position is None:
            break
        if not 1 < position.world_count() <= most_worlds:
            continue
        query = Query(rules, position, sight="own", most_worlds=most_worlds)
        try:
            plain = solve_query(query, NodeBudget(200_000), every_world=True)
        except BadQuestion:
            continue
        if plain.exact:
            blind = solve_query(replace(query, most_worlds=0), NodeBudget(20_000))
            result.add_own(seed, plain, blind)
    return result


def _solver_values(case: RandomCase) -> Values:
    """What the solver says, which must be exact."""
    if case.hidden:
        answer = solve_hidden(case.question, case.worlds, NodeBudget())
    else:
        answer = solve_open(case.question, case.worlds[0], NodeBudget())
    return {value.move: (*value.likely, *value.sure) for value in answer.values}


def _values_for_any_hand(case: RandomCase) -> Values:
    """What the solver says if no hand has too few cards to ask what any hand can do."""
    search = OpenSearch(case.question, case.worlds[0], NodeBudget(), jumps=True, many=0)
    return {move: interval * 2 for move, interval in search.values().items()}


def _plain_values(case: RandomCase, most_nodes: int) -> Values:
    """What plain recursion says."""
    question, worlds = case.question, case.worlds
    until = question.deadline(worlds[0])
    nodes = sum(tree_size(world, until, most_nodes) for world in worlds)
    if not _FEWEST_NODES < nodes < most_nodes:
        raise _TooLarge
    if not case.hidden:
        plain = brute_values(question, worlds[0])
        return {move: (value,) * 4 for move, value in plain.items()}
    values: Values = {}
    for move in worlds[0].moves():
        plans = list(islice(brute_plans(question, worlds, move), most_nodes // nodes + 1))
        if len(plans) * nodes > most_nodes:
            raise _TooLarge
        likely = max(sum(plan, Fraction(0)) / len(plan) for plan in plans)
        sure = max(min(plan) for plan in plans)
        values[move] = (likely, likely, sure, sure)
    return values


def tree_size(state: State, until: int, most: int) -> int:
    """Positions that plain recursion visits, counted up to a maximum."""
    if state.actor == NOBODY or state.turns == until:
        return 1
    nodes = 1
    for move in state.moves():
        following = state.copy()
        following.play(move)
        nodes += tree_size(following, until, most - nodes)
        if nodes >= most:
            break
    return nodes


# ---- random cases -----------------------------------------------------------------------------


def _players(rules: Game, seed: int) -> int:
    return rules.player_counts[seed % len(rules.player_counts)]


def random_endings(rules: Game) -> RandomEndings:
    """The game's random endings; GameError if it has none."""
    if rules.endings is None:
        raise GameError(f"{rules.title} has no random endings")
    return rules.endings


def random_case(rules: Game, seed: int, hidden: bool) -> RandomCase | None:
    """The case of that seed, with or without hidden cards; None if the seed gives none."""
    endings = random_endings(rules)
    dice = random.Random(seed)
    players = _players(rules, seed)
    worlds = endings.small(dice, players, hidden, _MOST_WORLDS)
    if not worlds:
        return None
    seat = int(worlds[0].actor)
    others = dice.choice([one for one in Others if not hidden or one is not Others.SELFISH])
    goal = _random_goal(dice, rules, seat, players)
    horizon = dice.choice(endings.horizons)
    question = Question(seat, goal, horizon, others, policy=_habit(rules, others))
    return RandomCase(rules, seed, tuple(worlds), question, hidden)


def wide_case(rules: Game, seed: int) -> RandomCase | None:
    """An ending of that seed with many cards to draw, for two turns; None if the game has none."""
    dice = random.Random(seed)
    players = _players(rules, seed)
    state = random_endings(rules).wide(dice, players)
    if state is None:
        return None
    seat = int(state.actor)
    others = dice.choice([Others.COALITION, Others.RANDOM, Others.SELFISH])
    question = Question(seat, _random_goal(dice, rules, seat, players), 2, others)
    return RandomCase(rules, seed, (state,), question, hidden=False)


def lasting_case(rules: Game, seed: int) -> RandomCase | None:
    """An ending of that seed for several turns; None if the seed gives none."""
    dice = random.Random(seed)
    players = _players(rules, seed)
    state = random_endings(rules).lasting(dice, players)
    if state is None:
        return None
    seat = int(state.actor)
    others = dice.choice([Others.COALITION, *Others])  # where the solver cuts most
    goal = _random_goal(dice, rules, seat, players)
    horizon = dice.choice(_LASTING_TURNS)
    question = Question(seat, goal, horizon, others, policy=_habit(rules, others))
    return RandomCase(rules, seed, (state,), question, hidden=False)


def drawing_case(rules: Game, seed: int) -> RandomCase | None:
    """An ending of that seed in which a seat draws and acts once more; None if there is none."""
    dice = random.Random(seed)
    players = _players(rules, seed)
    state = random_endings(rules).drawing(dice, players)
    if state is None:
        return None
    seat = int(state.actor)
    goal = _random_goal(dice, rules, seat, players)
    question = Question(seat, goal, players + dice.choice((1, 1, 2)))
    return RandomCase(rules, seed, (state,), question, hidden=False)


def _habit(rules: Game, others: Others) -> Policy | None:
    """Stands in for a bot: an arbitrary move that depends only on what the seat sees."""
    if others is not Others.BOT:
        return None

    def choose(state: State) -> int:
        moves = state.moves()
        view = rules.analysis.late_view(state, int(state.actor))
        assert view is not None
        return moves[crc32(view.key()) % len(moves)]

    return Policy("habit", choose)


def _random_goal(dice: random.Random, rules: Game, seat: int, players: int) -> Goal:
    kind = dice.randrange(4)
    if kind == 0:
        other = (seat + dice.randrange(1, players)) % players
        return deny(other, "another")
    if kind == 1:
        return verdict_is(rules.verdict, dice.choice(rules.verdicts))
    return win(seat, "the seat")
