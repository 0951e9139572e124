"""The fault that ended a game, as an addition to the header of its replay."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

from games.replay import Replay
from games.seats import seat_name

_KEY = "fault"


class SavedFault(NamedTuple):
    """What a replay says about the fault that ended it."""

    seat: int
    decision: int
    kind: str
    problem: str
    where: str

    def sentence(self, bot: str) -> str:
        """How the game ended, for somebody who looks at it."""
        # A worker that is lost takes the number of the decision with it.
        end = f"at decision {self.decision}" if self.decision else "by a fault"
        where = f" ({self.where})" if self.where else ""
        return f"Ended {end}: {seat_name(self.seat)} ({bot}) {self.problem}{where} ({self.kind})"


class KnownFault(Protocol):
    """A fault as the referee raises it, or as a league keeps it."""

    @property
    def seat(self) -> int: ...
    @property
    def decision(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def problem(self) -> str: ...
    @property
    def where(self) -> str: ...


def told_fault(fault: KnownFault) -> SavedFault:
    where = "" if fault.where in fault.problem else fault.where
    return SavedFault(fault.seat, fault.decision, str(fault.kind), fault.problem, where)


def with_fault(replay: Replay, fault: KnownFault) -> Replay:
    """The replay of a game that this fault ended."""
    told = {**told_fault(fault)._asdict(), "seat": seat_name(fault.seat)}
    return replace(replay, extra={**replay.extra, _KEY: told})


def saved_fault(replay: Replay) -> SavedFault | None:
    """The fault that a replay tells of; None if it tells of none in this form."""
    seats = {seat_name(seat): seat for seat in range(replay.players)}
    match replay.extra.get(_KEY):
        case {
            "seat": str(seat),
            "decision": int(decision),
            "kind": str(kind),
            "problem": str(problem),
            "where": str(where),
        } if seat in seats:
            return SavedFault(seats[seat], decision, kind, problem, where)
    return None
