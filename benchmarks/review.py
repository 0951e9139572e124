"""Reviews the games of a league and checks every exact claim by plain recursion.

    python benchmarks/review.py --run review.db > benchmarks/review.md

The games: a league of `ismcts:iterations=100`, `greedy` and `random` with a fixed seed, 20 games at
each player count, played anew unless the run file has them. All are reviewed as `arena review
--hindsight` does it. An exact claim is about one move: what it is worth, proven by the solver.

Each is checked in worlds that are sampled anew, with `solver.reference.turn_check`, which shares no
search with the solver: a plan that depends only on what the seat observes must do as well as
claimed, and no plan may do better even if all others help. A certain win must hold in every world,
and so must a chance of 0. Any other chance may differ by what the sample can be off, with a
probability of one in 100,000 (Hoeffding). With open cards there is one world, and the chance must
be the same. Claims that are too large for plain recursion are counted as such.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import perf_counter

from tabulate import tabulate

from arena import run_league
from arena.league.config import BotSpec, League
from arena.league.journal import Journal
from arena.match.game_view import GameView
from arena.review.game_review import ACCURATE, GameReview, MoveWorth, ReviewPlan
from arena.review.reviewer import review_game
from games.registry import game as find_game
from games.replay import Replay
from games.state import Rng, State
from solver.reference.turn_check import TurnTooLarge, refuted

BOTS = tuple(BotSpec(name, name) for name in ("ismcts:iterations=100", "greedy", "random"))
LEAGUES = {
    "hidden-leaders": League(bots=BOTS, players=(2, 3, 4, 5, 6), deals=8, seed=15),
    "secrets": League(bots=BOTS, game="secrets", players=(4, 5, 6, 7, 8), deals=8, seed=15),
}
BINS = 10


@dataclass(frozen=True)
class Claim:
    """One exact value, and the worlds in which it is checked."""

    game: int
    at: int
    worth: MoveWorth
    worlds: list[State]
    """One, if all cards are open."""
    lost_here: bool


@dataclass
class Checked:
    """What became of the claims at one player count."""

    games: int = 0
    decisions: int = 0
    exact: int = 0
    open_exact: int = 0
    lost: int = 0
    """Games with a move that lost them."""
    proven: int = 0
    """Of these, by a proven loss or a certain win that was missed."""
    seconds: list[float] = field(default_factory=list)
    claims: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By kind (view, open, lost) and what the check said."""


# ---- claims -------------------------------------------------------------------------------------


def claims(number: int, replay: Replay, review: GameReview, worlds: int) -> Iterator[Claim]:
    """Every exact value of a move that was played, or of one that was better."""
    shown = GameView(replay)
    losers = {seat.lost_at for seat in review.seats}
    for decision in review.decisions:
        view = shown.view(decision.at - 1, decision.seat)
        rng = Rng(decision.at)
        sampled = [view.sample(rng) for _ in range(worlds)]
        true = [shown.state(decision.at - 1)]
        for judged, known in ((decision.judged, sampled), (decision.hindsight, true)):
            if judged is None:
                continue
            lost_here = judged is decision.judged and decision.at in losers
            for worth in {judged.played, *judged.better}:
                if worth.exact:
                    yield Claim(number, decision.at, worth, known, lost_here)


def check(claim: Claim, game: str) -> str:
    """`right`, `wrong` or `too large`."""
    try:
        why = refuted(find_game(game), claim.worlds, claim.worth.move, claim.worth.value)
    except TurnTooLarge:
        return "too large"
    if why:
        print(f"WRONG: game {claim.game}, move {claim.at}: {why}", file=sys.stderr)
    return "wrong" if why else "right"


# ---- measuring ----------------------------------------------------------------------------------


@dataclass
class Measured:
    """Everything that the tables show."""

    by_count: defaultdict[int, Checked] = field(default_factory=lambda: defaultdict(Checked))
    values: list[tuple[float, bool]] = field(default_factory=list)
    """The value after each decision of a finished game, and whether the seat won."""
    losses: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Of every bot."""


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


def measure(number: int, replay: Replay, worlds: int, measured: Measured) -> None:
    """Review one game and check what is claimed about it."""
    began = perf_counter()
    review = review_game(replay, ReviewPlan(hindsight=True))
    result = measured.by_count[replay.players]
    result.seconds.append(perf_counter() - began)
    result.games += 1
    result.decisions += len(review.decisions)
    result.exact += sum(one.judged.exact for one in review.decisions)
    result.open_exact += sum(one.hindsight.exact for one in review.decisions if one.hindsight)
    if (lost := review.lost) is not None:
        result.lost += 1
        result.proven += lost.judged.exact or lost.judged.missed_win
    for seat in review.seats:
        measured.losses[seat.name] += seat.losses
    winners = review.winners or ()
    measured.values += [(one.judged.played.value, one.seat in winners) for one in review.decisions]
    for claim in claims(number, replay, review, worlds):
        verdict = check(claim, replay.game)
        result.claims["open" if len(claim.worlds) == 1 else "view", verdict] += 1
        if claim.lost_here:
            result.claims["lost", verdict] += 1


# ---- tables -------------------------------------------------------------------------------------


def summary(measured: Measured) -> str:
    rows = []
    for players, one in sorted(measured.by_count.items()):
        share = [f"{100 * part / one.decisions:.0f} %" for part in (one.exact, one.open_exact)]
        lost = f"{one.lost} ({one.proven} proven)"
        rows.append([players, one.games, one.decisions, *share, lost, f"{median(one.seconds):.1f}"])
    headers = [
        "players",
        "games",
        "decisions",
        "exact",
        "exact, open cards",
        "lost here",
        "median s",
    ]
    return tabulate(rows, headers=headers, tablefmt="github")


def agreement(measured: Measured) -> str:
    total = sum((one.claims for one in measured.by_count.values()), Counter[tuple[str, str]]())
    names = {
        "lost": '"lost here", by what the seat could know',
        "view": "all values by what the seat could know",
        "open": "all values with open cards",
    }
    verdicts = ("right", "wrong", "too large")
    rows = [[name, *(total[kind, each] for each in verdicts)] for kind, name in names.items()]
    return tabulate(rows, headers=["exact claims", *verdicts], tablefmt="github")


def calibration(measured: Measured) -> str:
    rows = []
    for low in range(BINS):
        inside = [
            (v, won) for v, won in measured.values if low <= min(v * BINS, BINS - 1e-9) < low + 1
        ]
        if inside:
            said, won = mean(v for v, _ in inside), mean(won for _, won in inside)
            rows.append([f"{low / BINS:.1f} to {(low + 1) / BINS:.1f}", len(inside), said, won])
    headers = ["value after the move", "decisions", "mean value", "share won"]
    return tabulate(rows, headers=headers, tablefmt="github", floatfmt=".3f")


def bots(measured: Measured) -> str:
    rows = [
        [name, len(losses), f"{100 * mean(loss < ACCURATE for loss in losses):.0f} %", mean(losses)]
        for name, losses in sorted(measured.losses.items(), key=lambda item: mean(item[1]))
    ]
    headers = ["bot", "decisions", "accurate", "mean loss"]
    return tabulate(rows, headers=headers, tablefmt="github", floatfmt=".4f")


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--game", choices=LEAGUES, default="hidden-leaders")
    parser.add_argument("--games", type=int, default=20, help="at each player count (20)")
    parser.add_argument("--worlds", type=int, default=1000, help="for each check (1000)")
    parser.add_argument("--run", type=Path, help="keep the league here, and use it next time")
    options = parser.parse_args()
    measured = Measured()
    games = saved_games(LEAGUES[options.game], options.run, options.games)
    for done, (number, replay) in enumerate(games, 1):
        measure(number, replay, options.worlds, measured)
        print(f"{done} of {len(games)} games", file=sys.stderr)
    parts = (summary, agreement, calibration, bots)
    print("\n\n".join(part(measured) for part in parts))


if __name__ == "__main__":
    main()
