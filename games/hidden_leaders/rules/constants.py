"""The numbers that stand for factions, zones, moves and events, and the limits of the rules."""

from __future__ import annotations

from typing import Final

# Factions are bits, so that the Buried Emperor can belong to all four at once (R70).
UNDEAD: Final = 1
WATER: Final = 2
EMPIRE: Final = 4
TRIBES: Final = 8
ALL_FACTIONS: Final = 15
FACTIONS: Final = (UNDEAD, WATER, EMPIRE, TRIBES)
FACTION_NAMES: Final = {UNDEAD: "Undead", WATER: "Water", EMPIRE: "Empire", TRIBES: "Tribes"}

THRESHOLDS: Final = (0, 0, 8, 7, 7, 6, 5)
"""How many open heroes in one party end the game, by number of players (R79)."""

# Again outside the classes: mypyc computes constants at compile time only from bare names, and
# treats a class's constant as one only if it is a literal.
MOST_PLAYERS: Final = 6
TAVERN_SLOTS: Final = 3
ZONE_COUNT: Final = 24


class Track:
    """Spaces of the markers (R2)."""

    FIRST: Final = 1
    LAST: Final = 12
    START: Final = 4
    WAR_ZONE: Final = 9


class Limit:
    """How many the rules allow."""

    PLAYERS: Final = 6
    LEADERS: Final = 6
    TAVERN: Final = 3
    HAND_AFTER_DRAW: Final = 4
    HAND_AFTER_DISCARD: Final = 3
    DISCARDS: Final = 3
    DEALT: Final = 5
    ROUNDS: Final = 100
    """Full rounds after which an unfinished game stops without a winner (R21)."""


class Zone:
    """Where cards lie. A seat's own zones are a base number plus the seat."""

    HARBOR: Final = 0
    WILDERNESS: Final = 1
    GRAVEYARD: Final = 2
    TAVERN: Final = 3
    ASIDE: Final = 4
    DRAWN: Final = 5
    HAND: Final = 6
    OPEN: Final = 12
    HIDDEN: Final = 18
    COUNT: Final = 24


class Reads:
    """What a card's outcome can depend on besides markers and parties, as bits.

    The bits of harbor, wilderness, graveyard and tavern are those of their zones.
    """

    HARBOR: Final = 1
    WILDERNESS: Final = 2
    GRAVEYARD: Final = 4
    TAVERN: Final = 8
    OWN_HAND: Final = 64
    """The hand of the turn player."""
    OTHER_HANDS: Final = 128
    OTHER_CARDS: Final = 256
    """What other heroes read, of the parties or of the own hand: it performs or plays them."""
    ANYTHING: Final = 512


class Move:
    """Moves. A number always names the same thing; the pending row says what is done with it."""

    CARD: Final = 0
    """CARD + c: the card c itself."""
    DISCARD: Final = 128
    """DISCARD + c: discard the hand card c, in steps 1 and 3 of a turn."""
    STACK: Final = 256
    STACK_ROOM: Final = 80
    """STACK + seat * STACK_ROOM + i: the hidden hero at index i (0 = oldest) of that seat."""
    PLAYER: Final = 736
    """PLAYER + seat: that player."""
    FACTION: Final = 744
    """FACTION + k: name the k-th of FACTIONS."""
    MARKER: Final = 748
    """MARKER + k: the k-th alternative of a marker phrase."""
    PASS: Final = 764
    """Do nothing, stop, decline."""
    TOP: Final = 765
    """The unseen top card of the harbor."""
    PILE: Final = 766
    """PILE + WILDERNESS or PILE + GRAVEYARD: that pile."""
    TURN_UP: Final = 769
    LOOK: Final = 770
    LEADER: Final = 771
    """LEADER + l: the leader l is dealt (chance)."""
    CONCEALED: Final = 777
    """A choice among face-down cards, as the other seats observe it."""
    COUNT: Final = 778


class Event:
    """Kinds of events, (kind, ...). UNSEEN replaces a card that the seat does not see."""

    LEADER: Final = 0
    """(kind, seat, leader): a leader was dealt."""
    FIRST: Final = 1
    """(kind, seat): who begins."""
    MOVED: Final = 2
    """(kind, from zone, from index, to zone, to index, card): a card moved."""
    SEEN: Final = 3
    """(kind, zone, index, card): a card was looked at or shown, and stays where it is."""
    MARKERS: Final = 4
    """(kind, red, green): where the markers now stand."""
    RESHUFFLED: Final = 5
    """(kind,): the wilderness became the harbor."""
    NONE_HELD: Final = 6
    """(kind, seat, faction): the seat's hand has no card of the faction, nor the Emperor."""
    CHOSE: Final = 7
    """(kind, seat, move): a seat chose; the move is UNSEEN to others if it is secret."""
    PENDING: Final = 8
    """(kind, actor, turn player, turns, frames...): who decides, and what is being resolved."""
    LEGAL_MOVES: Final = 9
    """(kind, move...): the legal moves; only for the actor."""
    OVER: Final = 10
    """(kind, winning faction or 0 at the turn limit, winner or NOBODY): the game is over."""


UNKNOWN_INDEX: Final = -1
"""A graveyard index that the seat does not see: somewhere below the top (R93)."""
EMPTY: Final = -1
"""An empty tavern slot."""
