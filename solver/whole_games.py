"""Equilibria of whole games for two, from before the deal; for games of the size of Kuhn poker."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.registry import DEFAULT_GAME
from games.registry import game as game_of_name
from games.seats import seat_name
from games.state import State
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.core.question import BadQuestion, Question, win
from solver.equilibrium.sequence_form import SequenceForm
from solver.equilibrium.solve import Proof, prove_plans

SOLVED_SEAT = 0
"""The seat whose payoff is computed; the other one gets the opposite."""


@dataclass(frozen=True)
class WholeGame:
    """A whole game for two, its value, and the plans that prove it."""

    form: SequenceForm
    mine: Proof
    """A plan of seat A."""
    theirs: Proof
    """A plan of seat B."""

    @property
    def value(self) -> tuple[Fraction, Fraction]:
        """What A gets on average, at least and at most: 1 for a win, -1 for a loss, else 0."""
        return 2 * self.mine.bound - 1, 2 * self.theirs.bound - 1

    @property
    def exact(self) -> bool:
        return self.mine.bound == self.theirs.bound

    @property
    def nodes(self) -> int:
        """How many positions the game has, up to where nothing can change the outcome any more."""
        return self.form.budget.nodes

    @property
    def information_sets(self) -> tuple[int, int]:
        """How many of A and of B."""
        return len(self.form.mine.information_sets), len(self.form.theirs.information_sets)

    def mixed(self) -> int:
        """At how many information sets the plans mix moves."""
        shares = (*self.mine.shares, *self.theirs.shares)
        return sum(sum(share > 0 for share in taken) > 1 for taken in shares)


def solve_whole_game(
    game: str = DEFAULT_GAME, *, nodes: int = USUAL_NODES, **options: object
) -> WholeGame:
    """The equilibrium of a game for two with these options, such as `variant="tiny"`.

    Payoffs are those of `arena.adapters`. BadQuestion if the game has more than `nodes` positions.
    """
    rules = game_of_name(game)
    if rules.min_players != 2:
        raise BadQuestion(f"equilibria are for two players, and {rules.title} is for more")
    if "players" in options:
        raise BadQuestion("equilibria are for two players; leave out players")
    start = rules.new(2, **options)
    question = Question(SOLVED_SEAT, win(SOLVED_SEAT, seat_name(SOLVED_SEAT)))
    form = SequenceForm(question, [start], lambda _world, _seat: (), NodeBudget(nodes), _score)
    return WholeGame(form, *prove_plans(form))


def _score(state: State) -> Fraction:
    """1 for a win of A, 0 for one of B, 1/2 if nobody or both have won."""
    return Fraction(1 + state.wins(SOLVED_SEAT) - state.wins(1 - SOLVED_SEAT), 2)
