"""Writes certificates of what a seat can win this turn as it knows the game.

The searches say what every move is worth; the plans come from the checker's own tree of the turn,
and the values are counted exactly. A value that differs from the search's is an error, and no
certificate is written.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.errors import GameError
from games.seats import seat_name
from solver.answer import MoveValue
from solver.ask import Solution, view_of
from solver.certificates.format import Claim, Link, ProofNode, SeatCertificate, Seen
from solver.certificates.seat_checker import SEAT_QUESTION, PlanFollower, turn_witness
from solver.certificates.turn_tree import TurnBranch, TurnNode, TurnWalker
from solver.certificates.turn_value import PlanChoices, Valuer
from solver.certificates.writer import Uncertified, check_others

ROUNDING: Final = Fraction(1, 10**8)
"""The searches compute these odds in double precision."""


def certify_seat(solution: Solution) -> SeatCertificate:
    """The certificate of an exact answer; Uncertified says why there is none."""
    query, answer = solution.query, solution.answer
    check_others(query.others)
    for key, value in SEAT_QUESTION.items():
        if getattr(query, key) not in (value, "1" if key == "horizon" else value):
            raise Uncertified(
                f"without going through all worlds, only {key} '{value}' can be certified, "
                f"not '{getattr(query, key)}'"
            )
    if not answer.exact:
        raise Uncertified(f"only exact answers can be certified, and this one is not: {answer.why}")
    writer = SeatWriter(solution)
    try:
        claims = tuple(writer.claim(one) for one in answer.values)
    except Uncertified:
        raise
    except GameError as error:
        raise Uncertified(f"no certificate can be written: {error}") from None
    return writer.certificate(claims)


class SeatWriter:
    """Collects the plans of one certificate."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        query, seat = solution.query, solution.answer.question.seat
        view = query.view or view_of(query, solution.worlds[0], seat)
        events = None if view is None else query.game.analysis.events_of(view)
        if events is None:
            raise Uncertified(
                f"what a seat knows of {query.game.title} cannot be certified; "
                f"only Hidden Leaders offers that"
            )
        self.head = SeatCertificate(
            query.game.name,
            query.game.rules_version,
            query.position.players,
            query.position.options(),
            seat_name(seat),
            **SEAT_QUESTION,
            events=tuple(events),
            claims=(),
            nodes=(),
        )
        witness = turn_witness(query.game, self.head)
        self.walker, self.valuer = TurnWalker(query.game, witness), Valuer(witness)
        self.nodes: dict[tuple[str, tuple[tuple[Seen, Link], ...]], int] = {}

    def certificate(self, claims: tuple[Claim, ...]) -> SeatCertificate:
        head = self.head
        return SeatCertificate(
            *(head.game, head.rules, head.players, head.options, head.seat),
            *(head.goal, head.horizon, head.others, head.events),
            claims,
            self._proof_nodes(),
        )

    def _proof_nodes(self) -> tuple[ProofNode, ...]:
        return tuple(ProofNode(choice, after=dict(after)) for choice, after in self.nodes)

    def claim(self, found: MoveValue) -> Claim:
        """The claim about a move, with a plan that achieves it."""
        words = self.solution.text(found)
        branch = self.walker.tree(words)
        value, link = self._proven(words, branch)
        if abs(value - found.likely[0]) > ROUNDING:
            raise Uncertified(
                f"'{words}' is worth {float(value):.9f} by the checker's count, but "
                f"{float(found.likely[0]):.9f} by the search; please report this"
            )
        return Claim(words, value, value, (link,))

    def _proven(self, words: str, branch: TurnBranch) -> tuple[Fraction, Link]:
        valuer, node = self.valuer, branch.node
        if valuer.surely(node, wins=False):
            return Fraction(0), None
        if valuer.surely(node, wins=True):
            return Fraction(1), self._plan(words, branch, self._sure_choices(node))
        most, choices = valuer.best(node)
        if not most:
            return most, None
        link = self._plan(words, branch, choices)
        followed = PlanFollower(self._proof_nodes()).course(words, branch, link)
        if valuer.value(followed) != most:
            raise Uncertified(f"no certificate can be written: no plan for '{words}' was found")
        return most, link

    def _sure_choices(self, node: TurnNode) -> PlanChoices:
        """A plan that surely wins."""
        if node.who == "end":
            return ()
        if node.who != "mine":
            return tuple(self._sure_choices(branch.node) for branch in node.branches)
        for at, branch in enumerate(node.branches):
            if self.valuer.surely(branch.node, wins=True):
                return at, self._sure_choices(branch.node)
        raise AssertionError("one of the moves surely wins")

    def _plan(self, words: str, branch: TurnBranch, choices: PlanChoices) -> int:
        """The node of a plan that begins with the move and goes on with these choices."""
        after: dict[Seen, Link] = {}
        self._collect(branch.node, choices, branch.news, after)
        key = words, tuple(after.items())
        return self.nodes.setdefault(key, len(self.nodes))

    def _collect(
        self, node: TurnNode, choices: PlanChoices, seen: Seen, after: dict[Seen, Link]
    ) -> None:
        """The next choices of the plan, by what the seat observes until then."""
        if node.who == "mine":
            at, rest = choices
            assert isinstance(at, int)
            assert isinstance(rest, tuple)
            taken = node.branches[at]
            link = self._plan(taken.words, taken, rest)
            if after.setdefault(seen, link) != link:
                raise Uncertified(
                    "no certificate can be written: the best plan depends on a choice of another "
                    "seat that the seat does not see"
                )
            return
        for branch, rest in zip(node.branches, choices, strict=True):
            assert isinstance(rest, tuple)
            self._collect(branch.node, rest, seen + branch.news, after)
