"""Python in a process of its own, with the checkout on its import path."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT


def run_python(
    *words: str, folder: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `python words...` in that folder, to its end."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def printed(code: str, **environment: str) -> str:
    """What the code prints; it must not fail."""
    done = run_python("-c", code, folder=ROOT, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
