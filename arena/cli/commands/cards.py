"""`arena cards`: lists, filters and explains the cards of a game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import click

from arena.cli.console import format_table, show_json, show_report, wrap_prose
from arena.cli.options import game_option, json_option
from games.catalogue import Catalogue
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
            card = catalogue.cards[catalogue.find(" ".join(name))]
            if as_json:
                show_json("cards", {"game": game_name, "cards": [card.facts]})
            else:
                click.echo(wrap_prose(card.page, indent=6))
            return
        cards = list(catalogue.cards)
        if deck is not None:
            _check_known(catalogue, "deck", deck, catalogue.all_decks())
            cards = [card for card in cards if _among(deck, card.decks)]
        if faction is not None:
            _check_known(catalogue, "faction", faction, catalogue.all_factions())
            cards = [card for card in cards if _among(faction, card.factions)]
        if verb is not None:
            verb = verb.casefold().replace("_", " ").replace("-", " ")
            _check_known(catalogue, "verb", verb, catalogue.all_verbs())
            cards = [card for card in cards if _among(verb, card.verbs)]
    except GameError as error:
        raise GameError(f"{error}{_other_game(game_name, ' '.join(name))}") from None
    wanted = (search or "").casefold()
    cards = [card for card in cards if wanted in f"{card.name} {card.sentence}".casefold()]
    if as_json:
        show_json("cards", {"game": game_name, "cards": [card.facts for card in cards]})
    elif cards:
        rows = [list(card.row.values()) for card in cards]
        show_report(format_table(rows, list(cards[0].row), numbers=True))
    else:
        click.echo(f"no {catalogue.word} matches")


def _other_game(game_name: str, name: str) -> str:
    """A hint to append to a message: the other game that has a card of that name."""
    for other in game_names():
        with suppress(GameError):
            if name and other != game_name:
                catalogue = game(other).help.catalogue()
                card = catalogue.cards[catalogue.find(name)].name
                return f"; {card} is a {catalogue.word} of {game(other).title}: --game {other}"
    return ""


def _among(wanted: str, words: Sequence[str]) -> bool:
    """Whether one of them contains the wanted words in full: `bury` fits `random bury`."""
    return any(
        f" {wanted.casefold()} " in f" {word.casefold().replace(':', ' ')} " for word in words
    )


def _check_known(catalogue: Catalogue, option: str, value: str, known: Sequence[str]) -> None:
    if not known:
        raise GameError(f"a {catalogue.word} has no {option}; drop --{option}")
    if not _among(value, known):
        hint = did_you_mean(value, known)
        raise GameError(f"there is no {option} '{value}' (known: {', '.join(known)}){hint}")
