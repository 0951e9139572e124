"""A bot that may not run with the host's rights is not imported by the host, however it is named.

A file named without its class used to be imported, outside the sandbox, to say which class to add.
"""

from pathlib import Path

import pytest

from arena.match.bot_factory import bot_factory
from bots.options import BadOption
from bots.runtime.loading import BadBot, load_bot
from tests.arena.cli.conftest import folder
from tests.support.command_line import RunArena
from tests.support.entry_points import write_entry_point
from tests.support.leftovers import linux

__all__ = ["folder"]

SPY = """
from bots import Bot
open({trace!r}, "w").close()

class Q(Bot):
    def choose(self, view):
        return view.moves[0]

class Quiet(Q):
    pass
"""
NEXT_TIME = "spy.py is a file; add the class: spy.py:Q or :Quiet"
CONFIG = "bots = ['spy.py', 'greedy']\ntrust = false\n"


@pytest.fixture
def trace(folder: Path) -> Path:
    """The file that spy.py makes when it is imported."""
    trace = folder / "ran"
    (folder / "spy.py").write_text(SPY.format(trace=str(trace)))
    return trace


@linux
@pytest.mark.parametrize("bot", ["spy.py", "spy.py:", "spy.py:depth=2"])
@pytest.mark.parametrize(
    "command",
    [
        "match {} greedy --isolate",
        "check {}",
        "compare {} greedy --isolate",
        "play --bots {},greedy --isolate",
        "league --bot {} --bot greedy --no-trust --dry-run",
        "league own.toml",
    ],
)
def test_a_file_without_its_class_is_read_but_not_imported(
    trace: Path, arena: RunArena, command: str, bot: str
) -> None:
    (trace.parent / "own.toml").write_text(CONFIG.replace("spy.py", bot))
    failed = arena(*command.format(bot).split(), code=2)
    assert NEXT_TIME in failed.err
    assert not trace.exists()


@pytest.mark.parametrize("command", ["bots spy.py", "match spy.py greedy"])
def test_a_file_that_is_trusted_is_not_imported_for_the_message_either(
    trace: Path, arena: RunArena, command: str
) -> None:
    assert NEXT_TIME in arena(*command.split(), code=2).err
    assert not trace.exists()
    load_bot("spy.py:Q")
    assert trace.exists()


@linux
@pytest.mark.parametrize(
    ("bot", "error"),
    [
        ("spy.py:Q:n", BadOption),
        ("spy.py:Q:", BadOption),
        ("spy:", BadBot),
        ("spy", BadBot),
        ("package", BadBot),
        ("package/", BadBot),
        ("package.py:Q", BadBot),
    ],
)
def test_names_that_are_wrong_are_refused_unread(
    trace: Path, bot: str, error: type[Exception]
) -> None:
    for place in ("package", "package.py"):
        (trace.parent / place).mkdir()
        (trace.parent / place / "__init__.py").write_text(SPY.format(trace=str(trace)))
    with pytest.raises(error):
        bot_factory(bot, isolated=True)
    assert not trace.exists()


@linux
@pytest.mark.parametrize("bot", ["spy.py:Q", "spy.py:No", "spy:Q", "package:Q", "installed:n=1"])
def test_a_bot_of_whatever_kind_is_first_imported_in_its_sandbox(
    trace: Path, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    here = trace.parent
    (here / "package").mkdir()
    (here / "package" / "__init__.py").write_text(SPY.format(trace=str(trace)))
    write_entry_point(here, "spies", "arena.bots", "installed = spy:Q")
    monkeypatch.syspath_prepend(here)
    assert bot_factory(bot, isolated=True).name == bot
    assert not trace.exists()
