"""The heroes of Hidden Leaders, for people to look up."""

from __future__ import annotations

from games.catalogue import Card, Catalogue
from games.hidden_leaders.guide import hero_faction, hero_rulings, hero_title
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import FACTION_NAMES
from games.hidden_leaders.text.cards import hero_sentence, step_words
from games.hidden_leaders.text.moves import find_card
from games.hidden_leaders.text.rulings import RULINGS


def catalogue() -> Catalogue:
    """Every hero of the box."""
    return Catalogue(tuple(_card(number) for number in range(len(HEROES))), "hero", find_card)


def _card(number: int) -> Card:
    hero, sentence = HEROES[number], hero_sentence(number)
    return Card(
        hero.name,
        sentence,
        row={
            "hero": hero.name,
            "faction": hero_faction(number),
            "deck": _deck(number),
            "ability": sentence,
        },
        page=_page(number),
        facts=_facts(number),
        factions=tuple(name for faction, name in FACTION_NAMES.items() if faction & hero.faction),
        decks=("retail",) if hero.advanced else ("retail", "beginner"),
        verbs=tuple(step.verb for step in hero.steps),
    )


def _deck(number: int) -> str:
    return "retail" if HEROES[number].advanced else "beginner"


def _page(number: int) -> str:
    lines = [
        hero_title(number),
        "",
        hero_sentence(number),
        "",
        *(f"    {word}" for word in step_words(number) or ["(no steps)"]),
        "",
        *hero_rulings(number),
    ]
    return "\n".join(lines)


def _facts(number: int) -> dict[str, object]:
    hero = HEROES[number]
    return {
        "name": hero.name,
        "code": hero.code,
        "faction": hero_faction(number),
        "deck": _deck(number),
        "sentence": hero_sentence(number),
        "steps": step_words(number),
        "rulings": {f"R{number}": RULINGS[number] for number in hero.rulings},
    }
