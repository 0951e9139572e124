"""Games between a person in the browser and bots: one session for each, kept on the server.

What is sent is what the person's seat may know: the table from its View, the choices of its own
decision, and the story as its seat saw it. At the end everything is shown, as at a real table.
"""

from __future__ import annotations

import html
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from arena.match.bot_factory import bot_factory
from arena.match.human_game import HumanGame
from arena.match.referee import BotFault
from arena.review.game_review import ReviewPlan
from arena.review.reviewer import review_game
from arena.review.verdict import verdict
from arena.seeds import MOST_SEED, derive_seed
from arena.web.review_marks import REVIEW_FORMAT, REVIEW_VERSION
from arena.web.server.html_pages import served_page
from arena.web.server.requests import BadRequest, Sessions, json_body, number_in
from arena.web.view_page import view_page
from bots.bot import Match
from bots.runtime.loading import BUILT_IN
from games.errors import GameError
from games.registry import DEFAULT_GAME, all_games, game
from games.replay import Replay, write_replay
from games.seats import seat_from_name, seat_name
from games.state import Rng

ADVISER: Final = "ismcts:iterations=600"
"""The bot that is asked for a hint."""
REVIEW: Final = ReviewPlan(iterations=400)
"""How thoroughly a game is reviewed."""
_LEVELS: Final = tuple(f"champion:level={level}" for level in range(1, 8))
OFFERED: Final = ("greedy", *_LEVELS, *sorted(BUILT_IN.keys() - {"greedy"}))
"""The bots to play against; the first one, which is also that of `arena play`, is offered first."""
STAND_IN: Final = "greedy"
"""Takes over the seat of a bot that fails."""


@dataclass
class Session:
    """One game, and a lock that lets one request at a time move it on."""

    game: HumanGame
    lock: Lock = field(default_factory=Lock)
    problem: str = ""
    """Why the game cannot go on."""
    adviser: str = ADVISER
    plan: ReviewPlan = REVIEW
    review: dict[str, object] | None = None
    """What a reviewer says about the finished game; None until it is asked for."""
    reviewed: tuple[int, int] = (0, 0)
    """How many decisions have been reviewed, and how many there are."""

    def advance(self) -> None:
        """Let the others play; the seat of a bot that fails is taken over by another bot."""
        replaced: set[int] = set()
        while True:
            try:
                self.game.advance()
            except BotFault as fault:
                if fault.seat in replaced:
                    self.problem = str(fault)
                    return
                replaced.add(fault.seat)
                self.game.replace_bot(fault, bot_factory(STAND_IN, isolated=False))
            except GameError as error:
                self.problem = str(error)
                return
            else:
                return

    def choose(self, move: object) -> None:
        if move not in self.game.view.moves or isinstance(move, bool):
            raise BadRequest(f"{move!r} is not one of your choices now")
        assert isinstance(move, int)
        self.game.choose(move)
        self.advance()

    def hint(self) -> int:
        """What a search would choose, knowing what the person knows."""
        human = self.game
        if not human.view.moves:
            raise BadRequest("there is nothing to choose now")
        match = Match(human.rules.name, human.players, human.opening.options)
        seed = derive_seed(human.seed, "hint", len(human.moves))
        adviser = bot_factory(self.adviser, isolated=False).make(human.seat, seed, None, match)
        adviser.start(human.view)
        return adviser.choose(human.view)

    def finished(self) -> Replay:
        """The game's replay, once it is over: before, it would show every card."""
        if not self.game.over:
            raise BadRequest("the replay shows every card; you can save it when the game is over")
        return self.game.replay()

    def look_back(self) -> object:
        """Review the finished game; the number of the move that lost it, None if none did."""
        if self.review is None:
            review = review_game(self.finished(), self.plan, progress=self._reviewing)
            marks = {"format": REVIEW_FORMAT, "version": REVIEW_VERSION}
            self.review = {**marks, "verdict": verdict(review), **review.to_json()}
        return self.review["lost_at"]

    def _reviewing(self, done: int, total: int) -> bool:
        self.reviewed = done, total
        return True

    def as_json(self) -> dict[str, object]:
        """The table, choices and story as the person may see them."""
        human = self.game
        rules, view, over = human.rules, human.view, human.over
        known = human.state if over else view.known_table()
        choices = [] if over or self.problem else rules.picture.choices(rules, known, view.moves)
        hints = [rules.help.hint(choice["text"]) for choice in choices]
        return {
            "table": rules.picture.table(rules, known),
            "choices": [
                {**choice, "help": hint} for choice, hint in zip(choices, hints, strict=True)
            ],
            "story": [vars(move) for move in human.history],
            "aim": "" if over else rules.help.aim(view),
            "over": over,
            "problem": self.problem,
            "result": self._result() if over else [],
            "mayUndo": human.may_undo and not over and not self.problem,
        }

    def _result(self) -> list[str]:
        human = self.game
        winners = human.state.winners()
        lost = f"You lose to {human.narrator.winners(winners)}." if winners else "Nobody wins."
        verdict = "You win." if human.seat in winners else lost
        return [verdict, *human.rules.help.outcome(human.state).splitlines()]


class Play:
    """All games in progress."""

    def __init__(
        self,
        opponents: Sequence[str] = OFFERED,
        adviser: str = ADVISER,
        plan: ReviewPlan = REVIEW,
        has_analysis: bool = True,
    ) -> None:
        self.plan = plan
        self.has_analysis = has_analysis
        """Whether there is an analysis board to go to."""
        self.opponents = opponents
        self.adviser = adviser
        self.sessions = Sessions[Session](
            "this game is not known here any more; start a new one at /play",
            lambda session: session.game.close(),
        )

    def routes(self) -> list[Route]:
        return [
            Route("/play", self.form),
            Route("/play/new", self.new, methods=["POST"]),
            Route("/play/{key}", self.table),
            Route("/play/{key}/state", self.state),
            Route("/play/{key}/replay", self.replay),
            Route("/play/{key}/view", self.view),
            Route("/play/{key}/reviewed", self.reviewed),
            Route("/play/{key}/{action}", self.act, methods=["POST"]),
        ]

    def add(self, human: HumanGame) -> str:
        """Seat the person; returns the address of the table."""
        session = Session(human, adviser=self.adviser, plan=self.plan)
        session.advance()
        return f"/play/{self.sessions.add(session)}"

    # ---- pages ----------------------------------------------------------------------------

    def form(self, _request: Request) -> Response:
        games = "".join(
            f'<option value="{rules.name}" data-least="{rules.min_players}"'
            f' data-most="{rules.max_players}">{html.escape(rules.title)}</option>'
            for rules in all_games()
        )
        bots = "".join(
            f'<option value="{name}">{_bot_words(name)}</option>' for name in self.opponents
        )
        body = f"""<main class="site"><h1>Play against bots</h1>
<p>You see what your seat may know, and nothing else.</p>
<form class="start" id="start">
<label>Game <select name="game">{games}</select></label>
<label><span id="counts">Players</span>
<input name="players" type="number" value="3" required></label>
<label>Opponents <select name="bot">{bots}</select></label>
<label>Your seat, a letter or random <input name="seat" value="A" maxlength="6"></label>
<label>Seed, empty for a new deal <input name="seed" inputmode="numeric"></label>
<button class="main">Start</button>
<p id="problem" class="problem" role="alert" hidden></p>
</form></main>"""
        return served_page("Play against bots", body, script="start.js", here="/play")

    def table(self, request: Request) -> Response:
        human = self.sessions.of(request).game
        body = f"""<main class="play"><h1>{html.escape(human.rules.title)}</h1>
<p id="aim"></p><p id="status" role="status"></p>
<div class="columns"><div><div id="board"></div></div>
<aside><section id="choose" aria-label="Your choices"></section>
<section aria-label="What has happened"><h2>What has happened</h2><div id="story"></div></section>
</aside></div></main>"""
        styles = ("board.css", "play.css")
        return served_page(human.rules.title, body, styles, "play.js", here="/play")

    # ---- for the page ---------------------------------------------------------------------

    async def new(self, request: Request) -> Response:
        wanted = await json_body(request)
        return JSONResponse({"address": await run_in_threadpool(self._new, wanted)})

    def _new(self, wanted: dict[str, Any]) -> str:
        rules = game(str(wanted.get("game") or DEFAULT_GAME))
        players = number_in(wanted.get("players"), "players")
        rules.check_players(players)
        given = wanted.get("seed")
        seed = secrets.randbelow(MOST_SEED) if given in (None, "") else number_in(given, "seed")
        if not 0 <= seed <= MOST_SEED:
            raise BadRequest(f"a seed is a number from 0 to {MOST_SEED}, not {seed}")
        name = str(wanted.get("bot") or "greedy")
        if name not in self.opponents:
            known = ", ".join(self.opponents)
            raise BadRequest(f"'{name}' cannot play here (known: {known})")
        seat = _seat(str(wanted.get("seat") or "A"), players, seed)
        factories = {
            other: bot_factory(name, isolated=False, matches=[Match(rules.name, players)])
            for other in range(players)
            if other != seat
        }
        opening = Replay(rules.name, players, ())
        return self.add(HumanGame(opening, seat, factories, seed, lambda _who: None))

    def state(self, request: Request) -> Response:
        session = self.sessions.of(request)
        human = session.game
        with session.lock:
            return JSONResponse(
                {
                    "faces": human.rules.picture.faces(),
                    "roleWord": human.rules.role_word,
                    "observer": human.seat,
                    "seats": [
                        {"letter": seat_name(seat), "name": name}
                        for seat, name in enumerate(human.names)
                    ],
                    **session.as_json(),
                }
            )

    async def act(self, request: Request) -> Response:
        session = self.sessions.of(request)
        body = await json_body(request)
        return await run_in_threadpool(self._act, session, request.path_params["action"], body)

    def _act(self, session: Session, action: str, body: dict[str, Any]) -> Response:
        with session.lock:
            match action:
                case "choose":
                    session.choose(body.get("move"))
                case "undo":
                    session.game.undo()
                case "hint":
                    return JSONResponse({"move": session.hint()})
                case "review":
                    return JSONResponse({"at": session.look_back()})
                case _:
                    known = "choose, undo, hint, review"
                    raise BadRequest(f"there is no action '{action}' ({known})")
            return JSONResponse(session.as_json())

    def replay(self, request: Request) -> Response:
        replay = self.sessions.of(request).finished()
        return Response(write_replay(replay), media_type="application/jsonl")

    def view(self, request: Request) -> Response:
        """The finished game in the viewer, through all eyes, with its review if there is one."""
        session = self.sessions.of(request)
        board = f"/analysis?play={request.path_params['key']}" if self.has_analysis else ""
        page = view_page(
            session.finished(),
            "a game that you have played",
            analysis=board,
            review=session.review,
            back=f"/play/{request.path_params['key']}",
        )
        return HTMLResponse(page, headers={"X-Own-Policy": "yes"})

    def reviewed(self, request: Request) -> Response:
        """How far the review is."""
        done, total = self.sessions.of(request).reviewed
        return JSONResponse({"done": done, "total": total})


def _bot_words(name: str) -> str:
    """A bot as the form offers it."""
    level = name.removeprefix("champion:level=")
    if level != name:
        return f"champion, level {level}{' (easiest)' * (level == '1')}"
    return f"{name}{', at full strength' * (name == 'champion')}"


def _seat(text: str, players: int, seed: int) -> int:
    if text.casefold() == "random":
        return Rng(derive_seed(seed, "seat")).below(players)
    seat = seat_from_name(text)
    if seat >= players:
        raise BadRequest(f"there is no seat {text.upper()} with {players} players")
    return seat
