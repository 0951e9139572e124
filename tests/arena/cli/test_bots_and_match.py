"""`arena bots`, `new-bot` and `match`: what they print and write, and what they refuse."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.cli.trust import warn_of_neighbours
from arena.match.saved_fault import saved_fault
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import move_text
from games.replay import Replay, read_replay
from games.state import UNSEEN
from tests.support.command_line import RunArena, check_refusal
from tests.support.entry_points import write_entry_point
from tests.support.leagues import command, ended
from tests.support.paths import ROOT


def test_bots_lists_every_bot_with_its_options(arena: RunArena) -> None:
    lines = arena("bots").lines
    listed = [line.split()[0] for line in lines[2:] if not line.startswith(" ")]
    assert [name for name in listed if ":" not in name] == [
        *("random", "greedy", "ismcts", "champion"),
    ]
    assert {"ismcts:iterations=1000", "ismcts:tree=so", "greedy:depth=4"} < set(listed)
    text = " ".join(" ".join(lines).split())
    for words in ("so or mo", "built in", "Plays a legal move"):
        assert words in text
    assert max(map(len, lines)) <= 80


def test_bots_shows_options_as_the_name_sets_them(arena: RunArena) -> None:
    listed = [line.split()[0] for line in arena("bots", "greedy:depth=2").lines]
    names = [name for name in listed if name.startswith("greedy")]
    assert names == ["greedy:depth=2", "greedy:depth=2", "greedy:positions=3000"]


def test_a_broken_installed_bot_does_not_hide_the_others(
    folder: Path, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entry_point(folder, "broken", "arena.bots", "broken = no_such_module_at_all:Bot")
    monkeypatch.syspath_prepend(folder)
    text = " ".join(arena("bots").out.split())
    assert "cannot be loaded: there is no module 'no_such_module_at_all'" in text
    assert "greedy" in text
    assert "arena: there is no module" in arena("bots", "broken", code=2).err.splitlines()[-1]


def test_an_installed_bot_whose_name_is_taken_is_listed_with_the_name_it_can_have(
    folder: Path, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entry_point(folder, "second", "arena.bots", "greedy = second:Greedy")
    monkeypatch.syspath_prepend(folder)
    bots = json.loads(arena("bots", "--json").out)["bots"]
    ours, theirs = [bot for bot in bots if bot["bot"] == "greedy"]
    assert (ours["source"], ours["problem"]) == ("built in", None)
    assert theirs["source"] == "installed"
    assert theirs["problem"] == "another bot has this name; call this one second:Greedy"


HANG = """
from bots import Bot

class Hang(Bot):
    def choose(self, view):
        while True:
            pass
"""


LATE_FAULT = """
from bots import Bot

class Late(Bot):
    def choose(self, view):
        if view.decisions > 3:
            return 1 // 0
        return view.moves[0]
"""


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("greedy random --move-limit 0.5", "--move-limit cannot stop greedy or random in the"),
        ("hang.py:Hang random --move-limit 0.5", "cannot stop hang.py:Hang or random in the"),
        ("cmd:true hang.py:Hang --move-limit 0.5", "--move-limit cannot stop hang.py:Hang in the"),
        ("greedy random --view A", "--view says what to show or save: add --show or --replay FILE"),
        ("greedy random --view C", "there is no seat 'C'"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    folder: Path, arena: RunArena, words: str, problem: str
) -> None:
    """A bot that never answers was waited for, whatever the limit, if it had no process."""
    (folder / "hang.py").write_text(HANG)
    check_refusal(arena("match", *words.split(), code=2), problem)


@pytest.mark.slow
@pytest.mark.parametrize("place", [[], ["--folder", "deep/er"]], ids=["here", "elsewhere"])
def test_a_new_bot_plays_at_once(folder: Path, arena: RunArena, place: list[str]) -> None:
    lines = arena("new-bot", "NightWatch", *place).lines
    file = Path(*place[1:]) / "night_watch.py"
    assert lines == [
        f"wrote {file}",
        f"wrote {file.with_name('test_night_watch.py')}",
        f"next: arena match {file}:NightWatch random greedy",
        f"then: arena check {file}:NightWatch",
    ]
    match, check = (line.partition(": arena ")[2].split() for line in lines[-2:])
    assert "decisions" in arena(*match).out
    assert "verdict: PASS" in arena(*check, "--players", "2", "--games", "1").out
    assert "eagerness=" in arena("bots", f"{file}:NightWatch").out


@pytest.mark.slow
def test_a_new_bot_for_secrets_plays_at_once(folder: Path, arena: RunArena) -> None:
    lines = arena("new-bot", "Mole", "--game", "secrets").lines
    assert lines[-2:] == [
        "next: arena match mole.py:Mole random greedy random --game secrets",
        "then: arena check mole.py:Mole --game secrets",
    ]
    match, check = (line.partition(": arena ")[2].split() for line in lines[-2:])
    assert "decisions" in arena(*match).out
    assert "verdict: PASS" in arena(*check, "--players", "4", "--games", "1").out
    assert ":trust=90" in arena("bots", "mole.py:Mole").out
    assert 'game="secrets"' in (folder / "test_mole.py").read_text()


def test_a_new_bot_and_its_test_import_only_public_packages(folder: Path, arena: RunArena) -> None:
    arena("new-bot", "Miser")
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            assert not isinstance(node, ast.Import)
            if isinstance(node, ast.ImportFrom):
                assert node.module in ("bots", "arena", "games", "pathlib")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hidden-leaders", "secrets"])
def test_the_test_of_a_new_bot_passes_from_any_folder(
    folder: Path, arena: RunArena, game: str
) -> None:
    arena("new-bot", "Miser", "--folder", "mine", "--game", game)
    (folder / "away").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "../mine"],
        cwd=folder / "away",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("existing", ["miser.py", "test_miser.py"])
def test_new_bot_overwrites_nothing(folder: Path, arena: RunArena, existing: str) -> None:
    (folder / existing).write_text("precious")
    outcome = arena("new-bot", "Miser", code=2)
    assert outcome.err == f"arena: {existing} already exists; nothing was written\n"
    assert (folder / existing).read_text() == "precious"
    assert [path.name for path in folder.iterdir()] == [existing]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        *[
            (name, "is not a class name; write it like Miser or NightWatch")
            for name in ("miser", "9Lives", "My-Bot", "None", "A b", "../Evil", "", "_X")
        ],
        *[(name, "would hide Python's own module") for name in ("Random", "Json")],
        *[(name, "would hide arena's own module") for name in ("Bots", "Arena", "Games", "Solver")],
    ],
)
def test_new_bot_refuses_names_that_cannot_work(
    folder: Path, arena: RunArena, name: str, problem: str
) -> None:
    check_refusal(arena("new-bot", name, "--folder", "new", code=2), problem)
    assert list(folder.iterdir()) == []


def test_a_match_prints_its_result_which_the_seed_decides(arena: RunArena) -> None:
    lines = arena("match", "random", "greedy", "--seed", "3").lines
    assert len(lines) == 1
    assert "decisions" in lines[0]
    assert arena("match", "random", "greedy", "--seed", "3").lines == lines


def test_a_replay_reads_back(folder: Path, arena: RunArena) -> None:
    bots = ("random", "greedy", "random")
    text = arena("match", *bots, "--seed", "3", "--replay", "g.jsonl").out
    assert text.endswith("wrote g.jsonl\n")
    replay = read_replay((folder / "g.jsonl").read_text())
    assert (replay.game, replay.players) == ("hidden-leaders", 3)
    assert replay.extra == {"seed": 3, "seats": list(bots)}
    assert all(f"{'ABC'[seat]} ({bots[seat]})" in text for seat in replay.state().winners())


def test_a_game_that_a_fault_ended_is_saved_with_the_fault(folder: Path, arena: RunArena) -> None:
    """Nothing was saved, exactly when the author of the bot needs it."""
    (folder / "late.py").write_text(LATE_FAULT)
    words = ("match", "random", "late.py:Late", "--seed", "3", "--replay")
    outcome = arena(*words, "g.jsonl", code=2)
    assert outcome.out == "wrote g.jsonl, which ends at the fault\n"
    assert outcome.err.splitlines()[-3:-1] == ["  late.py, line 7, in choose", "    return 1 // 0"]
    replay = read_replay((folder / "g.jsonl").read_text())
    fault = saved_fault(replay)
    assert fault is not None
    assert (fault.seat, fault.kind) == (1, "exception")
    assert sum(actor >= 0 for actor, *_ in replayed_moves(replay)) == fault.decision - 1 >= 3
    told = "Ended at decision \\d+: B .late.py:Late. raised ZeroDivisionError: .*line 7, in choose"
    for shown in ("show", "review"):
        assert re.search(told, re.sub(r"\s+", " ", arena(shown, "g.jsonl").out))
    assert "B (late.py:Late) lost the game by a fault" in arena("review", "g.jsonl").out
    arena(*words, "b.jsonl", "--view", "A", code=2)
    assert "ZeroDivisionError" not in (folder / "b.jsonl").read_text()


@pytest.mark.parametrize("fault", ["oh", {"seat": "C"}, {"seat": "Z", "decision": 1}, None])
def test_a_header_with_another_kind_of_fault_tells_of_none(fault: object) -> None:
    assert saved_fault(Replay("hidden-leaders", 2, (), extra={"fault": fault})) is None


def test_show_prints_every_move_and_the_table(folder: Path, arena: RunArena) -> None:
    text = arena("match", "random", "random", "--show", "--replay", "g.jsonl").out
    moves = replayed_moves(read_replay((folder / "g.jsonl").read_text()))
    expected = [f"{'AB'[actor]} (random): {words}" for actor, words, _ in moves]
    assert text.splitlines()[: len(moves)] == expected
    assert "track " in text
    assert "B  leader " in text


@pytest.mark.slow
def test_show_gives_reasons_to_the_seat_that_has_them(arena: RunArena) -> None:
    words = ("match", "ismcts:iterations=5", "random", "--show", "--view")
    assert "[wins " in arena(*words, "A").out
    assert "[wins " not in arena(*words, "B").out


def replayed_moves(replay: Replay) -> list[tuple[int, str, bool]]:
    """(actor, words, whether others see it) of every decision, by the events of the game."""
    state = replay.new(record=True)
    assert isinstance(state, HiddenLeaders)
    decisions = []
    for move in replay.moves:
        actor = state.actor
        words = move_text(state, move) if actor >= 0 else ""
        state.play(move)
        news = [state.take_events(seat) for seat in range(state.players)]
        if actor >= 0:
            other = news[(actor + 1) % state.players]
            (chose,) = [event for event in other if event[0] == Event.CHOSE]
            decisions.append((actor, words, chose[2] != UNSEEN))
    return decisions


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("seat", ["A", "b"])
def test_a_view_never_shows_face_down_cards_of_others(
    folder: Path, arena: RunArena, seed: str, seat: str
) -> None:
    words = ("match", "random", "random", "random", "--seed", seed)
    arena(*words, "--replay", "g.jsonl")
    moves = replayed_moves(read_replay((folder / "g.jsonl").read_text()))
    lines = arena(*words, "--show", "--view", seat).lines
    watching = "ab".index(seat.lower())
    hidden = 0
    for line, (actor, move, public) in zip(lines, moves, strict=False):
        visible = public or actor == watching
        assert line == f"{'ABC'[actor]} (random): {move if visible else 'chooses face down'}"
        hidden += not visible
    assert hidden > 10


@pytest.mark.parametrize("seed", ["1", "5"])
def test_cards_named_in_moves_of_others_are_cards_the_seat_has_seen(
    folder: Path, arena: RunArena, seed: str
) -> None:
    """The same from the other end: a card named in another's move is in the seat's own account."""
    words = ("match", "greedy", "random", "random", "--seed", seed, "--view", "A")
    lines = arena(*words, "--show", "--replay", "a.jsonl").lines
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
        if not line.startswith("A "):
            assert {hero.name for hero in HEROES if hero.name in line} <= known
    assert view.actor < 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_does_not_lose_the_result(arena: RunArena) -> None:
    outcome = arena("match", "random", "random", "--replay", "/dev/full", code=2)
    assert outcome.out.startswith("Winner after ")
    assert outcome.err.startswith("arena: /dev/full cannot be written: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_does_not_lose_a_fault(folder: Path, arena: RunArena) -> None:
    (folder / "late.py").write_text(LATE_FAULT)
    outcome = arena("match", "random", "late.py:Late", "--replay", "/dev/full", "-q", code=2)
    frame, _, full, fault = outcome.err.splitlines()
    assert frame == "  late.py, line 7, in choose"
    assert full.startswith("arena: /dev/full cannot be written: No space left on device")
    assert "raised ZeroDivisionError" in fault


@pytest.mark.slow
def test_ctrl_c_ends_a_search_that_would_take_forever() -> None:
    words = ["match", "random", "ismcts:iterations=999999999", "--seed", "2", "--show"]
    with command(*words, PYTHONUNBUFFERED="1") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("A (random)")  # it has begun
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert (done.returncode, done.stderr.strip()) == (130, "Stopped.")


SIMPLE = """from bots import Bot

class A(Bot):
    def choose(self, view):
        return view.moves[0]
"""


@pytest.mark.parametrize(
    ("bots", "named"),
    [
        (("a.py:A", "b.py:A"), "a.py:A and b.py:A have their files in the current folder"),
        (("a.py:A", "sub/c.py:A"), "a.py:A and sub/c.py:A have their files in the current folder"),
        (("cmd:cat a.py", "b.py:A"), "cmd:cat a.py and b.py:A have"),
        (("a.py:A", "a.py:A:depth=2"), ""),  # one file, one author
        (("a.py:A", "greedy"), ""),
        (("d/b.py:A", "sub/c.py:A"), ""),
        (("a.py:A", "nowhere.py:A"), ""),
    ],
)
def test_isolated_bots_that_can_read_each_others_files_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str], bots: tuple[str, ...], named: str
) -> None:
    for name in ("a.py", "b.py", "sub/c.py", "d/b.py"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(SIMPLE)
    warn_of_neighbours({bot: bot for bot in bots})
    printed = capsys.readouterr().err
    assert printed.startswith(named)
    assert printed.count("\n") == bool(named)
    if named:
        assert "one can read another's; give each bot a folder of its own" in printed


@pytest.mark.slow
def test_leagues_and_matches_warn_of_bots_in_one_folder(folder: Path, arena: RunArena) -> None:
    for name in ("a", "b"):
        Path(f"{name}.py").write_text(SIMPLE)
    told = "have their files in the current folder"
    few = ("--players", "2", "--deals", "1", "--option", "rounds=1", "--workers", "1")
    bots = ("--bot", "a.py:A as one", "--bot", "b.py:A as two")
    assert f"one and two {told}" in arena("league", *bots, *few, "--no-trust").err
    assert told not in arena("league", *bots, *few, "--trust").err
    assert f"a.py:A and b.py:A {told}" in arena("match", "a.py:A", "b.py:A", "--isolate").err
