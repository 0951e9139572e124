"""A saved game as the data of its page: every table and every move, for each pair of eyes.

Tables of one view are stored as differences: each frame holds only what has changed since the one
before. What a seat may see is built from the events it received and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.match.game_view import GameView, seat_names
from games.errors import GameError
from games.registry import Game
from games.replay import Note, Replay
from games.seats import seat_name
from games.state import CHANCE, State

EVERYTHING = -1
"""The view that sees all cards."""


def game_data(
    replay: Replay, where: str, fault: str = "", seat: int | None = None
) -> dict[str, object]:
    """All views of the game; only the view of one seat if it is given."""
    if seat is not None and not 0 <= seat < replay.players:
        raise GameError(
            f"there is no seat {seat_name(seat)}; the game has {replay.players} players"
        )
    seats = [EVERYTHING, *range(replay.players)] if seat is None else [seat]
    shown = {each: GameView(replay, None if each == EVERYTHING else each) for each in seats}
    first = shown[seats[0]]
    tables = dict(zip(seats, _tables(replay, seats), strict=True))
    return {
        "title": first.rules.title,
        "where": where,
        "roleWord": first.rules.role_word,
        "seats": [
            {"letter": seat_name(each), "name": name}
            for each, name in enumerate(seat_names(replay))
        ],
        "faces": first.rules.picture.faces(),
        "result": first.result(fault),
        "views": [
            {
                "seat": each,
                "frames": list(differences(tables[each])),
                "moves": list(_moves(shown[each])),
            }
            for each in seats
        ],
    }


def _tables(replay: Replay, seats: Sequence[int]) -> list[list[object]]:
    """For each view, the tables at every decision and at the end."""
    rules = GameView(replay).rules
    state = replay.new(record=True)
    views = {seat: replay.view(seat) for seat in seats if seat != EVERYTHING}
    tables: list[list[object]] = [[] for _ in seats]
    for ply in range(len(replay.moves) + 1):
        last = ply == len(replay.moves)
        for seat, view in views.items():
            for event in state.take_events(seat):
                view.observe(event)
        if state.actor != CHANCE or last:
            for kept, seat in zip(tables, seats, strict=True):
                known = state if seat == EVERYTHING else views[seat].known_table()
                kept.append(rules.picture.table(rules, known))
        if not last:
            state.play(replay.moves[ply])
    return tables


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
