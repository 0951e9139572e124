"""Checks certificates by plain recursion over the rules, following the certificate.

It shares nothing with the searches, not even how a question is read: it imports only the rules and
the file format, and believes only the rules. Where the certificate chooses for one side, all moves
of the other side and all outcomes of chance must be covered. The values at the ends are combined in
exact fractions and must equal the claims.

A turn also counts as over when only drawing, discarding and refilling are left. The checker does
not ask the rules for that; it looks at the moves offered up to the end of the turn
(`Analysis.only_cleanup`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
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
    END_LINK,
    MOST_CERTIFIED_WORLDS,
    BadCertificate,
    Certificate,
    Claim,
    Link,
    ProofNode,
    Seen,
)

MOST_POSITIONS: Final = 5_000_000
"""Positions that one check may visit; true certificates need far fewer."""
MOST_TRIED: Final = 100_000
"""Positions visited to see that no plan is better; beyond that the move is reported as open."""
_MAX_DEPTH: Final = 250

_ZERO: Final = Fraction(0)
_ONE: Final = Fraction(1)
_Chances = tuple[Fraction, ...]
"""Of the goal, then of each seat to win by the horizon."""


class Unproven(GameError):
    """The certificate does not prove what it claims; the message says where."""


class _TooMany(Exception):
    """There are too many plans to try them all."""


@dataclass(frozen=True)
class Checked:
    """The result of a successful check."""

    positions: int
    """Positions visited."""
    open: tuple[str, ...] = ()
    """Moves for which it was not checked that no plan is better."""


def claims_by_move(claims: Sequence[Claim], legal: Collection[str]) -> dict[str, Claim]:
    """One claim for each legal move, and none for any other; else Unproven."""
    claimed = {claim.move: claim for claim in claims}
    if len(claimed) != len(claims):
        raise Unproven("a move is claimed twice")
    for words in legal:
        if words not in claimed:
            raise Unproven(f"there is no claim about the move '{words}'")
    for words in claimed:
        if words not in legal:
            raise Unproven(f"'{words}' is not a legal move of the position")
    return claimed


def check_certificate(certificate: Certificate) -> Checked:
    """Check the whole proof; Unproven or BadCertificate if anything is wrong with it."""
    checker = _CHECKERS[certificate.kind](certificate)
    legal = checker.offered(checker.worlds[0])
    claimed = claims_by_move(certificate.claims, legal)
    for words, claim in claimed.items():
        try:
            with checker.step(checker.worlds[0], words):
                checker.check_claim(claim, legal[words])
        except SecretsMatter as why:
            raise checker.fault(str(why)) from None
    return Checked(checker.positions, tuple(checker.open))


class Checker(ABC):
    """Checks one certificate; this class has what all kinds of proof need."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.rules = _rules(certificate)
        position = _position(self.rules, certificate)
        self.horizon = _horizon(certificate.horizon)
        if certificate.idle and (certificate.sight != "own" or self.horizon != 1):
            raise BadCertificate("idle hands are possible only with horizon 'turn' and sight 'own'")
        self.worlds = _worlds(position, certificate.idle)
        state = self.worlds[0]
        self.watch = position.watch(state) if certificate.idle else None
        self.seat = int(state.actor)
        if self.seat < 0:
            raise BadCertificate("no seat is to move in this position")
        self.until = state.turns + self.horizon if self.horizon else None
        self.denied = _denied(certificate.goal, int(state.players))
        self.against = certificate.others == "coalition"
        if certificate.others not in ("coalition", "random", "selfish"):
            raise BadCertificate(f"others '{certificate.others}' cannot be certified")
        if certificate.others == "selfish" and certificate.sight == "own":
            raise BadCertificate("selfish others cannot be certified with hidden cards")
        self.path: list[str] = []
        self.positions = 0
        self.open: list[str] = []

    @abstractmethod
    def check_claim(self, claim: Claim, move: int) -> None:
        """Unproven or BadCertificate unless the claim about the move holds."""

    # ---- the rules --------------------------------------------------------------------------

    def reached(self, state: State) -> bool:
        """Whether a finished game reached the goal."""
        goal = self.certificate.goal.casefold()
        if goal == "win":
            return self.seat in state.winners()
        if self.denied is not None:
            return self.denied not in state.winners()
        return self.rules.verdict(state).casefold() == goal

    def settled(self, state: State) -> _Chances | None:
        """Everyone's chances if the game, the horizon or all that matters in the turn is over."""
        end = state if self.over(state) else self.after_cleanup(state)
        if end is None or not self.over(end):
            if self.watch is not None:
                self.watch(state)
            return None
        if end.actor == NOBODY:
            wins = (_ONE if seat in end.winners() else _ZERO for seat in range(end.players))
            return (_ONE if self.reached(end) else _ZERO, *wins)
        return (_ZERO if self.denied is None else _ONE, *(_ZERO,) * int(end.players))

    def ended(self, state: State, link: Link) -> _Chances | None:
        """As `settled`, and the proof must end with it: here, and no earlier."""
        end = self.settled(state)
        if end is None and not isinstance(link, int):
            raise self.fault("the proof ends here, but the goal is not settled")
        if end is not None and link != END_LINK:
            raise self.fault("the proof continues here, but the goal is settled")
        return end

    def over(self, state: State) -> bool:
        return state.actor == NOBODY or state.turns == self.until

    def after_cleanup(self, state: State) -> State | None:
        """The state after this turn, if only drawing, discarding and refilling are left."""
        turn, end = state.turns, state
        while end.actor != NOBODY and end.turns == turn:
            if not self.rules.analysis.only_cleanup(end):
                return None
            end = _played(end, end.moves()[0])
        return end

    def offered(self, state: State) -> dict[str, int]:
        """The legal moves, or the outcomes of chance, by their text."""
        return {self.rules.text.move(state, move): move for move in state.moves()}

    def mean(self, state: State, below: list[_Chances]) -> _Chances:
        """The expected chances, given those of all outcomes in order."""
        weights = state.weights() if state.actor == CHANCE else [1] * len(below)
        return tuple(
            sum((value * weight for value, weight in zip(column, weights, strict=True)), _ZERO)
            / sum(weights)
            for column in zip(*below, strict=True)
        )

    def combined(self, state: State, below: list[_Chances]) -> Fraction:
        """The chance of the goal, given those of all moves or outcomes in order."""
        if state.actor == self.seat:
            return max(below)[0]
        if self.against and state.actor != CHANCE:
            return min(below)[0]
        return self.mean(state, below)[0]

    # ---- where we are -----------------------------------------------------------------------

    @contextmanager
    def step(self, state: State, words: str) -> Iterator[None]:
        """Errors raised inside name this move."""
        if len(self.path) >= _MAX_DEPTH:
            raise self.fault(f"lines longer than {_MAX_DEPTH} moves cannot be checked")
        self.positions += 1
        if self.positions > MOST_POSITIONS:
            raise self.fault(f"the check would visit more than {MOST_POSITIONS} positions")
        self.path.append(words if state.actor == CHANCE else f"{seat_name(state.actor)}: {words}")
        yield
        self.path.pop()

    def fault(self, problem: str) -> Unproven:
        return Unproven(f"after {'; '.join(self.path)}: {problem}" if self.path else problem)

    def node(self, link: Link) -> ProofNode:
        assert isinstance(link, int)
        return self.certificate.nodes[link]

    def links(self, state: State, node: ProofNode, every: bool) -> list[tuple[str, int, Link]]:
        """The moves of the node in order, with their text; all legal moves if `every`."""
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
    """All cards open, against a coalition or random players: a proof of each bound."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.known: dict[tuple[bytes, Link, bool], Fraction] = {}

    def check_claim(self, claim: Claim, move: int) -> None:
        state = _played(self.worlds[0], move)
        least, most = (
            self.bound(state, link, low)
            for link, low in zip(claim.links, (True, False), strict=True)
        )
        if least < claim.value:
            raise self.fault(f"{claim.value} is claimed, but the proof shows only {least}")
        if most > claim.value:
            raise self.fault(f"{claim.value} is claimed, but the proof does not rule out {most}")

    def bound(self, state: State, link: Link, low: bool) -> Fraction:
        """The least (low) or the most that the proof shows the state to be worth."""
        if link is None:
            return _ZERO if low else _ONE
        if end := self.ended(state, link):
            return end[0]
        key = (state.key(), link, low)
        if key not in self.known:
            self.known[key] = self.expanded(state, self.node(link), low)
        return self.known[key]

    def expanded(self, state: State, node: ProofNode, low: bool) -> Fraction:
        mine = state.actor == self.seat
        theirs = not mine and state.actor != CHANCE and self.against
        below: list[_Chances] = []
        for words, move, link in self.links(state, node, every=not (mine if low else theirs)):
            with self.step(state, words):
                below.append((self.bound(_played(state, move), link, low),))
        return self.combined(state, below)


class ChoicesChecker(Checker):
    """All cards open, every seat for itself: the whole tree, with every choice."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.known: dict[tuple[bytes, Link], _Chances] = {}

    def check_claim(self, claim: Claim, move: int) -> None:
        (tree,) = claim.links
        value = self.chances(_played(self.worlds[0], move), tree)[0]
        if value != claim.value:
            raise self.fault(f"{claim.value} is claimed, but the value is {value}")

    def chances(self, state: State, link: Link) -> _Chances:
        if end := self.ended(state, link):
            return end
        key = (state.key(), link)
        if key not in self.known:
            self.known[key] = self.expanded(state, self.node(link))
        return self.known[key]

    def expanded(self, state: State, node: ProofNode) -> _Chances:
        below: dict[str, _Chances] = {}
        for words, move, link in self.links(state, node, every=True):
            with self.step(state, words):
                below[words] = self.chances(_played(state, move), link)
        if state.actor == CHANCE:
            return self.mean(state, list(below.values()))
        # Moves that are worth the same to every seat are in order: the first is taken.
        taken = max(below, key=lambda words: self.worth(state, below[words]))
        if node.choice != taken:
            raise self.fault(
                f"the certificate chooses '{node.choice}', but the seat chooses '{taken}'"
            )
        return below[taken]

    def worth(self, state: State, chances: _Chances) -> tuple[Fraction, ...]:
        """By what the seat chooses: its own chance, then how bad it is for the goal and for all."""
        own = chances[0 if state.actor == self.seat else 1 + int(state.actor)]
        return own, *(-chance for chance in chances)


_Plan = dict[Seen, str]
"""The seat's move after everything that it has observed since the position."""


class PlansChecker(Checker):
    """Hidden cards: plans are followed in every world, and all others tried if there are few."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.tried = 0

    def check_claim(self, claim: Claim, move: int) -> None:
        for link in claim.links:
            if not isinstance(link, int) or self.node(link).choice != claim.move:
                raise self.fault("the plan does not begin with this move")
        likeliest, surest = (
            [self.followed(world, move, link, ()) for world in self.worlds] for link in claim.links
        )
        likely = sum(likeliest, _ZERO) / len(likeliest)
        if likely != claim.value:
            raise self.fault(f"{claim.value} is claimed, but the plan achieves {likely}")
        if min(surest) != claim.sure:
            raise self.fault(
                f"{claim.sure} is claimed in every world, but the plan achieves {min(surest)}"
            )
        try:
            self.check_best(claim, move)
        except (_TooMany, SecretsMatter):
            self.open.append(claim.move)

    # ---- what the plan achieves -------------------------------------------------------------

    def followed(self, state: State, move: int, link: Link, seen: Seen) -> Fraction:
        """The chance of the goal after the move if the seat follows the plan."""
        state, news = _observed(state, move, self.seat)
        seen += news
        end = self.settled(state)
        if end is not None:
            return end[0]
        if state.actor == self.seat:
            return self.decided(state, link, seen)
        below: list[_Chances] = []
        for words, reply in self.offered(state).items():
            with self.step(state, words):
                below.append((self.followed(state, reply, link, seen),))
        return self.combined(state, below)

    def decided(self, state: State, link: Link, seen: Seen) -> Fraction:
        """The chance of the goal where the seat decides, having observed this."""
        following = self.node(link).after.get(seen) if isinstance(link, int) else None
        if not isinstance(following, int):
            raise self.fault("the plan has no move for what the seat has observed")
        words, legal = self.node(following).choice, self.offered(state)
        if words not in legal:
            raise self.fault(f"'{words}' is not possible")
        with self.step(state, words):
            return self.followed(state, legal[words], following, ())

    # ---- that no other achieves more --------------------------------------------------------

    def check_best(self, claim: Claim, move: int) -> None:
        """Unproven if a plan that begins with the move does better; _TooMany if that is too long.

        A seat that sees everything does at least as well as any plan, so it is tried first.
        """
        self.tried = 0
        seeing = [self.foreseen(_played(world, move), 1) for world in self.worlds]
        likely, sure = sum(seeing, _ZERO) / len(seeing), min(seeing)
        if likely == claim.value and sure == claim.sure:
            return
        waiting: list[_Plan] = [{}]
        while waiting:
            plan = waiting.pop()
            try:
                each = [self.tried_out(world, move, plan, (), 1) for world in self.worlds]
            except _Undecided as undecided:
                seen, moves = undecided.args
                waiting += [{**plan, seen: words} for words in moves]
                continue
            if sum(each, _ZERO) / len(each) > claim.value:
                raise self.fault(f"{claim.value} is claimed, but another plan achieves more")
            if min(each) > claim.sure:
                raise self.fault(
                    f"{claim.sure} is claimed in every world, but another plan achieves more"
                )

    def foreseen(self, state: State, depth: int) -> Fraction:
        """The value of the state for a seat that sees everything."""
        self.try_one(depth)
        end = self.settled(state)
        if end is not None:
            return end[0]
        below: list[_Chances] = []
        for move in state.moves():
            below.append((self.foreseen(_played(state, move), depth + 1),))
            if state.actor == self.seat and below[-1] == (_ONE,):
                break
        return self.combined(state, below)

    def tried_out(self, state: State, move: int, plan: _Plan, seen: Seen, depth: int) -> Fraction:
        """The chance of the goal after the move with that plan; _Undecided if it has no move."""
        self.try_one(depth)
        state, news = _observed(state, move, self.seat)
        seen += news
        end = self.settled(state)
        if end is not None:
            return end[0]
        if state.actor == self.seat:
            legal = self.offered(state)
            if seen not in plan:
                raise _Undecided(seen, list(legal))
            return self.tried_out(state, legal[plan[seen]], plan, seen, depth + 1)
        below: list[_Chances] = [
            (self.tried_out(state, reply, plan, seen, depth + 1),) for reply in state.moves()
        ]
        return self.combined(state, below)

    def try_one(self, depth: int) -> None:
        self.tried += 1
        if self.tried > MOST_TRIED or depth > _MAX_DEPTH:
            raise _TooMany


class _Undecided(Exception):
    """The plan has no move yet for what was observed; the arguments are that and the moves."""


_CHECKERS: Final[dict[str, Callable[[Certificate], Checker]]] = {
    "bounds": BoundsChecker,
    "choices": ChoicesChecker,
    "plans": PlansChecker,
}


def _played(state: State, move: int) -> State:
    following = state.copy()
    following.play(move)
    return following


def _observed(state: State, move: int, seat: int) -> tuple[State, Seen]:
    """The state after the move, and what the seat observes of it."""
    following = state.copy()
    following.record()
    following.play(move)
    return following, tuple(tuple(event) for event in following.take_events(seat))


# ---- the question -----------------------------------------------------------------------------


def _rules(certificate: Certificate) -> Game:
    rules = game(certificate.game)
    if rules.rules_version != certificate.rules:
        raise BadCertificate(
            f"it is for version {certificate.rules} of the rules of {rules.title}; "
            f"this is version {rules.rules_version}"
        )
    goals = {"win", *(name.casefold() for name in rules.verdicts)}
    goal = certificate.goal.casefold()
    if goal not in goals and not goal.startswith("deny:"):
        raise BadCertificate(f"there is no goal '{certificate.goal}'")
    if certificate.sight not in ("all", "own"):
        raise BadCertificate(f"sight '{certificate.sight}': use all or own")
    return rules


def _position(rules: Game, certificate: Certificate) -> PosedPosition:
    position = read_position(rules, certificate.position)
    unknown = position.unknowns()
    if unknown and certificate.sight == "all":
        raise BadCertificate(f"sight 'all' needs every card to be known ({'; '.join(unknown)})")
    return position


def _worlds(position: PosedPosition, idle: bool) -> list[State]:
    """All worlds, which must look alike to the seat to move."""
    try:
        worlds = position.worlds(MOST_CERTIFIED_WORLDS, idle)
    except TooManyWorlds:
        count = position.world_count(idle)
        raise BadCertificate(
            f"it is about {count} worlds; the limit is {MOST_CERTIFIED_WORLDS}"
        ) from None
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
            "the seat to move must know its own cards, its leader and all open cards"
        )
    return worlds


def _horizon(words: str) -> int | None:
    """The number of turns, including this one; None for the end of the game."""
    if words == "end":
        return None
    if words != "turn" and not (words.isdecimal() and len(words) <= 4 and int(words)):
        raise BadCertificate(f"horizon '{words}': use turn, end or a number of turns")
    return 1 if words == "turn" else int(words)


def _denied(goal: str, players: int) -> int | None:
    kind, _, letter = goal.partition(":")
    if kind.casefold() != "deny":
        return None
    seats = [seat_name(seat) for seat in range(players)]
    if letter.upper() not in seats:
        raise BadCertificate(f"goal '{goal}': the seats are {', '.join(seats)}")
    return seats.index(letter.upper())
