"""Checks certificates: plain recursion over the rules along what the certificate says.

It shares nothing with the searches, not even how a question is read: it imports the rules and the
file format. Nothing is believed but the rules. Where the certificate chooses for one side, all
choices of the other side and all luck must be there; what comes out at the ends is worked out in
exact fractions, and must be what is claimed.

A turn is also at its end where all that is left of it is to draw, discard and refill; that is seen
from the words of the moves offered, on the way to the end of the turn (`Game.only_tidies`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from games.errors import GameError
from games.questions import PosedEquilibrium, PosedPosition, SecretsMatter, TooManyWorlds
from games.registry import Game, game, read_position
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.certificates.format import (
    END,
    MOST_WORLDS,
    BadCertificate,
    Certificate,
    Claim,
    Link,
    Node,
    Seen,
)

MOST_POSITIONS: Final = 5_000_000
"""Positions one check may look at; certificates that are true need far fewer."""
MOST_TRIED: Final = 100_000
"""Positions looked at to see that no plan is better; beyond that it is left open, and said so."""
DEEPEST: Final = 250

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
Chances = tuple[Fraction, ...]
"""Of the goal, and then of every seat to win by the horizon."""


class Unproven(GameError):
    """The certificate does not prove what it claims; the message says where."""


class _TooMany(Exception):
    """Plans cannot all be tried."""


@dataclass(frozen=True)
class Checked:
    """What was found to hold."""

    positions: int
    """Looked at."""
    open: tuple[str, ...] = ()
    """Moves of which it was not seen that no plan makes more of them."""


def check(certificate: Certificate) -> Checked:
    """Go through the whole proof; Unproven or BadCertificate if anything is wrong with it."""
    checker = _CHECKERS[certificate.kind](certificate)
    claimed = {claim.move: claim for claim in certificate.claims}
    if len(claimed) != len(certificate.claims):
        raise Unproven("a move is claimed twice")
    legal = checker.offered(checker.worlds[0])
    for words in legal:
        if words not in claimed:
            raise Unproven(f"nothing is claimed of the move '{words}'")
    for words in claimed:
        if words not in legal:
            raise Unproven(f"'{words}' is no legal move of the position")
    for words, claim in claimed.items():
        try:
            with checker.step(checker.worlds[0], words):
                checker.check_claim(claim, legal[words])
        except SecretsMatter as why:
            raise checker.fault(str(why)) from None
    return Checked(checker.positions, tuple(checker.unseen))


class Checker(ABC):
    """One certificate and its question, as the rules understand it."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.rules = _rules(certificate)
        position = _position(self.rules, certificate)
        self.horizon = _horizon(certificate.horizon)
        if certificate.idle and (certificate.sight != "own" or self.horizon != 1):
            raise BadCertificate("only within this turn, and with hidden cards, can hands be idle")
        self.worlds = _worlds(position, certificate.idle)
        table = self.worlds[0]
        self.watch = position.watch(table) if certificate.idle else None
        self.seat = int(table.actor)
        if self.seat < 0:
            raise BadCertificate("nobody has to decide in this position")
        self.until = table.turns + self.horizon if self.horizon else None
        self.denied = _denied(certificate.goal, int(table.players))
        self.against = certificate.others == "coalition"
        if certificate.others not in ("coalition", "random", "selfish"):
            raise BadCertificate(f"others '{certificate.others}': no certificate is about such")
        if certificate.others == "selfish" and certificate.sight == "own":
            raise BadCertificate("with hidden cards no certificate is about selfish others")
        self.path: list[str] = []
        self.positions = 0
        self.unseen: list[str] = []

    @abstractmethod
    def check_claim(self, claim: Claim, move: int) -> None:
        """BadCertificate or Unproven unless the claim about the move holds."""

    # ---- the rules --------------------------------------------------------------------------

    def reached(self, state: State) -> bool:
        """Whether a finished game ended as the goal wants it."""
        goal = self.certificate.goal.casefold()
        if goal == "win":
            return self.seat in state.winners()
        if self.denied is not None:
            return self.denied not in state.winners()
        return self.rules.verdict(state).casefold() == goal

    def settled(self, state: State) -> Chances | None:
        """Everybody's chances, if game, horizon or all that matters of the turn are over."""
        end = state if self.over(state) else self.tidied(state)
        if end is None or not self.over(end):
            if self.watch is not None:
                self.watch(state)
            return None
        if end.actor == NOBODY:
            wins = (ONE if seat in end.winners() else ZERO for seat in range(end.players))
            return (ONE if self.reached(end) else ZERO, *wins)
        return (ZERO if self.denied is None else ONE, *(ZERO,) * int(end.players))

    def over(self, state: State) -> bool:
        return state.actor == NOBODY or state.turns == self.until

    def tidied(self, state: State) -> State | None:
        """The table after this turn, if cards are only drawn, discarded and refilled until then."""
        turn, end = state.turns, state
        while end.actor != NOBODY and end.turns == turn:
            if not self.rules.analysis.only_cleanup(end):
                return None
            end = played(end, end.moves()[0])
        return end

    def offered(self, state: State) -> dict[str, int]:
        """The legal moves, or the outcomes of luck, by their words."""
        return {self.rules.text.move(state, move): move for move in state.moves()}

    def mean(self, state: State, below: list[Chances]) -> Chances:
        """What is to be expected, the outcomes being in order."""
        weights = state.weights() if state.actor == CHANCE else [1] * len(below)
        return tuple(
            sum((one * weight for one, weight in zip(column, weights, strict=True)), ZERO)
            / sum(weights)
            for column in zip(*below, strict=True)
        )

    # ---- where we are -----------------------------------------------------------------------

    @contextmanager
    def step(self, state: State, words: str) -> Iterator[None]:
        """While the move in those words is looked at, complaints name it."""
        if len(self.path) >= DEEPEST:
            raise self.fault(f"lines longer than {DEEPEST} moves cannot be checked")
        self.positions += 1
        if self.positions > MOST_POSITIONS:
            raise self.fault(f"this takes more than {MOST_POSITIONS} positions to check")
        self.path.append(words if state.actor == CHANCE else f"{seat_name(state.actor)}: {words}")
        yield
        self.path.pop()

    def fault(self, problem: str) -> Unproven:
        return Unproven(f"after {'; '.join(self.path)}: {problem}" if self.path else problem)

    def node(self, link: Link) -> Node:
        assert isinstance(link, int)
        return self.certificate.nodes[link]

    def links(self, state: State, node: Node, every: bool) -> list[tuple[str, int, Link]]:
        """The moves of the node, with their words, in order; every legal one, if all must be."""
        legal = self.offered(state)
        for words in node.then:
            if words not in legal:
                raise self.fault(f"'{words}' is not possible")
        missing = [words for words in legal if words not in node.then]
        if missing and (every or not node.then):
            raise self.fault(f"'{missing[0]}' is missing")
        return [
            (words, move, node.then[words]) for words, move in legal.items() if words in node.then
        ]


class BoundsChecker(Checker):
    """All cards open, against a coalition or random players: a proof for each side."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.known: dict[tuple[bytes, Link, bool], Fraction] = {}

    def check_claim(self, claim: Claim, move: int) -> None:
        state = played(self.worlds[0], move)
        least, most = (
            self.bound(state, link, low)
            for link, low in zip(claim.links, (True, False), strict=True)
        )
        if least < claim.value:
            raise self.fault(f"{claim.value} is claimed, but only {least} is shown to be had")
        if most > claim.value:
            raise self.fault(f"{claim.value} is claimed, but {most} is not shown to be too much")

    def bound(self, state: State, link: Link, low: bool) -> Fraction:
        """What the proof shows the state to be worth at least (low) or at most."""
        if link is None:
            return ZERO if low else ONE
        end = self.settled(state)
        if link == END or end is not None:
            if end is None or link != END:
                raise self.fault(ENDS_EARLY if end is None else GOES_ON)
            return end[0]
        key = (state.key(), link, low)
        if key not in self.known:
            self.known[key] = self.expanded(state, self.node(link), low)
        return self.known[key]

    def expanded(self, state: State, node: Node, low: bool) -> Fraction:
        mine = state.actor == self.seat
        theirs = not mine and state.actor != CHANCE and self.against
        below: list[Chances] = []
        for words, move, link in self.links(state, node, every=not (mine if low else theirs)):
            with self.step(state, words):
                below.append((self.bound(played(state, move), link, low),))
        if mine or theirs:
            return (max if mine else min)(below)[0]
        return self.mean(state, below)[0]


class ChoicesChecker(Checker):
    """All cards open, everybody for itself: the whole tree, with what each chooses."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.known: dict[tuple[bytes, Link], Chances] = {}

    def check_claim(self, claim: Claim, move: int) -> None:
        (tree,) = claim.links
        value = self.chances(played(self.worlds[0], move), tree)[0]
        if value != claim.value:
            raise self.fault(f"{claim.value} is claimed, but it is {value}")

    def chances(self, state: State, link: Link) -> Chances:
        end = self.settled(state)
        if end is not None or not isinstance(link, int):
            if end is None or link != END:
                raise self.fault(ENDS_EARLY if end is None else GOES_ON)
            return end
        key = (state.key(), link)
        if key not in self.known:
            self.known[key] = self.expanded(state, self.node(link))
        return self.known[key]

    def expanded(self, state: State, node: Node) -> Chances:
        below: dict[str, Chances] = {}
        for words, move, link in self.links(state, node, every=True):
            with self.step(state, words):
                below[words] = self.chances(played(state, move), link)
        if state.actor == CHANCE:
            return self.mean(state, list(below.values()))
        # Moves are in order, so of equal ones the first is taken.
        taken = max(below, key=lambda words: self.worth(state, below[words]))
        if node.choice != taken:
            raise self.fault(f"'{node.choice}' is said to be chosen, but '{taken}' is")
        return below[taken]

    def worth(self, state: State, chances: Chances) -> tuple[Fraction, Fraction]:
        if state.actor == self.seat:
            return chances[0], ZERO
        return chances[1 + int(state.actor)], -chances[0]


Plan = dict[Seen, str]
"""What the seat chooses after all that it has perceived since the position; for trying plans."""


class PlansChecker(Checker):
    """Hidden cards: plans are followed in every world, and all others are tried if they are few."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.tried = 0

    def check_claim(self, claim: Claim, move: int) -> None:
        for link in claim.links:
            if not isinstance(link, int) or self.node(link).choice != claim.move:
                raise self.fault("its plan does not begin with this move")
        likeliest, surest = (
            [self.followed(world, move, link, ()) for world in self.worlds] for link in claim.links
        )
        likely = sum(likeliest, ZERO) / len(likeliest)
        if likely != claim.value:
            raise self.fault(f"{claim.value} is claimed, but the plan achieves {likely}")
        if min(surest) != claim.sure:
            raise self.fault(
                f"{claim.sure} is claimed in every world, but the plan achieves {min(surest)}"
            )
        try:
            self.check_best(claim, move)
        except (_TooMany, SecretsMatter):
            self.unseen.append(claim.move)

    # ---- what the plan achieves -------------------------------------------------------------

    def followed(self, state: State, move: int, link: Link, seen: Seen) -> Fraction:
        """The chance of the goal after the move, if the seat follows the plan."""
        state, news = perceived(state, move, self.seat)
        seen += news
        end = self.settled(state)
        if end is not None:
            return end[0]
        if state.actor == self.seat:
            return self.decided(state, link, seen)
        below: list[Chances] = []
        for words, one in self.offered(state).items():
            with self.step(state, words):
                below.append((self.followed(state, one, link, seen),))
        if self.against and state.actor != CHANCE:
            return min(below)[0]
        return self.mean(state, below)[0]

    def decided(self, state: State, link: Link, seen: Seen) -> Fraction:
        """As the plan goes on once the seat has perceived this."""
        following = self.node(link).after.get(seen) if isinstance(link, int) else None
        if not isinstance(following, int):
            raise self.fault("the plan does not say what to choose after what was perceived")
        words, legal = self.node(following).choice, self.offered(state)
        if words not in legal:
            raise self.fault(f"'{words}' is not possible")
        with self.step(state, words):
            return self.followed(state, legal[words], following, ())

    # ---- that no other achieves more --------------------------------------------------------

    def check_best(self, claim: Claim, move: int) -> None:
        """Unproven if a plan that begins with the move does better; _TooMany if not all are tried.

        First by who sees everything: if that is worth no more, no plan can be.
        """
        self.tried = 0
        seers = [self.foreseen(played(world, move), 1) for world in self.worlds]
        likely, sure = sum(seers, ZERO) / len(seers), min(seers)
        if likely == claim.value and sure == claim.sure:
            return
        waiting: list[Plan] = [{}]
        while waiting:
            plan = waiting.pop()
            try:
                each = [self.tried_out(world, move, plan, (), 1) for world in self.worlds]
            except _Undecided as open_choice:
                waiting += [{**plan, open_choice.seen: one} for one in open_choice.moves]
                continue
            if sum(each, ZERO) / len(each) > claim.value:
                raise self.fault(f"{claim.value} is claimed, but another plan achieves more")
            if min(each) > claim.sure:
                raise self.fault(f"{claim.sure} is claimed in every world, but more can be had")

    def foreseen(self, state: State, depth: int) -> Fraction:
        """What the state is worth to a seat that sees everything."""
        self.try_one(depth)
        end = self.settled(state)
        if end is not None:
            return end[0]
        below: list[Chances] = []
        for move in state.moves():
            below.append((self.foreseen(played(state, move), depth + 1),))
            if state.actor == self.seat and below[-1] == (ONE,):
                break
        return self.combined(state, below)

    def tried_out(self, state: State, move: int, plan: Plan, seen: Seen, depth: int) -> Fraction:
        """The chance of the goal after the move with that plan; _Undecided where it ends."""
        self.try_one(depth)
        state, news = perceived(state, move, self.seat)
        seen += news
        end = self.settled(state)
        if end is not None:
            return end[0]
        if state.actor == self.seat:
            legal = self.offered(state)
            if seen not in plan:
                raise _Undecided(seen, list(legal))
            return self.tried_out(state, legal[plan[seen]], plan, seen, depth + 1)
        below: list[Chances] = [
            (self.tried_out(state, one, plan, seen, depth + 1),) for one in state.moves()
        ]
        return self.combined(state, below)

    def combined(self, state: State, below: list[Chances]) -> Fraction:
        if state.actor == self.seat:
            return max(below)[0]
        if self.against and state.actor != CHANCE:
            return min(below)[0]
        return self.mean(state, below)[0]

    def try_one(self, depth: int) -> None:
        self.tried += 1
        if self.tried > MOST_TRIED or depth > DEEPEST:
            raise _TooMany


class _Undecided(Exception):
    """The plan does not say what to choose here."""

    def __init__(self, seen: Seen, moves: list[str]) -> None:
        super().__init__(seen)
        self.seen = seen
        self.moves = moves


ENDS_EARLY: Final = "the proof ends here, where nothing is settled"
GOES_ON: Final = "the proof goes on here, where all is settled"
_CHECKERS: Final[dict[str, Callable[[Certificate], Checker]]] = {
    "bounds": BoundsChecker,
    "choices": ChoicesChecker,
    "plans": PlansChecker,
}


def played(state: State, move: int) -> State:
    following = state.copy()
    following.play(move)
    return following


def perceived(state: State, move: int, seat: int) -> tuple[State, Seen]:
    """The state after the move, and what the seat perceives of it."""
    following = state.copy()
    following.record()
    following.play(move)
    return following, tuple(tuple(event) for event in following.take_events(seat))


# ---- the question -----------------------------------------------------------------------------


def _rules(certificate: Certificate) -> Game:
    rules = game(certificate.game)
    if rules.rules_version != certificate.rules:
        raise BadCertificate(
            f"it is about version {certificate.rules} of the rules of {rules.title}, "
            f"which are now at version {rules.rules_version}"
        )
    goals = {"win", *(name.casefold() for name in rules.verdicts)}
    goal = certificate.goal.casefold()
    if goal not in goals and not goal.startswith("deny:"):
        raise BadCertificate(f"there is no goal '{certificate.goal}'")
    if certificate.sight not in ("all", "own"):
        raise BadCertificate(f"sight '{certificate.sight}': it is all or own")
    return rules


def _position(rules: Game, certificate: Certificate) -> PosedPosition:
    position = read_position(rules, certificate.position)
    unknown = position.unknowns()
    if unknown and certificate.sight == "all":
        raise BadCertificate(f"with all cards open none can be unknown ({'; '.join(unknown)})")
    return position


def _worlds(position: PosedPosition, idle: bool) -> list[State]:
    """All worlds; they must be alike to the seat that is to move."""
    try:
        worlds = position.worlds(MOST_WORLDS, idle)
    except TooManyWorlds:
        many = position.world_count(idle)
        raise BadCertificate(f"it is about {many} worlds, more than {MOST_WORLDS}") from None
    seen = {
        (
            world.actor,
            *world.moves(),
            position.sight(world, int(world.actor))
            if isinstance(position, PosedEquilibrium)
            else (),
        )
        for world in worlds
    }
    if len(seen) != 1:
        raise BadCertificate(
            "the seat to move must know its own cards and leader and all that lies open"
        )
    return worlds


def _horizon(words: str) -> int | None:
    """Turns, the present one included; None for to the end."""
    if words == "end":
        return None
    if words != "turn" and not (words.isdecimal() and len(words) <= 4 and int(words)):
        raise BadCertificate(f"horizon '{words}': it is turn, end or a number of turns")
    return 1 if words == "turn" else int(words)


def _denied(goal: str, players: int) -> int | None:
    kind, _, letter = goal.partition(":")
    if kind.casefold() != "deny":
        return None
    seats = [seat_name(seat) for seat in range(players)]
    if letter.upper() not in seats:
        raise BadCertificate(f"goal '{goal}': the seats are {', '.join(seats)}")
    return seats.index(letter.upper())
