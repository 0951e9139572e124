"""What the shell offers after Tab: bots, leagues, puzzles and games.

Nothing here imports a bot: classes in files are found by reading the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from bots.runtime.loading import all_bots
from bots.runtime.source_classes import classes_in_source
from games.bundled import bundled
from games.registry import game_names

_MOST_FILES: Final = 200
"""Python files of a folder that are looked into."""


def complete_bots(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Built-in and installed bots, and those in Python files."""
    return _items([name for name, _, _ in all_bots()], _bots_in_files(typed), typed)


def complete_bot_list(
    ctx: click.Context, param: click.Parameter, typed: str
) -> list[CompletionItem]:
    """The last of several bots separated by commas."""
    before, comma, last = typed.rpartition(",")
    for item in (items := complete_bots(ctx, param, last)):
        item.value = f"{before}{comma}{item.value}"
    return items


def complete_leagues(
    _ctx: click.Context, _param: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Bundled leagues, and config files."""
    return _items(_stems("leagues"), map(str, _files(typed, ".toml")), typed)


def complete_puzzles(
    _ctx: click.Context, _param: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Bundled puzzles, and puzzle files."""
    return _items(_stems("puzzles"), map(str, _files(typed, ".toml")), typed)


def complete_games(
    _ctx: click.Context, _param: click.Parameter, typed: str
) -> list[CompletionItem]:
    return [CompletionItem(name) for name in game_names() if name.startswith(typed)]


def _items(names: Iterable[str], files: Iterable[str], typed: str) -> list[CompletionItem]:
    """Those that begin as typed; if there are none, whatever files the shell finds."""
    fitting = [text for text in (*names, *files) if text.startswith(typed)]
    if not fitting:
        return [CompletionItem(typed, type="file")]
    return [CompletionItem(text) for text in fitting]


def _stems(folder: str) -> list[str]:
    return sorted(path.stem for path in bundled(folder).glob("*.toml"))


def _files(typed: str, suffix: str) -> list[Path]:
    """The files with that suffix in the folder that is being typed."""
    folder = Path(typed.rpartition("/")[0] or ("/" if typed.startswith("/") else "."))
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == suffix)
    except OSError:
        return []


def _bots_in_files(typed: str) -> Iterator[str]:
    files = [file for file in _files(typed.partition(":")[0], ".py") if _could_be(file, typed)]
    for file in files[:_MOST_FILES]:
        for name in classes_in_source(file):
            yield f"{file}:{name}"


def _could_be(file: Path, typed: str) -> bool:
    return f"{file}:".startswith(typed) or typed.startswith(f"{file}:")
