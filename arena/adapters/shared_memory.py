"""Vectors of the engine as numpy arrays that share their memory."""

from __future__ import annotations

from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.generic)


def shared_array(vector: object, kind: type[_Number]) -> NDArray[_Number]:
    """The memory of a vector as an array that cannot be written to; nothing is copied."""
    return np.frombuffer(cast("bytes", vector), dtype=kind)
