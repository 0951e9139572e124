"""Options of a bot: class attributes that parse, check and describe themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from math import isfinite
from typing import Generic, TypeAlias, TypeVar, overload

from games.errors import GameError, did_you_mean

_T = TypeVar("_T", int, float, str, bool)

_WORDS_FOR_TRUE = ("true", "yes", "on", "1")
_WORDS_FOR_FALSE = ("false", "no", "off", "0")


class BadOption(GameError):
    """An option that a bot does not have, or a value that the option does not allow."""


@dataclass(eq=False)
class Option(Generic[_T]):
    """A class attribute of a bot that users of the bot can set.

    `iterations = Option(1000, "playouts per decision", least=1)` gives every instance an
    `iterations` of 1000, and an instance of `name:iterations=2000` one of 2000.
    """

    default: _T
    meaning: str
    _: KW_ONLY
    least: _T | None = None
    most: _T | None = None
    choices: tuple[_T, ...] = ()
    check: Callable[[_T], object] | None = None
    """Raises BadOption for a value that is not allowed; not called for the default."""
    ours: tuple[_T, ...] = ()
    """For an option that names code to run: the values that name the arena's own code."""
    name: str = field(default="default", init=False)

    def __post_init__(self) -> None:
        if type(self.default) not in (int, float, str, bool):
            raise BadOption(f"an option is an int, float, str or bool, not {self.default!r}")
        self.checked(self.default)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, bot: None, owner: type) -> Option[_T]: ...
    @overload
    def __get__(self, bot: object, owner: type) -> _T: ...
    def __get__(self, bot: object | None, owner: type) -> Option[_T] | _T:
        if bot is None:
            return self
        value: _T = bot.__dict__.get(self.name, self.default)
        return value

    def __set__(self, bot: object, value: _T) -> None:
        bot.__dict__[self.name] = self.checked(value)

    def parse(self, text: str) -> _T:
        """The value written as `text`; BadOption says what is allowed."""
        kind = type(self.default)
        if kind is bool:
            word = text.lower()
            if word not in _WORDS_FOR_TRUE + _WORDS_FOR_FALSE:
                raise BadOption(f"option {self.name} is on or off, not {text!r}")
            return self.checked(kind(word in _WORDS_FOR_TRUE))
        try:
            value = kind(text)
        except ValueError:
            needed = "a whole number" if kind is int else "a number"
            raise BadOption(f"option {self.name} needs {needed}, not {text!r}") from None
        if kind is float and not isfinite(value):  # type: ignore[arg-type]  # it is a float
            raise BadOption(f"option {self.name} needs a number, not {text!r}")
        return self.checked(value)

    def checked(self, value: _T) -> _T:
        if self.choices and value not in self.choices:
            choices = [str(choice) for choice in self.choices]
            hint = did_you_mean(str(value), choices)
            raise BadOption(
                f"option {self.name} is one of {', '.join(choices)}, not {value!r}{hint}"
            )
        if self.least is not None and value < self.least:
            raise BadOption(f"option {self.name} is at least {self.least}, not {value!r}")
        if self.most is not None and value > self.most:
            raise BadOption(f"option {self.name} is at most {self.most}, not {value!r}")
        if self.check is not None and value != self.default:
            self.check(value)
        return value


AnyOption: TypeAlias = Option[int] | Option[float] | Option[str] | Option[bool]


def options_of(bot: type) -> dict[str, AnyOption]:
    """The options a class declares or inherits, by name.

    A plain value in a subclass fixes the inherited option of that name: it can no longer be set.
    """
    options: dict[str, AnyOption] = {}
    for owner in reversed(bot.__mro__):
        for name, value in vars(owner).items():
            if isinstance(value, Option):
                options[name] = value
            else:
                options.pop(name, None)
    return options


def names_code(bot: type, text: str) -> bool:
    """Whether a setting in `a=1,b=two` names code that is not the arena's own; runs none of it."""
    options = options_of(bot)
    for part in text.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        option = options.get(name)
        if option is not None and option.ours and value not in (*option.ours, option.default):
            return True
    return False


def parse_options(bot: type, text: str) -> dict[str, int | float | str | bool]:
    """The settings in `a=1,b=two`, checked against the options of the class."""
    options = options_of(bot)
    settings: dict[str, int | float | str | bool] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals:
            raise BadOption(f"{part!r} is not a setting; options are written name=value")
        if name not in options:
            known = f"known: {', '.join(sorted(options))}" if options else "it has no options"
            hint = did_you_mean(name, list(options))
            raise BadOption(f"{bot.__name__} has no option {name!r}{hint} ({known})")
        if name in settings:
            raise BadOption(f"{bot.__name__}: option {name} is set twice")
        try:
            settings[name] = options[name].parse(value.strip())
        except BadOption as error:
            raise BadOption(f"{bot.__name__}: {error}") from None
    return settings
