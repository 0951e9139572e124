"""What commands print in a real terminal: they run in tmux, and the screens are golden files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tests.support.paths import ROOT
from tests.support.small_positions import ONE_TURN

NARROW: Final = 80
SIZES: Final = ((NARROW, 24), (120, 40))
SCREENS: Final = ROOT / "tests/arena/cli/screens"
PATIENCE: Final = 120.0
"""Seconds after which a command has failed, even on a busy machine."""

_CONFIG: Final = """
set -g remain-on-exit on
set -g history-limit 5000
set -g status off
set -s exit-empty off
"""
_BOT: Final = '''
from bots import Bot


class ABotWithAVeryLongNameThatNoTableHasRoomFor(Bot):
    """Plays the first legal move."""

    def choose(self, view):
        return view.moves[0]


class Crashing(Bot):
    def choose(self, view):
        raise ValueError("no idea")
'''
_NAMED: Final = "my_bots.py:ABotWithAVeryLongNameThatNoTableHasRoomFor"
_LEAGUE: Final = "--players 2 --deals 2 --option rounds=2 --workers 1 --run run.db"


@dataclass(frozen=True)
class Case:
    """A command, what is typed when a word is on the screen, and what of it is not stable."""

    line: str
    typed: tuple[tuple[str, str], ...] = ()
    numbers: bool = False
    """Whether numbers differ from run to run, and with them the widths of columns."""
    machine: bool = False
    """Whether the last word of a line depends on the machine."""
    before_last_key: bool = False
    """Whether the screen to keep is the one before the last key is pressed."""
    narrow_only: bool = False
    """Whether it runs long and has nothing that a wider terminal would show differently."""


CASES: Final = (
    Case("--help"),
    Case("league --help"),
    Case("no-such-command", narrow_only=True),
    Case("bots"),
    Case(f"bots {_NAMED}"),
    Case("new-bot Miser", narrow_only=True),
    Case("cards --search graveyard", narrow_only=True),
    Case("cards crca", narrow_only=True),
    Case("cards --game secrets", narrow_only=True),
    Case(f"match {_NAMED} greedy random --games 3"),
    Case("match greedy random --seed 3 --show"),
    Case("match random my_bots.py:Crashing", narrow_only=True),
    Case(f"compare {_NAMED} random --deals 4 --workers 1"),
    Case(f"check {_NAMED} --players 2 --games 1", numbers=True, narrow_only=True),
    Case("check my_bots.py:Crashing --players 2 --games 1", numbers=True, narrow_only=True),
    Case("check-rules --players 2 --games 3 --workers 1", narrow_only=True),
    Case("random-games --games 20", narrow_only=True),
    Case("random-games --game secrets --games 10", narrow_only=True),
    Case(f"league --bot random --bot greedy {_LEAGUE}"),
    Case("standings run.db", numbers=True),
    Case("show run.db 0", narrow_only=True),
    Case("show run.db 0 --at 9"),
    Case("show run.db 0 --step", (("quit", "q"),), before_last_key=True),
    Case("review run.db 0 --turns 2 --iterations 20", narrow_only=True),
    Case("view run.db 0", narrow_only=True),
    Case("report run.db", narrow_only=True),
    Case("verify run.db"),
    Case("export run.db out", narrow_only=True),
    Case(
        "play --seed 1",
        (("Your choice:", "quit\n"), ("Leave the game?", "yes\n")),
        narrow_only=True,
    ),
    Case("puzzles list --players 5 --level 1"),
    Case("puzzles show fewer-is-more --answer", narrow_only=True),
    Case("puzzles verify doubt fewer-is-more", narrow_only=True),
    Case("puzzles check doubt", narrow_only=True),
    Case("puzzles certify doubt --out doubt.json", narrow_only=True),
    Case("puzzles rate down-to-the-last-number doubt --seeds 1", narrow_only=True),
    Case("puzzles make --count 1 --turns 1 --out made", narrow_only=True),
    Case("puzzles try doubt", (("Your choice:", "quit\n"),), narrow_only=True),
    Case("puzzles progress", numbers=True, narrow_only=True),
    Case(f"solve '{ONE_TURN}'"),
    Case("sandbox", machine=True, narrow_only=True),
)


class Terminal:
    """A tmux server of its own, in which commands run one after the other."""

    def __init__(self, folder: Path, columns: int, rows: int) -> None:
        self.folder = folder
        self.size = ["-x", str(columns), "-y", str(rows)]
        (folder / "tmux.conf").write_text(_CONFIG)
        (folder / "my_bots.py").write_text(_BOT)
        kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
        self.environment = {**kept, "PYTHONPATH": str(ROOT)}
        self.environment["XDG_DATA_HOME"] = str(folder / "data")
        # A socket's path must be short, and tmp_path need not be.
        self.sockets = tempfile.TemporaryDirectory(prefix="arena-tmux-")

    def tmux(self, *words: str) -> str:
        socket = str(Path(self.sockets.name) / "socket")
        command = ["tmux", "-S", socket, "-f", str(self.folder / "tmux.conf"), *words]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return done.stdout

    def close(self) -> None:
        """End the server and whatever runs in it."""
        subprocess.run(
            ["tmux", "-S", str(Path(self.sockets.name) / "socket"), "kill-server"],  # noqa: S607
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        self.sockets.cleanup()

    def run(self, case: Case) -> str:
        """The lines that the command leaves, each whole even where the terminal has wrapped it."""
        name = "arena"
        command = f"exec {sys.executable} -m arena {case.line}"
        self.tmux("new-session", "-d", "-s", name, *self.size, command)
        try:
            screen = ""
            for words, keys in case.typed:
                screen = self._wait(words)
                for key in keys:
                    self.tmux("send-keys", *(["Enter"] if key == "\n" else ["-l", key]))
            ended = self._wait()
            return screen if case.before_last_key else ended
        finally:
            self.tmux("kill-session", "-t", name)

    def _screen(self) -> str:
        lines = self.tmux("capture-pane", "-p", "-J", "-S", "-").splitlines()
        kept = [line.rstrip() for line in lines if not line.startswith("Pane is dead")]
        return "\n".join(kept).strip("\n")

    def _wait(self, words: str | None = None) -> str:
        """The screen once it shows these words, or once the command has ended."""
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            if self.tmux("display", "-p", "#{pane_dead}").strip() == "1":
                assert words is None, self._screen()
                return self._screen()
            if words is not None and words in self._screen():
                return self._screen()
            sleep(0.05)
        raise TimeoutError(self._screen())


_UNSET: Final = ("NO_COLOR", "COLUMNS", "LINES", "TMUX", "TMUX_PANE", "ARENA_PURE")


def render(folder: Path, columns: int, rows: int) -> str:
    """The golden file for a terminal of that size."""
    cases = [case for case in CASES if columns == NARROW or not case.narrow_only]
    terminal = Terminal(folder, columns, rows)
    try:
        parts = [f"$ arena {case.line}\n{mask(case, terminal.run(case))}\n" for case in cases]
    finally:
        terminal.close()
    return "\n".join(parts)


MASKS: Final[Mapping[str, str]] = {
    # It covers the sources of the bots, so it changes with each of them.
    r"(?m)^content [0-9a-f]{64}$": "content (digest)",
    r"\d+\.\d s\b": "#.# s",
    r"\bchain [0-9a-f]{64}": "chain #",
    r"\b\d\d:\d\d:\d\d\b": "##:##:##",
    r"\b(compiled|pure) engine": "ENGINE engine",
    r"(?<=games), .* left|, [\d.]+/s": ", #/s",
}


def mask(case: Case, screen: str) -> str:
    """The screen without times, speeds and what else differs between runs and machines."""
    for pattern, stand_in in MASKS.items():
        screen = re.sub(pattern, stand_in, screen)
    if case.numbers:
        screen = re.sub(r"\d[\d.,]*[kM]?", "#", screen)
        screen = re.sub(r"(?<=\S) {2,}", "  ", re.sub(r"-{3,}", "---", screen))
    if case.machine:
        screen = re.sub(r"(?<=  )(yes|NO)$", "?", screen, flags=re.MULTILINE)
        screen = re.sub(r"^Namespaces: .*", "Namespaces: ?", screen, flags=re.MULTILINE)
        screen = re.sub(r"^(All|Isolated) .*", "(verdict)", screen, flags=re.MULTILINE)
    return screen
