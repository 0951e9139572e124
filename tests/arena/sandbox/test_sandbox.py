"""Hostile bots in real games: each is classed right or does no harm, and nothing is left of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.match.bot_factory import RUNS, ProcessFactory, bot_factory, environment
from arena.match.referee import BotFault, Result, play_game
from arena.sandbox import policy as sandbox
from arena.sandbox.bot_process import Limits
from arena.sandbox.channel import MOST_STDERR
from arena.sandbox.fork_server import ForkServer, fork_server
from arena.sandbox.policy import (
    MEANINGS,
    PYTHON_PATH,
    NoSandbox,
    Protection,
    Sandbox,
    files_of,
    namespace_maker,
    protections,
    require_sandbox,
    without,
)
from bots.runtime.faults import FaultKind
from bots.runtime.protocol import MOST_LINE
from games.registry import game
from games.replay import write_replay
from tests.support.leftovers import guests, nothing_left
from tests.support.paths import ROOT, SUPPORT

HOSTILE = SUPPORT / "hostile_bots.py"
RULES = game("hidden-leaders")
LIMITS = Limits(move=20, start=20, memory=300 << 20)
SLOW = ("Loops", "LoopsDeaf", "Sleeps")
"""Bots that would use any time they are given."""

pytestmark = pytest.mark.skipif(
    not all(one.in_force for one in protections()), reason="this system cannot build all walls"
)


def scratches() -> set[str]:
    return {path.name for path in Path(tempfile.gettempdir()).glob("arena-*")}


@pytest.fixture(autouse=True)
def nothing_remains() -> Iterator[None]:
    """Whatever the bot does: no process, descriptor or scratch folder outlives its game."""
    before = scratches()
    with nothing_left(str(HOSTILE)):
        yield
    assert scratches() <= before


def game_of(bot: str, target: object = "") -> Result:
    name = f"{HOSTILE}:{bot}" + (f":target={target}" if target else "")
    limits = replace(LIMITS, move=0.5) if bot in SLOW else LIMITS
    return play_game(RULES, [bot_factory("random"), bot_factory(name, True, limits)], seed=1)


def fault_of(bot: str, target: object = "") -> BotFault:
    with pytest.raises(BotFault) as found:
        game_of(bot, target)
    assert found.value.seat == 1
    return found.value


def test_an_honest_bot_plays_in_the_sandbox() -> None:
    assert game_of("Hostile").decisions > 20


CLASSED = [
    ("Loops", FaultKind.TIME, "gave no answer within"),
    ("LoopsDeaf", FaultKind.TIME, "gave no answer within"),
    ("Sleeps", FaultKind.TIME, "gave no answer within"),
    ("Hogs", FaultKind.MEMORY, "raised MemoryError"),
    ("StormsAnyway", FaultKind.EXCEPTION, "raised PermissionError"),
    ("Threads", FaultKind.EXCEPTION, "raised RuntimeError: can't start new thread"),
    ("Exits", FaultKind.DIED, "exited with code 42"),
    ("ExitsAsIfKilled", FaultKind.DIED, "exited with code 137"),
    ("KillsItself", FaultKind.EXCEPTION, "raised PermissionError"),
    ("KillsItsThread", FaultKind.EXCEPTION, "raised PermissionError"),
    ("Crashes", FaultKind.DIED, "was ended by SIGSEGV"),
    ("Recurses", FaultKind.EXCEPTION, "raised RecursionError"),
    ("RecursesDeep", FaultKind.DIED, "was ended by SIGSEGV"),
    ("Prints", FaultKind.OUTPUT, "to stderr"),
    ("PrintsToTheArena", FaultKind.OUTPUT, "wrote "),
    ("ClosesAndStays", FaultKind.PROTOCOL, "closed its output and went on running"),
    ("Illegal", FaultKind.ILLEGAL, "chose -7, which is not legal"),
    ("WritesBesideItself", FaultKind.EXCEPTION, "raised "),
    ("Fills", FaultKind.EXCEPTION, "No space left on device"),
    ("Listens", FaultKind.EXCEPTION, "raised PermissionError"),
    ("Opens", FaultKind.EXCEPTION, "Too many open files"),
]


@pytest.mark.parametrize(("bot", "kind", "problem"), CLASSED, ids=[bot for bot, *_ in CLASSED])
def test_it_is_classed_and_leaves_nothing(bot: str, kind: FaultKind, problem: str) -> None:
    found = fault_of(bot)
    assert found.kind == kind, found
    assert problem in found.problem


def test_a_bot_that_closes_all_its_pipes_has_died() -> None:
    assert fault_of("Closes").kind in {FaultKind.DIED, FaultKind.PROTOCOL}


def test_a_storm_of_processes_does_not_even_begin() -> None:
    told = set(game_of("Storms").reasons.values())
    assert told == {"started 0"}


def test_nothing_is_written_outside_its_scratch_folder(tmp_path: Path) -> None:
    target = tmp_path / "graffiti"
    assert fault_of("Writes", target).kind == FaultKind.EXCEPTION
    assert not target.exists()
    assert not HOSTILE.with_name("graffiti.py").exists()


def test_its_scratch_folder_goes_with_it() -> None:
    (told,) = set(game_of("Scribbles").reasons.values())
    assert "arena-" in told
    assert not Path(told).exists()


@pytest.mark.parametrize(
    ("bot", "kind"), [("Calls", socket.SOCK_STREAM), ("CallsByUdp", socket.SOCK_DGRAM)]
)
def test_nobody_is_called(bot: str, kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as server:
        server.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            server.listen()
        server.settimeout(0.2)
        assert fault_of(bot, server.getsockname()[1]).kind == FaultKind.EXCEPTION
        with pytest.raises(TimeoutError):
            server.accept() if kind == socket.SOCK_STREAM else server.recv(10)


@pytest.mark.parametrize("beside", [False, True], ids=["elsewhere", "in its own folder"])
def test_the_leagues_journal_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "runs" if beside else tmp_path / "elsewhere"
    folder.mkdir()
    journal = folder / "league.db"
    journal.write_text("all hands of all games")
    own = tmp_path / "own.txt"
    own.write_text("my weights")
    bot = tmp_path / "hostile.py"
    bot.write_text(HOSTILE.read_text())
    if not beside:
        bot = HOSTILE
    name = f"{bot}:Reads:target={journal}"
    with pytest.raises(BotFault) as found:
        play_game(RULES, [bot_factory("random"), bot_factory(name, True, LIMITS)], seed=1)
    assert found.value.kind == FaultKind.EXCEPTION
    assert "all hands" not in str(found.value) + found.value.stderr
    if beside:
        name = f"{bot}:Reads:target={own}"
        result = play_game(RULES, [bot_factory("random"), bot_factory(name, True, LIMITS)], seed=1)
        assert "my weights" in result.reasons.values()


def test_what_the_host_hides_is_hidden_beside_the_bots_own_files(tmp_path: Path) -> None:
    bot = tmp_path / "hostile.py"
    bot.write_text(HOSTILE.read_text())
    journal = tmp_path / "league.db"
    journal.write_text("all hands of all games")
    for hidden, read in (((), True), ((journal,), False)):
        player = bot_factory(f"{bot}:Reads:target={journal}", True, LIMITS, hidden)
        try:
            result = play_game(RULES, [bot_factory("random"), player], seed=1)
        except BotFault as fault:
            assert fault.kind == FaultKind.EXCEPTION  # noqa: PT017
            assert not read
        else:
            assert ("all hands of all games" in result.reasons.values()) is read


def test_nobody_is_killed() -> None:
    with subprocess.Popen(["/bin/sleep", "30"]) as bystander:
        try:
            result = game_of("Kills", bystander.pid)
        finally:
            alive = bystander.poll() is None
            bystander.kill()
    assert alive
    assert result.decisions > 20


def test_tampering_with_modules_changes_no_game_but_its_own() -> None:
    honest, other = game_of("Hostile"), "Tampers"
    try:
        tampered = game_of(other)
    except BotFault as fault:
        assert fault.kind in {FaultKind.EXCEPTION, FaultKind.DIED}  # noqa: PT017
    else:
        assert tampered.replay.moves == honest.replay.moves
    again = game_of("Hostile")
    assert write_replay(again.replay) == write_replay(honest.replay)


@pytest.mark.parametrize("bot", ["Works", "WorksDeaf"])
def test_processor_time_is_limited_beside_the_clock(bot: str) -> None:
    limits = replace(LIMITS, start=0.6, game=0.2)
    player = bot_factory(f"{HOSTILE}:{bot}", True, limits)
    assert isinstance(player, ProcessFactory)
    patient = replace(player, limits=replace(LIMITS, game=60.0))
    with pytest.raises(BotFault) as found:
        play_game(RULES, [bot_factory("random"), patient], seed=1)
    assert found.value.kind == FaultKind.TIME
    assert found.value.problem == "used up the processor time it may have in a game"


def test_others_play_on_as_if_nothing_had_happened() -> None:
    """A broken game with a hostile bot leaves no trace in the next one."""
    before = play_game(RULES, [bot_factory("random", True), bot_factory("greedy", True)], seed=3)
    fault_of("Prints")
    after = play_game(RULES, [bot_factory("random", True), bot_factory("greedy", True)], seed=3)
    assert write_replay(before.replay) == write_replay(after.replay)


def test_a_killed_arena_takes_its_bots_with_it() -> None:
    """Even those that never look at their pipes."""
    command = [sys.executable, "-m", "arena", "match", "random", f"{HOSTILE}:LoopsDeaf"]
    with subprocess.Popen([*command, "--isolate"], cwd=ROOT, stdout=subprocess.PIPE) as arena:
        everybody = 1 + 2 * 3  # the nursery; of two bots the keeper, the first one, the bot
        wait_until(lambda: len(guests(arena.pid)) == everybody)
        arena.send_signal(signal.SIGKILL)
    wait_until(lambda: not guests(arena.pid))
    for name in scratches():  # the killed arena could not sweep; what it left is empty
        (Path(tempfile.gettempdir()) / name).rmdir()


def wait_until(fact: Callable[[], bool]) -> None:
    patience = time.monotonic() + 30
    while not fact():
        assert time.monotonic() < patience
        time.sleep(0.05)


def test_a_killed_nursery_is_replaced() -> None:
    before = fork_server(environment())
    before.process.kill()
    before.process.wait()
    assert game_of("Hostile").decisions > 20
    assert fork_server(environment()).process.pid != before.process.pid


def test_a_nursery_that_cannot_start_is_the_machines_fault(tmp_path: Path) -> None:
    broken = tmp_path / "arena"
    broken.mkdir()
    (broken / "__init__.py").write_text("import nothing_of_the_kind", encoding="utf-8")
    with pytest.raises(NoSandbox, match=r"cannot be started: .*No module named"):
        ForkServer({"PYTHONPATH": str(tmp_path)})


def test_who_cannot_be_started_for_want_of_descriptors_is_not_to_blame() -> None:
    code = (
        "import resource\n"
        "from arena.match.bot_factory import entrant\n"
        "from arena.match.referee import play_game\n"
        "from bots.runtime.faults import MachineFault\n"
        "from games.registry import game\n"
        "seats = [entrant('random', isolated=True)] * 6\n"
        "rules = game('hidden-leaders')\n"
        "play_game(rules, seats, 1)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))\n"
        "try:\n    play_game(rules, seats, 1)\n"
        "except MachineFault as fault:\n    print(fault)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": PYTHON_PATH},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("the process of a bot cannot be started: ")
    assert "Too many open files" in done.stdout
    assert done.stderr == ""


def test_a_guest_that_somebody_kills_is_classed_as_killed() -> None:
    def kill(*_: object) -> None:
        home = fork_server(environment()).process.pid
        for pid in set(guests(os.getpid())) - {home}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    seats = [bot_factory("random"), bot_factory(f"{HOSTILE}:Hostile", True, LIMITS)]
    with pytest.raises(BotFault) as found:
        play_game(RULES, seats, seed=1, watch=kill)
    assert found.value.kind == FaultKind.KILLED


def test_a_guest_is_looked_for_where_the_arena_is_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_of("Hostile")  # so that the nursery was started elsewhere
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alone.py").write_text(HOSTILE.read_text())
    for name in ("alone.py:Hostile", "alone:Hostile"):
        assert play_game(RULES, [bot_factory(name, True), bot_factory("random")], 1).decisions > 20


# ---- each wall by itself ------------------------------------------------------------------------


def inside(wall: str, deed: str) -> str:
    """What comes of a deed behind one wall alone, and without it."""
    said = []
    for building in (wall, "pass"):
        code = f"import os, socket\nfrom arena.sandbox import confine as cell\n{building}\ntry:\n    {deed}\n"
        code += "    print('done')\nexcept OSError as error:\n    print(type(error).__name__)"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": PYTHON_PATH},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout.strip())
    return " ".join(said)


LANDLOCK = "cell.drop_privileges(); cell.landlock(['/usr', '/lib', '/lib64'], [], ['/dev/null'])"
CALLS = "cell.drop_privileges(); cell.refuse_calls()"


@pytest.mark.parametrize(
    ("wall", "deed"),
    [
        (LANDLOCK, "open('/etc/hostname').read()"),
        (LANDLOCK, "os.listdir('/')"),
        (LANDLOCK, "os.kill(os.getppid(), 0)"),
        (LANDLOCK, "open('/proc/1/cmdline').read()"),
        (LANDLOCK, "open('/tmp/arena-wall', 'w'); os.remove('/tmp/arena-wall')"),
        (CALLS, "socket.socket()"),
        (CALLS, "socket.socket(socket.AF_UNIX)"),
        (CALLS, "os.fork() or os._exit(0)"),
        (CALLS, "os.posix_spawn('/bin/true', ['true'], {})"),
        (CALLS, "import mmap; mmap.mmap(-1, 4096)"),
        (CALLS, "os.close(os.memfd_create('hoard'))"),
        ("cell.limit({'RLIMIT_NOFILE': 20})", "[os.dup(0) for _ in range(40)]"),
    ],
)
def test_each_wall_holds_by_itself(wall: str, deed: str) -> None:
    held, without_it = inside(wall, deed).split()
    assert held in {"PermissionError", "OSError"}
    assert without_it == "done"


@pytest.mark.parametrize("maker", ["own", "bubblewrap", ""])
def test_all_is_kept_in_whoever_makes_namespaces(
    monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    if maker == "bubblewrap" and not shutil.which("bwrap"):
        pytest.skip("needs bubblewrap")
    monkeypatch.setattr(sandbox, "namespace_maker", lambda: maker)
    assert sandbox.burgle() == set()
    for bot, kind, problem in CLASSED:
        if bot in {"Exits", "Crashes", "Loops", "Hogs", "StormsAnyway"}:
            found = fault_of(bot)
            assert found.kind == kind, found
            assert problem in found.problem


def test_a_burglar_gets_in_where_there_are_no_walls(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("treasure")
    with subprocess.Popen(["/bin/sleep", "30"]) as bystander:
        done = subprocess.run(
            [sys.executable, str(sandbox.BURGLAR), str(tmp_path), str(bystander.pid)],
            capture_output=True,
            text=True,
            check=True,
        )
        bystander.kill()
    assert set(json.loads(done.stdout)) == set(MEANINGS) - {"sweeping"}


# ---- what is in force ---------------------------------------------------------------------------


def test_the_command_tells_what_is_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["sandbox"]) == 0
    said = capsys.readouterr().out
    for meaning in MEANINGS.values():
        assert meaning in said
    assert "All protections are in force." in said


def broken(*names: str) -> tuple[Protection, ...]:
    return tuple(Protection(name, MEANINGS[name], name not in names) for name in MEANINGS)


def test_what_is_missing_is_named_when_it_is_required(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    require_sandbox()
    monkeypatch.setattr(sandbox, "protections", lambda: broken("network", "reading"))
    with pytest.raises(NoSandbox) as found:
        require_sandbox()
    assert "missing: no sockets, not even to this machine; no file read" in str(found.value)
    with pytest.raises(SystemExit) as left:
        cli.run(["sandbox"])
    assert left.value.code == 1
    assert "NO" in capsys.readouterr().out


def test_the_page_on_isolation_tells_what_is_tried() -> None:
    page = (ROOT / "docs" / "isolation.md").read_text(encoding="utf-8")
    rows = page.partition("| protection | how |")[2].partition("\n\n")[0].splitlines()[2:]
    assert [row.split("|")[1].strip().replace("`", "") for row in rows] == list(MEANINGS.values())
    for words in (
        f"{sandbox.MEMORY >> 20} MB",
        f"{sandbox.SCRATCH >> 20} MB of memory",
        f"resource limit: {sandbox.DESCRIPTORS}",
        f"up to {sandbox.THREADS}",
        f"at most {MOST_LINE} bytes, stderr at most {MOST_STDERR}",
        f"The folder `{RUNS}`",
    ):
        assert words in " ".join(page.split())


def test_namespaces_are_ours_or_bubblewraps_or_nobodys() -> None:
    assert namespace_maker() in {"own", "bubblewrap", ""}


def test_hidden_places_are_cut_out_of_readable_ones(tmp_path: Path) -> None:
    for name in ("a", "runs", "deep"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    assert list(without(tmp_path, [])) == [tmp_path]
    assert list(without(tmp_path, [tmp_path])) == []
    assert set(without(tmp_path, [tmp_path / "runs"])) == {tmp_path / "a", tmp_path / "deep"}
    assert set(without(tmp_path, [tmp_path / "deep" / "file"])) == {
        tmp_path / "a",
        tmp_path / "runs",
    }


def test_a_bot_in_a_large_folder_can_be_seated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3000):
        (tmp_path / f"{number}.txt").touch()
    (tmp_path / "runs").mkdir()
    (tmp_path / "bot.py").write_text(
        "from bots import Bot\nclass Plain(Bot):\n    def choose(self, view):\n"
        "        return view.moves[0]\n"
    )
    hidden = (tmp_path / "runs",)
    bot = bot_factory(f"{tmp_path / 'bot.py'}:Plain", True, LIMITS, hidden)
    assert play_game(RULES, [bot_factory("random"), bot], seed=1).decisions > 20
    box = Sandbox((tmp_path,), hidden=hidden)
    monkeypatch.setattr(sandbox, "namespace_maker", lambda: "")
    with pytest.raises(NoSandbox, match="holds too many files beside what must stay hidden"):
        box.walls(["guest"], "scratch")


def test_a_scratch_folder_is_swept_without_following_links(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    scratch = tmp_path / "scratch"
    (scratch / "deep" / "er").mkdir(parents=True)
    (scratch / "deep" / "link").symlink_to(outside)
    (scratch / "deep" / "er").chmod(0)
    sandbox.sweep(str(scratch))
    assert not scratch.exists()
    assert outside.stat().st_mode & 0o777 == 0o500


def test_a_program_that_cannot_be_run_inside_says_so(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF what is this")
    program.chmod(0o755)
    with pytest.raises(BotFault) as found:
        play_game(RULES, [bot_factory(f"cmd:{program}", True), bot_factory("random")], seed=1)
    assert found.value.kind == FaultKind.DIED
    assert found.value.stderr == f"{program} cannot be run in the sandbox: Exec format error\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_node_plays_in_the_sandbox() -> None:
    name = f"cmd:node {ROOT / 'examples' / 'remote' / 'first.mjs'}"
    here, there = (
        play_game(RULES, [bot_factory(name, isolated), bot_factory("random")], seed=2)
        for isolated in (False, True)
    )
    assert here.replay == there.replay


def test_a_programs_own_files_are_readable(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.touch()
    places = files_of(["/bin/sh", str(script), "--fast", "no-such-file"])
    assert tmp_path in places
    assert Path("/bin") in places or Path("/usr/bin") in places
    assert Sandbox(readable=places).limits(["run"]).get("RLIMIT_AS") is None
    assert os.path.isabs(places[0])
