"""A person at a puzzle: choices, hints, undo, misses, and what they come to."""

from __future__ import annotations

import click

from arena.cli.console import format_table, wrap
from arena.cli.dialog import Dialog, ask
from arena.cli.solve_report import SolveReport, value_text
from arena.match.narrator import Narrator
from games.errors import GameError
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from solver.ask import Solution
from solver.puzzles.files import Puzzle
from solver.puzzles.task import HINT_COUNT, chance_name, measure_words, puzzle_hint
from solver.puzzles.trial import Trial, TrialMove


class PuzzleDialog(Dialog):
    """One sitting at a puzzle: the first attempt and, after a miss, as many more as wanted."""

    commands = """\
  3 or words   make that choice; the first words are enough
  hint (h)     a hint; ask again for more, up to three
  undo (b)     take back your last choice
  value        your best chance now, and what your last choice cost
  solve        show what every choice is worth
  table        show the table
  ? NAME       help on {topics}
  ? 3          help on the card in that choice
  quit (q)     leave the puzzle"""

    def __init__(self, puzzle: Puzzle, solved: Solution, trial: Trial) -> None:
        super().__init__(puzzle.query.game)
        self.puzzle = puzzle
        self.solved = solved
        self.trial = trial
        self.report = SolveReport(solved, 0.0)
        self.chance = chance_name(puzzle)
        players = puzzle.query.position.players
        names = ["you" if seat == trial.seat else "" for seat in range(players)]
        self.narrator = Narrator(self.rules, names, trial.seat if solved.hidden else None)
        self.hints = self.undone = self.misses = 0
        self.answer_shown = False
        self.hints_here = 0
        """Hints about the present choice."""

    @property
    def helped(self) -> bool:
        """Whether there was help, or a miss that was taken back."""
        return bool(self.hints or self.undone or self.misses or self.answer_shown)

    @property
    def winning_chance(self) -> str:
        wins = self.puzzle.ask != "sure" and self.puzzle.query.goal == "win"
        return f"winning {self.chance}" if wins else self.chance

    @property
    def begun(self) -> bool:
        """Whether the person has done anything that makes it an attempt."""
        return self.helped or bool(self.trial.choices)

    def table(self) -> State:
        return self.trial.state

    def moves(self) -> list[int]:
        return self.trial.moves

    def run(self) -> bool:
        """Let the person try until it is solved or left; true if it was solved."""
        click.echo(f"{self.puzzle.title}\n{wrap(self.puzzle.story)}\n")
        self.draw_table()
        sentences = [*self.solved.answer.sentences(), measure_words(self.puzzle)]
        click.echo("\n" + "\n".join(map(wrap, filter(None, sentences))))
        click.echo(f"You are {seat_name(self.trial.seat)}. Type ? for help.")
        while True:
            if not self.attempt():
                click.echo("You left the puzzle unsolved.")
                return False
            self.report_result()
            if self.trial.solved_so_far:
                return True
            if not self.again():
                self.tell_answer()
                return False

    def attempt(self) -> bool:
        """Let the person choose until the goal is decided; false if the person leaves."""
        while self.trial.reached is None:
            if not self.skip() and not self.decide():
                return False
            self.skip()
            self.report_moves()
        return True

    def skip(self) -> bool:
        """Make choices that are none; true if there were any."""
        before = len(self.trial.choices)
        while self.trial.reached is None and (forced := self.trial.forced) is not None:
            self.trial.choose(forced)
        return len(self.trial.choices) > before

    def again(self) -> bool:
        """After a miss: whether to go on from the last choice, or from the first."""
        while True:
            try:
                word = ask("undo (b), again (a), solve (s) or quit (q)? ").casefold()
            except EOFError:
                click.echo("")
                return False
            if word in ("solve", "s"):
                self.answer_shown = True
                click.echo(self.report.as_text())
            elif word in ("undo", "back", "b"):
                self.take_back()
                return True
            elif word in ("again", "a"):
                while self.trial.choices:
                    self.trial.undo()
                self.reported = self.hints_here = 0
                self.draw_table()
                return True
            elif word in ("quit", "q", "exit"):
                return False
            else:
                click.echo("type b, a, s or q")

    def decide(self) -> bool:
        try:
            return super().decide()
        except EOFError:
            click.echo("")
            return False

    def draw_table(self) -> None:
        """The table; of hidden cards only what the person may know."""
        trial = self.trial
        if not self.solved.hidden:
            click.echo(self.rules.text.draw(trial.state, None))
            return
        position, states = self.puzzle.query.position, trial.known.states
        table = position.agreed_table(states, self.solved.idle)
        click.echo(self.rules.text.draw(table, None))
        for doubt in position.doubts(states, self.solved.idle):
            click.echo(wrap(doubt))
        possible, worlds = len(trial.possible()), len(self.solved.worlds)
        if possible < worlds:
            click.echo(f"{possible} of {worlds} worlds are still possible.")

    def report_moves(self) -> None:
        """What has happened since the last report, and the table if another seat moved."""
        fresh = self.trial.history[self.reported :]
        self.reported = len(self.trial.history)
        self.hints_here = 0
        told = [made for made in fresh if not made.silent]
        click.echo("\n" + wrap("\n".join(map(self.move_line, told)), indent=4))
        self.report_miss()
        others = any(made.table.actor != self.trial.seat for made in fresh)
        if self.trial.reached is None and (others or self.solved.hidden):
            click.echo("")
            self.draw_table()

    def report_miss(self) -> None:
        """Say at once that the last choice was not best; the person may take it back or go on."""
        last = self.trial.last_choice
        if last is None or last.kept:
            return
        self.misses += 1
        go_on = "" if self.trial.reached is not None else " Type undo to try again, or play on."
        lost = f"your {self.chance} was {last.had} and is now {last.left}"
        click.echo(wrap(f"A miss: {lost}.{go_on}"))

    def move_line(self, made: TrialMove) -> str:
        actor = made.table.actor
        tell = self.narrator.outcome_text if actor == CHANCE else self.narrator.move_text
        words = tell(made.table, made.move) if made.seen else "something unseen"
        if actor == CHANCE:
            return f"Chance: {words}"
        you = " (you)" if actor == self.trial.seat else ""
        return f"{seat_name(actor)}{you}: {words}"

    def respond(self, word: str, typed: str) -> bool | None:
        match word:
            case "quit" | "exit" | "q":
                return False
            case "hint" | "h":
                self.hint()
            case "undo" | "back" | "b":
                self.undo()
            case "value":
                self.value()
            case "solve":
                self.show_answer()
            case _:
                self.trial.choose(self.parse_choice(typed))
                return True
        return None

    def hint(self) -> None:
        """How many choices are best, then what one of them is about, then that one."""
        self.hints += 1
        self.hints_here = min(self.hints_here + 1, HINT_COUNT)
        click.echo(puzzle_hint(self.puzzle, self.trial, self.hints_here))

    def undo(self) -> None:
        """Back to the last choice among several moves."""
        if self.trial.last_choice is None:
            raise GameError("there is nothing to undo yet")
        self.take_back()
        self.offer_choices()

    def take_back(self) -> None:
        self.trial.undo()
        while self.trial.choices and self.trial.forced is not None:
            self.trial.undo()
        self.reported = len(self.trial.history)
        self.hints_here = 0
        self.undone += 1
        click.echo("Undone.\n")
        self.draw_table()

    def value(self) -> None:
        """The best chance now, and before and after the last choice."""
        best = max(self.trial.options().values())
        last = self.trial.last_choice
        if last is not None:
            move = self.rules.text.move(last.table, last.move)
            click.echo(f"Your {self.chance} was {last.had}, and {last.left} after '{move}'.")
        click.echo(f"Your best {self.chance} of reaching the goal is now {best}.")

    def show_answer(self) -> None:
        """What every choice is worth; at the first choice the whole report of the solver."""
        self.answer_shown = True
        if not self.trial.choices:
            click.echo(self.report.as_text())
            return
        ranked = sorted(self.trial.options().items(), key=lambda option: -option[1])
        rows = [(self.rules.text.move(self.trial.state, move), value) for move, value in ranked]
        click.echo(format_table(rows, ["move", "value"]))

    def report_result(self) -> None:
        trial = self.trial
        ending = self.report.ending(trial.state)
        click.echo(wrap(f"\nGoal {'reached' if trial.reached else 'missed'}: {ending}."))
        if trial.state.actor == NOBODY:
            why = self.rules.help.outcome(trial.state).splitlines()
            click.echo("\n".join(wrap(line, indent=4) for line in why if line != f"{ending}."))
        if trial.solved_so_far:
            most = trial.choices[0].had
            unlucky = "" if trial.reached or most == 0 else ", but you were unlucky"
            chance = f"({self.winning_chance} {value_text((most, most))})"
            best = "in the end every move was best" if self.misses else "every move was best"
            click.echo(wrap(f"Solved{self.help_used()}: {best} {chance}{unlucky}."))
            return
        wrong = next(choice for choice in trial.choices if not choice.kept)
        chosen = f"'{self.rules.text.move(wrong.table, wrong.move)}'"
        whole = f"{self.winning_chance} of {wrong.had}"
        text = f"Not solved: {chosen} left {wrong.left} of a {whole}."
        click.echo(wrap(f"{text}{' You were lucky.' * bool(trial.reached)}"))

    def tell_answer(self) -> None:
        """The better move at the first miss, and how it goes on."""
        wrong = next(choice for choice in self.trial.choices if not choice.kept)
        best = " or ".join(f"'{self.rules.text.move(wrong.table, move)}'" for move in wrong.best)
        click.echo(wrap(f"{best} was best ({self.winning_chance} {wrong.had})."))
        if wrong is self.trial.choices[0]:  # with hidden cards there is no line
            values = self.solved.answer.values
            line = next(value.line for value in values if value.move == wrong.best[0])
            if line:
                name = "Best line" if wrong.had in (0, 1) else "With bad luck"
                click.echo(wrap(f"{name}: {'; '.join(self.report.line(line))}."))

    def help_used(self) -> str:
        hints = {0: "", 1: "a hint"}.get(self.hints, f"{self.hints} hints")
        undos = {0: "", 1: "one undo"}.get(self.undone, f"{self.undone} undos")
        misses = {0: "", 1: "a miss"}.get(self.misses, f"{self.misses} misses")
        shown = "the answer shown" * self.answer_shown
        used = [each for each in (misses, hints, undos, shown) if each]
        return f" (with {' and '.join(used)})" if used else ""
