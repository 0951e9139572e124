"""Games between a person in the browser and bots: one session for each, kept on the server.

What is sent is what the person's seat may know: the table from its View, the choices of its own
decision, and the story as its seat saw it. At the end everything is shown, as at a real table.
"""

from __future__ import annotations

import html
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.match.bot_factory import bot_factory
from arena.match.human_game import HumanGame
from arena.seeds import MOST_SEED, derive_seed
from arena.web.server.html_pages import served_page
from bots.bot import Match
from bots.runtime.loading import BUILT_IN
from games.errors import GameError
from games.registry import DEFAULT_GAME, all_games, game
from games.replay import Replay, write_replay
from games.seats import seat_from_name, seat_name
from games.state import Rng

MOST_SESSIONS: Final = 50
"""Games kept at a time; the one that was not used for longest goes first."""
HINTS: Final = "ismcts:iterations=600"
"""The bot that is asked for a hint."""


class BadRequest(GameError):
    """A request that cannot be answered; the message says why."""


@dataclass
class Session:
    """One game, and a lock that lets one request at a time move it on."""

    game: HumanGame
    lock: Lock = field(default_factory=Lock)
    problem: str = ""
    """How a bot's fault ended the game."""

    def advance(self) -> None:
        try:
            self.game.advance()
        except GameError as error:
            self.problem = str(error)

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
        adviser = bot_factory(HINTS, isolated=False).make(human.seat, seed, None, match)
        adviser.start(human.view)
        return adviser.choose(human.view)

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

    def __init__(self) -> None:
        self.sessions: OrderedDict[str, Session] = OrderedDict()

    def routes(self) -> list[Route]:
        return [
            Route("/play", self.form),
            Route("/play/new", self.new, methods=["POST"]),
            Route("/play/{key}", self.table),
            Route("/play/{key}/state", self.state),
            Route("/play/{key}/replay", self.replay),
            Route("/play/{key}/{action}", self.act, methods=["POST"]),
        ]

    def close(self) -> None:
        for session in self.sessions.values():
            session.game.close()

    def session(self, request: Request) -> Session:
        key = request.path_params["key"]
        if key not in self.sessions:
            raise BadRequest("this game is not known here any more; start a new one at /play")
        self.sessions.move_to_end(key)
        return self.sessions[key]

    # ---- pages ----------------------------------------------------------------------------

    def form(self, _request: Request) -> Response:
        games = "".join(
            f'<option value="{rules.name}">{html.escape(rules.title)}</option>'
            for rules in all_games()
        )
        bots = "".join(f"<option>{name}</option>" for name in sorted(BUILT_IN))
        body = f"""<main class="site"><h1>Play against bots</h1>
<p>You see what your seat may know, and nothing else.</p>
<form class="start" id="start">
<label>Game <select name="game">{games}</select></label>
<label>Players <input name="players" type="number" value="3" min="2" max="8"></label>
<label>Opponents <select name="bot">{bots}</select></label>
<label>Your seat, a letter or random <input name="seat" value="A" maxlength="6"></label>
<label>Seed, empty for a new deal <input name="seed" inputmode="numeric"></label>
<button class="main">Start</button>
<p id="problem" class="problem" role="alert" hidden></p>
</form></main>"""
        return served_page("Play against bots", body, script="start.js")

    def table(self, request: Request) -> Response:
        human = self.session(request).game
        body = f"""<main class="play"><h1>{html.escape(human.rules.title)}</h1>
<p id="aim"></p><p id="status" role="status"></p>
<div class="columns"><div><div id="board"></div></div>
<aside><section id="choose" aria-label="Your choices"></section>
<section aria-label="What has happened"><h2>What has happened</h2><div id="story"></div></section>
</aside></div></main>"""
        return served_page(human.rules.title, body, ("board.css", "play.css"), "play.js")

    # ---- for the page ---------------------------------------------------------------------

    async def new(self, request: Request) -> Response:
        wanted = await _body(request)
        key = await run_in_threadpool(self._new, wanted)
        return JSONResponse({"address": f"/play/{key}"})

    def _new(self, wanted: dict[str, Any]) -> str:
        rules = game(str(wanted.get("game") or DEFAULT_GAME))
        players = _number(wanted.get("players"), "players")
        rules.check_players(players)
        given = wanted.get("seed")
        seed = secrets.randbelow(MOST_SEED) if given in (None, "") else _number(given, "seed")
        if not 0 <= seed <= MOST_SEED:
            raise BadRequest(f"a seed is a number from 0 to {MOST_SEED}, not {seed}")
        name = str(wanted.get("bot") or "greedy")
        if name not in BUILT_IN:
            known = ", ".join(sorted(BUILT_IN))
            raise BadRequest(f"'{name}' cannot play here (known: {known})")
        seat = _seat(str(wanted.get("seat") or "A"), players, seed)
        factories = {
            other: bot_factory(name, isolated=False) for other in range(players) if other != seat
        }
        opening = Replay(rules.name, players, ())
        session = Session(HumanGame(opening, seat, factories, seed, lambda _who: None))
        session.advance()
        key = secrets.token_urlsafe(12)
        self.sessions[key] = session
        while len(self.sessions) > MOST_SESSIONS:
            self.sessions.popitem(last=False)[1].game.close()
        return key

    def state(self, request: Request) -> Response:
        session = self.session(request)
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
        session = self.session(request)
        body = await _body(request)
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
                case _:
                    raise BadRequest(f"there is no action '{action}' (choose, undo, hint)")
            return JSONResponse(session.as_json())

    def replay(self, request: Request) -> Response:
        """The game's replay, once it is over: before, it would show every card."""
        session = self.session(request)
        if not session.game.over:
            raise BadRequest("the replay shows every card; you can save it when the game is over")
        return Response(write_replay(session.game.replay()), media_type="application/jsonl")


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        raise BadRequest("the request is not JSON") from None
    if not isinstance(body, dict):
        raise BadRequest("an object was expected in the request")
    return body


def _number(value: object, name: str) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise BadRequest(f"{name} must be a whole number, not {value!r}") from None


def _seat(text: str, players: int, seed: int) -> int:
    if text.casefold() == "random":
        return Rng(derive_seed(seed, "seat")).below(players)
    seat = seat_from_name(text)
    if seat >= players:
        raise BadRequest(f"there is no seat {text.upper()} with {players} players")
    return seat
