"""The outcome of one game of a league, as plain data that can travel between processes."""

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from games.replay import Note
from games.state import State


class Fault(NamedTuple):
    """How a bot ended a game by breaking its rules, a limit or itself."""

    seat: int
    kind: str
    decision: int
    problem: str


class Finished(NamedTuple):
    """A game that ended by the rules or by a bot's fault."""

    number: int
    winners: tuple[int, ...]
    roles: tuple[str, ...]
    first: int
    decisions: int
    turns: int
    moves: bytes
    """All moves and chance outcomes, packed."""
    position: bytes
    """Digest of the last position, to check a replay against."""
    notes: bytes
    """The bots' comments on their moves, packed; empty if there are none."""
    fault: Fault | None
    output: str
    """The end of what the bots printed."""
    spent: tuple[tuple[int, float, float], ...]
    """For each seat: decisions, seconds, seconds of the longest decision."""


class Crashed(NamedTuple):
    """A game in which the rules or the arena failed; no bot is to blame."""

    number: int
    problem: str


Outcome = Finished | Crashed


def pack_moves(moves: Sequence[int]) -> bytes:
    return zlib.compress(struct.pack(f"<{len(moves)}H", *moves), 1)


def unpack_moves(packed: bytes) -> tuple[int, ...]:
    plain = zlib.decompress(packed)
    return struct.unpack(f"<{len(plain) // 2}H", plain)


def pack_notes(notes: Mapping[int, Note]) -> bytes:
    """Pack comments, keyed by the index of the move."""
    values = {ply: [note.reason, dict(note.belief)] for ply, note in notes.items()}
    return zlib.compress(json.dumps(values).encode(), 1) if values else b""


def unpack_notes(packed: bytes) -> dict[int, Note]:
    values = json.loads(zlib.decompress(packed)) if packed else {}
    return {int(ply): Note(reason, belief) for ply, (reason, belief) in values.items()}


def position_digest(state: State) -> bytes:
    return sha256(state.key()).digest()[:16]
