"""What is proven of a position, what the proof read, and where such proofs are kept."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.state import ALL_PARTS, State
from solver.core.ratio import ALWAYS, NEVER, Ratio, at_least

ReadProof = tuple[Ratio, Ratio, i64, i64]
"""Bounds, with the parts of the table that the proofs of the lower and the upper one read."""
NOTHING_PROVEN: Final[ReadProof] = (NEVER, ALWAYS, 0, 0)

MOST_PARTITIONS: Final = 24
"""Sets of parts under which proofs are stored; every one costs a key at the start of a turn."""

NO_EFFORT: Final = -1


@mypyc_attr(acyclic=True)
class TableEntry:
    """What is proven of a position, with the effort and the window of the visit that proved it."""

    def __init__(self, known: ReadProof, effort: i64, alpha: Ratio, beta: Ratio) -> None:
        self.known = known
        self.effort = effort
        self.alpha = alpha
        self.beta = beta

    def answers(self, effort: i64, alpha: Ratio, beta: Ratio) -> bool:
        """Whether a visit with this effort and window would prove no more."""
        return self.effort == effort and at_least(alpha, self.alpha) and at_least(self.beta, beta)


class Partitions:
    """Proofs at the start of a turn, by the parts of the table that they read and by their key."""

    def __init__(self, deadline: i64) -> None:
        self.deadline = deadline
        self.proofs_by_parts: dict[int, dict[bytes, TableEntry]] = {}

    def remembered(self, state: State) -> ReadProof:
        """The tightest bounds that were proven by reading only what lies here as it lay there."""
        known = NOTHING_PROVEN
        for parts, proofs in self.proofs_by_parts.items():
            found = proofs.get(state.part_key(parts, self.deadline))
            if found is not None:
                known = tighter(known, found.known)
        return known

    def remember(self, state: State, known: ReadProof) -> None:
        """Store each bound under what its proof read."""
        low, high, read_for_low, read_for_high = known
        if low != NEVER and read_for_low != ALL_PARTS:
            self.store(state, read_for_low, (low, ALWAYS, read_for_low, 0))
        if high != ALWAYS and read_for_high != ALL_PARTS:
            self.store(state, read_for_high, (NEVER, high, 0, read_for_high))

    def store(self, state: State, parts: i64, proof: ReadProof) -> None:
        proofs = self.proofs_by_parts.get(parts)
        if proofs is None:
            if len(self.proofs_by_parts) == MOST_PARTITIONS:
                return
            proofs = self.proofs_by_parts[parts] = {}
        key = state.part_key(parts, self.deadline)
        found = proofs.get(key)
        if found is None:
            proofs[key] = TableEntry(proof, NO_EFFORT, NEVER, ALWAYS)
        else:
            found.known = tighter(found.known, proof)


def decided(known: ReadProof, alpha: Ratio, beta: Ratio) -> bool:
    """Whether the bounds are exact or outside the window."""
    low, high = known[0], known[1]
    return low == high or at_least(alpha, high) or at_least(low, beta)


def tighter(one: ReadProof, other: ReadProof) -> ReadProof:
    """The better of the lower bounds and of the upper bounds."""
    low_holds, high_holds = at_least(one[0], other[0]), at_least(other[1], one[1])
    if low_holds:
        return one if high_holds else (one[0], other[1], one[2], other[3])
    return (other[0], one[1], other[2], one[3]) if high_holds else other


def without(proof: ReadProof, parts: i64) -> ReadProof:
    """Only those bounds whose proofs did not read these parts."""
    low, high, read_for_low, read_for_high = proof
    if read_for_low & parts:
        low, read_for_low = NEVER, 0
    if read_for_high & parts:
        high, read_for_high = ALWAYS, 0
    return low, high, read_for_low, read_for_high


def holds_for_all(proof: ReadProof, parts: i64) -> bool:
    """Whether moves that differ only in what they do to these parts are all worth the same."""
    return parts != 0 and proof[0] == proof[1] and not (proof[2] | proof[3]) & parts
