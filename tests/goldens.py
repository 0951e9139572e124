"""The golden files: where each lies and what it should say. `scripts/update-golden` writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from games.hidden_leaders.cards import HEROES, LEADERS
from games.hidden_leaders.rulings import rules_page
from games.hidden_leaders.sentences import faction_words, hero_sentence, leader_sentence
from games.hidden_leaders.words import ALL_FACTIONS
from games.replay import write_replay
from games.secrets.rulings import rules_page as secrets_rules_page
from tests.playing import random_replay

ROOT: Final = Path(__file__).parent.parent


def heroes() -> str:
    """Every hero and leader, to be proof-read against the box."""
    lines: list[str] = []
    for card, hero in enumerate(HEROES):
        every = hero.faction == ALL_FACTIONS
        faction = "all factions" if every else faction_words(hero.faction)
        expert = ", advanced" if hero.advanced else ""
        lines += [f"{hero.name} ({faction}{expert})", f"    {hero_sentence(card)}"]
    lines += [leader_sentence(leader) for leader in range(len(LEADERS))]
    return "\n".join(lines) + "\n"


GAMES: Final[dict[str, tuple[int, int, dict[str, object]]]] = {
    "2": (2, 297, {}),
    "3": (3, 402, {}),
    "4": (4, 64, {}),
    "5": (5, 261, {}),
    "6": (6, 59, {}),
    "beginner-4": (4, 320, {"deck": "beginner"}),
}
"""Golden games: players, seed, options. The seeds were sought so that every hero takes part."""


def _playthrough(name: str) -> Callable[[], str]:
    players, seed, options = GAMES[name]
    return lambda: write_replay(random_replay(players, seed, "hidden-leaders", **options))


SECRETS_GAMES: Final = {4: 1, 5: 2, 6: 5, 7: 3, 8: 4}
"""Golden games of Secrets: players and seed. Together every character is taken."""


def _secrets_playthrough(players: int) -> Callable[[], str]:
    return lambda: write_replay(random_replay(players, SECRETS_GAMES[players], "secrets"))


GOLDENS: Final[dict[str, Callable[[], str]]] = {
    "docs/rules.md": rules_page,
    "docs/rules-secrets.md": secrets_rules_page,
    "tests/golden/heroes.txt": heroes,
    **{f"tests/golden/games/{name}.jsonl": _playthrough(name) for name in GAMES},
    **{f"tests/golden/secrets/{many}.jsonl": _secrets_playthrough(many) for many in SECRETS_GAMES},
}
"""Path from the root of the project -> what the file should say."""
