"""Finds the move or card that a few typed words mean: in full, begun, or abbreviated."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import eq

from games.errors import IllegalMove, UnknownCard, did_you_mean


def meant_move(text: str, texts: dict[int, str], spellings: dict[int, list[str]]) -> int:
    """The one move that matches: its full text, the start of it, or the starts of its words.

    `texts` are the legal moves in words, `spellings` all the ways to write each of them.
    """
    moves = matches(text, spellings)
    if len(moves) == 1:
        return moves[0]
    legal = "; ".join(texts.values()) or "nothing, the game is over"
    if moves:
        either = " or ".join(f"'{texts[move]}'" for move in moves)
        raise IllegalMove(f"'{text}' could mean {either}", legal)
    hint = did_you_mean(text, texts.values())
    raise IllegalMove(f"'{text}' is not a legal move{hint}", legal)


def meant_card(text: str, word: str, spellings: dict[int, list[str]], listed: str = "") -> int:
    """The one card that matches; `spellings` start with the card's name, `word` is its kind."""
    cards = matches(text, spellings)
    if len(cards) == 1:
        return cards[0]
    if cards:
        either = " or ".join(f"'{spellings[card][0]}'" for card in cards)
        raise UnknownCard(f"'{text}' could be {either}")
    hint = did_you_mean(text, (name for names in spellings.values() for name in names))
    raise UnknownCard(f"there is no {word} '{text}'{listed}{hint}")


def matches(text: str, known: dict[int, list[str]]) -> list[int]:
    """The best matches: full spellings, else spellings that start so, else starts of words."""
    wanted = _plain(text)
    if not wanted:
        return []
    plain = {number: [_plain(words) for words in spellings] for number, spellings in known.items()}
    for fits in (eq, _begins, _abbreviates):
        numbers = [
            number
            for number, spellings in plain.items()
            if any(fits(wanted, words) for words in spellings)
        ]
        if numbers:
            return numbers
    return []


def _plain(text: str) -> list[str]:
    """Lower-case words without the punctuation that people leave out or type differently."""
    text = text.casefold().replace("\u2212", "-").replace("'", "").replace("\u2019", "")
    return re.sub(r"(?<=[^\W\d])[-_]|[,:;.]", " ", text).split()


def _begins(wanted: list[str], words: list[str]) -> bool:
    """Whether the words start with the wanted ones; the last one may be cut short."""
    return " ".join(words).startswith(" ".join(wanted)) and _abbreviates(wanted, words)


def _abbreviates(wanted: list[str], words: list[str]) -> bool:
    """Whether every wanted word starts one of the words, in the same order; numbers in full."""
    remaining: Iterable[str] = iter(words)
    return all(
        any(word == part if _number(part) else word.startswith(part) for word in remaining)
        for part in wanted
    )


def _number(word: str) -> bool:
    return word.lstrip("+-").isdigit()
