"""One attempt at a puzzle in the browser: what the page is sent after every step.

Nothing that is sent depends on hidden cards: tables show what all positions have in common that the
person cannot tell apart. Values and best moves are sent only when they are asked for, or once the
choice that they are about has been made.
"""

from __future__ import annotations

from fractions import Fraction
from threading import Lock
from typing import Final
from urllib.parse import urlencode

from arena.match.narrator import Narrator
from arena.web.server.requests import BadRequest
from games.forms.picture import TablePicture
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.ask import Solution
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.line_text import finish_text
from solver.puzzles.files import Puzzle
from solver.puzzles.refutation import refute
from solver.puzzles.task import HINT_COUNT, puzzle_hint
from solver.puzzles.trial import TrialChoice, TrialMove, start_trial

NODES: Final = 5 * USUAL_NODES
"""Positions visited for the answers to one person's choices."""


class PuzzleSession:
    """A person's way through one puzzle."""

    def __init__(
        self, puzzle: Puzzle, solved: Solution, seed: int, has_analysis: bool = True
    ) -> None:
        self.puzzle = puzzle
        self.has_analysis = has_analysis
        """Whether there is an analysis board to go to."""
        self.rules = puzzle.query.game
        self.solved = solved
        self.trial = start_trial(solved, seed, puzzle.ask == "sure", NodeBudget(NODES))
        self.hidden = len(solved.worlds) > 1 or solved.idle
        self.lock = Lock()
        self.missed = False
        """Whether a choice was not best, even if it was taken back."""
        self.helped = False
        """Whether a hint was given or the answer was shown."""
        self.recorded = False
        """Whether the attempt was counted."""
        self.notice = ""
        """What the person should know besides."""
        self.hints: list[str] = []
        """Those about the present choice."""
        players = puzzle.query.position.players
        self.names = ["you" if seat == self.trial.seat else "" for seat in range(players)]
        self._skip()

    def _skip(self) -> None:
        """Make choices that are none."""
        trial = self.trial
        while trial.reached is None and (forced := trial.forced) is not None:
            trial.choose(forced)

    # ---- what the person does ---------------------------------------------------------------

    def choose(self, move: object) -> None:
        if self.trial.reached is not None:
            raise BadRequest("the puzzle is over; try it again or take the next one")
        if move not in self.trial.moves or isinstance(move, bool):
            raise BadRequest(f"{move!r} is not one of your choices now")
        assert isinstance(move, int)
        self.trial.choose(move)
        self.missed |= not self.trial.choices[-1].kept
        self.hints = []
        self._skip()

    def undo(self) -> None:
        """Back to the last choice among several moves."""
        trial = self.trial
        if not self.may_undo:
            raise BadRequest("there is nothing to take back yet")
        trial.undo()
        while trial.forced is not None:
            trial.undo()
        self.hints = []

    @property
    def may_undo(self) -> bool:
        return self.trial.last_choice is not None

    def hint(self) -> None:
        if self.trial.reached is not None:
            raise BadRequest("there is nothing left to choose")
        if len(self.hints) == HINT_COUNT:
            raise BadRequest("that was the last hint")
        self.helped = True
        self.hints.append(puzzle_hint(self.puzzle, self.trial, len(self.hints) + 1))

    @property
    def solved_by_person(self) -> bool:
        """Whether the puzzle is over and every move that was kept was best."""
        return self.trial.reached is not None and self.trial.solved_so_far

    # ---- what the page is sent --------------------------------------------------------------

    def faces(self) -> dict[str, object]:
        """What does not change during the attempt."""
        return {
            "faces": self.rules.picture.faces(),
            "roleWord": self.rules.role_word,
            "observer": self.trial.seat,
            "seats": [
                {"letter": seat_name(seat), "name": name} for seat, name in enumerate(self.names)
            ],
        }

    def as_json(self) -> dict[str, object]:
        trial = self.trial
        over = trial.reached is not None
        table = trial.alike()[0]
        choices = [] if over else self.rules.picture.choices(self.rules, table, trial.moves)
        return {
            "table": self.table(trial.alike()),
            "choices": [
                {**choice, "help": self.rules.help.hint(choice["text"])} for choice in choices
            ],
            "story": [self._told(made) for made in trial.history if not made.silent],
            "worlds": self._worlds(),
            "verdict": self._verdict(),
            "hints": self.hints,
            "hintsLeft": 0 if over else HINT_COUNT - len(self.hints),
            "mayUndo": self.may_undo,
            "over": over,
            "solved": self.solved_by_person,
            "result": self._result() if over else "",
            "analysis": self._analysis() if over and self.has_analysis else "",
            "notice": self.notice,
        }

    def table(self, states: list[State]) -> TablePicture:
        """What is certain on the table if it is one of these."""
        table = states[0]
        if self.hidden:
            table = self.solved.query.position.agreed_table(states, self.solved.idle)
        return self.rules.picture.table(self.rules, table)

    def _told(self, made: TrialMove, open_cards: bool = False) -> dict[str, object]:
        """A move in words."""
        seat = None if open_cards or not self.hidden else self.trial.seat
        narrator = Narrator(self.rules, self.names, seat)
        seen = made.seen or open_cards
        actor = made.table.actor
        tell = narrator.outcome_text if actor == CHANCE else narrator.move_text
        words = tell(made.table, made.move) if seen else "something unseen"
        if actor == CHANCE:
            return {"who": "Chance", "text": words}
        you = " (you)" if actor == self.trial.seat else ""
        return {"who": f"{seat_name(actor)}{you}", "text": words}

    def _worlds(self) -> dict[str, object] | None:
        """What the unknown cards may be; None if nothing is unknown."""
        if not self.hidden or self.trial.reached is not None:
            return None
        position = self.solved.query.position
        return {
            "possible": len(self.trial.possible()),
            "of": len(self.solved.worlds),
            "doubts": position.doubts(self.trial.alike(), self.solved.idle),
        }

    # ---- verdicts ---------------------------------------------------------------------------

    def _verdict(self) -> dict[str, object] | None:
        """About the last choice among several moves; None before the first."""
        last = self.trial.last_choice
        if last is None:
            return None
        words = self.rules.text.move(last.table, last.move)
        if last.kept:
            return {"kept": True, "text": f"Right: {words}."}
        return {"kept": False, "text": f"Not the best: {words}. {_cost(last)}"}

    def _result(self) -> str:
        trial = self.trial
        if trial.solved_so_far:
            luck = "" if trial.reached else " Bad luck this time, but that does not count."
            return f"Solved: every move was best.{luck}"
        lucky = " You were lucky." if trial.reached else ""
        return f"Not solved.{lucky}"

    def _analysis(self) -> str:
        """The address of the analysis board with this puzzle."""
        query = self.solved.query
        asked = {"game": self.rules.name, "position": str(query.position), "goal": query.goal}
        more = {"horizon": query.horizon, "others": query.others}
        return f"/analysis?{urlencode({**asked, **more})}"

    def answer(self) -> dict[str, object]:
        """What every choice is worth now."""
        if self.trial.reached is not None:
            raise BadRequest("there is nothing left to choose; take a move back first")
        self.helped = True
        options = self.trial.options()
        most = max(options.values())
        return {
            "values": [
                {"move": move, "value": chance_text(value), "best": value == most}
                for move, value in sorted(options.items(), key=lambda option: -option[1])
            ]
        }

    def why(self) -> dict[str, object]:
        """The last wrong choice, played out until it fails."""
        line = refute(self.trial)
        told = [number for number, made in enumerate(line.moves) if not made.silent]
        tables = [line.tables[0], *(line.tables[number + 1] for number in told)]
        return {
            "assumed": "the cards you do not know lie as shown here" if self.hidden else "",
            "moves": [self._told(line.moves[number], open_cards=True) for number in told],
            "tables": [self.table([state]) for state in tables],
            "end": self._ending(line.end),
        }

    def _ending(self, end: State) -> str:
        if end.actor != NOBODY:
            return "The goal is missed: the time is up."
        verdict = self.rules.verdict(end)
        if not verdict:
            words = finish_text(self.rules, end)
            return f"{words[0].upper()}{words[1:]}."
        winners = " and ".join(
            "you" if seat == self.trial.seat else seat_name(seat) for seat in end.winners()
        )
        return f"{verdict} wins, and with it {winners or 'nobody'}."


def _cost(choice: TrialChoice) -> str:
    if choice.left == 0:
        return "It fails."
    return (
        f"It works with a chance of {chance_text(choice.left)}; "
        f"{chance_text(choice.had)} was possible."
    )


def chance_text(value: Fraction) -> str:
    """A chance as people read it: 1, 2/3 (67 %)."""
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.0%})"
