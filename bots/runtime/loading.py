"""Loads a bot by its name: built in, installed, module:Class or file.py:Class, with options.

`ismcts`, `ismcts:iterations=2000,tree=mo`, `my_package.my_module:MyBot` and
`strategies/miser.py:Miser:thrift=3` all name a bot that is a Python class. Bots that are programs
(`cmd:...`) are handled by arena/match/bot_factory.py.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import importlib.util
import sys
import traceback
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, TypeGuard

from bots.bot import Bot, Budget, Match
from bots.options import BadOption, names_code, parse_options
from bots.runtime.faults import reraise_ctrl_c
from bots.runtime.source_classes import classes_in_source
from games.engine import ROOT
from games.errors import GameError, did_you_mean
from games.state import Rng

BUILT_IN: Final = {
    "random": "bots.random_bot:Random",
    "greedy": "bots.greedy:Greedy",
    "ismcts": "bots.ismcts.bot:Ismcts",
    "champion": "bots.champion.bot:Champion",
}
ENTRY_POINTS: Final = "arena.bots"
OUR_PACKAGES: Final = ("games", "bots", "solver", "arena")
RESERVED_MODULES: Final = {*OUR_PACKAGES, *sys.stdlib_module_names}
"""Modules that a file of the same name beside a bot does not replace."""
PROGRAM_PREFIX: Final = "cmd:"
"""Starts the name of a bot that is a program in any language; its command line follows."""
_FILE_CLASS: Final = ".py:"
"""Found in the name of a bot that is a class in a file."""


class BadBot(GameError):
    """A bot that cannot be found, imported or used."""


@dataclass(frozen=True)
class ClassFactory:
    """Makes bots of one class with the same settings, in this process."""

    name: str
    """As the user wrote it."""
    bot: type[Bot]
    settings: dict[str, int | float | str | bool]
    source: str
    """"built in", "installed", or the file or module it was loaded from."""

    def make(
        self,
        seat: int,
        seed: int,
        budget: Budget | None = None,
        match: Match | None = None,  # noqa: ARG002  (a class learns it from its View)
    ) -> Bot:
        """A fresh instance for one seat of one game."""
        bot = self.bot.__new__(self.bot)
        for name, value in self.settings.items():
            setattr(bot, name, value)  # first, so that an author's __init__ can read them
        bot.__init__(seat, Rng(seed), budget)  # type: ignore[misc]
        return bot

    def check(self, match: Match) -> None:
        """BadBot if the bot says that it cannot play that match."""
        if self.bot.check_match is Bot.check_match:
            return  # it has nothing to say, so none of its code runs
        try:
            with redirect_stdout(sys.stderr):
                self.make(0, 0, None, match).check_match(match)
        except GameError as error:
            raise BadBot(f"{self.name}: {error}") from None
        except BaseException as error:  # noqa: BLE001  (an author's method may raise anything)
            reraise_ctrl_c(error)
            code = self.bot.check_match.__code__
            lines = authors_lines(error, str(Path(code.co_filename).parent))
            raise BadBot(f"{self.name} failed before its first game:\n{lines}") from None


def load_bot(name: str | type[Bot]) -> ClassFactory:
    """The bot of that name; BadBot or BadOption says what is wrong and what is known.

    Instead of a name, a class, to be played with its options as they are.
    """
    if not isinstance(name, str):
        called = getattr(name, "__name__", repr(name))
        return ClassFactory(called, usable_class(name, called), {}, name.__module__)
    place, options = split_options(name)
    bot, source = find_class(place)
    return ClassFactory(name, bot, parse_options(bot, options), source)


def is_ours(name: str) -> bool:
    """Whether the name runs only the arena's own code; runs no other code to find out."""
    place, options = split_options(name)
    return place in BUILT_IN and not names_code(find_class(place)[0], options)


def split_options(name: str) -> tuple[str, str]:
    """The name without its options, and the options."""
    head, colon, last = name.rpartition(":")
    if colon and "=" in last:
        return head, last
    return name, ""


def split_names(names: str) -> list[str]:
    """The bots in a comma-separated text: `greedy,ismcts:iterations=200,tree=mo` are two.

    Commas separate options as well; the first part of a name has no `=` before its first colon.
    """
    bots: list[str] = []
    for part in names.split(","):
        if bots and "=" in part.partition(":")[0]:
            bots[-1] += f",{part}"
        else:
            bots.append(part.strip())
    return bots


def find_class(place: str) -> tuple[type[Bot], str]:
    """The class that a name without options stands for, and its source."""
    target, source = find_place(place)
    return bot_class(target, place), source


def find_place(place: str) -> tuple[str, str]:
    """Where that class is, as module:Class or file.py:Class, and its source.

    Runs no code of a bot, not even its import, so a name can be judged before it is known whether
    the bot may run here.
    """
    if place.startswith(PROGRAM_PREFIX):
        raise BadBot(f"{place!r} is a program; only a Python class can be used here")
    if place in BUILT_IN:
        return BUILT_IN[place], "built in"
    before, colon, last = place.rpartition(":")
    not_a_setting = f"{last!r} is not a setting of {before}; options are written name=value"
    if not last:
        not_a_setting = f"nothing follows the colon in {place!r}; options are written name=value"
    if _FILE_CLASS in before or (colon and ":" in before and _FILE_CLASS not in place):
        raise BadOption(not_a_setting)
    if f"{place.removesuffix(':')}:".endswith(_FILE_CLASS):
        path = place.removesuffix(":")
        classes = classes_in_source(existing_file(path)) or ["Class"]
        raise BadBot(f"{path} is a file; add the class: {path}:{' or :'.join(classes)}")
    if _FILE_CLASS in place:
        existing_file(before)
        return place, before
    for name, value in installed():
        if name == place:
            return value, "installed"
    names = [name for name, _, _ in all_bots()]
    if before in names:
        raise BadOption(not_a_setting)
    if before and last:
        return place, before
    raise BadBot(
        f"there is no bot {place!r}{did_you_mean(place, names)} (known: {', '.join(names)}, "
        "or any class as module:Class or path/file.py:Class)"
    )


def bot_package(name: str) -> Path | None:
    """The package or module of a class that is not named by its file; None if there is none.

    None for our own classes, too. Runs no code of a bot.
    """
    place = split_options(name)[0]
    if place.startswith(PROGRAM_PREFIX) or place in BUILT_IN or _FILE_CLASS in place:
        return None
    target = next((value for known, value in installed() if known == place), place)
    top = target.partition(":")[0].partition(".")[0]
    if not top.isidentifier() or top in OUR_PACKAGES:
        return None
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is not None and spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).absolute()
    if spec is not None and spec.has_location:
        return Path(str(spec.origin)).absolute()
    here = (Path(top), Path(f"{top}.py"))  # the current folder comes last, see load_module
    return next((path.absolute() for path in here if path.exists()), None)


def bot_class(place: str, name: str) -> type[Bot]:
    module_name, _, class_name = place.rpartition(":")
    module = load_file(module_name) if module_name.endswith(".py") else load_module(module_name)
    value = getattr(module, class_name, None)
    if value is None:
        classes = bots_in(module)
        known = f"bots in it: {', '.join(classes)}" if classes else "there is no bot in it"
        hint = did_you_mean(class_name, classes)
        raise BadBot(f"{module_name} has no {class_name!r}{hint} ({known})")
    return usable_class(value, name)


def usable_class(value: object, name: str) -> type[Bot]:
    """The same, if it is a bot that can play."""
    if not is_bot(value):
        raise BadBot(f"{name} is not a bot; a bot is a subclass of bots.Bot")
    missing: frozenset[str] = getattr(value, "__abstractmethods__", frozenset())
    if missing:
        raise BadBot(f"{name} cannot play; write the method {', '.join(sorted(missing))}")
    if name not in BUILT_IN:
        check_methods(value, name)
    return value


_METHODS: Final = {
    "__init__": ("seat", "rng", "budget=None"),
    "check_match": ("match",),
    "start": ("view",),
    "observe": ("event",),
    "choose": ("view",),
}
"""What the arena calls, and with which arguments."""


def check_methods(bot: type, name: str) -> None:
    """BadBot if a method cannot be called as the arena calls it."""
    from inspect import getattr_static, signature  # noqa: PLC0415  (slow to load)

    for method, arguments in _METHODS.items():
        function = getattr_static(bot, method)
        if not isinstance(function, FunctionType):
            continue  # whatever the author meant by that
        try:
            signature(function).bind(bot, *arguments)
        except TypeError:
            code = function.__code__
            place = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
            right = f"def {method}(self, {', '.join(arguments)})"
            raise BadBot(f"{name}, {method} ({place}): write `{right}`") from None


def bots_in(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if is_bot(value)]


def is_bot(value: object) -> TypeGuard[type[Bot]]:
    return isinstance(value, type) and issubclass(value, Bot) and value is not Bot


def load_module(name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, which an installed command does not search
    try:
        with redirect_stdout(sys.stderr):  # what it prints must not spoil a command's output
            return importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001  (an author's module may raise anything)
        reraise_ctrl_c(error)
        lacks = error.name if isinstance(error, ModuleNotFoundError) else None
        if lacks is None or not f"{name}.".startswith(f"{lacks}."):
            raise BadBot(f"{name} cannot be imported:\n{authors_lines(error, '')}") from None
        raise BadBot(f"there is no module {name!r} to load a bot from{_file_hint(name)}") from None


def _file_hint(module: str) -> str:
    """For a file of the user's that one of our packages hides: `bots.miser` of bots/miser.py."""
    package, *_ = module.split(".")
    file = Path(*module.split(".")).with_suffix(".py")
    if package not in OUR_PACKAGES or not file.is_file():
        return ""
    return f", because {package} is the arena's own package; name the file: {file}:Class"


def existing_file(path: str) -> Path:
    file = Path(path)
    if not file.is_file():
        raise BadBot(f"there is no file {path!r} to load a bot from")
    return file


def load_file(path: str) -> ModuleType:
    file = existing_file(path)
    try:
        with redirect_stdout(sys.stderr):
            return load_source(file.resolve())
    except BaseException as error:  # noqa: BLE001  (an author's file may raise anything)
        reraise_ctrl_c(error)
        folder = str(file.resolve().parent)
        raise BadBot(f"{path} cannot be imported:\n{authors_lines(error, folder)}") from None


def load_source(file: Path) -> ModuleType:
    """The file as a module; a file is loaded once, and files of the same name stay apart."""
    mark = hashlib.sha256(str(file).encode()).hexdigest()[:12]
    name = f"{file.stem}_{mark}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A module's builtins define what `import` does in it: here it also finds the files beside it.
    # With their folder on sys.path, two bots that both have a tactics.py would share one of them.
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


def import_beside(folder: Path, name: str, *arguments: Any, **keywords: Any) -> ModuleType:
    """`import` for the files of one folder: reserved modules, then files beside, then the rest."""
    file = folder / f"{name}.py"
    if name in RESERVED_MODULES or not file.is_file():
        return builtins.__import__(name, *arguments, **keywords)
    return load_source(file)


def authors_lines(error: BaseException, folder: str) -> str:
    """The traceback without the frames that lead into the author's own code."""
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
    """(name, source, module:Class) of every bot that has a name."""
    bundled = [(name, "built in", place) for name, place in BUILT_IN.items()]
    return bundled + [(name, "installed", place) for name, place in installed()]


def installed() -> list[tuple[str, str]]:
    """(name, module:Class) of every bot that an installed package provides."""
    # Imported here because it is slow to load and few bots need it.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return [(point.name, point.value) for point in entry_points(group=ENTRY_POINTS)]
