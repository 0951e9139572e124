"""How to install an optional dependency where it is missed, whichever `pip` is on the path."""

from __future__ import annotations

import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path


def how_to_install(extra: str) -> str:
    """The end of a message about a missing package: the command that installs our extra."""
    command = [_python(), "-m", "pip", "install", f"hidden-leaders-arena[{extra}]"]
    return f"install it with {shlex.join(command)}"


def _python() -> str:
    """The running Python as one would type it here."""
    python = Path(sys.executable or "python")  # unknown where Python is embedded
    if shutil.which(python.name) == str(python):
        return python.name
    with suppress(ValueError, OSError):  # it lies elsewhere; the current folder is gone
        return str(python.relative_to(Path.cwd()))
    return str(python)
