"""What each hero's ability can touch: tells solvers what may be left out of a position's key."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from games.hidden_leaders.rules.bytecode import ints
from games.hidden_leaders.rules.card_language import ME, Step, Times, Where
from games.hidden_leaders.rules.cards import HEROES, Hero
from games.hidden_leaders.rules.verbs import verb_of


def keeps_near(step: Step) -> bool:
    """Whether the step needs nothing but markers, parties and the player's own hand."""
    if not verb_of(step).near or step.times not in (Times.ONCE, Times.THEIR_OPEN):
        return False
    for cards in (step.cards, step.second):
        if cards is None or cards.where in (Where.OPEN, Where.HIDDEN, Where.EITHER):
            continue
        own = cards.of == ME and step.by == ME and step.whom == ME
        if cards.where != Where.HAND or not own:
            return False
    return True


KEEPS_NEAR: Final = vec[bool]([all(keeps_near(step) for step in hero.steps) for hero in HEROES])
"""For each hero, whether harbor, piles, tavern and other hands make no difference to it."""
READS_PILE: Final = vec[bool](
    [any(verb_of(step).reads_pile(step) for step in hero.steps) for hero in HEROES]
)
"""For each hero, whether the order of the wilderness matters to it."""


def _reads(hero: Hero) -> int:
    parts = 0
    for step in hero.steps:
        parts |= verb_of(step).reads(step)
    return parts


READS: Final = ints([_reads(hero) for hero in HEROES] + [0])
"""For each hero, and for a blank, what its outcome can depend on: bits of `Reads`."""
