"""Starts or resumes a league from Python: checks its bots, opens its run file, starts workers."""

import os
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from arena.league.config import (
    BadConfig,
    League,
    check_keys,
    error_prefix,
    find_config,
    read_league,
)
from arena.league.journal import Journal
from arena.league.pool import LocalPool
from arena.league.read_run import run_of
from arena.league.runner import LeagueProgress, StopRequest, bring_up_to_date, play_league
from arena.match.bot_factory import RUNS, bot_factory, check_in_sandbox
from arena.stats.standings import Standings, standings_of
from bots.bot import Match
from bots.runtime.loading import PROGRAM_PREFIX

_MOST_RUN_NAME: Final = 80


def run_league(
    config: str | Path | League | None = None,
    *,
    workers: int | None = None,
    run: str | Path | None = None,
    progress: Callable[[LeagueProgress], object] | None = None,
    **keys: object,
) -> Standings:
    """Play a league, or resume it where it was stopped, and return its standings.

        >>> run_league(bots=["my_bot.py:MyBot", "greedy"], players=[2, 4], deals=20)

    `config` is a TOML file or the name of a bundled league, by default `"default"`; `keys` are
    keys of the file and override it. Every finished game is saved in the file `run`, by default
    `runs/NAME.db`, named after the config or the bots; calling this again resumes the league, and
    if it was changed, plays only what is missing. `workers` is the number of processes, by default
    the config's, or one per core; it does not change the results. `progress` is called several
    times a second with how far the league has come.

    Raises a `GameError` if the config or a bot is invalid, or if the run file cannot be used.
    """
    if isinstance(config, League):
        if keys:
            raise BadConfig(f"a League has all keys already; {', '.join(keys)} cannot be given too")
        league, file = config, run or run_file(None, config)
    else:
        check_keys(keys)
        given = {
            key: list(value) if isinstance(value, tuple | range) else value
            for key, value in keys.items()
        }
        path = find_config(str(config or "default"))
        league = read_league(path, given, str)
        file = run or run_file(None if config is None and "bots" in given else path, league)
    check_bots(league)
    with Journal.write(Path(file), league, draw=league.draws_seed) as journal:
        if not bring_up_to_date(journal).complete:
            count = workers or league.workers or os.cpu_count() or 1
            journal.begin_session(count)
            with closing(LocalPool(league, count, hidden=journal.files())) as pool:
                show = progress or (lambda _progress: None)
                play_league(journal, pool, show, lambda: StopRequest.NONE)
        return standings_of(run_of(journal))


def check_bots(league: League) -> None:
    """BadConfig if one of the bots cannot be loaded, or not play this game.

    Isolated bots are not even imported. BadGame if they could not load the game.
    """
    matches = [Match(league.game, players, league.options) for players in league.players]
    for spec in league.bots:
        isolated = league.isolated(spec.bot)
        if isolated and not spec.bot.startswith(PROGRAM_PREFIX):
            check_in_sandbox(matches[0])  # out here, because no bot is to blame
        with error_prefix(league.bots_key):
            bot_factory(spec.bot, isolated, matches=matches)


def run_file(config: Path | None, league: League) -> Path:
    """Where a league is saved unless it is told: named after its config or, without, its bots."""
    words = re.sub(r"[^\w.]+", "-", " ".join(league.names))[:_MOST_RUN_NAME].strip("-.")
    return RUNS / f"{config.stem if config else words or 'bots'}.db"
