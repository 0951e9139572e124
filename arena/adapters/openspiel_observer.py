"""What OpenSpiel's observers see of our games: public and private parts, now or with all the past.

| observation type | without recall | with perfect recall |
|---|---|---|
| public | the open table | all events that an onlooker perceives |
| private | what the seat alone knows | all events that the seat alone perceives |
| public and private | the observation of docs/learning.md | the information state: all its events |
"""

from __future__ import annotations

from typing import Final, Protocol

from arena.adapters.extras import MissingExtra

try:
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise MissingExtra("the OpenSpiel adapter", "openspiel", error.name) from None

from librt.vecs import vec
from mypy_extensions import i64

from arena.adapters.event_text import PACKED_NUMBER, add_events, unpack_events
from arena.adapters.shared_memory import shared_array
from games.forms.observations import ObservationLayout
from games.state import NOBODY, State

_SHIFT: Final = 3
"""Added to the numbers of events, so that 0 is only padding; the least is -2."""


class Observed(Protocol):
    """What observers read of a state."""

    table: State | None
    """None before chance has chosen one of several worlds."""
    seen: list[str]
    """Every seat's events, as text."""
    told: list[bytes]
    """The same, packed."""
    private: list[bytes]
    """Those of them that an onlooker does not get, packed."""
    public: bytes
    """What an onlooker perceives, packed."""


class SpielObserver:
    """Writes what a player sees of a state into `tensor`, and says it as text."""

    def __init__(
        self,
        layout: ObservationLayout | None,
        players: int,
        recall: int,
        kind: pyspiel.IIGObservationType,
    ) -> None:
        """`recall`: how many numbers of events there is room for; 0 for none."""
        self.layout = layout
        self.players = players
        self.recall = recall
        self.public = bool(kind.public_info)
        self.recalls = bool(kind.perfect_recall)
        own, everybody = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.ALL_PLAYERS
        self.private = kind.private_info in (own, everybody)
        self.all_seats = kind.private_info == everybody
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        pieces = self._pieces()
        if pieces:
            self.tensor = np.zeros(sum(pieces.values()), np.float32)
            at = 0
            for name, size in pieces.items():
                self.dict[name] = self.tensor[at : at + size]
                at += size

    def _pieces(self) -> dict[str, int]:
        """The parts of the tensor and how many numbers they have; none if there is no tensor."""
        if not (self.public or self.private):
            return {}
        pieces = {"player": self.players} if self.private and not self.all_seats else {}
        copies = self.players if self.all_seats else 1
        if self.recalls:
            return {**pieces, "events": copies * self.recall} if self.recall else {}
        if self.layout is None:
            return {}
        if self.public:
            pieces["public"] = self.layout.public_size
        if self.private:
            pieces["private"] = copies * (self.layout.size - self.layout.public_size)
        return pieces

    # ---- numbers --------------------------------------------------------------------------

    def set_from(self, state: Observed, player: int) -> None:
        """Fill the tensor with what the player sees in the state."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if "player" in self.dict:
            self.dict["player"][player] = 1
        if "events" in self.dict:
            for row, packed in enumerate(self._histories(state, player)):
                # What outgrows the tensor ends the game, so only its last state is cut short.
                numbers = np.frombuffer(packed, PACKED_NUMBER)[: self.recall]
                at = row * self.recall
                np.add(numbers, _SHIFT, self.dict["events"][at : at + len(numbers)])
        elif state.table is not None:
            self._set_present(state, player)

    def _set_present(self, state: Observed, player: int) -> None:
        assert self.layout is not None
        first = self.layout.public_size
        if "public" in self.dict:
            seat = player if self.private and not self.all_seats else NOBODY
            self.dict["public"][:] = self._numbers(state, seat)[:first]
        if "private" in self.dict:
            own = [self._numbers(state, seat)[first:] for seat in self._seats(player)]
            self.dict["private"][:] = np.concatenate(own)

    def _seats(self, player: int) -> list[int]:
        """The seats whose private information is observed."""
        return list(range(self.players)) if self.all_seats else [player]

    def _histories(self, state: Observed, player: int) -> list[bytes]:
        """All that was perceived, packed: one row, or one for each seat."""
        if not self.private:
            return [state.public]
        rows = state.told if self.public else state.private
        return [rows[seat] for seat in self._seats(player)]

    def _numbers(self, state: Observed, seat: int) -> NDArray[np.int8]:
        assert self.layout is not None
        assert state.table is not None
        words = vec[i64]([0] * self.layout.words)
        state.table.fill_observation(seat, words, 0)
        return shared_array(words, np.int8)

    # ---- text -----------------------------------------------------------------------------

    def string_from(self, state: Observed, player: int) -> str:
        """What the player sees in the state, as text; "" for private parts that hold nothing."""
        if not (self.public or self.private):
            return ""
        rows = self._history_text(state, player) if self.recalls else self._present(state, player)
        if not self.private:
            return f"public: {rows[0]}"
        lines = [
            f"p{seat}: {row}"
            for seat, row in zip(self._seats(player), rows, strict=True)
            if row or self.public
        ]
        return "\n".join(lines)

    def _history_text(self, state: Observed, player: int) -> list[str]:
        if self.private and self.public:
            return [state.seen[seat] for seat in self._seats(player)]
        rows = self._histories(state, player)
        return [add_events("", unpack_events(packed)) for packed in rows]

    def _present(self, state: Observed, player: int) -> list[str]:
        seats = self._seats(player) if self.private else [NOBODY]
        if state.table is None:
            return ["" for _ in seats]
        if self.layout is None:  # all that is known of such a game is its events
            return self._history_text(state, player)
        rows = []
        for seat in seats:
            numbers = self._numbers(state, seat).tolist()
            if not self.public:
                numbers[: self.layout.public_size] = [0] * self.layout.public_size
            rows.append(self.layout.describe(numbers))
        return rows
