"""BotProcess: a bot that runs in its own process, in any language."""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from arena.sandbox.channel import Channel
from arena.sandbox.policy import DEFAULT_MEMORY
from arena.sandbox.process import ProcessHandle
from bots.bot import Bot, Budget, Match
from bots.runtime.faults import (
    SELF_REPORTED,
    BotFailure,
    FaultKind,
    MachineFault,
    one_line,
    printable,
)
from bots.runtime.frames import read_frames
from bots.runtime.protocol import PROTOCOL_VERSION, decode, encode
from games.registry import game
from games.replay import Belief
from games.state import Rng
from games.view import View

GRACE: Final = 1.0
"""Seconds on top of the budget: for the pipe, a busy machine, and a bot that rarely checks."""

DEFAULT_MOVE_LIMIT: Final = 60.0
"""Seconds for a decision if neither a limit nor the budget sets another."""

START_FREE: Final = 2.0
"""Seconds to load and start a bot that are not charged to it; the rest is part of its game."""

EXIT_GRACE: Final = 0.5
"""Seconds a bot has to exit after the game before it is killed."""


@dataclass(frozen=True)
class Limits:
    """What a process may use; enforced from outside."""

    move: float = 0.0
    """Seconds for a decision; 0 for the budget plus GRACE, or DEFAULT_MOVE_LIMIT without one."""
    move_as_set: float = 0.0
    """The limit that the user has set, for messages, if `move` is more generous; else 0."""
    game: float = 600.0
    """Seconds for all decisions of a game together."""
    start: float = 30.0
    """Seconds from the start of the process to its `ready`."""
    memory: int = DEFAULT_MEMORY
    """Bytes; applies in a sandbox only."""


class BotProcess(Bot):
    """Plays by asking a process for every decision; see docs/protocol.md."""

    def __init__(
        self,
        seat: int,
        seed: int,
        budget: Budget | None,
        match: Match,
        launch: Callable[[], ProcessHandle],
        limits: Limits,
        program: bool = False,
    ) -> None:
        super().__init__(seat, Rng(seed), budget)
        self.seed = seed
        self.match = match
        self.limits = limits
        self.program = program
        """Whether it is a program of the author's, which may forget to flush its answers."""
        self.seconds: list[float] = []
        """How long each decision took."""
        self.touched: list[str] = []
        """What a watched class accessed besides its View; see bots/runtime/audit.py."""
        self._charged = 0.0
        """Seconds of its start that count as part of the game."""
        self._exit_grace = 0.0
        self._unsent_events: list[tuple[int, ...]] = []
        self._reply: Mapping[str, object] = {}
        """The last answer, for what it says about the move."""
        self._closed = False
        try:
            self._channel = Channel(launch())
        except OSError as error:
            why = str(error)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                why = f"no space is left in {tempfile.gettempdir()}; free some, or set TMPDIR"
            raise MachineFault(f"a bot's process cannot be started: {why}") from error

    @property
    def stderr(self) -> str:
        """The end of what the process wrote there."""
        self._channel.drain_stderr()
        return printable(self._channel.stderr.decode("utf-8", "replace"))

    def start(self, view: View) -> None:  # noqa: ARG002  (the process makes its own)
        start = self.limits.start
        began = time.monotonic()
        spoken = self._ask(self._hello(), start, f"{start:g} s to start", "ready").get("protocol")
        self._charged = max(0.0, time.monotonic() - began - START_FREE)
        if spoken != PROTOCOL_VERSION:
            problem = f"speaks protocol {one_line(spoken)}; this arena speaks {PROTOCOL_VERSION}"
            raise BotFailure(FaultKind.PROTOCOL, problem)

    def _hello(self) -> dict[str, object]:
        match = self.match
        return {
            "type": "hello",
            "protocol": PROTOCOL_VERSION,
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
        return self.limits.move or (seconds + GRACE if seconds else DEFAULT_MOVE_LIMIT)

    @property
    def _told_move_limit(self) -> str:
        """The limit of a decision as it was set, and with the grace that is added to it."""
        limit = self.limits.move_as_set or self.limits.move
        limit = limit or self.budget.seconds or DEFAULT_MOVE_LIMIT
        grace = f", with grace {self.move_limit:g} s" if self.move_limit > limit else ""
        return f"{limit:g} s per decision{grace}"

    @property
    def _game_limit(self) -> str:
        return f"{self.limits.game:g} s per game"

    def observe(self, event: tuple[int, ...]) -> None:
        self._unsent_events.append(event)

    def choose(self, view: View) -> int:
        question = {
            "type": "choose",
            "decision": view.decisions,
            "events": self._unsent_events,
            "moves": [{"move": move, "text": view.text(move)} for move in view.moves],
        }
        self._unsent_events = []
        left = self.limits.game - sum(self.seconds) - self._charged
        if left <= 0:
            raise BotFailure(FaultKind.TIME, f"used up its {self._game_limit}")
        began = time.monotonic()
        limit = self._game_limit if left < self.move_limit else self._told_move_limit
        reply = self._ask(question, min(self.move_limit, left), limit, "move")
        self.seconds.append(time.monotonic() - began)
        if reply.get("decision") != view.decisions:
            problem = f"answered decision {one_line(reply.get('decision'))}, not {view.decisions}"
            raise BotFailure(FaultKind.PROTOCOL, problem)
        self._reply = reply
        # Of any type: the referee checks the choices of all bots alike.
        return reply.get("move")  # type: ignore[return-value]

    # Also of any type, and checked by the referee as well.

    def explain(self) -> str:
        return self._reply.get("reason")  # type: ignore[return-value]

    def considered(self) -> Sequence[tuple[int, int, float]]:
        return self._reply.get("candidates")  # type: ignore[return-value]

    def belief(self) -> Belief:
        return self._reply.get("belief")  # type: ignore[return-value]

    def _ask(
        self, question: Mapping[str, object], seconds: float, limit: str, expected: str
    ) -> dict[str, object]:
        """The answer, which must be a message of the expected type."""
        if self.program and not self.seconds:  # it has never moved
            limit += "; did it flush stdout?"
        reply = decode(self._channel.ask(encode(question), seconds, limit))
        if isinstance(touched := reply.get("touched"), list):
            self.touched += [one_line(access, str) for access in touched]
        if reply.get("type") == "error":
            kinds = (kind for kind in SELF_REPORTED if kind == reply.get("kind"))
            problem = one_line(reply.get("problem"), str)
            frames = read_frames(reply.get("frames"))
            raise BotFailure(next(kinds, FaultKind.EXCEPTION), problem, frames)
        if reply.get("type") != expected:
            problem = f"sent {one_line(reply)} instead of a {expected!r} message"
            raise BotFailure(FaultKind.PROTOCOL, problem)
        return reply

    def end(self, winners: Sequence[int]) -> None:
        """The game is over: send the remaining events and the winners."""
        self._exit_grace = EXIT_GRACE
        self._send_last({"type": "end", "events": self._unsent_events, "winners": list(winners)})

    def report_fault(self, kind: FaultKind, problem: str) -> None:
        """The game is over because of this bot: send the reason, for its author to read."""
        self._exit_grace = 0.0 if kind in {FaultKind.TIME, FaultKind.OUTPUT} else EXIT_GRACE
        self._send_last({"type": "fault", "kind": kind, "problem": problem})

    def _send_last(self, message: Mapping[str, object]) -> None:
        """Send a message that needs no answer, if that is possible without waiting."""
        process = self._channel.process
        with suppress(OSError):
            os.write(process.stdin, encode(message))
        process.close_stdin()

    def close(self) -> None:
        """Kill the process and all it has started, in whatever state they are."""
        if self._closed:
            return
        self._closed = True
        process = self._channel.process
        process.close_stdin()
        process.exit_status(self._exit_grace)
        self._channel.drain_stderr()
        process.kill()

    @property
    def memory(self) -> int:
        """Peak memory in bytes; known for a sandboxed process once it is closed, else 0."""
        return self._channel.process.peak_memory

    @property
    def refused(self) -> dict[str, int]:
        """System calls that the sandbox refused, and how often; known once it is closed."""
        return self._channel.process.refused
