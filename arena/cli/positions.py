"""Loads the position that a command is about, from its words, a file or stdin."""

from __future__ import annotations

import sys
from pathlib import Path

from games.errors import GameError, WrongGame
from games.questions import PosedPosition
from games.registry import Game, read_position


def load_position(rules: Game, source: str) -> PosedPosition:
    """The position in that file, on stdin (`-`), or written out in `source` itself."""
    text, where = _source_text(source)
    if not text.strip():
        raise GameError(f"{where or 'the position: '}it is empty")
    try:
        return read_position(rules, text)
    except WrongGame as error:
        raise GameError(f"{where}{error}; try --game {error.other}") from None
    except GameError as error:
        raise GameError(f"{where}{error}") from None


def _source_text(source: str) -> tuple[str, str]:
    """The text of the position, and a prefix for messages about it."""
    if source == "-":
        try:
            return sys.stdin.read(), ""
        except UnicodeDecodeError:
            raise GameError("stdin is not text in UTF-8") from None
    if not source.strip() or " " in source.strip() or ";" in source:
        return source, ""
    try:
        return Path(source).read_text(encoding="utf-8-sig"), f"{source}: "
    except FileNotFoundError:
        raise GameError(f"'{source}' is neither a file nor a position") from None
    except IsADirectoryError:
        raise GameError(f"'{source}' is a folder; name a file with a position") from None
    except UnicodeDecodeError:
        raise GameError(f"'{source}' is not a text file in UTF-8") from None
