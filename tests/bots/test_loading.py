"""Loading bots: every way to name one, and a helpful error if there is none."""

import sys
from pathlib import Path

import pytest

from bots.greedy import Greedy
from bots.options import BadOption
from bots.random_bot import Random
from bots.runtime.loading import BadBot, all_bots, load_bot, split_names, split_options
from games.view import View
from tests.support.entry_points import write_entry_point

BOT = '''
from bots import Bot, Option

class Miser(Bot):
    """Keeps what it has."""

    thrift = Option(1, "how much", least=0, most=9)

    def choose(self, view):
        return view.moves[-1]
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty; the import path is restored afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def load_error(name: str) -> str:
    with pytest.raises(BadBot) as caught:
        load_bot(name)
    return str(caught.value)


def test_built_in_bots_have_names() -> None:
    built_in = [name for name, source, _ in all_bots() if source == "built in"]
    assert built_in == ["random", "greedy", "ismcts", "champion"]
    assert [load_bot(name).name for name in built_in] == built_in
    assert load_bot("random").bot is Random


def test_options_follow_the_name() -> None:
    bot_factory = load_bot("greedy:depth=2,positions=10")
    assert bot_factory.settings == {"depth": 2, "positions": 10}
    assert (bot_factory.name, bot_factory.source) == ("greedy:depth=2,positions=10", "built in")
    bot = bot_factory.make(3, 1)
    assert isinstance(bot, Greedy)
    assert (bot.seat, bot.depth, bot.positions) == (3, 2, 10)
    assert bot_factory.make(0, 1) is not bot


def test_the_seed_determines_the_generator() -> None:
    draws = [[load_bot("random").make(0, seed).rng.below(1000) for _ in "12"] for seed in (1, 2)]
    assert draws[0][0] == draws[0][1] != draws[1][0] == draws[1][1]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("random", ("random", "")),
        ("ismcts:tree=mo", ("ismcts", "tree=mo")),
        ("a.b:C", ("a.b:C", "")),
        ("a.b:C:x=1,y=2", ("a.b:C", "x=1,y=2")),
        ("odd=name/f.py:C", ("odd=name/f.py:C", "")),
    ],
)
def test_options_follow_the_last_colon(name: str, parts: tuple[str, str]) -> None:
    assert split_options(name) == parts


def test_a_class_in_any_module() -> None:
    bot_factory = load_bot("bots.greedy:Greedy:depth=1")
    assert (bot_factory.bot, bot_factory.source) == (Greedy, "bots.greedy")


def test_a_module_in_the_current_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "misers_of_mine.py").write_text(BOT)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    assert load_bot("misers_of_mine:Miser").bot.__name__ == "Miser"


def test_a_class_in_any_file(folder: Path) -> None:
    (folder / "miser.py").write_text(BOT)
    relative = load_bot("miser.py:Miser:thrift=3")
    assert (relative.settings, relative.source) == ({"thrift": 3}, "miser.py")
    assert relative.bot is load_bot(f"{folder / 'miser.py'}:Miser").bot


def test_files_of_the_same_name_are_separate_modules(folder: Path) -> None:
    for place in ("here", "there"):
        (folder / place).mkdir()
        (folder / place / "miser.py").write_text(BOT + f"    place = {place!r}\n")
    classes = [load_bot(f"{place}/miser.py:Miser").bot for place in ("here", "there")]
    assert [vars(bot)["place"] for bot in classes] == ["here", "there"]


def test_installed_bots_have_names_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "misers_installed.py").write_text(BOT)
    write_entry_point(folder, "misers", "arena.bots", "miser = misers_installed:Miser")
    monkeypatch.syspath_prepend(folder)
    assert ("miser", "installed", "misers_installed:Miser") in all_bots()
    bot_factory = load_bot("miser:thrift=4")
    assert (bot_factory.source, bot_factory.settings) == ("installed", {"thrift": 4})
    assert "known: random, greedy, ismcts, champion, miser" in load_error("misr")


KNOWN = (
    "(known: random, greedy, ismcts, champion, or any class as module:Class or path/file.py:Class)"
)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gredy", f"there is no bot 'gredy'; did you mean 'greedy'? {KNOWN}"),
        ("xyzzy", f"there is no bot 'xyzzy' {KNOWN}"),
        (":", f"there is no bot ':' {KNOWN}"),
        (":Bot", f"there is no bot ':Bot' {KNOWN}"),
        ("my_bot:", f"there is no bot 'my_bot:' {KNOWN}"),
        ("nowhere.py", "there is no file 'nowhere.py' to load a bot from"),
        ("nowhere.py:Miser", "there is no file 'nowhere.py' to load a bot from"),
        ("no.such.module:Miser", "there is no module 'no.such.module' to load a bot from"),
        ("games.state.deeper:Miser", "there is no module 'games.state.deeper' to load a bot from"),
        ("games.state:Rng", "games.state:Rng is not a bot; a bot is a subclass of bots.Bot"),
        ("games.state:CHANCE", "games.state:CHANCE is not a bot; a bot is a subclass of bots.Bot"),
        ("bots.bot:Bot", "bots.bot:Bot is not a bot; a bot is a subclass of bots.Bot"),
        ("bots.greedy:Gredy", "bots.greedy has no 'Gredy'; did you mean 'Greedy'? (bots in it: Gr"),
        ("games.state:Miser", "games.state has no 'Miser' (there is no bot in it)"),
        ("idle.py:Idle", "idle.py:Idle cannot play; write the method choose"),
        ("miser.py:Mizer", "miser.py has no 'Mizer'; did you mean 'Miser'? (bots in it: Miser)"),
        ("miser.py", "miser.py is a file; add the class: miser.py:Miser"),
        ("empty.py", "empty.py is a file; add the class: empty.py:Class"),
    ],
)
def test_errors_say_in_one_line_what_is_wrong(folder: Path, name: str, problem: str) -> None:
    (folder / "miser.py").write_text(BOT)
    (folder / "idle.py").write_text("from bots import Bot\nclass Idle(Bot):\n    pass\n")
    (folder / "empty.py").write_text("")
    error = load_error(name)
    assert error.startswith(problem)
    assert "\n" not in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class Miser(:\n", "SyntaxError"),
        ("import no_such_thing\n", "No module named 'no_such_thing'"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("class Doom(BaseException): pass\nraise Doom\n", "Doom"),
    ],
)
@pytest.mark.parametrize("place", ["faulty_bot.py", "faulty_bot_module"])
def test_other_errors_on_import(folder: Path, place: str, text: str, words: str) -> None:
    (folder / f"{place.removesuffix('.py')}.py").write_text(text)
    error = load_error(f"{place}:Miser")
    assert error.startswith(f"{place} cannot be imported:\n")
    assert words in error


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("choose(self)", "choose(self, view)"),
        ("choose(self, view, moves)", "choose(self, view)"),
        ("__init__(self)", "__init__(self, seat, rng, budget=None)"),
        ("observe(self)", "observe(self, event)"),
    ],
)
def test_a_method_that_cannot_be_called_is_shown_as_it_should_be(
    folder: Path, wrong: str, right: str
) -> None:
    text = BOT + f"\n    def {wrong}:\n        return 0\n"
    (folder / "odd.py").write_text(text)
    method, line = right.partition("(")[0], text.splitlines().index(f"    def {wrong}:") + 1
    assert load_error("odd.py:Miser") == (
        f"odd.py:Miser, {method} (odd.py, line {line}): write `def {right}`"
    )


def test_methods_may_take_more_than_they_are_given(folder: Path) -> None:
    """Defaults, `*args` and static methods are the author's business."""
    text = (
        BOT
        + "\n    @staticmethod\n    def choose(view, depth=2, *rest, **more):\n        return 0\n"
    )
    (folder / "free.py").write_text(text)
    assert load_bot("free.py:Miser").bot.__name__ == "Miser"


@pytest.mark.parametrize("package", ["bots", "games"])
def test_a_file_in_a_folder_that_our_package_hides_can_be_named_as_a_file(
    folder: Path, package: str
) -> None:
    (folder / package).mkdir()
    (folder / package / "miser.py").write_text(BOT)
    assert load_error(f"{package}.miser:Miser").endswith(
        f"because {package} is the arena's own package; name the file: {package}/miser.py:Class"
    )
    assert load_bot(f"{package}/miser.py:Miser").bot.__name__ == "Miser"


HALVES = ["greedy:deep", "greedy:", "ismcts:", "a.py:A:n", "../a.py:A:n", "x:y/a.py:A:", "a.b:C:n"]


@pytest.mark.parametrize("name", HALVES)
def test_half_an_option_is_not_a_setting(name: str) -> None:
    with pytest.raises(BadOption, match="options are written name=value"):
        load_bot(name)


@pytest.mark.parametrize("name", ["greedy:", "greedy::", "x:y/a.py:A:"])
def test_nothing_after_the_last_colon_is_named(name: str) -> None:
    with pytest.raises(BadOption, match=f"^nothing follows the colon in '{name}'; options are"):
        load_bot(name)


BROKEN = """import json

def read():
    return json.loads("{")

settings = read()
"""


@pytest.mark.parametrize("place", ["broken.py", "broken_module_of_a_bot"])
def test_a_file_that_raises_shows_only_its_authors_lines(folder: Path, place: str) -> None:
    (folder / f"{place.removesuffix('.py')}.py").write_text(BROKEN)
    error = load_error(f"{place}:Miser")
    assert error.startswith(f"{place} cannot be imported:\n")
    assert "line 6, in <module>\n    settings = read()" in error
    assert 'line 4, in read\n    return json.loads("{")' in error
    assert "JSONDecodeError" in error.splitlines()[-1]
    assert "importlib" not in error
    assert "loading.py" not in error


def test_a_broken_file_can_be_fixed_and_loaded_again(folder: Path) -> None:
    (folder / "miser.py").write_text("1 / 0\n")
    assert "ZeroDivisionError" in load_error("miser.py:Miser")
    (folder / "miser.py").write_text(BOT)
    assert load_bot("miser.py:Miser").bot.__name__ == "Miser"


def test_options_are_set_before_an_authors_init_runs(tmp_path: Path) -> None:
    file = tmp_path / "early.py"
    init = "    def __init__(self, *rest):\n        self.doubled = 2 * self.thrift\n"
    file.write_text(BOT + init)
    assert vars(load_bot(f"{file}:Miser:thrift=4").make(0, 1))["doubled"] == 8


# ---- modules beside a bot's file ----------------------------------------------------------------

ALLIED = """
from bots import Bot
import random as dice
import tactics
from tactics import style as manner

class Ally(Bot):
    style = tactics.style
    manner = manner
    dice = dice.__name__

    def choose(self, view):
        import afterthought  # not before it is needed
        return afterthought.last(view.moves)

    def thought(self):
        import afterthought
        return afterthought.style
"""
AFTERTHOUGHT = "import tactics\nstyle = tactics.style\ndef last(moves):\n    return moves[-1]\n"


def write_ally(folder: Path, style: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "ally.py").write_text(ALLIED)
    (folder / "tactics.py").write_text(f"style = {style!r}\n")
    (folder / "afterthought.py").write_text(AFTERTHOUGHT)
    return folder / "ally.py"


def test_a_file_can_import_modules_beside_it_now_or_later(folder: Path) -> None:
    bot = load_bot(f"{write_ally(folder / 'mine', 'bold')}:Ally").make(0, 1)
    assert (vars(type(bot))["style"], vars(type(bot))["manner"]) == ("bold", "bold")
    assert getattr(bot, "thought")() == "bold"  # noqa: B009
    assert bot.choose(TwoMoves(0, 2)) == 9


class TwoMoves(View):
    """A View with two moves and nothing else."""

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(seat, players)
        self.moves = [4, 9]


def test_two_bots_can_have_modules_of_the_same_name_beside_them(folder: Path) -> None:
    (folder / "tactics.py").write_text("style = 'of the current folder'\n")
    sys.path.insert(0, str(folder))
    for style in ("bold", "shy"):
        bot = load_bot(f"{write_ally(folder / style, style)}:Ally").make(0, 1)
        assert vars(type(bot))["style"] == style
        assert getattr(bot, "thought")() == style  # noqa: B009
    assert "tactics" not in sys.modules
    assert not [place for place in sys.path if place.endswith(("bold", "shy"))]


def test_bots_of_one_folder_share_the_modules_beside_them(folder: Path) -> None:
    (folder / "shared.py").write_text("notes = []\n")
    for name in ("One", "Two"):
        text = BOT.replace("Miser", name).replace("from bots", "import shared\nfrom bots", 1)
        (folder / f"{name}.py").write_text(text + "    notes = shared.notes\n")
    notes = [vars(load_bot(f"{name}.py:{name}").bot)["notes"] for name in ("One", "Two")]
    assert notes[0] is notes[1]


def test_files_beside_a_bot_do_not_replace_pythons_modules_or_ours(folder: Path) -> None:
    file = write_ally(folder, "bold")
    for name in ("random.py", "bots.py", "games.py"):
        (folder / name).write_text("raise ImportError('the wrong one')\n")
    assert vars(load_bot(f"{file}:Ally").bot)["dice"] == "random"


def test_a_module_beside_a_bot_that_raises_shows_its_lines_too(folder: Path) -> None:
    file = write_ally(folder, "bold")
    (folder / "tactics.py").write_text("def think():\n    return 1 / 0\nthink()\n")
    error = load_error("ally.py:Ally")
    assert error.startswith("ally.py cannot be imported:\n")
    assert "ally.py" in error
    assert "import tactics" in error
    assert f'{folder / "tactics.py"}", line 2, in think' in error
    assert "loading.py" not in error
    (folder / "tactics.py").write_text("style = 'fixed'\n")
    assert vars(load_bot(f"{file}:Ally").bot)["style"] == "fixed"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("greedy", ["greedy"]),
        ("greedy, random", ["greedy", "random"]),
        (
            "greedy:depth=2,positions=10,ismcts:tree=mo",
            ["greedy:depth=2,positions=10", "ismcts:tree=mo"],
        ),
        ("a/b.py:C:x=1,y=2,m:C", ["a/b.py:C:x=1,y=2", "m:C"]),
        ("greedy,,random", ["greedy", "", "random"]),
    ],
)
def test_a_list_of_bots_is_split_at_the_right_commas(text: str, names: list[str]) -> None:
    assert split_names(text) == names
