"""Ways to damage a file: bytes, tokens, lines and numbers, as accidents and forgers do."""

import random
import re
from collections.abc import Callable

_NUMBER = re.compile(rb"-?\d+(\.\d+)?")
_TOKEN = re.compile(rb"[A-Za-z_]+|\d+|[^\sA-Za-z_\d]")

_NUMBERS = b"0 -1 1 7 255 65536 999999 -9223372036854775809 18446744073709551616 1e5".split()
_NUMBERS += [b"1e999", b"-1e999", b"NaN", b"0.5", b"1/0", b"9" * 400]

_WORDS = b"null true [] {} \"\" '' ? A B Z ' \" ; , = %s {0} ../../x \\ud800 \\u0000".split()
_WORDS += [b"\x00", b"\n", b"\r\n", b"\t", b"\xff\xfe", "ünïcode \u202e".encode()]
_WORDS += [b"[" * 5000, b'{"a":' * 3000, b"(" * 3000]


def mutate(data: bytes, others: list[bytes], dice: random.Random) -> bytes:
    """The data after one to three mutations; `others` are files of the same kind."""
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        data = dice.choice(_MUTATIONS)(data, others, dice)
    return data


def _span(data: bytes, dice: random.Random, most: int = 40) -> tuple[int, int]:
    start = dice.randrange(len(data) + 1)
    return start, min(len(data), start + dice.randint(1, most))


def _flip_bits(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 4, 16)) if changed else 0):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _delete(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    start, end = _span(data, dice)
    return data[:start] + data[end:]


def _insert(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    start = dice.randrange(len(data) + 1)
    return data[:start] + dice.choice((dice.randbytes(3), dice.choice(_WORDS))) + data[start:]


def _repeat(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    start, end = _span(data, dice)
    return data[:end] + data[start:end] * dice.choice((1, 2, 50)) + data[end:]


def _truncate(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _splice(data: bytes, others: list[bytes], dice: random.Random) -> bytes:
    """The beginning of one file and the end of another."""
    other = dice.choice(others)
    return data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]


def _number(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    return _replace_one(data, _NUMBER, lambda found: _other_number(found, dice), dice)


def _other_number(found: bytes, dice: random.Random) -> bytes:
    near = [b"%d" % (int(found) + step) for step in (-1, 1)] if b"." not in found else []
    return dice.choice(near or _NUMBERS) if dice.random() < 0.5 else dice.choice(_NUMBERS)


def _token(data: bytes, others: list[bytes], dice: random.Random) -> bytes:
    """One token becomes another from files of the same kind, or an odd word."""
    known = _TOKEN.findall(dice.choice(others)) or [b"x"]
    word = dice.choice(known) if dice.random() < 0.7 else dice.choice(_WORDS)
    return _replace_one(data, _TOKEN, lambda _found: word, dice)


def _replace_one(
    data: bytes, pattern: re.Pattern[bytes], new: Callable[[bytes], bytes], dice: random.Random
) -> bytes:
    places = list(pattern.finditer(data))
    if not places:
        return data
    place = dice.choice(places)
    return data[: place.start()] + new(place.group()) + data[place.end() :]


def _lines(data: bytes, _others: list[bytes], dice: random.Random) -> bytes:
    """A line is deleted, repeated, or changes places with another."""
    lines = data.split(b"\n")
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(3):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case _:
            lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


_MUTATIONS = (
    *(_flip_bits, _delete, _insert, _repeat, _truncate, _splice),
    *(_number, _number, _token, _token, _token, _lines),
)
