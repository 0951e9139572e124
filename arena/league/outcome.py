"""What comes back from a game of a league: its result, or why there is none. Plain data."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.replay import Note


class Fault(NamedTuple):
    """How a bot ended a game."""

    seat: int
    kind: str
    decision: int
    problem: str


class Finished(NamedTuple):
    """A game that is over, by the rules or by a bot's fault."""

    number: int
    winners: tuple[int, ...]
    roles: tuple[str, ...]
    first: int
    decisions: int
    turns: int
    moves: bytes
    """All moves and outcomes of luck, packed."""
    position: bytes
    """Stands for the last position: whoever replays the moves must arrive there."""
    notes: bytes
    """What bots said about their moves, packed; empty if nothing."""
    fault: Fault | None
    output: str
    """The last of what bots printed."""
    spent: tuple[tuple[int, float, float], ...]
    """Of each seat: decisions, seconds, seconds of the longest decision."""


class Broken(NamedTuple):
    """A game that the rules themselves could not go on with."""

    number: int
    problem: str


Outcome = Finished | Broken


def pack_moves(moves: Sequence[int]) -> bytes:
    return zlib.compress(struct.pack(f"<{len(moves)}H", *moves), 1)


def unpack_moves(packed: bytes) -> tuple[int, ...]:
    plain = zlib.decompress(packed)
    return struct.unpack(f"<{len(plain) // 2}H", plain)


def pack_notes(notes: Mapping[int, Note]) -> bytes:
    """Number of a move -> what its bot said about it."""
    said = {ply: [note.reason, dict(note.belief)] for ply, note in notes.items()}
    return zlib.compress(json.dumps(said).encode(), 1) if said else b""


def unpack_notes(packed: bytes) -> dict[int, Note]:
    said = json.loads(zlib.decompress(packed)) if packed else {}
    return {int(ply): Note(reason, belief) for ply, (reason, belief) in said.items()}
