"""arena bots, new-bot and match: what they print and write, and how they refuse."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.cli import main as cli
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import move_text
from games.replay import Replay, read_replay
from games.state import UNSEEN
from tests.support.leagues import command, ended
from tests.support.paths import ROOT

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def said(capsys: Capture, *arguments: str) -> str:
    assert cli.run(arguments) == 0
    return capsys.readouterr().out


def refused(capsys: Capture, *arguments: str) -> str:
    """What goes wrong: code 2, nothing on the way, no traceback."""
    assert cli.run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


# ---- arena bots ---------------------------------------------------------------------------------


def test_bots_lists_every_bot_with_its_options(capsys: Capture) -> None:
    lines = said(capsys, "bots").splitlines()
    listed = [line.split()[0] for line in lines[2:]]
    assert [name for name in listed if ":" not in name] == ["random", "greedy", "ismcts"]
    assert {"ismcts:iterations=1000", "ismcts:tree=so", "greedy:depth=4"} < set(listed)
    text = "\n".join(lines)
    for words in ("so or mo", "built in", "Plays a legal move"):
        assert words in text


def test_bots_shows_only_those_asked_for(capsys: Capture) -> None:
    text = said(capsys, "bots", "greedy")
    assert "greedy" in text
    assert "ismcts" not in text


def test_settings_asked_for_are_shown_as_they_are_set(capsys: Capture) -> None:
    listed = [line.split()[0] for line in said(capsys, "bots", "greedy:depth=2").splitlines()]
    assert listed[2:] == ["greedy:depth=2", "greedy:depth=2", "greedy:positions=3000"]


def test_a_broken_installed_bot_does_not_hide_the_others(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = folder / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[arena.bots]\nbroken = no_such_module_at_all:Bot\n")
    monkeypatch.syspath_prepend(folder)
    text = said(capsys, "bots")
    assert "cannot be loaded: there is no module 'no_such_module_at_all'" in text
    assert "greedy" in text
    assert "there is no module" in refused(capsys, "bots", "broken")


# ---- arena new-bot ------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [[], ["--folder", "deep/er"]], ids=["here", "elsewhere"])
def test_a_new_bot_plays_at_once(folder: Path, capsys: Capture, place: list[str]) -> None:
    text = said(capsys, "new-bot", "NightWatch", *place)
    file = Path(*place[1:]) / "night_watch.py"
    assert text.splitlines() == [
        f"wrote {file}",
        f"wrote {file.with_name('test_night_watch.py')}",
        f"next: arena match {file}:NightWatch random greedy",
        f"then: arena check {file}:NightWatch",
    ]
    match, check = (line.partition(": arena ")[2].split() for line in text.splitlines()[-2:])
    assert "decisions" in said(capsys, *match)
    assert "verdict: PASS" in said(capsys, *check, "--players", "2", "--games", "1")
    assert ":eagerness=100" in said(capsys, "bots", f"{file}:NightWatch")


def test_its_test_passes_from_any_folder(folder: Path, capsys: Capture) -> None:
    said(capsys, "new-bot", "Miser", "--folder", "mine")
    (folder / "away").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "../mine"],
        cwd=folder / "away",
        env={"PYTHONPATH": str(ROOT), "ARENA_PURE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("there", ["miser.py", "test_miser.py"])
def test_nothing_is_overwritten(folder: Path, capsys: Capture, there: str) -> None:
    (folder / there).write_text("precious")
    assert refused(capsys, "new-bot", "Miser") == (
        f"arena: {there} exists already; nothing was written\n"
    )
    assert (folder / there).read_text() == "precious"
    assert [path.name for path in folder.iterdir()] == [there]


@pytest.mark.parametrize("name", ["miser", "9Lives", "My-Bot", "None", "A b", "../Evil", "", "_X"])
def test_names_that_are_no_class_names_are_refused(
    folder: Path, capsys: Capture, name: str
) -> None:
    assert "is not a class name: write it like Miser or NightWatch" in refused(
        capsys, "new-bot", name
    )
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["Random", "Json", "Bots", "Arena", "Games", "Solver"])
def test_names_that_would_hide_modules_of_python_or_ours_are_refused(
    folder: Path, capsys: Capture, name: str
) -> None:
    assert "would stand in the way" in refused(capsys, "new-bot", name, "--folder", "new")
    assert list(folder.iterdir()) == []


# ---- arena match --------------------------------------------------------------------------------


def test_a_match_tells_its_result(capsys: Capture) -> None:
    lines = said(capsys, "match", "random", "greedy", "--seed", "3").splitlines()
    assert len(lines) == 1
    assert "decisions" in lines[0]
    assert said(capsys, "match", "random", "greedy", "--seed", "3").splitlines() == lines


def test_a_replay_reads_back(folder: Path, capsys: Capture) -> None:
    text = said(capsys, "match", "random", "greedy", "random", "--seed", "3", "--replay", "g.jsonl")
    assert text.endswith("wrote g.jsonl\n")
    replay = read_replay((folder / "g.jsonl").read_text())
    assert (replay.game, replay.players) == ("hidden-leaders", 3)
    assert replay.extra == {"seed": 3, "seats": ["random", "greedy", "random"]}
    winners = replay.state().winners()
    assert all(f"{'ABC'[seat]} ({replay.extra['seats'][seat]})" in text for seat in winners)  # type: ignore[index]


def test_show_tells_every_move_and_the_table(folder: Path, capsys: Capture) -> None:
    text = said(capsys, "match", "random", "random", "--show", "--replay", "g.jsonl")
    lines = text.splitlines()
    replay = read_replay((folder / "g.jsonl").read_text())
    told = told_moves(replay)
    assert lines[: len(told)] == [f"{'AB'[actor]} (random): {words}" for actor, words, _ in told]
    assert "track " in text
    assert "B  leader " in text


def test_show_gives_reasons(capsys: Capture) -> None:
    bots = ("ismcts:iterations=5", "random")
    assert "[wins " in said(capsys, "match", *bots, "--show", "--view", "A")
    assert "[wins " not in said(capsys, "match", *bots, "--show", "--view", "B")


def told_moves(replay: Replay) -> list[tuple[int, str, bool]]:
    """(actor, words, whether others see it) of every decision, by the events of the game."""
    state = replay.new(record=True)
    assert isinstance(state, HiddenLeaders)
    found = []
    for move in replay.moves:
        actor = state.actor
        words = move_text(state, move) if actor >= 0 else ""
        state.play(move)
        news = [state.take_events(seat) for seat in range(state.players)]
        if actor >= 0:
            (chose,) = [
                event for event in news[(actor + 1) % state.players] if event[0] == Event.CHOSE
            ]
            found.append((actor, words, chose[2] != UNSEEN))
    return found


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("seat", ["A", "b"])
def test_a_view_never_tells_face_down_cards_of_others(
    folder: Path, capsys: Capture, seed: str, seat: str
) -> None:
    bots = ("random", "random", "random")
    said(capsys, "match", *bots, "--seed", seed, "--replay", "g.jsonl")
    told = told_moves(read_replay((folder / "g.jsonl").read_text()))
    lines = said(capsys, "match", *bots, "--seed", seed, "--show", "--view", seat).splitlines()
    watching = "ab".index(seat.lower())
    hidden = 0
    for line, (actor, words, public) in zip(lines, told, strict=False):
        visible = public or actor == watching
        assert line == f"{'ABC'[actor]} (random): {words if visible else 'chooses face down'}"
        hidden += not visible
    assert hidden > 10


@pytest.mark.parametrize("seed", ["1", "5"])
def test_names_told_of_others_are_names_the_seat_has_seen(
    folder: Path, capsys: Capture, seed: str
) -> None:
    """The same from the other end: a card named in another's move is in the seat's own account."""
    arguments = ("match", "greedy", "random", "random", "--seed", seed, "--view", "A")
    lines = said(capsys, *arguments, "--show", "--replay", "a.jsonl").splitlines()
    account = [json.loads(line) for line in (folder / "a.jsonl").read_text().splitlines()]
    assert account[0]["seat"] == "A"
    assert "seed" not in account[0]
    view = HiddenLeadersView(0, 3)
    known = set()
    for entry in account[1:-1]:
        event = tuple(entry["event"])
        view.observe(event)
        if event[0] in (Event.MOVED, Event.SEEN) and event[-1] != UNSEEN:
            known.add(HEROES[event[-1]].name)
    for line in lines[: lines.index("")]:
        if line.startswith("A "):
            continue
        for hero in HEROES:
            if hero.name in line:
                assert hero.name in known
    assert view.actor < 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["random", "gredy"], "there is no bot 'gredy'; did you mean 'greedy'?"),
        (["random", "greedy:dept=3"], "Greedy has no option 'dept'; did you mean 'depth'?"),
        (["random", "greedy:depth=0"], "option depth is at least 1, not 0"),
        (["random", "x.py:X"], "there is no file 'x.py'"),
        (["random"], "Hidden Leaders is for 2 to 6 players, not 1"),
        (["random"] * 7, "Hidden Leaders is for 2 to 6 players, not 7"),
        (["random", "random", "--view", "C"], "seats are A, B, not 'C'"),
        (["random", "random", "--view", ""], "seats are A, B, not ''"),
        (["random", "random", "--view", "AB"], "seats are A, B, not 'AB'"),
        (["random", "random", "--iterations", "0"], "0 is not in the range"),
        (["random", "random", "--seconds", "0"], "0"),
        (["random", "random", "--seconds", "nan"], "'nan' is not a number that can be"),
        (["random", "random", "--seconds", "inf"], "'inf' is not a number that can be"),
        (["random", "random", "--option", "record=1"], "record is not an option of the game"),
        (
            ["random", "random", "--option", "rounds=1", "--option", "rounds=2"],
            "option rounds is set twice",
        ),
        (["random", "random", "--game", "chess"], "'chess' is not"),
        (["random", "random", "--option", "players=3"], "players is not an option of the game"),
        (["random", "random", "--option", f"rounds={'9' * 5000}"], "rounds"),
        (["random", "random", "--iterations", "9" * 30], "is not in the range"),
        (["random", "ismcts:suspicion=inf"], "option suspicion needs a number, not 'inf'"),
        ([], "Missing argument"),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    folder: Path, capsys: Capture, arguments: list[str], complaint: str
) -> None:
    captured = refused(capsys, "match", *arguments)
    assert complaint in captured
    assert len(captured.splitlines()) <= 4  # click adds how the command is used


def test_a_replay_that_cannot_be_written_is_one_sentence_too(folder: Path, capsys: Capture) -> None:
    assert cli.run(["match", "random", "random", "--replay", "no/such/folder.jsonl"]) == 2
    captured = capsys.readouterr().err
    assert captured == "arena: no/such/folder.jsonl: there is no folder no/such to write it into\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_does_not_cost_the_result(capsys: Capture) -> None:
    assert cli.run(["match", "random", "random", "--replay", "/dev/full"]) == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("Winner after ")
    assert captured.err == "arena: /dev/full cannot be written: No space left on device\n"


@pytest.mark.slow
def test_ctrl_c_ends_a_search_that_would_take_for_ever() -> None:
    words = ["match", "random", "ismcts:iterations=999999999", "--seed", "2", "--show"]
    with command(*words, PYTHONUNBUFFERED="1") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("A (random)")  # it has begun
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        captured = ended(process).stderr
    assert (process.returncode, captured.strip()) == (130, "Stopped.")
