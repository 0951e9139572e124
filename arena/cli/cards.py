"""`arena cards`: lists, filters and explains the cards of a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

import click

from arena.cli.console import format_table
from arena.cli.options import game_option, json_option
from games.catalogue import Card, Catalogue
from games.errors import GameError, did_you_mean
from games.registry import game, game_names


@click.command("cards")
@click.argument("name", nargs=-1)
@game_option
@click.option("--faction", help="Only heroes of this faction; the Emperor belongs to all of them.")
@click.option("--verb", help="Only heroes that do this, for example bury or look.")
@click.option("--search", help="Only cards with this in their name or description.")
@click.option("--deck", help="Only heroes of this deck: retail (all) or beginner.")
@json_option
def cards_command(
    name: tuple[str, ...],
    game_name: str,
    faction: str | None,
    verb: str | None,
    search: str | None,
    deck: str | None,
    as_json: bool,
) -> None:
    """List the cards, or explain one.

    NAME is a card's name, the beginning of it, or its code. The cards of Hidden Leaders are heroes,
    which can be filtered by faction, deck and verb; those of Secrets are characters.

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
            text = _page(catalogue.cards[catalogue.find(" ".join(name))], as_json)
        else:
            cards = _of_deck(catalogue, deck)
            cards = _of_faction(catalogue, cards, faction)
            cards = _with_verb(catalogue, cards, verb)
            text = _list(catalogue, [card for card in cards if _matches(card, search)], as_json)
    except GameError as error:
        raise GameError(f"{error}{_other_game(game_name, ' '.join(name))}") from None
    click.echo(text)


def _other_game(game_name: str, name: str) -> str:
    """A hint to append to a message: the other game that has a card of that name."""
    for other in game_names():
        with suppress(GameError):
            if name and other != game_name:
                catalogue = game(other).help.catalogue()
                card = catalogue.cards[catalogue.find(name)].name
                return f"; {card} is a {catalogue.word} of {game(other).title}: --game {other}"
    return ""


# ---- filters ----------------------------------------------------------------------------------


def _of_deck(catalogue: Catalogue, deck: str | None) -> list[Card]:
    if deck is None:
        return list(catalogue.cards)
    known = catalogue.all_decks()
    if deck not in known:
        raise _unknown(catalogue, "deck", deck, known)
    return [card for card in catalogue.cards if deck in card.decks]


def _of_faction(catalogue: Catalogue, cards: list[Card], faction: str | None) -> list[Card]:
    if faction is None:
        return cards
    known = catalogue.all_factions()
    wanted = faction.casefold()
    if wanted not in [name.casefold() for name in known]:
        raise _unknown(catalogue, "faction", faction, known)
    return [card for card in cards if wanted in (name.casefold() for name in card.factions)]


def _with_verb(catalogue: Catalogue, cards: list[Card], verb: str | None) -> list[Card]:
    if verb is None:
        return cards
    known = catalogue.all_verbs()
    wanted = verb.casefold().replace("_", " ").replace("-", " ")
    if not any(_has_words(wanted, word) for word in known):
        raise _unknown(catalogue, "verb", wanted, known)
    return [card for card in cards if any(_has_words(wanted, word) for word in card.verbs)]


def _has_words(wanted: str, verb: str) -> bool:
    """Whether the verb contains the wanted words in full: `bury` fits `random bury`."""
    return f" {wanted} " in f" {verb.replace(':', ' ')} "


def _matches(card: Card, search: str | None) -> bool:
    return search is None or search.casefold() in f"{card.name} {card.sentence}".casefold()


def _unknown(catalogue: Catalogue, filter_name: str, value: str, known: Sequence[str]) -> GameError:
    if not known:
        return GameError(f"a {catalogue.word} has no {filter_name}; drop --{filter_name}")
    hint = did_you_mean(value, known)
    return GameError(f"there is no {filter_name} '{value}' (known: {', '.join(known)}){hint}")


# ---- output -----------------------------------------------------------------------------------


def _list(catalogue: Catalogue, cards: list[Card], as_json: bool) -> str:
    if as_json:
        return json.dumps([card.facts for card in cards], indent=2)
    if not cards:
        return f"no {catalogue.word} matches"
    return format_table(
        [list(card.row.values()) for card in cards], list(cards[0].row), numbers=True
    )


def _page(card: Card, as_json: bool) -> str:
    return json.dumps(card.facts, indent=2) if as_json else card.page
