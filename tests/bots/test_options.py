"""Options of a bot: what parses, what is refused, and what the refusal says."""

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
    """Settles one option and changes another."""

    dish = "eggs"
    eggs = Option(3, "how many to fry", least=1)


def cook() -> Cook:
    return Cook(0, Rng(1))


def test_defaults_hold_until_something_is_set() -> None:
    one, other = cook(), cook()
    one.eggs = 5
    assert (one.eggs, other.eggs) == (5, 2)
    assert (one.heat, one.dish, one.salt, one.note) == (0.5, "stew", True, "")


def test_every_kind_is_parsed_to_its_own_type() -> None:
    settings = parse_options(Cook, "eggs=7, heat = 1,dish=soup,salt=off,note=x=y")
    assert settings == {"eggs": 7, "heat": 1.0, "dish": "soup", "salt": False, "note": "x=y"}
    assert [type(value) for value in settings.values()] == [int, float, str, bool, str]


@pytest.mark.parametrize("text", ["", ",", ",,"])
def test_nothing_sets_nothing(text: str) -> None:
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
        ("egs=3", "Cook has no option 'egs'; did you mean 'eggs'?; it has dish, eggs, heat"),
        ("wine=3", "Cook has no option 'wine'; it has dish, eggs, heat, note, salt"),
        ("eggs=1,salt=no,eggs=1", "option eggs is set twice"),
        ("eggs", "'eggs' is no setting: options are written name=value"),
        ("salt=on,eggs", "'eggs' is no setting"),
    ],
)
def test_refusals_say_what_would_be_right(text: str, complaint: str) -> None:
    with pytest.raises(BadOption) as refusal:
        parse_options(Cook, text)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_defaults_must_fit_as_well() -> None:
    with pytest.raises(BadOption, match="option by default is at least 1, not 0"):
        Option(0, "eggs", least=1)
    with pytest.raises(BadOption, match="option by default is one of a, b, not 'c'"):
        Option("c", "dish", choices=("a", "b"))
    with pytest.raises(BadOption, match=r"is a number, a word or yes and no, not \[1\]"):
        Option([1], "eggs")  # type: ignore[type-var]


def test_a_value_set_by_hand_is_checked_too() -> None:
    with pytest.raises(BadOption, match="at most 12"):
        cook().eggs = 100


def test_a_bot_without_options_says_so() -> None:
    with pytest.raises(BadOption, match="it has none"):
        parse_options(Bot, "depth=3")


def test_options_are_inherited_changed_and_settled() -> None:
    assert list(options_of(Cook)) == ["eggs", "heat", "dish", "salt", "note"]
    assert "dish" not in options_of(Fryer)
    assert options_of(Fryer)["eggs"].default == 3
    fryer = Fryer(0, Rng(1))
    assert (fryer.eggs, str(fryer.dish)) == (3, "eggs")
