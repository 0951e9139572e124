"""Replays reproduce the game exactly, and damaged ones are refused with the reason."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest

from games.errors import BadReplay, GameError
from games.hidden_leaders.rules.constants import Event, Zone
from games.registry import game, game_names
from games.replay import Belief, ConsideredMove, Note, Replay, read_replay, redact, write_replay
from games.state import UNSEEN
from tests.support.paths import ROOT
from tests.support.playing import random_replay


@cache
def played(players: int = 3) -> Replay:
    return random_replay(players, 4)


def text() -> str:
    return write_replay(played())


def lines() -> list[dict[str, object]]:
    return [json.loads(line) for line in text().splitlines()]


def put(at: int, **changes: object) -> str:
    """The replay with fields of one line changed."""
    changed = lines()
    changed[at].update(changes)
    return "".join(json.dumps(line) + "\n" for line in changed)


# ---- whole replays ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_replay_reproduces_the_game(players: int) -> None:
    replay = played(players)
    again = read_replay(write_replay(replay))
    assert again == replay
    assert again.state().key() == replay.state().key()
    assert again.state().winners() == replay.state().winners()
    assert again.state(10).key() == replay.state(10).key()


def test_options_are_kept() -> None:
    options: dict[str, object] = {"deck": "beginner", "first": 1, "threshold": 3, "rounds": 5}
    state = game("hidden-leaders").new(2, **options)
    replay = Replay("hidden-leaders", 2, (state.moves()[0],), options)
    assert read_replay(write_replay(replay)) == replay


def test_comments_of_players_are_kept() -> None:
    notes = {18: Note("for luck \N{SNOWMAN}"), 20: Note("", {"B is Cyra": 0.25, "not": 1})}
    replay = replace(played(), notes=notes)
    written = write_replay(replay)
    assert read_replay(written) == replay
    stored = [json.loads(line) for line in written.splitlines()]
    assert stored[19]["reason"] == "for luck \N{SNOWMAN}"
    assert stored[21]["belief"] == {"B is Cyra": 0.25, "not": 1}
    assert all(not {"reason", "belief"} & set(stored[at]) for at in (1, 18, 20, 22))


def test_candidates_whole_beliefs_and_times_are_kept() -> None:
    belief: Belief = {"B": {"Cyra": 0.25, "Pavyr": 0.75}, "A wins": 0.5}
    note = Note("", belief, (ConsideredMove(7, 90, 0.5113), ConsideredMove(3, 0, -2.5)))
    replay = replace(played(), notes={20: note}, seconds={18: 0.25, 20: 0.000012})
    written = write_replay(replay)
    again = read_replay(written)
    assert again == replay
    assert again.seconds == replay.seconds
    assert write_replay(again) == written
    stored = [json.loads(line) for line in written.splitlines()]
    assert stored[19]["seconds"] == 0.25
    assert stored[21]["seconds"] == 0.000012
    assert stored[21]["candidates"] == [[7, 90, 0.5113], [3, 0, -2.5]]
    assert stored[21]["belief"] == belief


def test_the_time_a_player_took_does_not_make_another_game() -> None:
    assert replace(played(), seconds={18: 1.0}) == replace(played(), seconds={18: 2.0})


def test_files_of_version_1_are_read() -> None:
    text = (ROOT / "tests/games/golden/version-1.jsonl").read_text(encoding="utf-8")
    replay = read_replay(text)
    assert len(replay.moves) == 40
    assert replay.notes[24] == Note("for luck \N{SNOWMAN}")
    assert replay.notes[26] == Note("", {"B is Cyra": 0.25, "not": 1})
    assert replay.seconds == {}
    newer = write_replay(replay)
    assert read_replay(newer) == replay
    assert newer.splitlines()[1:-1] == text.splitlines()[1:-1]
    with pytest.raises(BadReplay, match="digest"):
        read_replay(text.replace("for luck", "for fun"))


def test_changed_comments_break_the_digest() -> None:
    written = write_replay(replace(played(), notes={18: Note("for luck", {"win": 0.5})}))
    for damaged in (
        written.replace("for luck", "for fun"),
        written.replace("0.5", "0.6"),
        written.replace(', "reason": "for luck"', ""),
    ):
        with pytest.raises(BadReplay, match="digest"):
            read_replay(damaged)


def test_the_lines_are_readable() -> None:
    first, *moves, last = lines()
    assert first == {
        "format": "arena-replay",
        "version": 2,
        "game": "hidden-leaders",
        "rules": 1,
        "players": 3,
        "options": {},
        "seed": 4,
    }
    assert set(moves[0]) == {"actor", "move", "text"}
    assert moves[0]["actor"] == "chance"
    assert str(moves[0]["text"]).startswith("leader ")
    assert {"A", "B", "C", "chance"} == {move["actor"] for move in moves}
    result = last["result"]
    assert isinstance(result, dict)
    assert result["over"] is True
    assert result["moves"] == len(moves)


def test_the_turn_limit_is_flagged_and_older_files_without_the_flag_are_read() -> None:
    stopped = random_replay(2, 1, rounds=1)
    written = write_replay(stopped)
    result = json.loads(written.splitlines()[-1])["result"]
    assert result == {"over": True, "winners": [], "moves": len(stopped.moves), "turn_limit": True}
    older = written.replace(', "turn_limit": true', "")
    assert read_replay(older) == read_replay(written) == stopped
    assert "turn_limit" not in json.loads(text().splitlines()[-1])["result"]
    forged = text().replace('"moves": ', '"turn_limit": true, "moves": ')
    assert "result is " in fault(forged)


def test_an_unfinished_game_is_a_valid_replay() -> None:
    replay = replace(played(), moves=played().moves[:50])
    assert read_replay(write_replay(replay)) == replay
    assert '"over": false' in write_replay(replay)


def test_illegal_moves_are_not_written() -> None:
    with pytest.raises(BadReplay, match="move 1 of the replay, 5, is not legal"):
        write_replay(Replay("hidden-leaders", 2, (5,)))


# ---- damaged replays --------------------------------------------------------------------------


def fault(damaged: str) -> str:
    with pytest.raises(BadReplay) as caught:
        read_replay(damaged)
    return str(caught.value)


def test_truncated_files() -> None:
    whole = text()
    count = len(whole.splitlines())
    without_end = "".join(whole.splitlines(keepends=True)[:-1])
    assert fault(without_end).startswith(
        f"line {count}: the replay is cut short: the file ends here, but a move or the end"
    )
    cut = f"line {count}: the replay is cut short: half a line"
    assert fault(whole[:-30]).startswith(cut)
    nothing = "line 1: the replay is cut short: the file ends here, but a header was expected"
    assert fault("") == nothing
    assert fault("\n").startswith("line 1: this is not JSON")
    assert fault(whole[:-1]).startswith(cut)


def test_something_after_the_end() -> None:
    count = len(text().splitlines())
    assert fault(text() + "{}\n").startswith(f"line {count + 1}: something follows the end line")
    assert fault(text() + "{").startswith(f"line {count + 1}: something follows the end line")


@pytest.mark.parametrize(
    ("at", "changes", "problem"),
    [
        (0, {"format": "pgn"}, "line 1: format is 'pgn', 'arena-replay' was expected"),
        (0, {"version": 3}, "line 1: version is 3, 1 or 2 was expected"),
        (0, {"version": True}, "line 1: version is True, 1 or 2 was expected"),
        (0, {"rules": 7}, "line 1: rules is 7, 1 was expected"),
        (0, {"game": "hiden-leaders"}, "did you mean 'hidden-leaders'?"),
        (0, {"game": 3}, "line 1: the game's name was expected"),
        (0, {"players": 9}, "line 1: Hidden Leaders is for 2 to 6 players, not 9"),
        (0, {"players": "3"}, "line 1: a number was expected under 'players'"),
        (0, {"options": []}, "line 1: an object was expected under 'options'"),
        (0, {"options": {"dekc": 1}}, "line 1: Hidden Leaders has no option 'dekc' (known: deck"),
        (0, {"seed": 5}, "digest is"),
        (40, {"move": 700}, "line 41: move 700 is not legal, one of ["),
        (40, {"move": "1"}, "line 41: move '1' is not legal"),
        (40, {"actor": "F"}, "line 41: actor is 'F', "),
        (40, {"text": "play nothing"}, "digest is"),
        (40, {"reason": 42}, "line 41: reason is 42, text was expected"),
        (40, {"belief": ["B"]}, "line 41: belief is ['B'], an object of numbers was expected"),
        (40, {"belief": {"B": "x"}}, "line 41: belief is {'B': 'x'}, an object of numbers was"),
        (40, {"belief": {"B": True}}, "line 41: belief is {'B': True}, an object of numbers was"),
        (40, {"belief": {"B": {"Cyra": "x"}}}, "line 41: belief is {'B': {'Cyra': 'x'}}, an obj"),
        (40, {"belief": {"B": float("nan")}}, "line 41: belief is {'B': nan}, an object of num"),
        (40, {"candidates": 5}, "line 41: a candidate is 5, [move, visits, value] was expected"),
        (40, {"candidates": [[1, 2]]}, "line 41: a candidate is [1, 2], [move, visits, value]"),
        (40, {"candidates": [[1, 2, float("inf")]]}, "line 41: a candidate is [1, 2, inf], ["),
        (40, {"candidates": [[1, 2, True]]}, "line 41: a candidate is [1, 2, True], [move, vi"),
        (40, {"seconds": -1}, "line 41: seconds is -1, a number from 0 on was expected"),
        (40, {"seconds": "1"}, "line 41: seconds is '1', a number from 0 on was expected"),
    ],
)
def test_bad_lines(at: int, changes: dict[str, object], problem: str) -> None:
    """The header (0) and a move (40) with other fields."""
    assert problem in fault(put(at, **changes))


def test_bad_ends() -> None:
    count = len(text().splitlines())
    assert fault(put(-1, digest="0" * 64)).startswith(f"line {count}: digest is '000")
    other_end = put(-1, result={"over": True, "winners": ["F"], "moves": 1})
    assert fault(other_end).startswith(f"line {count}: result is")
    whole = text().splitlines(keepends=True)
    with_a_list = "".join([*whole[:20], "[1]\n", *whole[20:]])
    assert fault(with_a_list).startswith("line 21: this is a list")
    doubled = "".join([*whole[:-1], whole[-2], whole[-1]])
    assert "a move after the end of the game" in fault(doubled)


# ---- redaction --------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_reads_only_what_it_perceived(seat: int) -> None:
    first, *told, last = [json.loads(line) for line in redact(played(), seat).splitlines()]
    assert first["format"] == "arena-seat"
    assert first["version"] == 1
    assert first["seat"] == "ABC"[seat]
    assert "seed" not in first
    events = [tuple(line["event"]) for line in told]
    assert last["events"] == len(events)
    dealt = [event for event in events if event[0] == Event.LEADER][:3]
    assert [event[2] == UNSEEN for event in dealt] == [other != seat for other in range(3)]
    hands = range(Zone.HAND, Zone.HAND + 3)
    drawn = [event for event in events if event[0] == Event.MOVED and event[3] in hands]
    assert any(event[5] == UNSEEN for event in drawn if event[3] != Zone.HAND + seat)
    assert all(event[5] != UNSEEN for event in drawn if event[3] == Zone.HAND + seat)
    assert events[-1][0] == Event.OVER


def test_a_seat_file_has_nobodys_comments_and_times() -> None:
    note = Note("a secret plan", {"B": {"Cyra": 1.0}}, (ConsideredMove(3, 1, 0.5),))
    everywhere = range(len(played().moves))
    told = replace(
        played(), notes=dict.fromkeys(everywhere, note), seconds=dict.fromkeys(everywhere, 0.125)
    )
    for seat in range(3):
        assert redact(told, seat) == redact(played(), seat)


def test_a_seat_file_says_who_begins_even_if_an_option_fixed_it() -> None:
    replay = Replay("hidden-leaders", 2, (), {"first": 1})
    assert '{"event": [1, 1]}' in redact(replay, 0)
    with pytest.raises(GameError, match="no seat C; the game has 2 players"):
        redact(replay, 2)


# ---- the registry -----------------------------------------------------------------------------


def test_games_are_found_by_name() -> None:
    assert game_names() == ["hidden-leaders", "secrets"]
    rules = game("hidden-leaders")
    assert rules.title == "Hidden Leaders"
    state = rules.new(2, deck=["Keen Koi", "CrCa", "ShSh"])
    assert rules.text.parse(state, "leader cyra") == state.moves()[1]
    with pytest.raises(GameError, match="no game 'hidden'"):
        game("hidden")


def test_the_beginner_game_ends_earlier() -> None:
    state = game("hidden-leaders").new(2, deck="beginner")
    assert getattr(state, "threshold", None) == 7


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"deck": "begginer"}, "no deck 'begginer' .*; did you mean 'beginner'"),
        ({"deck": 5}, "a deck is a name or a list of heroes, not 5"),
        ({"deck": ["KeKo", "Keen Koi"]}, "at most once"),
        ({"first": 2}, "first must be a whole number from 0 to 1, not 2"),
        ({"rounds": "x"}, "rounds must be a whole number"),
        ({"threshold": True}, "threshold must be a whole number"),
    ],
)
def test_bad_options(options: dict[str, object], problem: str) -> None:
    with pytest.raises(GameError, match=problem):
        game("hidden-leaders").new(2, **options)
