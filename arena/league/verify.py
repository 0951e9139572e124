"""Verifies a run: replays every game, and checks it against the schedule and the ratings."""

from collections.abc import Iterator

from arena.league.config import League
from arena.league.database import BadRun
from arena.league.journal import Journal, SavedGame, plan_of
from arena.league.outcome import position_digest
from arena.league.plan import Plan, Scheduled, catch_up
from arena.stats.trueskill_ratings import all_ratings
from games.registry import game
from games.state import NOBODY


def problems(journal: Journal) -> Iterator[str]:
    """For every game of the run its problem; an empty string if it has none."""
    rules = game(journal.league.game)
    if rules.rules_version != journal.rules:
        raise BadRun(
            f"{journal.path} was played by rules version {journal.rules}, "
            f"but this is version {rules.rules_version}"
        )
    plan, known = _caught_up(journal)
    keys = {game.key.number: game for game in known}
    converted = journal.converted
    for saved in journal.games():
        number = saved.record.number
        problem = ""
        if not converted:
            problem = scheduling_problem(journal.league, keys.pop(number, None), saved)
        problem = problem or replay_problem(saved)
        yield f"game {number}: {problem}" if problem else ""
    for number in () if converted else keys:
        yield f"game {number}: it is stored, but has no number"
    expected = [(journal.league.names[each.bot], each.faults) for each in plan.disqualified]
    actual = [(bot, faults) for bot, faults, *_ in journal.disqualified()]
    if actual != expected and not converted:
        yield f"disqualified with their faults: {actual}, but the games say {expected}"


def rating_problems(journal: Journal) -> Iterator[str]:
    """Saved ratings that differ from those computed from the games of a complete run."""
    plan, known = _caught_up(journal)
    complete = sum(game.counted for game in known) == plan.total()
    if not complete and not journal.ratings():
        return
    saved = {(rating.players, rating.bot): rating for rating in journal.ratings()}
    for rating in all_ratings(journal.played(), journal.taking_part()):
        other = saved.pop((rating.players, rating.bot), None)
        if other != rating:
            where = f"at {rating.players} players" if rating.players else "overall"
            value = "missing" if other is None else f"{other.mu} and {other.sigma}"
            yield (
                f"{rating.bot} {where}: saved rating is {value}, "
                f"the games give {rating.mu} and {rating.sigma}"
            )
    for players, bot in saved:
        yield f"{bot}: has a rating at {players} players, where no games were played"


def _caught_up(journal: Journal) -> tuple[Plan, list[Scheduled]]:
    """The plan of the league, and the games of it that are stored."""
    plan = plan_of(journal)
    return plan, catch_up(plan)


def scheduling_problem(league: League, game: Scheduled | None, saved: SavedGame) -> str:
    """How the game differs from the schedule."""
    if game is None:
        return "the schedule has no such game"
    key, record = game.key, saved.record
    seats = tuple(league.names[bot] for bot in key.seats)
    actual = (record.players, record.deal, saved.seed, record.seats)
    if actual != (key.players, key.deal, key.seed, seats):
        return f"players, deal, seed and seats are {actual}, which is not in the schedule"
    if (saved.identity, saved.counted) != (game.identity, game.counted):
        return "it is stored as another game"
    return ""


def replay_problem(saved: SavedGame) -> str:
    """How what is saved about the game differs from a replay of its moves."""
    record, replay = saved.record, saved.replay
    state = replay.new()
    decisions = 0
    for ply, move in enumerate(replay.moves):
        if move not in state.moves():
            return f"move {move} at place {ply} is not legal"
        decisions += state.actor >= 0
        state.play(move)
    rules = game(replay.game)
    over = state.actor == NOBODY
    checks: dict[str, tuple[object, object]] = {
        "the last position": (saved.position, position_digest(state)),
        "roles": (record.roles, rules.roles(state)),
        "the first seat": (record.first, rules.first(state)),
        "turns": (record.turns, state.turns),
        "winners": (record.winners, state.winners() if over else ()),
    }
    if saved.fault is None:
        checks["the end"] = (True, over)
        checks["decisions"] = (record.decisions, decisions)
    for what, (actual, replayed) in checks.items():
        if actual != replayed:
            return f"{what}: the run has {actual!r}, the replay gives {replayed!r}"
    return ""
