"""A game's cards for people to look up: listed, filtered, or one in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.errors import UnknownCard


@dataclass(frozen=True)
class Card:
    """One card, or all copies of it."""

    name: str
    sentence: str
    """What it does."""
    row: Mapping[str, object]
    """Header -> cell: its row in a list of cards; what the card does comes last."""
    page: str
    """Everything about it, for people."""
    facts: Mapping[str, object]
    """The same, for programs."""
    factions: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    """What it does in single words, in games that have such words."""


def _unknown(words: str) -> int:
    raise UnknownCard(f"there is no card '{words}'; this game has no cards to look up")


@dataclass(frozen=True)
class Catalogue:
    """All cards of a game."""

    cards: tuple[Card, ...] = ()
    word: str = "card"
    """What the game calls a card."""
    find: Callable[[str], int] = _unknown
    """Name -> index in `cards`; UnknownCard suggests the closest name."""

    def all_factions(self) -> list[str]:
        return sorted({name for card in self.cards for name in card.factions})

    def all_decks(self) -> list[str]:
        return sorted({name for card in self.cards for name in card.decks})

    def all_verbs(self) -> list[str]:
        return sorted({verb for card in self.cards for verb in card.verbs})
