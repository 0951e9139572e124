"""Verifies a run: replays every game, and checks it against the schedule and the ratings."""

from collections.abc import Iterator

from arena.league.config import League
from arena.league.database import BadRun
from arena.league.disqualification import Disqualifications
from arena.league.journal import Journal, SavedGame
from arena.league.outcome import position_digest
from arena.league.schedule import GameKey, game_count, games_of_round, games_per_round, round_count
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
    keys = known_keys(journal)
    for saved in journal.games():
        number = saved.record.number
        problem = scheduling_problem(journal.league, keys.get(number), saved)
        problem = problem or replay_problem(saved)
        yield f"game {number}: {problem}" if problem else ""
    expected = expected_forfeits(journal, keys)
    actual = dict(journal.forfeits())
    for number in sorted({*expected, *actual}):
        by, due = actual.get(number, "nobody"), expected.get(number, "nobody")
        yield "" if by == due else f"game {number}: forfeited by {by}, but should be by {due}"


def rating_problems(journal: Journal) -> Iterator[str]:
    """Saved ratings that differ from those computed from the games of a complete run."""
    if len(journal.numbers()) < game_count(journal.league):
        return
    saved = {(rating.players, rating.bot): rating for rating in journal.ratings()}
    for rating in all_ratings(journal.played(), journal.league.names):
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


def known_keys(journal: Journal) -> dict[int, GameKey]:
    """The schedule; of a Swiss league, as far as complete rounds determine it."""
    league, done = journal.league, journal.numbers()
    earlier = journal.played()
    keys: dict[int, GameKey] = {}
    for number in range(round_count(league)):
        keys.update((key.number, key) for key in games_of_round(league, number, earlier))
        if not done.issuperset(range((number + 1) * games_per_round(league))):
            break
    return keys


def expected_forfeits(journal: Journal, keys: dict[int, GameKey]) -> dict[int, str]:
    """The games that disqualified bots must forfeit, given the faults in the run.

    Covers all games up to the first missing one, and later ones that are already forfeited: a bot
    stays disqualified.
    """
    faulty = {number: fault.seat for number, _, fault in journal.faults()}
    disqualifications = Disqualifications(journal.league, faulty, set())
    disqualifications.open_round(iter(keys.values()))
    due = dict(disqualifications.settle(journal.numbers()))
    for number, _ in journal.forfeits():
        name = disqualifications.forfeited_by(keys[number]) if number in keys else None
        if name is not None:
            due.setdefault(number, name)
    return due


def scheduling_problem(league: League, key: GameKey | None, saved: SavedGame) -> str:
    """How the game differs from the schedule."""
    if key is None:
        return "the schedule has no such game"
    seats = tuple(league.names[bot] for bot in key.seats)
    record = saved.record
    actual = (record.players, record.deal, saved.seed, record.seats)
    if actual != (key.players, key.deal, key.seed, seats):
        return f"players, deal, seed and seats are {actual}, which is not in the schedule"
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
