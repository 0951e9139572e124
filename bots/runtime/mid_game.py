"""Lets a bot take over a seat in the middle of a game, knowing only what that seat can see now."""

from __future__ import annotations

from typing import Final

from bots.bot import Match
from bots.runtime.faults import BotFailure, check_move, one_line, reraise_ctrl_c
from bots.runtime.frames import failure_from, innermost, own_code
from bots.runtime.loading import BUILT_IN, BadBot, ClassFactory, is_ours, load_bot
from games.registry import Game
from games.seats import seat_name
from games.state import State
from games.view import View
from solver.core.question import Policy

POLICY_SEED: Final = 1
"""Seed of every bot whose policy the solver assumes."""


def bot_policy(game: Game, name: str) -> Policy:
    """The bot as a policy that the solver can assume for a seat: same View, same move.

    Every decision is made by a fresh instance, so the View alone determines the move.
    """
    factory = load_bot(name)
    if factory.settings.get("seconds"):
        raise BadBot(
            f"the bot {name} has a time limit, so its moves can vary; set iterations instead"
        )
    moves: dict[bytes, int] = {}

    def choose(state: State) -> int:
        view = mid_game_view(game, state)
        key = view.key()
        if key not in moves:
            moves[key] = choose_mid_game(game, factory, view, POLICY_SEED)
        return moves[key]

    return Policy(name, choose)


def puzzle_policy(game: Game, name: str) -> Policy:
    """The same for a bot that a puzzle names; BadBot unless it is one of ours.

    A puzzle may come from anybody, and any other bot would be code that its author chose.
    """
    if not is_ours(name):
        known = ", ".join(BUILT_IN)
        raise BadBot(f"a puzzle may name the built-in bots only ({known}), not {one_line(name)}")
    return bot_policy(game, name)


def mid_game_view(game: Game, state: State) -> View:
    """The View of a bot that takes over the seat to move."""
    view = game.analysis.late_view(state, int(state.actor))
    if view is None:
        raise BadBot(f"bots cannot join {game.title} in the middle of a game")
    return view


def choose_mid_game(game: Game, factory: ClassFactory, view: View, seed: int) -> int:
    """The move of a fresh bot that sees this View; BadBot if it fails or its move is illegal."""
    try:
        bot = factory.make(view.seat, seed, None, Match(game.name, view.players))
        bot.start(view)
        move = check_move(bot.choose(view))
        problem = "" if move in view.moves else f"chose {move}, which is not legal"
    except BotFailure as failure:
        problem = failure.problem
    except BaseException as error:  # noqa: BLE001  (a bot may raise anything)
        reraise_ctrl_c(error)
        crash = failure_from(error, own_code(factory.bot))
        where = innermost(crash.frames)
        problem = crash.problem + (f" ({where})" if where else "")
    if problem:
        raise BadBot(f"the bot {factory.name}, joining as {seat_name(view.seat)}, {problem}")
    return move
