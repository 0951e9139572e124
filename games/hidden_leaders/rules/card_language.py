"""The card language: words that build the immutable steps a hero's line is made of.

A line reads like the card. `hero("Shaky Sharpshooter", TRIBES, either(red(+1), green(-1)),
bury(open_hero(faction=EMPIRE)))` moves one marker, then buries an open Empire hero. There are three
kinds of words: marker phrases, descriptions of cards, and verbs; `may` and `they` wrap a verb.
`verbs` has a row for each verb; `docs/adding-a-card.md` is the guide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from games.hidden_leaders.rules.constants import ALL_FACTIONS

# Whose cards, or who decides. THEM is the player picked or robbed earlier on the same card.
ME: Final = 0
OTHERS: Final = 1
ANYONE: Final = 2
THEM: Final = 3
NEXT: Final = 4


class Where:
    """Where the described cards are."""

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
    """One alternative of a marker phrase: how far each marker moves, + right, - left."""

    red: int = 0
    green: int = 0
    leading: int = 0
    trailing: int = 0
    condition: int = When.ALWAYS

    def plus(self, other: Shift) -> Shift:
        """Both at once, without their conditions."""
        return Shift(
            self.red + other.red,
            self.green + other.green,
            self.leading + other.leading,
            self.trailing + other.trailing,
        )


@dataclass(frozen=True)
class CardFilter:
    """A description of cards: where they are, whose they are, which factions."""

    where: int
    of: int = ME
    faction: int = ALL_FACTIONS
    but_not: int = 0


@dataclass(frozen=True)
class Step:
    """One instruction on a card. `verb` names it; a verb uses only the fields it needs."""

    verb: str
    cards: CardFilter | None = None
    second: CardFilter | None = None
    shifts: tuple[Shift, ...] = ()
    times: int = Times.ONCE
    faction: int = ALL_FACTIONS
    condition: int = When.ALWAYS
    by: int = ME
    """Who decides."""
    whom: int = ME
    """Among whom a player is picked."""
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


def both(first: Step, second: Step) -> Step:
    """Both markers move."""
    return Step("markers", shifts=(first.shifts[0].plus(second.shifts[0]),))


def either(*phrases: Step) -> Step:
    """Exactly one of the alternatives."""
    return Step("markers", shifts=tuple(phrase.shifts[0] for phrase in phrases))


def any_of(first: Step, second: Step) -> Step:
    """The first, the second, or both, never neither."""
    a, b = first.shifts[0], second.shifts[0]
    return Step("markers", shifts=(a, b, a.plus(b)))


def while_leading(condition: int, phrase: Step) -> Step:
    """An alternative available only while that marker leads."""
    return replace(phrase, shifts=(replace(phrase.shifts[0], condition=condition),))


def if_i_show(faction: int, phrase: Step) -> Step:
    """Only if the player has an open hero of the faction."""
    return replace(phrase, condition=When.I_SHOW, faction=faction)


def if_discarded(phrase: Step) -> Step:
    """Only if the step before discarded something."""
    return replace(phrase, condition=When.DISCARDED_ONE)


def unless_shown(faction: int, phrase: Step) -> Step:
    """Only if the card just shown is not of the faction."""
    return replace(phrase, condition=When.SHOWN_IS_NOT, faction=faction)


def per_discarded(phrase: Step) -> Step:
    """Once for every card that the steps before discarded."""
    return replace(phrase, times=Times.CARDS_DISCARDED, count=3)


def per_their_open(faction: int, phrase: Step) -> Step:
    """Once for every open hero of the faction in their party, at most three times."""
    return replace(phrase, times=Times.THEIR_OPEN, faction=faction, count=3)


def per_buried(phrase: Step) -> Step:
    """Once for every card in the graveyard, at most three times."""
    return replace(phrase, times=Times.GRAVEYARD_SIZE, count=3)


# ---- descriptions -----------------------------------------------------------------------------


def open_hero(of: int = ANYONE, faction: int = ALL_FACTIONS, but_not: int = 0) -> CardFilter:
    return CardFilter(Where.OPEN, of, faction, but_not)


def hidden_hero(of: int = ANYONE) -> CardFilter:
    return CardFilter(Where.HIDDEN, of)


def any_hero(of: int = ANYONE) -> CardFilter:
    """Open or hidden."""
    return CardFilter(Where.EITHER, of)


def hand_card(of: int = ME, but_not: int = 0) -> CardFilter:
    return CardFilter(Where.HAND, of, but_not=but_not)


def tavern_card(faction: int = ALL_FACTIONS) -> CardFilter:
    return CardFilter(Where.TAVERN, faction=faction)


def graveyard_card() -> CardFilter:
    return CardFilter(Where.GRAVEYARD)


def drawn_card() -> CardFilter:
    """One of the cards that the step before drew."""
    return CardFilter(Where.DRAWN)


# ---- verbs on described cards -----------------------------------------------------------------


def _on_cards(verb: str) -> Callable[[CardFilter], Step]:
    """The word for a verb that needs nothing but a description of cards."""
    return lambda cards: Step(verb, cards)


bury = _on_cards("bury")
turn_over = _on_cards("turn over")
"""Open becomes hidden, hidden becomes open."""
look = _on_cards("look")
take = _on_cards("take")
"""Into the player's hand. If it came from a party, its owner is THEM from here on."""
place_hidden = _on_cards("place hidden")
place_open = _on_cards("place open")
discard = _on_cards("discard")
discard_all = _on_cards("discard all")
"""All matching tavern cards."""
play_another = _on_cards("play another")
perform = _on_cards("perform")
turn_up_and_perform = _on_cards("turn up and perform")
turn_up_or_look = _on_cards("turn up or look")
expose = _on_cards("expose")
"""Show it: a hero of the faction named is buried, any other stays open."""
move_elsewhere = _on_cards("move elsewhere")
"""An open hero moves to the party of a third player."""
exchange_graveyard_top = _on_cards("exchange graveyard top")


# ---- other verbs ------------------------------------------------------------------------------


def exchange(first: CardFilter, second: CardFilter) -> Step:
    return Step("exchange", first, second)


def pick_player(of: int = ANYONE, having: CardFilter | None = None) -> Step:
    """From here on that player is THEM."""
    return Step("pick player", having, whom=of)


def name_faction(needs: CardFilter) -> Step:
    """Skipped unless a card of the description exists."""
    return Step("name faction", needs)


def random_card(step: Step) -> Step:
    """Chance picks one of their cards."""
    return replace(step, verb="random " + step.verb)


def draw(count: int, place: str) -> Step:
    """From the top of harbor, wilderness or graveyard; the next steps say what becomes of them."""
    return Step("draw", count=count, place=place)


def rest_to(place: str) -> Step:
    """The remaining drawn cards go to hand or wilderness."""
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


def hand_over() -> Step:
    """They hand over a card of the faction named, or everybody learns that they have none."""
    return Step("hand over", CardFilter(Where.HAND, THEM, NAMED))


# ---- wrappers ---------------------------------------------------------------------------------


def may(step: Step, upto: int = 1) -> Step:
    """Optional; with `upto`, repeated up to that often, each time with another card."""
    return replace(step, optional=True, count=upto)


def they(step: Step) -> Step:
    """The player picked or robbed decides."""
    return replace(step, by=THEM)


def next_player(step: Step) -> Step:
    """The next player clockwise decides."""
    return replace(step, by=NEXT)


def everybody_else(step: Step) -> Step:
    """Every other player, in turn order, does it with a card of their own."""
    return replace(step, verb="everybody else: " + step.verb)
