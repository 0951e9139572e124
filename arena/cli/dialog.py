"""A person at the keyboard: numbered choices, typed answers and help, for any game."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from importlib import import_module

import click

from arena.cli.console import numbered, wrap
from games.errors import GameError, IllegalMove, UnknownCard
from games.registry import Game
from games.state import State

PROMPT = "Your choice: "


class Dialog(ABC):
    """Lists the legal moves and reads which one the person chooses."""

    commands: str
    """What can be typed besides a choice, for the help; `{topics}` is what the game explains."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.reported = 0
        """Moves that have been printed."""
        self._explained: set[str] = set()
        """Card texts already shown: once is enough."""
        with suppress(ImportError):
            import_module("readline")  # arrow keys, where Python has it

    @abstractmethod
    def table(self) -> State:
        """The table as far as the person may know it, to name and parse moves on."""

    @abstractmethod
    def draw_table(self) -> None: ...

    @abstractmethod
    def moves(self) -> list[int]: ...

    @abstractmethod
    def respond(self, word: str, typed: str) -> bool | None:
        """Do what was typed: true if it is settled, false to leave, None to ask again."""

    def decide(self) -> bool:
        """Ask until the person has made or undone a choice; false if the person leaves."""
        self.offer_choices()
        while True:
            typed = ask(PROMPT)
            word, _, rest = typed.casefold().partition(" ")
            try:
                if word == "table":
                    self.draw_table()
                    self.offer_choices()
                elif word == "help" or typed.startswith("?"):
                    self.help(rest.strip() if word == "help" else typed[1:].strip())
                elif (settled := self.respond(word, typed)) is not None:
                    return settled
            except GameError as error:
                # The legal moves are on the screen already.
                problem = error.problem if isinstance(error, IllegalMove) else str(error)
                click.echo(wrap(problem))

    def texts(self) -> list[str]:
        table = self.table()
        return [self.rules.text.move(table, move) for move in self.moves()]

    def offer_choices(self) -> None:
        """Print the legal moves with their numbers, and what a card does if it is new."""
        texts = self.texts()
        hints = [self.rules.help.hint(text) for text in texts]
        fresh = [hint if hint not in self._explained else "" for hint in hints]
        self._explained.update(hints)
        click.echo("\n" + numbered(texts, fresh))

    def parse_choice(self, typed: str) -> int:
        """The move with that number, or with those words."""
        moves = self.moves()
        if not typed:
            raise GameError(f"type a number from 1 to {len(moves)}, or ? for help")
        if not typed.isdecimal():
            return self.rules.text.parse(self.table(), typed)
        if len(typed) > 3 or not 1 <= int(typed) <= len(moves):
            raise GameError(f"there is no choice {typed}; type a number from 1 to {len(moves)}")
        return moves[int(typed) - 1]

    def help(self, topic: str) -> None:
        """Explain a card, or without a topic the rules and commands."""
        guide = self.rules.help
        if not topic:
            click.echo(f"{wrap(guide.rules)}\n\n{self.commands.format(topics=guide.topics)}")
            self.offer_choices()
            return
        choice = ""
        if topic.isdecimal():
            choice = self.rules.text.move(self.table(), self.parse_choice(topic))
        try:
            text = guide.describe(choice or topic) or f"{self.rules.title} has no help on cards"
        except UnknownCard:
            if not choice:
                raise
            text = f"there is no card in '{choice}'; help on {guide.topics}"
        click.echo(wrap(text))


def ask(prompt: str) -> str:
    """A line from stdin; echoed if it comes from a pipe, as a terminal would."""
    try:
        typed = input(prompt).strip()
    except UnicodeDecodeError:
        raise GameError("that was not text in UTF-8; try again") from None
    if not sys.stdin.isatty():
        click.echo(typed)
    return typed
