"""The card vocabulary: words that build the immutable steps a hero's line is made of.

A line reads as the card does. `hero("Shaky Sharpshooter", TRIBES, either(red(+1), green(-1)),
bury(open_hero(faction=EMPIRE)))` moves one marker, then buries an open Empire hero. Words of three
kinds occur: marker phrases, descriptions of cards, and verbs; `may` and `they` wrap a verb. How
each step is carried out is said once, in `resolve`; `docs/adding-a-card.md` is the guide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from games.hidden_leaders.rules.constants import ALL_FACTIONS

# Whose cards, or who decides. THEM is the player picked, or robbed, earlier on the same card.
ME: Final = 0
OTHERS: Final = 1
ANYONE: Final = 2
THEM: Final = 3
NEXT: Final = 4


class Where:
    """Where the described cards lie."""

    OPEN: Final = 0
    HIDDEN: Final = 1
    EITHER: Final = 2
    HAND: Final = 3
    TAVERN: Final = 4
    GRAVEYARD: Final = 5
    DRAWN: Final = 6


class When:
    """Conditions of a marker phrase."""

    ALWAYS: Final = 0
    I_SHOW: Final = 3
    DISCARDED_ONE: Final = 4
    SHOWN_IS_NOT: Final = 5


RED_LEADS: Final = 1
GREEN_LEADS: Final = 2


class Times:
    """What a marker phrase is multiplied by."""

    ONCE: Final = 0
    CARDS_DISCARDED: Final = 1
    THEIR_OPEN: Final = 2
    GRAVEYARD_SIZE: Final = 3


NAMED: Final = 0
"""Instead of a faction: the one named earlier on the card."""


@dataclass(frozen=True)
class Shift:
    """One alternative of a marker phrase: how far each marker goes, + right, - left."""

    red: int = 0
    green: int = 0
    leading: int = 0
    trailing: int = 0
    condition: int = When.ALWAYS


@dataclass(frozen=True)
class Cards:
    """A description of cards: where they lie, whose they are, which factions."""

    where: int
    of: int = ME
    faction: int = ALL_FACTIONS
    but_not: int = 0


@dataclass(frozen=True)
class Step:
    """One instruction on a card. `verb` names it; only the fields that verb needs are set."""

    verb: str
    cards: Cards | None = None
    second: Cards | None = None
    shifts: tuple[Shift, ...] = ()
    times: int = Times.ONCE
    faction: int = ALL_FACTIONS
    condition: int = When.ALWAYS
    by: int = ME
    optional: bool = False
    count: int = 1
    place: str = ""


# ---- marker phrases ---------------------------------------------------------------------------


def red(steps: int) -> Step:
    return Step("markers", shifts=(Shift(red=steps),))


def green(steps: int) -> Step:
    return Step("markers", shifts=(Shift(green=steps),))


def leading(steps: int) -> Step:
    return Step("markers", shifts=(Shift(leading=steps),))


def trailing(steps: int) -> Step:
    return Step("markers", shifts=(Shift(trailing=steps),))


def _sum(first: Shift, second: Shift) -> Shift:
    return Shift(
        first.red + second.red,
        first.green + second.green,
        first.leading + second.leading,
        first.trailing + second.trailing,
    )


def both(first: Step, second: Step) -> Step:
    """Both markers move."""
    return Step("markers", shifts=(_sum(first.shifts[0], second.shifts[0]),))


def either(*phrases: Step) -> Step:
    """Exactly one of the alternatives."""
    return Step("markers", shifts=tuple(phrase.shifts[0] for phrase in phrases))


def any_of(first: Step, second: Step) -> Step:
    """The first, the second, or both, never neither."""
    one, two = first.shifts[0], second.shifts[0]
    return Step("markers", shifts=(one, two, _sum(one, two)))


def while_leading(condition: int, phrase: Step) -> Step:
    """An alternative open only while that marker leads."""
    return replace(phrase, shifts=(replace(phrase.shifts[0], condition=condition),))


def if_i_show(faction: int, phrase: Step) -> Step:
    """Only with at least one open hero of the faction in the own party."""
    return replace(phrase, condition=When.I_SHOW, faction=faction)


def if_discarded(phrase: Step) -> Step:
    """Only if this card has discarded something just before."""
    return replace(phrase, condition=When.DISCARDED_ONE)


def unless_shown(faction: int, phrase: Step) -> Step:
    """Only if the card shown just before is not of the faction."""
    return replace(phrase, condition=When.SHOWN_IS_NOT, faction=faction)


def per_discarded(phrase: Step) -> Step:
    """Once for every card this card has discarded just before."""
    return replace(phrase, times=Times.CARDS_DISCARDED, count=3)


def per_their_open(faction: int, phrase: Step) -> Step:
    """Once for every open hero of the faction in their party, three times at most."""
    return replace(phrase, times=Times.THEIR_OPEN, faction=faction, count=3)


def per_buried(phrase: Step) -> Step:
    """Once for every card in the graveyard, three times at most."""
    return replace(phrase, times=Times.GRAVEYARD_SIZE, count=3)


# ---- descriptions -----------------------------------------------------------------------------


def open_hero(of: int = ANYONE, faction: int = ALL_FACTIONS, but_not: int = 0) -> Cards:
    return Cards(Where.OPEN, of, faction, but_not)


def hidden_hero(of: int = ANYONE) -> Cards:
    return Cards(Where.HIDDEN, of)


def any_hero(of: int = ANYONE) -> Cards:
    """Open or hidden."""
    return Cards(Where.EITHER, of)


def hand_card(of: int = ME, but_not: int = 0) -> Cards:
    return Cards(Where.HAND, of, but_not=but_not)


def tavern_card(faction: int = ALL_FACTIONS) -> Cards:
    return Cards(Where.TAVERN, faction=faction)


def graveyard_card() -> Cards:
    return Cards(Where.GRAVEYARD)


def drawn_card() -> Cards:
    """One of the cards drawn just before by this card."""
    return Cards(Where.DRAWN)


# ---- verbs on one chosen card -----------------------------------------------------------------


def bury(cards: Cards) -> Step:
    return Step("bury", cards)


def turn_over(cards: Cards) -> Step:
    """Open becomes hidden, hidden becomes open."""
    return Step("turn over", cards)


def look(cards: Cards) -> Step:
    return Step("look", cards)


def take(cards: Cards) -> Step:
    """Into the own hand. If it came from a party, its owner is THEM from here on."""
    return Step("take", cards)


def place_hidden(cards: Cards) -> Step:
    return Step("place hidden", cards)


def place_open(cards: Cards) -> Step:
    return Step("place open", cards)


def discard(cards: Cards) -> Step:
    return Step("discard", cards)


def play_another(cards: Cards) -> Step:
    return Step("play another", cards)


def perform(cards: Cards) -> Step:
    return Step("perform", cards)


def expose(cards: Cards) -> Step:
    """Show it: of the faction named, it is buried; otherwise it stays, open."""
    return Step("expose", cards)


def move_elsewhere(cards: Cards) -> Step:
    """An open hero moves to the party of a third player."""
    return Step("move elsewhere", cards)


# ---- other verbs ------------------------------------------------------------------------------


def exchange(first: Cards, second: Cards) -> Step:
    return Step("exchange", first, second)


def exchange_graveyard_top(cards: Cards) -> Step:
    return Step("exchange graveyard top", cards)


def turn_up_or_look(cards: Cards) -> Step:
    return Step("turn up or look", cards)


def pick_player(of: int = ANYONE, having: Cards | None = None) -> Step:
    """From here on that player is THEM."""
    return Step("pick player", having, by=of)


def name_faction(needs: Cards) -> Step:
    """Skipped unless a card of the description exists."""
    return Step("name faction", needs)


def random_card(verb: Step) -> Step:
    """Chance picks among their cards instead of a player."""
    return replace(verb, verb="random " + verb.verb)


def discard_all(cards: Cards) -> Step:
    """All matching tavern cards."""
    return Step("discard all", cards)


def draw(count: int, place: str) -> Step:
    """Off the top of harbor, wilderness or graveyard, to be dealt with by the next steps."""
    return Step("draw", count=count, place=place)


def rest_to(place: str) -> Step:
    """What is left of the cards drawn goes to hand or wilderness."""
    return Step("rest", place=place)


def draw_from_either_pile(count: int) -> Step:
    return Step("draw from either pile", count=count)


def restock_tavern() -> Step:
    """From the top of the graveyard."""
    return Step("restock")


def show_wilderness_top() -> Step:
    return Step("show wilderness top")


def perform_graveyard_top() -> Step:
    return Step("perform graveyard top")


def perform_aside(then: str) -> Step:
    """Set a tavern card aside, perform it, then bury or hide it."""
    return Step("perform aside", tavern_card(), place=then)


def turn_up_and_perform(cards: Cards) -> Step:
    return Step("turn up and perform", cards)


def hand_over() -> Step:
    """They hand over a card of the faction named, or all learn that they have none."""
    return Step("hand over", Cards(Where.HAND, THEM, NAMED), by=THEM)


# ---- wrappers ---------------------------------------------------------------------------------


def may(step: Step, upto: int = 1) -> Step:
    """Optional; with `upto`, again up to that often, each time another card."""
    return replace(step, optional=True, count=upto)


def they(step: Step) -> Step:
    """The player picked, or robbed, decides."""
    return replace(step, by=THEM)


def next_player(step: Step) -> Step:
    """The clockwise neighbour decides."""
    return replace(step, by=NEXT)


def everybody_else(step: Step) -> Step:
    """Every other player, in turn order, does it with the own cards."""
    return replace(step, verb="everybody else: " + step.verb, by=OTHERS)
