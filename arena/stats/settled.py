"""A sequential test of a whole league: which deals to play next, and when the order is settled.

An SPRT (fishtest, fastchess) or `arena compare` asks about one pair. In a league any pair may turn
out to matter, and the results so far choose what is played next. Neither spoils the confidence,
because of what is claimed and which deals count.

**What is claimed.** A bot's *lead* over another is its share of wins minus the other's in a deal
that both play in all rotations. It is averaged over all line-ups of the league with both, all
player counts together; every line-up and every circular order has the same weight. A pair is
*separated* if the lead is above 0, and *equal* if it is less than the margin in both directions.
All claims of a league are true together with the stated confidence, whenever it is stopped. An SPRT
assumes two Elo values to choose from and a model of draws; here, only that a lead is between -1 and
1, that deals are drawn at random, and that bots do not change from game to game. Nothing is claimed
about a single line-up or player count. Leads need not be transitive: bots may beat each other in a
circle.

**Why it holds.** Every pair has a `SequentialTest` with the risk divided by the number of pairs (a
union bound), so it does not matter which pairs the results made us look at. Its bets need one
thing: given everything that happened before, the next deal that counts for a pair shows, on
average, the pair's true lead. If leads depend on who else is at the table, then playing where it is
close would break that. Hence two rules:

* A deal's line-up is drawn uniformly from all line-ups at which at least one *open* pair meets.
* The deal counts for a pair only if none of that pair's line-ups was left out of the draw.

So whenever a deal counts for a pair, its line-up is a uniform draw from all line-ups of that pair,
as in a round robin: the results decide when a pair plays, never in which company. All open pairs
count. Others at the table may not, and if they become open later, they go on from what counted. The
circular order is drawn at random, too.

**Which pairs are open.** At first, all. After a few deals of each, the bots are put in order, and
only pairs without a verdict that decide the order remain: neighbours, and next to a group of
equals, all pairs between the group and its neighbours. If only the first K places are asked for:
these pairs among the first K, and the K-th (with its equals) against each bot below. A bot that
looks stronger than one listed above it moves up. So play narrows down to where the order is least
certain. All open pairs are played at once, not one by one, because a table of three or more serves
several of them.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, fsum, sqrt
from random import Random
from typing import Final, NamedTuple

from arena.stats.game_record import GameRecord
from arena.stats.sequential_test import SequentialTest, Verdict
from games.errors import GameError

BATCH: Final = 64
"""Deals to ask for at a time: the same for any number of workers, so that the games are too."""

FIRST_LOOK: Final = 4  # deals of each pair before the bots are put in order
REORDER: Final = 16  # deals after which the order is looked at again, or at once after a verdict
LEAD_DIGITS: Final = 12  # leads that differ by less are the same number, rounded differently


_Pair = tuple[int, int]  # two bots, the lower index first


class LeagueDeal(NamedTuple):
    """A deal to be played in all rotations."""

    players: int
    line_up: tuple[int, ...]
    """Indices of bots, as given to the test."""
    number: int
    """The deal's number within its line-up; number % (players - 1)! is its circular order.

    Numbers have gaps, because circular orders are drawn. The k-th deal of a line-up always has the
    same number in leagues with the same seed, whatever else is played.
    """


@dataclass(frozen=True)
class PairReport:
    """What is known about two bots, listed in the order of the table."""

    bot: str
    other: str
    verdict: Verdict | None
    """Of the first bot; None if open. WORSE only if bots beat each other in a circle."""
    deals: int
    """Deals that counted."""
    lead: float
    """The first bot's share of wins minus the other's, on average."""
    low: float
    high: float
    """Bounds of the lead; all bounds of a league hold together with the stated confidence."""


@dataclass(frozen=True)
class OrderReport:
    """The result of a league so far."""

    settled: bool
    """Whether no deciding pair is open."""
    order: tuple[str, ...]
    ranks: Mapping[str, tuple[int, int]]
    """Best and worst place of each bot, by the separated pairs and chains of them."""
    groups: tuple[tuple[str, ...], ...]
    """The order, split wherever every bot above is ahead of every bot below."""
    deciding: tuple[PairReport, ...]
    others: tuple[PairReport, ...]
    """Pairs that do not decide the order; their verdicts are as reliable."""
    deals: int


class _Table:
    """A line-up, and the deals it has been asked for."""

    def __init__(self, line_up: tuple[int, ...], names: Sequence[str], seed: int) -> None:
        self.line_up = line_up
        self.bots = sorted(set(line_up))
        self.orders = factorial(len(line_up) - 1)
        seated = "/".join(names[bot] for bot in line_up)
        self._rng = Random(f"{seed}/circular orders/{seated}")
        self._used: dict[int, int] = {}

    def next_deal(self) -> LeagueDeal:
        """The next deal, in a circular order drawn at random."""
        turn = int(self._rng.random() * self.orders)
        used = self._used.get(turn, 0)
        self._used[turn] = used + 1
        return LeagueDeal(len(self.line_up), self.line_up, turn + used * self.orders)


class _Evidence:
    """The deals that counted for a pair; leads are those of the bot with the lower index."""

    def __init__(self, risk: float, margin: float) -> None:
        self.test = SequentialTest(risk, margin)
        self.verdict: Verdict | None = None
        self.deals = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, lead: float) -> bool:
        """Whether this gave the verdict."""
        self.deals += 1
        self.total += lead
        self.squares += lead * lead
        self.test.add(lead)
        if self.verdict is not None:
            return False
        self.verdict = self.test.verdict
        return self.verdict is not None

    def bounds(self) -> tuple[float, float]:
        """What the test bounds now, within what its verdict bounded before."""
        low, high = self.test.bounds()
        match self.verdict:
            case Verdict.BETTER:
                return max(low, 0.0), high
            case Verdict.WORSE:
                return low, min(high, 0.0)
            case Verdict.EQUAL:
                return max(low, -self.test.margin), min(high, self.test.margin)
        return low, high

    @property
    def mean(self) -> float:
        return self.total / max(1, self.deals)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(max(0.0, self.squares / self.deals - self.mean**2) / self.deals)


_MIRRORED: Final = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}


class OrderTest:
    """Says which deals to play, takes their results in the same order, and knows when to stop.

    Everything follows from the arguments and the results: the same calls give the same deals.
    """

    def __init__(
        self,
        names: Sequence[str],
        line_ups: Mapping[int, Sequence[tuple[int, ...]]],
        *,
        confidence: float = 0.95,
        margin: float = 0.05,
        top: int | None = None,
        seed: int = 1,
    ) -> None:
        """`line_ups`: player count -> line-ups as indices of names; `top`: places to be settled.

        Raises a `GameError` if a number is impossible or two bots never meet.
        """
        for name, value in (("margin", margin), ("confidence", confidence)):
            if not 0 < value < 1:
                raise GameError(f"{name} must be between 0 and 1, not {value}")
        if len(names) < 2:
            raise GameError(f"an order needs at least two bots, not {len(names)}")
        if top is not None and not 1 <= top <= len(names):
            raise GameError(
                f"top must be between 1 and {len(names)}, the number of bots, not {top}"
            )
        self.names = tuple(names)
        self.top = top or len(names)
        self.deals = 0
        self.order = list(range(len(names)))
        pairs = list(combinations(range(len(names)), 2))
        risk = (1 - confidence) / len(pairs)
        self._pairs = {pair: _Evidence(risk, margin) for pair in pairs}
        self._bit = {pair: 1 << place for place, pair in enumerate(pairs)}
        self._tables = self._seat(line_ups, seed)
        self._rng = Random(f"{seed}/line-ups")
        self._looking = True  # the first deals of each pair, before there is an order
        self._asked: deque[tuple[LeagueDeal, tuple[_Pair, ...]]] = deque()
        self._plans: dict[int, tuple[list[_Table], tuple[_Pair, ...]]] = {}

    def _seat(
        self, line_ups: Mapping[int, Sequence[tuple[int, ...]]], seed: int
    ) -> list[tuple[_Table, int]]:
        """Every line-up with a bit for each pair that meets there."""
        known: dict[tuple[int, ...], _Table] = {}  # a balanced choice may hold a line-up twice
        tables = []
        for line_up in (line_up for count in sorted(line_ups) for line_up in line_ups[count]):
            table = known.setdefault(line_up, _Table(line_up, self.names, seed))
            tables.append((table, sum(self._bit[pair] for pair in combinations(table.bots, 2))))
        met = 0
        for _, meeting in tables:
            met |= meeting
        for (a, b), bit in self._bit.items():
            if not met & bit:
                raise GameError(
                    f"{self.names[a]} and {self.names[b]} are never at the same table, so their "
                    "order cannot be settled; choose a round robin with more line-ups"
                )
        return tables

    # ---- play ---------------------------------------------------------------------------------

    def next_deals(self, most: int = BATCH) -> list[LeagueDeal]:
        """The deals to play next; none if the order is settled.

        May be called while results of earlier deals are still missing. What it returns depends on
        the results that were added by then, so ask at fixed points, whatever the number of workers.
        """
        open_pairs = self.open_pairs()
        if not open_pairs:
            return []
        tables, counting = self._plan(sum(self._bit[pair] for pair in open_pairs))
        drawn = [tables[int(self._rng.random() * len(tables))] for _ in range(most)]
        return [self._ask(table, counting) for table in drawn]

    def _plan(self, wanted: int) -> tuple[list[_Table], tuple[_Pair, ...]]:
        """The tables at which a wanted pair meets, and the pairs that meet at no other table."""
        if wanted not in self._plans:
            left_out = 0
            for _, meeting in self._tables:
                if not meeting & wanted:
                    left_out |= meeting
            tables = [table for table, meeting in self._tables if meeting & wanted]
            counting = tuple(pair for pair, bit in self._bit.items() if not bit & left_out)
            self._plans[wanted] = tables, counting
        return self._plans[wanted]

    def _ask(self, table: _Table, counting: Iterable[_Pair]) -> LeagueDeal:
        deal = table.next_deal()
        bots = table.bots
        self._asked.append((deal, tuple((a, b) for a, b in counting if a in bots and b in bots)))
        return deal

    def add(self, deal: LeagueDeal, shares: Mapping[str, float]) -> None:
        """The result of the oldest deal asked for: each bot's average share of wins (`shares_of`).

        Raises a `ValueError` for any other deal.
        """
        if not self._asked or self._asked[0][0] != deal:
            raise ValueError(f"{deal} is not the next deal whose result is awaited")
        _, pairs = self._asked.popleft()
        self.deals += 1
        news = False
        for a, b in pairs:
            lead = round(shares[self.names[a]] - shares[self.names[b]], LEAD_DIGITS)
            news |= self._pairs[a, b].add(lead)
        if self._looking and not self._unseen():
            self._looking = False
            self.order.sort(key=lambda bot: -sum(self._lead(bot, rival) for rival in self.order))
        elif news or self.deals % REORDER == 0:
            self._reorder()

    # ---- order --------------------------------------------------------------------------------

    def settled(self) -> bool:
        """Whether every pair that decides the order has a verdict."""
        return not self.open_pairs()

    def open_pairs(self) -> list[_Pair]:
        """The pairs that still need a verdict, the lower index first."""
        if self._looking:
            return self._unseen()
        deciding = (_sorted(self.order[i], self.order[j]) for i, j in self._deciding())
        return [pair for pair in deciding if self._pairs[pair].verdict is None]

    def verdict(self, bot: int, rival: int) -> Verdict | None:
        """The verdict of a bot, whether or not the pair decides the order; None if open."""
        verdict = self._pairs[_sorted(bot, rival)].verdict
        return _MIRRORED.get(verdict, verdict) if verdict and bot > rival else verdict

    def _unseen(self) -> list[_Pair]:
        return [pair for pair, known in self._pairs.items() if known.deals < FIRST_LOOK]

    def _deciding(self) -> Iterator[tuple[int, int]]:
        """Places in the order whose pairs decide it, the higher place first."""
        order = self.order
        for i in range(min(self.top, len(order) - 1)):
            steps = 0  # from i to j: 0 within a group of equals, 1 to the next group
            for j in range(i + 1, len(order)):
                verdict = self.verdict(order[j - 1], order[j])
                if j == self.top:
                    steps += 1  # from here on, all are below the K-th, in any order
                elif j < self.top:
                    steps += verdict is not Verdict.EQUAL
                if steps > 1:
                    break
                if steps == 1 or j == i + 1:
                    yield i, j
                if j < self.top and verdict is None:
                    break  # they may turn out to be equal, and those beyond a group further

    def _reorder(self) -> None:
        """Move bots up that look stronger than one above, or if that never ends, those that are.

        If not even that ends, bots beat each other in a circle and stay somewhere in it.
        """
        if not self._looking and not self._sort(self._looks_weaker):
            self._sort(lambda bot, rival: self.verdict(bot, rival) is Verdict.WORSE)

    def _sort(self, weaker: Callable[[int, int], bool]) -> bool:
        """Whether it ended."""
        for _ in range(len(self.order) ** 2):
            for i, j in self._deciding():
                if weaker(self.order[i], self.order[j]):
                    self.order.insert(i, self.order.pop(j))
                    break
            else:
                return True
        return False

    def _looks_weaker(self, bot: int, rival: int) -> bool:
        """By the verdict; without one, by more than the standard error, so that equals stay put."""
        verdict = self.verdict(bot, rival)
        if verdict is not None:
            return verdict is Verdict.WORSE
        return self._lead(bot, rival) < -self._pairs[_sorted(bot, rival)].error

    def _lead(self, bot: int, rival: int) -> float:
        if bot == rival:
            return 0.0
        mean = self._pairs[_sorted(bot, rival)].mean
        return mean if bot < rival else -mean

    # ---- report -------------------------------------------------------------------------------

    def report(self) -> OrderReport:
        """Everything known. Takes milliseconds per pair; for progress, ask for `open_pairs`."""
        deciding = [] if self._looking else list(self._deciding())
        others = [pair for pair in combinations(range(len(self.order)), 2) if pair not in deciding]
        ahead = self._ahead()
        return OrderReport(
            self.settled(),
            tuple(self.names[bot] for bot in self.order),
            self._ranks(ahead),
            self._groups(ahead),
            tuple(self._pair_report(self.order[i], self.order[j]) for i, j in deciding),
            tuple(self._pair_report(self.order[i], self.order[j]) for i, j in others),
            self.deals,
        )

    def _pair_report(self, bot: int, rival: int) -> PairReport:
        known = self._pairs[_sorted(bot, rival)]
        low, high = known.bounds()
        if bot > rival:
            low, high = -high, -low
        verdict, lead = self.verdict(bot, rival), self._lead(bot, rival)
        names = self.names[bot], self.names[rival]
        return PairReport(*names, verdict, known.deals, lead, low, high)

    def _ahead(self) -> dict[int, set[int]]:
        """Bot -> bots it is ahead of, directly or by a chain; both ways within a circle."""
        bots = range(len(self.order))
        better = Verdict.BETTER
        ahead = {a: {b for b in bots if a != b and self.verdict(a, b) is better} for a in bots}
        for middle in bots:
            for bot in bots:
                if middle in ahead[bot]:
                    ahead[bot] |= ahead[middle]
        return ahead

    def _ranks(self, ahead: Mapping[int, set[int]]) -> dict[str, tuple[int, int]]:
        ranks = {}
        for bot in self.order:
            above = {rival for rival in self.order if bot in ahead[rival]}
            best, worst = 1 + len(above - ahead[bot]), len(self.order) - len(ahead[bot] - above)
            ranks[self.names[bot]] = best, worst
        return ranks

    def _groups(self, ahead: Mapping[int, set[int]]) -> tuple[tuple[str, ...], ...]:
        groups: list[list[str]] = [[]]
        for place, bot in enumerate(self.order):
            below = self.order[place:]
            if all(
                rival in ahead[higher] and higher not in ahead[rival]
                for higher in self.order[:place]
                for rival in below
            ):
                groups.append([])
            groups[-1].append(self.names[bot])
        return tuple(map(tuple, groups[1:]))


def shares_of(games: Iterable[GameRecord]) -> dict[str, float]:
    """Each bot's average share of wins per seat, in the games of a deal (all its rotations)."""
    won: dict[str, list[float]] = {}
    for game in games:
        for name, share in zip(game.seats, game.shares(), strict=True):
            won.setdefault(name, []).append(share)
    return {name: fsum(shares) / len(shares) for name, shares in won.items()}


def _sorted(a: int, b: int) -> _Pair:
    return (a, b) if a < b else (b, a)
