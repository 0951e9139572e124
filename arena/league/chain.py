"""The chain of a run file: each entry seals what was written, and every entry before it.

Entries are added in the transaction that writes what they are about, so kills and resumptions leave
no gap. Their order is that in which games finished, which differs from run to run; so the chain is
not part of the content that is the same on every machine.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple

from arena.league.database import OF_A_GAME

_START: Final = sha256(b"hidden-leaders-arena run file").digest()


class Kind(StrEnum):
    """What an entry is about."""

    CONVERTED = "converted"
    """The entries that follow were made from an older file, which had no chain."""
    LEAGUE = "league"
    """The config, the rules version and the digests of the bots, whenever they change."""
    COMMITMENT = "commitment"
    """A secret seed was drawn; the digest is the commitment."""
    WITHDRAWN = "withdrawn"
    """Somebody chose a seed instead of the secret one."""
    SITTING = "sitting"
    GAME = "game"
    PRUNED = "pruned"
    """A game was deleted by `--prune`, because it did not belong to the league."""
    END = "end"
    """The league is complete; the digest is that of its content."""
    REVEALED = "revealed"
    """The secret seed was printed; the digest is the commitment."""


class ChainEntry(NamedTuple):
    """One entry of the chain."""

    place: int
    kind: str
    identity: bytes
    """Of a game; empty for other kinds."""
    digest: bytes
    link: bytes
    """The digest of this entry and of the link before."""


def digest_of(rows: Iterable[Sequence[object]]) -> bytes:
    """Of values as SQLite returns them; each is preceded by its length, so none runs into another.

    Bytes, which are most of a game, are taken as they are.
    """
    summary = sha256()
    for row in rows:
        summary.update(b"row %d " % len(row))
        for value in row:
            text = value if isinstance(value, bytes) else repr(value).encode()
            kind = b"bytes" if isinstance(value, bytes) else b"value"
            summary.update(b"%s %d " % (kind, len(text)))
            summary.update(text)
    return summary.digest()


def link_after(before: bytes, kind: str, identity: bytes, digest: bytes) -> bytes:
    return sha256(before + repr((kind, identity, digest)).encode()).digest()


def append(base: sqlite3.Connection, kind: Kind, digest: bytes, identity: bytes = b"") -> None:
    """Add an entry, in a transaction that the caller has begun."""
    query = "SELECT place, link FROM chain ORDER BY place DESC LIMIT 1"
    place, before = base.execute(query).fetchone() or (-1, _START)
    link = link_after(before, kind.value, identity, digest)
    entry = (place + 1, kind.value, identity, digest, link)
    base.execute("INSERT INTO chain VALUES (?, ?, ?, ?, ?)", entry)


def append_game(base: sqlite3.Connection, identity: bytes) -> None:
    append(base, Kind.GAME, game_digest(base, identity), identity)


def game_digest(base: sqlite3.Connection, identity: bytes) -> bytes:
    """Of all rows about a game, also those that differ between machines, like times."""
    return digest_of(
        row
        for table in OF_A_GAME
        for row in base.execute(
            f"SELECT '{table}', * FROM {table} WHERE identity = ? ORDER BY 2, 3",  # noqa: S608
            (identity,),
        )
    )


def league_digest(base: sqlite3.Connection) -> bytes:
    return digest_of(base.execute("SELECT key, value FROM league ORDER BY key"))


def entries(base: sqlite3.Connection) -> Iterator[ChainEntry]:
    """All entries as they are stored; `broken_link` says whether they are a chain."""
    for row in base.execute("SELECT * FROM chain ORDER BY place"):
        place, kind, identity, digest, link = row
        if not all(isinstance(value, bytes) for value in (identity, digest, link)):
            raise ValueError(f"entry {place} of its chain is not made of digests")
        yield ChainEntry(place, kind, identity, digest, link)


def broken_link(chain: Iterable[ChainEntry]) -> int | None:
    """The first entry that does not follow from those before; None if all do."""
    link = _START
    for place, entry in enumerate(chain):
        link = link_after(link, entry.kind, entry.identity, entry.digest)
        if (entry.place, entry.link) != (place, link):
            return place
    return None
