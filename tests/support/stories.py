"""Tests of Hidden Leaders as paragraphs of text: a title, a table, a script, and what has changed.

    R22 the marker part is over before the text begins
    given A hand Shaky Sharpshooter; B open Ace Fighter
    when  play Shaky Sharpshooter; A: [red +1] / green -1; A: [bury Ace Fighter]
    then  markers 5 4; B open -; graveyard Ace Fighter

Pieces are separated by semicolons or line ends; a long part is several lines with the same first
word. `given` is a table and `when` a script, both as in `tests.support.scenario`, where "draws Keen
Koi, Ace Fighter" and "chance Keen Koi" are outcomes of chance and "end turn" finishes the turn. All
cards must be resolved at the end, unless the last piece is a question left open: "pass / red +1".

`then` lists all that differs from the table as it was given, and nothing else ("-" if nothing
does). It may also name the harbor, "turn B" (whose turn it is), "winner A" and "winner -" (the game
is over), "playing" (it is not) and "won by Empire".
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from games.hidden_leaders.rules.constants import FACTION_NAMES
from tests.support.scenario import QUESTION, SEATS, Scenario, card_list, chance, draws, given


@dataclass(frozen=True)
class Story:
    """One paragraph, in pieces."""

    given: list[str]
    when: list[str]
    then: list[str]

    def tell(self) -> Scenario:
        """The table after the script."""
        game = given(*self.given)
        for piece in self.when:
            play(game, piece)
        last = self.when[-1] if self.when else ""
        if not QUESTION.fullmatch(last) or "[" in last:
            game.check_resolved()
        return game

    def check(self) -> None:
        game = self.tell()
        changes: dict[str, object] = {}
        for piece in self.then:
            key, _, value = piece.partition(" ")
            if key == "markers":
                changes["markers"] = tuple(map(int, value.split()))
            elif key in SEATS:
                zone, _, names = value.partition(" ")
                changes[f"{key}'s {zone}"] = card_list(names)
            elif key in ("tavern", "graveyard", "wilderness"):
                changes[key] = card_list(value)
            elif piece != "-":
                assert piece in facts(game, key), f"not '{piece}' but {facts(game, key)}"
        assert game.changes() == changes, f"{game.changes()} has changed"


def facts(game: Scenario, about: str) -> list[str]:
    """What is true of the game beyond what lies where."""
    if about == "harbor":
        return [f"harbor {', '.join(game.harbor) or '-'}"]
    if not game.over:
        return ["playing", f"turn {SEATS[game.turn]}"]
    winner = "-" if game.winner is None else SEATS[game.winner]
    faction = FACTION_NAMES.get(game.state.faction, "nobody")
    return [f"winner {winner}", f"won by {faction}"]


def play(game: Scenario, piece: str) -> None:
    key, _, names = piece.partition(" ")
    if piece == "end turn":
        game.end_turn()
    elif key in ("draws", "chance"):
        game.choose((draws if key == "draws" else chance)(*names.split(", ")))
    else:
        game.choose(piece)


def stories(text: str) -> pytest.MarkDecorator:
    """Runs a test with every paragraph as its parameter `story`."""
    cases = []
    for paragraph in text.strip().split("\n\n"):
        title, *lines = paragraph.splitlines()
        pieces: dict[str, list[str]] = {"given": [], "when": [], "then": []}
        for line in lines:
            word, _, rest = line.partition(" ")
            pieces[word] += rest.strip().split("; ")
        cases.append(pytest.param(Story(**pieces), id=title))
    return pytest.mark.parametrize("story", cases)
