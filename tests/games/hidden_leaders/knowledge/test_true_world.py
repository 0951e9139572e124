"""The true world is always among those a seat considers possible, even with thinned tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Final

import pytest

from games.errors import Contradiction
from games.hidden_leaders.knowledge.hypotheses import (
    LIMIT,
    RowKey,
    WeightedRow,
    evenly_drawn,
    thinned,
)
from games.hidden_leaders.knowledge.inference import Knowledge
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import EMPEROR, RETAIL
from games.hidden_leaders.rules.constants import UNKNOWN_INDEX, Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from tests.support.small_games import COMPILED, drawn, moments
from tests.support.true_world import Comparison, Truth
from tests.support.volume import volume

pytestmark = pytest.mark.slow

ROOM: Final = 10**9
"""More rows than any table ever has: nothing is thinned."""


class Witness:
    """One seat at a real table: what it can know, and what is true."""

    def __init__(self, seat: int, table: HiddenLeaders) -> None:
        self.seat = seat
        self.table = table
        self.view = HiddenLeadersView(seat, table.players)
        self.truth = Truth(seat, RETAIL)

    def catch_up(self) -> None:
        for event in self.table.take_events(self.seat):
            self.view.observe(event)
        self.truth.follow(self.table.events)

    def knowledge(self, limit: int) -> Knowledge:
        """What the seat knows by now, with tables of at most so many rows; not worked out yet."""
        knowledge = Knowledge(self.seat, self.table.players, RETAIL)
        knowledge.limit = limit
        knowledge.events = list(self.view._knowledge.events)
        knowledge.tracked = set(self.view._knowledge.tracked)
        return knowledge

    def objections(self, knowledge: Knowledge) -> list[str]:
        """Why the truth is not possible by this knowledge; nothing if it is."""
        comparison = Comparison(knowledge, self.truth, self.table)
        found = list(comparison.objections())
        if not found and not comparison.can_be_drawn(self.view.board()):
            found.append("worlds are never drawn with the cards as they truly lie")
        return found


def whole_game(players: int, seed: int) -> Iterator[Witness]:
    """About every tenth decision of a random game, with one of the seats as witness."""
    dice = random.Random(seed)
    rng = Rng(seed)
    table = new_game(players, record=True)
    witnesses = [Witness(seat, table) for seat in range(players)]
    while table.actor != NOBODY:
        if table.actor == CHANCE:
            table.sample_chance(rng)
            continue
        if dice.random() < 0.1:
            witness = dice.choice(witnesses)
            witness.catch_up()
            yield witness
        table.play(dice.choice(table.moves()))


# ---- the truth is possible ------------------------------------------------------------------

QUICK: Final = [(2, 3), (3, 13), (4, 18), (5, 13), (6, 6)]
"""Players and seeds of games with a reshuffle or two and small tables."""

TOO_WIDE: Final = {(4, 3), (5, 4), (3, 8), (5, 8), (6, 8)}
"""Games whose tables take minutes when nothing is thinned."""

GAMES: Final = {*QUICK, *product(range(2, 7), range(min(9, volume(4, 1))))} - TOO_WIDE


@pytest.mark.parametrize(("players", "seed"), sorted(GAMES))
def test_the_true_world_is_always_possible(players: int, seed: int) -> None:
    checked = 0
    for witness in whole_game(players, seed):
        knowledge = witness.view._knowledge
        knowledge.limit = ROOM
        knowledge.update(Rng(0))
        assert knowledge.exact
        assert not witness.objections(knowledge)
        checked += 1
    assert checked > 5


def test_a_table_without_the_true_row_is_detected() -> None:
    lacking = 0
    for witness in whole_game(3, 13):
        knowledge = witness.knowledge(ROOM)
        knowledge.update(Rng(0))
        true = Comparison(knowledge, witness.truth, witness.table)
        for cluster in knowledge.clusters:
            rows = cluster.rows
            cluster.rows = {key: rows[key] for key in rows.keys() - true.true_rows(cluster).keys()}
            assert any("lacks" in objection for objection in witness.objections(knowledge))
            cluster.rows = rows
            lacking += 1
        assert not witness.objections(knowledge)
    assert lacking > 5


def test_a_branch_that_lays_other_cards_is_detected() -> None:
    """Rows may be right as far as they tell places apart, and wrong about the rest."""
    led_astray = 0
    for witness in whole_game(3, 13):
        knowledge = witness.knowledge(ROOM)
        knowledge.update(Rng(0))
        true = Comparison(knowledge, witness.truth, witness.table)
        rows = [row for cluster in knowledge.clusters for row in true.true_rows(cluster).values()]
        branches = [row.branch for row in rows if row.branch is not None]
        for branch in branches:
            branch.placed = [[(place, EMPEROR) for place, _ in placed] for placed in branch.placed]
        laid = {place for branch in branches for placed in branch.placed for place, _ in placed}
        if laid & true.at_place.keys():
            assert witness.objections(knowledge)
            led_astray += 1
    assert led_astray > 5


def test_one_wrong_card_in_one_event_is_detected() -> None:
    wrong = 0
    for witness in whole_game(3, 13):
        knowledge = witness.knowledge(ROOM)
        knowledge.update(Rng(0))
        drawn = [i for i, event in enumerate(knowledge.events) if is_seen_draw(event)]
        event = knowledge.events[drawn[-1]]
        for other in sorted(knowledge.pool)[:3]:
            misled = witness.knowledge(ROOM)
            misled.events[drawn[-1]] = (*event[:5], other)
            try:
                misled.update(Rng(0))
            except Contradiction:
                continue
            assert witness.objections(misled)
            wrong += 1
    assert wrong > 5


def is_seen_draw(event: tuple[int, ...]) -> bool:
    return event[:2] == (Event.MOVED, Zone.HARBOR) and event[5] != UNSEEN


def test_a_missing_look_is_detected() -> None:
    forgotten = 0
    for witness in whole_game(3, 13):
        knowledge = witness.knowledge(ROOM)
        looks = [e for e in knowledge.events if e[0] == Event.SEEN and e[1] >= Zone.HIDDEN]
        looks = [e for e in looks if witness.table.cards(e[1])[e[2] : e[2] + 1] == [e[3]]]
        for look in looks[-1:]:
            knowledge.events.remove(look)
            knowledge.update(Rng(0))
            assert witness.objections(knowledge)
            forgotten += 1
    assert forgotten > 0


# ---- thinning -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weights",
    [
        pytest.param([1.0] * 7, id="alike"),
        pytest.param([8.0, 1.0, 0.25, 3.0, 0.5], id="unlike"),
        pytest.param([1e-30, 1.0, 1e-30, 1.0, 1e30, 1e-300], id="some next to nothing"),
    ],
)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_every_weight_has_a_chance_and_keeps_its_mean(weights: list[float], most: int) -> None:
    starts = 20_000
    total = [0.0] * len(weights)
    for i in range(starts):
        drawn = evenly_drawn(weights, most, (i + 0.5) / starts)
        assert 0 < sum(weight > 0.0 for weight in drawn) <= most
        total = [a + b for a, b in zip(total, drawn, strict=True)]
    for weight, sum_of_drawn in zip(weights, total, strict=True):
        assert sum_of_drawn / starts == pytest.approx(weight, rel=0.01)


def test_any_row_may_survive_thinning() -> None:
    rows: dict[RowKey, WeightedRow] = {
        ((), (card,), (), (), (), ()): WeightedRow(10.0**-card, None) for card in range(9)
    }
    assert thinned(rows, 9, Rng(0)) is rows
    survivors = [set(thinned(rows, 4, Rng(luck))) for luck in range(2000)]
    assert max(len(kept) for kept in survivors) <= 4
    assert set.union(*survivors) == rows.keys()


@pytest.mark.parametrize(("seed", "limit"), [(32, 4), (50, 4), (402, 6), (692, 10)])
def test_every_possible_world_is_drawn_eventually(seed: int, limit: int) -> None:
    """Worlds come through `sample` alone; one plan does not have them all, later ones do."""
    came_back = 0
    for moment in moments(seed, most=1500):
        view, possible = moment.view, moment.belief.worlds.keys()
        rng = Rng(seed)
        view._knowledge.forget()
        make_scarce(view, limit)
        found = set(drawn(moment, 2000, rng))
        if found == possible or view.exact:
            continue
        decisions = 0
        while found != possible:
            make_scarce(view, limit)
            found |= drawn(moment, 1, rng).keys()
            decisions += 1
            assert decisions < 5000, f"{len(possible - found)} worlds are never drawn"
        came_back += 1
    assert came_back > 0


def test_no_impossible_world_is_drawn_from_thinned_tables() -> None:
    """Among them, in game 3, tables that agree on more cards used than ever sank."""
    was_thinned = 0
    for seed in range(volume(20, 5)):
        rng = Rng(seed)
        for moment in moments(seed, most=400):
            for _ in range(8):
                moment.view._knowledge.forget()
                make_scarce(moment.view, 4)
                drawn(moment, 4, rng)
                was_thinned += not moment.view.exact
    assert was_thinned > 0


def make_scarce(view: HiddenLeadersView, limit: int) -> None:
    """A new decision, though nothing has changed, with room for few rows."""
    view._knowledge.limit = limit
    view.observe((Event.MARKERS, view.red, view.green))


THINNED: Final = [(players, seed, 60) for players, seed in QUICK] + (
    [(2, 0, LIMIT), (3, 0, LIMIT), (4, 1, LIMIT), (5, 2, LIMIT)] if COMPILED else []
)


@pytest.mark.parametrize(("players", "seed", "limit"), THINNED)
def test_the_true_world_comes_back_with_another_seed(players: int, seed: int, limit: int) -> None:
    was_thinned = 0
    for witness in whole_game(players, seed):
        witness.view._knowledge.update(Rng(0))
        for luck in range(100):
            knowledge = witness.knowledge(limit)
            knowledge.update(Rng(luck))
            if not witness.objections(knowledge):
                break
            assert not knowledge.exact
        else:
            raise AssertionError("the truth stays lost")
        was_thinned += not knowledge.exact
    assert was_thinned > 0


def test_thinned_tables_that_contradict_an_event_get_more_rows() -> None:
    """And in the end they show whether the events are possible at all."""
    for witness in whole_game(3, 13):
        if sum(witness.table.size(Zone.OPEN + seat) for seat in range(3)) > 3:
            break
    shown = next(card for seat in range(3) for card in witness.table.cards(Zone.OPEN + seat))
    knowledge = witness.knowledge(4)
    knowledge.update(Rng(0))
    assert not knowledge.exact
    room = knowledge.limit
    knowledge.observe((Event.MOVED, Zone.HARBOR, UNKNOWN_INDEX, Zone.TAVERN, 0, shown))
    with pytest.raises(Contradiction):
        knowledge.update(Rng(0))
    assert knowledge.limit > room
    assert knowledge.exact
