"""Puzzle material of Hidden Leaders: endings, simpler positions, titles and stories."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from games.hidden_leaders.positions import random_endings, simplify
from games.hidden_leaders.positions.position import TURN_FRAME, Position, position_of
from games.hidden_leaders.positions.worlds import PosedTable
from games.hidden_leaders.puzzle_themes import COPYING, Theme, line_themes, plain_theme
from games.hidden_leaders.rules.cards import CARD_NUMBER, EMPEROR, HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.cards import faction_words
from games.puzzle_material import PuzzleMaterial
from games.questions import PosedPosition
from games.seats import seat_name
from games.state import State

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

_TITLES: Final = {
    Theme.COPY_CHAIN: (
        "Second hand",
        "As seen before",
        "Borrowed skill",
        "An echo",
        "Do as they did",
    ),
    Theme.DENYING: (
        "Hold the line",
        "Not today",
        "The spoiler",
        "A foot in the door",
        "Closing time",
    ),
    Theme.EMPEROR: ("One of all", "The fifth banner", "Long live", "Crown and grave"),
    Theme.FORCED_BURIAL: ("A grave matter", "Somebody must go", "One less", "Deep down"),
    Theme.FORCED_CHOICE: ("Your choice, my win", "After you", "Neither will help", "A fair offer"),
    Theme.HIDDEN_CARDS: ("Face down", "In the dark", "Educated guess", "Behind the cards"),
    Theme.MARKERS: ("A step apart", "Red and green", "The right distance", "Small steps"),
    Theme.STRENGTH: ("The stronger party", "Who benefits", "One more friend", "Not for them"),
    Theme.TIE_BREAK: ("Neck and neck", "By a hair", "Even parties", "Equal is enough"),
}

_MARKERS_STAND: Final = (
    "Red stands at {red}, green at {green}.",
    "The markers are at {red} and {green}.",
)
_OPENINGS: Final = {
    Theme.COPY_CHAIN: (
        "What one hero can do, another can repeat.",
        "The best deeds are those of others.",
    ),
    Theme.DENYING: _MARKERS_STAND,
    Theme.EMPEROR: (
        "One hero is of every faction.",
        "The Emperor has no ability, and still he counts.",
    ),
    Theme.FORCED_BURIAL: (
        "Not every hero will stay.",
        "A hero in the graveyard counts for nobody.",
    ),
    Theme.FORCED_CHOICE: (
        "Another player will be asked to choose.",
        "You may have to leave the choice to somebody else.",
    ),
    Theme.HIDDEN_CARDS: ("Not everything lies open.", "Some of it you can only guess."),
    Theme.MARKERS: _MARKERS_STAND,
    Theme.STRENGTH: (
        "It is not enough that the right faction wins.",
        "Others are for the same faction.",
    ),
    Theme.TIE_BREAK: ("Two parties may come out equal.", "Equal strength is not the end of it."),
}


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

    def hide_cards(self, dice: random.Random, position: PosedPosition) -> PosedPosition | None:
        hidden = random_endings.hide_cards(dice, _position(position))
        return None if hidden is None else PosedTable(hidden)

    def without_luck(self, position: PosedPosition) -> PosedPosition:
        return PosedTable(simplify.without_luck(_position(position)))

    def with_full_deck(self, position: PosedPosition) -> PosedPosition | None:
        full = replace(_position(position), deck=RETAIL)
        return None if full.problems() else PosedTable(full)

    def simpler(self, position: PosedPosition) -> Iterator[PosedPosition]:
        for less in simplify.thinner(_position(position)):
            if not less.problems():
                yield PosedTable(less)

    def is_play(self, move: int) -> bool:
        return move < Move.DISCARD

    line_themes = staticmethod(line_themes)
    plain_theme = staticmethod(plain_theme)

    def titles(self, theme: str) -> Sequence[str]:
        return _TITLES[theme]

    def opening(self, theme: str, state: State, dice: random.Random) -> str:
        assert isinstance(state, HiddenLeaders)
        return dice.choice(_OPENINGS[theme]).format(red=state.red, green=state.green)

    def allegiance(self, state: State, seat: int) -> str:
        assert isinstance(state, HiddenLeaders)
        factions = LEADERS[state.leader(seat)].factions
        return f"{seat_name(seat)} supports {faction_words(factions, ' and ')}."

    def nearness(self, state: State) -> str:
        """Who could end the game with the next hero."""
        assert isinstance(state, HiddenLeaders)
        near = [
            seat_name(seat)
            for seat in range(state.players)
            if state.size(Zone.OPEN + seat) == state.threshold - 1
        ]
        if not near:
            return ""
        if len(near) == 1:
            return f"{near[0]} needs one more hero to end the game."
        return f"{', '.join(near[:-1])} and {near[-1]} each need one more hero to end the game."


def _position(posed: PosedPosition) -> Position:
    assert isinstance(posed, PosedTable)
    return posed.position
