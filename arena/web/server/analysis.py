"""The analysis board: any position, edited or pasted, with the value of every move.

A position is text, so each step of an analysis has an address of its own to go back to or to share.
"""

from __future__ import annotations

import asyncio
import html
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.league.journal import Journal
from arena.match.game_view import GameView
from arena.web.page import part
from arena.web.server.html_pages import served_page
from arena.web.server.play import Play
from arena.web.server.requests import BadRequest, NotThere, Sessions, json_body, number_in
from arena.web.server.runs import Runs
from arena.web.server.solve_job import SolveJob, outcome_choices
from bots.runtime.loading import BUILT_IN
from games.errors import BadPosition, GameError, WrongGame
from games.forms.picture import TablePicture
from games.forms.position_form import PositionForm
from games.questions import PosedPosition, TooManyWorlds
from games.reading.fields import join_fields, split_fields
from games.registry import DEFAULT_GAME, Game, game, game_names, read_position
from games.replay import Replay
from games.seats import seat_name
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View
from solver.ask import Query
from solver.core.question import Others

MOST_TEXT: Final = 20_000
"""Characters of a position, at most."""
MOST_RUNNING: Final = 4
"""Searches at a time; another one stops the oldest."""
_MOST_COMPARED: Final = 200
"""Worlds that are compared to find out what is certain on the table, at most."""
_SAMPLES: Final = 40
_LOOK: Final = 0.1
"""Seconds between two looks at a search."""


class AnalysisBoard:
    """The analysis board, and all questions that are being solved."""

    def __init__(self, runs: Runs, play: Play) -> None:
        self.runs, self.play = runs, play
        self.jobs = Sessions[SolveJob]("this search is over; solve again", SolveJob.stop)
        self._running: deque[SolveJob] = deque()

    def routes(self) -> list[Route]:
        return [
            Route("/analysis", self.page),
            Route("/analysis/games/{name}", self.game_facts),
            Route("/analysis/look", self.look, methods=["POST"]),
            Route("/analysis/solve", self.solve, methods=["POST"]),
            Route("/analysis/solve/{key}/events", self.events),
            Route("/analysis/solve/{key}/stop", self.stop, methods=["POST"]),
        ]

    # ---- the page ---------------------------------------------------------------------------

    def page(self, request: Request) -> Response:
        asked = request.query_params
        name, position = asked.get("game", DEFAULT_GAME), asked.get("position", "")
        source = ""
        if "run" in asked or "play" in asked:
            moment = self._moment(dict(asked))
            name, position = moment.rules.name, moment.position
            source = json.dumps({key: asked[key] for key in _MOMENT if key in asked})
        rules = game(name)
        if not position:
            form = _form(rules)
            position = form["example"] if form else ""
        games = "".join(
            f'<option value="{each}"{" selected" if each == name else ""}>'
            f"{html.escape(game(each).title)}</option>"
            for each in game_names()
        )
        bots = "".join(
            f'<option value="bot:{each}">bots: {each}</option>' for each in ("greedy", "random")
        )
        words = {"source": html.escape(source), "position": html.escape(position)}
        body = part("analysis.html")
        for key, value in {"games": games, "bots": bots, **words}.items():
            body = body.replace(f"{{{key}}}", value)
        styles = ("board.css", "play.css", "puzzle.css", "analysis.css")
        return served_page(
            f"Analysis: {rules.title}", body, styles, "analysis.js", here="/analysis"
        )

    def game_facts(self, request: Request) -> Response:
        """What all positions of a game have in common."""
        rules = game(request.path_params["name"])
        return JSONResponse(
            {
                "name": rules.name,
                "title": rules.title,
                "faces": rules.picture.faces(),
                "roleWord": rules.role_word,
                "players": rules.player_counts,
                "form": _form(rules),
            }
        )

    # ---- positions --------------------------------------------------------------------------

    async def look(self, request: Request) -> Response:
        body = await json_body(request)
        return JSONResponse(await run_in_threadpool(looked_at, body))

    # ---- solving ----------------------------------------------------------------------------

    async def solve(self, request: Request) -> Response:
        body = await json_body(request)
        job = await run_in_threadpool(self._solve, body)
        self._running.append(job)
        while len(self._running) > MOST_RUNNING:
            self._running.popleft().stop()
        return JSONResponse({"key": self.jobs.add(job)})

    def _solve(self, body: dict[str, Any]) -> SolveJob:
        rules, posed = _posed(body)
        goal, horizon, others, sight = (
            str(body.get(key) or "") for key in ("goal", "horizon", "others", "sight")
        )
        kind, _, bot = others.partition(":")
        if kind == Others.BOT.value and bot not in BUILT_IN:
            raise BadRequest(f"'{bot}' cannot play here (known: {', '.join(sorted(BUILT_IN))})")
        view = self._view(body, sight, str(posed))
        return SolveJob(Query(rules, posed, goal, horizon, others, sight, view=view))

    def _view(self, body: dict[str, Any], sight: str, position: str) -> View | None:
        """All that the seat had observed, if the position is still that of a saved game."""
        source = body.get("source")
        if not isinstance(source, dict) or sight == "all":
            return None
        moment = self._moment(source)
        same = moment.position == position and moment.view is not None
        return moment.view if same else None

    async def events(self, request: Request) -> Response:
        """Server-sent events: what is known so far, whenever it has changed."""
        job = self.jobs.of(request)
        return StreamingResponse(_snapshots(request, job), media_type="text/event-stream")

    def stop(self, request: Request) -> Response:
        self.jobs.of(request).stop()
        return JSONResponse({})

    # ---- saved games ------------------------------------------------------------------------

    def _moment(self, asked: dict[str, Any]) -> _Moment:
        """The position after some moves of a game of a run, or of one that was played here."""
        replay, at = self._game(asked), number_in(asked.get("at", 0), "at")
        seat = int(GameView(replay).state(at).actor)
        own = asked.get("sight") == "own" and seat >= 0
        shown = GameView(replay, seat if own else None)
        view = shown.view(at, seat) if own else None
        return _Moment(shown.rules, shown.position(at), view)

    def _game(self, asked: dict[str, Any]) -> Replay:
        if "play" in asked:
            return self.play.sessions.get(str(asked["play"])).finished()
        path, number = (
            self.runs.path(str(asked.get("run"))),
            number_in(asked.get("number"), "number"),
        )
        with Journal.read(path) as journal:
            saved = next(iter(journal.games(number)), None)
        if saved is None:
            raise NotThere(f"{path.name} has no game {number}")
        return saved.replay


_MOMENT: Final = ("run", "number", "play", "at", "sight")
"""What names a moment of a saved game."""


class _Moment:
    """A moment of a saved game."""

    def __init__(self, rules: Game, position: str, view: View | None) -> None:
        self.rules = rules
        self.position = str(read_position(rules, position))
        self.view = view


async def _snapshots(request: Request, job: SolveJob) -> AsyncIterator[str]:
    known = -1
    try:
        while True:
            running, version = job.running, job.version
            if version != known:
                known = version
                yield f"data: {json.dumps(job.snapshot)}\n\n"
            if not running:
                return
            if await request.is_disconnected():
                return
            await asyncio.sleep(_LOOK)
    finally:
        job.stop()  # nobody is waiting for the answer any more


# ---- a position for the page ------------------------------------------------------------------


def _posed(body: dict[str, Any]) -> tuple[Game, PosedPosition]:
    rules, text = game(str(body.get("game") or DEFAULT_GAME)), body.get("position")
    if not isinstance(text, str) or not text.strip():
        raise BadPosition(["the position is empty"])
    if len(text) > MOST_TEXT:
        raise BadPosition([f"a position has at most {MOST_TEXT} characters"])
    return rules, read_position(rules, text)


def looked_at(body: dict[str, Any]) -> dict[str, object]:
    """The position after the edits and the move that were asked for, or what is wrong with it."""
    try:
        rules, posed = _posed(_edited(body))
        if body.get("move") is not None:
            posed = _played(rules, posed, body["move"])
    except WrongGame as error:
        return {"problems": error.problems, "otherGame": error.other}
    except BadPosition as error:
        return {"problems": error.problems, "text": _edited(body).get("position", "")}
    except GameError as error:
        return {"problems": [str(error)]}
    return _shown(rules, posed)


def _edited(body: dict[str, Any]) -> dict[str, Any]:
    """The request with the edits made: field -> its new words, none to remove it."""
    edits, text = body.get("edits"), body.get("position")
    if not isinstance(edits, dict) or not isinstance(text, str):
        return body
    rules = game(str(body.get("game") or DEFAULT_GAME))
    parts = split_fields(str(read_position(rules, text)), _seat_keys(rules))
    for key, value in edits.items():
        parts[str(key)] = str(value).split()
    players = " ".join(parts.get("players", []))
    if "players" in edits and players.isdecimal():
        gone = {seat_name(seat) for seat in range(int(players), rules.max_players)}
        parts = {key: words for key, words in parts.items() if key.partition(" ")[0] not in gone}
    form = _form(rules)
    derived = form["derived"] if form else []
    kept = {
        key: words
        for key, words in parts.items()
        if (words or key not in edits) and key not in derived
    }
    return {**body, "position": join_fields(kept), "edits": None}


def _form(rules: Game) -> PositionForm | None:
    return rules.positions.form() if rules.positions else None


def _seat_keys(rules: Game) -> list[str]:
    form = _form(rules)
    return [form["role"], *form["rows"], *form["parts"]] if form else []


def _played(rules: Game, posed: PosedPosition, move: object) -> PosedPosition:
    """The position after a move; everything must be known for that."""
    if posed.unknowns():
        raise BadRequest("cards are unknown; name them to play on from here")
    state = posed.worlds(1)[0]
    if move not in state.moves() or isinstance(move, bool):
        raise BadRequest(f"{move!r} is not a legal move here")
    assert isinstance(move, int)
    state.play(move)
    assert rules.positions is not None
    return read_position(rules, rules.positions.write(state))


def _shown(rules: Game, posed: PosedPosition) -> dict[str, object]:
    example = posed.draw(Rng(1))
    actor = int(example.actor)
    moves = [] if actor == NOBODY else example.moves()
    choices = rules.picture.choices(rules, example, moves)
    listed: list[Any] = [{**choice, "help": rules.help.hint(choice["text"])} for choice in choices]
    if actor == CHANCE:
        listed = outcome_choices(choices, example)
    others = [seat_name(seat) for seat in range(posed.players) if seat != actor]
    goals = [["win", f"{seat_name(actor)} wins"]] if actor >= 0 else []
    goals += [[f"deny:{seat}", f"{seat} does not win"] for seat in others]
    goals += [[name.casefold(), f"{name} wins"] for name in rules.verdicts]
    text = str(posed)
    return {
        "game": rules.name,
        "text": text,
        "parts": split_fields(text, _seat_keys(rules)),
        "unknown": posed.unknowns(),
        "worlds": f"{posed.world_count():,}",
        "table": _table(rules, posed, example),
        "choices": [] if posed.unknowns() else listed,
        "decides": "chance" if actor == CHANCE else "" if actor < 0 else seat_name(actor),
        "solvable": actor >= 0,
        "outcome": rules.help.outcome(example) if actor == NOBODY else "",
        "seats": [{"letter": seat_name(seat), "name": ""} for seat in range(posed.players)],
        "goals": goals,
    }


def _table(rules: Game, posed: PosedPosition, example: State) -> TablePicture:
    """What is certain on the table."""
    if not posed.unknowns():
        return rules.picture.table(rules, example)
    try:
        worlds = posed.worlds(_MOST_COMPARED)
    except TooManyWorlds:
        worlds = [posed.draw(Rng(seed)) for seed in range(_SAMPLES)]
    return rules.picture.table(rules, posed.agreed_table(worlds, idle=False))
