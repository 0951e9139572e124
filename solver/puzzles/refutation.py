"""Why a choice in a puzzle was not best: a line in which it fails, played out to the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.errors import GameError
from games.state import State
from solver.puzzles.trial import Trial, TrialMove

_MOST_CHOICES: Final = 100
"""Of a line; more would mean that a puzzle has no horizon."""


@dataclass(frozen=True)
class Refutation:
    """A wrong choice and what follows, if luck is bad and everybody plays well from there on."""

    moves: tuple[TrialMove, ...]
    end: State
    fails: bool
    """Whether the goal is missed; always so if all cards are open."""

    @property
    def start(self) -> State:
        """The table before the choice; with hidden cards, a possible one in which it fails."""
        return self.moves[0].table

    @property
    def tables(self) -> list[State]:
        """The table before the choice and after each move."""
        return [*(made.table for made in self.moves), self.end]


def refute(trial: Trial) -> Refutation:
    """The refutation of the last choice that was not best; GameError if all were."""
    wrong = [number for number, choice in enumerate(trial.choices) if not choice.kept]
    if not wrong:
        raise GameError("every choice so far was best; there is nothing to refute")
    number = wrong[-1]
    chances = trial.prospects(number)
    worst_first = sorted(range(len(chances)), key=chances.__getitem__)
    lines = (
        _line(trial.branch(number, state), trial.choices[number].move) for state in worst_first
    )
    first = next(lines)
    # A plan that is best over all states may succeed in this one after all.
    return first if first.fails else next((line for line in lines if line.fails), first)


def _line(branch: Trial, move: int) -> Refutation:
    """The move, then the best choices of the person and the replies to them."""
    branch.choose(move)
    while branch.reached is None and len(branch.choices) < _MOST_CHOICES:
        forced = branch.forced
        options = branch.options()
        branch.choose(max(options, key=options.__getitem__) if forced is None else forced)
    return Refutation(tuple(branch.history), branch.state, not branch.reached)
