"""Small networks that give every seat's chance to win. Compiled.

In both kinds, every claim of a seat (`games.features.FeatureLayout`) gets a score from the same
network: a first layer that adds up what the table, the seat and the claim bring, a second one, and
one output. The table's part is added once for all claims, the seat's once for all of the seat's.
Scores become chances by a softmax over all claims and a nobody of score 0; or, in games that
several seats can win, each by itself.
"""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.state import NO_PATTERN, State

MOST_SCORE: Final = 30.0
"""Scores are cut here, far beyond certainty, so that no exponential overflows."""


class Network:
    """The weights of a network, and room to evaluate it."""

    def __init__(self, players: i64, one_winner: bool) -> None:
        self.players: i64 = players
        self.one_winner: bool = one_winner
        self.evaluations: i64 = 0

    def evaluate(self, world: State, chances: vec[float]) -> None:  # noqa: ARG002
        """Every seat's chance to win an unfinished game, given the complete state."""
        raise TypeError("a network must define evaluate()")

    def to_chances(self, odds: vec[float], total: float) -> None:
        """Turn odds of seats into chances; `total` are those of all, and of nobody."""
        for seat in range(self.players):
            odds[seat] /= total if self.one_winner else 1.0 + odds[seat]

    def judged(self, world: State) -> list[float]:
        """Every seat's chance to win, as a list."""
        chances = vec[float]([0.0] * self.players)
        self.evaluate(world, chances)
        return list(chances)


class NumberNetwork(Network):
    """A network that sees the numbers of `State.fill_features`."""

    def __init__(
        self,
        sizes: tuple[int, int, int, int],
        hidden: tuple[int, int],
        one_winner: bool,
        players: i64,
        weights: list[float],
    ) -> None:
        """`sizes` are those of a layout: table, seat, claim, claims; `hidden` those of the layers.

        The weights: by input and hidden unit, then hidden biases, the second layer by unit of the
        first and unit of the second, its biases, the output's weights and its bias.
        """
        super().__init__(players, one_winner)
        self.table: i64 = sizes[0]
        self.seat: i64 = sizes[1]
        self.claim: i64 = sizes[2]
        self.claims: i64 = sizes[3]
        self.first: i64 = hidden[0]
        self.second: i64 = hidden[1]
        self.weights: vec[float] = vec[float](weights)
        room = self.table + players * (self.seat + self.claims * self.claim)
        self.inputs: vec[float] = vec[float]([0.0] * room)
        self.of_table: vec[float] = vec[float]([0.0] * hidden[0])
        self.of_seat: vec[float] = vec[float]([0.0] * hidden[0])
        self.of_claim: vec[float] = vec[float]([0.0] * hidden[0])
        self.after: vec[float] = vec[float]([0.0] * hidden[1])

    def evaluate(self, world: State, chances: vec[float]) -> None:
        world.fill_features(self.inputs)
        self.evaluations += 1
        inputs = self.inputs
        first = self.first
        claims_at = self.table + self.players * self.seat
        bias = (self.table + self.seat + self.claim) * first
        for j in range(first):
            self.of_table[j] = self.weights[bias + j]
        self.add(self.of_table, 0, self.table, 0)
        total = 1.0
        for seat in range(self.players):
            twin = world.twin(seat)
            if twin < seat:
                chances[seat] = chances[twin]
                total += chances[twin]
                continue
            of_seat = self.of_seat
            for j in range(first):
                of_seat[j] = self.of_table[j]
            self.add(of_seat, self.table + seat * self.seat, self.seat, self.table)
            chance = 0.0
            for c in range(self.claims):
                at = claims_at + (seat * self.claims + c) * self.claim
                if inputs[at] != 0.0:
                    chance += exp(self.score(at))
            chances[seat] = chance
            total += chance
        self.to_chances(chances, total)

    def add(self, sums: vec[float], at: i64, count: i64, row: i64) -> None:
        """Add what `count` inputs from `at` on bring to the first layer; most inputs are 0."""
        inputs = self.inputs
        weights = self.weights
        first = self.first
        for i in range(count):
            x = inputs[at + i]
            if x != 0.0:
                w = (row + i) * first
                for j in range(first):
                    sums[j] += x * weights[w + j]

    def score(self, at: i64) -> float:
        """The score of the claim whose inputs begin at `at`."""
        weights = self.weights
        first = self.first
        second = self.second
        sums = self.of_claim
        for j in range(first):
            sums[j] = self.of_seat[j]
        self.add(sums, at, self.claim, self.table + self.seat)
        w = (self.table + self.seat + self.claim + 1) * first
        after = self.after
        for k in range(second):
            after[k] = weights[w + first * second + k]
        for j in range(first):
            x = sums[j]
            if x > 0.0:
                row = w + j * second
                for k in range(second):
                    after[k] += x * weights[row + k]
        w += (first + 1) * second
        score = weights[w + second]
        for k in range(second):
            if after[k] > 0.0:
                score += after[k] * weights[w + k]
        return MOST_SCORE if score > MOST_SCORE else -MOST_SCORE if score < -MOST_SCORE else score


UNIT: Final = 250
"""The first layer of a PatternNetwork counts in whole numbers of 1 / UNIT."""

LANES: Final = 4
"""Units of the first layer that share a 64-bit number, 16 bits each."""

LANE_LIMIT: Final = 32767

_FLOAT: Final = vec[float]([float(n) for n in range(LANE_LIMIT + 1)])
"""Whole numbers as floats: looked up, because compiled code makes an object of the one to get the
other."""

_WORDS: Final = 4
"""Numbers of LANES units that are summed at a time, and SUMS of the second layer."""
SUMS: Final = 8


class PatternNetwork(Network):
    """A network that sees the patterns of `State.fill_patterns`.

    A pattern brings its weights to the first layer, so the layer is a sum of rows. Weights are
    whole numbers and four share one 64-bit number, which adds four sums at once, exactly.
    """

    def __init__(
        self,
        slots: tuple[int, int, int, int],
        patterns: i64,
        hidden: tuple[int, int],
        one_winner: bool,
        players: i64,
        weights: list[float],
    ) -> None:
        """`slots` are those of table, seat and claim, then claims; the order of weights is that of
        NumberNetwork, with patterns in place of inputs. Layers are filled up with units of no
        weight.
        """
        super().__init__(players, one_winner)
        self.table: i64 = slots[0]
        self.seat: i64 = slots[1]
        self.claim: i64 = slots[2]
        self.claims: i64 = slots[3]
        first, second = hidden
        block = LANES * _WORDS
        self.words: i64 = (first + block - 1) // block * _WORDS
        self.second: i64 = (second + SUMS - 1) // SUMS * SUMS
        self.patterns: i64 = patterns
        rows: list[int] = []
        for row in range(patterns + 1):
            rows.extend(packed_row(weights, row * first, first, self.words))
        self.rows: vec[i64] = vec[i64](rows)
        """By pattern, then the biases: the packed weights of the first layer."""
        at = int(patterns + 1) * first
        after: list[float] = []
        for j in range(first + 1):  # the last row are biases, which are not in units
            scale = 1.0 / UNIT if j < first else 1.0
            row_weights = [weight * scale for weight in weights[at : at + second]]
            after.extend(row_weights + [0.0] * (self.second - second))
            at += second
        self.after: vec[float] = vec[float](after)
        self.bias_at: i64 = i64(first) * self.second
        self.out: vec[float] = vec[float](weights[at : at + second] + [0.0] * SUMS)
        self.out_bias: float = weights[at + second]
        room = self.table + players * (self.seat + self.claims * self.claim)
        self.found: vec[i64] = vec[i64]([0] * room)
        self.of_table: vec[i64] = vec[i64]([0] * self.words)
        self.of_seat: vec[i64] = vec[i64]([0] * self.words)
        self.of_claim: vec[i64] = vec[i64]([0] * self.words)
        self.active: vec[i64] = vec[i64]([0] * (self.words * LANES))
        self.active_sum: vec[float] = vec[float]([0.0] * (self.words * LANES))

    def evaluate(self, world: State, chances: vec[float]) -> None:
        world.fill_patterns(self.found)
        self.evaluations += 1
        found = self.found
        for w in range(self.words):
            self.of_table[w] = self.rows[self.patterns * self.words + w]
        self.add(self.of_table, self.of_table, 0, self.table)
        at = self.table + self.players * self.seat
        total = 1.0
        for seat in range(self.players):
            self.add(self.of_table, self.of_seat, self.table + seat * self.seat, self.seat)
            chance = 0.0
            for _claim in range(self.claims):  # `_` would be boxed: mypyc takes it for Any
                if found[at] != NO_PATTERN:
                    self.add(self.of_seat, self.of_claim, at, self.claim)
                    chance += exp(self.score())
                at += self.claim
            chances[seat] = chance
            total += chance
        self.to_chances(chances, total)

    def add(self, before: vec[i64], sums: vec[i64], at: i64, count: i64) -> None:
        """Sum what was there before and the rows of `count` patterns from `at` on."""
        found = self.found
        rows = self.rows
        words = self.words
        w: i64 = 0
        while w < words:  # four sums at a time stay in registers
            a = before[w]
            b = before[w + 1]
            c = before[w + 2]
            d = before[w + 3]
            for i in range(at, at + count):
                pattern = found[i]
                if pattern != NO_PATTERN:
                    row = pattern * words + w
                    a += rows[row]
                    b += rows[row + 1]
                    c += rows[row + 2]
                    d += rows[row + 3]
            sums[w] = a
            sums[w + 1] = b
            sums[w + 2] = c
            sums[w + 3] = d
            w += _WORDS

    def unpack(self) -> i64:
        """Find the units of the claim's first layer with a sum above 0; returns how many."""
        sums = self.of_claim
        active = self.active
        active_sum = self.active_sum
        second = self.second
        lanes: i64 = LANES
        count: i64 = 0
        at: i64 = 0
        for w in range(self.words):
            four = sums[w]
            for _lane in range(lanes):
                lane = four & 0xFFFF
                if lane > LANE_LIMIT:
                    lane -= 0x10000
                elif lane > 0:
                    active[count] = at
                    active_sum[count] = _FLOAT[lane]
                    count += 1
                four = (four - lane) >> 16
                at += second
        return count

    def score(self) -> float:
        """The score of the claim whose first layer is in `of_claim`."""
        count = self.unpack()
        after = self.after
        out = self.out
        active = self.active
        active_sum = self.active_sum
        score = self.out_bias
        k: i64 = 0
        while k < self.second:
            at = self.bias_at + k
            s0 = after[at]
            s1 = after[at + 1]
            s2 = after[at + 2]
            s3 = after[at + 3]
            s4 = after[at + 4]
            s5 = after[at + 5]
            s6 = after[at + 6]
            s7 = after[at + 7]
            for i in range(count):
                x = active_sum[i]
                at = active[i] + k
                s0 += x * after[at]
                s1 += x * after[at + 1]
                s2 += x * after[at + 2]
                s3 += x * after[at + 3]
                s4 += x * after[at + 4]
                s5 += x * after[at + 5]
                s6 += x * after[at + 6]
                s7 += x * after[at + 7]
            score += positive(s0) * out[k] + positive(s1) * out[k + 1]
            score += positive(s2) * out[k + 2] + positive(s3) * out[k + 3]
            score += positive(s4) * out[k + 4] + positive(s5) * out[k + 5]
            score += positive(s6) * out[k + 6] + positive(s7) * out[k + 7]
            k += SUMS
        return MOST_SCORE if score > MOST_SCORE else -MOST_SCORE if score < -MOST_SCORE else score


def positive(x: float) -> float:
    return x if x > 0.0 else 0.0


def packed_row(weights: list[float], at: int, count: int, words: int) -> list[int]:
    """The weights from `at` on in units, four to a number."""
    found: list[int] = []
    for w in range(words):
        number = 0
        for lane in range(LANES):
            unit = w * LANES + lane
            if unit < count:
                number += round(weights[at + unit] * UNIT) * (1 << 16 * lane)
        found.append(number)
    return found
