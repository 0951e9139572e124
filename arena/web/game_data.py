"""A saved game as the data of its page: every table and every move, for each pair of eyes.

Tables of one view are stored as differences: each frame holds only what has changed since the one
before. What a seat may see is built from the events it received and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arena.match.game_view import SPECTATOR, GameView, public_events, seat_names
from arena.web.review_marks import ReviewMarks
from games.errors import GameError
from games.forms.picture import Face, Faces
from games.registry import Game, game
from games.replay import Note, Replay
from games.seats import seat_name
from games.state import CHANCE, PackedState, State
from games.view import EventTuple, View

EVERYTHING: Final = -1
"""The view that sees all cards."""
PUBLIC: Final = -2
"""The view of a spectator, who sees what lies open to everybody."""


def game_data(
    replay: Replay,
    where: str,
    fault: str = "",
    seat: int | None = None,
    review: ReviewMarks | None = None,
) -> dict[str, object]:
    """All views of the game; only the view of one seat if it is given."""
    if seat is not None and not 0 <= seat < replay.players:
        raise GameError(
            f"there is no seat {seat_name(seat)}; the game has {replay.players} players"
        )
    views = all_views(replay) if seat is None else [seat]
    data = game_views(replay, where, fault, views)
    faces = game(replay.game).picture.faces()
    data["faces"] = faces if seat is None else {**faces, "cards": _seen_cards(faces, data)}
    if review is not None:
        data["review"] = review
    return data


def all_views(replay: Replay) -> list[int]:
    """Everybody's eyes: all cards, each seat, and a spectator where it is known what is public."""
    public = not replay.position and isinstance(replay.new(), PackedState)
    return [EVERYTHING, *range(replay.players), *([PUBLIC] if public else [])]


def game_views(replay: Replay, where: str, fault: str, views: Sequence[int]) -> dict[str, object]:
    """Everything about the game but the faces of its cards, through these eyes."""
    shown = {each: GameView(replay, _SEATS.get(each, each)) for each in views}
    first = shown[views[0]]
    tables = dict(zip(views, _tables(replay, views), strict=True))
    return {
        "title": first.rules.title,
        "where": where,
        "roleWord": first.rules.role_word,
        "seats": [
            {"letter": seat_name(each), "name": name}
            for each, name in enumerate(seat_names(replay))
        ],
        "result": first.result(fault),
        "views": [
            {
                "seat": each,
                "frames": list(differences(tables[each])),
                "moves": list(_moves(shown[each])),
            }
            for each in views
        ],
    }


_SEATS: Final[dict[int, int | None]] = {EVERYTHING: None, PUBLIC: SPECTATOR}
"""What `GameView` calls the eyes that are not those of a seat."""


def _tables(replay: Replay, seats: Sequence[int]) -> list[list[object]]:
    """For each view, the tables at every decision and at the end."""
    rules = game(replay.game)
    state = replay.new(record=True)
    views = {seat: _view(replay, seat) for seat in seats if seat != EVERYTHING}
    read = 0
    tables: list[list[object]] = [[] for _ in seats]
    for ply in range(len(replay.moves) + 1):
        last = ply == len(replay.moves)
        for seat, view in views.items():
            for event in _events(state, seat, read):
                view.observe(event)
        if isinstance(state, PackedState):
            read = len(state.events)
        if state.actor != CHANCE or last:
            for kept, seat in zip(tables, seats, strict=True):
                known = state if seat == EVERYTHING else views[seat].known_table()
                kept.append(rules.picture.table(rules, known))
        if not last:
            state.play(replay.moves[ply])
    return tables


def _view(replay: Replay, seat: int) -> View:
    if seat != PUBLIC:
        return replay.view(seat)
    return game(replay.game).view(SPECTATOR, replay.players, **replay.options)


def _events(state: State, seat: int, read: int) -> list[EventTuple]:
    if seat != PUBLIC:
        return state.take_events(seat)
    assert isinstance(state, PackedState)
    return public_events(state, read)


def _seen_cards(faces: Faces, data: object) -> list[Face | None]:
    """The cards that lie open on some table; nothing in place of the others."""
    seen = set(_card_numbers(data))
    return [face if number in seen else None for number, face in enumerate(faces["cards"])]


def _card_numbers(data: object) -> Iterator[int]:
    """All cards of tables or differences between tables."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == "cards" and isinstance(value, list):
                yield from (card for card in value if isinstance(card, int))
            else:
                yield from _card_numbers(value)
    elif isinstance(data, list):
        for each in data:
            yield from _card_numbers(each)


def _moves(shown: GameView) -> Iterator[object]:
    """The moves in words; a player's comments only for those who see everything."""
    replay, rules = shown.replay, shown.rules
    state, number = replay.new(), 0
    for ply, move in enumerate(replay.moves):
        if state.actor != CHANCE:
            entry = shown.moves[number]
            number += 1
            data: dict[str, object] = {"seat": state.actor, "turn": entry.turn, "text": entry.text}
            if entry.news:
                data["news"] = entry.news
            if shown.seat is None:
                data |= _comment(rules, state, replay.notes.get(ply, Note()))
                if (seconds := replay.seconds.get(ply)) is not None:
                    data["seconds"] = round(seconds, 4)
            yield data
        state.play(move)


def _comment(rules: Game, state: State, note: Note) -> dict[str, object]:
    comment: dict[str, object] = {}
    if note.reason:
        comment["reason"] = note.reason
    if note.belief:
        comment["belief"] = {
            key: odds
            if isinstance(odds, float | int)
            else {role: p for role, p in odds.items() if p}
            for key, odds in note.belief.items()
        }
    legal = set(state.moves())
    considered = [each for each in note.candidates if each.move in legal]
    if considered:
        comment["candidates"] = [
            [rules.text.move(state, each.move), each.visits, round(each.value, 4)]
            for each in considered
        ]
    return comment


# ---- differences ------------------------------------------------------------------------------


def differences(tables: Sequence[object]) -> Iterator[object]:
    """The first table, then for each of the others what is different from the one before."""
    before: object = None
    for table in tables:
        yield table if before is None else _difference(before, table)
        before = table


def _difference(before: object, after: object) -> object:
    """What has changed: of an object its changed members, of a list those elements by index.

    A list of another length, or of plain values, is given whole.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return {
            key: _difference(before.get(key), value)
            for key, value in after.items()
            if before.get(key) != value
        }
    if _is_list_of_objects(before) and _is_list_of_objects(after):
        assert isinstance(before, list)
        assert isinstance(after, list)
        if len(before) == len(after):
            pairs = enumerate(zip(before, after, strict=True))
            return {str(i): _difference(old, new) for i, (old, new) in pairs if old != new}
    return after


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
