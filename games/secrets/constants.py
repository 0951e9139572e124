"""The constants of Secrets: sides, characters, places, phases, moves and events."""

from __future__ import annotations

from typing import Final

FEWEST_PLAYERS: Final = 4
MOST_PLAYERS: Final = 8

KINDS: Final = 9
"""Characters and the blank; outside their class, so that mypyc can compute with it."""


class Token:
    """What an identity token says."""

    CIA: Final = 0
    KGB: Final = 1
    HIPPIE: Final = 2
    COUNT: Final = 3


class Character:
    """Characters; a card is known by its character, as its copies are alike."""

    DOUBLE_AGENT: Final = 0
    POLITICIAN: Final = 1
    PSYCHIATRIST: Final = 2
    DETECTIVE: Final = 3
    JOURNALIST: Final = 4
    SCIENTIST: Final = 5
    DIPLOMAT: Final = 6
    ASSASSIN: Final = 7
    COUNT: Final = 8
    BLANK: Final = 8
    """An unknown card on an imagined table: it does nothing and matches nothing."""


SIDE_NAMES: Final = ("CIA", "KGB", "Hippie")
CHARACTER_NAMES: Final = (
    "Double Agent",
    "Politician",
    "Psychiatrist",
    "Detective",
    "Journalist",
    "Scientist",
    "Diplomat",
    "Assassin",
)
VALUES: Final = (2, 3, -1, -2, 3, 5, 1, 0)
COPIES: Final = (3, 4, 2, 3, 4, 6, 3, 4)
"""How many cards of each character are in the deck (S1)."""
DECK_SIZE: Final = 29
BULLETS: Final = 4
"""Bullet k is worth -k."""

TOKENS_IN_USE: Final = ((2, 2, 1), (2, 2, 2), (3, 3, 1), (3, 3, 2), (4, 4, 1))
"""CIA, KGB and Hippie tokens, for 4 to 8 players (S2)."""
THRESHOLDS: Final = (5, 5, 5, 4, 4)
"""Cards in one display that end the game, for 4 to 8 players (S31)."""

# Places of tokens: a seat's own, or the centre.
CENTRE: Final = 8
PLACES: Final = 9


class Phase:
    """What is being decided. From TARGET to ANSWER a card is on offer."""

    FIRST: Final = 0
    TOKENS: Final = 1
    REVEAL: Final = 2
    CHOOSE: Final = 3
    TARGET: Final = 4
    CLAIM: Final = 5
    UN: Final = 6
    ANSWER: Final = 7
    SWAP: Final = 8
    PASS_ON: Final = 9
    NEIGHBOUR: Final = 10
    LOOK: Final = 11
    BULLET: Final = 12
    GIVE: Final = 13
    OVER: Final = 14


class Move:
    """Moves. What a number means is fixed; what happens to it depends on the phase."""

    CARD: Final = 0
    """CARD + c: offer the character c; as a chance outcome: it is turned up."""
    PLACE: Final = 9
    """PLACE + seat, or PLACE + CENTRE: that player, or the token lying there."""
    CLAIM: Final = 18
    """CLAIM + c: say that the card is the character c."""
    SILENCE: Final = 26
    INTERRUPT: Final = 27
    STAY_OUT: Final = 28
    ACCEPT: Final = 29
    REFUSE: Final = 30
    LEFT: Final = 31
    RIGHT: Final = 32
    TOKEN: Final = 33
    """TOKEN + side: the token dealt next (chance)."""
    BULLET: Final = 36
    """BULLET + k: the Bullet on top (chance)."""
    SWAP: Final = 40
    """SWAP + 8 * a + b: swap the tokens of the seats a and b, a < b."""
    CONCEALED: Final = 104
    """A secret choice as other seats perceive it."""
    COUNT: Final = 105


class Event:
    """Kinds of events, (kind, ...). A seat gets UNSEEN for what it may not see."""

    FIRST: Final = 0
    """(kind, seat): who begins."""
    LOOK: Final = 1
    """(kind, looker, place, side): a token was looked at; the looker alone learns the side."""
    SHOW: Final = 2
    """(kind, place, side): a token was shown, to all but its owner if a Journalist did it."""
    TURN: Final = 3
    """(kind, seat): that seat's turn begins."""
    UP: Final = 4
    """(kind, character): a card was turned up from the deck."""
    UNDER: Final = 5
    """(kind, character, copies): cards were put face down under the deck, in that order."""
    CHOSE: Final = 6
    """(kind, seat, move): a seat chose; the move is UNSEEN if the choice is secret."""
    TAKEN: Final = 7
    """(kind, seat, character): the card offered was laid open in that display."""
    PASSED: Final = 8
    """(kind, from seat, to seat): a Politician moved to another display."""
    DOWN: Final = 9
    """(kind, seat, character): a pair was turned face down; UNSEEN means the whole display."""
    SWAP: Final = 10
    """(kind, place, other place, taker): tokens were swapped; UNSEEN means a neighbour's."""
    BULLET: Final = 11
    """(kind, taker, k): the top Bullet was taken and looked at."""
    GIVEN: Final = 12
    """(kind, seat, k): the Bullet went into the seat's display."""
    UN: Final = 13
    """(kind, seat or NOBODY): who now holds the UN token."""
    PENDING: Final = 14
    """(kind, actor, phase, turns, target, claim, taker): who must decide, and what."""
    LEGAL_MOVES: Final = 15
    """(kind, move...): the legal moves; only the actor gets this."""
    BULLETS: Final = 16
    """(kind, seat, mask): the Bullets of a display, shown at the end, one bit per k."""
    OVER: Final = 17
    """(kind, winning side or -1, one bit per winning seat, turns): the game is over."""
