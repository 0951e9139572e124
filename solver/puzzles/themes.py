"""The themes of a solved puzzle: what its answer turns on."""

from __future__ import annotations

from games.errors import GameError
from games.puzzle_material import PuzzleMaterial, SolutionLine
from games.registry import Game, game, game_names
from games.state import NOBODY
from solver.answer import MoveValue
from solver.ask import Solution
from solver.search.alpha_beta import after


def all_themes() -> tuple[str, ...]:
    """The themes of all games."""
    return tuple(theme for name in game_names() for theme in game(name).puzzle_themes)


def puzzle_material(rules: Game) -> PuzzleMaterial:
    """What the game offers for making puzzles; GameError if nothing."""
    if rules.puzzles is None:
        raise GameError(f"no puzzles can be made of {rules.title}")
    return rules.puzzles


def themes(solution: Solution) -> tuple[str, ...]:
    """All themes of the answer, most telling first."""
    material = puzzle_material(solution.query.game)
    if solution.hidden:
        return (material.hidden_theme,)
    answer = solution.answer
    line = _line(solution, answer.best[0])
    denying = answer.question.goal.unless_decided and material.denial_theme
    names = [material.denial_theme] if denying else []
    names += material.line_themes(line)
    if not names:
        ends = [_line(solution, value).end for value in answer.values]
        names = [material.plain_theme(line, ends)]
    return tuple(names)


def _line(solution: Solution, value: MoveValue) -> SolutionLine:
    moves = tuple(move for _, move in value.line)
    states = [solution.worlds[0]]
    for move in moves:
        states.append(after(states[-1], move))
    last = states[-1]
    end = last if last.actor == NOBODY else last.settled_end() or last
    return SolutionLine(solution.answer.question.seat, tuple(states), moves, end)
