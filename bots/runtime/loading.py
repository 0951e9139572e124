"""Finding bots: by built-in name, module:Class, file.py:Class or entry point, with options behind.

`ismcts`, `ismcts:iterations=2000,tree=mo`, `my_package.my_module:MyBot`,
`strategies/miser.py:Miser:thrift=3` all name a bot that is a class. Programs in other languages
are no classes: arena/match/bot_factory.py seats both.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import importlib.util
import sys
import traceback
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from bots.bot import Bot, Budget, Match
from bots.options import BadOption, names_code, parse_options
from bots.runtime.faults import heed
from games.engine import ROOT
from games.errors import GameError, did_you_mean
from games.state import Rng

BUILT_IN: Final = {
    "random": "bots.random_bot:Random",
    "greedy": "bots.greedy:Greedy",
    "ismcts": "bots.ismcts.bot:Ismcts",
}
ENTRY_POINTS: Final = "arena.bots"
FIRST: Final = {"games", "bots", "solver", "arena", *sys.stdlib_module_names}
"""Modules for which no file beside a bot is taken."""
FILE: Final = ".py:"
"""Stands in the name of a bot that is a class in a file."""
PROGRAM: Final = "cmd:"
"""Begins the name of a bot that is a program in any language: the rest is its command line."""


class BadBot(GameError):
    """A bot that cannot be found, imported or used."""


@dataclass(frozen=True)
class ClassFactory:
    """A bot as it was named: a class and its settings."""

    name: str
    """As written by whoever named it."""
    bot: type[Bot]
    settings: dict[str, int | float | str | bool]
    source: str
    """"built in", "installed" or where it was loaded from."""

    def make(
        self,
        seat: int,
        seed: int,
        budget: Budget | None = None,
        match: Match | None = None,  # noqa: ARG002  (a class learns it from its View)
    ) -> Bot:
        """A fresh instance for one seat of one game."""
        player = self.bot.__new__(self.bot)
        for name, value in self.settings.items():
            setattr(player, name, value)  # first, so that an author's __init__ can read them
        player.__init__(seat, Rng(seed), budget)  # type: ignore[misc]
        return player


def load(name: str) -> ClassFactory:
    """The bot named; BadBot or BadOption says in one sentence what is wrong and what is there."""
    place, options = split_options(name)
    found, source = find_class(place)
    return ClassFactory(name, found, parse_options(found, options), source)


def is_ours(name: str) -> bool:
    """Whether nobody's code but the arena's plays under that name; none is run to find out."""
    place, options = split_options(name)
    return place in BUILT_IN and not names_code(find_class(place)[0], options)


def split_options(name: str) -> tuple[str, str]:
    """What comes before the options, and the options."""
    head, colon, last = name.rpartition(":")
    if colon and "=" in last:
        return head, last
    return name, ""


def split_names(names: str) -> list[str]:
    """Bots named in one text, with commas between: `greedy,ismcts:iterations=200,tree=mo` are two.

    Options have commas between them as well; a name of its own has no `=` before its first colon.
    """
    found: list[str] = []
    for part in names.split(","):
        if found and "=" in part.partition(":")[0]:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found


def find_class(place: str) -> tuple[type[Bot], str]:
    if place.startswith(PROGRAM):
        raise BadBot(f"{place!r} is a program, and here a class is needed")
    if place in BUILT_IN:
        return bot_class(BUILT_IN[place], place), "built in"
    before, colon, last = place.rpartition(":")
    if FILE in before or (colon and ":" in before and FILE not in place):
        raise BadOption(f"{last!r} is no setting of {before}: options are written name=value")
    if FILE in place:
        return bot_class(place, place), before
    for name, value in installed():
        if name == place:
            return bot_class(value, place), "installed"
    names = [known for known, _, _ in all_bots()]
    if before in names:
        raise BadOption(f"{last!r} is no setting of {before}: options are written name=value")
    if before and last:
        return bot_class(place, place), before
    if place.endswith(".py"):
        classes = bots_in(load_file(place)) or ["Class"]
        raise BadBot(f"{place} is a file; a bot in it is named as {place}:{' or :'.join(classes)}")
    raise BadBot(
        f"there is no bot {place!r}{did_you_mean(place, names)}; known are {', '.join(names)}, "
        "and any class as module:Class or path/file.py:Class"
    )


def bot_class(place: str, name: str) -> type[Bot]:
    module_name, _, class_name = place.rpartition(":")
    module = load_file(module_name) if module_name.endswith(".py") else load_module(module_name)
    found = getattr(module, class_name, None)
    if found is None:
        classes = bots_in(module)
        have = f"it has {', '.join(classes)}" if classes else "there is no bot in it"
        hint = did_you_mean(class_name, classes)
        raise BadBot(f"{module_name} has no {class_name!r}{hint}; {have}")
    if not is_bot(found):
        raise BadBot(f"{name} is not a bot: a bot is a subclass of bots.Bot")
    missing: frozenset[str] = getattr(found, "__abstractmethods__", frozenset())
    if missing:
        raise BadBot(f"{name} cannot play: it lacks {', '.join(sorted(missing))}")
    bot: type[Bot] = found
    return bot


def bots_in(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if is_bot(value)]


def is_bot(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Bot) and value is not Bot


def load_module(name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, which an installed command does not look in
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise BadBot(f"there is no module {name!r} to load a bot from") from None
        raise BadBot(f"{name} does not import:\n{authors_lines(error, '')}") from None
    except BaseException as error:  # noqa: BLE001  (whatever an author's module does)
        heed(error)
        raise BadBot(f"{name} does not import:\n{authors_lines(error, '')}") from None


def load_file(path: str) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        raise BadBot(f"there is no file {path!r} to load a bot from")
    try:
        return load_source(file.resolve())
    except BaseException as error:  # noqa: BLE001  (whatever an author's file does)
        heed(error)
        folder = str(file.resolve().parent)
        raise BadBot(f"{path} does not import:\n{authors_lines(error, folder)}") from None


def load_source(file: Path) -> ModuleType:
    """The file as a module: the same file is the same module, two files of one name are not."""
    mark = hashlib.sha256(str(file).encode()).hexdigest()[:12]
    name = f"{file.stem}_{mark}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # What `import` means in a module is for its builtins to say: here also the files beside it.
    # Were their folder on sys.path, two bots that both have a tactics.py would share one of them.
    vars(module)["__builtins__"] = {
        **vars(builtins),
        "__import__": partial(import_beside, file.parent),
    }
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def import_beside(folder: Path, name: str, *how: Any, **more: Any) -> ModuleType:
    """Import for the files of one folder: Python's own and ours, those beside, then all others."""
    file = folder / f"{name}.py"
    if name in FIRST or not file.is_file():
        return builtins.__import__(name, *how, **more)
    return load_source(file)


def authors_lines(error: BaseException, folder: str) -> str:
    """The traceback without the machinery that led into the author's own code."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = str(ROOT / "bots")
    theirs = [
        frame
        for frame in frames
        if (not folder or str(Path(frame.filename).parent) == folder)
        and not frame.filename.startswith(ours)
        and "importlib" not in frame.filename
    ]
    lines = traceback.format_list(theirs) + traceback.format_exception_only(error)
    return "".join(lines).rstrip()


def all_bots() -> list[tuple[str, str, str]]:
    """(name, where it comes from, module:Class) of every bot that has a name."""
    listed = [(name, "built in", place) for name, place in BUILT_IN.items()]
    return listed + [(name, "installed", place) for name, place in installed()]


def installed() -> list[tuple[str, str]]:
    """(name, module:Class) of every bot that a package brings along."""
    # Here, because it takes as long to load as all the rest, and few bots need it.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return [(point.name, point.value) for point in entry_points(group=ENTRY_POINTS)]
