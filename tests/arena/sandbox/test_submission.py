"""A bot sees its own folder and nothing else; no link leads out of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.match.bot_factory import bot_factory
from arena.sandbox import policy, submission
from arena.sandbox.policy import command_paths
from arena.sandbox.submission import MOST_NESTED, Submission, copy_of, submission_of
from bots.runtime.faults import FaultKind
from bots.runtime.loading import BadBot
from tests.support.command_line import RunArena
from tests.support.leagues import output
from tests.support.leftovers import fully_sandboxed
from tests.support.matches import FIRST, fault_of, played, seat_bot

READS = """\
from pathlib import Path
from bots import Bot
class Reads(Bot):
    def choose(self, view):
        return view.moves[0]
    def explain(self):
        return Path({path!r}).read_text()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a submission, with a secret outside."""
    (tmp_path / "secret").write_text("treasure")
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "bot.py").write_text(FIRST)
    (folder / "beside.txt").write_text("my weights")
    return folder


def reader(folder: Path, path: Path | str) -> str:
    (folder / "reads.py").write_text(READS.format(path=str(path)))
    return f"{folder / 'reads.py'}:Reads"


# ---- links --------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["/etc", "../secret", "/etc/passwd", "."])
def test_a_link_out_of_the_folder_is_refused(folder: Path, target: str) -> None:
    (folder / "link").symlink_to(target if target != "." else folder.parent)
    with pytest.raises(BadBot, match="link is a link that leads out of the bot's folder"):
        bot_factory(f"{folder / 'bot.py'}:First", isolated=True)


def test_a_league_refuses_a_submission_with_a_link_out(
    folder: Path, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a league that is started in the folder with the link."""
    (folder / "etc").symlink_to("/etc")
    monkeypatch.chdir(folder)
    words = ("league", "--bot", "random", "--bot", "bot.py:First", "--no-trust", "--deals", "1")
    done = arena(*words, code=2)
    assert "etc is a link that leads out of the bot's folder; replace it by a copy" in done.err
    assert "Traceback" not in done.err


def test_a_bots_file_that_is_a_link_out_is_refused(folder: Path) -> None:
    (folder.parent / "other.py").write_text(FIRST)
    (folder / "linked.py").symlink_to(folder.parent / "other.py")
    with pytest.raises(BadBot, match=r"linked.py is a link that leads out of its folder"):
        bot_factory(f"{folder / 'linked.py'}:First", isolated=True)
    with pytest.raises(BadBot, match=r"linked.py is a link that leads out of its folder"):
        bot_factory(f"cmd:python3 {folder / 'linked.py'}", isolated=True)


def test_a_program_that_is_a_link_into_a_strangers_folder_is_refused(folder: Path) -> None:
    tool = folder.parent / "tools" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    (folder / "bot").symlink_to(tool)
    with pytest.raises(BadBot, match="bot is a link that leads out of its folder"):
        command_paths([str(folder / "bot")], by_name=False)
    own, installed = command_paths([str(folder / "bot")], by_name=True)  # the host's own PATH
    assert (own, tool.parent in installed) == ((), True)


@pytest.mark.parametrize("name", ["lib", "share"])
def test_what_lies_beside_a_programs_bin_does_not_lead_out(folder: Path, name: str) -> None:
    """A program in `bin` may read `lib` and `share`, so these must not be links to elsewhere."""
    program = folder / "bin" / "bot"
    program.parent.mkdir()
    program.touch(mode=0o755)
    (folder / name).symlink_to(folder.parent)
    with pytest.raises(BadBot, match=f"{name} is a link that leads out of .*submission; replace"):
        bot_factory(f"cmd:{program}", isolated=True)
    (folder / name).unlink()
    (folder / "inside").mkdir()
    (folder / name).symlink_to("inside")
    own, installed = command_paths([str(program)], by_name=False)
    assert (own, set(installed)) == ((), {folder / "bin", folder / name})


def test_links_inside_the_folder_work(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "link.txt").symlink_to("../beside.txt")
    name = reader(folder, folder / "inner" / "link.txt")
    assert set(played(name, "random", isolated=True).reasons.values()) == {"my weights"}


def test_special_files_are_refused(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadBot, match="pipe is neither a file nor a folder"):
        Submission(folder).parts()


def test_folders_nested_deep_are_refused(folder: Path) -> None:
    (folder / Path(*"d" * MOST_NESTED)).mkdir(parents=True)
    assert Submission(folder).parts()
    (folder / Path(*"d" * (MOST_NESTED + 1))).mkdir()
    with pytest.raises(BadBot, match="folders nested more than 32 deep"):
        bot_factory(f"{folder / 'bot.py'}:First", isolated=True)


def test_a_folder_that_cannot_be_read_is_refused(folder: Path) -> None:
    with pytest.raises(BadBot, match="gone cannot be read: No such file or directory; every file"):
        Submission(folder / "gone").parts()


def test_the_name_of_a_file_does_not_control_the_terminal(folder: Path, arena: RunArena) -> None:
    os.symlink(b"/etc", os.fsencode(folder) + b"/\x1b]0;title\x07\xff")
    done = arena("check", f"{folder / 'bot.py'}:First", code=2)
    assert "]0;title" in done.err
    assert "is a link that leads out" in done.err
    assert "\x1b" not in done.err + done.out


@fully_sandboxed
@pytest.mark.parametrize("maker", ["own", "bubblewrap", ""])
def test_a_link_that_appears_later_leads_nowhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    """Even if the check of the folder had missed it."""
    if maker == "bubblewrap" and not policy.has_bubblewrap():
        pytest.skip("needs bubblewrap")
    monkeypatch.setattr(policy, "namespace_maker", lambda: maker)
    monkeypatch.setattr(Submission, "_check_link", lambda *_: None)
    (folder / "link").symlink_to(folder.parent)
    (folder / "runs").mkdir()
    hidden = (folder / "runs",)  # so that the paths of the folder are allowed one by one
    fault = fault_of(seat_bot(reader(folder, folder / "link" / "secret"), True, hidden=hidden))
    assert fault.kind == FaultKind.EXCEPTION
    assert "treasure" not in str(fault) + fault.stderr


# ---- what a bot sees ----------------------------------------------------------------------------


@fully_sandboxed
def test_a_bot_sees_what_lies_beside_its_file(folder: Path) -> None:
    name = reader(folder, folder / "beside.txt")
    assert set(played(name, "random", isolated=True).reasons.values()) == {"my weights"}


@fully_sandboxed
@pytest.mark.parametrize("name", [".token", "venv/lib/own.txt", "runs/league.db"])
def test_some_of_it_is_left_out(folder: Path, name: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("not for bots")
    (folder / "venv").mkdir(exist_ok=True)
    (folder / "venv" / "pyvenv.cfg").touch()
    fault = fault_of(seat_bot(reader(folder, path), True, hidden=(folder / "runs",)))
    assert "FileNotFoundError" in fault.problem


@fully_sandboxed
def test_a_bot_is_copied_once_and_again_when_it_changes(folder: Path) -> None:
    before = copy_of(Submission(folder), (), ())
    place = before.place
    assert copy_of(Submission(folder), (), ()).place == place
    assert {path.name for path in Path(place).iterdir()} == {"bot.py", "beside.txt"}
    (folder / "bot.py").write_text(FIRST + "\n")
    assert copy_of(Submission(folder), (), ()).place != place


def test_a_bot_of_root_alone_can_still_be_read(folder: Path) -> None:
    (folder / "bot.py").chmod(0o600)
    folder.chmod(0o700)
    assert played(f"{folder / 'bot.py'}:First", "random", isolated=True).decisions > 20


def test_a_folder_with_too_many_files_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "MOST_FILES", 20)
    (folder / "games").mkdir()
    for number in range(20):
        (folder / "games" / f"{number}.txt").touch()
    words = "more than 20 files, most of them in 'games'; put the bot into a folder of its own"
    with pytest.raises(BadBot, match=words):
        bot_factory(f"{folder / 'bot.py'}:First", isolated=True)


def test_a_folder_with_too_large_files_is_refused(folder: Path) -> None:
    with (folder / "large.bin").open("wb") as file:
        file.truncate(submission.MOST_COPIED + 1)
    with pytest.raises(BadBot, match=r"256 MB, most of them in 'large\.bin'; put the bot"):
        bot_factory(f"{folder / 'bot.py'}:First", isolated=True)


def test_the_submission_of_a_file_is_its_folder(folder: Path) -> None:
    assert submission_of(folder / "bot.py") == Submission(folder)


def test_a_full_folder_for_temporary_files_is_named_and_left_empty(folder: Path) -> None:
    (folder / "large.bin").write_bytes(bytes(1 << 17))
    small = folder.parent / "small"
    small.mkdir()
    script = f"mount -t tmpfs -o size=64k tmpfs {small} || exit 99; export TMPDIR={small}\n"
    script += f"{sys.executable} -m arena match {folder / 'bot.py'}:First random --isolate\n"
    script += f"echo $? $(ls {small})"
    done = output("unshare", "--mount", "sh", "-c", script)
    if done.returncode in (1, 99):
        pytest.skip("this machine does not allow mounts")
    assert done.stderr.splitlines()[-1] == (
        f"arena: a bot's process cannot be started: no space is left in {small}; free some, or set "
        "TMPDIR"
    )
    assert done.stdout == "2\n"
