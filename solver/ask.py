"""The entry point: questions about positions in words, and their solutions.

`solve` is for Python users. `Query` and `solve_query` serve programs that read positions and set
node budgets themselves, such as the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from games.errors import GameError, did_you_mean
from games.questions import (
    PosedEquilibrium,
    PosedKnowledge,
    PosedPosition,
    SecretsMatter,
    Tick,
    TooManyWorlds,
)
from games.registry import DEFAULT_GAME, Game, read_position
from games.registry import game as game_of_name
from games.seats import seat_name
from games.state import NOBODY, Rng, State
from games.view import View
from solver.answer import Answer, MoveValue, solve_blind, solve_hidden, solve_open
from solver.core.budget import USUAL_NODES, BudgetExceeded, NodeBudget
from solver.core.question import (
    MOST_WORLDS,
    BadQuestion,
    Goal,
    Others,
    Policy,
    Question,
    deny,
    verdict_is,
    win,
)
from solver.equilibrium.solve import Equilibrium, solve_equilibrium

_MOST_TURNS: Final = 1000
EQUILIBRIUM: Final = "equilibrium"
"""A value of `Query.others` for `solve_equilibrium_query`, which gives another kind of answer."""
_SIGHTS: Final = ("all", "own")
_MUST_KNOW: Final = "the seat to move must know its own cards, its leader and all open cards"
_SEED: Final = 1
"""Of sampled worlds."""
_IDLE_HANDS: Final = "Unknown hands do not matter this turn: no line touches them."

PolicyLoader = Callable[[Game, str], Policy]
"""Loads the bot of that name to play for the others; GameError if there is none."""


@dataclass(frozen=True)
class Query:
    """A position and a question about it, in words."""

    game: Game
    position: PosedPosition
    goal: str = "win"
    """`win`, `deny:B`, or the name of a side that is to win, such as a faction."""
    horizon: str = "turn"
    """`turn`, a number of turns, or `end`."""
    others: str = Others.COALITION.value
    """`coalition`, `random`, `selfish` or `bot:NAME`."""
    sight: str = ""
    """`all`: all cards are open; `own`: the seat sees only its own; "": `own` if any is unknown."""
    most_worlds: int = MOST_WORLDS
    view: View | None = None
    """What the seat to move has observed, if more is known of that than the position says."""


@dataclass(frozen=True)
class Solution:
    """An answer, and the worlds that it is about."""

    query: Query
    answer: Answer
    worlds: tuple[State, ...]
    hidden: bool
    """Whether the seat to move sees only its own cards."""
    idle: bool
    """Whether unknown hands were left out because no line touches them."""
    blind: bool = False
    """Whether there were too many worlds to go through; `worlds` then has one, as an example."""

    @property
    def exact(self) -> bool:
        return self.answer.exact

    @property
    def best(self) -> list[str]:
        """The moves likeliest to reach the goal, in words; if not exact, all that may be."""
        return [self.text(value) for value in self.answer.best]

    @property
    def moves(self) -> dict[str, MoveValue]:
        """Every legal move in words, with its value."""
        return {self.text(value): value for value in self.answer.values}

    def text(self, value: MoveValue) -> str:
        """The move in words."""
        return self.query.game.text.move(self.worlds[0], value.move)


# ---- for Python users -------------------------------------------------------------------------


def solve(
    position: str | State | PosedPosition,
    *,
    goal: str = "win",
    horizon: int | str = 1,
    others: str = Others.COALITION.value,
    sight: str = "",
    game: str | Game = DEFAULT_GAME,
    nodes: int = USUAL_NODES,
    policies: PolicyLoader | None = None,
) -> Solution:
    """Work out what every legal move of a position is worth.

    The position is text, a State, or a position read before. The goal is "win", "deny:B" or a side
    such as "water"; the horizon a number of turns, including this one, or "end"; the others
    "coalition", "random", "selfish" or "bot:NAME", which `policies=bots.bot_policy` loads.
    If `nodes` positions are not enough, the values are bounds and `exact` is False.
    BadQuestion says what cannot be asked, BadPosition what is wrong with the position.
    """
    query = _query(position, game, goal, horizon, others, sight)
    return solve_query(query, NodeBudget(nodes), policies)


def solve_for_equilibrium(
    position: str | State | PosedPosition,
    *,
    goal: str = "win",
    horizon: int | str = 1,
    game: str | Game = DEFAULT_GAME,
    nodes: int = USUAL_NODES,
) -> EquilibriumSolution:
    """The equilibrium of a two-player ending with secrets on both sides; arguments as `solve`."""
    query = _query(position, game, goal, horizon, EQUILIBRIUM, "")
    return solve_equilibrium_query(query, NodeBudget(nodes))


def _query(
    position: str | State | PosedPosition,
    game: str | Game,
    goal: str,
    horizon: int | str,
    others: str,
    sight: str,
) -> Query:
    rules = game_of_name(game) if isinstance(game, str) else game
    if isinstance(position, State):
        if rules.positions is None:
            raise GameError(f"positions of {rules.title} cannot be written down")
        position = rules.positions.write(position)
    if isinstance(position, str):
        position = read_position(rules, position)
    return Query(rules, position, goal, str(horizon), others, sight)


# ---- solving a query --------------------------------------------------------------------------


def solve_query(
    query: Query,
    budget: NodeBudget,
    policies: PolicyLoader | None = None,
    every_world: bool = False,
    tick: Tick | None = None,
) -> Solution:
    """The solution; BadQuestion if it cannot be asked, or is about bots without `policies`.

    With `every_world`, TooManyWorlds unless all worlds can be gone through, one by one. `tick` is
    called while odds are computed; without it every step of that counts as a position.
    """
    tick = tick or partial(_count_step, budget)
    unknown = query.position.unknowns()
    sight = _one_of("sight", query.sight or ("own" if unknown else "all"), _SIGHTS)
    if unknown and sight == "all":
        raise BadQuestion(
            f"sight 'all' needs every card to be known, but some are not ({'; '.join(unknown)})"
        )
    policy = _read_policy(query, policies)
    if query.view is not None and sight == "own" and not every_world:
        return _solve_blind(query, query.view, policy, budget, tick)
    # A bot's move depends on the cards in its hand, so these always matter.
    this_turn = read_horizon(query.horizon) == 1 and policy is None
    try:
        if this_turn and query.position.can_idle():
            try:
                return _solve(query, sight, policy, budget, idle=True)
            except SecretsMatter:
                pass
        return _solve(query, sight, policy, budget, idle=False)
    except TooManyWorlds:
        if every_world:
            raise
        return _solve_blind(query, None, policy, budget, tick)


def _count_step(budget: NodeBudget) -> None:
    """Odds take as long as thousands of positions, so `budget.most` limits them as well."""
    budget.check_time()
    if not budget.spend():
        raise BudgetExceeded("too many positions")


def _solve_blind(
    query: Query, view: View | None, policy: Policy | None, budget: NodeBudget, tick: Tick
) -> Solution:
    """The solution if there are too many worlds to go through."""
    rng = Rng(_SEED)
    example = query.position.draw(rng)
    question = question_of(query, example, policy=policy)
    posed = view is None
    if posed:
        _check_named(query.position, question.seat)
        view = view_of(query, example, question.seat)
    unseen = None
    if view is not None and query.goal.casefold() == "win":
        with suppress(BudgetExceeded):  # looking at what the seat knows may take too long
            unseen = query.game.analysis.unseen(view, _SEED, tick)

    def draw() -> State:
        return query.position.draw(rng) if view is None else view.sample(rng)

    name = seat_name(question.seat)
    answer = solve_blind(question, unseen, draw, budget, name, posed)
    return Solution(query, answer, (example,), hidden=True, idle=False, blind=True)


def view_of(query: Query, example: State, seat: int) -> View | None:
    """What the seat knows if it knows what the position names; None if the game has no such view.

    The seat's own cards and the open ones are the same in every world of the position.
    """
    position = query.position
    if not isinstance(position, PosedKnowledge):
        return None
    events = query.game.analysis.late_events(example, seat, position.named())
    if events is None:
        return None
    view = query.game.view(seat, position.players, **position.options())
    for event in events:
        view.observe(event)
    return view


def _solve(
    query: Query, sight: str, policy: Policy | None, budget: NodeBudget, idle: bool
) -> Solution:
    worlds = query.position.worlds(query.most_worlds, idle)
    question = question_of(query, worlds[0], idle, policy)
    if sight == "own":
        _check_alike(query.position, worlds, question.seat)
        answer = solve_hidden(question, worlds, budget, seat_name(question.seat))
        if idle:
            answer = replace(answer, sight=f"{answer.sight} {_IDLE_HANDS}")
    else:
        answer = solve_open(question, worlds[0], budget)
    return Solution(query, answer, tuple(worlds), sight == "own", idle)


def _check_alike(position: PosedPosition, worlds: Sequence[State], seat: int) -> None:
    """BadQuestion if the seat to move could see which world is the true one."""
    if not isinstance(position, PosedEquilibrium):
        return
    if len({position.sight(world, seat) for world in worlds}) > 1:
        _check_named(position, seat)
        examples = " or ".join(sorted({position.seen(world, seat) for world in worlds})[:2])
        raise BadQuestion(f"{_MUST_KNOW}; here they could be {examples}, for example")


def _check_named(position: PosedPosition, seat: int) -> None:
    """BadQuestion if the position does not say what the seat to move sees at the table."""
    if isinstance(position, PosedKnowledge) and (unnamed := position.unnamed(seat)):
        raise BadQuestion(f"{_MUST_KNOW}; write what is unknown here: {', '.join(unnamed)}")


def question_of(
    query: Query, state: State, idle: bool = False, policy: Policy | None = None
) -> Question:
    """The question that the words mean, about a world of the position."""
    seat = int(state.actor)
    if seat < 0:
        reason = "the game is over" if state.actor == NOBODY else "chance decides next"
        raise BadQuestion(f"{reason}: there is no move to evaluate")
    return Question(
        seat,
        read_goal(query.game, query.goal, seat, query.position.players),
        read_horizon(query.horizon),
        Others(query.others) if policy is None else Others.BOT,
        query.position.watch(state) if idle else None,
        policy,
    )


# ---- equilibria -------------------------------------------------------------------------------


@dataclass(frozen=True)
class EquilibriumSolution:
    """An equilibrium, and the worlds that it is about."""

    query: Query
    position: PosedEquilibrium
    equilibrium: Equilibrium
    worlds: tuple[State, ...]

    def sentences(self) -> list[str]:
        """The question in words, as the solver understood it."""
        question = self.equilibrium.form.question
        me, other = seat_name(question.seat), seat_name(1 - question.seat)
        plans = (
            f"{other} wants the opposite. Both play an equilibrium: they may mix moves at random, "
            f"and neither {me} nor {other} could do better with another plan."
        )
        sight = (
            "Both know what the position names, and later what each observes. A card or leader "
            "written as ? is known to the seat that has it, to both if it lies open, and to "
            "neither if it is in a pile."
        )
        if len(self.worlds) > 1:
            sight += f" There are {len(self.worlds)} worlds, all equally likely at the start."
        goal, horizon, _, chance = question.sentences()
        return [goal, horizon, plans, sight, chance]


def solve_equilibrium_query(query: Query, budget: NodeBudget) -> EquilibriumSolution:
    """The equilibrium of a two-player ending; BadQuestion says what cannot be asked."""
    position = query.position
    if position.players != 2:
        raise BadQuestion(f"equilibria are for two players, not {position.players}")
    if not isinstance(position, PosedEquilibrium):
        raise BadQuestion(f"equilibria of {query.game.title} are not offered")
    if query.sight == "all":
        raise BadQuestion("in an equilibrium each seat sees its own cards; leave out sight 'all'")
    worlds = position.worlds(query.most_worlds)
    # `Others` has no value for the other seat of an equilibrium, and its search ignores it.
    question = question_of(replace(query, others=Others.COALITION.value), worlds[0])
    equilibrium = solve_equilibrium(question, worlds, position.sight, budget)
    return EquilibriumSolution(query, position, equilibrium, tuple(worlds))


# ---- words ------------------------------------------------------------------------------------


def _read_policy(query: Query, policies: PolicyLoader | None) -> Policy | None:
    """How the others play if they are bots, else None; BadQuestion if `others` is not valid."""
    kind, colon, name = query.others.partition(":")
    if kind != Others.BOT.value:
        known = [others.value for others in Others if others is not Others.BOT]
        if query.others == EQUILIBRIUM:
            raise BadQuestion(
                "others 'equilibrium' works only with `arena solve` and `solve_for_equilibrium`"
            )
        _one_of("others", query.others, [*known, "bot:NAME", EQUILIBRIUM])
        return None
    if not colon or not name:
        raise BadQuestion(f"others '{query.others}': name the bot, as in bot:greedy")
    if policies is None:
        raise BadQuestion(f"others '{query.others}': to load bots, pass policies=bots.bot_policy")
    return policies(query.game, name)


def read_goal(game: Game, words: str, seat: int, players: int) -> Goal:
    """The goal that the words name, for the seat to move."""
    kind, _, who = words.casefold().partition(":")
    seats = [seat_name(number) for number in range(players)]
    if kind == "win" and not who:
        return win(seat, seat_name(seat))
    if kind == "deny":
        if who.upper() not in seats or who.upper() == seat_name(seat):
            others = [f"deny:{name}" for name in seats if name != seat_name(seat)]
            own = f"{seat_name(seat)} is to move; " if who.upper() == seat_name(seat) else ""
            raise BadQuestion(f"goal '{words}': {own}choose {' or '.join(others)}")
        return deny(seats.index(who.upper()), who.upper())
    verdicts = {name.casefold(): name for name in game.verdicts}
    if words.casefold() in verdicts:
        return verdict_is(game.verdict, verdicts[words.casefold()])
    known = ["win", "deny:SEAT", *verdicts]
    raise BadQuestion(
        f"there is no goal '{words}' (known: {', '.join(known)}){did_you_mean(words, known)}"
    )


def read_horizon(words: str) -> int:
    """The number of turns, including this one; 0 for the end of the game."""
    if words in ("turn", "end"):
        return 1 if words == "turn" else 0
    if words.isdecimal() and len(words) <= 4 and 1 <= int(words) <= _MOST_TURNS:
        return int(words)
    raise BadQuestion(
        f"horizon '{words}': use 'turn', 'end' or a number of turns from 1 to {_MOST_TURNS}"
    )


def _one_of(what: str, word: str, known: Iterable[str]) -> str:
    """The word, if it is one of those known."""
    known = list(known)
    if word not in known:
        raise BadQuestion(
            f"{what} '{word}': choose one of {', '.join(known)}{did_you_mean(word, known)}"
        )
    return word
