"""Writes a run out as files: tables as CSV, everything about it as JSON, games as replays."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from arena.files import write_file, writing
from arena.league.journal import Journal
from arena.league.read_run import run_of, write_run
from arena.league.table import league_table
from games.replay import write_replay
from games.seats import seat_name

GAMES: Final = "number players deal seed first winners decisions turns faulty"
SEATS: Final = "number seat bot role share decisions seconds slowest"
FAULTS: Final = "number bot seat kind decision problem"
"""The columns of the tables."""


def write_out(journal: Journal, folder: Path) -> Iterator[str]:
    """Write all files; a line for each kind."""
    replays = folder / "replays"
    with writing(replays):
        replays.mkdir(parents=True, exist_ok=True)
    games: list[list[object]] = []
    seats: list[list[object]] = []
    spent = {(one.number, one.seat): one for one in journal.spent()}
    for kept in journal.games():
        game = kept.played
        file = replays / f"{game.number:06}.jsonl"
        write_file(file, write_replay(kept.replay))
        facts = (game.number, game.players, game.deal, kept.seed, seat_name(game.first))
        faulty = "" if game.faulty is None else seat_name(game.faulty)
        winners = "".join(seat_name(seat) for seat in game.winners)
        games.append([*facts, winners, game.decisions, game.turns, faulty])
        for seat, share in enumerate(game.shares()):
            cost = spent[game.number, seat]
            who = (game.number, seat_name(seat), game.seats[seat], game.roles[seat])
            seats.append([*who, share, cost.decisions, cost.seconds, cost.slowest])
    faults = [[number, bot, seat_name(one.seat), *one[1:]] for number, bot, one in journal.faults()]
    yield f"wrote {len(games)} replays to {replays}"
    yield _table(folder / "games.csv", GAMES, games)
    yield _table(folder / "seats.csv", SEATS, seats)
    yield _table(folder / "faults.csv", FAULTS, faults)
    yield _table(folder / "forfeits.csv", "number bot", journal.forfeits())
    yield _text(folder / "league.json", json.dumps(about(journal), indent=2, ensure_ascii=False))
    run = run_of(journal)
    yield _text(folder / "results.jsonl", write_run(run).rstrip("\n"))
    table = league_table(run, journal.forfeits(), journal.league.players)
    yield _text(folder / "table.txt", table)


def about(journal: Journal) -> dict[str, object]:
    """What has to be known to judge a run, or to play it again."""
    return {
        "config": journal.league.as_json(),
        "rules_version": journal.rules,
        "games": len(journal.played()),
        "content": journal.content_digest(),
        "sittings": journal.sittings(),
    }


def _table(file: Path, head: str, rows: Iterable[Sequence[object]]) -> str:
    with writing(file), file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(head.split())
        writer.writerows(rows)
    return f"wrote {file}"


def _text(file: Path, text: str) -> str:
    write_file(file, text + "\n")
    return f"wrote {file}"
