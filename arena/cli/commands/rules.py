"""`arena rules`: the rules of a game in our own words, as a whole or by section."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from arena.cli.console import wrap
from arena.cli.options import chosen_game, game_option
from games.errors import GameError, did_you_mean
from games.forms.rulebook import Chapter, Rulebook
from games.registry import Game, game


def _complete(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    titles = [chapter.title for _, chapter in _sections(chosen_game(ctx))]
    return [CompletionItem(t) for t in titles if t.casefold().startswith(typed.casefold())]


@click.command("rules")
@click.argument("sections", nargs=-1, metavar="[SECTION]...", shell_complete=_complete)
@game_option
@click.option("--all", "everything", is_flag=True, help="All rulings of all sections.")
def rules_command(sections: tuple[str, ...], game_name: str, everything: bool) -> None:
    """Print the rules of a game.

    Without a SECTION: the rules in a few lines and the list of sections. A SECTION is part of its
    title, or the number of a ruling, such as R12, as cards and messages cite it.

    \b
    Examples:
      arena rules
      arena rules turn
      arena rules "setting up" R12
      arena rules --game secrets --all
    """
    rules = game(game_name)
    if everything:
        texts = [_text(*section) for section in _sections(rules)] or [_overview(rules)]
    else:
        texts = [_find(rules, words) for words in sections] or [_overview(rules)]
    click.echo("\n\n".join(texts))


def _sections(rules: Game) -> list[tuple[Rulebook, Chapter]]:
    return [(book, chapter) for book in rules.help.rulebooks for chapter in book.chapters]


def _overview(rules: Game) -> str:
    titles = [f"  {chapter.title}" for _, chapter in _sections(rules)]
    short = wrap(rules.help.rules or "This game comes without a text of its rules.")
    parts = [rules.title, short, *(["\n".join(["Sections:", *titles])] if titles else [])]
    return "\n\n".join(parts)


def _find(rules: Game, words: str) -> str:
    """The sections or the ruling that the words name."""
    for book in rules.help.rulebooks:
        number = words[1:]
        if words[:1].upper() == book.letter and number.isdecimal() and int(number) in book.rulings:
            return _ruling(book, int(number))
    matches = [
        _text(book, chapter)
        for book, chapter in _sections(rules)
        if words.casefold() in chapter.title.casefold()
    ]
    if not matches:
        titles = [chapter.title for _, chapter in _sections(rules)]
        if not titles:
            raise GameError(f"the rules of {rules.title} have no sections")
        hint = did_you_mean(words, titles)
        raise GameError(f"there is no section {words!r} (there are: {', '.join(titles)}){hint}")
    return "\n\n".join(matches)


def _text(book: Rulebook, chapter: Chapter) -> str:
    lines = [chapter.title.upper(), *(_ruling(book, number) for number in chapter.numbers)]
    return "\n".join(lines)


def _ruling(book: Rulebook, number: int) -> str:
    return wrap(f"{book.letter}{number}".ljust(5) + book.rulings[number], indent=5)
