"""Checks certificates about what a seat has seen: its chance to win its turn.

The checker works out from the seat's events which worlds there are (`games.questions.Witness`),
walks the turn by the rules in several of them at once (`turn_tree`), follows the certificate's
plans through that tree, and computes what no plan can exceed (`turn_value`). A plan is looked up by
what the seat perceives and by nothing else. Claims of 0 and 1 are checked in every world that has
no more cards of a faction than are unseen, without any odds, if that is enough to show them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from games.errors import GameError
from games.questions import SecretsMatter, Witness
from games.registry import Game, game
from games.seats import seat_name
from solver.certificates.checker import Checked, Unproven, claims_by_move
from solver.certificates.format import (
    BadCertificate,
    Claim,
    Link,
    ProofNode,
    SeatCertificate,
    Seen,
)
from solver.certificates.turn_tree import TurnBranch, TurnWalker
from solver.certificates.turn_value import PlanCourse, Valuer, course

SEAT_QUESTION: Final = {"goal": "win", "horizon": "turn", "others": "coalition"}
"""The only question that seat certificates are about."""


def check_seat_certificate(certificate: SeatCertificate) -> Checked:
    """Check the whole proof; Unproven or BadCertificate if anything is wrong with it."""
    rules = _rules(certificate)
    witness = turn_witness(rules, certificate)
    walker, valuer = TurnWalker(rules, witness), Valuer(witness)
    claims_by_move(certificate.claims, walker.moves())
    follower = PlanFollower(certificate.nodes)
    positions = 0
    for claim in certificate.claims:
        try:
            check_seat_claim(claim, walker.tree(claim.move), follower, valuer)
        except Unproven as error:
            raise Unproven(f"after {claim.move}: {error}") from None
        except SecretsMatter as why:
            raise Unproven(str(why)) from None
        positions += walker.nodes
    follower.check_all_used()
    return Checked(positions)


def check_seat_claim(
    claim: Claim, branch: TurnBranch, follower: PlanFollower, valuer: Valuer
) -> None:
    """Unproven unless the plan achieves the value and no plan achieves more."""
    (link,) = claim.links
    if claim.value > 1:
        raise Unproven(f"{claim.value} is claimed, which is more than a chance can be")
    if link is not None:
        followed = follower.course(claim.move, branch, link)
        sure = valuer.surely(followed, wins=True)
        achieved = Fraction(1) if sure else valuer.value(followed)
        if achieved != claim.value:
            raise Unproven(f"{claim.value} is claimed, but the plan achieves {achieved}")
    elif claim.value:
        raise Unproven(f"{claim.value} is claimed, but there is no plan")
    if claim.value < 1 and not (claim.value == 0 and valuer.surely(branch.node, wins=False)):
        most = valuer.best(branch.node)[0]
        if most > claim.value:
            raise Unproven(f"{claim.value} is claimed, but another plan may achieve {most}")


@dataclass
class PlanFollower:
    """Follows plans by what the seat perceives."""

    nodes: tuple[ProofNode, ...]
    used: set[tuple[int, Seen]] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)

    def course(self, move: str, branch: TurnBranch, link: Link) -> PlanCourse:
        """What a plan that begins with the move leads to."""
        if not isinstance(link, int) or self.nodes[link].choice != move:
            raise Unproven("the plan does not begin with this move")
        self.begun.add(link)
        return self.followed(branch, link, ())

    def followed(self, branch: TurnBranch, link: int, seen: Seen) -> PlanCourse:
        node, seen = branch.node, seen + branch.news
        if node.who == "end":
            return PlanCourse("end", node.end)
        if node.who == "mine":
            following = self.nodes[link].after.get(seen)
            if not isinstance(following, int):
                raise Unproven("the plan has no move for what the seat has observed")
            self.used.add((link, seen))
            self.begun.add(following)
            words = self.nodes[following].choice
            for each in node.branches:
                if each.words == words:
                    return self.followed(each, following, ())
            raise Unproven(f"'{words}' is not possible")
        return course(
            node.who,
            [(each.weight, each.facts, self.followed(each, link, seen)) for each in node.branches],
        )

    def check_all_used(self) -> None:
        """Unproven if a plan has a move for something that the seat never observes."""
        for number in sorted(self.begun):
            node = self.nodes[number]
            for seen in node.after:
                if (number, seen) not in self.used:
                    events = [list(event) for event in seen]
                    raise Unproven(
                        f"after {node.choice}: the plan has a move for what the seat never "
                        f"observes: {events}"
                    )
        for number in range(len(self.nodes)):
            if number not in self.begun:
                raise Unproven(f"node {number} belongs to no plan")


def turn_witness(rules: Game, certificate: SeatCertificate) -> Witness:
    """The seat's turn, worked out from the events."""
    seats = [seat_name(seat) for seat in range(certificate.players)]
    if certificate.seat not in seats:
        raise BadCertificate(f"seat '{certificate.seat}': the seats are {', '.join(seats)}")
    try:
        witness = rules.analysis.witness(
            seats.index(certificate.seat),
            certificate.players,
            certificate.options,
            certificate.events,
        )
    except GameError as error:
        raise BadCertificate(str(error)) from None
    if witness is None:
        raise BadCertificate(f"what a seat knows of {rules.title} cannot be checked")
    return witness


def _rules(certificate: SeatCertificate) -> Game:
    rules = game(certificate.game)
    if rules.rules_version != certificate.rules:
        raise BadCertificate(
            f"it is for version {certificate.rules} of the rules of {rules.title}; "
            f"this is version {rules.rules_version}"
        )
    for key, value in SEAT_QUESTION.items():
        asked = getattr(certificate, key)
        if asked != value:
            raise BadCertificate(f"{key} '{asked}': a seat certificate has {key} '{value}'")
    rules.check_players(certificate.players)
    return rules
