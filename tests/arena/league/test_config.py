"""A league's config: valid configs, and one sentence for every mistake."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from arena.league.bot_sources import bot_identities
from arena.league.config import (
    BUNDLED_LEAGUES,
    KEYS,
    BadConfig,
    BotSpec,
    League,
    beside,
    bot_spec,
    find_config,
    league_from_json,
    option_name,
    read_league,
)
from arena.league.start import check_bots
from tests.support.paths import ROOT

TWO = 'bots = ["random", "greedy"]\n'
PAGE = (ROOT / "docs" / "leagues.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a current folder of its own, with a bot in a file."""
    monkeypatch.chdir(tmp_path)
    Path("my_bot.py").write_text("from bots.random_bot import Random as MyBot\n")


def read(text: str, **given: object) -> League:
    """The league of a config file."""
    file = Path("mine.toml")
    file.write_text(text)
    return read_league(file, given)


def error(text: str, **given: object) -> str:
    with pytest.raises(BadConfig) as caught:
        check_bots(read(text, **given))
    return str(caught.value)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Editors on Windows write one, and end lines in their own way."""
    (tmp_path / "mine.toml").write_bytes(
        b"\xef\xbb\xbfbots = ['random', 'greedy']\r\ndeals = 3\r\n"
    )
    assert read_league(tmp_path / "mine.toml", {}).deals == 3


def test_another_game_is_played_at_its_own_counts_and_options() -> None:
    text = TWO + 'players = [2, 3]\noptions = { deck = "beginner" }\n'
    league = read(text, game="secrets")
    assert (league.players, league.options) == ((4, 5, 6, 7, 8), {})
    league = read(text, game="hidden-leaders")
    assert (league.players, league.options) == ((2, 3), {"deck": "beginner"})


@pytest.mark.parametrize("file", sorted(BUNDLED_LEAGUES.glob("*.toml")), ids=lambda file: file.stem)
def test_bundled_leagues_are_valid(file: Path) -> None:
    league = read_league(file, {})
    check_bots(league)
    assert len(league.bots) >= 2
    assert league_from_json(league.as_json()) == league


def test_the_default_league_is_all_built_in_bots_at_all_counts() -> None:
    league = read_league(find_config("default"), {})
    assert league.names == ("random", "greedy", "ismcts")
    assert league.players == (2, 3, 4, 5, 6)


def test_missing_keys_have_the_defaults_of_the_class() -> None:
    bots = (BotSpec("random", "random"), BotSpec("greedy", "greedy"))
    assert read(TWO) == League(bots, players=(2, 3, 4, 5, 6))


def test_every_key_can_be_set_in_the_file_and_is_saved_in_the_journal() -> None:
    text = """
        game = "hidden-leaders"
        bots = ["random", "greedy:depth=2 as shallow", "ismcts:iterations=5,tree=mo"]
        players = [4, 2]
        deals = 3
        seed = 9
        format = "swiss"
        rounds = 7
        lineups = 20
        iterations = 50
        seconds_per_move = 1
        seconds_per_game = 30.5
        trust = false
        probation = 0
        workers = 3
        [options]
        deck = "beginner"
        rounds = 4
    """
    league = read(text)
    assert league.names == ("random", "shallow", "ismcts:iterations=5,tree=mo")
    assert league.bots[1].bot == "greedy:depth=2"
    assert league.players == (2, 4)
    assert league.options == {"deck": "beginner", "rounds": 4}
    assert (league.seconds_per_move, league.seconds_per_game) == (1.0, 30.5)
    assert set(league.as_json()) == set(KEYS) - {"workers"}
    assert league_from_json({**league.as_json(), "workers": 3}) == league


def test_the_command_line_overrides_the_file() -> None:
    text = TWO + 'players = "2-4"\ndeals = 3\n'
    league = read(text, players="6", bots=["random"], options=["deck=beginner", "rounds=3"])
    assert (league.players, league.names, league.deals) == ((6,), ("random",), 3)
    assert league.options == {"deck": "beginner", "rounds": 3}


@pytest.mark.parametrize("value", ["4", "[4]", '"4"', "[4, 4]"])
def test_one_player_count_can_be_written_in_several_ways(value: str) -> None:
    assert read(f"{TWO}players = {value}").players == (4,)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("deal = 3", "there is no key 'deal'; did you mean 'deals'?; the keys are bots, without,"),
        ("deals = 'ten'", "mine.toml: deals must be a whole number from 1 to 1000000, not 'ten'"),
        ("deals = 0", "deals must be a whole number from 1 to 1000000, not 0"),
        ("deals = true", "deals must be a whole number from 1 to 1000000, not True"),
        ("seed = -1", "seed must be a whole number from 0"),
        ("format = 'robin'", "format must be one of round-robin, gauntlet, swiss, not 'robin'"),
        ("game = 'hidden'", "game: there is no game 'hidden' (known: hidden-leaders, secrets)"),
        ("game = 3", "game must be the name of a game, not 3"),
        (
            "players = 'two'",
            "4, 2-6 or 2,4-6, in a file also [2, 4], not 'two'",
        ),
        ("players = []", "players must be like 4, 2-6 or 2,4-6, in a file also [2, 4], not []"),
        ("players = 2.5", "players must be like 4, 2-6 or 2,4-6, in a file also [2, 4], not 2.5"),
        ("players = [2, 7]", "players: Hidden Leaders is for 2 to 6 players, not 7"),
        ("trust = 'no'", "trust must be true or false, not 'no'"),
        ("seconds_per_move = -1", "seconds_per_move must be a number of seconds"),
        ("seconds_per_game = nan", "seconds_per_game must be a number of seconds"),
        ("options = 3", "options must be a table like deck = 'beginner', not 3"),
        ("[options]\ndekc = 1", "options: Hidden Leaders has no option 'dekc'"),
        ("[options]\ndeck = 'small'", "options: there is no deck 'small'"),
        ("deals = ", "mine.toml is not a TOML file: "),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_key(text: str, sentence: str) -> None:
    captured = error(TWO + text)
    assert sentence in captured
    assert "mine.toml" in captured


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ("'random'", "bots must be a list of names like ['random', 'greedy'], not 'random'"),
        ("[]", "bots must be a list of names"),
        ("[3]", "bots must be a list of names"),
        ("['gredy']", "bots: there is no bot 'gredy'; did you mean 'greedy'?"),
        ("['greedy:dept=3']", "bots: Greedy has no option 'dept'; did you mean 'depth'?"),
        ("['greedy:depth=x']", "bots: Greedy: option depth needs a whole number, not 'x'"),
        ("['nowhere.py:Bot']", "bots: there is no file 'nowhere.py' to load a bot from"),
        ("['random', 'greedy as random']", "two are called 'random'"),
        (
            "['a/my_bot.py:MyBot', 'b/my_bot.py:MyBot']",
            "two are called 'my_bot.py:MyBot'; rename one of them: 'b/my_bot.py:MyBot as other'",
        ),
        ("['random as ']", "bots need a name of at most 60 printable characters"),
        (f"['random as {'x' * 61}']", "bots need a name of at most 60 printable characters"),
        (f"['cmd:{'x' * 61}']", f"{'x' * 61}'; give it one: 'cmd:{'x' * 61} as NAME'"),
    ],
)
def test_a_wrong_bot_is_named(bots: str, sentence: str) -> None:
    assert sentence in error(f"bots = {bots}")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"deals": 0}, "--deals must be a whole number from 1 to 1000000, not 0"),
        ({"bots": ["gredy"]}, "--bot: there is no bot 'gredy'"),
        ({"options": ["deck"]}, "--option: an option is written name=value, not 'deck'"),
    ],
)
def test_mistakes_on_the_command_line_name_the_option(
    given: dict[str, object], sentence: str
) -> None:
    assert error(TWO, **given).startswith(sentence)
    assert option_name("seconds_per_move") == "--seconds-per-move"


def test_a_league_without_bots_or_without_opponents_is_refused() -> None:
    assert "bots are missing" in error("deals = 3")
    captured = error('bots = ["random"]\nformat = "gauntlet"')
    assert "bots must be at least two for a gauntlet" in captured


def test_an_untrusted_bot_is_not_imported() -> None:
    Path("shady.py").write_text("open('was_imported', 'w')\n")
    league = read("trust = false\nbots = ['random', 'shady.py:Shady']")
    check_bots(league)
    assert [league.isolated(spec.bot) for spec in league.bots] == [False, True]
    assert not Path("was_imported").exists()


def test_a_built_in_bot_with_foreign_code_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    Path("their_ending.py").write_text("raise AssertionError('imported here')")
    foreign = "ismcts:endgame=their_ending.finish,tree=mo"
    bots = f"bots = {[foreign, 'ismcts:endgame=solver', 'ismcts:reuse=no']}\n"
    league = read(bots + "trust = false")
    assert [league.isolated(spec.bot) for spec in league.bots] == [True, False, False]
    assert "their_ending.finish' cannot be imported: imported here" in error(bots)


def test_seeds_may_have_56_bits() -> None:
    assert read(TWO, seed=2**56).seed == 2**56


def test_bundled_leagues_are_found_by_name() -> None:
    assert find_config("quick") == BUNDLED_LEAGUES / "quick.toml"
    with pytest.raises(BadConfig, match=r"there is no league file 'quik'.*did you mean 'quick'"):
        find_config("quik")


def test_a_bot_from_a_file_is_named_without_its_folder(tmp_path: Path) -> None:
    bots = [f"{tmp_path}/my_bot.py:MyBot", "greedy"]
    assert read_league(None, {"bots": bots}).names[0] == "my_bot.py:MyBot"


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        ("champion:model=m1/model-1.json,iterations=5", "champion:model=model-1.json,iterations=5"),
        ("greedy:a=/x/y.json,b=../z.json", "greedy:a=y.json,b=z.json"),
        ("lib/x.py:X:model=m1/m.json", "x.py:X:model=m.json"),
        ("lib/x.py:X:depth=2", "x.py:X:depth=2"),
        ("odd=name,/x.py:X:depth=2", "x.py:X:depth=2"),
        ("cmd:node a/first.mjs --fast", "first.mjs --fast"),
        ("champion:model=m1/model-1.json as second", "second"),
    ],
)
def test_a_bot_whose_options_name_files_keeps_its_name(bot: str, name: str) -> None:
    """It was called `model-1.json,iterations=5`: whatever came after the last slash."""
    assert bot_spec(bot).name == name


def test_bots_can_be_left_out_by_name() -> None:
    league = read_league(None, {"bots": ["random", "greedy as g"], "without": ["g"]})
    assert (league.names, league.without) == (("random",), ("g",))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"without": ["gredy"]}, "--without: there is no bot 'gredy' (only random, greedy); did"),
        ({"without": ["random"], "format": "gauntlet"}, "'random' is the bot of the gauntlet"),
        ({"without": ["random", "greedy"]}, "no bot is left"),
        ({"without": 3}, "--without must be a list of names like ['greedy'], not 3"),
    ],
)
def test_bots_that_cannot_be_left_out(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadConfig) as caught:
        read_league(None, {"bots": ["random", "greedy"], **given})
    assert sentence in str(caught.value)


def test_docs_leagues_explains_every_key_and_its_default() -> None:
    documented = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
    defaults = {item.name: item.default for item in fields(League)}
    for key in KEYS:
        default = documented[key].strip("`").strip('"')
        if isinstance(defaults[key], int | float | str):
            assert default.lower() == str(defaults[key]).lower().removesuffix(".0")


def test_the_example_config_in_docs_leagues_is_valid() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    league = read(text)
    assert league.names == ("random", "deep", "my_bot.py:MyBot")
    assert league.players == (2, 3, 4)


# ---- where bots in files lie --------------------------------------------------------------------

MINE = """\
from bots import Bot


class Mine(Bot):
    def choose(self, view):
        return view.moves[0]
"""


@pytest.fixture
def league_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a league and its bots, inside the current one."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "event"
    (folder / "field").mkdir(parents=True)
    (folder / "field" / "mine.py").write_text(MINE)
    (folder / "program.py").write_text("print()\n")
    (folder / "my.toml").write_text(
        "bots = ['random', 'field/mine.py:Mine', 'cmd:python3 program.py --fast as p']\n"
    )
    return folder


@pytest.mark.usefixtures("league_folder")
def test_bots_in_files_are_found_beside_the_config() -> None:
    league = read_league(Path("event/my.toml"), {})
    assert league.names == ("random", "mine.py:Mine", "p")
    assert [spec.bot for spec in league.bots] == [
        "random",
        "event/field/mine.py:Mine",
        "cmd:python3 event/program.py --fast",
    ]
    check_bots(league)


@pytest.mark.usefixtures("league_folder")
def test_on_the_command_line_they_are_found_in_the_current_folder() -> None:
    league = read_league(Path("event/my.toml"), {"bots": ["event/field/mine.py:Mine"]})
    assert league.bots[0].bot == "event/field/mine.py:Mine"
    check_bots(league)


@pytest.mark.usefixtures("league_folder")
def test_the_resolved_place_of_a_missing_file_is_named() -> None:
    Path("event/my.toml").write_text("bots = ['gone.py:Gone']")
    with pytest.raises(BadConfig, match=r"event/my.toml: bots: there is no file 'event/gone.py'"):
        check_bots(read_league(Path("event/my.toml"), {}))


def test_a_bot_is_the_same_wherever_the_league_is_started(
    league_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = bot_identities(read_league(Path("event/my.toml"), {}))
    absolute = bot_identities(read_league(league_folder / "my.toml", {}))
    monkeypatch.chdir(league_folder)
    assert outside == absolute == bot_identities(read_league(Path("my.toml"), {}))


def test_options_that_name_code_and_absolute_paths() -> None:
    folder = Path("event")
    assert beside(folder, "ismcts:endgame=mine.py:f") == "ismcts:endgame=event/mine.py:f"
    assert beside(folder, "/home/x.py:X:depth=2") == "/home/x.py:X:depth=2"
    assert beside(folder, "package.module:Class") == "package.module:Class"
    assert beside(folder, "cmd:./run.sh 1") == "cmd:event/./run.sh 1"
    assert beside(folder, "cmd:'unclosed") == "cmd:'unclosed"
