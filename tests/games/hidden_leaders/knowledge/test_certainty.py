"""What a View calls certain is true, complete, and asking for it changes nothing."""

from collections import Counter
from collections.abc import Iterator

import pytest

from games.errors import ChancePending, GameError
from games.hidden_leaders import HiddenLeadersView, Zone
from games.hidden_leaders.rules.cards import CARD_NUMBER
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game
from games.state import CHANCE, NOBODY, UNSEEN, Rng

RULES = game("hidden-leaders")


Moment = tuple[HiddenLeaders, HiddenLeadersView]
"""The truth, and what seat A knows."""


def decisions(players: int, seed: int, every: int) -> Iterator[Moment]:
    """The truth and the view of seat A at some decisions of a random game."""
    luck, table, view = Rng(seed), RULES.new(players, record=True), RULES.view(0, players)
    assert isinstance(table, HiddenLeaders)
    assert isinstance(view, HiddenLeadersView)
    number = 0
    while table.actor != NOBODY:
        if table.actor == CHANCE:
            table.sample_chance(luck)
            continue
        for event in table.take_events(0):
            view.observe(event)
        number += 1
        if number % every == 0:
            yield table, view
        table.play(luck.choice(table.moves()))


def is_bag(zone: int) -> bool:
    return zone == Zone.DRAWN or Zone.HAND <= zone < Zone.OPEN


PILES = [zone for zone in range(Zone.COUNT) if zone not in (Zone.HARBOR, Zone.TAVERN)]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_what_is_certain_is_true(players: int) -> None:
    gained = 0
    for table, view in decisions(players, 11 + players, 5):
        known, seen = view.known_table(), view.board()
        for zone in PILES:
            cards, real = known.cards(zone), table.cards(zone)
            assert len(cards) == len(real)
            gained += seen.cards(zone).count(UNSEEN) - cards.count(UNSEEN)
            if is_bag(zone):
                assert not Counter(card for card in cards if card >= 0) - Counter(real)
            else:
                assert all(card in (UNSEEN, true) for card, true in zip(cards, real, strict=True))
    assert gained > 5  # cards that the seat's events do not show one by one


def test_what_all_worlds_agree_on_is_certain() -> None:
    for _, view in decisions(3, 5, 60):
        rng, known = Rng(1), view.known_table()
        worlds = [view.sample(rng) for _ in range(400)]
        if not view.exact:
            continue
        for zone in PILES:
            cards = known.cards(zone)
            if is_bag(zone):
                common = Counter(worlds[0].cards(zone))
                for world in worlds:
                    common &= Counter(world.cards(zone))
                assert not common - Counter(cards)
            else:
                for i, card in enumerate(cards):
                    agreed = {world.cards(zone)[i] for world in worlds}
                    assert card >= 0 or len(agreed) > 1


def test_a_card_taken_from_the_tavern_is_certain_until_the_hand_changes() -> None:
    view = RULES.view(0, 2)
    assert isinstance(view, HiddenLeadersView)
    koi = CARD_NUMBER["Keen Koi"]
    for event in (
        (2, Zone.HARBOR, -1, Zone.TAVERN, 0, koi),
        (2, Zone.HARBOR, -1, Zone.HAND + 1, -1, UNSEEN),
        (2, Zone.TAVERN, 0, Zone.HAND + 1, -1, koi),
    ):
        view.observe(event)
    assert view.hand_of(1) == [koi, UNSEEN]
    view.observe((2, Zone.HAND + 1, -1, Zone.WILDERNESS, -1, UNSEEN))
    assert view.hand_of(1) == [UNSEEN]
    assert view.wilderness == [UNSEEN]
    view.observe((2, Zone.HAND + 1, -1, Zone.OPEN + 1, -1, koi))
    assert view.wilderness == [UNSEEN]  # the other card, which nobody has seen


def test_the_card_left_behind_is_certain() -> None:
    """B held the Koi and another card A has seen; the Koi is played, so the other was discarded."""
    view = RULES.view(0, 2)
    assert isinstance(view, HiddenLeadersView)
    koi, crow = CARD_NUMBER["Keen Koi"], CARD_NUMBER["Crow Carrier"]
    for slot, card in enumerate((koi, crow)):
        view.observe((2, Zone.HARBOR, -1, Zone.TAVERN, slot, card))
        view.observe((2, Zone.TAVERN, slot, Zone.HAND + 1, -1, card))
    view.observe((2, Zone.HAND + 1, -1, Zone.WILDERNESS, -1, UNSEEN))
    assert view.wilderness == [UNSEEN]
    view.observe((2, Zone.HAND + 1, -1, Zone.OPEN + 1, -1, koi))
    assert view.wilderness == [crow]
    assert view.board().cards(Zone.WILDERNESS) == [UNSEEN]


def test_chances_are_those_of_sampled_worlds() -> None:
    checked = 0
    for _, view in decisions(3, 8, 25):
        if checked == 6:
            break
        chances = view.chances(Zone.HAND + 1)
        if chances.samples:
            continue
        checked += 1
        rng = Rng(2)
        counts = Counter(
            card for _ in range(2000) for card in view.sample(rng).cards(Zone.HAND + 1)
        )
        assert set(counts) <= set(chances.odds)
        assert sum(chances.odds.values()) == pytest.approx(view.hand_size(1))
        for card, chance in chances.odds.items():
            assert counts[card] / 2000 == pytest.approx(chance, abs=0.06)
        assert set(chances.certain) == set(view.hand_of(1)) - {UNSEEN}
    assert checked


def test_chances_of_a_hidden_hero_and_of_the_harbor() -> None:
    for table, view in decisions(2, 3, 40):
        hidden = view.chances(Zone.HIDDEN + 1, 0)
        assert sum(hidden.odds.values()) == pytest.approx(1)
        harbor = view.chances(Zone.HARBOR, samples=50)
        assert harbor.samples == 50
        assert sum(harbor.odds.values()) == pytest.approx(table.size(Zone.HARBOR))
        break


def test_sampled_chances_depend_only_on_the_seed() -> None:
    (*_, (_, view)) = decisions(2, 3, 40)
    assert view.chances(Zone.HARBOR, seed=4) == view.chances(Zone.HARBOR, seed=4)


def test_asking_does_not_change_the_worlds_sampled() -> None:
    for (_, asked), (_, plain) in zip(decisions(3, 9, 15), decisions(3, 9, 15), strict=True):
        assert asked.hidden(1) is not None
        asked.chances(Zone.HAND + 1, samples=5)
        first, second = Rng(1), Rng(1)
        assert asked.sample(first).key() == plain.sample(second).key()
        assert first.x == second.x


def test_bags_have_no_index_and_chance_must_not_be_pending() -> None:
    ((_, view), *_) = decisions(2, 3, 40)
    with pytest.raises(GameError, match="have no order"):
        view.chances(Zone.HAND + 1, 0)
    with pytest.raises(GameError, match="no card 9 in a place of"):
        view.chances(Zone.HIDDEN + 1, 9)
    fresh = RULES.view(0, 2)
    assert isinstance(fresh, HiddenLeadersView)
    with pytest.raises(ChancePending):
        fresh.chances(Zone.HAND + 1)
