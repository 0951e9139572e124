"""A table of Hidden Leaders as numbers for models: what it holds for all, each seat and claim.

A claim is one faction of a seat's leader: the way in which the seat can win. Numbers are scaled to
about 1. The names are in `TABLE`, `SEAT` and `CLAIM`, in the order of the numbers.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, PROGRAM, START, SUPPORTS
from games.hidden_leaders.rules.card_language import ME, Times
from games.hidden_leaders.rules.constants import EMPTY, MOST_PLAYERS, Limit, Zone
from games.hidden_leaders.rules.interpreter import Interpreter
from games.hidden_leaders.rules.opcodes import MarkRow, Op
from games.hidden_leaders.rules.scoring import party_strength, steps_to
from games.hidden_leaders.rules.table import AT, LENGTH, TAVERN_AT

FEATURES_VERSION: Final = 2

KINDS: Final = 4
"""Factions, numbered in the order of FACTIONS."""

CLAIMS: Final = 2
"""Every leader has two factions."""

_FACTIONS: Final = ("Undead", "Water", "Empire", "Tribes")

TABLE: Final = (
    *[f"{players} players" for players in range(2, 7)],
    "open heroes short of the end / 8",
    *("1 short", "2 short", "3 short", "4 short"),
    "the player can end the game",
    "rounds / 10",
    *("harbor / 80", "graveyard / 20", "wilderness / 40"),
    *[f"steps to a win of {name} / 8" for name in _FACTIONS],
    *[f"{name} would win now" for name in _FACTIONS],
    *[f"supporters of {name} / 3" for name in _FACTIONS],
    *[f"steps that hands can gain for {name} / 4" for name in _FACTIONS],
    *("red marker / 12", "green marker / 12"),
)

SEAT: Final = (
    *("has the turn", "has the next turn", "turns until its own / players"),
    "has the turn and can end the game",
    *("open heroes short / 8", "1 open hero short"),
    *("open heroes / 8", "hidden heroes / 4", "hand / 4"),
    "others that are 1 short / players",
)

CLAIM: Final = (
    "exists",
    *_FACTIONS,
    *("steps / 6", "0 steps", "1 step", "2 steps"),
    *("steps that the hand gains / 3", "the hand wins it for the faction"),
    *("heroes of the faction / 6", "hidden heroes of it / 3", "cards of it in hand / 4"),
    *("lead over the best rival / 4", "ahead", "level", "would win if the faction did"),
    *("no rival", "rivals / 3", "cards that the best rival holds / 4"),
    "steps that the best rival's hand gains / 3",
    *("cards of it in the tavern / 3", "steps of the nearest other faction / 6"),
    *("the player is a rival", "steps that the player's hand gains / 3"),
    "the player can end the game with a win of the faction",
    "and would win it itself",
    "would win if the game ended now",
    "the same, 1 short of the end",
    "the same, 2 short of the end",
    "this claim is nearer than the seat's other",
)

# Counted here because compiled code needs constants; a test compares them.
TABLE_SIZE: Final = 33
SEAT_SIZE: Final = 10
CLAIM_SIZE: Final = 32


def _steps() -> list[int]:
    """Fewest marker steps to a win, at faction * 256 + red * 16 + green."""
    return [
        steps_to(i64(1) << k, red, green)
        for k in range(KINDS)
        for red in range(16)
        for green in range(16)
    ]


STEPS: Final = vec[i64](_steps())


def marker_card(card: i64) -> i64:
    """Where the card's marker phrase begins, if its player alone decides on it; else -1."""
    row = START[card]
    if (
        PROGRAM[row] == Op.MARK
        and PROGRAM[row + MarkRow.BY] == ME
        and PROGRAM[row + MarkRow.TIMES] == Times.ONCE
    ):
        return row
    return -1


class Measures:
    """What the features of seats and claims have in common."""

    def __init__(self, table: Interpreter) -> None:
        m = table.m
        self.here: i64 = table.red * 16 + table.green
        self.short: i64 = 0
        """Open heroes that the longest party is short of the end, at most 8."""
        self.one_short: i64 = 0
        """Parties that are one short, or less."""
        self.can_end: bool = (
            m[LENGTH + Zone.OPEN + table.player] >= table.threshold - 1
            and m[LENGTH + Zone.HAND + table.player] > 0
        )
        # At seat * KINDS + faction, for the factions that the seat supports.
        self.strength: vec[i64] = vec[i64]([0] * (MOST_PLAYERS * KINDS))
        """Heroes of the faction in its party."""
        self.held: vec[i64] = vec[i64]([0] * (MOST_PLAYERS * KINDS))
        """Cards of the faction in its hand."""
        self.gain: vec[i64] = vec[i64]([0] * (MOST_PLAYERS * KINDS))
        """Steps that its hand gains for the faction."""
        longest: i64 = 0
        for seat in range(table.players):
            opened = m[LENGTH + Zone.OPEN + seat]
            longest = max(longest, opened)
            if opened >= table.threshold - 1:
                self.one_short += 1
            self.measure_seat(table, seat)
        self.short = max(i64(0), min(i64(8), table.threshold - longest))

    def measure_seat(self, table: Interpreter, seat: i64) -> None:
        m = table.m
        leader = table.leader(seat)
        if leader < 0:
            return
        supported = SUPPORTS[leader]
        first = AT[Zone.HAND + seat]
        end = first + m[LENGTH + Zone.HAND + seat]
        for k in range(i64(KINDS)):
            faction = 1 << k
            if not supported & faction:
                continue
            at = seat * KINDS + k
            self.strength[at] = party_strength(table, seat, faction)
            nearest = STEPS[k * 256 + self.here]
            count: i64 = 0
            for i in range(first, end):
                card = m[i]
                if FACTION_OF[card] & faction:
                    count += 1
                row = marker_card(card)
                if row < 0:
                    continue
                for j in range(PROGRAM[row + MarkRow.ALTERNATIVES]):
                    outcome = table.shifted(PROGRAM[row + MarkRow.FIRST] + j, 1)
                    if outcome >= 0 and STEPS[k * 256 + outcome] < nearest:
                        nearest = STEPS[k * 256 + outcome]
            self.held[at] = count
            self.gain[at] = STEPS[k * 256 + self.here] - nearest


class Rivals:
    """The other seats that support the faction of a claim. One object serves all claims."""

    def __init__(self) -> None:
        self.count: i64 = 0
        self.strength: i64 = 0
        """Of the strongest one; -1 if there is none."""
        self.held: i64 = 0
        self.gain: i64 = 0
        self.beaten = True
        """Whether the seat would win if the faction did."""

    def look(self, table: Interpreter, measures: Measures, seat: i64, k: i64) -> None:
        """Turn to the rivals of that claim."""
        m = table.m
        leader = table.leader(seat)
        own = measures.strength[seat * KINDS + k]
        heroes = m[LENGTH + Zone.OPEN + seat] + m[LENGTH + Zone.HIDDEN + seat]
        self.count = self.held = self.gain = 0
        self.strength = -1
        self.beaten = True
        for other in range(table.players):
            theirs = table.leader(other)
            if other == seat or theirs < 0 or not SUPPORTS[theirs] & (1 << k):
                continue
            at = other * KINDS + k
            strength = measures.strength[at]
            self.count += 1
            self.strength = max(self.strength, strength)
            self.held = max(self.held, measures.held[at])
            self.gain = max(self.gain, measures.gain[at])
            if strength > own:
                self.beaten = False
            elif strength == own:
                size = m[LENGTH + Zone.OPEN + other] + m[LENGTH + Zone.HIDDEN + other]
                if size < heroes or (size == heroes and theirs > leader):
                    self.beaten = False


def fill_features(table: Interpreter, out: vec[float]) -> None:
    """See `State.fill_features`."""
    players = table.players
    for i in range(TABLE_SIZE + players * (SEAT_SIZE + CLAIMS * CLAIM_SIZE)):
        out[i] = 0.0
    measures = Measures(table)
    rivals = Rivals()
    fill_table(table, measures, out)
    for seat in range(players):
        fill_seat_features(table, measures, seat, out)
        fill_claims(table, measures, rivals, seat, out)


def fill_table(table: Interpreter, measures: Measures, out: vec[float]) -> None:
    m = table.m
    players = table.players
    here = measures.here
    short = measures.short
    out[players - 2] = 1.0
    out[5] = float(short) / 8.0
    if short <= 4:
        out[5 + max(i64(1), short)] = 1.0
    if measures.can_end:
        out[10] = 1.0
    out[11] = float(table.turns // players) / 10.0
    out[12] = float(m[LENGTH + Zone.HARBOR]) / 80.0
    out[13] = float(m[LENGTH + Zone.GRAVEYARD]) / 20.0
    out[14] = float(m[LENGTH + Zone.WILDERNESS]) / 40.0
    for k in range(i64(KINDS)):
        steps = STEPS[k * 256 + here]
        out[15 + k] = float(steps) / 8.0
        if steps == 0:
            out[19 + k] = 1.0
        supporters: i64 = 0
        gained: i64 = 0
        for seat in range(players):
            leader = table.leader(seat)
            if leader >= 0 and SUPPORTS[leader] & (1 << k):
                supporters += 1
                gained += measures.gain[seat * KINDS + k]
        out[23 + k] = float(supporters) / 3.0
        out[27 + k] = float(gained) / 4.0
    out[31] = float(table.red) / 12.0
    out[32] = float(table.green) / 12.0


def fill_seat_features(table: Interpreter, measures: Measures, seat: i64, out: vec[float]) -> None:
    m = table.m
    players = table.players
    at = TABLE_SIZE + seat * SEAT_SIZE
    opened = m[LENGTH + Zone.OPEN + seat]
    own = table.threshold - opened
    turn = seat - table.player if seat >= table.player else seat - table.player + players
    if turn == 0:
        out[at] = 1.0
        if measures.can_end:
            out[at + 3] = 1.0
    elif turn == 1:
        out[at + 1] = 1.0
    out[at + 2] = float(turn) / float(players)
    out[at + 4] = float(own) / 8.0
    if own <= 1:
        out[at + 5] = 1.0
    out[at + 6] = float(opened) / 8.0
    out[at + 7] = float(m[LENGTH + Zone.HIDDEN + seat]) / 4.0
    out[at + 8] = float(m[LENGTH + Zone.HAND + seat]) / 4.0
    out[at + 9] = float(measures.one_short - (1 if own <= 1 else 0)) / float(players)


def fill_claims(
    table: Interpreter, measures: Measures, rivals: Rivals, seat: i64, out: vec[float]
) -> None:
    leader = table.leader(seat)
    if leader < 0:
        return
    at = TABLE_SIZE + table.players * SEAT_SIZE + seat * (CLAIMS * CLAIM_SIZE)
    first = at
    for k in range(i64(KINDS)):
        if not SUPPORTS[leader] & (1 << k):
            continue
        rivals.look(table, measures, seat, k)
        fill_claim_features(table, measures, rivals, seat, k, out, at)
        fill_end_of_claim(table, measures, rivals, seat, k, out, at)
        if at > first and out[at + 5] < out[first + 5]:
            out[at + 31] = 1.0
        elif at > first and out[at + 5] > out[first + 5]:
            out[first + 31] = 1.0
        at += CLAIM_SIZE


def fill_claim_features(
    table: Interpreter,
    measures: Measures,
    rivals: Rivals,
    seat: i64,
    k: i64,
    out: vec[float],
    at: i64,
) -> None:
    """How strong the claim to the faction is, by itself and against its rivals."""
    i = seat * KINDS + k
    faction = 1 << k
    strength = measures.strength[i]
    gain = measures.gain[i]
    steps = STEPS[k * 256 + measures.here]
    lead: i64 = 4
    if rivals.count > 0:
        lead = max(i64(-4), min(i64(4), strength - rivals.strength))
    out[at] = 1.0
    out[at + 1 + k] = 1.0
    out[at + 5] = float(steps) / 6.0
    if steps < 3:
        out[at + 6 + steps] = 1.0
    out[at + 9] = float(gain) / 3.0
    if steps == gain:
        out[at + 10] = 1.0
    out[at + 11] = float(strength) / 6.0
    out[at + 12] = float(strength - table.count_open(seat, faction)) / 3.0
    out[at + 13] = float(measures.held[i]) / 4.0
    out[at + 14] = float(lead) / 4.0
    if lead > 0:
        out[at + 15] = 1.0
    elif lead == 0:
        out[at + 16] = 1.0
    if rivals.beaten:
        out[at + 17] = 1.0
    if rivals.count == 0:
        out[at + 18] = 1.0
    out[at + 19] = float(rivals.count) / 3.0
    out[at + 20] = float(rivals.held) / 4.0
    out[at + 21] = float(rivals.gain) / 3.0
    out[at + 22] = float(cards_in_tavern(table, faction)) / 3.0
    nearest: i64 = 100
    for other in range(i64(KINDS)):
        if other != k:
            nearest = min(nearest, STEPS[other * 256 + measures.here])
    out[at + 23] = float(nearest) / 6.0


def fill_end_of_claim(
    table: Interpreter,
    measures: Measures,
    rivals: Rivals,
    seat: i64,
    k: i64,
    out: vec[float],
    at: i64,
) -> None:
    """What the player whose turn it is can make of the faction, and an end of the game now."""
    player = table.player
    steps = STEPS[k * 256 + measures.here]
    leader = table.leader(player)
    if leader >= 0 and SUPPORTS[leader] & (1 << k):
        i, j = seat * KINDS + k, player * KINDS + k
        strength = measures.strength[j]
        if player != seat:
            out[at + 24] = 1.0
        out[at + 25] = float(measures.gain[j]) / 3.0
        if measures.can_end and steps == measures.gain[j]:
            out[at + 26] = 1.0
            if strength + 1 > rivals.strength and (
                player == seat or strength >= measures.strength[i]
            ):
                out[at + 27] = 1.0
    if steps == 0 and rivals.beaten:
        out[at + 28] = 1.0
        if measures.short <= 1:
            out[at + 29] = 1.0
        elif measures.short == 2:
            out[at + 30] = 1.0


def cards_in_tavern(table: Interpreter, faction: i64) -> i64:
    m = table.m
    count: i64 = 0
    for slot in range(i64(TAVERN_AT), i64(TAVERN_AT + Limit.TAVERN)):
        if m[slot] != EMPTY and FACTION_OF[m[slot]] & faction:
            count += 1
    return count
