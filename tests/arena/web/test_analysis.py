"""The analysis board on the server: positions, edits, and answers that tighten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request

from arena.league.config import league_from_json
from arena.league.start import run_league
from arena.match.game_view import GameView
from arena.web.server import solve_job
from arena.web.server.analysis import MOST_RUNNING, AnalysisBoard, looked_at
from arena.web.server.play import Play
from arena.web.server.runs import Runs
from arena.web.server.solve_job import SolveJob
from games.reading.fields import join_fields, split_fields
from games.registry import game, game_names, read_position
from games.replay import Replay
from solver import solve
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle, load_puzzle
from tests.arena.web.test_game_data import KINDS
from tests.arena.web.test_server import Served
from tests.support.twins import twin_replays
from tests.support.volume import IS_FULL, volume

ENDING = """players 3; red 7; green 5; threshold 4; rest harbor
A leader Xiadul hand DoPr RoOr LeLi open FlKn ShSo CrCa
B leader Pavyr hand KeKo open UnMe AcFi; C leader Lemron hand ApWa open TrLi"""
HARD = "red 6; green 6; threshold 8; A leader Cyra hand DoPr RoOr LeLi; B leader Pavyr hand KeKo"
PATIENCE = 60.0


def look(position: str, game_name: str = "hidden-leaders", **more: object) -> Any:
    return json.loads(json.dumps(looked_at({"game": game_name, "position": position, **more})))


# ---- positions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_a_game_s_example_is_a_position_with_choices(name: str) -> None:
    positions = game(name).positions
    assert positions is not None
    form = positions.form()
    assert form is not None
    assert len(form["cards"]) == len(game(name).picture.faces()["cards"])
    shown = look(form["example"], name)
    assert shown["choices"]
    assert look(shown["text"], name)["text"] == shown["text"]
    assert join_fields(shown["parts"]) == shown["text"]


@pytest.mark.parametrize("name", game_names())
def test_the_moves_of_a_game_s_example_differ_in_worth(name: str) -> None:
    """It is what a visitor solves first."""
    positions = game(name).positions
    assert positions is not None
    form = positions.form()
    assert form is not None
    solution = solve(form["example"], game=name)
    assert 0 < len(solution.best) < len(solution.moves)


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_game_opened_as_a_seat_saw_it_is_the_same_in_twin_worlds(name: str) -> None:
    """Page, table and answer."""
    compared = 0
    for seed in range(300, 300 + volume(24)):
        if (found := twin_replays(KINDS[name], game(name), seed)) is None:
            continue
        seat, replays = found
        shown = GameView(replays[0])
        own = [at for at in range(shown.length + 1) if shown.state(at).actor == seat]
        if not own:
            continue
        one, two = (opened_by_its_seat(replay, own[-1]) for replay in replays)
        assert one == two
        compared += 1
    assert compared > (volume(2) if IS_FULL else 0)


class SavedGame(AnalysisBoard):
    """A board on which one game is opened, whatever is asked for."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(Runs(Path()), Play())
        self.replay = replay

    def _game(self, asked: dict[str, Any]) -> Replay:
        return self.replay


def opened_by_its_seat(replay: Replay, at: int) -> list[object]:
    """What is sent about a moment of the game, as the seat to move knows it."""
    source = {"run": "saved", "number": "0", "at": str(at), "sight": "own"}
    board = SavedGame(replay)
    page = board.page(Request({"type": "http", "query_string": urlencode(source).encode()}))
    moment = board._moment(source)
    posed = moment.rules.positions.read(moment.position)  # type: ignore[union-attr]
    query = Query(moment.rules, posed, "win", "turn", "coalition", "own", view=moment.view)
    answer = solve_query(query, NodeBudget(500)).answer
    values = [(value.move, value.interval) for value in answer.values]
    return [bytes(page.body), looked_at({"game": replay.game, "position": moment.position}), values]


@pytest.mark.parametrize(
    ("position", "problem"),
    [
        ("", "the position is empty"),
        ("red 99", "red 99: the track goes from 1 to 12"),
        ("A hand XXXX", "there is no hero 'XXXX'"),
        ("A hand CrCa open CrCa", "Crow Carrier"),
        ("x" * 30_000, "at most 20000 characters"),
        (
            "players 4; centre CIA; A token KGB up Scientist",
            "this looks like a position of Secrets",
        ),
    ],
)
def test_an_impossible_position_is_a_list_of_sentences(position: str, problem: str) -> None:
    assert any(problem in each for each in look(position)["problems"])


def test_a_move_leads_to_a_position_of_its_own() -> None:
    first = look(ENDING)
    (move,) = (each["move"] for each in first["choices"] if each["text"] == "play Doubtful Priest")
    then = look(first["text"], move=move)
    assert then["decides"] == "B"
    assert [each["text"] for each in then["choices"]] == ["red +2", "red -2"]
    assert look(then["text"])["choices"] == then["choices"]
    assert "not a legal move" in look(first["text"], move=99_999)["problems"][0]


def test_chance_is_offered_with_its_odds() -> None:
    rules = game("hidden-leaders")
    assert rules.positions is not None
    shown = look(rules.positions.write(rules.new(3)))
    assert (shown["decides"], shown["solvable"]) == ("chance", False)
    assert [each["help"] for each in shown["choices"]] == ["chance 1/6"] * 6
    assert look(shown["text"], move=shown["choices"][0]["move"])["text"] != shown["text"]


def test_edits_change_single_fields_and_nothing_else() -> None:
    changed = look(ENDING, edits={"red": "9", "A hand": "DoPr", "B leader": "?"})
    before, after = look(ENDING)["parts"], changed["parts"]
    assert {key for key in before if before[key] != after.get(key)} == {"red", "A hand", "B leader"}
    assert changed["unknown"] == ["B leader: unknown"]
    fewer = look(ENDING, edits={"players": "2"})
    assert len(fewer["seats"]) == 2
    wrong = look(ENDING, edits={"red": "13"})
    assert "the track goes from 1 to 12" in wrong["problems"][0]
    assert "red 13" in wrong["text"]


def test_fields_that_follow_from_others_do_not_stop_an_edit() -> None:
    positions = game("secrets").positions
    assert positions is not None
    form = positions.form()
    assert form is not None
    changed = look(
        form["example"], "secrets", edits={"B up": "Detective Journalist Psychiatrist Diplomat"}
    )
    assert "problems" not in changed
    assert look(form["example"], "secrets")["parts"]["un"] == ["B"] != changed["parts"].get("un")


def test_unknown_cards_are_backs_and_moves_wait_for_a_world() -> None:
    shown = look(ENDING.replace("A leader Xiadul", "A leader Xiadul hidden ?x2"))
    row = next(row for row in shown["table"]["seats"][0]["rows"] if row["name"] == "hidden")
    assert row["cards"] == [-1, -1]
    assert shown["choices"] == []
    assert "name them to play on" in look(shown["text"], move=0)["problems"][0]


def test_fields_can_be_split_and_joined_again() -> None:
    text = "players 2; A leader Cyra hand ShSh ?; A knows B leader Pavyr; B up Journalist x2"
    parts = split_fields(text, ["leader", "hand", "up"])
    assert parts == {
        "players": ["2"],
        "A leader": ["Cyra"],
        "A hand": ["ShSh", "?"],
        "A knows B": ["leader", "Pavyr"],
        "B up": ["Journalist", "Journalist"],
    }
    assert split_fields(join_fields(parts), ["leader", "hand", "up"]) == parts


# ---- solving ----------------------------------------------------------------------------------


def finished(job: SolveJob) -> Any:
    until = monotonic() + PATIENCE
    while job.running and monotonic() < until:
        sleep(0.01)
    assert not job.running
    return job.snapshot


def query(position: str, **more: str) -> Query:
    rules = game("hidden-leaders")
    return Query(rules, read_position(rules, position), **more)  # type: ignore[arg-type]


def test_values_and_lines_are_those_of_the_solver() -> None:
    answer = finished(SolveJob(query(ENDING, horizon="2")))
    expected = solve(ENDING, horizon=2)
    assert answer["exact"]
    assert {row["text"]: row["value"] for row in answer["moves"]} == {
        text: str(value.likely[0]) for text, value in expected.moves.items()
    }
    assert [row["text"] for row in answer["moves"] if row["best"]] == expected.best
    best = answer["moves"][0]
    assert best["line"][0]["text"] == "A: play Doubtful Priest"
    assert look(best["line"][0]["position"])["decides"] == "B"


def test_bounds_tighten_round_by_round_and_never_widen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_job, "ROUNDS", (5, 10, 20))
    seen: list[Any] = []
    update = SolveJob._update

    def noted(job: SolveJob, news: dict[str, object]) -> None:
        update(job, news)
        seen.append(job.snapshot)

    monkeypatch.setattr(SolveJob, "_update", noted)
    answer = finished(SolveJob(query(HARD, horizon="3")))
    rounds = [each["moves"] for each in seen if "moves" in each]
    assert len(rounds) == 3
    assert (answer["exact"], answer["why"]) == (False, "the limit of 20 positions was reached")
    for before, after in pairwise(rounds):
        now = {row["move"]: row for row in after}
        assert all(row["low"] <= now[row["move"]]["low"] for row in before)
        assert all(row["high"] >= now[row["move"]]["high"] for row in before)


def test_a_world_in_which_a_move_fails_can_be_opened() -> None:
    answer = finished(SolveJob(load_puzzle(find_puzzle("one-leader-is-missing")).query))
    best = answer["moves"][0]
    assert (best["best"], best["sure"], best["fails"]) == (True, "1 of 2", "E leader Enned")
    world = look(best["failsAt"])
    assert (world["unknown"], world["decides"]) == ([], "A")


def test_a_question_that_cannot_be_asked_is_answered_with_a_sentence() -> None:
    assert finished(SolveJob(query(ENDING, goal="deny:Z")))["problem"].startswith("goal 'deny:Z'")
    hidden = ENDING.replace("B leader Pavyr hand", "B leader ? hand")
    assert "needs every card" in finished(SolveJob(query(hidden, sight="all")))["problem"]


# ---- over HTTP --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("analysis")
    league = league_from_json({"bots": ["greedy", "random"], "players": [2], "deals": 1})
    run_league(league, workers=1, run=folder / "small.db")
    server = Served(folder)
    yield server
    server.close()


def begin(served: Served, position: str, **more: object) -> str:
    asked = {"game": "hidden-leaders", "position": position, "goal": "win", "others": "coalition"}
    status, text = served.ask("/analysis/solve", {**asked, "horizon": "end", **more})
    assert status == 200, text
    return str(json.loads(text)["key"])


def stream(served: Served, key: str) -> list[Any]:
    """All snapshots of a search; ends when the server ends the stream."""
    with closing(HTTPConnection(served.host, timeout=PATIENCE)) as connection:
        connection.request("GET", f"/analysis/solve/{key}/events")
        text = connection.getresponse().read().decode()
    return [json.loads(part.removeprefix("data: ")) for part in text.split("\n\n") if part]


def test_a_search_streams_its_bounds_and_can_be_stopped(served: Served) -> None:
    key = begin(served, HARD)
    with closing(HTTPConnection(served.host, timeout=PATIENCE)) as connection:
        connection.request("GET", f"/analysis/solve/{key}/events")
        answer = connection.getresponse()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        first = json.loads(answer.readline().decode().removeprefix("data: "))
        assert first["state"] == "working"
        assert served.ask(f"/analysis/solve/{key}/stop", {})[0] == 200
        rest = [part for part in answer.read().decode().split("\n\n") if part.strip()]
    last = json.loads(rest[-1].strip().removeprefix("data: "))
    assert (last["state"], last["why"]) == ("stopped", "it was stopped")
    assert last["moves"]


@pytest.mark.slow
def test_a_fifth_search_stops_the_first(served: Served) -> None:
    first, *others = (begin(served, HARD) for _ in range(MOST_RUNNING + 1))
    last = stream(served, first)[-1]
    for key in others:
        served.ask(f"/analysis/solve/{key}/stop", {})
    assert last["state"] == "stopped"


def test_a_moment_of_a_saved_game_opens_as_its_seat_knew_it(served: Served) -> None:
    everything = served.ask("/analysis?run=small&number=1&at=12")[1]
    known = served.ask("/analysis?run=small&number=1&at=12&sight=own")[1]
    assert "leader ?" not in everything
    assert "leader ?" in known
    page = served.ask("/analysis?run=small&number=1&at=12&sight=own")[1]
    text = page.partition('spellcheck="false">')[2].partition("</textarea>")[0]
    source = {"run": "small", "number": 1, "at": 12, "sight": "own"}
    last = stream(served, begin(served, text, horizon="turn", source=source))[-1]
    assert last["state"] == "done"
    assert "observed" in " ".join(last["meaning"])


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"others": "bot:evil.py:Bot"}, "'evil.py:Bot' cannot play here"),
        ({"position": "red 99"}, "the track goes from 1 to 12"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"source": {"run": "none"}}, "there is no run 'none'"),
    ],
)
def test_what_cannot_be_solved_is_refused(
    served: Served, more: dict[str, object], problem: str
) -> None:
    status, text = served.ask(
        "/analysis/solve", {"game": "hidden-leaders", "position": ENDING, "goal": "win", **more}
    )
    assert status in (400, 404)
    assert problem in json.loads(text)["problem"]


def test_strangers_cannot_start_a_search(served: Served) -> None:
    body = {"position": ENDING}
    status, _ = served.ask("/analysis/solve", body, {"Origin": "http://evil.example"})
    assert status == 403
