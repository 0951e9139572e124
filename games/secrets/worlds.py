"""The worlds of a position of Secrets.

Tokens, the values of Bullets and the card on offer can be unknown; the three are independent.
Tokens of one side are alike. Every deal of single tokens is equally likely, and each arrangement of
sides comes from the same number of deals. So all arrangements of the tokens left are equally
likely, and so are all ways the Bullets left can lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, factorial, prod

from games.questions import Learned, PosedPosition, Watch, too_many
from games.seats import seat_name
from games.secrets import common_sight
from games.secrets.notation import bullets_text, offer_text, read, token_text, write
from games.secrets.position import UNKNOWN, CardTuple, Position, position_of
from games.secrets.state import Secrets
from games.state import Rng, State


@dataclass(frozen=True)
class PosedSecrets:
    """A position of Secrets as solvers see it."""

    position: Position

    def __str__(self) -> str:
        return write(self.position)

    @property
    def players(self) -> int:
        return self.position.players

    def unknowns(self) -> list[str]:
        return self.position.unknowns()

    def world_count(self, idle: bool = False) -> int:  # noqa: ARG002  # nothing idles
        position = self.position
        # Tokens: permutations with repetition. There are as many places as tokens left.
        left = position.tokens_left() if UNKNOWN in position.tokens else []
        count = factorial(sum(left)) // prod(factorial(same) for same in left)
        bullets = len(position.bullets_left())
        for seat in position.seats:
            gaps = seat.bullets.count(UNKNOWN)
            count *= comb(bullets, gaps)
            bullets -= gaps
        return count * (len(_offers(position)) if position.offered == UNKNOWN else 1)

    def worlds(self, most: int, idle: bool = False) -> list[State]:  # noqa: ARG002
        count = self.world_count()
        if count > most:
            raise too_many(count, most)
        return [
            offered.state()
            for dealt in _with_tokens(self.position, self.position.tokens_left())
            for shot in _with_bullets(dealt, 0)
            for offered in _with_offer(shot)
        ]

    def can_idle(self) -> bool:
        """Never: any token may decide the game."""
        return False

    def watch(self, world: State) -> Watch:  # noqa: ARG002
        return _ignore

    def told(self, world: State, idle: bool) -> str:  # noqa: ARG002
        assert isinstance(world, Secrets)
        return "; ".join(_told(self.position, position_of(world)))

    def agreed_table(self, states: Sequence[State], idle: bool) -> State:  # noqa: ARG002
        return common_sight.agreed_table(states)

    def doubts(self, states: Sequence[State], idle: bool) -> list[str]:  # noqa: ARG002
        return common_sight.doubts(states)

    def draw(self, rng: Rng) -> State:
        """The three unknown parts are independent, so each is drawn by itself."""
        dealt = _one(_with_tokens(self.position, self.position.tokens_left()), rng)
        return _one(_with_offer(_one(_with_bullets(dealt, 0), rng)), rng).state()

    def filled(self, world: State) -> PosedSecrets:
        assert isinstance(world, Secrets)
        return PosedSecrets(replace(position_of(world), facts=self.position.facts))

    def options(self) -> dict[str, object]:
        return {}

    def learned(self, seat: int) -> Learned:
        return Learned(roles=frozenset(fact[1] for fact in self.position.facts if fact[0] == seat))


def _one(positions: Iterator[Position], rng: Rng) -> Position:
    """One of the positions, each equally likely."""
    listed = list(positions)
    return listed[rng.below(len(listed))]


def pose(text: str) -> PosedPosition:
    """The position the text describes; BadPosition lists what is wrong with it."""
    return PosedSecrets(read(text))


def _ignore(_state: State) -> None:
    """Nothing is ever left out, so there is nothing to watch."""


def _told(position: Position, truth: Position) -> Iterator[str]:
    for number, (seat, true) in enumerate(zip(position.seats, truth.seats, strict=True)):
        parts = [f"token {token_text(true.token)}"] if seat.token == UNKNOWN else []
        if UNKNOWN in seat.bullets:
            parts.append(f"bullets {bullets_text(true.bullets)}")
        if parts:
            yield f"{seat_name(number)} {' '.join(parts)}"
    if position.centre == UNKNOWN:
        yield f"centre {token_text(truth.centre)}"
    if position.offered == UNKNOWN:
        yield f"offer {offer_text(truth.offered)}"


# ---- filling in -------------------------------------------------------------------------------


def _with_tokens(position: Position, left: list[int]) -> Iterator[Position]:
    """Fills in the first unknown token with every side left, then recursively the others."""
    if UNKNOWN not in position.tokens:
        yield position
        return
    place = position.tokens.index(UNKNOWN)
    for side, count in enumerate(left):
        if count:
            rest = [*left]
            rest[side] -= 1
            yield from _with_tokens(_with_token(position, place, side), rest)


def _with_token(position: Position, place: int, side: int) -> Position:
    if place == position.players:
        return replace(position, centre=side)
    seats = list(position.seats)
    seats[place] = replace(seats[place], token=side)
    return replace(position, seats=tuple(seats))


def _with_bullets(position: Position, number: int) -> Iterator[Position]:
    """Fills in the unknown Bullets of this seat in every way, then recursively of later seats."""
    if number == position.players:
        yield position
        return
    seat = position.seats[number]
    known: CardTuple = tuple(bullet for bullet in seat.bullets if bullet != UNKNOWN)
    gaps = len(seat.bullets) - len(known)
    for filled in combinations(position.bullets_left(), gaps):
        seats = list(position.seats)
        seats[number] = replace(seat, bullets=known + filled)
        yield from _with_bullets(replace(position, seats=tuple(seats)), number + 1)


def _with_offer(position: Position) -> Iterator[Position]:
    if position.offered != UNKNOWN:
        yield position
        return
    for card in _offers(position):
        yield replace(position, offered=card)


def _offers(position: Position) -> list[int]:
    """The characters an unknown card on offer can be."""
    return [card for card in (position.turned[0], position.other) if card >= 0]
