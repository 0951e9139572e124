"""Options of a bot: declared once, so that they parse, check, list and explain themselves."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Generic, TypeVar, overload

from games.errors import GameError, did_you_mean

T = TypeVar("T", int, float, str, bool)

_WORDS_FOR_TRUE = ("true", "yes", "on", "1")
_WORDS_FOR_FALSE = ("false", "no", "off", "0")


class BadOption(GameError):
    """An option that a bot does not have, or a value it cannot take."""


class Option(Generic[T]):
    """A class attribute of a bot that a player of the bot may set.

    `iterations = Option(1000, "playouts per decision", least=1)` gives every instance an
    `iterations` of 1000, unless it was made from `name:iterations=2000`.
    """

    def __init__(
        self,
        default: T,
        meaning: str,
        *,
        least: T | None = None,
        most: T | None = None,
        choices: tuple[T, ...] = (),
        check: Callable[[T], object] | None = None,
        ours: tuple[T, ...] = (),
    ) -> None:
        self.default: T = default
        self.meaning = meaning
        self.least: T | None = least
        self.most: T | None = most
        self.choices: tuple[T, ...] = choices
        self.check: Callable[[T], object] | None = check
        """Raises BadOption for a value that will not do; not asked about the default."""
        self.ours: tuple[T, ...] = ours
        """If it names code to be run: the values that name the arena's own."""
        self.name = "by default"
        if type(default) not in (int, float, str, bool):
            raise BadOption(f"an option is a number, a word or yes and no, not {default!r}")
        self.checked(default)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, bot: None, owner: type) -> Option[T]: ...
    @overload
    def __get__(self, bot: object, owner: type) -> T: ...
    def __get__(self, bot: object | None, owner: type) -> Option[T] | T:
        if bot is None:
            return self
        value: T = bot.__dict__.get(self.name, self.default)
        return value

    def __set__(self, bot: object, value: T) -> None:
        bot.__dict__[self.name] = self.checked(value)

    def parse(self, text: str) -> T:
        """The value written as `text`; BadOption says what would have been right."""
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
        if kind is float and not isfinite(value):  # type: ignore[arg-type]  # a float, as said
            raise BadOption(f"option {self.name} needs a number, not {text!r}")
        return self.checked(value)

    def checked(self, value: T) -> T:
        if self.choices and value not in self.choices:
            known = ", ".join(str(choice) for choice in self.choices)
            hint = did_you_mean(str(value), [str(choice) for choice in self.choices])
            raise BadOption(f"option {self.name} is one of {known}, not {value!r}{hint}")
        if self.least is not None and value < self.least:
            raise BadOption(f"option {self.name} is at least {self.least}, not {value!r}")
        if self.most is not None and value > self.most:
            raise BadOption(f"option {self.name} is at most {self.most}, not {value!r}")
        if self.check is not None and value != self.default:
            self.check(value)
        return value


def options_of(bot: type) -> dict[str, Option[int] | Option[float] | Option[str] | Option[bool]]:
    """The options a class declares, its own and inherited ones, by name.

    A class that writes a plain value over an inherited option has settled it.
    """
    found: dict[str, Option[int] | Option[float] | Option[str] | Option[bool]] = {}
    for owner in reversed(bot.__mro__):
        for name, value in vars(owner).items():
            if isinstance(value, Option):
                found[name] = value
            else:
                found.pop(name, None)
    return found


def names_code(bot: type, text: str) -> bool:
    """Whether a setting in `a=1,b=two` names code that is not the arena's own; none is run."""
    known = options_of(bot)
    for part in text.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        option = known.get(name)
        if option is not None and option.ours and value not in (*option.ours, option.default):
            return True
    return False


def parse_options(bot: type, text: str) -> dict[str, int | float | str | bool]:
    """The settings in `a=1,b=two`, checked against what the class declares."""
    known = options_of(bot)
    settings: dict[str, int | float | str | bool] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals:
            raise BadOption(f"{part!r} is no setting: options are written name=value")
        if name not in known:
            have = f"it has {', '.join(sorted(known))}" if known else "it has none"
            hint = did_you_mean(name, list(known))
            raise BadOption(f"{bot.__name__} has no option {name!r}{hint}; {have}")
        if name in settings:
            raise BadOption(f"option {name} is set twice")
        try:
            settings[name] = known[name].parse(value.strip())
        except BadOption as error:
            raise BadOption(f"{bot.__name__}: {error}") from None
    return settings
