"""Compiles the hot modules with mypyc where a C compiler works; everything else: pyproject.toml.

ARENA_PURE=1 skips compilation. Without a working C compiler one line says so and the pure engine
is installed. With one, a failure is an error: nobody should get the slow engine unawares.
"""

import json
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import cast

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import BaseError, CCompilerError

# Everything that runs per move of a game or per node of a search, and nothing else: compiled
# code cannot be patched, stepped through or subclassed freely.
HOT = [
    "games/state.py",
    "games/view.py",
    "games/world_belief.py",
    "games/batch.py",
    "games/hidden_leaders/rules/constants.py",
    "games/hidden_leaders/rules/card_language.py",
    "games/hidden_leaders/rules/cards.py",
    "games/hidden_leaders/rules/opcodes.py",
    "games/hidden_leaders/rules/bytecode.py",
    "games/hidden_leaders/rules/reach.py",
    "games/hidden_leaders/rules/table.py",
    "games/hidden_leaders/rules/interpreter.py",
    "games/hidden_leaders/rules/scoring.py",
    "games/hidden_leaders/rules/features.py",
    "games/hidden_leaders/rules/move_features.py",
    "games/hidden_leaders/rules/observation.py",
    "games/hidden_leaders/rules/patterns.py",
    "games/hidden_leaders/rules/turn.py",
    "games/hidden_leaders/rules/solver_table.py",
    "games/hidden_leaders/rules/last_turn.py",
    "games/hidden_leaders/rules/late_keys.py",
    "games/hidden_leaders/rules/state.py",
    "games/hidden_leaders/knowledge/hypotheses.py",
    "games/hidden_leaders/knowledge/inference.py",
    "games/hidden_leaders/knowledge/sampler.py",
    "games/hidden_leaders/knowledge/view.py",
    "games/hidden_leaders/invariants.py",
    "games/secrets/constants.py",
    "games/secrets/table.py",
    "games/secrets/scoring.py",
    "games/secrets/features.py",
    "games/secrets/move_features.py",
    "games/secrets/observation.py",
    "games/secrets/state.py",
    "games/secrets/view.py",
    "games/secrets/token_belief.py",
    "games/secrets/invariants.py",
    "bots/ismcts/tree.py",
    "bots/champion/network.py",
    "bots/champion/policy.py",
    "bots/champion/search.py",
    "solver/core/ratio.py",
    "solver/core/budget.py",
    "solver/core/question.py",
    "solver/search/any_hand.py",
    "solver/search/proofs.py",
    "solver/search/alpha_beta.py",
    "solver/search/max_n.py",
    "solver/search/hidden_plans.py",
]

PACKAGES = ["games", "bots", "solver", "arena"]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
RECORD = f"games/compiled{SUFFIX}.json"  # read by games/engine.py
BUILDS = {"build", "build_ext", "bdist_wheel", "editable_wheel", "install", "develop"}


class BuildEngine(build_ext):
    """Builds the extensions and notes beside them which sources they were made from."""

    def run(self) -> None:
        built = {source: sha256(Path(source).read_bytes()).hexdigest() for source in HOT}
        if self.inplace:
            remove_leftovers()
        if not self.extensions:
            return
        super().run()
        record = Path(RECORD) if self.inplace else Path(self.build_lib, RECORD)
        record.write_text(json.dumps(built, indent=1) + "\n")


class BuildPackages(build_py):
    """Copies what is not code into `arena`, where games/bundled.py looks for configs."""

    def run(self) -> None:
        if not self.editable_mode:
            self.remove_what_is_gone()
        super().run()
        if not self.editable_mode:
            for folder in ("configs", "docs", "examples"):
                target = Path(self.build_lib, "arena", folder)
                ignored = shutil.ignore_patterns(
                    "__pycache__", "*.pyc", ".*", "build", "*.egg-info"
                )
                shutil.copytree(folder, target, dirs_exist_ok=True, ignore=ignored)

    def remove_what_is_gone(self) -> None:
        """Everything in `build/` goes into a wheel, also modules that were deleted since."""
        current = {Path(self.build_lib, source.removesuffix(".py") + SUFFIX) for source in HOT}
        for package in PACKAGES:
            for path in Path(self.build_lib, package).rglob("*"):
                if path.is_file() and path not in current:
                    path.unlink()


def remove_leftovers() -> None:
    """An extension left from an earlier build would win over its source, or mix engines."""
    Path(RECORD).unlink(missing_ok=True)
    for package in PACKAGES:
        for path in Path(package).rglob(f"*{SUFFIX}"):
            path.unlink()


def extensions() -> list[Extension]:
    if not BUILDS & set(sys.argv):
        return []  # metadata and the like
    if os.environ.get("ARENA_PURE") == "1":
        print("ARENA_PURE=1: the engine stays pure Python.")
        return []
    if problem := compiler_problem():
        print(
            f"No working C compiler with Python headers ({problem}): pure engine, slow but equal."
        )
        return []
    # Here, because a pure installation does not need it.
    from mypyc.build import mypycify  # noqa: PLC0415

    # Level 3 makes more code, which then misses the instruction cache: no faster, often slower.
    generated = mypycify(HOT, opt_level="2", debug_level="0", group_name="arena")
    made = cast("list[Extension]", generated)
    if os.name == "posix":
        # Lets the compiler inline the engine's own functions: a tenth faster. All extensions
        # share one list of arguments.
        made[0].extra_compile_args.append("-fno-semantic-interposition")
        # No fused multiply-add: with it, compiled sums would differ from interpreted ones.
        made[0].extra_compile_args.append("-ffp-contract=off")
    return made


def compiler_problem() -> str:
    """Why no extension module that includes Python.h can be built here; empty if one can."""
    with tempfile.TemporaryDirectory() as folder:
        source, said = Path(folder, "probe.c"), Path(folder, "said.txt")
        source.write_text("#include <Python.h>\nPyObject *PyInit_probe(void) { return NULL; }\n")
        probe = build_ext(Distribution({"ext_modules": [Extension("probe", [str(source)])]}))
        probe.build_lib = probe.build_temp = folder
        probe.ensure_finalized()
        try:
            with written_to(said):
                probe.run()
        except (BaseError, CCompilerError) as error:
            if shutil.disk_usage(folder).free < 1_000_000:
                return f"no space left in {Path(folder).parent}"
            lines = said.read_text(errors="replace").splitlines()
            return next(
                (line.strip() for line in lines if "rror:" in line),
                str(error).removeprefix("[Errno 2] "),
            )
        return ""


@contextmanager
def written_to(file: Path) -> Iterator[None]:
    """What compilers say, too: they write to the file descriptors, not to sys.stderr."""
    kept = [os.dup(1), os.dup(2)]
    target = os.open(file, os.O_WRONLY | os.O_CREAT)
    try:
        os.dup2(target, 1)
        os.dup2(target, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for descriptor in (*kept, target):
            os.close(descriptor)


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildEngine, "build_py": BuildPackages})
