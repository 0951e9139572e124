"""Deals of a league that is played until its order is settled, and what came out of it."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from arena.league.config import League
from arena.league.schedule import ScheduledDeal, around, by_name, deal_seed, round_line_ups
from arena.stats.game_record import GameRecord
from arena.stats.sequential_test import Verdict
from arena.stats.settled import (
    BATCH,
    FIRST_LOOK,
    LeagueDeal,
    OrderReport,
    OrderTest,
    PairReport,
    shares_of,
)
from games.wording import counted


class Settling:
    """Turns what an `OrderTest` asks for into deals of a league, batch by batch."""

    def __init__(self, league: League, active: Iterable[int]) -> None:
        self.league = league
        self.bots = by_name(league, active)
        """The bots of the test, by their index in it."""
        places = {bot: place for place, bot in enumerate(self.bots)}
        line_ups = {
            players: [
                tuple(sorted(places[bot] for bot in line_up))
                for line_up in round_line_ups(league, self.bots, players, 0, ())
            ]
            for players in league.players
        }
        self.test: OrderTest | None = None  # if there is nobody to be ahead of
        if len(self.bots) > 1:
            self.test = OrderTest(
                [league.names[bot] for bot in self.bots],
                line_ups,
                confidence=league.confidence,
                margin=league.margin,
                top=min(league.top, len(self.bots)) or None,
                seed=league.seed,
            )
        self._asked: list[LeagueDeal] = []

    def next_deals(self, results: Sequence[GameRecord]) -> list[ScheduledDeal]:
        """The next batch, given the games of the batch before; none if the order is settled."""
        if self.test is None:
            return []
        deals = [list(games) for _, games in groupby(results, lambda game: game.deal)]
        for asked, games in zip(self._asked, deals, strict=True):
            self.test.add(asked, shares_of(games))
        self._asked = self.test.next_deals()
        return [self._scheduled(deal) for deal in self._asked]

    def _scheduled(self, deal: LeagueDeal) -> ScheduledDeal:
        line_up = tuple(self.bots[place] for place in deal.line_up)
        seed = deal_seed(self.league, line_up, deal.number)
        return ScheduledDeal(deal.players, seed, around(line_up, deal.number))

    def open_pairs(self) -> int:
        return len(self.test.open_pairs()) if self.test else 0


def order_lines(report: OrderReport, confidence: float) -> list[str]:
    """The order and why it is settled, or where it is still open."""
    head = f"The order is settled at {confidence:.0%} confidence"
    if not report.settled:
        head = f"The order is not settled yet at {confidence:.0%} confidence"
    if not report.deals:
        return [f"{head}: no deal has been judged yet; they are judged in batches of {BATCH}."]
    if not report.deciding:
        seen = f"{FIRST_LOOK} of the {report.deals:,} deals judged so far"
        return [f"{head}: not every pair has met in {seen}."]
    lines = [f"{head}, after {counted(report.deals, 'deal')}:"]
    return lines + [f"- {pair_text(pair)}" for pair in report.deciding]


def pair_text(pair: PairReport) -> str:
    bounds = f"lead {100 * pair.lead:+.1f} points ({100 * pair.low:+.1f} to {100 * pair.high:+.1f})"
    words = {
        Verdict.BETTER: "is ahead of",
        Verdict.WORSE: "is behind",
        Verdict.EQUAL: "is equal within the margin to",
        None: "is not told apart yet from",
    }
    return f"{pair.bot} {words[pair.verdict]} {pair.other}: {bounds}, {counted(pair.deals, 'deal')}"
