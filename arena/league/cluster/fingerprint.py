"""Papers: what two machines must have in common to play the same games, byte for byte."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.league.config import League, sources
from arena.league.database import arena_version
from arena.match.bot_factory import bot_factory
from arena.sandbox.policy import require_sandbox
from games.engine import ROOT, engine_name, stale
from games.errors import GameError
from games.registry import game

PACKAGES: Final = ("arena", "bots", "games", "solver")
"""Everything of ours that games, and what becomes of them, depend on."""


@dataclass(frozen=True)
class Fingerprint:
    """What the outcome of a league's games depends on, beside the league itself."""

    arena: str
    rules: int
    engine: str
    python: str
    code: str
    """Stands for all of our sources: versions are only as good as whoever counts them up."""
    bots: Mapping[str, str]
    """File -> SHA-256 of every bot that is a file."""


def fingerprint(rules: str, bots: Iterable[str]) -> Fingerprint:
    """This machine's papers for a game, and for bots in these files as far as they are there."""
    return Fingerprint(
        arena_version(),
        game(rules).rules_version,
        engine_name(),
        ".".join(platform.python_version_tuple()[:2]),
        code_digest(),
        {file: _digest(Path(file)) for file in bots if Path(file).is_file()},
    )


def papers_of(league: League) -> Fingerprint:
    return fingerprint(league.game, sources(league))


def code_digest() -> str:
    summary = hashlib.sha256()
    for package in PACKAGES:
        for source in sorted((ROOT / package).rglob("*.py")):
            summary.update(f"{source.relative_to(ROOT)} {_digest(source)}\n".encode())
    return summary.hexdigest()


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def differences(home: Fingerprint, there: Fingerprint) -> Iterator[str]:
    """What would have to be changed there, thing by thing."""
    for key in ("arena", "rules", "engine", "python"):
        theirs, ours = getattr(there, key), getattr(home, key)
        if theirs != ours:
            word = "" if key == "engine" else "version "
            yield f"its {key} {word}is {theirs}, and {ours} at home"
    if home.code != there.code:
        yield "its sources of the arena are not those at home"
    for file, digest in home.bots.items():
        if file not in there.bots:
            yield f"it has no file {file!r} (looked for from {Path.cwd()})"
        elif there.bots[file] != digest:
            yield f"its {file} is not the one at home"


def misfit(league: League, home: Fingerprint, sandboxed: bool) -> str:
    """Why this machine must not play for a league at that home; nothing if it may.

    `sandboxed` means that it must be able to keep isolated bots in.
    """
    if os.environ.get("ARENA_PURE") != "1" and (why := stale()):
        return why
    if found := "; ".join(differences(home, fingerprint(league.game, home.bots))):
        return found
    try:
        for one in league.bots:
            bot_factory(one.bot, league.isolated(one.bot))
        if sandboxed:
            require_sandbox()
    except GameError as error:
        return str(error)
    return ""
