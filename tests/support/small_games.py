"""Random games of Hidden Leaders small enough to be enumerated, and worlds drawn in them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules import state as engine
from games.hidden_leaders.rules.cards import CARD_NUMBER, RETAIL
from games.state import Rng
from tests.support.enumerator import (
    Belief,
    Place,
    Player,
    Recording,
    Start,
    TooWide,
    lay_leaders,
    leaders_of,
    places,
    settle,
)
from tests.support.frequencies import check_possible, deviation
from tests.support.histories import follow

COMPILED = not engine.__file__.endswith(".py")
"""Whether the engine under test is machine code, some fifty times as fast."""

TELLING = tuple(
    CARD_NUMBER[name]
    for name in (
        "Joyless Chief",
        "Battle Pet Master",
        "Curious Troll",
        "Curious Cat Lover",
        "Watchful Witch",
        "Long-Eared Loner",
        "Saber-Toothed Troll",
        "Spirited Shaman",
        "Gambling Overseer",
        "Doubtful Priest",
        "Underestimated Squire",
        "Modest Monsterslayer",
        "Battle Connoisseur",
        "Well-Aged Warrior",
        "Androgynous Assassin",
        "Queer Quartermaster",
        "Resilient Rearguard",
        "Ghastly Granny",
        "Crow Carrier",
        "Insidious Impaler",
        "Lethargic Leech",
        "Will-Bending Witch",
        "Resurrected Ram",
        "Mummy Mystic",
        "Sun-Shy Skeleton",
        "Wrapped Warrior",
        "Slaughtered Slime",
        "Careless Cartographer",
        "Pessimistic Whaleman",
        "Tentacle Oracle",
        "Deep Sea Squire",
        "Vegetarian Sharkguard",
        "Saltwater Sage",
        "Miniature Merman",
        "Bludgeoning Blowfish",
        "Friendly Frogmage",
        "Underwater Artist",
        "Unconfident Executioner",
        "Nightmarish Northman",
    )
)
"""Heroes that move, show or hide cards: they make what a seat can know interesting."""


def some_deck(dice: random.Random, size: int) -> tuple[int, ...]:
    """Mostly telling heroes; now and then any."""
    plain = dice.random() >= 0.85
    deck = set(dice.sample(RETAIL, size) if plain else dice.sample(TELLING, size - 2))
    while len(deck) < size:
        deck.add(dice.randrange(len(RETAIL)))
    return tuple(sorted(deck))


def lively_move(player: Player, dice: random.Random) -> int:
    """Any move or outcome, with a liking for playing and choosing cards."""
    moves = player.state.moves()
    move = dice.choice(moves)
    if player.state.actor >= 0 and dice.random() < 0.6:
        cards = [move for move in moves if move < len(RETAIL)]
        if cards:
            return dice.choice(cards)
    return move


@dataclass
class Moment:
    """A decision in a small game, as the observer sees it and as it is."""

    recording: Recording
    observer: int
    view: HiddenLeadersView
    belief: Belief
    truth: engine.HiddenLeaders


def moments(seed: int, most: int) -> Iterator[Moment]:
    """Some decisions of one random small game, seen by one of its seats."""
    dice = random.Random(seed)
    players = dice.choice([2, 2, 3, 3, 4])
    deck = some_deck(dice, dice.randint(9, 14) if players < 4 else dice.randint(11, 15))
    start = Start(players, deck, rounds=dice.randint(3, 10))
    observer = dice.randrange(players)
    player = Player(start)
    belief = Belief(start, observer, most=most)
    view = new_view(start, observer)
    often = dice.choice([0.05, 0.15, 0.3])
    try:
        for state in follow(player, view, belief, lambda: lively_move(player, dice)):
            if len(belief.worlds) > 1 and dice.random() < often:
                yield Moment(player.recording, observer, view, belief, state)
    except TooWide:
        return


def new_view(start: Start, observer: int) -> HiddenLeadersView:
    return HiddenLeadersView(observer, start.players, start.deck, start.threshold, start.rounds)


def view_of(recording: Recording, observer: int) -> HiddenLeadersView:
    assert isinstance(recording.start, Start)
    view = new_view(recording.start, observer)
    for event in recording.seen_by(observer):
        view.observe(event)
    return view


def drawn(moment: Moment, samples: int, rng: Rng) -> Counter[bytes]:
    """How often each world was drawn; every one must be among the possible ones."""
    found: Counter[bytes] = Counter()
    leaders = leaders_of(moment.truth)
    for _ in range(samples):
        world = moment.view.sample(rng)
        lay_leaders(world, leaders)
        settle(world)
        found[world.key()] += 1
    check_possible(moment.belief.odds(), found)
    return found


def worst_deviation(belief: Belief, found: Counter[bytes]) -> float:
    """The largest deviation, in standard deviations, of any world or any card at any place."""
    samples = found.total()
    cards: Counter[Place] = Counter()
    for key, many in found.items():
        for place in places(belief.worlds[key][0]):
            cards[place] += many
    worst = 0.0
    for place, likely in belief.marginals().items():
        worst = max(worst, deviation(cards[place], samples, float(likely)))
    for key, likely in belief.odds().items():
        worst = max(worst, deviation(found[key], samples, float(likely)))
    return worst
