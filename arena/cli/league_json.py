"""The result of a league as JSON."""

from __future__ import annotations

from dataclasses import asdict

from arena.league.journal import Journal
from arena.league.read_run import run_of
from arena.league.table_notes import order_report, table_notes
from arena.stats.report import standings_json
from arena.stats.settled import OrderReport, PairReport
from arena.stats.standings import standings_of


def league_json(journal: Journal, complete: bool, ended: bool) -> dict[str, object]:
    """What has been played; the standings too if it came to an end, complete or by time."""
    run = run_of(journal)
    report = order_report(journal) if ended else None
    secret = journal.secret()
    return {
        "run": str(journal.path),
        "complete": complete,
        "games": len(journal.numbers()),
        "commitment": None if secret is None else secret.commitment,
        "seed": str(secret.seed) if secret and secret.revealed else None,
        "chain": journal.head(),
        "notes": table_notes(journal),
        "standings": standings_json(standings_of(run)) if ended and run.games else None,
        "order": None if report is None else _order_json(report, journal.league.confidence),
    }


def _order_json(report: OrderReport, confidence: float) -> dict[str, object]:
    return {
        "settled": report.settled,
        "confidence": confidence,
        "deals": report.deals,
        "order": list(report.order),
        "pairs": [_pair_json(pair) for pair in (*report.deciding, *report.others)],
    }


def _pair_json(pair: PairReport) -> dict[str, object]:
    return {**asdict(pair), "verdict": None if pair.verdict is None else pair.verdict.value}
