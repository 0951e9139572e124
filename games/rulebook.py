"""Rulings as a text that is easy to write, a table to look them up in, and a page to read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """A heading and the numbers of the rulings under it."""

    title: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Rulebook:
    """All rulings of a game, cited by a letter and a number."""

    letter: str
    chapters: tuple[Chapter, ...]
    rulings: dict[int, str]
    """Number -> what it says."""

    def sections(self) -> list[str]:
        """The chapters in lines of Markdown."""
        lines: list[str] = []
        for chapter in self.chapters:
            lines += ["", f"## {chapter.title}"]
            for number in chapter.numbers:
                lines += ["", f"**{self.letter}{number}** {self.rulings[number]}"]
        return lines


def rules_in_short(opening: str, source: str, *books: Rulebook) -> str:
    """All rulings as a page of Markdown; `source` is the file the sentences live in."""
    lines = [
        "# The rules in short",
        "",
        opening,
        "This page is made by `scripts/update-golden`; the sentences live in",
        f"`{source}`.",
    ]
    for book in books:
        lines += book.sections()
    return "\n".join(lines) + "\n"


def read_rulebook(letter: str, text: str) -> Rulebook:
    """`# Chapter`, `R1 A ruling.`; an indented line goes on with the ruling before it."""
    chapters: list[Chapter] = []
    rulings: dict[int, str] = {}
    for line in text.strip().splitlines():
        if line.startswith("# "):
            chapters.append(Chapter(line[2:], ()))
        elif line.startswith(letter):
            number, _, words = line[1:].partition(" ")
            rulings[int(number)] = words
            chapter = chapters[-1]
            chapters[-1] = Chapter(chapter.title, (*chapter.numbers, int(number)))
        elif line:
            rulings[max(rulings)] += " " + line.strip()
    return Rulebook(letter, tuple(chapters), rulings)
