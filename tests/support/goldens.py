"""The golden files: path and expected text of each. `scripts/update-golden` writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import ALL_FACTIONS
from games.hidden_leaders.text.cards import faction_words, hero_sentence, leader_sentence
from games.hidden_leaders.text.rulings import rules_page
from games.replay import write_replay
from games.secrets.rulings import rules_page as secrets_rules_page
from tests.support.paths import ROOT
from tests.support.playing import random_replay


def heroes() -> str:
    """Every hero and leader in English, for proof-reading against the box."""
    lines: list[str] = []
    for card, hero in enumerate(HEROES):
        of_all = hero.faction == ALL_FACTIONS
        faction = "all factions" if of_all else faction_words(hero.faction)
        advanced = ", advanced" if hero.advanced else ""
        lines += [f"{hero.name} ({faction}{advanced})", f"    {hero_sentence(card)}"]
    lines += [leader_sentence(leader) for leader in range(len(LEADERS))]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Playthrough:
    """A golden game: its name, number of players, seed and options."""

    game: str
    players: int
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)

    def text(self) -> str:
        """The expected text of its file."""
        return write_replay(random_replay(self.players, self.seed, self.game, **self.options))


GAMES: Final = {
    "games/2": Playthrough("hidden-leaders", 2, 297),
    "games/3": Playthrough("hidden-leaders", 3, 402),
    "games/4": Playthrough("hidden-leaders", 4, 64),
    "games/5": Playthrough("hidden-leaders", 5, 261),
    "games/6": Playthrough("hidden-leaders", 6, 59),
    "games/beginner-4": Playthrough("hidden-leaders", 4, 320, {"deck": "beginner"}),
    "secrets/4": Playthrough("secrets", 4, 1),
    "secrets/5": Playthrough("secrets", 5, 2),
    "secrets/6": Playthrough("secrets", 6, 5),
    "secrets/7": Playthrough("secrets", 7, 3),
    "secrets/8": Playthrough("secrets", 8, 4),
}
"""The seeds are chosen so that every hero and every character takes part."""


def golden_game(name: str) -> str:
    """The text in the file of that golden game."""
    return (ROOT / f"tests/games/golden/{name}.jsonl").read_text(encoding="utf-8")


def golden_games(game: str) -> list[str]:
    """The golden games of one game, by name."""
    return [name for name, playthrough in GAMES.items() if playthrough.game == game]


GOLDENS: Final[dict[str, Callable[[], str]]] = {
    "docs/rules.md": rules_page,
    "docs/rules-secrets.md": secrets_rules_page,
    "tests/games/golden/heroes.txt": heroes,
    **{f"tests/games/golden/{name}.jsonl": game.text for name, game in GAMES.items()},
}
"""Path from the root of the project -> function that returns the expected text."""
