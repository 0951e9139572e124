"""Positions of Kuhn poker as text, `A J; B ?; bets pb`, for solvers and for people."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations

from arena_kuhn_poker.state import CARDS, DECIDER, UNSEEN, Kuhn
from games import BadPosition, Learned, Positions, Rng, State, TooManyWorlds, View, Watch


@dataclass(frozen=True)
class KuhnPosition:
    """Two cards, each perhaps unknown, and the bets so far."""

    cards: tuple[int, int]
    bets: str
    players: int = 2

    def unknowns(self) -> list[str]:
        return [f"card of {'AB'[seat]}" for seat in range(2) if self.cards[seat] == UNSEEN]

    def _deals(self) -> list[tuple[int, ...]]:
        pairs = permutations(range(len(CARDS)), 2)
        return [
            pair
            for pair in pairs
            if all(known in (UNSEEN, card) for known, card in zip(self.cards, pair, strict=True))
        ]

    def world_count(self, idle: bool = False) -> int:  # noqa: ARG002
        return len(self._deals())

    def worlds(self, most: int, idle: bool = False) -> list[State]:  # noqa: ARG002
        if self.world_count() > most:
            raise TooManyWorlds(f"there are {self.world_count()} deals, but {most} are allowed")
        return [self._state(deal) for deal in self._deals()]

    def _state(self, cards: tuple[int, ...]) -> State:
        state = Kuhn()
        state.cards, state.dealt, state.bets = list(cards), 2, self.bets
        state.ask()
        return state

    def can_idle(self) -> bool:
        return False

    def watch(self, world: State) -> Watch:
        raise AssertionError(f"{world} is searched as it is: nothing can be left out")

    def told(self, world: State, idle: bool) -> str:  # noqa: ARG002
        return "; ".join(f"{'AB'[seat]} {card_of(world, seat)}" for seat in range(2))

    def agreed_table(self, states: Sequence[State], idle: bool) -> State:  # noqa: ARG002
        table = states[0].copy()
        assert isinstance(table, Kuhn)
        for seat in range(2):
            if len({card_of(state, seat) for state in states}) > 1:
                table.cards[seat] = UNSEEN
        return table

    def doubts(self, states: Sequence[State], idle: bool) -> list[str]:  # noqa: ARG002
        sentences = []
        for seat in range(2):
            cards = sorted({card_of(state, seat) for state in states}, key=CARDS.index)
            if len(cards) > 1:
                sentences.append(f"The card of {'AB'[seat]} is {' or '.join(cards)}.")
        return sentences

    def draw(self, rng: Rng) -> State:
        return self._state(self._deals()[rng.below(self.world_count())])

    def filled(self, world: State) -> KuhnPosition:
        assert isinstance(world, Kuhn)
        return KuhnPosition((world.cards[0], world.cards[1]), self.bets)

    def options(self) -> dict[str, object]:
        return {}

    def learned(self, seat: int) -> Learned:  # noqa: ARG002
        return Learned()

    def sight(self, world: State, seat: int) -> Hashable:
        assert isinstance(world, Kuhn)
        return world.cards[seat]

    def seen(self, world: State, seat: int) -> str:
        return f"{'AB'[seat]} {card_of(world, seat)}"


def card_of(world: State, seat: int) -> str:
    assert isinstance(world, Kuhn)
    return (CARDS + "?")[world.cards[seat]]


class KuhnPositions(Positions):
    """Reads and writes such texts."""

    def read(self, text: str) -> KuhnPosition:
        cards, bets, problems = [UNSEEN, UNSEEN], "", []
        for part in filter(None, (part.strip() for part in text.split(";"))):
            name, _, value = part.partition(" ")
            if name in "AB" and value in (*CARDS, "?"):
                cards["AB".index(name)] = CARDS.find(value)
            elif name == "bets" and value in DECIDER:
                bets = value
            else:
                problems.append(f"cannot read {part!r}: write A J; B ?; bets pb")
        if cards[0] == cards[1] != UNSEEN:
            problems.append("both seats have the same card")
        if problems:
            raise BadPosition(problems)
        return KuhnPosition((cards[0], cards[1]), bets)

    def write(self, state: State) -> str:
        assert isinstance(state, Kuhn)
        bets = f"; bets {state.bets}" if state.bets else ""
        return f"A {card_of(state, 0)}; B {card_of(state, 1)}{bets}"

    def write_view(self, view: View) -> str:
        return self.write(view.imagine())
