"""Verifies a run and believes nothing in it: deals, replays, schedules and rates everything again.

`verify_chain.py` has the chain and the commitment, `replay_bots.py` asks the bots themselves.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from arena.league.config import League
from arena.league.database import BadRun
from arena.league.journal import Journal, SavedGame, plan_of
from arena.league.outcome import Fault, position_digest
from arena.league.plan import Plan, Scheduled, catch_up
from arena.league.verify_chain import chain_problems, ended, seed_problems
from arena.seeds import derive_seed
from arena.stats.trueskill_ratings import all_ratings
from bots.runtime.faults import FaultKind
from games.registry import game
from games.seats import seat_name
from games.state import CHANCE, NOBODY, Rng, State
from games.wording import counted

MOST_NAMED: Final = 20
"""Missing games that are named one by one."""

_MOST_MISSING: Final = 200_000
"""Rounds are listed until so many games are missing: a config may ask for any number."""


class RunCheck:
    """One verification of a run: what is wrong, and what should be known about it."""

    def __init__(self, journal: Journal) -> None:
        rules = game(journal.league.game)
        if rules.rules_version != journal.rules:
            raise BadRun(
                f"{journal.path} was played by rules version {journal.rules}, "
                f"but this is version {rules.rules_version}"
            )
        self.journal = journal
        self.league = journal.league
        self.plan: Plan = plan_of(journal)
        self.plan.may_open = lambda _round: self.plan.missing < _MOST_MISSING
        known = catch_up(self.plan)
        self.absent = known.absent
        """Games of the schedule that are not stored."""
        self.known = known.games
        self.disqualified = known.disqualified
        self.complete = known.complete
        self.claims_end = bool(journal.ratings()) or ended(journal.chain())
        """Whether the file says that the league is complete."""

    def problems(self, replayed: Callable[[int], object] = lambda _games: None) -> list[str]:
        """Everything that is wrong; `replayed` is told about every game that was replayed."""
        numbers = {each.identity: each.key.number for each in (*self.absent, *self.known)}
        wrong: list[str] = []
        for problem in self._games():
            wrong += [problem] if problem else []
            replayed(1)
        if not self.journal.converted:
            wrong += [*self._missing(), *self._disqualified()]
        wrong += () if wrong else self._ratings()
        return [*wrong, *chain_problems(self.journal, numbers), *seed_problems(self.journal)]

    def incomplete(self) -> str:
        """A sentence about a league that was not played to its end; empty if it was."""
        if self.complete or self.journal.converted:
            return ""
        few = 0 < len(self.absent) < _MOST_MISSING
        left = counted(len(self.absent), "game") if few else "later rounds"
        have = "has" if len(self.absent) == 1 else "have"
        return f"the league is not complete: {left} of its schedule {have} not been played"

    # ---- games ----------------------------------------------------------------------------------

    def _games(self) -> Iterator[str]:
        """For every game of the run its problem; an empty string if it has none."""
        keys = {game.key.number: game for game in self.known}
        rows = self.journal.numbered()
        blamed = {number: bot for number, bot, _ in self.journal.faults()}
        spent: dict[int, dict[int, int]] = {}
        for time in self.journal.spent():
            spent.setdefault(time.number, {})[time.seat] = time.decisions
        for saved in self.journal.games():
            number = saved.record.number
            problem = ""
            if not self.journal.converted:
                problem = scheduling_problem(self.league, keys.get(number), saved, rows[number])
            problem = problem or replay_problem(saved, spent.get(number))
            if not problem and (bot := blamed.get(number)) is not None:
                problem = _blame_problem(saved, bot)
            del rows[number]
            keys.pop(number, None)
            yield f"game {number}: {problem}" if problem else ""
        for number in rows:
            yield f"game {number}: it has a number, but is not stored"
        for number in () if self.journal.converted else keys:
            if number not in rows:
                yield f"game {number}: it is stored, but has no number"
        for table in self.journal.orphans():
            yield f"the table {table} has rows about games that are not stored"

    def _missing(self) -> Iterator[str]:
        """Games that a league which says it is complete does not have."""
        if not self.claims_end or self.complete:
            return
        for each in self.absent[:MOST_NAMED]:
            seats = [self.league.names[bot] for bot in each.key.seats]
            players = ", ".join(f"{seat_name(seat)} {name}" for seat, name in enumerate(seats))
            yield f"game {each.key.number}: it is missing (deal {each.key.deal}, {players})"
        if (more := len(self.absent) - MOST_NAMED) > 0:
            yield f"{more} more games are missing"
        if not self.absent:
            yield "rounds are missing: by its results, the league is not complete"

    def _disqualified(self) -> Iterator[str]:
        numbers = {game.identity: game.key.number for game in self.known}
        expected = [
            (self.league.names[each.bot], each.faults, numbers.get(each.identity))
            for each in self.disqualified
        ]
        actual = [(bot, faults, number) for bot, faults, number, _ in self.journal.disqualified()]
        if actual != expected:
            yield f"disqualified, faults and last game: {actual}, but the games say {expected}"

    # ---- ratings --------------------------------------------------------------------------------

    def _ratings(self) -> Iterator[str]:
        """Saved ratings that differ from those computed from the games of a complete run."""
        journal = self.journal
        if not self.complete and not journal.ratings():
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


# ---- one game -----------------------------------------------------------------------------------


def scheduling_problem(
    league: League,
    game: Scheduled | None,
    saved: SavedGame,
    row: tuple[bytes, int, int, int],
) -> str:
    """How the game differs from the schedule."""
    if game is None:
        return "the schedule has no such game"
    key, record = game.key, saved.record
    seats = tuple(league.names[bot] for bot in key.seats)
    actual = (record.players, record.deal, saved.seed, record.seats)
    if actual != (key.players, key.deal, key.seed, seats):
        return f"players, deal, seed and seats are {actual}, which is not in the schedule"
    if row != (game.identity, key.deal, game.round, int(game.counted)):
        return "it is stored as another game"
    return ""


def replay_problem(saved: SavedGame, spent: dict[int, int] | None = None) -> str:
    """How what is saved about the game differs from dealing and replaying it.

    `spent`: seat -> how many decisions it was timed for, if that is known.
    """
    replay = saved.replay
    state = replay.new()
    luck = Rng(derive_seed(saved.seed, "deal"))
    made = Counter[int]()
    decided: set[int] = set()
    for ply, move in enumerate(replay.moves):
        actor = state.actor
        if actor == CHANCE:
            if (dealt := state.sample_chance(luck)) != move:
                return f"luck at place {ply}: the run has {move}, the seed deals {dealt}"
            continue
        if move not in state.moves():
            return f"move {move} at place {ply} is not legal"
        made[actor] += 1
        decided.add(ply)
        state.play(move)
    problem = _result_problem(saved, state, made.total())
    if problem:
        return problem
    if not decided.issuperset(replay.notes) or not decided.issuperset(replay.seconds):
        return "it has comments or times where no bot decided"
    if saved.fault is None and spent is not None and Counter(spent) != made:
        return f"decisions that were timed at each seat: {spent}, but {dict(made)} were made"
    return ""


def _result_problem(saved: SavedGame, state: State, made: int) -> str:
    """How the saved result differs from that of the last position."""
    record = saved.record
    rules = game(saved.replay.game)
    over = state.actor == NOBODY
    checks: dict[str, tuple[object, object]] = {
        "the last position": (saved.position, position_digest(state)),
        "roles": (record.roles, rules.roles(state)),
        "the first seat": (record.first, rules.first(state)),
        "turns": (record.turns, state.turns),
        "the turn limit": (saved.turn_limit, rules.hit_turn_limit(state)),
    }
    if saved.fault is None:
        checks["the end"] = (True, over)
        checks["winners"] = (record.winners, state.winners() if over else ())
        checks["decisions"] = (record.decisions, made)
    else:
        checks["winners"] = (record.winners, ())
        checks["decisions"] = (record.decisions, saved.fault.decision)
    for what, (actual, replayed) in checks.items():
        if actual != replayed:
            return f"{what}: the run has {actual!r}, the replay gives {replayed!r}"
    return "" if saved.fault is None else _fault_problem(saved.fault, state, made)


def _fault_problem(fault: Fault, state: State, made: int) -> str:
    """Why a bot cannot have failed there.

    A bot fails when it is asked for a move, or in between when it is told what happened.
    """
    if fault.kind not in set(FaultKind):
        return f"there is no fault of kind {fault.kind!r}"
    asked = fault.decision == made + 1 and state.actor == fault.seat
    if not asked and fault.decision != made:
        seat = seat_name(fault.seat)
        return f"{seat} cannot have failed at decision {fault.decision}: {made} were made"
    return ""


def _blame_problem(saved: SavedGame, bot: str) -> str:
    seat = saved.record.faulty
    name = "nobody" if seat is None else saved.record.seats[seat]
    return "" if bot == name else f"{bot} is blamed for the fault, but {name} sat there"
