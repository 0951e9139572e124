"""The bot's own frames: which files count, how they are called, and what a process may send."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bots.runtime.faults import OwnFrame
from bots.runtime.frames import (
    MOST_OWN_FRAMES,
    failure_from,
    frames_text,
    innermost,
    own_code,
    own_frames,
    read_frames,
)
from bots.runtime.loading import load_bot

CHAIN = """\
import json
import tactics
from bots import Bot

class Chain(Bot):
    def choose(self, view):
        return getattr(self, view)()
    def reads(self):
        return json.loads("{")
    def helps(self):
        return tactics.divide(0)
    def deepens(self):
        return self.deepens()
    def imports(self):
        import broken
"""
TWICE = """\
from bots import Bot
ERROR = ValueError("again")
class Twice(Bot):
    def choose(self, view):
        if view:
            raise ERROR
        raise ERROR
"""
TACTICS = "def divide(by):\n    return 1 // by\n"


def frames_of(name: str, way: str) -> tuple[OwnFrame, ...]:
    """The frames of the exception that the bot raises in that way."""
    bot = load_bot(name).make(0, 1)
    try:
        bot.choose(way)  # type: ignore[arg-type]
    except Exception as error:  # noqa: BLE001
        return own_frames(error, own_code(type(bot)))
    raise AssertionError("it raised nothing")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty; the import path is restored afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.fixture
def chain(folder: Path) -> str:
    (folder / "chain.py").write_text(CHAIN)
    (folder / "tactics.py").write_text(TACTICS)
    (folder / "broken.py").write_text("x = 1\nif x\n")
    return "chain.py:Chain"


def test_frames_of_libraries_are_left_out(chain: str) -> None:
    assert frames_of(chain, "reads") == (
        OwnFrame("chain.py", 7, "choose", "return getattr(self, view)()"),
        OwnFrame("chain.py", 9, "reads", 'return json.loads("{")'),
    )


def test_files_beside_the_bot_are_its_own(chain: str) -> None:
    frames = frames_of(chain, "helps")
    assert innermost(frames) == "tactics.py, line 2, in divide"
    assert frames_text(frames).splitlines()[-2:] == [
        "  tactics.py, line 2, in divide",
        "    return 1 // by",
    ]


def test_a_long_recursion_keeps_both_ends(chain: str) -> None:
    frames = frames_of(chain, "deepens")
    assert len(frames) == MOST_OWN_FRAMES
    assert [frame.function for frame in frames[:2]] == ["choose", "deepens"]
    assert "more frames" in str(frames[3])
    assert innermost(frames) == "chain.py, line 13, in deepens"


def test_a_syntax_error_names_the_line_of_the_file(chain: str) -> None:
    frames = frames_of(chain, "imports")
    assert innermost(frames) == "broken.py, line 2"
    assert frames[-1].source == "if x"
    assert str(frames[-2]) == "chain.py, line 15, in imports"


def test_an_edited_line_is_read_again(chain: str, folder: Path) -> None:
    frames_of(chain, "helps")
    (folder / "tactics.py").write_text(TACTICS.replace("1 // by", "1 // by # oh"))
    assert frames_of(chain, "helps")[-1].source == "return 1 // by # oh"


def test_a_package_is_one_bots_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = folder / "frame_package"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "deep" / "__init__.py").write_text(TACTICS)
    text = CHAIN.replace("import tactics", "from frame_package import deep as tactics")
    (package / "chain.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    frames = frames_of("frame_package.chain:Chain", "helps")
    assert [frame.file for frame in frames] == [
        "frame_package/chain.py",
        "frame_package/chain.py",
        "frame_package/deep/__init__.py",
    ]


def test_our_own_bots_show_their_frames_but_not_those_around_them() -> None:
    greedy = load_bot("greedy")
    try:
        greedy.make(0, 1).choose(None)  # type: ignore[arg-type]
    except AttributeError as error:
        failure = failure_from(error, own_code(greedy.bot))
    assert innermost(failure.frames).startswith("bots/greedy.py, line ")


def test_an_exception_that_is_raised_twice_shows_the_last_time(folder: Path) -> None:
    (folder / "twice.py").write_text(TWICE)
    bot = load_bot("twice.py:Twice").make(0, 1)
    code = own_code(type(bot))

    def guarded(argument: object) -> str:
        try:
            bot.choose(argument)  # type: ignore[arg-type]
        except ValueError as error:
            return innermost(failure_from(error, code).frames)
        raise AssertionError

    # As if our code around bots had called it: the frame of `guarded` must be one of ours.
    source = Path(sys.modules["bots.runtime.frames"].__file__ or "")
    guarded.__code__ = guarded.__code__.replace(co_filename=str(source))
    assert guarded(True) == "twice.py, line 6, in choose"
    assert guarded(False) == "twice.py, line 7, in choose"


def test_an_unknown_class_has_no_frames() -> None:
    stranger = type("Stranger", (), {"__module__": "no.such.module"})
    assert own_code(stranger) is None
    assert own_frames(ValueError(), None) == ()


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "x",
        7,
        {},
        [None],
        [["a.py", "1", "f", ""]],
        [["a.py", 1, "f"]],
        [["a.py", -1, "f", ""]],
    ],
)
def test_malformed_frames_of_a_process_are_left_out(sent: object) -> None:
    assert read_frames(sent) == ()


def test_frames_of_a_process_are_printable_and_bounded() -> None:
    sent = [["\x1b[2Ja.py\n", 1, "f" * 1000, "\x07x\u202e"]] * 1000
    frames = read_frames(sent)
    assert len(frames) == MOST_OWN_FRAMES
    text = frames_text(frames)
    assert len(text) < 5000
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert str(frames[0]).startswith("\N{REPLACEMENT CHARACTER}[2Ja.py, line 1, in fff")
