"""Lines of play in words: what could have followed a move, and what really did."""

from __future__ import annotations

from collections.abc import Sequence

from arena.match.game_view import GameView
from games.registry import Game
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.line_text import finish_text


def turn_story(rules: Game, state: State, steps: Sequence[int]) -> list[str]:
    """The steps of one turn, without the drawing and discarding at its end.

    A good move may lose with the cards as they lay, which its player could not know.
    """
    table, words = state.copy(), []
    for step in steps:
        if not rules.analysis.only_cleanup(table) and step != table.idle_move():
            text = rules.text.move(table, step)
            words.append(text if table.actor == CHANCE else f"{seat_name(table.actor)}: {text}")
        table.play(step)
    while table.turns == state.turns and rules.analysis.only_cleanup(table):
        table.play(table.moves()[0])
    ending = _ending(rules, table)
    if ending and not table.wins(state.actor):
        ending = [f"{ending[0]} (as the cards lay, this would not have won either)"]
    return [*words, *ending]


def what_followed(shown: GameView, at: int) -> list[str]:
    """What came after a move: the rest of the turn, then how each turn began, until the player's
    own next turn or the end of the game.
    """
    rules = shown.rules
    table = shown.state(at - 1)
    seat, first = table.actor, table.turns
    last, words = first, list[str]()
    for step in shown.replay.moves[shown.ply(at - 1) :]:
        begins = table.turns != last
        if begins and table.actor == seat:
            break
        if table.actor != CHANCE:
            last = table.turns
            if begins or (last == first and not rules.analysis.only_cleanup(table)):
                words.append(f"{seat_name(table.actor)}: {rules.text.move(table, step)}")
        table.play(step)
    return [*words[1:], *_ending(rules, table)]


def _ending(rules: Game, state: State) -> list[str]:
    return [finish_text(rules, state)] if state.actor == NOBODY else []
