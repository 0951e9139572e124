"""Loads one saved game for a command: from the run file of a league, or from a replay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.league.database import BadRun, refuse_bundle
from arena.league.journal import Journal, SavedGame
from arena.match.game_view import seat_names
from arena.match.saved_fault import SavedFault, saved_fault, told_fault
from games.errors import BadReplay
from games.replay import Replay, read_replay
from games.wording import counted

_SQLITE: Final = b"SQLite format 3\0"
_MOST_NUMBERS: Final = 5  # of games of disqualified bots that a message lists


@dataclass(frozen=True)
class LoadedGame:
    """A saved game, and what its file says about it besides the moves."""

    replay: Replay
    where: str
    """Where it was found, such as `game 12 of runs/quick.db`."""
    fault: str = ""
    """How a bot's fault ended the game; empty if none did."""
    output: str = ""
    """What the bots printed."""
    faulty: int | None = None
    """The seat whose fault it was."""


def is_run(path: Path) -> bool:
    """Whether the file is a run of a league, by its first bytes; BadReplay if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except FileNotFoundError:
        raise BadReplay(f"there is no file {str(path)!r}; name a run file or a replay") from None


def load_replay(path: Path) -> Replay:
    """The replay in that file, verified; BadReplay names the file and the line."""
    check_replay(path)
    try:
        return read_replay(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise BadReplay(f"{path}: it is not text in UTF-8") from None
    except BadReplay as error:
        raise BadReplay(f"{path}: {error}") from None


def check_replay(path: Path, *others: str) -> None:
    """BadReplay unless the file looks like a replay, whole or damaged; BadRun for a bundle.

    `others`: what else it could have been, besides a run file.
    """
    refuse_bundle(path)
    with path.open("rb") as file:
        if file.read(1) != b"{":
            known = " nor ".join(("a run file", "a replay", *others))
            raise BadReplay(f"{path} is neither {known}")


def load_game(path: Path, number: int | None) -> LoadedGame:
    """The game of that number in a run, or the game of a replay, which has no number."""
    if not is_run(path):
        if number is not None:
            check_replay(path)
            raise BadReplay(f"{path} is a replay, which has only one game: omit {number}")
        replay = load_replay(path)
        return _loaded(replay, str(path), saved_fault(replay))
    with Journal.read(path) as journal:
        if number is None:
            more = "; give the number of one" if journal.numbers(counted=False) else ""
            raise BadRun(f"{path} has {_numbers(journal)}{more}")
        saved = saved_game(journal, number)
    failed = saved.fault
    fault = None if failed is None else told_fault(failed)
    return _loaded(saved.replay, f"game {number} of {path}", fault, saved.output)


def _loaded(replay: Replay, where: str, fault: SavedFault | None, output: str = "") -> LoadedGame:
    if fault is None:
        return LoadedGame(replay, where, output=output)
    told = fault.sentence(seat_names(replay)[fault.seat])
    return LoadedGame(replay, where, told, output, fault.seat)


def saved_game(journal: Journal, number: int) -> SavedGame:
    """The game of that number; BadRun says why there is none."""
    for kept in journal.games(number):
        return kept
    raise BadRun(f"{journal.path} has no game {number}; it has {_numbers(journal)}")


def _numbers(journal: Journal) -> str:
    numbers = journal.numbers()
    evidence = sorted(journal.numbers(counted=False) - numbers)
    listed = ", ".join(map(str, evidence[:_MOST_NUMBERS]))
    listed += ", ..." if len(evidence) > _MOST_NUMBERS else ""
    if not numbers:
        return f"only games of disqualified bots ({listed})" if evidence else "no games yet"
    text = f"{counted(len(numbers), 'game')} from 0 to {max(numbers)}"
    return text + (f", and those of disqualified bots ({listed})" if evidence else "")
