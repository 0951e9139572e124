"""How long `arena verify` takes per game, and what each check costs.

    python benchmarks/verifying.py [DEALS]

Plays a league of random, greedy and a light search at 2 to 4 players in this process, then times
the parts of a verification, the best of three rounds each.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from arena.league.config import read_league
from arena.league.journal import Journal
from arena.league.pool import LocalPool
from arena.league.runner import StopRequest, play_league
from arena.league.verify import RunCheck, replay_problem
from arena.league.verify_chain import chain_problems
from arena.stats.trueskill_ratings import all_ratings

ROUNDS = 3


def main(deals: int) -> None:
    bots = ["random", "greedy:depth=1 as hasty", "ismcts:iterations=20 as ismcts"]
    league = read_league(None, {"bots": bots, "players": "2-4", "deals": deals})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.db")
        with Journal.write(file, league) as journal, closing(LocalPool(league, 2)) as pool:
            play_league(journal, pool, lambda _: None, lambda: StopRequest.NONE)
        with Journal.read(file) as journal:
            report(journal)


def report(journal: Journal) -> None:
    games = len(journal.numbers())
    saved = list(journal.games())
    parts: dict[str, Callable[[], object]] = {
        "everything": lambda: RunCheck(journal).problems(),
        "  reading games and comments": lambda: list(journal.games()),
        "  dealing and replaying": lambda: [replay_problem(each) for each in saved],
        "  schedule": lambda: RunCheck(journal),
        "  ratings": lambda: all_ratings(journal.played(), journal.taking_part()),
        "  chain and digests": lambda: list(chain_problems(journal, {})),
    }
    print(f"{games} games; CPU milliseconds per game")
    for name, part in parts.items():
        times = []
        for _ in range(ROUNDS):
            began = process_time()
            part()
            times.append(process_time() - began)
        print(f"{name:32}{1000 * min(times) / games:8.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
