"""Reading positions as people type them: fields, seats and counts, whatever the game."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.errors import did_you_mean


def fields(text: str) -> Iterator[list[str]]:
    """The words of every field; quoted words stay together, `#` begins a comment."""
    for line in text.splitlines():
        for part in line.split("#")[0].split(";"):
            words = [
                a or b or c for a, b, c in re.findall(r'"([^"]*)"|\'([^\']*)\'|([^\s,]+)', part)
            ]
            if words:
                yield words


def unknown_count(word: str) -> int | None:
    """How many unknown things `?`, `?x3` or `3?` stands for; None for any other word."""
    found = re.fullmatch(r"\?(?:[x*](\d{1,6}))?|(\d{1,6})\?", word)
    return int(found[1] or found[2] or 1) if found else None


class FieldReader:
    """Collects problems; what could not be read is left at its default."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.seen: set[str] = set()
        """What has been said so far."""

    def repeated(self, name: str) -> bool:
        if name in self.seen:
            self.problems.append(f"'{name}' is said twice")
            return True
        self.seen.add(name)
        return False

    def number(self, name: str, words: list[str], default: int) -> int:
        if len(words) == 1 and re.fullmatch(r"-?\d{1,6}", words[0]):
            return int(words[0])
        self.problems.append(f"{name}: one number is needed, not '{' '.join(words)}'")
        return default

    def seat_number(self, name: str, words: list[str]) -> int:
        if len(words) == 1 and re.fullmatch("[A-Za-z]", words[0]):
            return ord(words[0].upper()) - ord("A")
        self.problems.append(f"{name}: one seat letter is needed, not '{' '.join(words)}'")
        return 0

    def parts(self, letter: str, words: list[str], known: tuple[str, ...]) -> dict[str, list[str]]:
        """What is said about a seat: each of the known words with what follows it."""
        part = ""
        found: dict[str, list[str]] = {}
        for word in words:
            if word.casefold() in known:
                part = word.casefold()
                if not self.repeated(f"{letter} {part}"):
                    found[part] = []
            elif part:
                found.setdefault(part, []).append(word)
            else:
                listed, hint = ", ".join(known), did_you_mean(word, known)
                self.problems.append(f"seat {letter}: '{word}' must follow one of {listed}{hint}")
        return found
