"""Bots that join a game in its middle: what one would choose there, knowing nothing from before."""

from __future__ import annotations

from typing import Final

from bots.bot import Match
from bots.runtime.faults import BotFailure, check_move, heed, raised
from bots.runtime.loading import BadBot, ClassFactory, load
from games.registry import Game
from games.seats import seat_name
from games.state import State
from games.view import View
from solver.core.question import Policy

SEED: Final = 1
"""Of every bot that sits among the others of a question."""


def hired(game: Game, name: str) -> Policy:
    """The bot of that name as somebody a question can be about: equal positions, equal choices.

    At each of its decisions a new one joins, so nothing but its View says what it does.
    """
    entrant = load(name)
    if entrant.settings.get("seconds"):
        raise BadBot(f"the bot {name} goes by the clock, so it has no answer that stays the same")
    chosen: dict[bytes, int] = {}

    def choose(state: State) -> int:
        view = joined(game, state)
        key = view.key()
        if key not in chosen:
            chosen[key] = choice(game, entrant, view, SEED)
        return chosen[key]

    return Policy(name, choose)


def joined(game: Game, state: State) -> View:
    """The View of somebody who sits down now where a seat must decide."""
    view = game.analysis.late_view(state, int(state.actor))
    if view is None:
        raise BadBot(f"bots cannot join {game.title} in the middle of a game")
    return view


def choice(game: Game, entrant: ClassFactory, view: View, seed: int) -> int:
    """What a new bot chooses that sees this; BadBot if it fails or chooses no legal move."""
    try:
        bot = entrant.make(view.seat, seed, None, Match(game.name, view.players))
        bot.start(view)
        move = check_move(bot.choose(view))
        if move not in view.moves:
            raise BadBot(told(entrant, view, f"chose {move}, which is not legal"))
        return move
    except BotFailure as breakdown:
        raise BadBot(told(entrant, view, breakdown.problem)) from None
    except BadBot:
        raise
    except BaseException as error:  # noqa: BLE001  (whatever an author's bot does)
        heed(error)
        raise BadBot(told(entrant, view, raised(error).problem)) from None


def told(entrant: ClassFactory, view: View, problem: str) -> str:
    return f"the bot {entrant.name}, joining as {seat_name(view.seat)}, {problem}"
