"""Counting lines of play, and the files that say what the counts should be.

A `*.perft` file describes one position:

    # what is special about it
    id two-players
    position players 2; turn A; ...
    perft 1 7
    perft 2 31
    divide 4 play Keen Koi

`perft d n` says that n different sequences of d moves lead on from the position, chance outcomes
counted as moves; a game that ends earlier has no sequence of that length. The `divide` lines split
the deepest count up by the first move, so that a difference can be followed move by move.
`scripts/perft --update` writes the numbers anew.

Instead of a position of Hidden Leaders a file can name a moment of a random game of any kind:

    played secrets players 4 seed 3 plies 25
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from games.hidden_leaders.positions.notation import read
from games.registry import Game, game
from games.state import Rng, State
from tests.support.playing import random_move

FOLDER: Final = Path(__file__).parent
POSITIONS: Final = "hidden-leaders"
"""The game that `position` lines are about."""
PLAYED: Final = re.compile(r"(\S+) players (\d+) seed (\d+) plies (\d+)")


def count(state: State, depth: int) -> int:
    """How many sequences of that many moves there are."""
    if depth == 0:
        return 1
    total = 0
    for move in state.moves():
        after = state.copy()
        after.play(move)
        total += count(after, depth - 1)
    return total


def divide(rules: Game, state: State, depth: int) -> dict[str, int]:
    """The same, split up by the text of the first move."""
    parts: dict[str, int] = {}
    for move in state.moves():
        after = state.copy()
        after.play(move)
        parts[rules.text.move(state, move)] = count(after, depth - 1)
    return parts


@dataclass(frozen=True)
class Perft:
    """One file."""

    id: str
    start: str
    """What is counted from: `position ...` or `played ...`."""
    counts: dict[int, int]
    """Depth -> sequences."""
    parts: dict[str, int]
    """First move -> sequences of the greatest depth."""
    remarks: Sequence[str] = ()

    @property
    def depth(self) -> int:
        return max(self.counts)

    @property
    def rules(self) -> Game:
        key, _, rest = self.start.partition(" ")
        return game(POSITIONS if key == "position" else rest.split()[0])

    def state(self) -> State:
        key, _, rest = self.start.partition(" ")
        return read(rest).state() if key == "position" else moment(rest)

    def recounted(self) -> Perft:
        """With the numbers the engine gives today."""
        state = self.state()
        counts = {depth: count(state, depth) for depth in sorted(self.counts)}
        return replace(self, counts=counts, parts=divide(self.rules, state, self.depth))


def moment(words: str) -> State:
    """A random game after so many plies; ValueError if that is not what the words say."""
    found = PLAYED.fullmatch(words)
    if found is None:
        raise ValueError(f"'{words}' is not like 'secrets players 4 seed 3 plies 25'")
    players, seed, plies = (int(number) for number in found.groups()[1:])
    state = game(found[1]).new(players)
    rng = Rng(seed)
    for _ in range(plies):
        random_move(state, rng)
    return state


def read_perft(path: Path) -> Perft:
    """The file; ValueError names a line that says nothing."""
    said: dict[str, str] = {}
    counts: dict[int, int] = {}
    parts: dict[str, int] = {}
    remarks: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        key, _, rest = line.partition(" ")
        if key == "#":
            remarks.append(rest)
        elif key == "perft":
            depth, _, many = rest.partition(" ")
            counts[int(depth)] = int(many)
        elif key == "divide":
            many, _, text = rest.partition(" ")
            parts[text] = int(many)
        elif key in ("position", "played"):
            said["start"] = line
        elif key == "id":
            said[key] = rest
        elif line:
            raise ValueError(f"{path.name}:{number}: '{key}' means nothing here")
    return Perft(said["id"], said["start"], counts, parts, remarks)


def write_perft(perft: Perft) -> str:
    lines = [f"# {remark}" for remark in perft.remarks]
    lines += [f"id {perft.id}", perft.start]
    lines += [f"perft {depth} {many}" for depth, many in sorted(perft.counts.items())]
    lines += [f"divide {many} {text}" for text, many in perft.parts.items()]
    return "\n".join(lines) + "\n"


def difference(perft: Perft) -> str:
    """What the engine counts otherwise than the file says; nothing if they agree."""
    today = perft.recounted()
    wrong = [
        f"depth {depth}: {today.counts[depth]} sequences, {many} expected"
        for depth, many in sorted(perft.counts.items())
        if today.counts[depth] != many
    ]
    if not wrong and today.parts == perft.parts:
        return ""
    first = first_difference(perft.parts, today.parts)
    table = [f"  {text}: {many}" for text, many in today.parts.items()]
    return "\n".join([f"{perft.id}:", *wrong, first, f"depth {perft.depth} by first move:", *table])


def first_difference(stored: dict[str, int], found: dict[str, int]) -> str:
    """The first move that is missing, new or counted otherwise."""
    if not stored:
        return "the file does not split its count up by first moves"
    for text in [*stored, *found]:
        if stored.get(text) != found.get(text):
            was, now = (part.get(text, "not a move") for part in (stored, found))
            return f"first difference: '{text}': {now}, {was} expected"
    return "the first moves agree: the difference is at a lesser depth"
