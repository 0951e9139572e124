"""Parses player counts like `4`, `2-6` or `2,4-6`."""


def read_counts(words: str) -> tuple[int, ...] | None:
    """The counts in ascending order; None if the text does not have that form."""
    counts: set[int] = set()
    for part in words.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not _is_small(first) or (dash and not _is_small(last)):
            return None
        counts |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(counts))


def _is_small(digits: str) -> bool:
    """Whether this is a number of at most three digits."""
    return digits.isdecimal() and len(digits) <= 3
