"""A bot in a process of its own, in any language, seated like any other bot."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from arena.sandbox.channel import Channel
from arena.sandbox.policy import MEMORY, Sandbox
from arena.sandbox.process import Child, ConfinedProcess, Program
from bots.bot import Bot, Budget, Match
from bots.runtime.faults import (
    SELF_REPORTED,
    BotFailure,
    FaultKind,
    MachineFault,
    one_line,
    printable,
)
from bots.runtime.protocol import PROTOCOL_VERSION, decode, encode
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
    """The program and its arguments; in a sandbox, what its cell becomes: see arena/sandbox/confine.py."""
    environment: Mapping[str, str]
    sandbox: Sandbox | None = None

    def start(self) -> Child:
        """A process; Breakdown if there is no such program."""
        try:
            if self.sandbox is None:
                return Program(self.command, self.environment)
            return ConfinedProcess(self.command, self.environment, self.sandbox)
        except OSError as error:
            raise MachineFault(f"the process of a bot cannot be started: {error}") from error


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
        """What a watched class reached for besides its View; see bots/runtime/audit.py."""
        self._farewell = 0.0
        """Seconds it is given to end by itself."""
        self._news: list[tuple[int, ...]] = []
        self._reason: object = None
        self._belief: object = None
        self._closed = False
        self._channel = Channel(launch.start())

    @property
    def stderr(self) -> str:
        """The last of what the process wrote there."""
        self._channel.drain()
        return printable(self._channel.stderr.decode("utf-8", "replace"))

    def start(self, view: View) -> None:  # noqa: ARG002  (the process makes its own)
        said = self._ask(self._hello(), self.limits.start)
        if said.get("type") != "ready":
            raise unexpected(said, "ready")
        if said.get("protocol") != PROTOCOL_VERSION:
            spoken = one_line(said.get("protocol"))
            raise BotFailure(
                FaultKind.PROTOCOL, f"speaks protocol {spoken}; spoken here is {PROTOCOL_VERSION}"
            )

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
            raise BotFailure(
                FaultKind.TIME, f"used up the {self.limits.game:.3g} seconds of a game"
            )
        began = time.monotonic()
        said = self._ask(question, min(self.move_limit, left))
        self.seconds.append(time.monotonic() - began)
        if said.get("type") != "move":
            raise unexpected(said, "move")
        if said.get("decision") != view.decisions:
            answered = one_line(said.get("decision"))
            raise BotFailure(
                FaultKind.PROTOCOL, f"answered decision {answered}, not {view.decisions}"
            )
        self._reason, self._belief = said.get("reason"), said.get("belief")
        # Whatever it is: the referee checks the choices of all bots alike.
        return said.get("move")  # type: ignore[return-value]

    def explain(self) -> str:
        return self._reason  # type: ignore[return-value]  # checked by the referee, too

    def belief(self) -> dict[str, float]:
        return self._belief  # type: ignore[return-value]

    def _ask(self, question: Mapping[str, object], seconds: float) -> dict[str, object]:
        said = decode(self._channel.ask(encode(question), seconds))
        if isinstance(touched := said.get("touched"), list):
            self.touched += [one_line(deed, str) for deed in touched]
        if said.get("type") == "error":
            known = (kind for kind in SELF_REPORTED if kind == said.get("kind"))
            raise BotFailure(next(known, FaultKind.EXCEPTION), one_line(said.get("problem"), str))
        return said

    def end(self, winners: Sequence[int]) -> None:
        """The game is over: the rest of the events, and who has won."""
        self._farewell = FAREWELL
        self._say({"type": "end", "events": self._news, "winners": list(winners)})

    def refuse(self, kind: FaultKind, problem: str) -> None:
        """The game is over for this bot, and why: for the author to read."""
        self._farewell = 0.0 if kind in {FaultKind.TIME, FaultKind.OUTPUT} else FAREWELL
        self._say({"type": "fault", "kind": kind, "problem": problem})

    def _say(self, message: Mapping[str, object]) -> None:
        """Send what needs no answer, if it can be sent without waiting."""
        child = self._channel.child
        with suppress(OSError):
            os.write(child.to, encode(message))
        child.close_input()

    def close(self) -> None:
        """End the process and all it has started; whatever state they are in."""
        if self._closed:
            return
        self._closed = True
        child = self._channel.child
        child.close_input()
        child.status(self._farewell)
        self._channel.drain()
        child.end()

    @property
    def memory(self) -> int:
        """Bytes the process used at most; known of one in a sandbox, once it is closed."""
        return self._channel.child.memory


def unexpected(said: Mapping[str, object], wanted: str) -> BotFailure:
    return BotFailure(
        FaultKind.PROTOCOL, f"sent {one_line(said)}, where a message {wanted!r} was expected"
    )
