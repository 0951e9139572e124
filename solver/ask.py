"""Questions about positions as people write them, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.errors import did_you_mean
from games.questions import PosedEquilibrium, PosedPosition, SecretsMatter, TooManyWorlds
from games.registry import Game
from games.seats import seat_name
from games.state import NOBODY, State
from solver.answer import Answer, solve_hidden, solve_open
from solver.core.budget import NodeBudget
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

MOST_TURNS: Final = 1000
EQUILIBRIUM: Final = "equilibrium"
"""Of `Asked.others`: asked of `solve_balanced`, as it is answered in another way."""
_SIGHTS: Final = ("all", "own")
IDLE: Final = "Cards that nobody has seen do not matter in this turn: no line touches them."


@dataclass(frozen=True)
class Asked:
    """A position and what is asked about it, in words."""

    game: Game
    position: PosedPosition
    goal: str = "win"
    """`win`, `deny:B` or the name of what is to win, such as a faction."""
    horizon: str = "turn"
    """`turn`, a number of turns, or `end`."""
    others: str = Others.COALITION.value
    """`coalition`, `random`, `selfish` or `bot:` and the name of a bot."""
    sight: str = ""
    """`all`: every card is open; `own`: choices depend on what the seat perceives; or by itself."""
    most_worlds: int = MOST_WORLDS


Hire = Callable[[Game, str], Policy]
"""Finds the bot of that name for the others' seats; GameError if there is none."""


@dataclass(frozen=True)
class Solved:
    """An answer, and the worlds it is about."""

    asked: Asked
    answer: Answer
    worlds: tuple[State, ...]
    hidden: bool
    idle: bool
    """Whether some of what is unknown was left out of account, as nothing depends on it."""


def solve(asked: Asked, budget: NodeBudget, hire: Hire | None = None) -> Solved:
    """The answer; BadQuestion says what cannot be asked, without `hire` also questions of bots."""
    unknown = asked.position.unknowns()
    sight = chosen("sight", asked.sight or ("own" if unknown else "all"), _SIGHTS)
    if unknown and sight == "all":
        raise BadQuestion(f"with all cards open none can be unknown ({'; '.join(unknown)})")
    policy = read_policy(asked, hire)
    # What a bot does depends on the cards in its hand, so these are never idle.
    this_turn = read_horizon(asked.horizon) == 1 and policy is None
    if not this_turn or not asked.position.can_idle():
        return _solve(asked, sight, policy, budget, idle=False)
    try:
        return _solve(asked, sight, policy, budget, idle=True)
    except SecretsMatter as why:
        try:
            return _solve(asked, sight, policy, budget, idle=False)
        except TooManyWorlds as error:
            raise BadQuestion(f"{error}; {why}") from None


def _solve(
    asked: Asked, sight: str, policy: Policy | None, budget: NodeBudget, idle: bool
) -> Solved:
    possible = asked.position.worlds(asked.most_worlds, idle)
    question = asked_question(asked, possible[0], idle, policy)
    if sight == "own":
        _check_own(asked.position, possible, question.seat)
        answer = solve_hidden(question, possible, budget, seat_name(question.seat))
        if idle:
            answer = replace(answer, sight=f"{answer.sight} {IDLE}")
    else:
        answer = solve_open(question, possible[0], budget)
    return Solved(asked, answer, tuple(possible), sight == "own", idle)


def _check_own(position: PosedPosition, worlds: Sequence[State], seat: int) -> None:
    """BadQuestion if the seat to move would see which world is the true one."""
    if not isinstance(position, PosedEquilibrium):
        return
    if len({position.sight(world, seat) for world in worlds}) > 1:
        told = " or ".join(sorted({position.seen(world, seat) for world in worlds})[:2])
        raise BadQuestion(
            f"the seat to move must know its own cards and leader and all that lies open; "
            f"here it could be {told}"
        )


def asked_question(
    asked: Asked, table: State, idle: bool = False, policy: Policy | None = None
) -> Question:
    """The question that the words mean, about a world of the position."""
    seat = int(table.actor)
    if seat < 0:
        luck = "the game is over" if table.actor == NOBODY else "luck decides next"
        raise BadQuestion(f"{luck}: there is no move to judge")
    return Question(
        seat,
        read_goal(asked.game, asked.goal, seat, asked.position.players),
        read_horizon(asked.horizon),
        Others(asked.others) if policy is None else Others.BOT,
        asked.position.watch(table) if idle else None,
        policy,
    )


# ---- equilibria -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Balanced:
    """An equilibrium, and the worlds it is about."""

    asked: Asked
    position: PosedEquilibrium
    equilibrium: Equilibrium
    worlds: tuple[State, ...]

    def sentences(self) -> list[str]:
        """The question in words, as it was understood."""
        question = self.equilibrium.form.question
        me, other = seat_name(question.seat), seat_name(1 - question.seat)
        plans = (
            f"{other} wants the opposite. Both play an equilibrium: they may choose by dice, and "
            f"neither {me} nor {other} could do better with another plan."
        )
        sight = (
            "Both know what the position names, and later what each perceives. A card or leader "
            "written as ? is known to the seat that has it, to both if it lies open, and to "
            "nobody in a pile."
        )
        if len(self.worlds) > 1:
            sight += f" So there are {len(self.worlds)} worlds, to both equally likely at first."
        goal, horizon, _, luck = question.sentences()
        return [goal, horizon, plans, sight, luck]


def solve_balanced(asked: Asked, budget: NodeBudget) -> Balanced:
    """The equilibrium of an ending of two players; BadQuestion says what cannot be asked."""
    position = asked.position
    if position.players != 2:
        raise BadQuestion(f"equilibria are for two players, and here are {position.players}")
    if not isinstance(position, PosedEquilibrium):
        raise BadQuestion(f"equilibria of {asked.game.title} are not offered")
    if asked.sight == "all":
        raise BadQuestion("in an equilibrium each seat sees its own cards: it has no sight 'all'")
    possible = position.worlds(asked.most_worlds)
    # The searches know the other seat only as an enemy that sees everything; here it is none.
    question = asked_question(replace(asked, others=Others.COALITION.value), possible[0])
    found = solve_equilibrium(question, possible, position.sight, budget)
    return Balanced(asked, position, found, tuple(possible))


# ---- words ------------------------------------------------------------------------------------


def read_policy(asked: Asked, hire: Hire | None) -> Policy | None:
    """How the others play if they are bots; BadQuestion if it is not said well who they are."""
    kind, colon, name = asked.others.partition(":")
    if kind != Others.BOT.value:
        known = [one.value for one in Others if one is not Others.BOT]
        if asked.others == EQUILIBRIUM:
            raise BadQuestion("an equilibrium can be asked for only with arena solve")
        chosen("others", asked.others, [*known, "bot:NAME", EQUILIBRIUM])
        return None
    if not colon or not name:
        raise BadQuestion(f"others '{asked.others}': the bot must be named, as in bot:greedy")
    if hire is None:
        raise BadQuestion(f"others '{asked.others}': there are no bots here")
    return hire(asked.game, name)


def read_goal(game: Game, words: str, seat: int, players: int) -> Goal:
    """The goal that the words name, for the seat that is to move."""
    kind, _, who = words.casefold().partition(":")
    seats = [seat_name(number) for number in range(players)]
    if kind == "win" and not who:
        return win(seat, seat_name(seat))
    if kind == "deny":
        if who.upper() not in seats or who.upper() == seat_name(seat):
            others = ", ".join(f"deny:{one}" for one in seats if one != seat_name(seat))
            raise BadQuestion(f"goal '{words}': the others to be denied are {others}")
        return deny(seats.index(who.upper()), who.upper())
    verdicts = {name.casefold(): name for name in game.verdicts}
    if words.casefold() in verdicts:
        return verdict_is(game.verdict, verdicts[words.casefold()])
    known = ["win", "deny:SEAT", *verdicts]
    raise BadQuestion(
        f"there is no goal '{words}' (known: {', '.join(known)}){did_you_mean(words, known)}"
    )


def read_horizon(words: str) -> int:
    """Turns, the present one included; 0 for to the end."""
    if words in ("turn", "end"):
        return 1 if words == "turn" else 0
    if words.isdecimal() and len(words) <= 4 and 1 <= int(words) <= MOST_TURNS:
        return int(words)
    raise BadQuestion(
        f"horizon '{words}': it is 'turn', 'end' or a number of turns from 1 to {MOST_TURNS}"
    )


def chosen(what: str, word: str, known: list[str] | tuple[str, ...]) -> str:
    """The word, if it is one of those known."""
    if word not in known:
        raise BadQuestion(
            f"{what} '{word}': it is one of {', '.join(known)}{did_you_mean(word, known)}"
        )
    return word
