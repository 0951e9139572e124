"""Lines of play in words: the moves that follow, and what they lead to."""

from __future__ import annotations

from games.registry import Game
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.ask import Solution
from solver.search.alpha_beta import LineStep


def line_text(solved: Solution, line: tuple[LineStep, ...]) -> list[str]:
    """The moves of the line, each with its seat, and the end; empty if there is no line.

    Talk is left out unless it is the move in question: only bots heed it.
    """
    texts: list[str] = []
    state = solved.worlds[0].copy()
    heeded = solved.answer.question.policy is not None
    for actor, move in line:
        if heeded or not texts or state.idle_move() < 0:
            words = solved.query.game.text.move(state, move)
            texts.append(words if actor == CHANCE else f"{seat_name(actor)}: {words}")
        state.play(move)
    return [*texts, ending_text(solved, state)] if line else []


def ending_text(solved: Solution, state: State) -> str:
    """What the line leads to, which shows why the move has its value."""
    question = solved.answer.question
    last = question.last_turn(solved.worlds[0])
    # Attempts at puzzles are played to the horizon, which may be a turn later than the last one
    # that matters.
    passed = 0 <= last <= state.turns
    if state.actor != NOBODY and not passed and question.verdict(state, last) is None:
        return "... (not worked out)"
    return finish_text(solved.query.game, state) if state.actor == NOBODY else "the game goes on"


def finish_text(rules: Game, state: State) -> str:
    """Who has won a finished game, in half a sentence; or why nobody has."""
    verdict = rules.verdict(state)
    if verdict:
        winners = ", ".join(seat_name(seat) for seat in state.winners()) or "nobody"
        return f"{verdict} wins, and with it {winners}"
    if rules.hit_turn_limit(state):
        return "the game stops without a winner"
    return rules.help.outcome(state).rpartition("\n")[2].rstrip(".") or "nobody wins"
