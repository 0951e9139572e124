"""The instruction set of the cards: what a row of the program says, column by column."""

from __future__ import annotations

from typing import Final


class Op:
    """What a row does. Those up to LAST_OF_TURN belong to setup and turn, the others to cards."""

    LEADERS: Final = 0
    REFILL: Final = 1
    FIRST: Final = 2
    DEAL: Final = 3
    HIDE: Final = 4
    ACTION: Final = 5
    MORE: Final = 6
    DRAW: Final = 7
    TRIM: Final = 8
    TURN_END: Final = 9
    LAST_OF_TURN: Final = 9
    END: Final = 10
    MARK: Final = 11
    """Move the markers; its columns are those of MarkRow."""
    CHOOSE: Final = 12
    """Choose a card: WHERE, OF, WANT, BAN, ACT, FLAGS, BY."""
    PLAYER: Final = 13
    """Pick a player: OF, and WHERE the player must have a card (-1: no matter)."""
    FACTION: Final = 14
    """Name a faction, if there is a card WHERE, OF."""
    SWEEP: Final = 15
    """Discard all tavern cards that match WANT (0: the faction named)."""
    RANDOM: Final = 16
    """Chance picks one of THEIR cards: WHERE, ACT."""
    DRAW_HARBOR: Final = 17
    """COUNT."""
    LIFT: Final = 18
    """Draw the top COUNT cards of the pile ZONE."""
    REST: Final = 19
    """The other drawn cards go to ZONE."""
    RESTOCK: Final = 20
    SHOW: Final = 21
    PERFORM_TOP: Final = 22
    PERFORM_PICKED: Final = 23
    CLOSE: Final = 24
    """The card set aside goes to ZONE."""
    EACH: Final = 25
    PILE: Final = 26
    """Draw the top COUNT cards of the pile chosen."""
    MANNER: Final = 27
    """Turn up or look, if there is a card WHERE, OF."""
    RECEIVER: Final = 28
    HAND_OVER: Final = 29


class Row:
    """Columns of a row. Rows use only the columns that their Op names."""

    OP: Final = 0
    WHERE: Final = 1
    ZONE: Final = 1
    OF: Final = 2
    COUNT: Final = 2
    WANT: Final = 3
    """Factions, of which the card must have one."""
    BAN: Final = 4
    """Factions, of which the card must have none."""
    ACT: Final = 5
    FLAGS: Final = 6
    BY: Final = 7
    """Who decides."""
    SIZE: Final = 8


class MarkRow:
    """Columns of a row that moves the markers."""

    FIRST: Final = 1
    """The first of its alternatives, counted in shifts."""
    ALTERNATIVES: Final = 2
    """How many there are."""
    TIMES: Final = 3
    CAP: Final = 4
    BY: Final = 5
    CONDITION: Final = 6
    FACTION: Final = 7


class ShiftRow:
    """Columns of a shift, which is one alternative of a marker phrase."""

    RED: Final = 0
    GREEN: Final = 1
    LEADING: Final = 2
    TRAILING: Final = 3
    CONDITION: Final = 4
    SIZE: Final = 5


class Act:
    """What is done with a chosen card."""

    BURY: Final = 0
    TURN: Final = 1
    LOOK: Final = 2
    TAKE: Final = 3
    HIDE: Final = 4
    OPEN: Final = 5
    DISCARD: Final = 6
    ASIDE: Final = 7
    PERFORM: Final = 8
    PICK: Final = 9
    SWAP: Final = 10
    SWAP_TOP: Final = 11
    PLAY: Final = 12
    EXPOSE: Final = 13
    MANNER: Final = 14


class Flag:
    """Flags of Op.CHOOSE."""

    MAY: Final = 1
    """PASS is offered."""
    ASK_ANYWAY: Final = 2
    """Asked even without a candidate, so that the question gives nothing away (R39)."""
    NEW_IN_CHAIN: Final = 4
    """Neither the Emperor nor a card of the chain (R58, R62)."""
    ANOTHER: Final = 8
    """Only after the step before was used, and not on the same card."""
    NEEDS_NEXT: Final = 16
    """Only if the following row has a candidate too (both sides of an exchange)."""
    MOVABLE: Final = 32
    """Only a hero that a third player could receive (R144)."""
