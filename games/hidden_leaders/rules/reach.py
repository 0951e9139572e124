"""What each hero's ability can touch: tells solvers what may be left out of a position's key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from librt.vecs import vec

from games.hidden_leaders.rules.bytecode import FACTION_OF, PROGRAM, START, ints
from games.hidden_leaders.rules.card_language import ME, Step, Times, Where
from games.hidden_leaders.rules.cards import HEROES, Hero
from games.hidden_leaders.rules.constants import ALL_FACTIONS, FACTIONS, Move, Reads
from games.hidden_leaders.rules.opcodes import Op, Row
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


_STAND_IN_COUNT: Final = Move.DISCARD - len(HEROES)

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


READS: Final = ints([_reads(hero) for hero in HEROES] + [0] * _STAND_IN_COUNT)
"""For each hero what its outcome can depend on: bits of `Reads`. Stand-ins have no ability."""


# ---- cards that matter only by their faction --------------------------------------------------
# Who wins depends on factions. A card itself matters only if it is played or performed.


class Performs:
    """How a hero lets other heroes act, as bits."""

    PLAYS: Final = 1
    """A card of its own hand is played."""
    COPIES: Final = 2
    """A hero of a party, or the top of the graveyard, is performed."""
    ANYTHING: Final = 4
    """A card that may have lain anywhere."""


_PERFORMING: Final = {
    "play another": Performs.PLAYS,
    "perform": Performs.COPIES,
    "turn up and perform": Performs.COPIES,
    "perform graveyard top": Performs.COPIES,
}


def _performs(steps: Sequence[Step]) -> int:
    """ANYTHING if a card could move before another is performed: then it might be that card."""
    kinds = 0
    for number, step in enumerate(steps):
        if not verb_of(step).reads(step) & (Reads.OTHER_CARDS | Reads.ANYTHING):
            continue
        kinds |= _PERFORMING.get(step.verb, Performs.ANYTHING)
        if any(before.verb != "markers" for before in steps[:number]):
            kinds |= Performs.ANYTHING
        if number + 1 < len(steps):
            kinds |= Performs.ANYTHING
    return kinds


PERFORMS: Final = ints([_performs(hero.steps) for hero in HEROES] + [Performs.ANYTHING])
"""For each hero: bits of `Performs`. A blank could be any hero."""


def _looks_at(steps: Sequence[Step]) -> int:
    """Like READS, but the wilderness only if it need not be reshuffled to be read."""
    parts = 0
    for step in steps:
        from_harbor = step.verb == "draw" and step.place == "harbor"
        parts |= Reads.HARBOR if from_harbor else verb_of(step).reads(step)
    return parts


LOOKS_AT: Final = ints([_looks_at(hero.steps) for hero in HEROES] + [0])
"""For each hero: bits of `Reads`, as if the harbor never ran out."""


def _reads_pile(steps: Sequence[Step]) -> int:
    return int(any(verb_of(step).reads_pile(step) for step in steps))


def _by_row(of_steps: Callable[[Sequence[Step]], int]) -> list[int]:
    """For each row of the program: the same of those steps of its hero that are not done yet.

    A hero that only has to lay down the card it had set aside is done with that step.
    """
    found = [0] * len(PROGRAM)
    for number, hero in enumerate(HEROES):
        row = START[number]
        for k, step in enumerate(hero.steps):
            for _ in verb_of(step).rows(step):
                done = PROGRAM[row + Row.OP] == Op.CLOSE
                found[row] = of_steps(hero.steps[k + done :])
                row += Row.SIZE
    return found


PERFORMS_FROM: Final = ints(_by_row(_performs))
"""PERFORMS for each row of the program, of the hero that has come so far."""
LOOKS_AT_FROM: Final = ints(_by_row(_looks_at))
READS_PILE_FROM: Final = vec[bool]([bool(reads) for reads in _by_row(_reads_pile)])

MOST_LIFTED: Final = 2
"""Cards that one hero takes from a pile or the harbor, at most; a test counts them."""

_CLASSES: Final = (0, *FACTIONS, ALL_FACTIONS)
CLASSES: Final = 6
CARD_CLASS: Final = ints([_CLASSES.index(FACTION_OF[card]) for card in range(len(HEROES) + 1)])
"""For each hero, and for a blank: a number for its factions."""
COUNTS_ONE: Final = ints([256**number for number in CARD_CLASS])
"""The same as a 1 in the byte of that number, so that a sum of these counts cards of each class."""


# ---- what a hero can do in a last turn --------------------------------------------------------


def _last_reads(hero: Hero) -> int:
    """What it reads up to the last step that can change markers or parties."""
    parts = reads = 0
    for step in hero.steps:
        reads |= verb_of(step).reads(step)
        if verb_of(step).shapes(step):
            parts = reads
    return parts


LAST_READS: Final = ints([_last_reads(hero) for hero in HEROES])
"""For each hero: bits of `Reads`, of all that can matter to who wins when its turn ends."""

OPENS_OWN: Final = ints([sum(verb_of(step).opens_own for step in hero.steps) for hero in HEROES])
"""For each hero: how many open heroes its ability can add to the player's party at most. It counts
neither the hero itself nor what heroes do that it performs or plays."""
OPENS_OTHERS: Final = ints(
    [sum(verb_of(step).opens_others for step in hero.steps) for hero in HEROES]
)
"""The same for the party of one other seat."""

_COUNTED_IN_TAVERN: Final = 3
TAVERN_CARDS: Final = ints(
    [
        _COUNTED_IN_TAVERN if any(step.times == Times.CARDS_DISCARDED for step in hero.steps) else 1
        for hero in HEROES
    ]
)
"""For each hero that reads the tavern: on how many of its cards the outcome can depend at once."""


class CopiesFrom:
    """Where the heroes lie that a hero can perform without moving them from elsewhere, as bits."""

    OPEN: Final = 1
    """Among the player's open heroes."""
    HIDDEN: Final = 2
    GRAVEYARD: Final = 4
    """On top of it."""


_COPYING: Final = {
    "perform": CopiesFrom.OPEN,
    "turn up and perform": CopiesFrom.HIDDEN,
    "perform graveyard top": CopiesFrom.GRAVEYARD,
}

COPIES_FROM: Final = ints(
    [sum(_COPYING.get(step.verb, 0) for step in hero.steps) for hero in HEROES]
)
"""For each hero: bits of `CopiesFrom`."""


def _from_hand(step: Step) -> bool:
    return any(
        cards is not None and cards.where == Where.HAND for cards in (step.cards, step.second)
    )


HAND_CARDS: Final = ints([sum(_from_hand(step) for step in hero.steps) for hero in HEROES])
"""For each hero: how many other cards of the hand it can use."""
