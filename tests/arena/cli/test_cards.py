"""`arena cards` lists, filters and explains cards."""

from __future__ import annotations

import json
import re

from games.hidden_leaders.rules.cards import BEGINNER, HEROES
from games.hidden_leaders.rules.constants import UNDEAD
from games.hidden_leaders.text.rulings import CHAPTERS, RULINGS, rules_page
from games.secrets.constants import CHARACTER_NAMES
from tests.support.command_line import RunArena


def names(arena: RunArena, *arguments: str) -> list[str]:
    return [card["name"] for card in json.loads(arena("cards", "--json", *arguments).out)["cards"]]


def test_the_list_has_every_hero_and_fits_80_columns(arena: RunArena) -> None:
    outcome = arena("cards")
    assert outcome.out.startswith("hero")
    assert max(map(len, outcome.lines)) <= 80
    for hero in HEROES:
        assert hero.name in outcome.out
    assert len(names(arena)) == len(HEROES)


def test_heroes_are_filtered_by_deck_faction_verb_and_text(arena: RunArena) -> None:
    assert len(names(arena, "--deck", "beginner")) == len(BEGINNER)
    undead = names(arena, "--faction", "undead")
    assert sorted(undead) == sorted(hero.name for hero in HEROES if hero.faction & UNDEAD)
    assert "Buried Emperor" in undead
    assert "Gorgeous Gorgon" in names(arena, "--verb", "bury")
    assert names(arena, "--verb", "move_elsewhere") == ["Goblin Cryptographer"]
    assert names(arena, "--verb", "turn-over", "--search", "loner") == ["Long-Eared Loner"]
    assert names(arena, "--search", "GRAVEYARD", "--faction", "Water") == ["Miniature Merman"]
    assert arena("cards", "--search", "nothing at all").out == "no hero matches\n"


def test_one_hero_in_full(arena: RunArena) -> None:
    page = arena("cards", "Crow Carrier").out
    assert page.startswith("Crow Carrier (CrCa), Undead, also in the beginner deck\n")
    assert '    draw(2, "graveyard")\n' in page
    assert f"R125 {RULINGS[125]}" in " ".join(page.split())
    assert arena("cards", "crow", "carrier").out == page
    assert arena("cards", "crca").out == page
    assert json.loads(arena("cards", "--json", "crca").out)["cards"][0]["faction"] == "Undead"
    assert "(no steps)" in arena("cards", "Emperor").out


def test_the_characters_of_secrets_are_listed_searched_and_shown(arena: RunArena) -> None:
    secrets = ("--game", "secrets")
    assert names(arena, *secrets) == list(CHARACTER_NAMES)
    found = names(arena, *secrets, "--search", "centre")
    assert found == ["Double Agent", "Psychiatrist", *CHARACTER_NAMES[3:7:3]]
    assert arena("cards", *secrets).out.startswith("character")
    page = arena("cards", *secrets, "double", "agent").out
    assert page.startswith("Double Agent, +2\nS16  ")
    assert page.endswith("\n3 of them are in the deck.\n")
    (facts,) = json.loads(arena("cards", *secrets, "--json", "assassin").out)["cards"]
    assert (facts["value"], facts["copies"], list(facts["rulings"])) == (0, 4, ["S23", "S25"])


def test_every_ruling_has_its_line_on_the_page() -> None:
    expected = [*range(1, 97), *range(101, 148)]
    assert sorted(RULINGS) == expected
    assert sorted(number for chapter in CHAPTERS for number in chapter.numbers) == expected
    on_page = re.findall(r"^\*\*R(\d+)\*\* \S", rules_page(), flags=re.MULTILINE)
    assert [int(number) for number in on_page] == expected


def test_every_ruling_a_hero_cites_exists() -> None:
    for hero in HEROES:
        assert set(hero.rulings) <= set(RULINGS), hero.name
