"""Checks a run against the rules and its own schedule, game by game, and its ratings."""

from __future__ import annotations

from collections.abc import Iterator

from arena.league.config import League
from arena.league.database import BadRun
from arena.league.journal import Journal, Kept
from arena.league.runner import Disqualifications
from arena.league.schedule import GameKey, game_count, games_of_round, games_per_round, round_count
from arena.league.worker import mark
from arena.stats.trueskill_ratings import rated
from games.registry import game
from games.state import NOBODY


def problems(journal: Journal) -> Iterator[str]:
    """For every game of the run what is wrong with it; empty words if nothing is."""
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
    due = due_forfeits(journal, keys)
    said = dict(journal.forfeits())
    for number in sorted({*due, *said}):
        told, true = said.get(number, "nobody"), due.get(number, "nobody")
        same = told == true
        yield "" if same else f"game {number}: the run says {told} forfeits it, and it is {true}"


def misrated(journal: Journal) -> Iterator[str]:
    """Ratings that are not what the games of a complete run give."""
    if len(journal.numbers()) < game_count(journal.league):
        return
    true = rated(journal.played(), journal.league.names)
    noted = {(one.players, one.bot): one for one in journal.ratings()}
    for one in true:
        told = noted.pop((one.players, one.bot), None)
        if told != one:
            where = f"at {one.players} players" if one.players else "overall"
            said = "nothing" if told is None else f"{told.mu} and {told.sigma}"
            yield f"{one.bot} {where}: rated {said}, the games give {one.mu} and {one.sigma}"
    for players, bot in noted:
        yield f"{bot}: rated at {players} players, where nothing was played"


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


def due_forfeits(journal: Journal, keys: dict[int, GameKey]) -> dict[int, str]:
    """Games that, by the faults there were, a bot on probation has to forfeit.

    Up to the first game that is missing all are judged, and after it those that are forfeited
    already: who is on probation stays there.
    """
    faulty = {number: fault.seat for number, _, fault in journal.faults()}
    judge = Disqualifications(journal.league, faulty, set())
    judge.open_round(iter(keys.values()))
    due = dict(judge.settle(journal.numbers()))
    for number, _ in journal.forfeits():
        absent = judge.absent(keys[number]) if number in keys else None
        if absent is not None:
            due.setdefault(number, absent)
    return due


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
        "turns": (played.turns, state.turns),
        "winners": (played.winners, state.winners() if over else ()),
    }
    if kept.fault is None:
        said["the end"] = (True, over)
        said["decisions"] = (played.decisions, decisions)
    for what, (told, true) in said.items():
        if told != true:
            return f"{what}: the run says {told!r}, the moves say {true!r}"
    return ""
