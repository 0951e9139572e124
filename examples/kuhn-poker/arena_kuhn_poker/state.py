"""The rules of Kuhn poker: a State with all cards, played move by move."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games import CHANCE, NOBODY, Rng, State, put_byte

# Moves, and what chance decides. Every number means one thing.
PASS: Final = 0
BET: Final = 1
DEAL: Final = 2  # DEAL + card
LOT: Final = 5  # LOT + seat: who wins the draw among the lots
MOVES: Final = 7

# Events: what a seat perceives. UNSEEN stands for a card that it does not see.
DEALT: Final = 0  # (kind, seat, card)
CHOSE: Final = 1  # (kind, seat, move)
DECIDES: Final = 2  # (kind, seat)
LEGAL_MOVES: Final = 3  # (kind, move...), only for the seat that decides
SHOWN: Final = 4  # (kind, card of A, card of B)
OVER: Final = 5  # (kind, winner)
UNSEEN: Final = -1

CARDS: Final = "JQK"
LOTS: Final = 4

# Who decides after these bets; other sequences of bets end the hand.
DECIDER: Final = {"": 0, "p": 1, "b": 1, "pb": 0}


class Kuhn(State):
    """One hand. A card of -1 is not dealt yet, or unknown on an imagined table."""

    def __init__(self) -> None:
        super().__init__(players=2)
        self.move_limit = MOVES
        self.cards = [UNSEEN, UNSEEN]
        self.dealt = 0
        self.bets = ""
        self.winner = NOBODY
        self.news: list[list[tuple[int, ...]]] | None = None
        self.legal[1] = BET  # legal[0] is PASS

    # ---- the rules ------------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.actor == NOBODY:
            return []
        if self.actor != CHANCE:
            return [PASS, BET]
        if self.dealt < 2:
            return [DEAL + card for card in range(len(CARDS)) if card not in self.cards]
        return [LOT + seat for seat in range(2) if self.lots(seat)]

    def weights(self) -> list[int]:
        if self.dealt < 2:
            return [1] * len(self.moves())
        return [self.lots(move - LOT) for move in self.moves()]

    def play(self, move: int) -> None:
        if self.actor != CHANCE:
            self.tell((CHOSE, self.actor, move))
            self.bets += "pb"[move]
            self.ask()
        elif self.dealt < 2:
            seat, card = self.dealt, move - DEAL
            self.cards[seat] = card
            self.dealt += 1
            self.tell((DEALT, seat, card), only=seat, others=(DEALT, seat, UNSEEN))
            if self.dealt == 2:
                self.ask()
        else:
            self.winner = move - LOT
            self.actor = NOBODY
            self.turns += 1
            self.tell((OVER, self.winner))

    def sample_chance(self, rng: Rng) -> int:
        outcomes = [
            move
            for move, weight in zip(self.moves(), self.weights(), strict=True)
            for _ in range(weight)
        ]
        outcome = rng.choice(outcomes)
        self.play(outcome)
        return outcome

    def ask(self) -> None:
        """The next seat decides, or the hand ends with the draw."""
        if self.bets in DECIDER:
            self.actor, self.count = DECIDER[self.bets], 2
            self.tell((DECIDES, self.actor))
            self.tell((LEGAL_MOVES, PASS, BET), only=self.actor)
            return
        self.actor = CHANCE
        if not self.folded():
            self.tell((SHOWN, *self.cards))

    def folded(self) -> bool:
        return self.bets in ("bp", "pbp")

    def chips(self) -> int:
        """What A has won, in chips, once the betting is over."""
        if self.folded():
            return 1 if self.bets == "bp" else -1
        stake = 2 if self.bets.endswith("bb") else 1
        if UNSEEN in self.cards:
            return 0
        return stake if self.cards[0] > self.cards[1] else -stake

    def lots(self, seat: int) -> int:
        return LOTS // 2 + (self.chips() if seat == 0 else -self.chips())

    def winners(self) -> tuple[int, ...]:
        return () if self.winner == NOBODY else (self.winner,)

    # ---- copies, keys, events -------------------------------------------------------------

    def copy(self) -> Kuhn:
        other = Kuhn()
        other.actor, other.count, other.turns = self.actor, self.count, self.turns
        other.cards, other.dealt = self.cards.copy(), self.dealt
        other.bets, other.winner = self.bets, self.winner
        return other

    def key(self) -> bytes:
        return repr((self.cards, self.dealt, self.bets, self.winner)).encode()

    def record(self) -> None:
        self.news = [[], []]

    def tell(
        self, event: tuple[int, ...], only: int = NOBODY, others: tuple[int, ...] = ()
    ) -> None:
        """Record an event for both seats, or for one and what the other perceives instead."""
        if self.news is None:
            return
        for seat, news in enumerate(self.news):
            seen = event if only in (NOBODY, seat) else others
            if seen:
                news.append(seen)

    def take_events(self, seat: int) -> list[tuple[int, ...]]:
        assert self.news is not None
        news, self.news[seat] = self.news[seat], []
        return news

    # ---- for bots that look ahead, and for learners ---------------------------------------

    def heuristic(self, seat: int) -> float:
        """A high card is good, and better the more is in the pot."""
        card = self.cards[seat]
        return (card - 1) * (1.0 + self.bets.count("b"))

    def fill_observation(self, seat: int, out: vec[i64], at: int) -> None:
        out[at] = out[at + 1] = 0
        for i, bet in enumerate(self.bets):
            put_byte(out, at, 2 * i + "pb".index(bet), 1)
        if self.actor >= 0:
            put_byte(out, at, 6, self.actor)
        if seat >= 0 and self.cards[seat] >= 0:
            put_byte(out, at, 8 + self.cards[seat], 1)
