"""`arena.play_game`: one game between bots, for scripts and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.match import referee
from arena.match.bot_factory import bot_factory
from arena.match.referee import Result
from bots.bot import Bot, Budget, Match
from games import registry
from games.registry import DEFAULT_GAME


def play_game(
    bots: Sequence[str | type[Bot]],
    *,
    seed: int = 1,
    game: str = DEFAULT_GAME,
    options: Mapping[str, object] | None = None,
    budget: Budget | None = None,
    isolate: bool = False,
) -> Result:
    """Play one game between bots, in seats A, B, ... in the order given.

        >>> play_game(["greedy", "random"], seed=1).winners

    A bot is named as on the command line: `greedy`, `ismcts:iterations=200`, `module:Class`,
    `file.py:Class` or `cmd:COMMAND LINE`, or is a subclass of `Bot`. The same seed and bots give
    the same game, unless a bot searches by the clock. `options` are those of the game, such as
    `{"deck": "beginner"}`. With `isolate`, every bot runs in its own process and sandbox.

    Raises GameError if a name, the number of bots or an option is wrong, and its subclass BotFault
    if a bot crashes, exceeds its time or chooses an illegal move.
    """
    rules = registry.game(game)
    rules.check_players(len(bots))
    chosen = dict(options or {})
    match = Match(rules.name, len(bots), chosen)
    factories = [bot_factory(name, isolate, matches=[match]) for name in bots]
    return referee.run_game(rules, factories, seed, chosen, budget)
