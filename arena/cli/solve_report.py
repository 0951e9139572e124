"""What the solver found, as text for people and as JSON for programs."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from fractions import Fraction

from tabulate import tabulate

from games.engine import engine_name
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.answer import MoveValue
from solver.ask import Solved
from solver.search.alpha_beta import Interval, Step

WIDTH = 88


@dataclass(frozen=True)
class SolveReport:
    """An answer with the time it took."""

    solved: Solved
    seconds: float

    # ---- for people -----------------------------------------------------------------------

    def as_text(self) -> str:
        answer = self.solved.answer
        lines = [
            *(textwrap.fill(said, WIDTH) for said in answer.sentences()),
            "",
            self._table(),
            "",
            self._verdict("Best", answer.best, [one.likely for one in answer.best]),
        ]
        if self.solved.hidden:
            surest = [one.sure for one in answer.surest]
            lines.append(self._verdict("Surest", answer.surest, surest))
        lines.append(self._footer())
        return "\n".join(lines)

    def _table(self) -> str:
        answer = self.solved.answer
        best = {one.move for one in answer.best}
        rows = []
        for one in sorted(answer.values, key=lambda one: (one.likely, one.sure), reverse=True):
            row = ["*" if one.move in best else "", self._words(one), shown(one.likely)]
            if self.solved.hidden:
                row += [shown(one.sure), self._worlds(one)]
            row.append(self._proof(one))
            rows.append(row)
        hidden = ["worst\nworld", "sure\nin"] if self.solved.hidden else []
        proof = "fails for example if" if self.solved.hidden else "then"
        headers = ["", "move", "value", *hidden, proof]
        widths = [None] * (len(headers) - 1) + [room_beside([row[:-1] for row in rows])]
        return tabulate(rows, headers=headers, disable_numparse=True, maxcolwidths=widths)

    def _words(self, one: MoveValue) -> str:
        return self.solved.asked.game.text.move(self.solved.worlds[0], one.move)

    def _worlds(self, one: MoveValue) -> str:
        sure = sum(chance == 1 for chance in one.worlds)
        return f"{sure} of {len(self.solved.worlds)}" if one.worlds else "?"

    def _proof(self, one: MoveValue) -> str:
        """How it goes on; with hidden cards, a world in which it goes wrong."""
        if not self.solved.hidden:
            return "; ".join(self.line(one.line)[1:])
        worst = min(one.worlds, default=Fraction(1))
        if worst == 1:
            return ""
        world = self.solved.worlds[one.worlds.index(worst)]
        return self.solved.asked.position.told(world, self.solved.idle)

    def line(self, line: tuple[Step, ...]) -> list[str]:
        """The line in words, each choice with its seat."""
        said = []
        state = self.solved.worlds[0].copy()
        for actor, move in line:
            words = self.solved.asked.game.text.move(state, move)
            said.append(words if actor == CHANCE else f"{seat_name(actor)}: {words}")
            state.play(move)
        return [*said, self.ending(state)] if line else []

    def ending(self, state: State) -> str:
        """What the line leads to, so that one sees why the move is worth what it is."""
        question = self.solved.answer.question
        if question.verdict(state, question.deadline(self.solved.worlds[0])) is None:
            return "..."
        if state.actor != NOBODY:
            return "the game goes on"
        verdict = self.solved.asked.game.verdict(state)
        if not verdict:
            return "the game stops without a winner"
        winners = ", ".join(seat_name(seat) for seat in state.winners()) or "nobody"
        return f"{verdict} wins, and with it {winners}"

    def _verdict(self, name: str, moves: list[MoveValue], values: list[Interval]) -> str:
        """The best moves; if some only may be, the proven ones apart from them."""
        least = max(high for _, high in values)
        proven = [one for one, (low, _) in zip(moves, values, strict=True) if low == least]
        perhaps = [self._words(one) for one in moves if one not in proven]
        if len(proven) == len(self.solved.answer.values) > 1:
            return f"{name}: all moves are worth the same ({least})."
        said = f"{name}: {', '.join(self._words(one) for one in proven) or 'not proven'}"
        said += f" ({least})" if proven else ""
        if perhaps:
            said += f"; perhaps {', '.join(perhaps)}"
        return textwrap.fill(f"{said}.", WIDTH, break_on_hyphens=False)

    def _footer(self) -> str:
        answer = self.solved.answer
        exact = "Exact" if answer.exact else f"Not exact, a bound: {answer.why}"
        return f"{exact}; {answer.nodes} positions, {self.seconds:.1f} s, {engine_name()} engine."

    # ---- for programs ---------------------------------------------------------------------

    def as_json(self) -> dict[str, object]:
        asked, answer = self.solved.asked, self.solved.answer
        return {
            "game": asked.game.name,
            "position": str(asked.position),
            "goal": asked.goal,
            "horizon": asked.horizon,
            "others": asked.others,
            "sight": "own" if self.solved.hidden else "all",
            "meaning": answer.sentences(),
            "worlds": len(self.solved.worlds),
            "exact": answer.exact,
            "why_not_exact": answer.why,
            "nodes": answer.nodes,
            "seconds": round(self.seconds, 3),
            "engine": engine_name(),
            "best": [self._words(one) for one in answer.best],
            "surest": [self._words(one) for one in answer.surest],
            "moves": [
                {
                    "move": self._words(one),
                    "value": [str(bound) for bound in one.likely],
                    "worst_world": [str(bound) for bound in one.sure],
                    "line": self.line(one.line),
                    "in_each_world": [str(chance) for chance in one.worlds],
                }
                for one in answer.values
            ],
        }


def room_beside(rows: list[list[str]]) -> int:
    """What these columns of a table leave of a line for one more, from a third of it to a half."""
    taken = sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True))
    return min(max(WIDTH - taken, WIDTH // 3), WIDTH // 2)


def shown(value: Interval) -> str:
    """A value as a fraction and, unless that says it all, as a decimal; or its bounds."""
    low, high = value
    if low != high:
        return f"{low} to {high}"
    return str(low) if low.denominator == 1 else f"{low} ({float(low):.3f})"
