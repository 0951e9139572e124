"""Pages of runs: the list, a league's report that follows it while it plays, and its games."""

from __future__ import annotations

import asyncio
import html
import json
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.league.database import is_run_file
from arena.league.journal import Journal
from arena.league.progress import fault_sentences, planned_by_players, planned_games
from arena.league.read_run import run_of
from arena.stats.standings import Standings, standings_of
from arena.web.report_page import RatingHistory, report_body
from arena.web.server.html_pages import served_page
from arena.web.server.requests import NotThere
from arena.web.view_page import view_page
from games.errors import GameError
from games.registry import game
from games.wording import counted, listed

_PAUSE: Final = 1.0
"""Seconds between two looks at a run file."""
_REST: Final = 20
"""A report is made again at the earliest after so many times the seconds it took."""
_MOST_POINTS: Final = 24
"""Of the curve of ratings while a league plays; then every other one is dropped."""


class Runs:
    """The run files of one folder, which may grow at any time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reports: dict[str, tuple[int, float, str]] = {}
        """Name -> games counted, the time from which it may be made again, and the report."""
        self._histories: dict[str, RatingHistory] = {}
        """The ratings of earlier reports. To compute them from the games would slow a league."""
        self._counts: dict[Path, tuple[float, int]] = {}
        """When the games of a run were last counted, and how many there were."""
        self._lock = Lock()
        self._count_lock = Lock()

    def routes(self) -> list[Route]:
        return [
            Route("/", self.index),
            Route("/runs/{name}", self.run_page),
            Route("/runs/{name}/report", self.report),
            Route("/runs/{name}/events", self.events),
            Route("/runs/{name}/games/{number:int}", self.game_page),
        ]

    def names(self) -> list[str]:
        files = sorted(self.folder.glob("*.db")) if self.folder.is_dir() else []
        return [file.stem for file in files if is_run_file(file)]

    def path(self, name: str) -> Path:
        """The run of that name: one of the list, so that no other file can be asked for."""
        names = self.names()
        if name not in names:
            known = ", ".join(names) or "none yet"
            raise NotThere(f"there is no run '{name}' in {self.folder} (runs: {known})")
        return self.folder / f"{name}.db"

    # ---- pages ----------------------------------------------------------------------------

    def index(self, _request: Request) -> Response:
        items = [
            f'<li><a href="/runs/{quote(name)}">{html.escape(name)}</a>{self._facts(name)}</li>'
            for name in self.names()
        ]
        cards = "".join(items) or "<li>None yet: <code>arena league</code> plays one.</li>"
        body = (
            '<main class="site"><h1>Hidden Leaders Arena</h1>'
            '<p class="ways"><a class="button" href="/play">Play against bots</a> '
            '<a class="button" href="/puzzles">Solve puzzles</a> '
            '<a class="button" href="/analysis">Analyse a position</a></p>'
            f"<h2>Leagues</h2><p>Run files in <code>{html.escape(str(self.folder))}</code></p>"
            f'<ul class="runs">{cards}</ul></main>'
        )
        return served_page("Hidden Leaders Arena", body, here="/")

    def _facts(self, name: str) -> str:
        """What is played, how much of it, and who is ahead, unless that must be computed."""
        try:
            with Journal.read(self.path(name)) as journal:
                league, games = journal.league, len(journal.numbers())
                final = {each.bot: each.mu for each in journal.ratings() if not each.players}
                complete = bool(final) or journal.converted
            players = listed([str(count) for count in league.players])
            rules = f"{game(league.game).title}, {players} players"
        except GameError as error:
            return f"<span>{html.escape(str(error))}</span>"
        facts = [f"{rules}: {counted(games, 'game')}{'' if complete else ' so far'}"]
        if ratings := final or self._last_ratings(name):
            leader = max(ratings, key=ratings.__getitem__)
            facts.append(f"highest rating: {leader}, TrueSkill {ratings[leader]:.1f}")
        facts.append(", ".join(league.names))
        return "".join(f"<span>{html.escape(fact)}</span>" for fact in facts)

    def _last_ratings(self, name: str) -> Mapping[str, float]:
        """Those of the last report of a league that plays; empty if there was none."""
        history = self._histories.get(name, {})
        return history[max(history)] if history else {}

    def run_page(self, request: Request) -> Response:
        name = request.path_params["name"]
        games, report = self._report(name)
        data = f'data-run="{html.escape(name)}" data-games="{games}"'
        body = f'<div id="report" {data}>{report}</div>'
        return served_page(name, body, ("lines.css", "report.css"), "live.js", here="/")

    def report(self, request: Request) -> Response:
        games, report = self._report(request.path_params["name"])
        return HTMLResponse(report, headers={"X-Games": str(games)})

    def _report(self, name: str) -> tuple[int, str]:
        """The games in the report, and it; made again only for new games, and not too often."""
        with self._lock, Journal.read(self.path(name)) as journal:
            count, now = len(journal.numbers()), time.monotonic()
            made = self._reports.get(name)
            if made is not None and (made[0] == count or now < made[1]):
                return made[0], made[2]
            if not count:
                told = html.escape(run_of(journal).empty_text())
                return 0, f"<main><h1>{html.escape(name)}</h1><p>{told}</p></main>"
            standings, total = standings_of(run_of(journal)), planned_games(journal)
            body = report_body(
                name,
                standings,
                total,
                fault_sentences(journal),
                lambda number: f"/runs/{name}/games/{number}",
                planned_by_players(journal),
                None if count == total else self._history(name, standings),
            )
            later = time.monotonic()
            self._reports[name] = (count, later + _REST * (later - now), body)
            return count, body

    def _history(self, name: str, standings: Standings) -> RatingHistory:
        """The ratings of the earlier reports of a league that plays, and of this one."""
        history = self._histories.setdefault(name, {})
        count, bots = len(standings.run.games), standings.run.bots
        if any(known > count or mus.keys() != set(bots) for known, mus in history.items()):
            history.clear()  # another league, or another field
        if len(history) == _MOST_POINTS:
            for known in list(history)[1::2]:
                del history[known]
        history[count] = {bot: standings.rating(bot) for bot in bots}
        return history

    def _games_in_report(self, name: str, count: int) -> int:
        """How many games the report would have if it were asked for now."""
        made = self._reports.get(name)
        return count if made is None or time.monotonic() >= made[1] else made[0]

    def game_page(self, request: Request) -> Response:
        path, number = self.path(request.path_params["name"]), request.path_params["number"]
        with Journal.read(path) as journal:
            for saved in journal.games(number):
                fault = "" if saved.fault is None else f"Ended by a fault: {saved.fault.problem}"
                board = f"/analysis?{urlencode({'run': path.stem, 'number': number})}"
                page = view_page(
                    saved.replay,
                    f"game {number} of {path.name}",
                    fault,
                    analysis=board,
                    back=f"/runs/{quote(path.stem)}",
                )
                return HTMLResponse(page, headers={"X-Own-Policy": "yes"})
            last = max(journal.numbers(), default=-1)
        raise NotThere(f"{path.name} has no game {number}; its games are 0 to {last}")

    # ---- following a league ---------------------------------------------------------------

    async def events(self, request: Request) -> Response:
        """Server-sent events: the number of games, and that of the report, when one changes."""
        path = await run_in_threadpool(self.path, request.path_params["name"])
        return StreamingResponse(self._news(request, path), media_type="text/event-stream")

    async def _news(self, request: Request, path: Path) -> AsyncIterator[str]:
        known: tuple[int, int] | None = None
        while not await request.is_disconnected():
            count = await run_in_threadpool(self._count, path)
            news = count, self._games_in_report(path.stem, count)
            if news != known:
                known = news
                yield f"data: {json.dumps({'games': news[0], 'report': news[1]})}\n\n"
            await asyncio.sleep(_PAUSE)

    def _count(self, path: Path) -> int:
        """The number of games; all viewers of a run share one look at its file."""
        with self._count_lock:
            when, count = self._counts.get(path, (-_PAUSE, 0))
            if time.monotonic() - when < _PAUSE:
                return count
            try:
                with Journal.read(path) as journal:
                    count = len(journal.numbers())
            except GameError:  # deleted, or being made anew
                count = 0
            self._counts[path] = time.monotonic(), count
            return count
