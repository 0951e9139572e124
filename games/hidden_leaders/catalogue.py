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
    return Catalogue(tuple(_card(number) for number in range(len(HEROES))), "hero", find_card)


def _card(number: int) -> Card:
    hero, sentence, steps = HEROES[number], hero_sentence(number), step_words(number)
    shown = {"faction": hero_faction(number), "deck": "retail" if hero.advanced else "beginner"}
    program = [f"    {word}" for word in steps or ["(no steps)"]]
    return Card(
        hero.name,
        sentence,
        row={"hero": hero.name, **shown, "ability": sentence},
        page="\n".join([hero_title(number), "", sentence, "", *program, "", *hero_rulings(number)]),
        facts={
            "name": hero.name,
            "code": hero.code,
            **shown,
            "sentence": sentence,
            "steps": steps,
            "rulings": {f"R{ruling}": RULINGS[ruling] for ruling in hero.rulings},
        },
        factions=tuple(name for faction, name in FACTION_NAMES.items() if faction & hero.faction),
        decks=("retail",) if hero.advanced else ("retail", "beginner"),
        verbs=tuple(step.verb for step in hero.steps),
    )
