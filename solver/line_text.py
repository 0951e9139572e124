"""Lines of play in words: the moves that follow, and what they lead to."""

from __future__ import annotations

from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.ask import Solution
from solver.search.alpha_beta import LineStep


def line_text(solved: Solution, line: tuple[LineStep, ...]) -> list[str]:
    """The moves of the line, each with its seat, and the end; empty if there is no line."""
    texts = []
    state = solved.worlds[0].copy()
    for actor, move in line:
        words = solved.query.game.text.move(state, move)
        texts.append(words if actor == CHANCE else f"{seat_name(actor)}: {words}")
        state.play(move)
    return [*texts, ending_text(solved, state)] if line else []


def ending_text(solved: Solution, state: State) -> str:
    """What the line leads to, which shows why the move has its value."""
    question = solved.answer.question
    if question.verdict(state, question.last_turn(solved.worlds[0])) is None:
        return "... (not worked out)"
    if state.actor != NOBODY:
        return "the game goes on"
    verdict = solved.query.game.verdict(state)
    if not verdict:
        return "the game stops without a winner"
    winners = ", ".join(seat_name(seat) for seat in state.winners()) or "nobody"
    return f"{verdict} wins, and with it {winners}"
