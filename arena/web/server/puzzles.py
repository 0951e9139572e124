"""Puzzles in the browser: the list, the next one, and attempts with verdicts and hints."""

from __future__ import annotations

import html
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.seeds import MOST_SEED
from arena.web.server.html_pages import served_page
from arena.web.server.puzzle_session import PuzzleSession
from arena.web.server.requests import BadRequest, NotThere, Sessions, json_body
from bots.runtime.mid_game import puzzle_policy
from games.errors import did_you_mean
from solver.ask import Solution
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.puzzles.choice import daily_puzzle, missed_puzzle, next_puzzle, random_puzzle
from solver.puzzles.files import HARDEST, Puzzle, bundled_puzzles, solution_of
from solver.puzzles.progress import Attempt, BadProgress, Progress, load_progress, record_attempt
from solver.puzzles.task import task

_STARS: Final = "★★★★★☆☆☆☆☆"
_MARKS: Final = {
    "solved": "✓ solved",
    "later": "✓ solved later",
    "missed": "✗ missed",
    "": "",
}
_FILTERS: Final = ("level", "theme", "game", "players", "mark")


@cache
def all_puzzles() -> dict[str, Puzzle]:
    """The bundled puzzles by name, from easy to hard."""
    puzzles = sorted(bundled_puzzles(), key=lambda puzzle: puzzle.rank)
    return {puzzle.name: puzzle for puzzle in puzzles}


class Puzzles:
    """The bundled puzzles, and all attempts in progress."""

    def __init__(
        self,
        extra: Sequence[Puzzle] = (),
        progress_file: Path | None = None,
        has_analysis: bool = True,
    ) -> None:
        self.has_analysis = has_analysis
        """Whether there is an analysis board to go to."""
        self.puzzles = {**all_puzzles(), **{puzzle.name: puzzle for puzzle in extra}}
        """The bundled ones and these."""
        self.progress_file = progress_file
        """Where the person's progress is kept; None: in the user's data folder."""
        self.sessions = Sessions[PuzzleSession](
            "this attempt is not known here any more; reload the page to start again"
        )
        self._solutions: dict[str, Solution] = {}
        self._lock = Lock()

    def routes(self) -> list[Route]:
        return [
            Route("/puzzles", self.index),
            Route("/puzzles/next", self.next),
            Route("/puzzles/random", self.random),
            Route("/puzzles/daily", self.daily),
            Route("/puzzles/{name}", self.page),
            Route("/puzzles/{name}/new", self.new, methods=["POST"]),
            Route("/puzzles/attempts/{key}/{action}", self.act, methods=["POST"]),
        ]

    def puzzle(self, request: Request) -> Puzzle:
        name, known = request.path_params["name"], self.puzzles
        if name not in known:
            raise NotThere(
                f"there is no puzzle '{name}'{did_you_mean(name, known)} "
                f"(/puzzles lists all {len(known)})"
            )
        return known[name]

    # ---- progress ---------------------------------------------------------------------------

    def progress(self) -> tuple[Progress, str]:
        """The person's progress, and what is wrong with its file."""
        try:
            progress = load_progress(self.progress_file)
        except BadProgress as error:
            return Progress(), str(error)
        return progress, progress.damage

    def _record(self, session: PuzzleSession, solved: bool) -> None:
        """Note how the attempt went, once; a file that cannot be written spoils no puzzle."""
        if session.recorded or session.puzzle is not all_puzzles().get(session.puzzle.name):
            return  # puzzles of one's own are not rated
        session.recorded = True
        puzzle = session.puzzle
        attempt = Attempt(puzzle.name, solved, puzzle.rating, session.helped)
        try:
            record_attempt(attempt, self.progress_file)
        except BadProgress as error:
            session.notice = f"Progress is not kept: {error}."

    # ---- which puzzle -----------------------------------------------------------------------

    def _wanted(self, request: Request) -> list[Puzzle]:
        """The puzzles that the filters of the address leave."""
        asked = {name: request.query_params.get(name, "") for name in _FILTERS}
        marks = self.progress()[0].marks
        tests: dict[str, Callable[[Puzzle], str]] = {
            "level": lambda puzzle: str(puzzle.difficulty),
            "theme": lambda puzzle: puzzle.theme,
            "game": lambda puzzle: puzzle.query.game.name,
            "players": lambda puzzle: str(puzzle.query.position.players),
            "mark": lambda puzzle: marks.get(puzzle.name, "new"),
        }
        return [
            puzzle
            for puzzle in self.puzzles.values()
            if all(not value or tests[name](puzzle) == value for name, value in asked.items())
        ]

    def next(self, request: Request) -> Response:
        """An untried puzzle, else one that was missed, else the one after `after`."""
        puzzles, progress = self._some(request), self.progress()[0]
        names = [puzzle.name for puzzle in puzzles]
        after = request.query_params.get("after", "")
        others = [puzzle for puzzle in puzzles if puzzle.name != after]
        following = names.index(after) + 1 if after in names else 0
        puzzle = next_puzzle(others, progress) or missed_puzzle(others, progress)
        return _open(request, puzzle or puzzles[following % len(puzzles)])

    def random(self, request: Request) -> Response:
        return _open(request, random_puzzle(self._some(request), secrets.randbelow(MOST_SEED)))

    def daily(self, request: Request) -> Response:
        """The same puzzle for everybody, all day."""
        return _open(request, daily_puzzle(self._some(request), datetime.now(UTC).date()))

    def _some(self, request: Request) -> list[Puzzle]:
        """The same puzzles; NotThere if there is none."""
        puzzles = self._wanted(request)
        if not puzzles:
            raise NotThere("no puzzle matches these filters; /puzzles lists them all")
        return puzzles

    # ---- pages ------------------------------------------------------------------------------

    def index(self, request: Request) -> Response:
        progress, problem = self.progress()
        wanted = self._wanted(request)
        rows = "".join(
            f'<li><a href="/puzzles/{quote(puzzle.name)}{html.escape(_kept_filters(request))}">'
            f"<b>{html.escape(puzzle.title)}</b>"
            f"<span>{_level(puzzle)}</span><span>{html.escape(puzzle.theme)}</span>"
            f"<span>{html.escape(puzzle.query.game.title)}, "
            f"{puzzle.query.position.players} players</span>"
            f'<span class="mark">{_MARKS[progress.marks.get(puzzle.name, "")]}</span></a></li>'
            for puzzle in wanted
        )
        kept = html.escape(_kept_filters(request))
        links = "".join(
            f'<a class="button" href="/puzzles/{name}{kept}">{words}</a> '
            for name, words in (("next", "Next"), ("random", "Random"), ("daily", "Daily"))
        )
        body = f"""<main class="site puzzles"><h1>Puzzles</h1>
<p>Every answer is proven. You play against the best defence, and every move that is as good as the
best one counts.</p>{_score(progress)}{_warning(problem)}
<p class="ways">{links}</p>{_filter_form(request)}
<p>{len(wanted)} of {len(self.puzzles)} puzzles</p>
<ul class="list">{rows or "<li>No puzzle matches.</li>"}</ul></main>"""
        return served_page("Puzzles", body, ("puzzle.css",), here="/puzzles")

    def page(self, request: Request) -> Response:
        puzzle = self.puzzle(request)
        progress, problem = self.progress()
        query = puzzle.query
        board = str(query.position).replace("; ", "\n")
        facts = f"{_level(puzzle)} · {puzzle.query.game.title} · {query.position.players} players"
        kept = _kept_filters(request)
        following = f"/puzzles/next{kept}{'&' if kept else '?'}after={quote(puzzle.name)}"
        body = f"""<main class="play puzzle" data-puzzle="{html.escape(quote(puzzle.name))}">
<header><div><h1>{html.escape(puzzle.title)}</h1><p class="facts">{html.escape(facts)}</p></div>
{_score(progress)}</header>{_warning(problem)}
<p class="story">{html.escape(puzzle.story)}</p>
<p class="task"><b>{html.escape(task(puzzle))}</b></p>
<div class="columns"><div><div id="board"></div></div>
<aside><p id="status" role="status"></p><section id="choose" aria-label="Your choices"></section>
<p class="ways"><a class="button" id="next" href="{html.escape(following)}">Next puzzle</a>
<a href="/puzzles{html.escape(kept)}">All puzzles</a></p>
<section aria-label="What has happened"><div id="story"></div></section>
</aside></div>
<noscript><p>Trying a puzzle needs JavaScript. The position:</p>
<pre>{html.escape(board)}</pre></noscript></main>"""
        styles = ("board.css", "play.css", "puzzle.css")
        return served_page(puzzle.title, body, styles, "puzzle.js", here="/puzzles")

    # ---- for the page -----------------------------------------------------------------------

    async def new(self, request: Request) -> Response:
        puzzle = self.puzzle(request)
        session = await run_in_threadpool(self._new, puzzle)
        key = self.sessions.add(session)
        return JSONResponse({"key": key, **session.faces(), **session.as_json()})

    def _new(self, puzzle: Puzzle) -> PuzzleSession:
        with self._lock:
            solved = self._solutions.get(puzzle.name)
            if solved is None:
                solved = solution_of(puzzle, NodeBudget(USUAL_NODES), puzzle_policy)
                self._solutions[puzzle.name] = solved
        seed = secrets.randbelow(MOST_SEED)
        return PuzzleSession(puzzle, solved, seed, self.has_analysis)

    async def act(self, request: Request) -> Response:
        session = self.sessions.of(request)
        body = await json_body(request)
        action = request.path_params["action"]
        return JSONResponse(await run_in_threadpool(self._act, session, action, body))

    def _act(self, session: PuzzleSession, action: str, body: dict[str, Any]) -> dict[str, object]:
        with session.lock:
            more: dict[str, object] = {}
            match action:
                case "choose":
                    session.choose(body.get("move"))
                case "undo":
                    session.undo()
                case "hint":
                    session.hint()
                case "why":
                    return session.why()
                case "answer":
                    more = session.answer()
                    self._record(session, solved=False)
                case _:
                    known = "choose, undo, hint, why, answer"
                    raise BadRequest(f"there is no action '{action}' ({known})")
            if session.missed or session.solved_by_person:
                self._record(session, solved=not session.missed)
            score = _score(self.progress()[0])
            return {**session.as_json(), **more, "score": score}


def _open(request: Request, puzzle: Puzzle) -> Response:
    return RedirectResponse(f"/puzzles/{quote(puzzle.name)}{_kept_filters(request)}", 303)


# ---- pieces of pages --------------------------------------------------------------------------


def _level(puzzle: Puzzle) -> str:
    stars = _STARS[HARDEST - puzzle.difficulty :][:HARDEST]
    return f"level {puzzle.difficulty} {stars} ({puzzle.rating})"


def _score(progress: Progress) -> str:
    """The person's rating, streak and solved puzzles, for a corner of the page."""
    solved = sum(mark != "missed" for mark in progress.marks.values())
    rating = progress.rating
    sure = (
        f"{rating.rating:.0f} ± {1.96 * rating.deviation:.0f}" if progress.attempts else "none yet"
    )
    return (
        f'<dl class="score" id="score"><div><dt>Rating</dt><dd>{sure}</dd></div>'
        f"<div><dt>Streak</dt><dd>{progress.streak}</dd></div>"
        f"<div><dt>Solved</dt><dd>{solved} of {len(all_puzzles())}</dd></div></dl>"
    )


def _warning(problem: str) -> str:
    return f'<p class="problem">{html.escape(problem)}</p>' if problem else ""


def _kept_filters(request: Request) -> str:
    """The filters of this address, to go on with in the next."""
    kept = {name: request.query_params.get(name, "") for name in _FILTERS}
    return f"?{urlencode(chosen)}" if (chosen := {k: v for k, v in kept.items() if v}) else ""


def _filter_form(request: Request) -> str:
    puzzles = all_puzzles().values()
    games = {puzzle.query.game.name: puzzle.query.game.title for puzzle in puzzles}
    counts = {str(puzzle.query.position.players) for puzzle in puzzles}
    options: dict[str, dict[str, str]] = {
        "level": {str(level): f"level {level}" for level in range(1, HARDEST + 1)},
        "theme": {theme: theme for theme in sorted({puzzle.theme for puzzle in puzzles})},
        "game": games,
        "players": {each: each for each in sorted(counts)},
        "mark": {
            "new": "not tried",
            "missed": "missed",
            "solved": "solved",
            "later": "solved later",
        },
    }
    words = {"level": "Level", "theme": "Theme", "game": "Game", "players": "Players"}
    words["mark"] = "Progress"
    fields = []
    for name, known in options.items():
        chosen = request.query_params.get(name, "")
        items = "".join(
            f'<option value="{html.escape(value)}"{" selected" if value == chosen else ""}>'
            f"{html.escape(text)}</option>"
            for value, text in {"": "any", **known}.items()
        )
        fields.append(f'<label>{words[name]} <select name="{name}">{items}</select></label>')
    return f'<form class="filters" action="/puzzles">{"".join(fields)}<button>Show</button></form>'
