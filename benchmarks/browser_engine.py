"""How fast the engine is in a browser: pure Python in Pyodide, against pure and compiled here.

    python benchmarks/browser_engine.py           # needs node and npm, which fetches Pyodide once

Pyodide runs in node, whose WebAssembly is that of Chromium. All three play the same games between
greedy bots and prove the same puzzles; seconds are those of the second of two times, as imports and
caches belong to the first.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click
from tabulate import tabulate

from arena.web.site.engine_archive import write_archive
from arena.web.site.pyodide_files import copy_pyodide

WORK = """
import json, time
from arena.match.api import play_game
from bots.runtime.mid_game import bot_policy
from solver.core.budget import NodeBudget, USUAL_NODES
from solver.puzzles.files import find_puzzle, load_puzzle, prove

def games():
    for seed in range({games}):
        play_game(["greedy"] * 3, seed=seed)

def puzzles():
    for name in {puzzles}:
        prove(load_puzzle(find_puzzle(name)), NodeBudget(USUAL_NODES), bot_policy)

taken = []
for work in (games, puzzles):
    for _ in range(2):
        began = time.perf_counter()
        work()
        seconds = time.perf_counter() - began
    taken.append(seconds)
result = json.dumps(taken)
"""
NODE = """
import {{ loadPyodide }} from "{folder}/pyodide/pyodide.mjs";
import {{ readFileSync }} from "node:fs";
const python = await loadPyodide({{ indexURL: "{folder}/pyodide/" }});
python.unpackArchive(readFileSync("{folder}/engine.zip"), "zip", {{ extractDir: "/engine" }});
await python.runPythonAsync(`import os, sys
os.environ["ARENA_PURE"] = "1"
sys.path.insert(0, "/engine")`);
await python.runPythonAsync(readFileSync("{folder}/work.py", "utf-8"));
console.log(python.globals.get("result"));
"""


def taken(command: list[str], **env: str) -> list[float]:
    done = subprocess.run(  # noqa: S603  # commands of our own
        command, capture_output=True, text=True, check=True, env={**os.environ, **env}
    )
    numbers = json.loads(done.stdout.splitlines()[-1])
    return [float(number) for number in numbers]


@click.command(help=__doc__)
@click.option("--games", default=10, show_default=True)
@click.option("--puzzle", "puzzles", multiple=True, default=("doubt", "so-he-says"))
def main(games: int, puzzles: tuple[str, ...]) -> None:
    node = shutil.which("node")
    if node is None:
        raise click.ClickException("node is not installed")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        copy_pyodide(folder / "pyodide", Path("build/npm"))
        write_archive(folder / "engine.zip")
        (folder / "work.py").write_text(WORK.format(games=games, puzzles=puzzles))
        (folder / "run.mjs").write_text(NODE.format(folder=folder))
        here = [sys.executable, "-c", f"{WORK.format(games=games, puzzles=puzzles)}\nprint(result)"]
        rows = {
            "compiled, here": taken(here),
            "pure, here": taken(here, ARENA_PURE="1"),
            "pure, in Pyodide": taken([node, str(folder / "run.mjs")]),
        }
    best = rows["compiled, here"]
    table = [
        [
            name,
            *(f"{each:.3f}" for each in seconds),
            *(f"{each / least:.1f}x" for each, least in zip(seconds, best, strict=True)),
        ]
        for name, seconds in rows.items()
    ]
    headers = ["engine", f"{games} games, s", f"{len(puzzles)} puzzles, s", "games", "puzzles"]
    click.echo(tabulate(table, headers=headers, colalign=("left", *["right"] * 4)))


if __name__ == "__main__":
    main()
