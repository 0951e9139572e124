"""Without an extra, every adapter says in one sentence what to install."""

import tomllib

import pytest

from games.extras import how_to_install
from tests.support.interpreter import printed
from tests.support.paths import ROOT

MISSING = [
    ("pettingzoo", "pettingzoo", "the PettingZoo adapter", "pettingzoo"),
    ("selfplay", "numpy", "self-play in batches", "training"),
    ("policy_bots", "numpy", "a bot with a policy", "training"),
    ("openspiel", "pyspiel", "the OpenSpiel adapter", "openspiel"),
    ("openspiel_bots", "pyspiel", "an OpenSpiel bot", "openspiel"),
    ("parquet", "pyarrow", "arena export --parquet", "parquet"),
    ("parquet", "numpy", "arena export --parquet", "parquet"),
]
PACKAGES = {"pyspiel": "open_spiel"}
"""Module -> the package that has it, where the names differ."""


@pytest.mark.parametrize(("adapter", "module", "what", "extra"), MISSING)
def test_a_missing_extra_is_named_and_installs_the_module(
    adapter: str, module: str, what: str, extra: str
) -> None:
    code = f"""
import sys
sys.modules[{module!r}] = None
try:
    import arena.adapters.{adapter}
except ImportError as error:
    print(error)
"""
    assert printed(code) == f"{what} needs {module}; {how_to_install(extra)}"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert PACKAGES.get(module, module) in [each.partition(">")[0] for each in extras[extra]]


def test_adapters_load_nothing_until_they_are_asked_for() -> None:
    code = "import arena.adapters, arena.cli.main, sys; print('numpy' in sys.modules)"
    assert printed(code) == "False"
