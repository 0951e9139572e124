"""Hands that a seat may draw before its last turn: what they are worth, and how likely they are."""

import random
from fractions import Fraction
from zlib import crc32

import pytest

from games.engine import COMPILED
from games.hidden_leaders.positions.small_endings import again_position
from games.hidden_leaders.positions.worlds import worlds
from games.hidden_leaders.rules.cards import CARD_NUMBER
from games.hidden_leaders.rules.constants import Limit, Move, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game
from games.state import CHANCE
from solver.core.budget import NodeBudget
from solver.core.ratio import Ratio
from solver.reference.cross_check import again_check
from solver.search.alpha_beta import as_interval
from solver.search.draws import Draws
from solver.search.replies import HandBounds


def some_value(hand: list[int]) -> Fraction:
    """A value that only depends on the hand."""
    return Fraction(crc32(bytes(hand)) % 5, 4)


def as_bounds(value: Fraction) -> HandBounds:
    ratio: Ratio = value.numerator, value.denominator
    return ratio, ratio


def by_the_rules(state: HiddenLeaders, known: dict[bytes, Fraction]) -> Fraction:
    """What the first seat can expect, if its hand at the end of its turn is worth `some_value`."""
    if state.turns:
        return some_value(state.held(0))
    key = state.key()
    if key not in known:
        values = []
        for move in state.moves():
            following = state.copy()
            following.play(move)
            values.append(by_the_rules(following, known))
        mean = sum(values, Fraction(0)) / len(values)
        known[key] = mean if state.actor == CHANCE else max(values)
    return known[key]


def ending(seed: int, harbor: int) -> HiddenLeaders:
    """The start of a turn, with that many cards in the harbor and two in the tavern."""
    dice = random.Random(seed)
    (state,) = worlds(again_position(dice, 2), 1)
    state.lay_out(Zone.HARBOR, state.cards(Zone.HARBOR)[:harbor])
    state.lay_out(Zone.TAVERN, [*state.cards(Zone.TAVERN)[: Limit.TAVERN - 1]])
    return state


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("discard", [True, False])
def test_what_may_be_drawn_is_counted_as_the_rules_do_it(seed: int, discard: bool) -> None:
    """After a discard the seat may discard two more, after doing nothing it draws one card."""
    state = ending(seed, harbor=5)
    state.hold(0, state.held(0)[:2] if discard else state.held(0))
    state.resume()
    state.play(Move.DISCARD + state.held(0)[0] if discard else Move.PASS)
    plan = state.cleanup_plan()
    assert plan is not None
    found = Draws(plan, lambda hand: as_bounds(some_value(hand)), NodeBudget()).value()
    expected = by_the_rules(state, {})
    assert as_interval(found) == (expected, expected)


def test_no_plan_if_the_harbor_may_run_out() -> None:
    state = ending(1, harbor=3)
    state.play(Move.PASS)
    assert state.cleanup_plan() is None


def test_hands_are_worth_what_a_search_of_each_hand_says() -> None:
    result = again_check(game("hidden-leaders"), 40, 8 if COMPILED else 1, 20_000)
    assert not result.disagreements
    assert result.telling


def test_a_held_card_is_taken_from_where_it_lies() -> None:
    state = ending(2, harbor=9)
    card, before = state.cards(Zone.HARBOR)[0], state.held(1)
    state.hold(1, [card])
    assert state.held(1) == [card]
    assert card not in state.cards(Zone.HARBOR)
    assert not set(before) & {one for zone in range(Zone.COUNT) for one in state.cards(zone)}


def test_variants_hold_every_tavern() -> None:
    """Three cards of four or five kinds can lie in 35 or 56 ways, fewer in 20 or 35 more."""
    state = ending(3, harbor=30)
    hero = CARD_NUMBER["Hangry Barbarian"]
    tables = state.pile_variants(hero)
    taverns = [one.cards(Zone.TAVERN) for one in tables if isinstance(one, HiddenLeaders)]
    kinds = {tuple(sorted(int(state.kind_of(c)) for c in cards if c >= 0)) for cards in taverns}
    assert len(kinds) == len(taverns) >= 35
