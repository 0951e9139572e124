"""How fast the engine is in a visitor's browser: Pyodide in Node, which has Chrome's engine.

    python benchmarks/browser_engine.py               # needs node and npm

The same work is done by Pyodide and, here, by the pure and the compiled engine, one after the
other and twice: complete random games, iterations of `ismcts`, and some puzzles, proven.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

from arena.web.site.engine_archive import write_archive
from arena.web.site.pyodide_files import copy_pyodide

SECONDS = 3.0
PUZZLES = ("doubt", "one-step-back", "errands-for-cyra", "no-rest-for-myrad")
WORK = f"""
import json, time
from arena.lab.bench_worker import measure_play, measure_search
from games.registry import game
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle, load_puzzle, prove

rules = game("hidden-leaders")
played = measure_play(rules, 4, {SECONDS})
searched = measure_search(rules, 4, {SECONDS})
slowest = 0.0
for name in {PUZZLES}:
    began = time.perf_counter()
    prove(load_puzzle(find_puzzle(name)), NodeBudget(1_000_000))
    slowest = max(slowest, time.perf_counter() - began)
result = json.dumps([
    played["decisions"] / played["seconds"],
    searched["iterations"] / searched["seconds"],
    slowest,
])
"""
NODE = """
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { readFileSync } from "node:fs";
const began = performance.now();
const python = await loadPyodide({ stdout: () => {} });
python.unpackArchive(new Uint8Array(readFileSync("engine.zip")), "zip", { extractDir: "/engine" });
python.runPython(`
import os, sys
os.environ["ARENA_PURE"] = "1"
sys.dont_write_bytecode = True
sys.path.insert(0, "/engine")
import arena.web.site.in_browser
`);
const started = (performance.now() - began) / 1000;
python.runPython(readFileSync("work.py", "utf8"));
console.log(JSON.stringify([started, ...JSON.parse(python.globals.get("result"))]));
"""


def in_pyodide(folder: Path) -> list[float]:
    """Seconds to start, decisions per second, iterations per second, seconds for a puzzle."""
    command = ["node", "run.mjs"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)  # noqa: S603
    return list(json.loads(done.stdout))


def here(pure: bool) -> list[float]:
    """The same work in this Python; it starts at once."""
    command = [sys.executable, "-c", f"{WORK}\nprint(result)"]
    env = {**os.environ, "ARENA_PURE": "1" if pure else "0"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)  # noqa: S603
    return [0.0, *json.loads(done.stdout)]


def main() -> None:
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        copy_pyodide(folder / "pyodide", Path("build/npm"))
        write_archive(folder / "engine.zip")
        (folder / "work.py").write_text(WORK)
        (folder / "run.mjs").write_text(NODE)
        for _ in range(2):
            for name, figures in (
                ("Pyodide, pure", in_pyodide(folder)),
                ("here, pure", here(pure=True)),
                ("here, compiled", here(pure=False)),
            ):
                start, decisions, iterations, puzzle = figures
                numbers = [f"{decisions:,.0f}", f"{iterations:,.0f}", f"{puzzle:.2f}"]
                rows.append([name, f"{start:.1f}" if start else "", *numbers])
    headers = ["engine", "start, s", "decisions/s", "iterations/s", "slowest puzzle, s"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
