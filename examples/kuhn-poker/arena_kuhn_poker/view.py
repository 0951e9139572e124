"""What one seat knows of a hand of Kuhn poker: a fold of the events it received."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from arena_kuhn_poker.state import (
    BET,
    CARDS,
    CHOSE,
    DEALT,
    DECIDER,
    DECIDES,
    LEGAL_MOVES,
    OVER,
    PASS,
    SHOWN,
    UNSEEN,
    Kuhn,
)
from games import NOBODY, Rng, View


class KuhnView(View):
    """The seat's own card, the bets, and the other card if it was shown."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat, players=2)
        self.table = Kuhn()
        self.events: list[tuple[int, ...]] = []

    def observe(self, event: tuple[int, ...]) -> None:
        self.events.append(event)
        table = self.table
        kind, *values = event
        if kind == DEALT:
            table.cards[values[0]] = values[1]
            table.dealt += 1
        elif kind == CHOSE:
            table.bets += "pb"[values[1]]
            self.moves, self.complete = [], False
        elif kind == DECIDES:
            self.actor = table.actor = values[0]
            table.count = 2
            self.decisions += 1
            self.complete = True
        elif kind == LEGAL_MOVES:
            self.moves = values
        elif kind == SHOWN:
            table.cards = values
        elif kind == OVER:
            self.actor = table.actor = NOBODY
            table.winner = values[0]
            table.turns = 1
            self.complete = True

    def text(self, move: int) -> str:
        return move_text(self.table, move)

    def imagine(self) -> Kuhn:
        return self.table.copy()

    def sample(self, rng: Rng) -> Kuhn:
        self.check_complete()
        world = self.table.copy()
        for seat, card in enumerate(world.cards):
            if card == UNSEEN:
                left = [other for other in range(len(CARDS)) if other not in world.cards]
                world.cards[seat] = rng.choice(left)
        return world

    def key(self) -> bytes:
        return repr((self.seat, self.events)).encode()

    def fill_observation(self, out: vec[i64], at: int) -> None:
        self.table.fill_observation(self.seat, out, at)


def move_text(state: Kuhn, move: int) -> str:
    """A move or a chance outcome in words."""
    if move in (PASS, BET):
        after_bet = state.bets.endswith("b") and state.bets in DECIDER
        return (("fold", "call") if after_bet else ("check", "bet"))[move]
    return f"deal {CARDS[move - 2]}" if move < 5 else f"{'AB'[move - 5]} wins the draw"
