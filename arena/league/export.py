"""Exports a run as files: CSV tables, a JSON summary, results as JSON lines, and replays."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from arena.files import write_errors, write_file
from arena.league.journal import Journal
from arena.league.read_run import run_of, write_run
from arena.match.saved_fault import with_fault
from arena.stats.ranking_table import ranking_text
from games.replay import write_replay
from games.seats import seat_name

GAMES: Final = "number players deal seed first winners decisions turns faulty turn_limit"
SEATS: Final = "number seat bot role share decisions seconds slowest"
FAULTS: Final = "number bot seat kind decision problem where"
DISQUALIFIED: Final = "bot faults number kind decision problem where"
"""The columns of the CSV files."""


def export_run(journal: Journal, folder: Path) -> Iterator[str]:
    """Write all files; yields a message for each."""
    replays = folder / "replays"
    with write_errors(replays):
        replays.mkdir(parents=True, exist_ok=True)
    games: list[list[object]] = []
    seats: list[list[object]] = []
    spent = {(time.number, time.seat): time for time in journal.spent()}
    for saved in journal.games():
        if not saved.counted:
            continue
        game = saved.record
        file = replays / f"{game.number:06}.jsonl"
        replay = with_fault(saved.replay, saved.fault) if saved.fault else saved.replay
        write_file(file, write_replay(replay))
        facts = (game.number, game.players, game.deal, saved.seed, seat_name(game.first))
        faulty = "" if game.faulty is None else seat_name(game.faulty)
        winners = "".join(map(seat_name, game.winners))
        stopped = saved.turn_limit
        games.append([*facts, winners, game.decisions, game.turns, faulty, int(stopped)])
        for seat, share in enumerate(game.shares()):
            cost = spent[game.number, seat]
            row = (game.number, seat_name(seat), game.seats[seat], game.roles[seat])
            seats.append([*row, share, cost.decisions, cost.seconds, cost.slowest])
    faults = [
        [number, bot, seat_name(fault.seat), *fault[1:]] for number, bot, fault in journal.faults()
    ]
    yield f"wrote {len(games)} replays to {replays}"
    yield _csv(folder / "games.csv", GAMES, games)
    yield _csv(folder / "seats.csv", SEATS, seats)
    yield _csv(folder / "faults.csv", FAULTS, faults)
    disqualified = [
        [bot, count, number, *fault[1:]] for bot, count, number, fault in journal.disqualified()
    ]
    yield _csv(folder / "disqualified.csv", DISQUALIFIED, disqualified)
    yield _text(folder / "league.json", json.dumps(summary(journal), indent=2, ensure_ascii=False))
    run = run_of(journal)
    yield _text(folder / "results.jsonl", write_run(run).rstrip("\n"))
    yield _text(folder / "table.txt", ranking_text(run))


def summary(journal: Journal) -> dict[str, object]:
    """Everything needed to judge a run, or to repeat it; a seed only once it is no secret."""
    return {
        "config": {**journal.league.as_json(), "seed": journal.public_seed()},
        "rules_version": journal.rules,
        "games": len(journal.played()),
        "content": journal.content_digest(),
        "chain": journal.head(),
        "commitment": journal.commitment() or None,
        "sittings": journal.sessions(),
    }


def _csv(file: Path, columns: str, rows: Iterable[Sequence[object]]) -> str:
    with write_errors(file), file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(columns.split())
        writer.writerows(rows)
    return f"wrote {file}"


def _text(file: Path, text: str) -> str:
    write_file(file, text + "\n")
    return f"wrote {file}"
