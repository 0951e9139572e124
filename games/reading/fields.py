"""Reads positions as people type them: fields, seats and counts that both games share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from games.errors import BadPosition, did_you_mean
from games.seats import seat_from_name, seat_name


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
    match = re.fullmatch(r"\?(?:[x*](\d{1,6}))?|(\d{1,6})\?", word)
    return int(match[1] or match[2] or 1) if match else None


class FieldReader:
    """Collects fields and problems; a field that cannot be read keeps its default.

    A game's reader implements `value` for its fields and `seat_value` for the parts of a seat.
    """

    keys: tuple[str, ...]
    """All field names except the seat letters."""
    seat_keys: tuple[str, ...]
    """The parts of a seat, such as `hand`; its secret role comes first."""
    fewest_players: int
    most_players: int

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.seen: set[str] = set()
        """The fields read so far, and the parts of seats such as `A hand`."""
        self.numbers: dict[str, int] = {}
        self.cards: dict[str, tuple[int, ...]] = {}
        self.roles: dict[int, int] = {}
        """Seat -> its secret role."""
        self.seats: set[int] = set()
        """The seats mentioned."""

    def read(self, text: str) -> None:
        for words in fields(text):
            self.field(words[0], words[1:])

    def field(self, key: str, words: list[str]) -> None:
        name = key.upper() if len(key) == 1 else key.casefold()
        if re.fullmatch("[A-Z]", name):
            self.seat(name, words)
        elif name not in self.keys:
            letters = [seat_name(seat) for seat in range(self.most_players)]
            hint = did_you_mean(key, (*self.keys, *letters))
            self.problems.append(f"unknown key '{key}'{hint}")
        elif not self.repeated(name):
            self.value(name, words)

    def value(self, name: str, words: list[str]) -> None:
        """Read a field that is not a seat."""
        raise NotImplementedError

    def seat_value(self, seat: int, part: str, place: str, words: list[str]) -> None:
        """Read one part of a seat; `place` is what messages call it, such as `A hand`."""
        raise NotImplementedError

    def repeated(self, name: str) -> bool:
        if name in self.seen:
            self.problems.append(f"'{name}' is given twice")
            return True
        self.seen.add(name)
        return False

    def number(self, name: str, words: list[str], default: int) -> int:
        if len(words) == 1 and re.fullmatch(r"-?\d{1,6}", words[0]):
            return int(words[0])
        self.problems.append(f"{name}: one number is needed, not '{' '.join(words)}'")
        return default

    def seat_field(self, name: str, words: list[str]) -> int:
        """A field whose value is a seat letter."""
        if len(words) == 1 and re.fullmatch("[A-Za-z]", words[0]):
            return seat_from_name(words[0])
        self.problems.append(f"{name}: one seat letter is needed, not '{' '.join(words)}'")
        return 0

    def seat(self, letter: str, words: list[str]) -> None:
        seat = seat_from_name(letter)
        if seat >= self.most_players:
            self.problems.append(f"seat {letter}: there are at most {self.most_players} players")
            return
        self.seats.add(seat)
        if words and words[0].casefold() == "knows":
            self.knows(seat, letter, words[1:])
            return
        for part, inside in self.parts(letter, words).items():
            self.seat_value(seat, part, f"{letter} {part}", inside)

    def knows(self, seat: int, letter: str, words: list[str]) -> None:
        """`A knows B hand CrCa, C leader Cyra`: what a seat has learned about others."""
        about: dict[str, list[str]] = {}
        other = ""
        for word in words:
            if re.fullmatch("[A-Za-z]", word):
                other = word.upper()
                about.setdefault(other, [])
            elif other:
                about[other].append(word)
            else:
                self.problems.append(f"{letter} knows: '{word}' must follow another seat's letter")
        if not about:
            self.problems.append(f"{letter} knows: about which seat?")
        for other, inside in about.items():
            name = f"{letter} knows {other}"
            if seat_from_name(other) >= self.most_players:
                self.problems.append(f"{name}: there are at most {self.most_players} players")
                continue
            self.seats.add(seat_from_name(other))
            for part, cards in self.parts(name, inside).items():
                self.learned_value(seat, seat_from_name(other), part, f"{name} {part}", cards)

    def learned_value(self, seat: int, other: int, part: str, place: str, words: list[str]) -> None:
        """Read what a seat knows of one part of another seat."""
        raise NotImplementedError

    def parts(self, letter: str, words: list[str]) -> dict[str, list[str]]:
        """The parts of a seat that are given, each with the words that follow it."""
        part = ""
        parts: dict[str, list[str]] = {}
        for word in words:
            if word.casefold() in self.seat_keys:
                part = word.casefold()
                if not self.repeated(f"{letter} {part}"):
                    parts[part] = []
            elif part:
                parts.setdefault(part, []).append(word)
            else:
                listed, hint = ", ".join(self.seat_keys), did_you_mean(word, self.seat_keys)
                self.problems.append(f"seat {letter}: '{word}' must follow one of {listed}{hint}")
        return parts

    def player_counts(self) -> tuple[int, int]:
        """How many players there are, and how many seats to set up so that all are checked."""
        needed = max([self.fewest_players, *(seat + 1 for seat in self.seats)])
        players = self.numbers.get("players", needed)
        return players, max(self.fewest_players, min(players, self.most_players), needed)

    def seat_cards(self, seat: int) -> Iterator[tuple[int, ...]]:
        """The cards of every part of the seat but the first, which is its role."""
        for part in self.seat_keys[1:]:
            yield self.cards.get(f"{seat_name(seat)} {part}", ())

    def check(self, problems: list[str]) -> None:
        """Raise BadPosition if reading the text met problems, or if there are these."""
        if self.problems or problems:
            raise BadPosition(self.problems + problems)


# ---- editing ----------------------------------------------------------------------------------


def split_fields(text: str, seat_keys: Sequence[str]) -> dict[str, list[str]]:
    """The words of a position by field; those of a seat by part, such as `A hand`.

    What seats know of each other stays one field, such as `A knows B`.
    """
    parts: dict[str, list[str]] = {}
    for words in fields(text):
        key, rest = words[0], words[1:]
        if len(key) != 1 or rest[:1] == ["knows"]:
            size = 2 if rest[:1] == ["knows"] else 0
            parts.setdefault(" ".join([key, *rest[:size]]), []).extend(_repeated(rest[size:]))
            continue
        part = parts.setdefault(f"{key} ", [])
        for word in rest:
            if word in seat_keys:
                part = parts.setdefault(f"{key} {word}", [])
            else:
                part.append(word)
    return {key: _repeated(words) for key, words in parts.items() if words or " " not in key}


def join_fields(parts: Mapping[str, Sequence[str]]) -> str:
    """The position that has these fields."""
    texts: dict[str, list[str]] = {}
    for key, words in parts.items():
        letter, _, part = key.partition(" ")
        quoted = [f'"{word}"' if " " in word else word for word in words]
        if len(letter) == 1 and not part.startswith("knows"):
            texts.setdefault(letter, [letter]).extend([part, *quoted] if part else quoted)
        else:
            texts[key] = [key, *quoted]
    return "; ".join(" ".join(words) for words in texts.values())


def _repeated(words: Sequence[str]) -> list[str]:
    """The words, with `X x3` written out as three."""
    spelled: list[str] = []
    for word in words:
        if spelled and re.fullmatch(r"x\d{1,2}", word):
            spelled += [spelled[-1]] * (int(word[1:]) - 1)
        else:
            spelled.append(word)
    return spelled
