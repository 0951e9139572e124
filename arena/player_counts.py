"""Player counts as people write them: `4`, `2-6` or `2,4-6`."""

from __future__ import annotations


def read_counts(words: str) -> tuple[int, ...] | None:
    """The counts, ascending and each once; None if the text is not of that form."""
    counts: set[int] = set()
    for part in words.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not _is_small(first) or (dash and not _is_small(last)):
            return None
        counts |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(counts))


def _is_small(digits: str) -> bool:
    """Whether these are few enough digits to count up to."""
    return digits.isdecimal() and len(digits) <= 3
