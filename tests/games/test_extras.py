"""Messages about missing packages name a command that works where the arena runs."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from games.extras import how_to_install
from tests.support.interpreter import printed

SHOWN = "from games.extras import how_to_install; print(how_to_install('web'))"


def command(message: str) -> list[str]:
    assert message.startswith("install it with ")
    return shlex.split(message.removeprefix("install it with "))


def test_it_is_the_running_python_s_whatever_pip_is_on_the_path(tmp_path: Path) -> None:
    """As after `make league`: .venv is not activated, and `pip` is the system's, if anyone's."""
    shown = command(printed(f"import os; os.chdir({str(tmp_path)!r}); {SHOWN}", PATH="/usr/bin"))
    assert shown == [sys.executable, "-m", "pip", "install", "hidden-leaders-arena[web]"]


def test_it_is_short_in_an_activated_environment() -> None:
    folder, name = os.path.split(sys.executable)
    assert command(printed(SHOWN, PATH=f"{folder}{os.pathsep}/usr/bin"))[0] == name


def test_it_is_relative_below_the_current_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    python = Path(sys.executable)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(python.parent.parent)
    assert command(how_to_install("web"))[0] == f"{python.parent.name}/{python.name}"
