"""Proofs that a seat cannot reach the goal in its last turn, whatever it draws until then.

The others are given only moves that depend on nothing the seat may draw. If one of these leaves the
seat no card that may help, among all that it could have by then, the seat has lost, and nothing it
draws needs to be searched. If there is no such move, it has still lost with every hand that has
none of the few cards that may help after some move. So a refutation is a set of cards: a hand
without any of them has lost.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.state import CHANCE, NO_MOVE, Judge, LastTurn, State, members
from solver.core.budget import NodeBudget
from solver.core.question import Question

TRIAL_LIMIT: Final = 1_000_000
"""Positions in which a card is tried; if none of them shows that it helps, it still may."""

MANY_CARDS: Final = 16
"""If the seat can have fewer cards, it takes less to search all that it may draw."""

MOST_REFUTATIONS: Final = 16
"""Sets of cards that are kept for a position: the smallest."""


class HelpfulCards:
    """What is known of the cards at the start of a last turn, as sets."""

    def __init__(self) -> None:
        self.known = 0
        self.helpful = 0
        self.surely_known = 0
        self.surely = 0
        """Those that surely help, whatever else lies where."""


class AnyHand(Judge):
    """Refutations for one question about one position, against a coalition."""

    def __init__(
        self, question: Question, deadline: int, budget: NodeBudget, many: int = MANY_CARDS
    ) -> None:
        self.question = question
        self.many: i64 = many
        self.deadline: i64 = deadline
        self.seat: i64 = question.seat
        self.budget = budget
        self.held = 0
        """The cards that the seat may have in its last turn."""
        self.loose = 0
        """The cards that may then lie where a hero can use them."""
        self.left: i64 = 0
        """Positions in which the card that is tried may still be tried."""
        self.cards: dict[tuple[int, int, bytes], HelpfulCards] = {}
        self.uses: dict[tuple[int, int, bytes, int], tuple[int, int]] = {}
        """By what may be held, what is loose, and the table: what a card may use."""
        self.last_turns: dict[tuple[int, int, bytes], LastTurn] = {}
        self.last_helpful = 0
        """A card that helped lately: it is tried first."""

    def applies(self, state: State) -> bool:
        """Whether a turn of the seat ends, its next is the last, and it may draw many cards."""
        return (
            self.deadline == state.turns + 1 + state.players
            and state.waiting_seat(self.deadline - 1) == self.seat
            and state.next_hand().bit_count() >= self.many
        )

    def enter(self, state: State) -> None:
        """A turn of the seat ends: from now on, everything is about what it can draw."""
        self.held = state.next_hand()
        self.loose = state.loose_cards()

    def refutations(self, state: State) -> list[int]:
        """At the end of a turn of the seat: sets of cards, without any of which it has lost."""
        following = state.copy()
        following.skip_cleanup()
        blocked = state.cleanup_parts()
        if self.is_lost(following, blocked):
            return [0]
        return self.sets(following, blocked)

    # ---- after moves that read nothing blocked --------------------------------------------

    def is_lost(self, state: State, blocked: i64) -> bool:
        """Whether the others can leave no card that may help."""
        if not self.budget.spend():
            return False
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return not verdict
        parts = state.cleanup_parts()
        if parts:
            following = state.copy()
            following.skip_cleanup()
            return self.is_lost(following, blocked | parts)
        if self.is_last_turn(state):
            return not self.any_helps(state)
        if state.actor == self.seat or state.actor == CHANCE:
            if not self.is_sure(state, blocked):
                return False
            for move in state.moves():
                if not self.is_lost(played(state, move), blocked):
                    return False
            return True
        for move in state.moves():
            if not state.reads(move) & blocked and self.is_lost(played(state, move), blocked):
                return True
        return False

    def sets(self, state: State, blocked: i64) -> list[int]:
        """The smallest sets of cards such that a hand without any of them has lost."""
        if not self.budget.spend():
            return []
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return [] if verdict else [0]
        parts = state.cleanup_parts()
        if parts:
            following = state.copy()
            following.skip_cleanup()
            return self.sets(following, blocked | parts)
        if self.is_last_turn(state):
            return [self.helpful(state, self.held)]
        found: list[int] = []
        if state.actor == self.seat or state.actor == CHANCE:
            if not self.is_sure(state, blocked):
                return []
            found = [0]
            for move in state.moves():
                more = self.sets(played(state, move), blocked)
                found = smallest([one | other for one in found for other in more])
            return found
        for move in state.moves():
            if not state.reads(move) & blocked:
                found = smallest(found + self.sets(played(state, move), blocked))
        return found

    def is_last_turn(self, state: State) -> bool:
        return state.turns + 1 == self.deadline and state.actor == self.seat

    def is_before_last(self, state: State) -> bool:
        """Whether this is the turn before the seat's last."""
        return self.deadline == state.turns + 2 and state.waiting_seat(state.turns + 1) == self.seat

    def is_sure(self, state: State, blocked: i64) -> bool:
        """Whether the moves of the seat, or of chance, are the same whatever was drawn."""
        reads = state.reads(NO_MOVE)
        for move in state.moves():
            reads |= state.reads(move)
        return not reads & blocked

    # ---- the last turn --------------------------------------------------------------------

    def helpful_in_hand(self, state: State) -> int:
        """Those of the seat's cards that may help at the start of the last turn.

        Whatever lies where, as long as only cards are loose that were when its turn ended.
        """
        hand = state.cards_held(self.seat)
        helpful = self.helpful(state, hand)
        together = 0
        for card in members(helpful):
            if state.needs_company(card, self.loose):
                together |= 1 << card
        if together:  # what else may be held matters: try again with what is
            held, self.held = self.held, hand
            helpful &= ~together | self.helpful(state, together)
            self.held = held
        return helpful

    def last_turn(self, state: State) -> LastTurn | None:
        """At the start of the last turn: what can matter in it, with the hand that the seat has.

        None if the budget does not allow to find out.
        """
        hand = state.cards_held(self.seat)
        key = (hand, self.loose, state.turn_key())
        if key in self.last_turns:
            return self.last_turns[key]
        helpful = self.helpful_in_hand(state)
        used = sure = 0
        for card in members(helpful):
            may, must = self.used_by(state, card, hand)
            used |= may
            sure |= must
        if self.budget.over:
            return None
        last = self.last_turns[key] = state.last_turn(helpful, used, sure)
        return last

    def used_by(self, state: State, card: int, hand: int) -> tuple[int, int]:
        """Which loose cards the card may use at the start of the last turn, and which surely."""
        company = hand if state.needs_company(card, self.loose) else 0
        key = (company, self.loose, state.turn_key(), card)
        used = self.uses.get(key)
        if used is None:
            self.left = TRIAL_LIMIT
            may = state.may_use(card, company, self.loose, self)
            used = may, state.surely_uses(card, may, self)
            if not self.budget.over:
                self.uses[key] = used
        return used

    def sure_card(self, state: State, asked: int) -> int:
        """One of the cards that surely helps at the start of the last turn; NO_MOVE if none."""
        cards = self.cards_at(state)
        for card in members(asked):
            if not cards.surely_known >> card & 1:
                surely = state.surely_helps(card, self)
                if self.budget.over:
                    return NO_MOVE
                cards.surely_known |= 1 << card
                cards.surely |= int(surely) << card
            if cards.surely >> card & 1:
                return card
        return NO_MOVE

    def cards_at(self, state: State) -> HelpfulCards:
        key = (self.held, self.loose, state.turn_key())
        cards = self.cards.get(key)
        if cards is None:
            cards = self.cards[key] = HelpfulCards()
        return cards

    def helpful(self, state: State, asked: int) -> int:
        """Those of the cards that may help at the start of the last turn."""
        cards = self.cards_at(state)
        for card in members(asked & ~cards.known):
            self.try_card(state, cards, card)
        if self.budget.over:
            return asked  # what was not tried may help as well
        return cards.helpful & asked

    def any_helps(self, state: State) -> bool:
        """Whether one of all cards that the seat may have helps."""
        cards = self.cards_at(state)
        if cards.helpful & self.held:
            return True
        unknown = members(self.held & ~cards.known)
        if self.last_helpful in unknown and self.try_card(state, cards, self.last_helpful):
            return True
        for card in unknown:
            if self.try_card(state, cards, card):
                self.last_helpful = card
                return True
        return False

    def try_card(self, state: State, cards: HelpfulCards, card: int) -> bool:
        """Find out whether the card may help, and note it."""
        self.left = TRIAL_LIMIT
        helps = state.may_reach(card, self.held, self.loose, self)
        if self.budget.over:
            return True  # it may only seem to help
        cards.known |= 1 << card
        if helps:
            cards.helpful |= 1 << card
        return helps

    def reaches(self, state: State, choices: list[int], reply: int) -> bool:
        return self.reaches_by(state, choices, 0, reply)

    def surely_reaches(self, state: State, choices: list[int]) -> bool:
        return self.surely_reaches_by(state, choices, 0)

    def surely_reaches_by(self, state: State, choices: list[int], chosen: int) -> bool:
        """The same when so many of the choices have been made."""
        if not self.budget.spend():
            return False
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return verdict
        moves, chosen = self.called_for(state, choices, chosen)
        for move in moves:
            if self.surely_reaches_by(played(state, move), choices, chosen) == (
                state.actor == self.seat
            ):
                return state.actor == self.seat
        return state.actor != self.seat

    def reaches_by(self, state: State, choices: list[int], chosen: int, reply: int) -> bool:
        """The same when so many of the choices have been made."""
        self.left -= 1
        if self.left < 0 or not self.budget.spend():
            return True
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return verdict
        hopes = state.actor == self.seat or state.actor == CHANCE
        if not hopes and chosen < len(choices):
            moves = state.moves()
            move = moves[min(reply, len(moves) - 1)]
            return self.reaches_by(played(state, move), choices, chosen, reply)
        moves, chosen = self.called_for(state, choices, chosen)
        for move in moves:
            if self.reaches_by(played(state, move), choices, chosen, reply) == hopes:
                return hopes
        return not hopes

    def called_for(self, state: State, choices: list[int], chosen: int) -> tuple[list[int], int]:
        """The moves to try, and how many choices have been made after any of them."""
        moves = state.moves()
        if chosen < len(choices) and state.actor == self.seat:
            called_for = [move for move in moves if choices[chosen] >> move & 1]
            if called_for:
                return called_for, chosen + 1
        return moves, chosen


def played(state: State, move: int) -> State:
    """A copy of the state after the move."""
    following = state.copy()
    following.play(move)
    return following


def smallest(sets: list[int]) -> list[int]:
    """The sets that include none of the others, the smallest first, up to a limit."""
    kept: list[int] = []
    for found in sorted(set(sets), key=int.bit_count):
        if not any(other & ~found == 0 for other in kept):
            kept.append(found)
            if len(kept) == MOST_REFUTATIONS:
                break
    return kept
