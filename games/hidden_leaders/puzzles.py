"""Puzzle material of Hidden Leaders: endings, simpler positions, titles and stories."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from games.hidden_leaders import puzzle_words
from games.hidden_leaders.positions import random_endings, simplify
from games.hidden_leaders.positions.position import TURN_FRAME, UNKNOWN, Position, position_of
from games.hidden_leaders.positions.worlds import PosedTable, world_count
from games.hidden_leaders.puzzle_themes import COPYING, Theme, line_themes, plain_theme
from games.hidden_leaders.rules.cards import CARD_NUMBER, EMPEROR, HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.puzzle_material import PosedQuestion, PuzzleMaterial
from games.questions import PosedPosition
from games.seats import seat_name
from games.state import State

_AGAINST: Final = "coalition"
_SELFISH: Final = "selfish"
_RANDOM: Final = "random"
_MOST_WORLDS: Final = 120
_FEWEST_PLAYS: Final = 3
"""Heroes that could be played first, at least; one of two would be guessed."""

_SUITABLE: Final[dict[str, tuple[int, ...]]] = {
    Theme.COPY_CHAIN: tuple(sorted(COPYING)),
    Theme.FORCED_BURIAL: tuple(
        card
        for card, hero in enumerate(HEROES)
        if any(step.verb in ("bury", "expose", "random bury") for step in hero.steps)
    ),
    Theme.FORCED_CHOICE: tuple(
        CARD_NUMBER[name]
        for name in ("Overworked Amazon", "Saber-Toothed Troll", "Doubtful Priest")
    ),
}
"""Heroes worth having in hand for a puzzle of that theme."""


class HiddenLeadersPuzzles(PuzzleMaterial):
    """Endings, themes and words for puzzles of Hidden Leaders."""

    hidden_theme = Theme.HIDDEN_CARDS
    denial_theme = Theme.DENYING

    def ending_of(self, state: State) -> PosedPosition | None:
        """A turn begins, and one more open hero would end the game."""
        assert isinstance(state, HiddenLeaders)
        most = max(state.size(Zone.OPEN + seat) for seat in range(state.players))
        if state.actor < 0 or most + 1 < state.threshold:
            return None
        position = position_of(state)
        if position.pending != (TURN_FRAME,):
            return None
        return PosedTable(simplify.turned(position))

    def random_ending(self, dice: random.Random, players: int, theme: str) -> PosedPosition | None:
        position = random_endings.random_ending(dice, players, _SUITABLE.get(theme, ()))
        if theme == Theme.EMPEROR and EMPEROR in position.unused():
            return None
        return PosedTable(position)

    def questions(self, dice: random.Random, position: PosedPosition) -> list[PosedQuestion]:
        """Wins this turn and later, defences, and both with something unknown.

        Longer questions leave out the piles, so that nothing is drawn by chance, and often the
        tavern as well.
        """
        table = _position(position)
        bare, calm = (PosedTable(less(table)) for less in (simplify.without_luck, simplify.calm))
        denied = f"deny:{seat_name(dice.randrange(1, table.players))}"
        questions = [PosedQuestion(position, "win", 1, _AGAINST)]
        for turns in (2, 3):
            for quiet in (bare, calm):
                questions.append(PosedQuestion(quiet, denied, turns, _AGAINST))
                questions.append(PosedQuestion(quiet, "win", turns, _AGAINST))
            questions.append(PosedQuestion(bare, "win", turns, _SELFISH))
            questions.append(PosedQuestion(bare, "win", turns, _RANDOM))
        for goal, turns in (("win", 1), ("win", 1), (denied, 2)):
            hidden = random_endings.hide_cards(dice, table)
            if hidden is not None and world_count(hidden) <= _MOST_WORLDS:
                questions.append(PosedQuestion(PosedTable(hidden), goal, turns, _AGAINST))
        return questions

    def with_full_deck(self, position: PosedPosition) -> PosedPosition | None:
        table = _position(position)
        if any(UNKNOWN in cards for _, cards in table.places()):
            return None  # the deck says what these cards may be
        full = replace(table, deck=RETAIL)
        return None if full.problems() else PosedTable(full)

    def simpler(self, position: PosedPosition) -> Iterator[PosedPosition]:
        for less in simplify.thinner(_position(position)):
            if not less.problems():
                yield PosedTable(less)

    def enough_choices(self, moves: Sequence[int]) -> bool:
        return sum(not self.is_quiet(move) for move in moves) >= _FEWEST_PLAYS

    def is_quiet(self, move: int) -> bool:
        return move >= Move.DISCARD

    line_themes = staticmethod(line_themes)
    plain_theme = staticmethod(plain_theme)

    def hero(self, position: PosedPosition) -> str:
        return LEADERS[_position(position).seats[0].leader].name

    def remarks(self, position: PosedPosition, dice: random.Random) -> list[str]:
        return puzzle_words.remarks(_position(position), dice)


def _position(posed: PosedPosition) -> Position:
    assert isinstance(posed, PosedTable)
    return posed.position
