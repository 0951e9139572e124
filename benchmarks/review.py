"""Reviews the games of a league and checks every exact claim by plain recursion.

    python benchmarks/review.py --run review.db > benchmarks/review.md

The games: a league of `ismcts:iterations=100`, `greedy` and `random` with a fixed seed, 20 games at
each player count, played anew unless the run file has them. `--league careless` is one of bots that
miss wins more often, `--league secrets` one of the second game. All are reviewed as `arena review
--hindsight` does it. An exact claim is about one move: what it is worth, proven by the solver.

Each is checked in worlds that are sampled anew, with `solver.reference.turn_check`, which shares no
search with the solver: a plan that depends only on what the seat observes must do as well as
claimed, and no plan may do better even if all others help. A certain win must hold in every world,
and so must a chance of 0. Any other chance may differ by what the sample can be off, with a
probability of one in 100,000 (Hoeffding). With open cards there is one world, and the chance must
be the same. Claims that are too large for plain recursion are checked in fewer worlds, and counted
as such if even 20 are too many.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time

from tabulate import tabulate

from arena import run_league
from arena.league.config import BotSpec, League
from arena.league.journal import Journal
from arena.match.game_view import GameView
from arena.review.game_review import GameReview, Judgement, MoveWorth, ReviewPlan
from arena.review.reviewer import review_game
from games.registry import game as find_game
from games.replay import Replay
from games.state import Rng, State
from solver.reference.turn_check import TurnTooLarge, refuted

BOTS = tuple(BotSpec(name, name) for name in ("ismcts:iterations=100", "greedy", "random"))
CARELESS = tuple(BotSpec(name, name) for name in ("ismcts:iterations=5", "greedy:depth=1"))
LEAGUES = {
    "usual": League(bots=BOTS, players=(2, 3, 4, 5, 6), deals=8, seed=15),
    "careless": League(bots=CARELESS, players=(2, 3, 4, 5, 6), deals=10, seed=16),
    "secrets": League(bots=BOTS, game="secrets", players=(4, 5, 6, 7, 8), deals=8, seed=15),
}
BINS = 10
SHARES = (1, 10, 50)
"""A claim is checked in all worlds, or in a tenth or a fiftieth of them if these are too many."""
MOST_POSITIONS = 10**6
MOST_OPEN = 10**7
"""Positions that plain recursion visits for a claim, at most, by view and with open cards."""
KINDS = {
    "lost": "of moves that lost the game, and of better ones",
    "view": "all, by what the seat could know",
    "lost open": "of moves that lost the game with open cards, and of better ones",
    "open": "all, with open cards",
}


@dataclass(frozen=True)
class Claim:
    """One exact value, and the worlds in which it is checked."""

    game: int
    at: int
    worth: MoveWorth
    worlds: list[State]
    """One, if all cards are open."""
    kinds: tuple[str, ...]
    """Which rows of the table it counts for."""


@dataclass
class ReviewedGame:
    """What the tables need to know of one game."""

    number: int
    players: int
    decisions: int
    exact: int
    """Decisions whose loss is proven, by what the seat could know."""
    open_exact: int
    """The same with all cards open."""
    lost: str
    """How the move that lost the game is known: proven, estimated, or empty if there is none."""
    seconds: float
    """Processor time of the review."""
    values: list[tuple[float, bool]]
    """The value after each decision, and whether the seat won."""
    claims: dict[str, int]
    """By kind (see `KINDS`) and what the check said."""


# ---- claims -------------------------------------------------------------------------------------


def claims(number: int, replay: Replay, review: GameReview, worlds: int) -> Iterator[Claim]:
    """Every exact value of a move that was played, or of one that was better."""
    shown = GameView(replay)
    losers = {seat.lost_at for seat in review.seats}
    winners = review.winners or ()
    for decision in review.decisions:
        judged, later = decision.judged, decision.hindsight
        exact = exact_worths(judged)
        if exact:
            view, rng = shown.view(decision.at - 1, decision.seat), Rng(decision.at)
            sampled = [view.sample(rng) for _ in range(worlds)]
            for worth in exact:
                lost = ("lost",) if decision.at in losers else ()
                yield Claim(number, decision.at, worth, sampled, ("view", *lost))
        true = [shown.state(decision.at - 1)]
        for worth in exact_worths(later) if later else ():
            blamed = later is not None and later.lost_here and decision.seat not in winners
            lost = ("lost open",) if blamed else ()
            yield Claim(number, decision.at, worth, true, ("open", *lost))


def exact_worths(judged: Judgement) -> list[MoveWorth]:
    return [worth for worth in dict.fromkeys((judged.played, *judged.better)) if worth.exact]


def check(claim: Claim, game: str) -> str:
    """`right`, `wrong` or `too large`."""
    for share in SHARES:
        worlds = claim.worlds[: max(1, len(claim.worlds) // share)]
        most = MOST_OPEN if len(claim.worlds) == 1 else MOST_POSITIONS
        with suppress(TurnTooLarge):
            why = refuted(find_game(game), worlds, claim.worth.move, claim.worth.value, most)
            break
    else:
        return "too large"
    if why:
        print(f"WRONG: game {claim.game}, move {claim.at}: {why}", file=sys.stderr)
    return "wrong" if why else "right"


# ---- measuring ----------------------------------------------------------------------------------


def saved_games(league: League, run: Path | None, per_count: int) -> list[tuple[int, Replay]]:
    """The first games of the schedule at each player count."""
    with TemporaryDirectory() as folder:
        file = run or Path(folder, "review.db")
        run_league(league, run=file, workers=1)
        with Journal.read(file) as journal:
            games = [(saved.record.number, saved.replay) for saved in journal.games()]
    counts = sorted({replay.players for _, replay in games})
    grouped = [[one for one in games if one[1].players == count] for count in counts]
    return [one for group in grouped for one in group[:per_count]]


def measure(number: int, replay: Replay, plan: ReviewPlan, worlds: int) -> ReviewedGame:
    """Review one game and check what is claimed about it."""
    began = process_time()
    review = review_game(replay, plan)
    seconds = process_time() - began
    lost = review.lost
    proven = lost is not None and (lost.judged.exact or lost.judged.missed_win)
    counts: Counter[str] = Counter()
    for claim in claims(number, replay, review, worlds):
        verdict = check(claim, replay.game)
        for kind in claim.kinds:
            counts[f"{kind} {verdict}"] += 1
    winners = review.winners or ()
    return ReviewedGame(
        number=number,
        players=replay.players,
        decisions=len(review.decisions),
        exact=sum(one.judged.exact for one in review.decisions),
        open_exact=sum(one.hindsight.exact for one in review.decisions if one.hindsight),
        lost="" if lost is None else "proven" if proven else "estimated",
        seconds=seconds,
        values=[(one.judged.played.value, one.seat in winners) for one in review.decisions],
        claims=dict(counts),
    )


def kept_games(file: Path | None) -> dict[int, ReviewedGame]:
    """What an earlier run has measured, by the number of the game."""
    if file is None or not file.exists():
        return {}
    games = [ReviewedGame(**json.loads(line)) for line in file.read_text().splitlines()]
    return {game.number: game for game in games}


# ---- tables -------------------------------------------------------------------------------------


def summary(games: list[ReviewedGame]) -> str:
    rows = []
    for players in [*sorted({game.players for game in games}), 0]:
        group = [game for game in games if players in (0, game.players)]
        decisions = sum(game.decisions for game in group)
        shares = [sum(game.exact for game in group), sum(game.open_exact for game in group)]
        lost = Counter(game.lost for game in group)
        rows.append(
            [
                players or "all",
                len(group),
                decisions,
                *(f"{100 * share / decisions:.1f} %" for share in shares),
                lost["proven"],
                lost["estimated"],
                f"{median(game.seconds for game in group):.1f}",
            ]
        )
    headers = ["players", "games", "decisions", "exact", "exact, open cards"]
    headers += ["lost here, proven", "lost here, estimated", "median s"]
    return tabulate(rows, headers=headers, tablefmt="github")


def agreement(games: list[ReviewedGame]) -> str:
    total: Counter[str] = Counter()
    for game in games:
        total.update(game.claims)
    verdicts = ("right", "wrong", "too large")
    rows = [[name, *(total[f"{kind} {each}"] for each in verdicts)] for kind, name in KINDS.items()]
    return tabulate(rows, headers=["exact values", *verdicts], tablefmt="github")


def calibration(games: list[ReviewedGame]) -> str:
    values = [pair for game in games for pair in game.values]
    rows = []
    for low in range(BINS):
        inside = [pair for pair in values if int(min(pair[0] * BINS, BINS - 1)) == low]
        if inside:
            said, won = mean(value for value, _ in inside), mean(won for _, won in inside)
            rows.append([f"{low / BINS:.1f} to {(low + 1) / BINS:.1f}", len(inside), said, won])
    headers = ["value after the move", "decisions", "mean value", "share won"]
    return tabulate(rows, headers=headers, tablefmt="github", floatfmt=".3f")


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--league", choices=LEAGUES, default="usual")
    parser.add_argument("--games", type=int, default=20, help="at each player count (20)")
    parser.add_argument("--players", type=int, nargs="+", help="only these player counts")
    parser.add_argument("--turns", type=int, default=0, help="of each game (two per player)")
    parser.add_argument("--iterations", type=int, default=ReviewPlan.iterations)
    parser.add_argument("--worlds", type=int, default=1000, help="for each check (1000)")
    parser.add_argument("--run", type=Path, help="keep the league here, and use it next time")
    parser.add_argument("--keep", type=Path, help="keep what was measured here, and go on from it")
    options = parser.parse_args()
    plan = ReviewPlan(options.turns, iterations=options.iterations, hindsight=True)
    done = kept_games(options.keep)
    games = saved_games(LEAGUES[options.league], options.run, options.games)
    for number, replay in games:
        if number in done or (options.players and replay.players not in options.players):
            continue
        done[number] = measure(number, replay, plan, options.worlds)
        print(f"{len(done)} of {len(games)} games", file=sys.stderr)
        if options.keep:
            with options.keep.open("a") as file:
                file.write(json.dumps(asdict(done[number])) + "\n")
    parts = (summary, agreement, calibration)
    print("\n\n".join(part(list(done.values())) for part in parts))


if __name__ == "__main__":
    main()
