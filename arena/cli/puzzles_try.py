"""`arena puzzles try`: a person plays a puzzle against the best defence."""

from __future__ import annotations

from urllib.parse import quote

import click

from arena.cli.browser import browser_option
from arena.cli.completion import complete_puzzles
from arena.cli.console import format_table, wrap
from arena.cli.dialog import Dialog
from arena.cli.exit_codes import FAILED
from arena.cli.options import nodes_option, seed_option
from arena.cli.puzzle_pages import serve_puzzles
from arena.cli.solve_report import SolveReport, value_text
from arena.cli.solver_work import solve_puzzle
from arena.match.narrator import Narrator
from games.errors import GameError
from games.seats import seat_name
from games.state import CHANCE, State
from solver.ask import Solution
from solver.core.budget import NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle
from solver.puzzles.trial import Trial, TrialMove, start_trial


@click.command("try")
@click.argument("name", shell_complete=complete_puzzles)
@browser_option
@seed_option
@nodes_option("positions visited to solve the puzzle, and again to answer you")
def try_command(name: str, browser: bool, seed: int, nodes: int) -> int:
    """Solve a puzzle yourself, against the best defence.

    NAME is a puzzle from `arena puzzles` or a file. Choose by number or by words. The others play
    as the puzzle says: a coalition always finds what is worst for you. The seed decides chance
    events and what the unknown cards are. A puzzle is solved if each of your moves was best, with
    or without hints. Exit code 0 if solved, 1 if not.

    \b
    Examples:
      arena puzzles try doubt
      arena puzzles try fewer-is-more --seed 3
      arena puzzles try my-puzzle.toml
      arena puzzles try doubt --browser
    """
    puzzle = load_puzzle(find_puzzle(name))
    if browser:
        serve_puzzles(f"/{quote(puzzle.name)}", [puzzle])
        return 0
    solved = solve_puzzle(puzzle, nodes)
    trial = start_trial(solved, seed, puzzle.ask == "sure", NodeBudget(nodes))
    try:
        return 0 if PuzzleDialog(puzzle, solved, trial).run() else FAILED
    except KeyboardInterrupt:
        click.echo("")  # end the line with the prompt
        raise


class PuzzleDialog(Dialog):
    """One attempt at a puzzle by the person at the keyboard."""

    commands = """\
  3 or words   make that choice; the first words are enough
  hint (h)     a hint; ask again for a second one
  undo (b)     take back your last choice
  value        your best winning chance now, and what your last choice cost
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
        self.hidden = len(solved.worlds) > 1 or solved.idle
        """Whether there are cards that the person may not see."""
        self.report = SolveReport(solved, 0.0)
        players = puzzle.query.position.players
        names = ["you" if seat == trial.seat else "" for seat in range(players)]
        self.narrator = Narrator(self.rules, names, trial.seat if self.hidden else None)
        self.hints = self.undone = 0
        self.answer_shown = False
        self.hints_here = 0
        """Hints about the present choice."""

    def table(self) -> State:
        return self.trial.state

    def moves(self) -> list[int]:
        return self.trial.moves

    def run(self) -> bool:
        """Let the person choose until the goal is decided; true if the puzzle was solved."""
        trial = self.trial
        click.echo(f"{self.puzzle.title}\n{wrap(self.puzzle.story)}\n")
        self.draw_table()
        click.echo("\n" + "\n".join(map(wrap, self.solved.answer.sentences())))
        click.echo(f"You are {seat_name(trial.seat)}. Type ? for help.")
        while trial.reached is None:
            if len(trial.moves) == 1:
                trial.choose(trial.moves[0])
            elif not self.decide():
                click.echo("You left the puzzle unsolved.")
                return False
            self.report_moves()
        self.report_result()
        return trial.solved_so_far

    def decide(self) -> bool:
        try:
            return super().decide()
        except EOFError:
            click.echo("")
            return False

    def draw_table(self) -> None:
        """The table; of hidden cards only what the person may know."""
        trial = self.trial
        if not self.hidden:
            click.echo(self.rules.text.draw(trial.state, None))
            return
        position = self.puzzle.query.position
        click.echo(self.rules.text.draw(trial.state, trial.seat))
        click.echo(wrap(f"The puzzle's position: {position}", indent=4))
        possible = trial.possible()
        click.echo(f"{len(possible)} of {len(self.solved.worlds)} worlds are still possible.")
        for world in possible if len(possible) <= 6 else ():
            click.echo(f"  {position.told(world, self.solved.idle)}")

    def report_moves(self) -> None:
        """What has happened since the last report, and the table if another seat moved."""
        fresh = self.trial.history[self.reported :]
        self.reported = len(self.trial.history)
        self.hints_here = 0
        click.echo("\n" + wrap("\n".join(map(self.move_line, fresh)), indent=4))
        others = any(made.table.actor != self.trial.seat for made in fresh)
        if self.trial.reached is None and (others or self.hidden):
            click.echo("")
            self.draw_table()

    def move_line(self, made: TrialMove) -> str:
        words = self.narrator.move_text(made.table, made.move) if made.seen else "something unseen"
        actor = made.table.actor
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
        """First how many choices are best, then what one of them is about."""
        options = self.trial.options()
        best = [move for move, value in options.items() if value == max(options.values())]
        self.hints += 1
        self.hints_here += 1
        if self.hints_here == 1:
            counts = f"{len(best)} of {len(options)} choices"
            are = "is" if len(best) == 1 else "are"
            click.echo(f"{counts} {are} best. Theme: {self.puzzle.theme}.")
            return
        words = self.rules.text.move(self.trial.state, best[0])
        about = words.partition(" ")[2] or words
        click.echo(f"Look at {about}. (`solve` shows the answer.)")

    def undo(self) -> None:
        """Back to the last choice among several moves."""
        if not self.trial.choices:
            raise GameError("there is nothing to undo yet")
        self.trial.undo()
        while self.trial.choices and len(self.trial.moves) == 1:
            self.trial.undo()
        self.reported = len(self.trial.history)
        self.hints_here = 0
        self.undone += 1
        click.echo("Undone.\n")
        self.draw_table()
        self.offer_choices()

    def value(self) -> None:
        """The best winning chance now, and before and after the last choice."""
        best = max(self.trial.options().values())
        if self.trial.choices:
            last = self.trial.choices[-1]
            move = self.rules.text.move(last.table, last.move)
            click.echo(f"Your chance was {last.had}, and {last.left} after '{move}'.")
        click.echo(f"Your best chance of reaching the goal is now {best}.")

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
        if trial.solved_so_far:
            most = trial.choices[0].had
            unlucky = "" if trial.reached or most == 0 else ", but you were unlucky"
            chance = f"(winning chance {value_text((most, most))})"
            click.echo(wrap(f"Solved{self.help_used()}: every move was best {chance}{unlucky}."))
            return
        wrong = next(choice for choice in trial.choices if not choice.kept)
        chosen, *best = (
            f"'{self.rules.text.move(wrong.table, move)}'" for move in (wrong.move, *wrong.best)
        )
        text = f"Not solved: {' or '.join(best)} was best (winning chance {wrong.had}); "
        text += f"{chosen} left {wrong.left}.{' You were lucky.' * bool(trial.reached)}"
        click.echo(wrap(text))
        if wrong is trial.choices[0]:  # with hidden cards there is no line
            values = self.solved.answer.values
            line = next(value.line for value in values if value.move == wrong.best[0])
            if line:
                click.echo(wrap(f"Best line: {'; '.join(self.report.line(line))}."))

    def help_used(self) -> str:
        hints = {0: "", 1: "a hint"}.get(self.hints, f"{self.hints} hints")
        undos = {0: "", 1: "one undo"}.get(self.undone, f"{self.undone} undos")
        used = [each for each in (hints, undos, "the answer shown" * self.answer_shown) if each]
        return f" (with {' and '.join(used)})" if used else ""
