"""The schedule: balanced, deterministic, and for Swiss leagues a function of earlier results."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.config import BotSpec, League
from arena.league.schedule import (
    GameKey,
    ScheduledDeal,
    around,
    deals_of_round,
    game_count,
    games_per_round,
    line_ups,
    rotations,
)
from arena.stats.game_record import GameRecord
from tests.support.leagues import keys
from tests.support.volume import volume

bots = st.integers(1, 9)
seats = st.integers(2, 6)
few = st.integers(1, 3)


def league(count: int, **more: object) -> League:
    specs = tuple(BotSpec(f"bot {i}", "random") for i in range(count))
    return League(specs, **{"players": (2, 3), **more})  # type: ignore[arg-type]


def counts(values: Sequence[object]) -> set[int]:
    """How often values occur: a single number if all occur equally often."""
    return set(Counter(values).values())


# ---- balance ------------------------------------------------------------------------------------


@given(bots, seats, few)
@settings(deadline=None)  # the first one reads the sources of all bots
def test_every_bot_is_in_every_seat_equally_often(many: int, players: int, deals: int) -> None:
    games = keys(league(many, players=(players,), deals=deals))
    found = Counter((bot, seat) for game in games for seat, bot in enumerate(game.seats))
    assert len(found) == many * players
    assert len(set(found.values())) == 1


@given(bots, seats)
def test_a_round_robin_has_every_line_up_once(many: int, players: int) -> None:
    found = line_ups(many, players, 1000, 1)
    assert len(set(found)) == len(found)
    if many >= players:
        assert set(found) == set(combinations(range(many), players))
    for line_up in found:
        copies = Counter(line_up)
        assert len(line_up) == players
        assert max(copies[bot] for bot in range(many)) - min(
            copies[bot] for bot in range(many)
        ) <= (1 if many < players else players)


@given(st.integers(5, 30), st.integers(2, 6), st.integers(1, 80), st.integers(0, 5))
@settings(max_examples=volume(60), deadline=None)
def test_too_many_line_ups_are_reduced_evenly(
    many: int, players: int, most: int, seed: int
) -> None:
    if comb(many, players) <= most or many <= players:
        return
    found = line_ups(many, players, most, seed)
    assert counts([bot for line_up in found for bot in line_up]) == {len(found) * players // many}
    assert len(found) <= max(most, many)
    together = Counter(pair for line_up in found for pair in combinations(line_up, 2))
    met = [together[pair] for pair in combinations(range(many), 2)]
    mean = sum(met) / len(met)
    assert max(met) <= mean + 4  # the choice is random; 3.56 is the most in 17,000 of them
    assert min(met) >= mean - 4


def test_the_reduction_is_deterministic_and_depends_on_the_seed() -> None:
    assert line_ups(20, 4, 60, 1) == line_ups.__wrapped__(20, 4, 60, 1)
    assert line_ups(20, 4, 60, 1) != line_ups(20, 4, 60, 2)


@given(st.integers(1, 5))
def test_every_circular_order_occurs_once_in_a_cycle(size: int) -> None:
    line_up = tuple(range(size))
    orders = {around(line_up, turn) for turn in range(factorial(size - 1))}
    assert len(orders) == factorial(size - 1)
    assert all(order[0] == 0 for order in orders)
    assert around(line_up, factorial(size - 1)) == around(line_up, 0)


@given(bots, few)
def test_a_gauntlet_seats_the_first_bot_at_every_table(many: int, deals: int) -> None:
    games = keys(league(many + 1, format="gauntlet", deals=deals))
    assert all(game.seats.count(0) == 1 for game in games)
    for players in (2, 3):
        others = [bot for game in games if game.players == players for bot in game.seats if bot]
        assert set(others) == set(range(1, many + 1))
        assert len(counts(others)) == 1


# ---- numbering ----------------------------------------------------------------------------------


@pytest.mark.slow
@given(bots, st.integers(1, 30), st.sampled_from(["round-robin", "gauntlet"]))
@settings(max_examples=volume(50), deadline=None)
def test_games_are_numbered_and_counted_before_they_are_listed(
    many: int, deals: int, kind: str
) -> None:
    games = keys(whole := league(many + 1, format=kind, deals=deals, players=(2, 3, 4)))
    assert [game.number for game in games] == list(range(game_count(whole)))


@given(bots, few)
def test_a_swiss_round_is_counted_before_it_is_listed(many: int, deals: int) -> None:
    swiss = league(many + 3, format="swiss", deals=deals, rounds=3)
    assert len(keys(swiss)) == games_per_round(swiss, range(many + 3))
    assert game_count(swiss) == 3 * len(keys(swiss))


def test_with_copies_the_same_seats_are_not_played_twice() -> None:
    assert list(rotations((0, 1, 0, 1))) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert list(rotations((0, 0, 0))) == [(0, 0, 0)]


def test_the_games_of_a_deal_share_a_seed_and_line_up_of_their_own() -> None:
    games = keys(league(5, deals=4))
    deals: dict[int, list[GameKey]] = {}
    for game in games:
        deals.setdefault(game.deal, []).append(game)
    assert list(deals) == list(range(len(deals)))
    assert len({group[0].seed for group in deals.values()}) == len(deals)
    for group in deals.values():
        assert len(group) == group[0].players
        assert len({(game.seed, tuple(sorted(game.seats))) for game in group}) == 1
        assert len({game.seats for game in group}) == len(group)


def test_more_deals_continue_a_league_of_fewer() -> None:
    short = keys(league(3, deals=2))
    long = keys(league(3, deals=5))
    assert long[: len(short)] == short


def named(whole: League) -> set[tuple[int, tuple[str, ...]]]:
    """Seed and seats of every game."""
    return {(key.seed, tuple(whole.names[bot] for bot in key.seats)) for key in keys(whole)}


@given(st.integers(4, 7), st.data())
@settings(max_examples=volume(30), deadline=None)
def test_games_do_not_depend_on_who_else_is_in_the_league(many: int, data: st.DataObject) -> None:
    whole = league(many, deals=3)
    left = data.draw(st.permutations(whole.bots).map(lambda bots: tuple(bots[: many - 1])))
    smaller = replace(whole, bots=left)
    names = set(smaller.names)
    assert named(smaller) == {game for game in named(whole) if names >= set(game[1])}


# ---- Swiss --------------------------------------------------------------------------------------


def swiss_round(swiss: League, number: int, earlier: Sequence[GameRecord]) -> list[GameKey]:
    """The games of a round with all bots."""
    deals: list[ScheduledDeal] = list(
        deals_of_round(swiss, range(len(swiss.bots)), number, earlier)
    )
    games = [
        (deal.players, place, deal.seed, seats)
        for place, deal in enumerate(deals)
        for seats in rotations(deal.seats)
    ]
    return [GameKey(len(earlier) + number, *game) for number, game in enumerate(games)]


def strongest_wins(swiss: League, games: Sequence[GameKey]) -> list[GameRecord]:
    """The results if the bot that comes first in the config always wins."""
    results = []
    for key in games:
        names = tuple(swiss.names[bot] for bot in key.seats)
        winners = (key.seats.index(min(key.seats)),)
        results.append(GameRecord(*key[:3], names, winners, ("",) * key.players, 10, 5))
    return results


@given(st.integers(2, 12), st.integers(2, 4), st.integers(1, 4))
@settings(max_examples=volume(50), deadline=None)
def test_no_bot_sits_out_more_than_one_round_more_than_another(
    many: int, players: int, rounds: int
) -> None:
    swiss = league(many, players=(players,), format="swiss", rounds=rounds, deals=1)
    played: list[GameRecord] = []
    for number in range(rounds):
        games = swiss_round(swiss, number, played)
        assert games[0].number == len(played)
        played += strongest_wins(swiss, games)
    games_of = Counter(name for game in played for name in game.seats)
    if many >= players:
        assert max(games_of.values()) - min(games_of[name] for name in swiss.names) <= players


def test_a_swiss_round_depends_on_earlier_results_only() -> None:
    swiss = league(8, players=(2,), format="swiss", rounds=3, deals=1)
    first = swiss_round(swiss, 0, ())
    played = strongest_wins(swiss, first)
    second = swiss_round(swiss, 1, played)
    upset = [replace(game, winners=(1 - game.winners[0],)) for game in played]
    assert second != swiss_round(swiss, 1, upset)


def test_winners_of_a_swiss_round_meet_next_and_no_pair_meets_twice() -> None:
    swiss = league(8, players=(2,), format="swiss", rounds=3, deals=1)
    played: list[GameRecord] = []
    for number in range(3):
        played += strongest_wins(swiss, swiss_round(swiss, number, played))
    met = Counter(frozenset(game.seats) for game in played)
    assert set(met.values()) == {2}  # one deal, two rotations, and never again
    assert frozenset({"bot 0", "bot 2"}) in met  # both won their first games


@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_a_single_bot_plays_against_its_copies(kind: str) -> None:
    games = keys(league(1, format=kind, deals=2))
    assert {game.seats for game in games} == {(0, 0), (0, 0, 0)}
