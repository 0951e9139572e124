"""What stands in for `librt.strings`, a C extension, where the engine runs in a browser.

There it is stored as `librt/strings.py`. Only what the pure engine uses is here; the tests compare
it with the real one.
"""

from __future__ import annotations


class BytesWriter:
    """Bytes that grow at their end."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def append(self, byte: int) -> None:
        self._bytes.append(byte)

    def write(self, data: bytes) -> None:
        self._bytes += data

    def getvalue(self) -> bytes:
        return bytes(self._bytes)

    def __len__(self) -> int:
        return len(self._bytes)

    def __getitem__(self, index: int) -> int:
        return self._bytes[index]

    def __setitem__(self, index: int, byte: int) -> None:
        self._bytes[index] = byte


def write_i16_le(writer: BytesWriter, number: int) -> None:
    """Append a number as two bytes, the lowest first."""
    writer.write(number.to_bytes(2, "little", signed=True))


def write_i32_le(writer: BytesWriter, number: int) -> None:
    """Append a number as four bytes, the lowest first."""
    writer.write(number.to_bytes(4, "little", signed=True))


def read_i64_le(data: bytes, index: int) -> int:
    """The number whose eight bytes begin there, the lowest first."""
    if index < 0:
        raise ValueError("index must be non-negative")
    if index > len(data) - 8:
        raise IndexError("index out of range")
    return int.from_bytes(data[index : index + 8], "little", signed=True)
