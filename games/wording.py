"""Numbers in sentences and tables: `1 game`, `2,000 games`, and no `-0`; lists."""

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural unless it is one."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def signed(value: float) -> str:
    """Rounded to a whole number, with its sign; zero is `+0`."""
    return f"{round(value):+d}"


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
