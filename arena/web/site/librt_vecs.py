"""What stands in for `librt.vecs`, a C extension, where the engine runs in a browser.

There it is stored as `librt/vecs.py`. Only what the pure engine uses is here; the tests compare it
with the real one.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any, Final

_CODES: Final = {"i64": "q", "i32": "i", "i16": "h", "u8": "B", "float": "d", "bool": "b"}


class vec:  # noqa: N801  # the name that the engine imports
    """`vec[i64](items)` makes a vector: here an array, whose slices are arrays as well."""

    def __class_getitem__(cls, item: type) -> Callable[..., array[Any]]:
        code = _CODES[item.__name__]

        def make(items: Iterable[Any] = ()) -> array[Any]:
            return array(code, items)

        return make


def append(vector: array[Any], item: object) -> array[Any]:
    """A vector with one item more; the given one stays as it is."""
    longer = vector[:]
    longer.append(item)
    return longer
