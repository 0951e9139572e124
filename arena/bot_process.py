"""A bot in a process of its own, in any language, seated like any other bot."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.channel import PATIENCE, Channel
from arena.sandbox import MEMORY, Sandbox, new_scratch, sweep
from bots.base import Bot, Budget, Match
from bots.faults import Breakdown, Kind, printable, told
from bots.protocol import VERSION, decode, encode
from games.registry import game
from games.state import Rng
from games.view import View

GRACE: Final = 1.0
"""Seconds beyond those of the budget: for the pipe, a busy machine, and a clock read too rarely."""

USUAL: Final = 60.0
"""Seconds for a decision where neither a limit nor a budget says how long it may take."""

FAREWELL: Final = 0.5
"""Seconds a bot has for ending by itself after the game."""


@dataclass(frozen=True)
class Limits:
    """What a process may take; enforced from outside."""

    move: float = 0.0
    """Seconds for a decision; 0 for those of the budget and GRACE, or USUAL if it has none."""
    game: float = 600.0
    """Seconds for all decisions of a game together."""
    start: float = 30.0
    """Seconds from the start of the process to its first word."""
    memory: int = MEMORY
    """Bytes; only in a sandbox."""


@dataclass(frozen=True)
class Launch:
    """How a bot's process is started."""

    command: tuple[str, ...]
    """The program and its arguments; in a sandbox, what its cell becomes: see arena/cell.py."""
    environment: Mapping[str, str]
    sandbox: Sandbox | None = None


class BotProcess(Bot):
    """Asks a process for what a bot would decide; see docs/protocol.md."""

    def __init__(
        self,
        seat: int,
        seed: int,
        budget: Budget | None,
        match: Match,
        launch: Launch,
        limits: Limits,
    ) -> None:
        super().__init__(seat, Rng(seed), budget)
        self.seed = seed
        self.match = match
        self.limits = limits
        self.seconds: list[float] = []
        """How long each decision took."""
        self.touched: list[str] = []
        """What a watched class reached for besides its View; see bots/watch.py."""
        self.memory = 0
        """Bytes it used at most; known once the game is over, 0 where nobody can tell."""
        self._farewell = 0.0
        """Seconds it is given to end by itself."""
        self._news: list[tuple[int, ...]] = []
        self._reason: object = None
        self._belief: object = None
        self._scratch = new_scratch() if launch.sandbox else ""
        self._channel = Channel(started(launch, self._scratch))

    @property
    def stderr(self) -> str:
        """The last of what the process wrote there."""
        self._channel.drain()
        return printable(self._channel.stderr.decode("utf-8", "replace"))

    def start(self, view: View) -> None:  # noqa: ARG002  (the process makes its own)
        said = self._ask(self._hello(), self.limits.start)
        if said.get("type") != "ready":
            raise unexpected(said, "ready")
        if said.get("protocol") != VERSION:
            spoken = told(said.get("protocol"))
            raise Breakdown(Kind.PROTOCOL, f"speaks protocol {spoken}; spoken here is {VERSION}")

    def _hello(self) -> dict[str, object]:
        match = self.match
        return {
            "type": "hello",
            "protocol": VERSION,
            "game": match.game,
            "rules": game(match.game).rules_version,
            "seat": self.seat,
            "players": match.players,
            "options": dict(match.options),
            "seed": self.seed,
            "budget": {"iterations": self.budget.iterations, "seconds": self.budget.seconds},
            "limits": {"move": self.move_limit, "game": self.limits.game},
        }

    @property
    def move_limit(self) -> float:
        """Seconds for one decision."""
        seconds = self.budget.seconds
        return self.limits.move or (seconds + GRACE if seconds else USUAL)

    def observe(self, event: tuple[int, ...]) -> None:
        self._news.append(event)

    def choose(self, view: View) -> int:
        moves = [{"move": move, "text": view.text(move)} for move in view.moves]
        question = {
            "type": "choose",
            "decision": view.decisions,
            "events": self._news,
            "moves": moves,
        }
        self._news = []
        left = self.limits.game - sum(self.seconds)
        if left <= 0:
            raise Breakdown(Kind.TIME, f"used up the {self.limits.game:.3g} seconds of a game")
        began = time.monotonic()
        said = self._ask(question, min(self.move_limit, left))
        self.seconds.append(time.monotonic() - began)
        if said.get("type") != "move":
            raise unexpected(said, "move")
        if said.get("decision") != view.decisions:
            answered = told(said.get("decision"))
            raise Breakdown(Kind.PROTOCOL, f"answered decision {answered}, not {view.decisions}")
        self._reason, self._belief = said.get("reason"), said.get("belief")
        # Whatever it is: the referee checks the choices of all bots alike.
        return said.get("move")  # type: ignore[return-value]

    def explain(self) -> str:
        return self._reason  # type: ignore[return-value]  # checked by the referee, too

    def belief(self) -> dict[str, float]:
        return self._belief  # type: ignore[return-value]

    def _ask(self, question: Mapping[str, object], seconds: float) -> dict[str, object]:
        said = decode(self._channel.ask(encode(question), seconds))
        if said.get("type") == "error":
            kind = next((kind for kind in Kind if kind == said.get("kind")), Kind.EXCEPTION)
            raise Breakdown(kind, told(said.get("problem"), str))
        if isinstance(touched := said.get("touched"), list):
            self.touched += [told(deed, str) for deed in touched]
        return said

    def end(self, winners: Sequence[int]) -> None:
        """The game is over: the rest of the events, and who has won."""
        self._farewell = FAREWELL
        self._say({"type": "end", "events": self._news, "winners": list(winners)})

    def refuse(self, kind: Kind, problem: str) -> None:
        """The game is over for this bot, and why: for the author to read."""
        self._farewell = 0.0 if kind in {Kind.TIME, Kind.OUTPUT} else FAREWELL
        self._say({"type": "fault", "kind": kind, "problem": problem})

    def _say(self, message: Mapping[str, object]) -> None:
        """Send what needs no answer, if it can be sent without waiting."""
        self.memory = peak_memory(self._channel.process.pid)
        with suppress(OSError, ValueError):
            os.write(self._channel.to.fileno(), encode(message))
        with suppress(OSError):
            self._channel.to.close()

    def close(self) -> None:
        """End the process and all it has started; whatever state they are in."""
        process = self._channel.process
        if process.returncode is not None:
            return
        with suppress(OSError):
            self._channel.to.close()
        self._channel.status(self._farewell)
        self._channel.drain()
        if self._scratch:
            # The keeper of a cell clears it out before it ends; see arena/cell.py.
            os.kill(process.pid, signal.SIGTERM)
            self._channel.status(PATIENCE)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._channel.back.close()
        self._channel.errors.close()
        if self._scratch:
            sweep(self._scratch)


def started(launch: Launch, scratch: str) -> subprocess.Popen[bytes]:
    """The process, in a session of its own, with nothing of ours but three pipes."""
    command, environment = list(launch.command), dict(launch.environment)
    if launch.sandbox is not None:
        command = launch.sandbox.wrap(command, scratch)
        environment |= {"HOME": scratch, "TMPDIR": scratch}
    try:
        return subprocess.Popen(  # noqa: S603  (running what others wrote is what this is for)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        if scratch:
            sweep(scratch)
        raise Breakdown(Kind.START, f"{command[0]!r} cannot be run: {error}") from None


def peak_memory(pid: int) -> int:
    """Bytes that the process, or one that it has started, has used at most; 0 if it has gone.

    Not from wait4, which counts what the arena itself used before the process became another.
    """
    folder = Path(f"/proc/{pid}")
    try:
        told = (folder / "status").read_text()
        children = (folder / "task" / str(pid) / "children").read_text().split()
    except OSError:
        return 0
    own = 1024 * int(told.partition("VmHWM:")[2].split()[0]) if "VmHWM:" in told else 0
    return max(own, *map(peak_memory, map(int, children)), 0)


def unexpected(said: Mapping[str, object], wanted: str) -> Breakdown:
    return Breakdown(Kind.PROTOCOL, f"sent {told(said)}, where a message {wanted!r} was expected")
