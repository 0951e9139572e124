"""`arena cards`: the cards of a game, listed, searched, or one of them in full."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

import click
from tabulate import tabulate

from arena.cli.options import game_option
from games.catalogue import Card, Catalogue
from games.errors import GameError, did_you_mean
from games.registry import game, game_names

WIDEST = 70
"""Letters of the last column before it is wrapped."""


class WrongUse(click.ClickException):
    """One sentence about what was asked for wrongly."""

    exit_code = 2


@click.command("cards")
@click.argument("name", nargs=-1)
@game_option
@click.option("--faction", help="Only heroes of this faction; the Emperor is of every faction.")
@click.option("--verb", help="Only heroes that do this, for example bury or look.")
@click.option("--search", help="Only cards with this in their name or sentence.")
@click.option("--deck", help="Only heroes of this deck: retail (all) or beginner.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def cards(
    name: tuple[str, ...],
    game_name: str,
    faction: str | None,
    verb: str | None,
    search: str | None,
    deck: str | None,
    as_json: bool,
) -> None:
    """List the cards, or show the one called NAME (its code or part of its name will do).

    The cards of Hidden Leaders are heroes, with factions, decks and verbs to look for; those of
    Secrets are characters.

    \b
    Examples:
      arena cards "Crow Carrier"
      arena cards --faction undead --verb bury
      arena cards --search graveyard --deck beginner
      arena cards --game secrets
      arena cards --game secrets diplomat
    """
    try:
        catalogue = game(game_name).help.catalogue()
        if name:
            shown = _one(catalogue.cards[catalogue.find(" ".join(name))], as_json)
        else:
            found = _of_deck(catalogue, deck)
            found = _of_faction(catalogue, found, faction)
            found = _doing(catalogue, found, verb)
            shown = _many(catalogue, [card for card in found if _says(card, search)], as_json)
    except GameError as error:
        raise WrongUse(f"{error}{_elsewhere(game_name, ' '.join(name))}") from None
    click.echo(shown)


def _elsewhere(asked: str, name: str) -> str:
    """A hint to append to a message: the other game that has a card of that name."""
    for other in game_names():
        with suppress(GameError):
            if name and other != asked:
                catalogue = game(other).help.catalogue()
                found = catalogue.cards[catalogue.find(name)].name
                return f"; {found} is a {catalogue.word} of {game(other).title}: --game {other}"
    return ""


# ---- choosing ---------------------------------------------------------------------------------


def _of_deck(catalogue: Catalogue, deck: str | None) -> list[Card]:
    if deck is None:
        return list(catalogue.cards)
    known = catalogue.all_decks()
    if deck not in known:
        raise _unknown(catalogue, "deck", deck, known)
    return [card for card in catalogue.cards if deck in card.decks]


def _of_faction(catalogue: Catalogue, found: list[Card], faction: str | None) -> list[Card]:
    if faction is None:
        return found
    known = catalogue.all_factions()
    wanted = faction.casefold()
    if wanted not in [name.casefold() for name in known]:
        raise _unknown(catalogue, "faction", faction, known)
    return [card for card in found if wanted in (name.casefold() for name in card.factions)]


def _doing(catalogue: Catalogue, found: list[Card], verb: str | None) -> list[Card]:
    if verb is None:
        return found
    known = catalogue.all_verbs()
    wanted = verb.casefold().replace("_", " ").replace("-", " ")
    if not any(_is_about(wanted, word) for word in known):
        raise _unknown(catalogue, "verb", wanted, known)
    return [card for card in found if any(_is_about(wanted, word) for word in card.verbs)]


def _is_about(wanted: str, verb: str) -> bool:
    """Whether the verb contains the wanted words in full: `bury` fits `random bury`."""
    return f" {wanted} " in f" {verb.replace(':', ' ')} "


def _says(card: Card, search: str | None) -> bool:
    said = f"{card.name} {card.sentence}".casefold()
    return search is None or search.casefold() in said


def _unknown(catalogue: Catalogue, what: str, asked: str, known: Sequence[str]) -> GameError:
    if not known:
        return GameError(f"a {catalogue.word} has no {what} to look for")
    hint = did_you_mean(asked, known)
    return GameError(f"there is no {what} '{asked}' (known: {', '.join(known)}){hint}")


# ---- showing ----------------------------------------------------------------------------------


def _many(catalogue: Catalogue, found: list[Card], as_json: bool) -> str:
    if as_json:
        return json.dumps([card.facts for card in found], indent=2)
    if not found:
        return f"no {catalogue.word} fits"
    headers = list(found[0].row)
    rows = [list(card.row.values()) for card in found]
    widths = [None] * (len(headers) - 1) + [WIDEST]
    return tabulate(rows, headers=headers, maxcolwidths=widths)


def _one(card: Card, as_json: bool) -> str:
    return json.dumps(card.facts, indent=2) if as_json else card.page
