"""Checks a run against the rules and its own schedule, game by game."""

from __future__ import annotations

from collections.abc import Iterator

from arena.config import League
from arena.journal import Journal, Kept
from arena.player import mark
from arena.run_file import BadRun
from arena.schedule import GameKey, games_of_round, games_per_round, round_count
from games.registry import game
from games.state import NOBODY


def problems(journal: Journal) -> Iterator[str]:
    """For every game of the run what is wrong with it; empty words if nothing is.

    Then, for a league that is not finished, nothing more; a gap among the games is a problem of its
    own.
    """
    rules = game(journal.league.game)
    if rules.rules_version != journal.rules:
        raise BadRun(
            f"{journal.path} was played by rules version {journal.rules}, "
            f"these are version {rules.rules_version}"
        )
    keys = known_keys(journal)
    for kept in journal.games():
        where = f"game {kept.played.number}: "
        wrong = misplaced(journal.league, keys.get(kept.played.number), kept) or misplayed(kept)
        yield where + wrong if wrong else ""
    for number, _ in journal.forfeits():
        yield "" if number in keys else f"game {number}: the schedule has no such game"


def known_keys(journal: Journal) -> dict[int, GameKey]:
    """The schedule, in a Swiss league as far as complete rounds decide it."""
    league, done = journal.league, journal.numbers()
    earlier = journal.played()
    found: dict[int, GameKey] = {}
    for number in range(round_count(league)):
        found.update((key.number, key) for key in games_of_round(league, number, earlier))
        if not done.issuperset(range((number + 1) * games_per_round(league))):
            break
    return found


def misplaced(league: League, key: GameKey | None, kept: Kept) -> str:
    """How the game differs from what the schedule says."""
    if key is None:
        return "the schedule has no such game"
    seats = tuple(league.names[bot] for bot in key.seats)
    said = (kept.played.players, kept.played.deal, kept.seed, kept.played.seats)
    if said != (key.players, key.deal, key.seed, seats):
        return f"players, deal, seed and seats are {said}, not as the schedule says"
    return ""


def misplayed(kept: Kept) -> str:
    """How the game differs from what its moves say."""
    played, replay = kept.played, kept.replay
    state = replay.new()
    decisions = 0
    for ply, move in enumerate(replay.moves):
        if move not in state.moves():
            return f"move {move} at place {ply} is not legal"
        decisions += state.actor >= 0
        state.play(move)
    rules = game(replay.game)
    over = state.actor == NOBODY
    said: dict[str, tuple[object, object]] = {
        "the last position": (kept.position, mark(state)),
        "roles": (played.roles, rules.roles(state)),
        "who began": (played.first, rules.first(state)),
        "turns": (played.turns, rules.turns(state)),
        "winners": (played.winners, state.winners() if over else ()),
    }
    if kept.fault is None:
        said["the end"] = (True, over)
        said["decisions"] = (played.decisions, decisions)
    for what, (told, true) in said.items():
        if told != true:
            return f"{what}: the run says {told!r}, the moves say {true!r}"
    return ""
