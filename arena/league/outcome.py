"""The outcome of one game of a league, as plain data that can travel between processes."""

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from games.replay import ConsideredMove, Note
from games.state import State

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_PARTS: Final = 10_000
"""Values of candidates have four digits behind the point."""
_MOST_SECONDS: Final = 65_000.0
"""The longest decision that half a float can hold: 18 hours."""


_MOST_BYTES: Final = 2**26
"""No game has more than this to say; a forged one could unpack to any size."""


class Fault(NamedTuple):
    """How a bot ended a game by breaking its rules, a limit or itself."""

    seat: int
    kind: str
    decision: int
    """Which decision of the game; 0 before the first, or if it went with the worker it stopped."""
    problem: str
    where: str = ""
    """The line of the bot's own code, like `my_bot.py, line 12, in choose`; empty if unknown."""


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
    times: bytes = b""
    """How long each decision took, packed; differs between machines, unlike the notes."""
    turn_limit: bool = False
    """Whether the turn limit ended it."""


class Crashed(NamedTuple):
    """A game in which the rules or the arena failed; no bot is to blame."""

    number: int
    problem: str


Outcome = Finished | Crashed


def inflate(packed: bytes) -> bytes:
    """What was compressed; ValueError if it is absurdly large or cut off."""
    stream = zlib.decompressobj()
    plain = stream.decompress(packed, _MOST_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("packed values do not end where they should")
    return plain


def pack_moves(moves: Sequence[int]) -> bytes:
    return zlib.compress(struct.pack(f"<{len(moves)}H", *moves), 1)


def unpack_moves(packed: bytes) -> tuple[int, ...]:
    plain = inflate(packed)
    return struct.unpack(f"<{len(plain) // 2}H", plain)


def pack_notes(notes: Mapping[int, Note]) -> bytes:
    """Pack comments, keyed by the index of the move.

    Candidates become one list of whole numbers, which is several times faster than their texts.
    """
    values: dict[int, list[object]] = {}
    for ply, note in notes.items():
        values[ply] = [note.reason, note.belief]
        if note.candidates:
            flat: list[int] = []
            for move, visits, value in note.candidates:
                flat += (move, visits, round(value * _PARTS))
            values[ply].append(flat)
    return zlib.compress(_ENCODER.encode(values).encode(), 1) if values else b""


def unpack_notes(packed: bytes) -> dict[int, Note]:
    values = json.loads(inflate(packed)) if packed else {}
    notes: dict[int, Note] = {}
    for ply, (reason, belief, *more) in values.items():
        flat = iter(more[0] if more else ())
        rows = zip(flat, flat, flat, strict=True)
        candidates = (ConsideredMove(move, visits, part / _PARTS) for move, visits, part in rows)
        notes[int(ply)] = Note(reason, belief, tuple(candidates))
    return notes


def pack_times(seconds: Mapping[int, float]) -> bytes:
    """Pack the seconds of decisions, keyed by the index of the move, to three digits."""
    if not seconds:
        return b""
    numbers = [min(seconds.get(ply, 0.0), _MOST_SECONDS) for ply in range(max(seconds) + 1)]
    return zlib.compress(struct.pack(f"<{len(numbers)}e", *numbers), 1)


def unpack_times(packed: bytes) -> dict[int, float]:
    plain = inflate(packed) if packed else b""
    numbers = struct.unpack(f"<{len(plain) // 2}e", plain)
    return {ply: float(f"{number:.3g}") for ply, number in enumerate(numbers) if number}


def position_digest(state: State) -> bytes:
    return sha256(state.key()).digest()[:16]
