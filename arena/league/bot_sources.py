"""What a bot is made of: its spec and the content of its files. An edited bot is another bot."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.machinery import SOURCE_SUFFIXES
from pathlib import Path
from typing import Final

from arena.files import file_digest
from arena.league.config import BotSpec, League
from bots.runtime.loading import BUILT_IN, PROGRAM_PREFIX, bot_package, split_options
from bots.runtime.source_classes import parse_source
from games.engine import ROOT

_OURS: Final = "bots"
"""The package of the built-in bots; its subpackage `runtime` has no influence on how they play."""


def bot_identities(league: League) -> dict[str, str]:
    """Name -> a digest of what the bot is: name, spec, isolation and sources.

    The folder of a bot's file is not part of it, so a league can be moved.
    """
    return {
        spec.name: _digest(
            [spec.name, portable_spec(spec), league.isolated(spec.bot), _sources(spec)]
        )
        for spec in league.bots
    }


def bot_digests(league: League) -> dict[str, str]:
    """File -> SHA-256, for every file that a bot of the league consists of."""
    files = [file for spec in league.bots for file in all_files(spec.bot)]
    return {str(file): file_digest(file) for file in files if file.is_file()}


def all_files(bot: str) -> list[Path]:
    """The files a bot's spec names, and the modules beside them that they import."""
    files = bot_files(bot)
    for file in files:
        files += [module for module in imported_modules(file) if module not in files]
    return files


def bot_files(bot: str) -> list[Path]:
    """The files a bot's spec names: its class's file, or those on a program's command line."""
    if not bot.startswith(PROGRAM_PREFIX):
        place, options = split_options(bot)
        words = [place, *re.split("[=,]", options)]  # an option may name code or a model as well
        files = [Path(word.rpartition(":")[0] or word) for word in words]
        return [file for file in files if file.suffix in {".py", ".json"}]
    try:
        program, *words = shlex.split(bot.removeprefix(PROGRAM_PREFIX))
    except ValueError:
        return []  # not a command line; starting the bot reports that
    # An interpreter on the PATH is not the bot, but a program given by a relative path is.
    own = [program] if "/" in program and not program.startswith("/") else []
    return [Path(word) for word in (*own, *words)]


def imported_modules(file: Path) -> Iterator[Path]:
    """The modules and packages beside a Python file that its import statements name.

    Those of a file that cannot be read as Python are unknown, so all modules beside it count.
    """
    if file.suffix not in SOURCE_SUFFIXES or not file.is_file():
        return
    tree = parse_source(file)
    if tree is None:
        yield from sorted(file.parent.glob("*.py"))
        return
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module else [alias.name for alias in node.names]
        for name in names:
            yield from _module_files(file.parent / name.partition(".")[0])


def _module_files(place: Path) -> Iterator[Path]:
    """The file of a module, or all sources of a package."""
    if place.with_name(place.name + ".py").is_file():
        yield place.with_name(place.name + ".py")
    elif place.is_dir():
        yield from sorted(place.rglob("*.py"))


def portable_spec(spec: BotSpec) -> str:
    """The spec without the folders of its files."""
    if spec.bot.startswith(PROGRAM_PREFIX):
        text = spec.bot
        for file in bot_files(spec.bot):
            if file.is_file():
                text = text.replace(str(file), file.name).replace(f"./{file.name}", file.name)
        return text
    return re.sub(r"[^=,:]*/", "", spec.bot)


def _sources(spec: BotSpec) -> list[str]:
    ours = [_built_in_sources()] if split_options(spec.bot)[0] in BUILT_IN else []
    files = [*all_files(spec.bot), *_package_files(spec.bot)]
    return ours + [file_digest(file) for file in files if file.is_file()]


def _package_files(bot: str) -> list[Path]:
    """The sources of a class that is named by its module, or by an installed package."""
    package = bot_package(bot)
    if package is None or package.is_dir():
        return sorted(package.rglob("*.py")) if package else []
    beside = imported_modules(package) if package.parent == Path.cwd() else ()
    return [package, *beside]


@cache
def _built_in_sources() -> str:
    folder = ROOT / _OURS
    files = (*folder.rglob("*.py"), *folder.rglob("*.json"))  # programs and trained models
    sources = [path for path in files if "runtime" not in path.parts]
    return _digest([[str(path.relative_to(folder)), file_digest(path)] for path in sorted(sources)])


def _digest(parts: object) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()
