"""Random games of Hidden Leaders small enough to enumerate, and worlds sampled in them."""

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
"""Whether the engine under test is compiled, which is about fifty times as fast."""

# fmt: off
TELLING = tuple(CARD_NUMBER[name] for name in (
    "Joyless Chief", "Battle Pet Master", "Curious Troll", "Curious Cat Lover", "Watchful Witch",
    "Long-Eared Loner", "Saber-Toothed Troll", "Spirited Shaman", "Gambling Overseer",
    "Doubtful Priest", "Underestimated Squire", "Modest Monsterslayer", "Battle Connoisseur",
    "Well-Aged Warrior", "Androgynous Assassin", "Queer Quartermaster", "Resilient Rearguard",
    "Ghastly Granny", "Crow Carrier", "Insidious Impaler", "Lethargic Leech", "Will-Bending Witch",
    "Resurrected Ram", "Mummy Mystic", "Sun-Shy Skeleton", "Wrapped Warrior", "Slaughtered Slime",
    "Careless Cartographer", "Pessimistic Whaleman", "Tentacle Oracle", "Deep Sea Squire",
    "Vegetarian Sharkguard", "Saltwater Sage", "Miniature Merman", "Bludgeoning Blowfish",
    "Friendly Frogmage", "Underwater Artist", "Unconfident Executioner", "Nightmarish Northman",
))
# fmt: on
"""Heroes that move, show or hide cards, and so change what seats know."""


def some_deck(dice: random.Random, size: int) -> tuple[int, ...]:
    """A random deck, usually of heroes that change what seats know."""
    plain = dice.random() >= 0.85
    deck = set(dice.sample(RETAIL, size) if plain else dice.sample(TELLING, size - 2))
    while len(deck) < size:
        deck.add(dice.randrange(len(RETAIL)))
    return tuple(sorted(deck))


def lively_move(player: Player, dice: random.Random) -> int:
    """A random move or outcome that prefers playing and choosing cards."""
    moves = player.state.moves()
    move = dice.choice(moves)
    if player.state.actor >= 0 and dice.random() < 0.6:
        cards = [move for move in moves if move < len(RETAIL)]
        if cards:
            return dice.choice(cards)
    return move


@dataclass
class Moment:
    """A decision in a small game: the observer's view of it and the true state."""

    recording: Recording
    observer: int
    view: HiddenLeadersView
    belief: Belief
    truth: engine.HiddenLeaders


def moments(seed: int, most: int) -> Iterator[Moment]:
    """Some decisions of a random small game, as one of its seats sees them."""
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
    """How often each world was sampled; fails if one is not possible."""
    counts: Counter[bytes] = Counter()
    leaders = leaders_of(moment.truth)
    for _ in range(samples):
        world = moment.view.sample(rng)
        lay_leaders(world, leaders)
        settle(world)
        counts[world.key()] += 1
    check_possible(moment.belief.odds(), counts)
    return counts


def worst_deviation(belief: Belief, counts: Counter[bytes]) -> float:
    """The largest deviation of any world or any card at any place, in standard deviations."""
    samples = counts.total()
    cards: Counter[Place] = Counter()
    for key, count in counts.items():
        for place in places(belief.worlds[key][0]):
            cards[place] += count
    worst = 0.0
    for place, probability in belief.marginals().items():
        worst = max(worst, deviation(cards[place], samples, float(probability)))
    for key, probability in belief.odds().items():
        worst = max(worst, deviation(counts[key], samples, float(probability)))
    return worst
