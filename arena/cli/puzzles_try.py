"""`arena puzzles try`: a person plays a puzzle against the best defence."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Final

import click
from tabulate import tabulate

from arena.cli.options import seed_option
from arena.cli.play import ask, card_help, columns, explained, filled
from arena.cli.solve import node_budget
from arena.cli.solve_report import SolveReport, shown
from arena.match.narrator import Narrator
from bots.runtime.mid_game import hired
from games.errors import GameError, IllegalMove
from games.seats import seat_name
from games.state import CHANCE
from solver.ask import Solved
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle, prove
from solver.puzzles.trial import Choice, Deed, Trial, begin

FEW_WORLDS: Final = 6
"""Worlds that are listed; of more only the number is told."""

COMMANDS: Final = """\
  3 or words   make that choice; the beginning of its words is enough
  hint (h)     a hint; ask again for a second one
  undo (b)     back to your last choice
  value        what you can still reach, and what your last choice cost
  solve        what every choice is worth
  table        draw the table as it is now
  ? NAME       help on {topics}
  ? 3          help on the card in that choice
  quit (q)     leave the puzzle"""


@click.command("try")
@click.argument("name")
@seed_option
@click.option(
    "--nodes",
    type=click.IntRange(0),
    default=USUAL_NODES,
    show_default=True,
    help="Positions looked at, at most, first to solve the puzzle and then to answer you.",
)
def try_command(name: str, seed: int, nodes: int) -> int:
    """Try the puzzle NAME, or the one in that file, against the best defence.

    You choose by number or by words. The others do what the puzzle says of them: a coalition always
    finds what is worst for you. Luck, and what is true of unknown cards, goes by the seed. A puzzle
    counts as solved if every choice kept the most that could be had, with or without hints. Exit
    code 0 if solved, 1 if not.

    \b
    Examples:
      arena puzzles try doubt
      arena puzzles try fewer-is-more --seed 3
      arena puzzles try my-puzzle.toml
    """
    puzzle = load_puzzle(find_puzzle(name))
    with node_budget(nodes) as work:
        solved = prove(puzzle, work, hired)
    trial = begin(solved, seed, puzzle.ask == "sure", NodeBudget(nodes))
    attempt = Attempt(puzzle, solved, trial)
    try:
        return 0 if attempt.run() else 1
    except KeyboardInterrupt:
        click.echo("")  # the line with the question has no end yet
        raise


class Attempt:
    """Talks with the person who tries the puzzle."""

    def __init__(self, puzzle: Puzzle, solved: Solved, trial: Trial) -> None:
        self.puzzle = puzzle
        self.solved = solved
        self.trial = trial
        self.rules = puzzle.asked.game
        self.observed_move = len(solved.worlds) > 1 or solved.idle
        self.solution = SolveReport(solved, 0.0)
        names = [
            "you" if seat == trial.seat else "" for seat in range(puzzle.asked.position.players)
        ]
        self.teller = Narrator(self.rules, names, trial.seat if self.observed_move else None)
        self.told = 0
        """Deeds the person has been told of."""
        self.hints = self.undone = 0
        self.given_away = False
        self.asked_here = 0
        """Hints about the present choice."""
        self.read: set[str] = set()
        """What cards do, as far as it has been shown: once is enough."""

    def run(self) -> bool:
        """Let the person choose until all is settled; whether the puzzle was solved."""
        with suppress(ImportError):
            import_module("readline")  # arrow keys, where Python has it
        self.opening()
        trial = self.trial
        while trial.reached is None:
            if len(trial.moves) == 1:
                trial.choose(trial.moves[0])
            elif not self.decide():
                click.echo("You leave the puzzle unsolved.")
                return False
            self.news()
        self.verdict()
        return trial.solved_so_far

    # ---- showing --------------------------------------------------------------------------

    def opening(self) -> None:
        puzzle = self.puzzle
        click.echo(f"{puzzle.title}\n{filled(puzzle.story)}\n")
        self.table()
        click.echo("")
        for sentence in self.solved.answer.sentences():
            click.echo(filled(sentence))
        click.echo(f"You are {seat_name(self.trial.seat)}. Type ? for help.")

    def table(self) -> None:
        """The table; of hidden cards only what the person may know."""
        trial = self.trial
        if not self.observed_move:
            click.echo(self.rules.text.draw(trial.state, None))
            return
        click.echo(self.rules.text.draw(trial.state, trial.seat))
        click.echo(filled(f"Given was: {self.puzzle.asked.position}", indent=4))
        possible = trial.possible()
        click.echo(f"Of {len(self.solved.worlds)} worlds {len(possible)} can be the true one.")
        if len(possible) <= FEW_WORLDS:
            for world in possible:
                click.echo(f"  {self.puzzle.asked.position.told(world, self.solved.idle)}")

    def news(self) -> None:
        """What has been done since the person was last told, and the table if anybody else did."""
        fresh = self.trial.deeds[self.told :]
        self.told = len(self.trial.deeds)
        self.asked_here = 0
        click.echo("\n" + filled("\n".join(map(self.deed, fresh)), indent=4))
        others = any(deed.table.actor != self.trial.seat for deed in fresh)
        if self.trial.reached is None and (others or self.observed_move):
            click.echo("")
            self.table()

    def deed(self, deed: Deed) -> str:
        luck = deed.table.actor == CHANCE
        words = self.teller.words(deed.table, deed.move) if deed.seen else "something unseen"
        return f"Luck: {words}" if luck else f"{self.who(deed.table.actor)}: {words}"

    def who(self, seat: int) -> str:
        return f"{seat_name(seat)} (you)" if seat == self.trial.seat else seat_name(seat)

    def words(self, choice: Choice, move: int) -> str:
        return self.rules.text.move(choice.table, move)

    def offers(self) -> None:
        """The choices with their numbers, and what a card does if it is new to the person."""
        texts = [self.rules.text.move(self.trial.state, move) for move in self.trial.moves]
        hints = [self.rules.help.hint(text) for text in texts]
        fresh = [hint if hint not in self.read else "" for hint in hints]
        self.read.update(hints)
        click.echo("\n" + (explained(texts, fresh) if any(fresh) else columns(texts)))

    # ---- asking ---------------------------------------------------------------------------

    def decide(self) -> bool:
        """Ask until the person has made a choice; False if the person leaves."""
        self.offers()
        while True:
            try:
                said = ask("Your choice: ")
            except EOFError:
                click.echo("")
                return False
            try:
                if said.casefold() in ("quit", "exit", "q"):
                    return False
                if not self.command(said):
                    self.trial.choose(self.move(said))
                    return True
            except GameError as error:
                problem = error.problem if isinstance(error, IllegalMove) else str(error)
                click.echo(filled(problem))

    def command(self, said: str) -> bool:
        """Do what the person asks for, if that is not a choice; whether it was something else."""
        match said.casefold():
            case "hint" | "h":
                self.hint()
            case "undo" | "back" | "b":
                self.undo()
            case "value":
                self.value()
            case "solve":
                self.give_away()
            case "table":
                self.table()
                self.offers()
            case "help":
                self.help("")
            case _ if said.startswith("?"):
                self.help(said[1:].strip())
            case _:
                return False
        return True

    def move(self, said: str) -> int:
        """The choice with that number, or with those words."""
        many = len(self.trial.moves)
        if not said:
            raise GameError(f"type a number from 1 to {many}, or ? for help")
        if not said.isdecimal():
            return self.rules.text.parse(self.trial.state, said)
        if len(said) > 3 or not 1 <= int(said) <= many:
            raise GameError(f"there is no choice {said}: they go from 1 to {many}")
        return self.trial.moves[int(said) - 1]

    def help(self, about: str) -> None:
        """Help on a card, or on everything."""
        if not about:
            guide = self.rules.help
            click.echo(f"{filled(guide.rules)}\n\n{COMMANDS.format(topics=guide.topics)}")
            self.offers()
            return
        choice = ""
        if about.isdecimal():
            choice = self.rules.text.move(self.trial.state, self.move(about))
        click.echo(filled(card_help(self.rules, about, choice)))

    def hint(self) -> None:
        """First how many choices are good, then what the best is about."""
        options = self.trial.options()
        best = [move for move, value in options.items() if value == max(options.values())]
        self.hints += 1
        self.asked_here += 1
        if self.asked_here == 1:
            keep = "keeps" if len(best) == 1 else "keep"
            said = f"{len(best)} of {len(options)} choices {keep} the most that can be had"
            click.echo(f"{said}. The theme is: {self.puzzle.theme}.")
            return
        words = self.rules.text.move(self.trial.state, best[0])
        about = words.partition(" ")[2] or words
        click.echo(f"Think of this: {about}. (`solve` shows the answer.)")

    def undo(self) -> None:
        """Back to the last choice at which there was something to choose."""
        if not self.trial.choices:
            raise GameError("you have not chosen anything yet")
        self.trial.undo()
        while self.trial.choices and len(self.trial.moves) == 1:
            self.trial.undo()
        self.told = len(self.trial.deeds)
        self.asked_here = 0
        self.undone += 1
        click.echo("Taken back.\n")
        self.table()
        self.offers()

    def value(self) -> None:
        """What can still be had, and what the last choice cost."""
        left = max(self.trial.options().values())
        if self.trial.choices:
            last = self.trial.choices[-1]
            click.echo(f"You had {last.had}; after '{self.words(last, last.move)}' {last.left}.")
        click.echo(f"The chance of the goal is now {left} at best.")

    def give_away(self) -> None:
        """What every choice is worth; at the first choice with all that the solver says."""
        self.given_away = True
        if not self.trial.choices:
            click.echo(self.solution.as_text())
            return
        ranked = sorted(self.trial.options().items(), key=lambda one: -one[1])
        rows = [(self.rules.text.move(self.trial.state, move), str(one)) for move, one in ranked]
        click.echo(tabulate(rows, headers=["move", "value"], disable_numparse=True))

    # ---- the end --------------------------------------------------------------------------

    def verdict(self) -> None:
        trial = self.trial
        ending = self.solution.ending(trial.state)
        click.echo(filled(f"\nThe goal was {'reached' if trial.reached else 'missed'}: {ending}."))
        if trial.solved_so_far:
            most = trial.choices[0].had
            told = f"Solved{self.help_used()}: every choice kept the most that could be had"
            luck = "" if trial.reached or most == 0 else ", and luck was against you"
            click.echo(filled(f"{told} ({shown((most, most))}){luck}."))
            return
        wrong = next(choice for choice in trial.choices if not choice.kept)
        best = " or ".join(f"'{self.words(wrong, move)}'" for move in wrong.best)
        chosen = self.words(wrong, wrong.move)
        luck = " Luck was with you." if trial.reached else ""
        said = f"Not solved: {best} was the move ({wrong.had}); '{chosen}' left {wrong.left}."
        click.echo(filled(said + luck))
        line = self.line(wrong)
        if line:
            click.echo(filled(f"It could have gone: {line}."))

    def line(self, wrong: Choice) -> str:
        """How it would have gone on after the best move, if the first was wrong and all is open."""
        if wrong is not self.trial.choices[0]:
            return ""
        values = self.solved.answer.values
        line = next(one.line for one in values if one.move == wrong.best[0])
        return "; ".join(self.solution.line(line))

    def help_used(self) -> str:
        """What the person made use of."""
        used = []
        if self.hints:
            used.append("a hint" if self.hints == 1 else f"{self.hints} hints")
        if self.undone:
            used.append("a choice taken back" if self.undone == 1 else "choices taken back")
        if self.given_away:
            used.append("the answer shown")
        return f" (with {' and '.join(used)})" if used else ""
