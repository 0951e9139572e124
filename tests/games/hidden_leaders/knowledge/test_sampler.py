"""Sampled worlds have exactly the odds given by counting histories, and look like the truth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations

import pytest

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.bytecode import PROGRAM
from games.hidden_leaders.rules.cards import CARD_NUMBER, RETAIL
from games.hidden_leaders.rules.constants import UNKNOWN_INDEX, Event, Limit, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from games.view import EventTuple
from tests.support.enumerator import Belief, Player, Start, enumerate_worlds, leaders_of
from tests.support.frequencies import check_frequencies, chi_square_tail
from tests.support.small_games import (
    COMPILED,
    Moment,
    drawn,
    lively_move,
    moments,
    some_deck,
    view_of,
    worst_deviation,
)
from tests.support.volume import volume

pytestmark = pytest.mark.slow

SAMPLES = volume(30_000, 4_000)
SWEEP = volume(90, 75)
FULL_GAMES = volume(2, 1)

# ---- situations, found by playing -----------------------------------------------------------

Happened = Callable[[Moment], bool]
"""Whether the observer's events have brought the situation about."""


def moved(moment: Moment, a: range, b: range, card_seen: bool | None = None) -> list[EventTuple]:
    """Movements the observer perceived between zones of these ranges."""
    return [
        event
        for event in moment.recording.seen_by(moment.observer)
        if event[0] == Event.MOVED
        and event[1] in a
        and event[3] in b
        and (card_seen is None or (event[5] != UNSEEN) == card_seen)
    ]


def zone(number: int) -> range:
    return range(number, number + 1)


HANDS = range(Zone.HAND, Zone.OPEN)
HIDDENS = range(Zone.HIDDEN, Zone.COUNT)


def unsure(moment: Moment, card: int) -> bool:
    """The card can be at several places."""
    return sum(place[2] == card for place in moment.belief.marginals()) > 1


def named_card_in_a_bag(moment: Moment) -> bool:
    taken = [event[5] for event in moved(moment, zone(Zone.TAVERN), HANDS)]
    return any(unsure(moment, card) for card in taken)


def looked_at(moment: Moment) -> bool:
    looks = [
        event
        for event in moment.recording.seen_by(moment.observer)
        if event[0] == Event.SEEN and event[1] in HIDDENS and event[3] != UNSEEN
    ]
    return bool(looks) and moment.truth.size(looks[-1][1]) > 1


def one_of_two_from_the_wilderness(moment: Moment) -> bool:
    lifted = moved(moment, zone(Zone.WILDERNESS), zone(Zone.DRAWN), card_seen=False)
    placed = moved(moment, zone(Zone.DRAWN), HIDDENS, card_seen=False)
    return len(lifted) > 1 and bool(placed)


def one_of_two_from_the_graveyard(moment: Moment) -> bool:
    lifted = [event[5] for event in moved(moment, zone(Zone.GRAVEYARD), zone(Zone.DRAWN))]
    return len(lifted) > 1 and any(unsure(moment, card) for card in lifted)


def taken_below_the_top(moment: Moment) -> bool:
    taken = moved(moment, zone(Zone.GRAVEYARD), HANDS, card_seen=False)
    return any(event[2] == UNKNOWN_INDEX for event in taken)


def squire_of_another(moment: Moment) -> bool:
    return bool(moved(moment, HANDS, zone(Zone.ASIDE), card_seen=False))


def stolen_between_others(moment: Moment) -> bool:
    return bool(moved(moment, HANDS, HANDS, card_seen=False))


def hidden_by_cat_lover(moment: Moment) -> bool:
    return any(
        event[1] - Zone.HAND != event[3] - Zone.HIDDEN
        for event in moved(moment, HANDS, HIDDENS, card_seen=False)
    )


def none_held(moment: Moment) -> bool:
    return any(
        event[0] == Event.NONE_HELD and event[1] != moment.observer
        for event in moment.recording.seen_by(moment.observer)
    )


def reshuffles(moment: Moment) -> int:
    return sum(e[0] == Event.RESHUFFLED for e in moment.recording.seen_by(moment.observer))


def reshuffled_and_surfaced(moment: Moment) -> bool:
    seen = moment.recording.seen_by(moment.observer)
    last = max(
        (i for i, event in enumerate(seen) if event[0] == Event.RESHUFFLED), default=len(seen)
    )
    shown = [
        e
        for e in seen[last:]
        if e[0] == Event.MOVED and e[1] == Zone.HARBOR and e[3] == Zone.TAVERN
    ]
    return bool(shown)


def reshuffled_twice(moment: Moment) -> bool:
    return reshuffles(moment) >= 2 and reshuffled_and_surfaced(moment)


def lack_outlives_a_reshuffle(moment: Moment) -> bool:
    return none_held(moment) and reshuffles(moment) >= 1


def merman_draws_the_uncertain(moment: Moment) -> bool:
    return bool(moved(moment, zone(Zone.WILDERNESS), HANDS, card_seen=False))


def exchanged_hidden(moment: Moment) -> bool:
    return bool(moved(moment, HIDDENS, zone(Zone.ASIDE)))


def exchanged_unseen(moment: Moment) -> bool:
    return bool(moved(moment, HIDDENS, zone(Zone.ASIDE), card_seen=False))


def asked_to_hand_over(moment: Moment) -> bool:
    return operation(moment.truth) == Op.HAND_OVER and moment.truth.actor != moment.observer


def operation(state: HiddenLeaders) -> int:
    return PROGRAM[state.m[state.frame + Frame.ROW]]


SITUATIONS: list[tuple[str, int, int, Happened, int]] = [
    # Hero that must be in the deck, players, cards, what must have happened, and the seed.
    ("Battle Pet Master", 2, 13, named_card_in_a_bag, 379),
    ("Curious Troll", 2, 11, looked_at, 5481),
    ("Joyless Chief", 2, 14, one_of_two_from_the_wilderness, 827),
    ("Crow Carrier", 2, 14, one_of_two_from_the_graveyard, 365),
    ("Wrapped Warrior", 2, 11, taken_below_the_top, 1773),
    ("Underestimated Squire", 2, 13, squire_of_another, 520),
    ("Resilient Rearguard", 3, 13, stolen_between_others, 27),
    ("Curious Cat Lover", 3, 14, hidden_by_cat_lover, 94),
    ("Underwater Artist", 2, 13, none_held, 169),
    ("Underwater Artist", 2, 12, lack_outlives_a_reshuffle, 4033),
    ("Underwater Artist", 2, 13, asked_to_hand_over, 823),
    ("Pessimistic Whaleman", 2, 12, reshuffled_and_surfaced, 666),
    ("Will-Bending Witch", 2, 13, reshuffled_twice, 718),
    ("Miniature Merman", 2, 13, merman_draws_the_uncertain, 1192),
    ("Careless Cartographer", 2, 13, exchanged_hidden, 223),
    ("Careless Cartographer", 3, 14, exchanged_unseen, 49),
]


def find(hero: str, players: int, cards: int, happened: Happened, seed: int) -> Moment:
    """The first moment of its kind in a random game that plays the hero whenever it can."""
    dice = random.Random(seed)
    deck = set(some_deck(dice, cards - 1)) | {CARD_NUMBER[hero]}
    start = Start(players, tuple(sorted(deck)), rounds=6)
    player = Player(start)
    belief = Belief(start, 0, most=1500)
    while player.state.actor != NOBODY:
        move = lively_move(player, dice)
        if operation(player.state) == Op.ACTION and CARD_NUMBER[hero] in player.state.moves():
            move = CARD_NUMBER[hero]
        player.play(move)
        belief.follow(move, player.recording.events[-1][0])
        if player.state.actor < 0 or len(belief.worlds) < 4:
            continue
        moment = Moment(player.recording, 0, HiddenLeadersView(0, players), belief, player.state)
        if happened(moment):
            moment.view = view_of(player.recording, 0)
            return moment
    raise AssertionError("the situation does not come about")


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: f"{s[3].__name__}-{s[1]}")
def test_frequencies_of_sampled_worlds_match_the_histories(
    situation: tuple[str, int, int, Happened, int],
) -> None:
    moment = find(*situation)

    found = drawn(moment, SAMPLES, Rng(7))

    check_frequencies(moment.belief.odds(), found)
    assert worst_deviation(moment.belief, found) < 5.5


# ---- many small games -----------------------------------------------------------------------


def holds(moment: Moment, rng: Rng) -> bool:
    """Draw few worlds; if they look wrong draw more, to tell chance from error."""
    for samples, bearable in ((200, 3.5), (2_000, 4.2), (20_000, 5.5)):
        if worst_deviation(moment.belief, drawn(moment, samples, rng)) < bearable:
            return True
    return False


@pytest.mark.parametrize("part", range(5))
def test_random_small_games(part: int) -> None:
    checked = 0
    for seed in range(part, SWEEP, 5):
        rng = Rng(seed)
        for moment in moments(seed, most=1500 if COMPILED else 250):
            assert holds(moment, rng), f"seed {seed}, ply {len(moment.recording.moves)}"
            checked += 1
    assert checked > 0


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(66, id="identities stay out of a harbor they were not in"),
        pytest.param(110, id="odds after two reshuffles"),
        pytest.param(76, id="worlds after many reshuffles"),
        pytest.param(10195, id="odds of cards of an older harbor discarded late"),
        pytest.param(10547, id="a player asked for a card of a faction has one"),
    ],
)
def test_games_that_once_went_wrong(seed: int) -> None:
    rng = Rng(seed)
    for moment in moments(seed, most=1500):
        assert holds(moment, rng)


def test_leaders_are_dealt_evenly() -> None:
    state = new_game(3, record=True)
    rng = Rng(3)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    view = HiddenLeadersView(1, 3)
    for event in state.take_events(1):
        view.observe(event)
    found: Counter[tuple[int, ...]] = Counter()
    samples = SAMPLES // 10
    for _ in range(samples):
        found[tuple(leaders_of(view.sample(rng)))] += 1
    mine = state.leader(1)
    others = [leader for leader in range(Limit.LEADERS) if leader != mine]
    assert found.keys() == {(a, mine, b) for a, b in permutations(others, 2)}
    expected = samples / len(found)
    off = sum((count - expected) ** 2 / expected for count in found.values())
    assert chi_square_tail(off, len(found) - 1) > 1e-4


def test_leaders_and_cards_together_match_the_histories() -> None:
    start = Start(2, tuple(RETAIL[:9]))
    dice = random.Random(1)
    player = Player(start)
    while player.state.turns < 1:
        player.play(lively_move(player, dice))
    belief = enumerate_worlds(player.recording, 1, dealing_leaders=True)
    rng = Rng(5)
    view = view_of(player.recording, 1)
    found = Counter(view.sample(rng).key() for _ in range(SAMPLES // 5))
    check_frequencies(belief.odds(), found)


# ---- full games -----------------------------------------------------------------------------


def visible(state: HiddenLeaders, seat: int) -> list[object]:
    """What the seat can see."""
    own = [Zone.HAND + seat, Zone.HIDDEN + seat] + ([Zone.DRAWN] if state.player == seat else [])
    zones = [Zone.TAVERN, *range(Zone.OPEN, Zone.HIDDEN), *own]
    return [
        state.red,
        state.green,
        state.actor,
        state.player,
        state.turns,
        state.leader(seat),
        [state.size(zone) for zone in range(Zone.COUNT)],
        [state.cards(zone) for zone in zones],
        state.cards(Zone.GRAVEYARD)[-1:],
        state.moves() if state.actor == seat else [],
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_worlds_look_like_the_truth_to_the_seat(players: int) -> None:
    for seed in range(FULL_GAMES):
        dice = random.Random(seed)
        rng = Rng(seed)
        state = new_game(players, record=True)
        views = [HiddenLeadersView(seat, players) for seat in range(players)]
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                state.sample_chance(rng)
                continue
            for seat, view in enumerate(views):
                for event in state.take_events(seat):
                    view.observe(event)
            seat = dice.randrange(players)
            if dice.random() < 0.1:
                check_world(views[seat], state, rng)
            state.play(dice.choice(state.moves()))


def check_world(view: HiddenLeadersView, truth: HiddenLeaders, rng: Rng) -> None:
    world = view.sample(rng)
    assert visible(world, view.seat) == visible(truth, view.seat)
    held = [card for zone in range(Zone.COUNT) for card in world.cards(zone) if card >= 0]
    assert sorted(held) == sorted(RETAIL)
    leaders = leaders_of(world)
    assert len(set(leaders)) == len(leaders)
    assert min(leaders) >= 0
    assert world.moves()
