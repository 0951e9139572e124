"""`arena cards` lists, filters and explains cards, and says plainly what it cannot find."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from arena.cli.cards import cards
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.text.rulings import CHAPTERS, RULINGS, rules_page
from games.secrets.constants import CHARACTER_NAMES


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cards, arguments)


def names(*arguments: str) -> list[str]:
    result = run("--json", *arguments)
    assert result.exit_code == 0, result.output
    return [hero["name"] for hero in json.loads(result.output)]


def test_the_list_has_every_hero() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.output.startswith("hero")
    for hero in HEROES:
        assert hero.name in result.output
    assert len(names()) == 77


def test_filters() -> None:
    assert len(names("--deck", "beginner")) == 53
    undead = names("--faction", "undead")
    assert len(undead) == 20
    assert "Buried Emperor" in undead
    assert "Gorgeous Gorgon" in names("--verb", "bury")
    assert names("--verb", "move_elsewhere") == ["Goblin Cryptographer"]
    assert names("--verb", "turn-over", "--search", "loner") == ["Long-Eared Loner"]
    assert names("--search", "GRAVEYARD", "--faction", "Water") == ["Miniature Merman"]
    assert run("--search", "nothing at all").output == "no hero fits\n"


def test_one_hero_in_full() -> None:
    result = run("Crow Carrier")
    assert result.exit_code == 0
    assert result.output.startswith("Crow Carrier (CrCa), Undead, also in the beginner deck\n")
    assert '    draw(2, "graveyard")\n' in result.output
    assert f"R125  {RULINGS[125]}" in result.output
    assert run("crow", "carrier").output == result.output
    assert run("crca").output == result.output
    assert json.loads(run("--json", "crca").output)["faction"] == "Undead"
    assert "(no steps)" in run("Emperor").output


def test_the_characters_of_secrets_are_listed_searched_and_shown() -> None:
    secrets = ("--game", "secrets")
    assert names(*secrets) == list(CHARACTER_NAMES)
    assert names(*secrets, "--search", "centre") == [
        "Double Agent",
        "Psychiatrist",
        *CHARACTER_NAMES[3:7:3],
    ]
    assert run(*secrets).output.startswith("character")
    page = run(*secrets, "double", "agent").output
    assert page.startswith("Double Agent, +2\nS16  ")
    assert page.endswith("\n3 of them are in the deck.\n")
    told = json.loads(run(*secrets, "--json", "assassin").output)
    assert (told["value"], told["copies"], list(told["rulings"])) == (0, 4, ["S23", "S25"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scientist"], "Scientist is a character of Secrets: --game secrets"),
        (["Crow Carier"], "Error: there is no hero 'Crow Carier'; did you mean 'Crow Carrier'?"),
        (["curious"], "Error: 'curious' could be 'Curious Troll' or 'Curious Cat Lover'"),
        (["--faction", "pirates"], "Error: there is no faction 'pirates' (known: Empire, Tribes"),
        (["--verb", "burry"], "; did you mean 'bury'"),
        (["--deck", "promo"], "Error: there is no deck 'promo' (known: beginner, retail)"),
        (["--game", "secrets", "--verb", "bury"], "Error: a character has no verb to look for"),
        (["--game", "secrets", "diplomate"], "did you mean 'Diplomat'?"),
        (["--game", "poker"], "Invalid value for '--game'"),
    ],
)
def test_mistakes_end_with_one_sentence_and_code_2(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


def test_every_ruling_has_its_line_on_the_page() -> None:
    expected = [*range(1, 97), *range(101, 148)]
    assert sorted(RULINGS) == expected
    assert sorted(number for chapter in CHAPTERS for number in chapter.numbers) == expected
    on_page = re.findall(r"^\*\*R(\d+)\*\* \S", rules_page(), flags=re.MULTILINE)
    assert [int(number) for number in on_page] == expected


def test_every_ruling_a_hero_cites_exists() -> None:
    for hero in HEROES:
        assert set(hero.rulings) <= set(RULINGS), hero.name
