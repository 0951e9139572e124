"""The characters of Secrets, for people to look up."""

from __future__ import annotations

from games.catalogue import Card, Catalogue
from games.secrets.constants import CHARACTER_NAMES, COPIES, VALUES, Character
from games.secrets.guide import describe
from games.secrets.moves import find_character
from games.secrets.rulings import BY_CHARACTER, RULES


def catalogue() -> Catalogue:
    cards = tuple(_card(character) for character in range(Character.COUNT))
    return Catalogue(cards, "character", find_character)


def _card(character: int) -> Card:
    name, value, copies = CHARACTER_NAMES[character], VALUES[character], COPIES[character]
    rulings = {f"S{number}": RULES.rulings[number] for number in BY_CHARACTER[character]}
    effect = RULES.rulings[BY_CHARACTER[character][0]].removeprefix(f"{name}: ")
    effect = effect[0].upper() + effect[1:]
    return Card(
        name,
        effect,
        row={"character": name, "value": value, "copies": copies, "effect": effect},
        page=f"{describe(name)}\n\n{copies} of them are in the deck.",
        facts={"name": name, "value": value, "copies": copies, "rulings": rulings},
    )
