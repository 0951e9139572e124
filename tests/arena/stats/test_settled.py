"""The test of a league's order: who plays next, what counts, when it stops, how often it errs."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from math import factorial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.schedule import around
from arena.stats.sequential_test import Verdict
from arena.stats.settled import BATCH, LeagueDeal, OrderReport, OrderTest, shares_of
from games.errors import GameError
from tests.support.simulated_league import game
from tests.support.volume import volume

Weights = Callable[[LeagueDeal], list[float]]
Plan = tuple[list[Any], tuple[tuple[int, int], ...]]


def order_test(
    bots: int, players: Iterable[int], kind: type[OrderTest] = OrderTest, **more: Any
) -> OrderTest:
    """Bots a, b, c, ... in all line-ups at these player counts."""
    line_ups = {count: list(combinations(range(bots), count)) for count in players}
    return kind("abcdefgh"[:bots], line_ups, **more)


def play(test: OrderTest, weights: Weights, seed: int = 1, most: int = 20_000) -> OrderReport:
    """Play on with these chances of winning, in proportion, until it is settled."""
    rng = Random(seed)
    while test.deals < most and (deals := test.next_deals()):
        for deal in deals:
            test.add(deal, result(test, deal, weights(deal), rng))
    return test.report()


def result(
    test: OrderTest, deal: LeagueDeal, weights: list[float], rng: Random
) -> dict[str, float]:
    wins = Counter(rng.choices(deal.line_up, weights, k=deal.players))
    return {test.names[bot]: wins[bot] / deal.players for bot in deal.line_up}


def by_strength(*strengths: float) -> Weights:
    return lambda deal: [strengths[bot] for bot in deal.line_up]


def verdicts(report: OrderReport) -> dict[str, Verdict | None]:
    return {pair.bot + pair.other: pair.verdict for pair in report.deciding}


# ---- the result ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [(2,), (2, 3, 4)])
def test_the_order_is_found(players: tuple[int, ...]) -> None:
    report = play(order_test(4, players), by_strength(2, 8, 1, 4))
    assert report.settled
    assert report.order == ("b", "d", "a", "c")
    assert verdicts(report) == dict.fromkeys(["bd", "da", "ac"], Verdict.BETTER)
    assert report.ranks == {"b": (1, 1), "d": (2, 2), "a": (3, 3), "c": (4, 4)}
    assert report.groups == (("b",), ("d",), ("a",), ("c",))


def test_equal_bots_are_found_equal_and_share_their_places() -> None:
    report = play(order_test(3, [2], margin=0.15), by_strength(1, 1, 1))
    assert report.settled
    assert list(verdicts(report).values()) == [Verdict.EQUAL] * 2
    assert report.groups == (report.order,)
    assert set(report.ranks.values()) == {(1, 3)}


def test_a_bot_is_compared_with_all_of_a_group_of_equals_beside_it() -> None:
    report = play(order_test(4, [2], margin=0.15), by_strength(1, 3, 1, 0.2))
    assert report.groups == (("b",), tuple(sorted("ac", key=report.order.index)), ("d",))
    assert report.ranks["b"] == (1, 1)
    assert report.ranks["a"] == report.ranks["c"] == (2, 3)
    deciding = {frozenset((pair.bot, pair.other)) for pair in report.deciding}
    assert deciding == {frozenset(pair) for pair in ("ab", "bc", "ac", "ad", "cd")}


def test_bounds_enclose_the_lead_and_agree_with_the_verdict() -> None:
    report = play(order_test(3, [2, 3], margin=0.2), by_strength(5, 1, 1))
    assert {pair.verdict for pair in report.deciding} == {Verdict.BETTER, Verdict.EQUAL}
    for pair in report.deciding:
        assert pair.low <= pair.lead <= pair.high
        assert pair.deals > 20
        if pair.verdict is Verdict.BETTER:
            assert pair.low >= 0
        else:
            assert -0.2 <= pair.low < 0 < pair.high <= 0.2


def test_only_the_first_places_are_settled_if_nothing_else_is_asked() -> None:
    everything = play(order_test(5, [2]), by_strength(16, 4, 1, 1.1, 0.9))
    report = play(order_test(5, [2], top=1), by_strength(16, 4, 1, 1.1, 0.9))
    assert report.order[0] == "a"
    assert report.ranks["a"] == (1, 1)
    assert {(pair.bot, pair.verdict) for pair in report.deciding} == {("a", Verdict.BETTER)}
    assert len(report.deciding) == 4
    assert report.deals < everything.deals / 4


def test_the_first_two_are_settled_with_their_order() -> None:
    report = play(order_test(5, [2, 3], top=2), by_strength(1, 4, 1, 16, 1))
    assert report.order[:2] == ("d", "b")
    assert report.groups[:2] == (("d",), ("b",))
    assert set(report.groups[2:]) == {report.order[2:]}
    deciding = {pair.bot + pair.other for pair in report.deciding}
    assert deciding == {"db", "ba", "bc", "be"}


@pytest.mark.parametrize("top", [1, 3])
def test_bots_that_beat_each_other_in_a_circle_end_the_league_and_share_their_places(
    top: int,
) -> None:
    def circle(deal: LeagueDeal) -> list[float]:
        return [1, 9] if deal.line_up == (0, 2) else [9, 1]

    report = play(order_test(3, [2], top=top), circle)
    assert report.settled
    assert report.deals < 2000
    assert None not in verdicts(report).values()
    if top == 1:
        assert Verdict.WORSE in verdicts(report).values()
        assert set(report.ranks.values()) == {(1, 3)}


def test_without_enough_deals_pairs_stay_open() -> None:
    report = play(order_test(4, [2]), by_strength(1, 1, 1, 1), most=200)
    assert not report.settled
    assert list(verdicts(report).values()) == [None] * 3
    assert len(report.deciding) + len(report.others) == 6


def test_before_every_pair_has_met_there_is_no_deciding_pair_yet() -> None:
    report = order_test(4, [2]).report()
    assert not report.settled
    assert report.deciding == ()
    assert set(report.ranks.values()) == {(1, 4)}


# ---- what is played -----------------------------------------------------------------------------


def test_play_narrows_down_to_the_pair_that_is_close() -> None:
    test = order_test(5, [2])
    play(test, by_strength(9, 3, 1, 0.95, 0.2), most=2000)
    assert {deal.line_up for deal in test.next_deals()} == {(2, 3)}


def test_the_same_results_give_the_same_deals_also_if_asked_for_early() -> None:
    def asked(test: OrderTest) -> list[LeagueDeal]:
        rng = Random(5)
        waiting = test.next_deals(8)
        history = list(waiting)
        for _ in range(40):
            ahead = test.next_deals(8)
            history += ahead
            for deal in waiting:
                test.add(deal, result(test, deal, by_strength(4, 2, 1, 1)(deal), rng))
                test.open_pairs()
                test.settled()
            waiting = ahead
        return history

    first, second = (asked(order_test(4, [2, 3], seed=3)) for _ in range(2))
    assert first == second
    assert first != asked(order_test(4, [2, 3], seed=4))


def test_looking_at_the_report_changes_nothing() -> None:
    looked, unseen = order_test(4, [2, 3]), order_test(4, [2, 3])
    rngs = Random(2), Random(2)
    for _ in range(6):
        deals, same = looked.next_deals(16), unseen.next_deals(16)
        assert deals == same
        for deal in deals:
            for test, rng in zip((looked, unseen), rngs, strict=True):
                test.add(deal, result(test, deal, by_strength(4, 3, 2, 1)(deal), rng))
            looked.report()


def test_a_line_up_has_the_same_deals_whatever_else_is_played() -> None:
    def numbers(test: OrderTest) -> list[int]:
        deals = [deal for _ in range(30) for deal in test.next_deals()]
        return [deal.number for deal in deals if deal.line_up == (0, 1, 2, 3)]

    four, six = numbers(order_test(4, [4])), numbers(order_test(6, [2, 4]))
    assert len(six) > 20
    assert four[: len(six)] == six


def test_no_deal_is_asked_for_twice_and_all_circular_orders_are_drawn_alike() -> None:
    test = order_test(4, [4])
    deals = [deal for _ in range(50) for deal in test.next_deals()]
    assert len(set(deals)) == len(deals) == 50 * BATCH
    orders = Counter(deal.number % factorial(3) for deal in deals)
    assert len(orders) == 6
    assert all(abs(count - len(deals) / 6) < 130 for count in orders.values())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_schedule_takes_the_circular_order_from_the_number_as_is_assumed(players: int) -> None:
    line_up, orders = tuple(range(players)), factorial(players - 1)
    first = [around(line_up, number) for number in range(orders)]
    assert len(set(first)) == orders
    assert [around(line_up, number) for number in range(orders, 2 * orders)] == first


def test_a_line_up_that_is_listed_twice_is_drawn_twice_as_often_with_deals_of_its_own() -> None:
    test = OrderTest("abc", {2: [(0, 1), (0, 1), (0, 2), (1, 2)]})
    deals = [deal for _ in range(20) for deal in test.next_deals()]
    assert len(set(deals)) == len(deals)
    assert 0.45 < sum(deal.line_up == (0, 1) for deal in deals) / len(deals) < 0.55


def test_copies_fill_a_table() -> None:
    test = OrderTest("ab", {3: [(0, 0, 1), (0, 1, 1)]}, margin=0.2)
    rng = Random(1)
    while deals := test.next_deals():
        for deal in deals:
            (winner,) = rng.choices(deal.line_up, [3 if bot else 1 for bot in deal.line_up])
            shares = {
                "ab"[bot]: 1 / deal.line_up.count(bot) if bot == winner else 0.0 for bot in (0, 1)
            }
            test.add(deal, shares)
    assert test.report().order == ("b", "a")


# ---- what counts --------------------------------------------------------------------------------


@given(st.sets(st.sampled_from(list(combinations(range(5), 2))), min_size=1), st.data())
def test_a_pair_counts_only_if_all_its_line_ups_can_be_drawn(
    wanted: set[tuple[int, int]], data: st.DataObject
) -> None:
    """Then its line-ups are drawn alike, whatever the results made us play."""
    players = data.draw(st.sets(st.integers(2, 5), min_size=1))
    test = order_test(5, players)
    tables, counting = test._plan(sum(test._bit[pair] for pair in wanted))
    drawn = [table.line_up for table in tables]
    assert wanted <= set(counting)
    for line_up in (table.line_up for table, _ in test._tables):
        pairs = set(combinations(line_up, 2))
        assert (line_up in drawn) == bool(pairs & wanted)
        if line_up not in drawn:
            assert not pairs & set(counting)


def by_company(deal: LeagueDeal) -> list[float]:
    """a leads b if c is there and trails if d is there: 0 on average, as between c and d."""
    special: dict[tuple[int, ...], list[float]] = {(0, 1, 2): [10, 1, 3], (0, 1, 3): [1, 10, 3]}
    return special.get(deal.line_up, [1, 1, 1])


class AllCount(OrderTest):
    """Counts a deal for every pair at the table, however the line-up was drawn."""

    def _plan(self, wanted: int) -> Plan:
        return super()._plan(wanted)[0], tuple(self._pairs)


def false_claims(kind: type[OrderTest], leagues: int) -> int:
    """Leagues in which a and b, or c and d, were separated."""
    wrong = 0
    for seed in range(leagues):
        test = order_test(4, [3], kind, seed=seed)
        play(test, by_company, seed, most=1500)
        found = test.verdict(0, 1), test.verdict(2, 3)
        wrong += Verdict.BETTER in found or Verdict.WORSE in found
    return wrong


@pytest.mark.slow
def test_equal_bots_are_rarely_told_apart_if_strength_depends_on_the_company() -> None:
    assert false_claims(OrderTest, volume(40)) <= 4


@pytest.mark.slow
def test_counting_every_deal_for_every_pair_would_tell_them_apart() -> None:
    """So the test above can fail."""
    assert false_claims(AllCount, volume(20)) >= volume(10)


@pytest.mark.slow
def test_equal_bots_are_rarely_told_apart_if_strength_depends_on_the_circular_order() -> None:
    def by_seating(deal: LeagueDeal) -> list[float]:
        strong = deal.number % 120 // 60
        return [5.0 if bot == strong else 1.0 for bot in deal.line_up]

    wrong = 0
    for seed in range(volume(30)):
        test = order_test(6, [6], seed=seed)
        play(test, by_seating, seed, most=300)
        wrong += test.verdict(0, 1) in {Verdict.BETTER, Verdict.WORSE}
    assert wrong <= 4


@pytest.mark.slow
@pytest.mark.parametrize("players", [(2,), (2, 3, 4)])
def test_leagues_of_equal_bots_rarely_separate_any_pair(players: tuple[int, ...]) -> None:
    wrong = 0
    for seed in range(volume(40)):
        test = order_test(4, players, margin=0.25, seed=seed)
        assert play(test, by_strength(1, 1, 1, 1), seed).settled
        wrong += any(
            test.verdict(a, b) is not Verdict.EQUAL
            for a, b in combinations(range(4), 2)
            if test.verdict(a, b)
        )
    assert wrong <= 5


# ---- shares -------------------------------------------------------------------------------------


def test_shares_are_averages_over_the_seats_of_a_bot() -> None:
    games = [game(0, 0, "aab", (0,)), game(1, 0, "aba", (0, 1)), game(2, 0, "baa", ())]
    assert shares_of(games) == {"a": 1.5 / 6, "b": 0.5 / 3}


def test_a_bot_at_fault_loses_to_the_others() -> None:
    assert shares_of([game(0, 0, "abc", (1,), faulty=1)]) == {"a": 0.5, "b": 0.0, "c": 0.5}


# ---- bad input and speed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"margin": 0}, "margin must be between 0 and 1, not 0"),
        ({"confidence": 95}, "confidence must be between 0 and 1, not 95"),
        ({"top": 0}, "top must be between 1 and 3, the number of bots, not 0"),
        ({"top": 4}, "top must be between 1 and 3, the number of bots, not 4"),
    ],
)
def test_impossible_numbers_are_refused(more: dict[str, Any], problem: str) -> None:
    with pytest.raises(GameError, match=problem):
        order_test(3, [2], **more)


def test_bots_that_never_meet_are_named() -> None:
    with pytest.raises(GameError, match="b and c are never at the same table"):
        OrderTest("abc", {2: [(0, 1), (0, 2)]})


def test_one_bot_has_no_order() -> None:
    with pytest.raises(GameError, match="at least two bots, not 1"):
        OrderTest("a", {2: [(0, 0)]})


def test_results_in_another_order_are_refused() -> None:
    test = order_test(3, [3])
    first, second = test.next_deals(2)
    with pytest.raises(ValueError, match="not the next deal"):
        test.add(second, {"a": 1.0, "b": 0.0, "c": 0.0})
    test.add(first, {"a": 1.0, "b": 0.0, "c": 0.0})
    test.add(second, {"a": 1.0, "b": 0.0, "c": 0.0})
    with pytest.raises(ValueError, match="not the next deal"):
        test.add(second, {"a": 1.0, "b": 0.0, "c": 0.0})


@pytest.mark.slow
def test_ten_thousand_deals_of_eight_bots_cost_seconds() -> None:
    test = order_test(8, range(2, 7), margin=0.001)
    started = time.process_time()
    report = play(test, by_strength(*[1] * 8), most=10_000)
    assert report.deals >= 10_000
    assert time.process_time() - started < 15
