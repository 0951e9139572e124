"""Without an extra, every adapter says in one sentence what to install."""

import pytest

from tests.support.interpreter import printed

SENTENCES = {
    "pettingzoo": ("pettingzoo", "the PettingZoo adapter needs pettingzoo", "pettingzoo"),
    "selfplay": ("numpy", "self-play in batches needs numpy", "training"),
    "policy_bots": ("numpy", "a bot with a policy needs numpy", "training"),
    "openspiel": ("pyspiel", "the OpenSpiel adapter needs pyspiel", "openspiel"),
    "openspiel_bots": ("pyspiel", "an OpenSpiel bot needs pyspiel", "openspiel"),
    "parquet": ("pyarrow", "arena export --parquet needs pyarrow", "parquet"),
}


@pytest.mark.parametrize("adapter", SENTENCES)
def test_a_missing_extra_is_named(adapter: str) -> None:
    missing, sentence, extra = SENTENCES[adapter]
    code = f"""
import sys
sys.modules[{missing!r}] = None
try:
    import arena.adapters.{adapter}
except ImportError as error:
    print(error)
"""
    expected = f"{sentence}; install it with pip install 'hidden-leaders-arena[{extra}]'"
    assert printed(code) == expected


def test_adapters_load_nothing_until_they_are_asked_for() -> None:
    code = "import arena.adapters, arena.cli.main, sys; print('numpy' in sys.modules)"
    assert printed(code) == "False"
