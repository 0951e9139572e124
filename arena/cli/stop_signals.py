"""Signals that ask a long command to stop: once in order, twice at once."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn, Self

from arena.cli.console import LeagueDisplay
from arena.cli.exit_codes import INTERRUPTED, TERMINATED
from arena.league.runner import StopRequest


@contextmanager
def leaving_on(number: signal.Signals) -> Iterator[None]:
    """While the block runs, the signal ends this process as an exit does."""

    def leave(*_: object) -> NoReturn:
        sys.exit(128 + number)

    before = signal.signal(number, leave)
    try:
        yield
    finally:
        signal.signal(number, before)


class StopSignals:
    """Counts Ctrl-C and SIGTERM, which services and containers send: the league decides when to
    stop.
    """

    _NAMES: Final = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}

    def __init__(self, display: LeagueDisplay) -> None:
        self.display = display
        self.received: list[int] = []
        self.noticed = False

    def __enter__(self) -> Self:
        self.before = {number: signal.signal(number, self.receive) for number in self._NAMES}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def receive(self, number: int, _frame: object) -> None:
        self.received.append(number)

    @property
    def exit_code(self) -> int:
        return TERMINATED if signal.SIGTERM in self.received else INTERRUPTED

    def stop_request(self) -> StopRequest:
        if self.received and not self.noticed:
            self.noticed = True
            name = self._NAMES[signal.Signals(self.received[0])]
            self.display.note(f"finishing the games in progress; {name} again stops at once")
        return StopRequest(min(len(self.received), StopRequest.NOW.value))
