"""Options of a bot: what parses, what is rejected, and with which message."""

from collections.abc import Callable

import pytest

from bots import Bot, Option
from bots.options import BadOption, options_of, parse_options
from games.state import Rng
from games.view import View


class Cook(Bot):
    """A bot with an option of every kind."""

    eggs = Option(2, "how many", least=0, most=12)
    heat = Option(0.5, "how hot", least=0.0, most=1.0)
    dish = Option("stew", "what to make", choices=("stew", "soup", "salad"))
    salt = Option(True, "whether to salt")
    note = Option("", "anything")

    def choose(self, view: View) -> int:
        return view.moves[0]


class Fryer(Cook):
    """Fixes one option and changes another."""

    dish = "eggs"
    eggs = Option(3, "how many to fry", least=1)


def cook() -> Cook:
    return Cook(0, Rng(1))


def test_options_have_their_default_until_set() -> None:
    first, second = cook(), cook()
    first.eggs = 5
    assert (first.eggs, second.eggs) == (5, 2)
    assert (first.heat, first.dish, first.salt, first.note) == (0.5, "stew", True, "")


def test_every_kind_is_parsed_to_its_own_type() -> None:
    settings = parse_options(Cook, "eggs=7, heat = 1,dish=soup,salt=off,note=x=y")
    assert settings == {"eggs": 7, "heat": 1.0, "dish": "soup", "salt": False, "note": "x=y"}
    assert [type(value) for value in settings.values()] == [int, float, str, bool, str]


@pytest.mark.parametrize("text", ["", ",", ",,"])
def test_an_empty_text_sets_nothing(text: str) -> None:
    assert parse_options(Cook, text) == {}


@pytest.mark.parametrize(
    ("word", "meant"),
    [(word, True) for word in ("true", "yes", "on", "1", "ON", "Yes")]
    + [(word, False) for word in ("false", "no", "off", "0", "Off", "FALSE")],
)
def test_words_for_yes_and_no(word: str, meant: bool) -> None:
    assert parse_options(Cook, f"salt={word}") == {"salt": meant}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("eggs=two", "option eggs needs a whole number, not 'two'"),
        ("eggs=2.5", "option eggs needs a whole number, not '2.5'"),
        ("eggs=", "option eggs needs a whole number, not ''"),
        ("heat=warm", "option heat needs a number, not 'warm'"),
        ("heat=nan", "option heat needs a number, not 'nan'"),
        ("eggs=-1", "option eggs is at least 0, not -1"),
        ("eggs=13", "option eggs is at most 12, not 13"),
        ("heat=1.5", "option heat is at most 1.0, not 1.5"),
        ("heat=inf", "option heat needs a number, not 'inf'"),
        ("salt=maybe", "option salt is on or off, not 'maybe'"),
        ("dish=sop", "is one of stew, soup, salad, not 'sop'; did you mean 'soup'"),
        ("egs=3", "Cook has no option 'egs'; did you mean 'eggs'? (known: dish, eggs, heat,"),
        ("wine=3", "Cook has no option 'wine' (known: dish, eggs, heat, note, salt)"),
        ("eggs=1,salt=no,eggs=1", "Cook: option eggs is set twice"),
        ("eggs", "'eggs' is not a setting; options are written name=value"),
        ("salt=on,eggs", "'eggs' is not a setting"),
    ],
)
def test_errors_say_what_is_allowed(text: str, complaint: str) -> None:
    with pytest.raises(BadOption) as caught:
        parse_options(Cook, text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Option(0, "eggs", least=1), "option default is at least 1, not 0"),
        (lambda: Option("c", "", choices=("a", "b")), "option default is one of a, b, not 'c'"),
        (lambda: Option([1], "eggs"), r"an option is an int, float, str or bool, not \[1\]"),  # type: ignore[type-var]
        (lambda: setattr(cook(), "eggs", 100), "at most 12"),
        (lambda: parse_options(Bot, "depth=3"), "it has no options"),
    ],
    ids=["least", "choices", "kind", "assigned", "a bot without options"],
)
def test_defaults_and_assigned_values_are_checked_too(
    make: Callable[[], object], complaint: str
) -> None:
    with pytest.raises(BadOption, match=complaint):
        make()


def test_options_are_inherited_changed_and_fixed() -> None:
    assert list(options_of(Cook)) == ["eggs", "heat", "dish", "salt", "note"]
    assert "dish" not in options_of(Fryer)
    assert options_of(Fryer)["eggs"].default == 3
    fryer = Fryer(0, Rng(1))
    assert (fryer.eggs, str(fryer.dish)) == (3, "eggs")
