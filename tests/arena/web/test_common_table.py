"""What tables have in common that somebody cannot tell apart."""

from __future__ import annotations

from arena.web.common_table import common_table, with_backs
from games.picture import BACK, TablePicture
from games.registry import game
from tests.support.small_positions import ONE_TURN


def tables(position: str, most: int = 100) -> list[TablePicture]:
    rules = game("hidden-leaders")
    assert rules.positions is not None
    return [
        rules.picture.table(rules, world) for world in rules.positions.read(position).worlds(most)
    ]


HIDDEN = """players 3; threshold 4; deck DoPr RoOr LeLi FlKn ShSo CrCa KeKo; rest harbor
A leader Xiadul hand DoPr open FlKn ShSo hidden ?; B leader ? hand KeKo; C leader Lemron"""


def test_what_differs_is_face_down_and_the_rest_is_shown() -> None:
    worlds = tables(HIDDEN)
    assert len(worlds) > 4
    common = common_table(worlds)
    first, second, third = common["seats"]
    assert [seat["role"] for seat in (first, second, third)] == ["Xiadul", "", "Lemron"]
    rows = {row["name"]: row["cards"] for row in first["rows"]}
    assert rows["hidden"] == [BACK]
    assert BACK not in rows["hand"] + rows["open"]


def test_equal_tables_stay_as_they_are() -> None:
    (table,) = tables(ONE_TURN, 1)
    assert common_table([table, table]) == table


def test_words_that_differ_are_a_question_mark() -> None:
    (table,) = tables(ONE_TURN, 1)
    offers: list[TablePicture] = [
        {**table, "headline": f"on offer: {card}, to B"} for card in ("Double Agent", "Assassin")
    ]
    assert common_table(offers)["headline"] == "on offer: ?, to B"


def test_cards_that_nobody_named_are_turned_down() -> None:
    (table,) = tables(ONE_TURN, 1)
    shown = table["seats"][0]["rows"]
    cards = {card for row in shown for card in row["cards"]}
    hidden = with_backs(table, frozenset(cards))
    assert {card for row in hidden["seats"][0]["rows"] for card in row["cards"]} == {BACK}
