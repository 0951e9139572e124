"""The odds of hidden heroes' factions, on views of random games."""

from collections import Counter
from collections.abc import Iterator

import pytest

from games.engine import COMPILED
from games.hidden_leaders.knowledge.party_odds import PartyOdds, Slot, TooManyWays
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.bytecode import FACTION_OF
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT
from games.registry import game
from games.state import CHANCE, NOBODY, Rng

RULES = game("hidden-leaders")
GAMES = 2
LATE = 12
"""Turns from one view to the next."""


def views(seed: int) -> Iterator[HiddenLeadersView]:
    """What the seats know at the start of some late turns of a random game."""
    players = 2 + seed % 5
    table = RULES.new(players, record=True)
    seats = [RULES.view(seat, players) for seat in range(players)]
    rng = Rng(seed)
    turns = 0
    while table.actor != NOBODY:
        if table.actor == CHANCE:
            table.sample_chance(rng)
        else:
            table.play(rng.choice(table.moves()))
        for seat, view in enumerate(seats):
            for event in table.take_events(seat):
                view.observe(event)
        if table.actor >= 0 and table.turns >= turns + LATE:
            turns = int(table.turns)
            view = seats[table.actor]
            assert isinstance(view, HiddenLeadersView)
            yield view


def computed(view: HiddenLeadersView, hindsight: bool, more: list[Slot]) -> PartyOdds | None:
    odds = PartyOdds(view.knowledge(), more=more, hindsight=hindsight)
    try:
        odds.odds()
    except TooManyWays:
        return None
    return odds


@pytest.mark.slow
def test_hindsight_does_not_change_the_odds() -> None:
    compared = fewer = 0
    for seed in range(GAMES):
        for view in views(seed):
            short, full = computed(view, True, []), computed(view, False, [])
            if full is None or short is None:
                continue
            assert short.slots == full.slots
            assert short.odds() == pytest.approx(full.odds(), rel=1e-9)
            compared += len(short.slots) > 0
            fewer += rows(short) < rows(full)
    assert compared
    assert fewer


def rows(odds: PartyOdds) -> int:
    return sum(len(cluster.rows) for cluster in odds.fold.clusters)


@pytest.mark.slow
def test_the_odds_are_those_of_sampled_worlds() -> None:
    """Hidden heroes, the top of the wilderness, a harbor card and a card of the next hand."""
    samples = 2000 if COMPILED else 200
    compared = 0
    for seed in range(GAMES):
        for view in views(100 + seed):
            board = view.board()
            rival = Zone.HAND + (view.seat + 1) % view.players
            more: list[Slot] = [(Zone.HARBOR, 0)] if board.size(Zone.HARBOR) else []
            more += [(rival, 0)] if board.size(rival) else []
            if size := int(board.size(Zone.WILDERNESS)):
                more.append((Zone.WILDERNESS, size - 1))
            odds = computed(view, True, more)
            if odds is None:
                continue
            rng, counts = Rng(seed), Counter[tuple[int, int]]()
            for _ in range(samples):
                world = view.sample(rng)
                assert isinstance(world, HiddenLeaders)
                for slot, place in enumerate(odds.slots):
                    counts[slot, int(FACTION_OF[card_at(world, place, rng)])] += 1
            expected = Counter[tuple[int, int]]()
            for factions, chance in odds.odds().items():
                for slot, faction in enumerate(factions):
                    expected[slot, faction] += chance  # type: ignore[assignment]
            for key in counts | expected:
                chance = expected[key]
                spread = 5 * (chance * (1 - chance) / samples) ** 0.5 + 3 / samples
                assert abs(counts[key] / samples - chance) <= spread, (seed, key)
            compared += 1
    assert compared


def card_at(world: HiddenLeaders, slot: Slot, rng: Rng) -> int:
    zone, index = slot
    if zone == Zone.HARBOR or Zone.HAND <= zone < Zone.OPEN:
        return rng.choice(world.cards(zone))
    return int(world.m[AT[zone] + index])
