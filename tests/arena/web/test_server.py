"""The server: its pages, what it refuses, and that a seat is sent nothing it may not know."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.requests import Request

from arena.cli.commands.serve import serve_command
from arena.league.config import league_from_json
from arena.league.start import run_league
from arena.match.bot_factory import bot_factory
from arena.match.human_game import HumanGame
from arena.web.server.analysis import AnalysisBoard
from arena.web.server.play import Play, Session
from arena.web.server.runs import Runs
from games.errors import GameError
from games.registry import game
from games.replay import Replay
from solver.puzzles.progress import load_progress
from tests.arena.web.test_game_data import KINDS
from tests.support.twins import twin_replays
from tests.support.volume import IS_FULL, volume


class Served:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "arena", "serve", str(folder), "--port", "0", *options]
        self.folder = folder
        self.data = folder / "data"
        """Where the person's progress is kept."""
        env = {**os.environ, "XDG_DATA_HOME": str(self.data)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.address = line.split(" at ")[1].split()[0]
        self.host = self.address.removeprefix("http://").strip("/")

    def ask(
        self, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        method = "GET" if body is None else "POST"
        own = {"Origin": f"http://{self.host}"} if body is not None else {}
        text = None if body is None else json.dumps(body)
        return self.send(method, path, text, {**own, **(headers or {})})

    def send(
        self, method: str, path: str, text: str | None, headers: dict[str, str]
    ) -> tuple[int, str]:
        with closing(HTTPConnection(self.host, timeout=60)) as connection:
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def location(self, path: str) -> str:
        """Where a request is sent on to."""
        with closing(HTTPConnection(self.host, timeout=60)) as connection:
            connection.request("GET", path)
            return connection.getresponse().headers["Location"]

    def close(self) -> None:
        self.process.terminate()
        self.wait()

    def wait(self) -> None:
        self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("runs")
    league = league_from_json({"bots": ["greedy", "random"], "players": [2], "deals": 1})
    run_league(league, workers=1, run=folder / "small.db")
    (folder / "notes.db").write_text("not a run")
    server = Served(folder, "--allow-host", "Arena.example")
    yield server
    server.close()


def new_game(served: Served, **wanted: object) -> str:
    status, text = served.ask("/play/new", {"players": 2, "seed": 3, **wanted})
    assert status == 200, text
    return str(json.loads(text)["address"])


def test_runs_reports_and_games_are_served(served: Served) -> None:
    status, text = served.ask("/")
    assert status == 200
    assert "small" in text
    assert "notes" not in text
    assert "<span>Hidden Leaders, 2 players: 2 games</span>" in text
    assert re.search(r"<span>highest rating: greedy, TrueSkill \d\d\.\d</span>", text)
    assert "2 of 2 games played" in served.ask("/runs/small")[1]
    assert 'id="board"' in served.ask("/runs/small/games/1")[1]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/runs/none", "there is no run &#x27;none&#x27;"),
        ("/runs/..%2Fsecret", "There is no page"),
        ("/runs/notes", "there is no run"),
        ("/runs/small/games/99", "small.db has no game 99; its games are 0 to 1"),
        ("/parts/view.html", "there is no file"),
        ("/parts/..%2Fpage.py", "There is no page"),
        ("/play/unknown", "this game is not known here any more"),
        ("/nowhere", "There is no page /nowhere here"),
        ("/puzzles/dout", "there is no puzzle &#x27;dout&#x27;; did you mean &#x27;doubt&#x27;"),
        ("/puzzles/next?theme=nonsense", "no puzzle matches these filters"),
        ("/analysis?game=chess", "there is no game &#x27;chess&#x27;"),
        ("/analysis?run=none&number=0", "there is no run &#x27;none&#x27;"),
        ("/analysis?run=small&number=77", "small.db has no game 77"),
        ("/analysis?run=small&number=0&at=9999", "there is no table after 9999"),
        ("/analysis?run=small&number=x", "number must be a whole number"),
        ("/analysis/solve/unknown/events", "this search is over; solve again"),
    ],
)
def test_what_is_not_there_is_said_on_a_page(served: Served, path: str, problem: str) -> None:
    status, text = served.ask(path)
    assert status in (400, 404)
    assert problem in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"players": 9}, "Hidden Leaders is for 2 to 6 players, not 9"),
        ({"players": "two"}, "players must be a whole number"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"bot": "no_such.py:Bot"}, "cannot play here"),
        ({"bot": "ismcts:endgame=x.py:Bot"}, "cannot play here"),
        ({"seat": "F"}, "there is no seat F with 2 players"),
        ({"seed": -4}, "a seed is a number from 0"),
    ],
)
def test_a_game_that_cannot_be_started_is_refused(
    served: Served, wanted: dict[str, object], problem: str
) -> None:
    status, text = served.ask("/play/new", {"players": 2, **wanted})
    assert status == 400
    assert problem in json.loads(text)["problem"]


def test_foreign_hosts_and_origins_are_refused(served: Served) -> None:
    status, text = served.ask("/", headers={"Host": "evil.example"})
    assert (status, "not called 'evil.example'" in text) == (403, True)
    assert "arena serve --allow-host evil.example" in text
    status, text = served.ask("/play/new", {}, {"Origin": "http://evil.example"})
    assert (status, "'http://evil.example' are not answered" in text) == (403, True)
    assert served.send("POST", "/play/new", "{}", {})[0] == 403


def test_a_name_that_was_allowed_is_answered_from_its_own_pages_only(served: Served) -> None:
    port = served.host.partition(":")[2]
    for host in ("arena.example", f"arena.example:{port}"):
        assert served.ask("/", headers={"Host": host})[0] == 200
        for origin, status in ((f"https://{host}", 200), ("https://evil.example", 403)):
            headers = {"Host": host, "Origin": origin}
            assert served.ask("/play/new", {"players": 2}, headers)[0] == status
    assert served.ask("/", headers={"Host": "arena.example:1"})[0] == 403


def test_what_is_not_the_name_of_a_host_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(serve_command, [str(tmp_path), "--allow-host", "http://x/"])
    assert done.exit_code == 2
    assert "'http://x/' is not the name of a host, such as lab.example.org" in done.output


def test_a_choice_must_be_legal_and_requests_must_be_json(served: Served) -> None:
    address = new_game(served)
    status, text = served.ask(f"{address}/choose", {"move": 99_999})
    assert (status, "not one of your choices" in text) == (400, True)
    status, text = served.ask(f"{address}/choose", {"move": True})
    assert status == 400
    status, text = served.ask(f"{address}/dance", {})
    assert (status, "there is no action 'dance'" in text) == (400, True)
    status, text = served.ask(f"{address}/choose", [1])
    assert (status, "an object was expected" in text) == (400, True)
    for path, body in (("replay", None), ("view", None), ("review", {})):
        status, text = served.ask(f"{address}/{path}", body)
        assert (status, "when the game is over" in text) == (400, True)
    status, text = served.ask(f"/analysis?play={address.rpartition('/')[2]}")
    assert (status, "when the game is over" in text) == (400, True)


@pytest.mark.slow
def test_a_whole_game_is_played_and_its_replay_saved(served: Served) -> None:
    address = new_game(served, players=4, game="secrets", seat="random")
    state: Any = json.loads(served.ask(f"{address}/state")[1])
    for _ in range(500):
        if state["over"]:
            break
        move = state["choices"][0]["move"]
        state = json.loads(served.ask(f"{address}/choose", {"move": move})[1])
    assert state["over"]
    assert state["result"]
    status, text = served.ask(f"{address}/replay")
    assert status == 200
    assert text.startswith('{"format": "arena-replay"')
    plain = served.ask(f"{address}/view")[1]
    assert served.ask(f"{address}/review", {})[0] == 200
    done, total = json.loads(served.ask(f"{address}/reviewed")[1]).values()
    assert done == total - 1 > 0
    assert served.ask(f"{address}/view")[1] != plain, "the review is on the page"
    assert served.ask(f"/analysis?play={address.rpartition('/')[2]}&at=3")[0] == 200


@pytest.mark.slow
def test_killing_the_server_harms_nothing(tmp_path: Path) -> None:
    league = league_from_json({"bots": ["greedy", "random"], "players": [2], "deals": 1})
    run_league(league, workers=1, run=tmp_path / "run.db")
    before = (tmp_path / "run.db").read_bytes()
    server = Served(tmp_path)
    server.ask("/runs/run")
    attempt = json.loads(server.ask("/puzzles/doubt/new", {})[1])
    move = attempt["choices"][-1]["move"]
    assert server.ask(f"/puzzles/attempts/{attempt['key']}/choose", {"move": move})[0] == 200
    new_game(server)
    server.process.kill()
    server.wait()
    assert (tmp_path / "run.db").read_bytes() == before
    progress = load_progress(server.data / "hidden-leaders-arena" / "puzzle-progress.jsonl")
    assert progress.marks == {"doubt": "missed"}


def test_a_port_in_use_is_named(served: Served) -> None:
    port = served.host.rpartition(":")[2]
    command = [sys.executable, "-m", "arena", "serve", ".", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"arena: cannot listen at 127.0.0.1:{port}: address already in use"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_a_seat_is_sent_the_same_in_twin_worlds(name: str) -> None:
    """Two games that a person cannot tell apart: the same answers of the server, byte for byte."""
    compared = 0
    for seed in range(100, 100 + volume(40)):
        if (found := twin_replays(KINDS[name], game(name), seed)) is None:
            continue
        seat, replays = found
        one, two = (answers_to(replay, seat) for replay in replays)
        assert one == two
        compared += 1
    assert compared > (volume(10) if IS_FULL else 0)


def answers_to(replay: Replay, seat: int) -> list[bytes | str]:
    """What the server sends to a person who takes the seat there and asks for all there is."""
    others = [other for other in range(replay.players) if other != seat]
    bots = {other: bot_factory("random", isolated=False) for other in others}
    human = HumanGame(replay, seat, bots, 1, lambda _who: None)
    play = Play(adviser="ismcts:iterations=5")
    session = Session(human, adviser=play.adviser)
    key = play.sessions.add(session)
    request = Request({"type": "http", "path_params": {"key": key}})
    answers: list[bytes | str] = [bytes(play.state(request).body)]
    if human.view.moves:
        answers.append(bytes(play._act(session, "hint", {}).body))
    answers.append(bytes(play.table(request).body))
    unfinished = {"type": "http", "query_string": f"play={key}".encode()}
    for ask in (
        play.replay,
        play.view,
        lambda _: play._act(session, "review", {}),
        lambda _: play._act(session, "undo", {}),  # it has not made a choice yet
        lambda _: AnalysisBoard(Runs(Path()), play).page(Request(unfinished)),
    ):
        with pytest.raises(GameError) as refused:  # while the game is not over
            ask(request)
        answers.append(str(refused.value))
    answers.append(bytes(play.reviewed(request).body))
    human.close()
    return answers
