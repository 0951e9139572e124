"""Makes puzzles: asks questions about many endings and gathers the finds that are worth keeping.

Endings come from games that were played, or are composed from luck alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from games.hidden_leaders.positions.notation import position_of
from games.hidden_leaders.positions.position import TURN_FRAME
from games.hidden_leaders.positions.random_endings import hide_cards, random_ending
from games.hidden_leaders.positions.simplify import turned, without_luck
from games.hidden_leaders.positions.worlds import world_count
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, NUMBER
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.seats import seat_name
from games.state import State
from solver.ask import Asked
from solver.core.question import Others
from solver.puzzles.files import Puzzle
from solver.puzzles.quality import AGAINST, Ending, Find, Finder, Tempts, asked
from solver.puzzles.themes import (
    COPY_CHAIN,
    COPYING,
    DENYING,
    EMPEROR_COUNTS,
    FORCED_BURIAL,
    FORCED_CHOICE,
    HIDDEN_CARDS,
)

SAME_ANSWERS: Final = 3
"""Puzzles of a collection that the same move answers, at most."""
LONGER: Final = 0.3
"""Of all endings, those of which also is asked what takes longer to answer."""
MOST_TURNS: Final = 3
MOST_WORLDS: Final = 120
TRIES_PER_PUZZLE: Final = 4000
"""Composed endings looked at for each puzzle wanted, at most."""

TELLING: Final[dict[str, tuple[int, ...]]] = {
    COPY_CHAIN: tuple(sorted(COPYING)),
    FORCED_BURIAL: tuple(
        card
        for card, hero in enumerate(HEROES)
        if any(step.verb in ("bury", "expose", "random bury") for step in hero.steps)
    ),
    FORCED_CHOICE: tuple(
        NUMBER[name] for name in ("Overworked Amazon", "Saber-Toothed Troll", "Doubtful Priest")
    ),
}
"""Heroes worth having in hand for a puzzle of that theme."""


@dataclass(frozen=True)
class Wanted:
    """What kind of puzzles, and how much work each may be."""

    count: int
    players: tuple[int, ...]
    theme: str = ""
    seed: int = 0
    nodes: int = 4000
    turns: int = 0
    """0: any number."""


# ---- endings ----------------------------------------------------------------------------------


def mined(tables: Iterable[tuple[State, str, int]]) -> Iterator[Ending]:
    """Of the tables of games, with their sources and the games' numbers, those near the end."""
    for state, source, number in tables:
        assert isinstance(state, HiddenLeaders)
        if _near_the_end(state):
            yield Ending(turned(position_of(state)), source, number)


def _near_the_end(state: HiddenLeaders) -> bool:
    """Whether a turn begins, and a hero more would end the game."""
    most = max(state.size(Zone.OPEN + seat) for seat in range(state.players))
    if state.actor < 0 or most + 1 < state.threshold:
        return False
    return position_of(state).pending == (TURN_FRAME,)


def composed(wanted: Wanted) -> Iterator[Ending]:
    """Endings from luck alone, with heroes on the table that suit the theme."""
    dice = random.Random(wanted.seed)
    source = f"composed, seed {wanted.seed}"
    for number in range(TRIES_PER_PUZZLE * wanted.count):
        position = random_ending(dice, dice.choice(wanted.players), TELLING.get(wanted.theme, ()))
        if wanted.theme != EMPEROR_COUNTS or EMPEROR not in position.unused():
            yield Ending(position, source, number)


# ---- questions --------------------------------------------------------------------------------


def questions(
    dice: random.Random, ending: Ending, wanted: Wanted
) -> Iterator[tuple[Ending, Asked]]:
    """What might be asked about the ending, in an order the dice decide."""
    theme, position = wanted.theme, ending.position
    bare = replace(ending, position=without_luck(position))
    denied = f"deny:{seat_name(dice.randrange(1, position.players))}"
    often = 1.0 if wanted.turns else LONGER
    kinds: list[tuple[Ending, str, int, str]] = []
    if theme == HIDDEN_CARDS or (not theme and dice.random() < LONGER):
        hidden = hide_cards(dice, position)
        if hidden is not None and world_count(hidden) <= MOST_WORLDS:
            kinds.append((replace(ending, position=hidden), "win", 1, AGAINST))
    if theme not in (DENYING, HIDDEN_CARDS):
        kinds.append((ending, "win", 1, AGAINST))
        if dice.random() < often:
            kinds += [(bare, "win", 2, AGAINST), (bare, "win", MOST_TURNS, AGAINST)]
            kinds.append((bare, "win", MOST_TURNS, Others.SELFISH.value))
    if theme == DENYING or (theme != HIDDEN_CARDS and dice.random() < often):
        kinds += [(bare, denied, 2, AGAINST), (bare, denied, MOST_TURNS, AGAINST)]
    dice.shuffle(kinds)
    for one, goal, turns, others in kinds:
        if wanted.turns in (0, turns):
            yield one, asked(one.position, goal, turns, others)


# ---- a collection -----------------------------------------------------------------------------


class Collection:
    """The puzzles found so far, and those that were there before: no two of them alike."""

    def __init__(self, wanted: Wanted, tempts: Tempts, known: Iterable[Puzzle] = ()) -> None:
        self.wanted = wanted
        self.finder = Finder(tempts, wanted.nodes)
        self.themes = Counter[str]()
        self.answers = Counter[str]()
        self.alike: set[tuple[str, str, int]] = set()
        """Answer, theme and players."""
        self.asked: set[tuple[str, str]] = set()
        """Position and goal."""
        self.looked = 0
        """Endings looked at."""
        for puzzle in known:
            self._note(puzzle.asked, puzzle.answer[0], puzzle.theme)

    def gather(self, endings: Iterable[Ending]) -> Iterator[tuple[Find, str]]:
        """Finds with their themes, one of each game, as many as are wanted or to be had."""
        dice = random.Random(self.wanted.seed)
        used: set[int] = set()
        for table in endings:
            if len(used) == self.wanted.count:
                return
            if table.number in used:
                continue
            self.looked += 1
            for found, theme in self._finds(dice, table):
                least = self.finder.thinned(found, theme)
                if self._new(least):
                    used.add(table.number)
                    self._note(least.solved.asked, least.answer, theme)
                    yield least, theme
                    break

    def _finds(self, dice: random.Random, table: Ending) -> Iterator[tuple[Find, str]]:
        """What is found about this table and unlike the others, with its theme."""
        for one, question in questions(dice, table, self.wanted):
            found = self.finder.glance(one, question)
            if found is not None and (theme := self._theme(found)):
                shorter = self.finder.shortened(found, theme)
                if self.wanted.turns in (0, shorter.turns):
                    yield shorter, theme

    def _new(self, found: Find) -> bool:
        """Whether the find still takes the turns that are wanted, and nobody has asked it."""
        asked = found.solved.asked
        fits = self.wanted.turns in (0, found.turns)
        return fits and (str(asked.position), asked.goal) not in self.asked

    def _theme(self, found: Find) -> str:
        """Of the find's themes the rarest so far; nothing if it would be like another puzzle."""
        answer, players = found.answer, found.position.players
        fitting = [
            theme
            for theme in found.themes
            if self.wanted.theme in ("", theme) and (answer, theme, players) not in self.alike
        ]
        if not fitting or self.answers[answer] >= SAME_ANSWERS:
            return ""
        return min(fitting, key=lambda theme: self.themes[theme])

    def _note(self, asked: Asked, answer: str, theme: str) -> None:
        self.themes[theme] += 1
        self.answers[answer] += 1
        self.alike.add((answer, theme, asked.position.players))
        self.asked.add((str(asked.position), asked.goal))
