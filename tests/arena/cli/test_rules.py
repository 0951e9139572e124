"""`arena rules`: an overview, sections and rulings; and what is refused."""

import pytest

from games.registry import game, game_names
from tests.support.command_line import RunArena, check_refusal


@pytest.mark.parametrize("name", game_names())
def test_the_overview_lists_every_section(name: str, arena: RunArena) -> None:
    text = arena("rules", "--game", name).out
    for book in game(name).help.rulebooks:
        for chapter in book.chapters:
            assert f"  {chapter.title}\n" in text


@pytest.mark.parametrize("name", game_names())
def test_all_prints_every_ruling(name: str, arena: RunArena) -> None:
    words = " ".join(arena("rules", "--game", name, "--all").out.split())
    for book in game(name).help.rulebooks:
        assert book.rulings
        for number, ruling in book.rulings.items():
            assert f"{book.letter}{number} {ruling}" in words


def test_sections_by_part_of_their_title_and_rulings_by_number(arena: RunArena) -> None:
    text = arena("rules", "setting", "r12").out
    assert text.startswith("SETTING UP\nR4   Tavern slots")
    assert text.splitlines()[-2].startswith("R12  A player with fewer than four cards")
    assert arena("rules", "--game", "secrets", "Q16").out.startswith("Q16  The end")


def test_an_unknown_section_is_refused_with_those_there_are(arena: RunArena) -> None:
    check_refusal(arena("rules", "chess", code=2), "there is no section 'chess' (there are: What")
    check_refusal(arena("rules", "R999", code=2), "there is no section 'R999'")
