"""Tables as data: plain JSON, nothing revealed, and choices that point at the table."""

import json

import pytest
from hypothesis import given

from games.forms.picture import BACK, GAP
from games.registry import game, game_names
from games.state import CHANCE, NOBODY, State
from games.view import View
from tests.support.cases import EVERY_GAME, FEW, Case, Table


@pytest.mark.slow
@FEW
@given(EVERY_GAME)
def test_tables_are_plain_data_about_every_seat(case: Case) -> None:
    table = Table[State, View](case)
    rules = case.rules
    faces = rules.picture.faces()
    for step, _ in enumerate(case.play(table.state)):
        state = table.state
        if state.actor == CHANCE or step % 29:
            continue
        table.fold()
        for known in (state, *(view.known_table() for view in table.views)):
            picture = rules.picture.table(rules, known)
            assert json.loads(json.dumps(picture)).keys() == picture.keys()
            assert len(picture["seats"]) == case.players
            assert picture["decides"] == (state.actor if state.actor >= 0 else NOBODY)
            rows = [row["cards"] for seat in picture["seats"] for row in seat["rows"]]
            rows += [pile["cards"] for pile in picture["piles"]]
            assert all(GAP <= card < len(faces["cards"]) for row in rows for card in row)
            assert all(seat["role"] in ("", *faces["roles"]) for seat in picture["seats"])
        truth = rules.picture.table(rules, state)
        assert [seat["role"] for seat in truth["seats"]] == list(rules.roles(state))


@FEW
@given(EVERY_GAME)
def test_a_seat_sees_backs_where_it_knows_nothing(case: Case) -> None:
    """Every card in a seat's picture lies there in the true picture too."""
    table = Table[State, View](case)
    rules = case.rules
    for step, _ in enumerate(case.play(table.state)):
        if table.state.actor in (CHANCE, NOBODY) or step % 19:
            continue
        table.fold()
        truth = rules.picture.table(rules, table.state)
        for view in table.views:
            seen = rules.picture.table(rules, view.known_table())
            for seat, true_seat in zip(seen["seats"], truth["seats"], strict=True):
                assert seat["role"] in ("", true_seat["role"])
                for row, true_row in zip(seat["rows"], true_seat["rows"], strict=True):
                    assert len(row["cards"]) == len(true_row["cards"])
                    known = [card for card in row["cards"] if card != BACK]
                    assert all(known.count(c) <= true_row["cards"].count(c) for c in known)


@pytest.mark.slow
@FEW
@given(EVERY_GAME)
def test_choices_name_every_legal_move_and_what_it_touches(case: Case) -> None:
    table = Table[State, View](case)
    rules = case.rules
    names = [face["name"] for face in rules.picture.faces()["cards"]]
    for _ in case.play(table.state):
        if table.state.actor < 0:
            continue
        table.fold()
        view = table.views[table.state.actor]
        choices = rules.picture.choices(rules, view.known_table(), view.moves)
        assert [choice["move"] for choice in choices] == table.state.moves()
        for choice in choices:
            assert choice["text"] == rules.text.move(table.state, choice["move"])
            assert all(names[card] in choice["text"] for card in choice["cards"])
            assert all(0 <= seat < case.players for seat in choice["seats"])


@pytest.mark.parametrize("name", game_names())
def test_every_face_has_a_text_and_every_kind_a_sign(name: str) -> None:
    faces = game(name).picture.faces()
    assert all(face["name"] and face["text"] for face in faces["cards"])
    assert all(kind["sign"].startswith("M") and 0 <= kind["hue"] < 360 for kind in faces["kinds"])
    assert set(faces["roles"]) == set(game(name).role_names)
    kinds = range(len(faces["kinds"]))
    assert all(kind in kinds for face in faces["cards"] for kind in face["kinds"])
