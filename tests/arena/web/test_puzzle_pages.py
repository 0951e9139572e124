"""Puzzles on the server: verdicts, hints, refutations, progress, and no word about the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.web.server.puzzle_session import PuzzleSession
from arena.web.server.puzzles import Puzzles, all_puzzles
from bots.runtime.mid_game import bot_policy
from solver.ask import Solution, solve_query
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.puzzles.files import prove
from solver.puzzles.progress import load_progress
from tests.arena.web.test_server import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("puzzles"))
    yield server
    server.close()


@cache
def solution_of(name: str) -> Solution:
    return prove(all_puzzles()[name], NodeBudget(USUAL_NODES), bot_policy)


def session_of(name: str, seed: int = 1) -> PuzzleSession:
    return PuzzleSession(all_puzzles()[name], solution_of(name), seed)


def hidden_puzzles() -> list[str]:
    return [name for name, puzzle in all_puzzles().items() if puzzle.query.position.unknowns()]


def ask(served: Served, path: str, body: object) -> Any:
    status, text = served.ask(path, body)
    assert status == 200, text
    return json.loads(text)


def begin(served: Served, name: str) -> tuple[str, Any]:
    state = ask(served, f"/puzzles/{name}/new", {})
    return f"/puzzles/attempts/{state['key']}", state


def the_move(state: Any, words: str) -> int:
    (move,) = (choice["move"] for choice in state["choices"] if choice["text"] == words)
    assert isinstance(move, int)
    return move


# ---- no leak ----------------------------------------------------------------------------------


def test_what_a_page_gets_does_not_depend_on_hidden_cards() -> None:
    """All worlds of a puzzle look the same until a choice tells them apart."""
    names = hidden_puzzles()[:12]
    assert len(names) > 8
    for name in names:
        sessions = [session_of(name, seed) for seed in range(12)]
        assert len({str(session.trial.state.key()) for session in sessions}) > 1, name
        assert len({json.dumps(session.as_json()) for session in sessions}) == 1, name


def test_a_page_has_no_answer_before_it_is_asked_for(served: Served) -> None:
    puzzle = all_puzzles()["doubt"]
    page = served.ask("/puzzles/doubt")[1]
    _, state = begin(served, "doubt")
    assert not any(answer in page for answer in puzzle.answer)
    assert {"values", "answer", "best", "value"}.isdisjoint(state)
    assert (state["verdict"], state["hints"]) == (None, [])
    # The right choice differs from the others in its words alone.
    choices = [{**choice, "move": 0, "text": "", "help": ""} for choice in state["choices"]]
    kinds = {json.dumps({**choice, "cards": len(choice["cards"])}) for choice in choices}
    assert len(kinds) < len(choices)


def test_what_is_unknown_is_said_in_words() -> None:
    worlds = session_of("better-not-ask").as_json()["worlds"]
    assert isinstance(worlds, dict)
    assert worlds["possible"] == worlds["of"] == 4
    (doubt,) = worlds["doubts"]
    assert doubt.startswith("F's unknown hidden hero is ")


# ---- an attempt -------------------------------------------------------------------------------


def test_a_best_move_is_right_and_a_wrong_one_can_be_taken_back(served: Served) -> None:
    address, state = begin(served, "doubt")
    wrong = ask(served, f"{address}/choose", {"move": the_move(state, "do nothing")})
    assert wrong["verdict"] == {"kept": False, "text": "Not the best: do nothing. It fails."}
    assert "Rating" in wrong["score"]
    again = ask(served, f"{address}/undo", {})
    assert [choice["text"] for choice in again["choices"]] == [
        choice["text"] for choice in state["choices"]
    ]
    right = ask(served, f"{address}/choose", {"move": the_move(state, "play Doubtful Priest")})
    assert right["verdict"]["kept"]
    assert right["story"][-1]["who"] == "B"


def test_every_proven_move_is_accepted() -> None:
    puzzle = all_puzzles()["a-step-too-far"]
    puzzle = replace(puzzle, query=replace(puzzle.query, goal="deny:C"))
    solved = solve_query(puzzle.query, NodeBudget(USUAL_NODES))
    assert solved.best == ["play Watchful Witch", "play Grumpy Guard"]
    for words in solved.moves:
        session = PuzzleSession(puzzle, solved, 1)
        session.choose(the_move(session.as_json(), words))
        assert session.missed == (words not in solved.best)


def test_three_hints_rise_in_strength_and_then_there_is_none(served: Served) -> None:
    address, _ = begin(served, "doubt")
    for _ in range(3):
        state = ask(served, f"{address}/hint", {})
    assert state["hints"] == [
        "1 of 7 choices is best. Theme: forced choice.",
        "Look at Doubtful Priest.",
        "A best choice is: play Doubtful Priest.",
    ]
    status, text = served.ask(f"{address}/hint", {})
    assert (status, json.loads(text)["problem"]) == (400, "that was the last hint")


def test_what_nobody_heeds_is_neither_asked_nor_told(served: Served) -> None:
    """In Secrets with all cards open, a claim tells nobody anything."""
    address, state = begin(served, "a-surprise-for-the-kgb")
    wrong = ask(served, f"{address}/choose", {"move": the_move(state, "to B")})
    assert [made["text"] for made in wrong["story"][:2]] == ["to B", "accept"]
    assert wrong["over"]
    line = ask(served, f"{address}/why", {})
    told = [made["text"] for made in line["moves"]]
    assert told[0] == "to B"
    assert not {"say nothing", "claim Double Agent"} & set(told)
    assert len(line["tables"]) == len(line["moves"]) + 1
    again = ask(served, f"{address}/undo", {})
    assert again["choices"][0]["text"] == "to B"


def test_why_not_plays_the_refutation_out(served: Served) -> None:
    address, state = begin(served, "doubt")
    ask(served, f"{address}/choose", {"move": the_move(state, "play Rotting Orangutan")})
    line = ask(served, f"{address}/why", {})
    assert len(line["tables"]) == len(line["moves"]) + 1 > 2
    assert line["moves"][0] == {"who": "A (you)", "text": "play Rotting Orangutan"}
    assert "you" not in line["end"]
    again = ask(served, f"{address}/undo", {})
    assert again["verdict"] is None, "the refutation is not part of the attempt"


def test_an_answer_is_shown_when_it_is_asked_for(served: Served) -> None:
    address, _ = begin(served, "doubt")
    values = ask(served, f"{address}/answer", {})["values"]
    assert [each["value"] for each in values] == ["1", *["0"] * 6]
    assert [each["best"] for each in values] == [True, *[False] * 6]


@pytest.mark.parametrize(
    ("action", "body", "problem"),
    [
        ("choose", {"move": 12345}, "12345 is not one of your choices now"),
        ("choose", {"move": True}, "True is not one of your choices now"),
        ("choose", {}, "None is not one of your choices now"),
        ("undo", {}, "there is nothing to take back yet"),
        ("why", {}, "every choice so far was best"),
        ("dance", {}, "there is no action 'dance'"),
        ("choose", [], "an object was expected"),
    ],
)
def test_what_cannot_be_done_is_said(
    served: Served, action: str, body: object, problem: str
) -> None:
    address, _ = begin(served, "doubt")
    status, text = served.ask(f"{address}/{action}", body)
    assert status == 400
    assert problem in json.loads(text)["problem"]


# ---- which puzzle, and progress ---------------------------------------------------------------


def opened(served: Served, path: str) -> str:
    """The page that a request leads to."""
    status, _ = served.ask(path)
    assert status == 303
    return served.location(path)


def test_filters_go_along_to_the_next_puzzle(served: Served) -> None:
    page = served.ask("/puzzles?game=secrets&level=3")[1]
    listed = [
        name
        for name, puzzle in all_puzzles().items()
        if puzzle.query.game.name == "secrets" and puzzle.difficulty == 3
    ]
    assert all(f'href="/puzzles/{name}?level=3&amp;game=secrets"' in page for name in listed)
    assert page.count('<li><a href="/puzzles/') == len(listed) > 0
    for name in listed[:4]:
        following = opened(served, f"/puzzles/next?game=secrets&level=3&after={name}")
        others = [each for each in listed if each != name]
        assert following in {f"/puzzles/{each}?level=3&game=secrets" for each in others}
    assert opened(served, "/puzzles/random?theme=markers").startswith("/puzzles/")
    assert opened(served, "/puzzles/daily") == opened(served, "/puzzles/daily")


def test_only_the_first_attempt_counts_and_help_is_noted(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    puzzles = Puzzles(progress_file=file)
    one, two = (session_of("doubt") for _ in range(2))
    state = one.as_json()
    puzzles._act(one, "choose", {"move": the_move(state, "do nothing")})
    puzzles._act(one, "undo", {})
    puzzles._act(one, "choose", {"move": the_move(state, "play Doubtful Priest")})
    assert load_progress(file).marks == {"doubt": "missed"}
    puzzles._act(two, "hint", {})
    puzzles._act(two, "answer", {})
    progress = load_progress(file)
    assert [(each.solved, each.helped) for each in progress.attempts] == [
        (False, False),
        (False, True),
    ]
    assert progress.rating.rating < 1500


def test_a_damaged_progress_file_spoils_no_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    file.write_text("nonsense\n")
    puzzles = Puzzles(progress_file=file)
    session = session_of("doubt")
    move = the_move(session.as_json(), "do nothing")
    state = puzzles._act(session, "choose", {"move": move})
    assert "Progress is not kept" in str(state["notice"])
    assert file.read_text() == "nonsense\n"
