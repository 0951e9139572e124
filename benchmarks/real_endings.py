"""Measures the solver on the last turns of real games.

    python benchmarks/real_endings.py --out endings.json
    python benchmarks/real_endings.py --seconds 2 --only own --out endings.json
    python benchmarks/real_endings.py --table before.json endings.json > benchmarks/real_endings.md
    python benchmarks/real_endings.py --certificates

The corpus: a league of `ismcts:iterations=100` and `greedy` with a fixed seed, played anew each
time. From every game come the first decisions of its last four turns, so each position is 1 to 4
turns before the end. No position is left out. The questions:

* open cards, coalition, win: by the turn in which the game really ended (1 to 4 turns ahead);
* open cards, two turns before the end, within 2 turns: deny (the real winner, or the next seat if
  the seat to move won), and win against random and against selfish others;
* as the seat knows it, coalition, win: this turn (all positions), and within 2 turns (two turns
  before the end).

A position is *exact* if every move's value is, *within 0.05* if no move's interval is wider, and
*refused* if there is no answer at all. Every position gets `--seconds` of one
core, by the clock of the process, so other processes do not matter. `--certificates` only counts
how many exact answers "as the seat knows it" get a certificate that the checker accepts.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from tabulate import tabulate

from arena import run_league
from arena.league.config import BotSpec, League
from arena.league.journal import Journal
from arena.match.game_view import GameView
from games.errors import GameError
from games.registry import game
from games.replay import Replay
from games.seats import seat_name
from solver.ask import Query, solve_query
from solver.certificates.check_file import check_text
from solver.certificates.format import write_seat_certificate
from solver.certificates.seat_writer import certify_seat
from solver.certificates.writer import Uncertified
from solver.core.budget import NodeBudget

BOTS = ("ismcts:iterations=100", "greedy")
SEED = 15
LAST_TURNS = 4
CLOSE = 0.05
LEAGUE = League(
    bots=tuple(BotSpec(name, name) for name in BOTS), players=(2, 3, 4, 5, 6), deals=8, seed=SEED
)
MOST_PER_COUNT = 16
"""Games of each player count, the first of the schedule."""


@dataclass(frozen=True)
class Ending:
    """A moment of a game, shortly before its end."""

    replay: Replay
    number: int
    """Moves played before it."""
    left: int
    """Turns to the end, the current one included."""
    winner: int


@dataclass(frozen=True)
class Ask:
    """One kind of question."""

    name: str
    sight: str
    goal: str
    others: str
    left: tuple[int, ...]
    """Asked this many turns before the end."""
    horizon: int = 0
    """0: by the real end."""


ASKS = (
    Ask("open", "all", "win", "coalition", (1, 2, 3, 4)),
    Ask("deny", "all", "deny", "coalition", (2,)),
    Ask("random", "all", "win", "random", (2,)),
    Ask("selfish", "all", "win", "selfish", (2,)),
    Ask("own", "own", "win", "coalition", (1, 2, 3, 4), 1),
    Ask("own2", "own", "win", "coalition", (2,), 2),
)


@dataclass(frozen=True)
class Measured:
    """What became of one question about one ending."""

    ask: str
    players: int
    horizon: int
    answered: bool
    exact: bool
    width: float
    """Of the widest interval of a move."""
    seconds: float
    nodes: int


# ---- the corpus ---------------------------------------------------------------------------------


def endings(run: Path | None) -> Iterator[Ending]:
    """The last turns of the games of the league, which are kept in `run` if one is given."""
    with TemporaryDirectory() as folder:
        run = run or Path(folder, "endings.db")
        run_league(LEAGUE, run=run, workers=1)
        with Journal.read(run) as journal:
            replays = [saved.replay for saved in journal.games()]
    for players in LEAGUE.players:
        for replay in [one for one in replays if one.players == players][:MOST_PER_COUNT]:
            yield from last_turns(replay)


def last_turns(replay: Replay) -> Iterator[Ending]:
    """The first decision of each of the last turns."""
    view = GameView(replay)
    end = replay.state()
    winner = (*end.winners(), -1)[0]
    seen = set[int]()
    for number in range(view.length):
        state = view.state(number)
        left = int(end.turns - state.turns)
        if left <= LAST_TURNS and left not in seen and state.turns > 0:
            seen.add(left)
            yield Ending(replay, number, left, winner)


# ---- measuring ----------------------------------------------------------------------------------


def query(ending: Ending, ask: Ask) -> Query:
    """The question in words."""
    rules = game(ending.replay.game)
    view = GameView(ending.replay)
    state = view.state(ending.number)
    seat = int(state.actor)
    goal = ask.goal
    if goal == "deny":
        target = ending.winner if ending.winner not in (-1, seat) else (seat + 1) % state.players
        goal = f"deny:{seat_name(target)}"
    text = GameView(ending.replay, seat if ask.sight == "own" else None).position(ending.number)
    assert rules.positions is not None
    position = rules.positions.read(text)
    known = view.view(ending.number, seat) if ask.sight == "own" else None
    horizon = str(ask.horizon or ending.left)
    return Query(rules, position, goal, horizon, ask.others, ask.sight, view=known)


def measure(ending: Ending, ask: Ask, seconds: float) -> Measured:
    """Ask one question with a time limit."""
    asked = query(ending, ask)
    began = process_time()
    budget = NodeBudget(10**9, seconds=seconds, clock=process_time)
    players, horizon = ending.replay.players, ask.horizon or ending.left
    try:
        answer = solve_query(asked, budget).answer
    except GameError:
        spent = process_time() - began
        return Measured(ask.name, players, horizon, False, False, 1.0, spent, budget.nodes)
    spent = process_time() - began
    width = max(float(value.interval[1] - value.interval[0]) for value in answer.values)
    return Measured(ask.name, players, horizon, True, answer.exact, width, spent, answer.nodes)


def certified(ending: Ending, seconds: float) -> str:
    """Whether an answer as the seat knows it gets a certificate that holds, or why it has none."""
    (ask,) = (one for one in ASKS if one.name == "own")
    budget = NodeBudget(10**9, seconds=seconds, clock=process_time)
    solution = solve_query(query(ending, ask), budget)
    if not solution.exact:
        return "not exact"
    try:
        text = write_seat_certificate(certify_seat(solution))
    except Uncertified as error:
        return str(error)
    check_text(text)
    return "certified" + (" with odds" if "/" in text.partition('"claims"')[2] else ", all 0 or 1")


# ---- the table ----------------------------------------------------------------------------------

HEADERS = ["question", "turns", "positions", "exact", "within 0.05", "refused", "median s", "nodes"]
WORDS = {
    "open": "open, win, coalition",
    "deny": "open, deny, coalition",
    "random": "open, win, random",
    "selfish": "open, win, selfish",
    "own": "as the seat knows it, win, coalition",
    "own2": "as the seat knows it, win, coalition",
}


def row(label: str, turns: str, group: list[Measured]) -> list[object]:
    count = len(group)

    def share(hits: int) -> str:
        return f"{100 * hits / count:.0f} %"

    return [
        label,
        turns,
        count,
        share(sum(one.exact for one in group)),
        share(sum(one.width <= CLOSE for one in group)),
        share(sum(not one.answered for one in group)),
        f"{median(one.seconds for one in group):.2f}",
        int(median(one.nodes for one in group)),
    ]


def table(measured: list[Measured]) -> str:
    """By question and horizon, then by question and player count."""
    rows = []
    for ask in ASKS:
        mine = [one for one in measured if one.ask == ask.name]
        for horizon in sorted({one.horizon for one in mine}):
            group = [one for one in mine if one.horizon == horizon]
            rows.append(row(WORDS[ask.name], str(horizon), group))
    by_count = []
    for ask in ASKS:
        mine = [one for one in measured if one.ask == ask.name]
        for players in sorted({one.players for one in mine}):
            group = [one for one in mine if one.players == players]
            horizons = {one.horizon for one in group}
            turns = "-".join(str(turn) for turn in sorted({min(horizons), max(horizons)}))
            by_count.append([players, *row(WORDS[ask.name], turns, group)])
    first = tabulate(rows, headers=HEADERS, tablefmt="github")
    second = tabulate(by_count, headers=["players", *HEADERS], tablefmt="github")
    return f"{first}\n\n{second}"


def load(path: Path) -> tuple[float, list[Measured]]:
    saved = json.loads(path.read_text())
    return saved["seconds"], [Measured(**one) for one in saved["measured"]]


def main() -> None:
    """Measure, or print tables of what was measured."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each position (10)")
    parser.add_argument("--only", choices=[ask.name for ask in ASKS], nargs="+")
    parser.add_argument("--every", type=int, default=1, help="only every n-th game")
    parser.add_argument("--run", type=Path, help="keep the league here, and use it next time")
    parser.add_argument("--out", type=Path, help="save what was measured")
    parser.add_argument("--table", type=Path, nargs="+", help="print tables of saved files")
    parser.add_argument("--certificates", action="store_true", help="count certificates only")
    options = parser.parse_args()
    if options.certificates:
        found = Counter(certified(ending, options.seconds) for ending in endings(options.run))
        for verdict, count in found.most_common():
            print(f"{count:4}  {verdict}")
        return
    if options.table:
        for path in options.table:
            seconds, measured = load(path)
            print(f"## {path.stem}, {seconds:g} s for each position\n\n{table(measured)}\n")
        return
    asks = [ask for ask in ASKS if not options.only or ask.name in options.only]
    measured = []
    games: list[Replay] = []
    for ending in endings(options.run):
        if not games or games[-1] is not ending.replay:
            games.append(ending.replay)
        if (len(games) - 1) % options.every:
            continue
        for ask in asks:
            if ending.left in ask.left:
                measured.append(measure(ending, ask, options.seconds))
                print(measured[-1], file=sys.stderr)
    if options.out:
        saved = {"seconds": options.seconds, "measured": [asdict(one) for one in measured]}
        options.out.write_text(json.dumps(saved) + "\n")
    print(table(measured))


if __name__ == "__main__":
    main()
