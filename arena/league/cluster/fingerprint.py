"""Fingerprint of code, engine and bots; cluster workers must match it to play the same games."""

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.files import file_digest
from arena.league.config import League
from arena.league.database import arena_version
from arena.match.bot_factory import bot_factory
from arena.sandbox.protections import require_sandbox
from games.engine import ROOT, engine_name, stale
from games.errors import GameError
from games.installed import source_files
from games.registry import DEFAULT_GAME, bundled_games, game

PACKAGES: Final = ("arena", "bots", "games", "solver")
"""The packages that the outcome of games depends on."""


@dataclass(frozen=True)
class Fingerprint:
    """What the outcome of a league's games depends on besides its config."""

    arena: str
    rules: int
    engine: str
    python: str
    code: str
    """A hash of all our sources, since a version number may have been left unchanged."""
    bots: Mapping[str, str]
    """File -> SHA-256 of every bot that is a file."""


def fingerprint(rules: str, bots: Iterable[str]) -> Fingerprint:
    """This machine's fingerprint for a game and for those of the bots' files that exist here."""
    return Fingerprint(
        arena_version(),
        game(rules).rules_version,
        engine_name(),
        ".".join(platform.python_version_tuple()[:2]),
        code_digest(rules),
        {file: file_digest(Path(file)) for file in bots if Path(file).is_file()},
    )


def code_digest(rules: str = DEFAULT_GAME) -> str:
    """Of all our sources, and of those of the game if another package provides it."""
    summary = hashlib.sha256()
    if rules not in bundled_games():
        for source in source_files(rules):
            summary.update(f"{source.name} {file_digest(source)}\n".encode())
    for package in PACKAGES:
        for source in sorted((ROOT / package).rglob("*.py")):
            summary.update(f"{source.relative_to(ROOT)} {file_digest(source)}\n".encode())
    return summary.hexdigest()


def mismatches(home: Fingerprint, there: Fingerprint) -> Iterator[str]:
    """How the worker's fingerprint differs, one phrase per difference."""
    for key in ("arena", "rules", "engine", "python"):
        theirs, ours = getattr(there, key), getattr(home, key)
        if theirs != ours:
            word = "" if key == "engine" else "version "
            yield f"its {key} {word}is {theirs}, but {ours} at home"
    if home.code != there.code:
        yield "its sources of the arena differ from those at home"
    for file, digest in home.bots.items():
        if file not in there.bots:
            yield f"it has no file {file!r} (in {Path.cwd()})"
        elif there.bots[file] != digest:
            yield f"its {file} differs from the one at home"


def why_unfit(league: League, home: Fingerprint, sandboxed: bool) -> str:
    """Why this machine must not play games of a league; an empty string if it may.

    With `sandboxed`, every protection against isolated bots must be in force.
    """
    if os.environ.get("ARENA_PURE") != "1" and (why := stale()):
        return why
    if problem := "; ".join(mismatches(home, fingerprint(league.game, home.bots))):
        return problem
    try:
        for spec in league.bots:
            bot_factory(spec.bot, league.isolated(spec.bot))
        if sandboxed:
            require_sandbox()
    except GameError as error:
        return str(error)
    return ""
