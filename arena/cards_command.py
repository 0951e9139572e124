"""`arena cards`: the heroes of the box, listed, searched, or one of them in full."""

from __future__ import annotations

import json
from typing import Final

import click
from tabulate import tabulate

from games.errors import GameError, did_you_mean
from games.hidden_leaders.cards import BEGINNER, HEROES, RETAIL
from games.hidden_leaders.guide import hero_faction, hero_rulings, hero_title
from games.hidden_leaders.rulings import RULINGS
from games.hidden_leaders.sentences import hero_sentence, step_words
from games.hidden_leaders.text import find_card
from games.hidden_leaders.words import FACTION_NAMES

_FACTIONS: Final = {name.casefold(): faction for faction, name in FACTION_NAMES.items()}
_DECKS: Final = {"retail": RETAIL, "beginner": BEGINNER}


class WrongUse(click.ClickException):
    """One sentence about what was asked for wrongly."""

    exit_code = 2


@click.command("cards")
@click.argument("name", nargs=-1)
@click.option("--faction", help="Only heroes of this faction; the Emperor is of every faction.")
@click.option("--verb", help="Only heroes that do this, for example bury or look.")
@click.option("--search", help="Only heroes with this in their name or sentence.")
@click.option(
    "--deck",
    type=click.Choice(list(_DECKS)),
    default="retail",
    show_default=True,
    help="Only heroes of this deck.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def cards(
    name: tuple[str, ...],
    faction: str | None,
    verb: str | None,
    search: str | None,
    deck: str,
    as_json: bool,
) -> None:
    """List the heroes, or show the one called NAME (its code or part of its name will do)."""
    try:
        if name:
            shown = _one_hero(" ".join(name), as_json)
        else:
            found = [card for card in _DECKS[deck] if _fits(card, faction, verb, search)]
            shown = _many_heroes(found, as_json)
    except GameError as error:
        raise WrongUse(str(error)) from None
    click.echo(shown)


# ---- choosing ---------------------------------------------------------------------------------


def _fits(card: int, faction: str | None, verb: str | None, search: str | None) -> bool:
    hero = HEROES[card]
    if faction is not None and not hero.faction & _faction(faction):
        return False
    if verb is not None and not _does(card, verb):
        return False
    said = f"{hero.name} {hero_sentence(card)}".casefold()
    return search is None or search.casefold() in said


def _faction(name: str) -> int:
    if name.casefold() not in _FACTIONS:
        known = ", ".join(FACTION_NAMES.values())
        hint = did_you_mean(name, FACTION_NAMES.values())
        raise GameError(f"there is no faction '{name}' (known: {known}){hint}")
    return _FACTIONS[name.casefold()]


def _does(card: int, verb: str) -> bool:
    known = sorted({step.verb for hero in HEROES for step in hero.steps})
    wanted = verb.casefold().replace("_", " ").replace("-", " ")
    if not any(_is_about(wanted, word) for word in known):
        hint = did_you_mean(wanted, known)
        raise GameError(f"no hero has the verb '{verb}' (known: {', '.join(known)}){hint}")
    return any(_is_about(wanted, step.verb) for step in HEROES[card].steps)


def _is_about(wanted: str, verb: str) -> bool:
    """Whether the verb contains the wanted words in full: `bury` fits `random bury`."""
    return f" {wanted} " in f" {verb.replace(':', ' ')} "


# ---- showing ----------------------------------------------------------------------------------


def _deck_text(card: int) -> str:
    return "retail" if HEROES[card].advanced else "beginner"


def _many_heroes(found: list[int], as_json: bool) -> str:
    if as_json:
        return json.dumps([_facts(card) for card in found], indent=2)
    if not found:
        return "no hero fits"
    rows = [
        (HEROES[card].name, hero_faction(card), _deck_text(card), hero_sentence(card))
        for card in found
    ]
    headers = ("hero", "faction", "deck", "ability")
    return tabulate(rows, headers=headers, maxcolwidths=[None, None, None, 70])


def _one_hero(name: str, as_json: bool) -> str:
    card = find_card(name)
    if as_json:
        return json.dumps(_facts(card), indent=2)
    lines = [
        hero_title(card),
        "",
        hero_sentence(card),
        "",
        *(f"    {word}" for word in step_words(card) or ["(no steps)"]),
        "",
        *hero_rulings(card),
    ]
    return "\n".join(lines)


def _facts(card: int) -> dict[str, object]:
    hero = HEROES[card]
    return {
        "name": hero.name,
        "code": hero.code,
        "faction": hero_faction(card),
        "deck": _deck_text(card),
        "sentence": hero_sentence(card),
        "steps": step_words(card),
        "rulings": {f"R{number}": RULINGS[number] for number in hero.rulings},
    }
