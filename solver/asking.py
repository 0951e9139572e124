"""Questions about positions of Hidden Leaders as people write them, and their answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from games.errors import did_you_mean
from games.hidden_leaders.drawing import seat_letter
from games.hidden_leaders.position import Position
from games.hidden_leaders.state import HiddenLeaders
from games.hidden_leaders.words import FACTION_NAMES
from games.state import NOBODY, State
from solver.answer import Answer, solve_hidden, solve_open
from solver.effort import Effort
from solver.equilibrium import Equilibrium, solve_equilibrium
from solver.hidden_leaders import (
    MOST_WORLDS,
    HandsMatter,
    IdleHands,
    TooManyWorlds,
    faction_wins,
    foregone,
    seen_by,
    turns,
    worlds,
)
from solver.question import LUCK, BadQuestion, Goal, Others, Question, deny, win

MOST_TURNS: Final = 1000
EQUILIBRIUM: Final = "equilibrium"
"""Of `Asked.others`: asked of `solve_balanced`, as it is answered in another way."""
_FACTIONS: Final = {name.casefold(): faction for faction, name in FACTION_NAMES.items()}
_SIGHTS: Final = ("all", "own")
IDLE: Final = "What the others hold in hand does not matter in this turn: no line touches it."


@dataclass(frozen=True)
class Asked:
    """A position and what is asked about it, in words."""

    position: Position
    goal: str = "win"
    """`win`, `deny:B` or a faction's name."""
    horizon: str = "turn"
    """`turn`, a number of turns, or `end`."""
    others: str = Others.COALITION.value
    sight: str = ""
    """`all`: every card is open; `own`: choices depend on what the seat perceives; or by itself."""
    most_worlds: int = MOST_WORLDS


@dataclass(frozen=True)
class Solved:
    """An answer, and the worlds it is about."""

    asked: Asked
    answer: Answer
    worlds: tuple[HiddenLeaders, ...]
    hidden: bool
    idle: bool
    """Whether the others' unknown hands were left out of account, as nothing depends on them."""


def solve(asked: Asked, effort: Effort) -> Solved:
    """The answer; BadQuestion says what cannot be asked."""
    unknown = asked.position.unknowns()
    sight = chosen("sight", asked.sight or ("own" if unknown else "all"), _SIGHTS)
    if unknown and sight == "all":
        raise BadQuestion(f"with all cards open none can be unknown ({'; '.join(unknown)})")
    if read_horizon(asked.horizon) != 1 or not any(" hand" in place for place in unknown):
        return _solve(asked, sight, effort, idle=False)
    try:
        return _solve(asked, sight, effort, idle=True)
    except HandsMatter as why:
        try:
            return _solve(asked, sight, effort, idle=False)
        except TooManyWorlds as error:
            raise BadQuestion(f"{error}; unknown hands matter here, since {why}") from None


def _solve(asked: Asked, sight: str, effort: Effort, idle: bool) -> Solved:
    possible = worlds(asked.position, asked.most_worlds, idle)
    table = possible[0]
    others = Others(chosen("others", asked.others, [one.value for one in Others]))
    question = replace(_question(asked, table), others=others)
    if idle:
        question = replace(question, foregone=IdleHands(table).foregone)
    seat = question.seat
    if sight == "own":
        answer = solve_hidden(question, list[State](possible), effort, seat_letter(seat))
        if idle:
            answer = replace(answer, sight=f"{answer.sight} {IDLE}")
    else:
        answer = solve_open(question, table, effort)
    return Solved(asked, answer, tuple(possible), sight == "own", idle)


def _question(asked: Asked, table: HiddenLeaders) -> Question:
    """What is wanted of the seat to move, whatever the others do."""
    seat = int(table.actor)
    if seat < 0:
        luck = "the game is over" if table.actor == NOBODY else "luck decides next"
        raise BadQuestion(f"{luck}: there is no move to judge")
    goal = read_goal(asked.goal, seat, asked.position.players)
    return Question(seat, goal, turns, read_horizon(asked.horizon), foregone=foregone)


# ---- equilibria -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Balanced:
    """An equilibrium, and the worlds it is about."""

    asked: Asked
    equilibrium: Equilibrium
    worlds: tuple[HiddenLeaders, ...]

    def sentences(self) -> list[str]:
        """The question in words, as it was understood."""
        question = self.equilibrium.form.question
        me, other = seat_letter(question.seat), seat_letter(1 - question.seat)
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
        return [*question.aim(), plans, sight, LUCK]


def solve_balanced(asked: Asked, effort: Effort) -> Balanced:
    """The equilibrium of an ending of two players; BadQuestion says what cannot be asked."""
    if asked.position.players != 2:
        raise BadQuestion(f"equilibria are for two players, and here are {asked.position.players}")
    if asked.sight == "all":
        raise BadQuestion("in an equilibrium each seat sees its own cards: it has no sight 'all'")
    possible = worlds(asked.position, asked.most_worlds)
    question = _question(asked, possible[0])
    found = solve_equilibrium(question, list[State](possible), seen_by, effort)
    return Balanced(asked, found, tuple(possible))


# ---- words ------------------------------------------------------------------------------------


def read_goal(words: str, seat: int, players: int) -> Goal:
    """The goal that the words name, for the seat that is to move."""
    kind, _, who = words.casefold().partition(":")
    seats = [seat_letter(number) for number in range(players)]
    if kind == "win" and not who:
        return win(seat, seat_letter(seat))
    if kind == "deny":
        if who.upper() not in seats or who.upper() == seat_letter(seat):
            others = ", ".join(f"deny:{one}" for one in seats if one != seat_letter(seat))
            raise BadQuestion(f"goal '{words}': the others to be denied are {others}")
        return deny(seats.index(who.upper()), who.upper())
    if words.casefold() in _FACTIONS:
        return faction_wins(_FACTIONS[words.casefold()])
    known = ["win", "deny:SEAT", *_FACTIONS]
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
