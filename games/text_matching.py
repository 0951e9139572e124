"""Which of several things somebody means by a few words: in full, begun, or abbreviated."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.errors import IllegalMove, did_you_mean


def meant_move(text: str, texts: dict[int, str], spellings: dict[int, list[str]]) -> int:
    """The one move the words fit: all of it, its beginning, or beginnings of its words.

    `texts` are the legal moves in words, `spellings` all the ways each may be written.
    """
    found = fitting(text, spellings)
    if len(found) == 1:
        return found[0]
    legal = "; ".join(texts.values()) or "nothing, the game is over"
    if found:
        either = " or ".join(f"'{texts[move]}'" for move in found)
        raise IllegalMove(f"'{text}' could mean {either}", legal)
    hint = did_you_mean(text, texts.values())
    raise IllegalMove(f"'{text}' is not a legal move{hint}", legal)


def fitting(text: str, known: dict[int, list[str]]) -> list[int]:
    """What the text fits best: a full spelling, else a beginning, else beginnings of words."""
    wanted = _plain(text)
    if not wanted:
        return []
    plain = {number: [_plain(words) for words in spellings] for number, spellings in known.items()}
    for fits in (_equal, _begins, _abbreviates):
        found = [
            number
            for number, spellings in plain.items()
            if any(fits(wanted, words) for words in spellings)
        ]
        if found:
            return found
    return []


def _plain(text: str) -> list[str]:
    """Lower-case words, without the punctuation people leave out or type differently."""
    text = text.casefold().replace("\u2212", "-").replace("'", "").replace("\u2019", "")
    return re.sub(r"(?<=[^\W\d])[-_]|[,:;.]", " ", text).split()


def _equal(wanted: list[str], words: list[str]) -> bool:
    return wanted == words


def _begins(wanted: list[str], words: list[str]) -> bool:
    """Whether the words go on where the wanted ones stop, perhaps in the middle of a word."""
    return " ".join(words).startswith(" ".join(wanted)) and _abbreviates(wanted, words)


def _abbreviates(wanted: list[str], words: list[str]) -> bool:
    """Whether every wanted word begins one of the words, in the same order; numbers in full."""
    remaining: Iterable[str] = iter(words)
    return all(
        any(word == part if _number(part) else word.startswith(part) for word in remaining)
        for part in wanted
    )


def _number(word: str) -> bool:
    return word.lstrip("+-").isdigit()
