"""A seat's own turn as far as it can see: lines that touch nothing unseen, and their odds.

On such a line unseen cards matter only when the turn ends the game, through leaders and hidden
heroes. So a search can walk the imagined table, on which unknown cards are blank, and ask for the
odds of the endings it reaches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from games.hidden_leaders.knowledge.party_odds import FactionOdds, PartyOdds, TooManyWays
from games.hidden_leaders.knowledge.safe_wins import harmless
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.bytecode import BLANK, FACTION_OF, PROGRAM, SUPPORTS
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Limit, Move, Reads, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Act, Op, Row
from games.hidden_leaders.rules.reach import READS
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES
from games.questions import Odds
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

ODDS_SAMPLES: Final = 20_000
"""Worlds drawn where the odds cannot be computed."""
_NEARLY: Final = 1.0 - 1e-12
_PILES: Final = (
    (Reads.WILDERNESS, Zone.WILDERNESS),
    (Reads.GRAVEYARD, Zone.GRAVEYARD),
)

_GROWS: Final = (
    *("place open", "play another", "perform", "turn over", "expose", "move elsewhere"),
    *("turn up or look", "turn up and perform", "perform aside", "perform graveyard top"),
)
"""Verbs that may give a party one more open hero."""


class End(NamedTuple):
    """A table at the end of the game, as far as it decides who wins."""

    faction: int
    parties: tuple[tuple[int, int], ...]
    """For each seat: known heroes of the faction, and heroes in all."""


class UnseenParties:
    """Implements `games.questions.Unseen`."""

    def __init__(self, view: HiddenLeadersView, seed: int) -> None:
        self.view = view
        self.seat = view.seat
        self.seed = seed
        self.parties = PartyOdds(view.knowledge(), int(SUPPORTS[view.leader]))
        self.samples = 0
        """Worlds drawn, if the odds cannot be computed."""
        self._shares: dict[tuple[int, ...], float] = {}
        self.table: State = self._imagined()

    def _imagined(self) -> HiddenLeaders:
        """The table with all that is certain, and blanks."""
        table = self.view.known_table()
        for zone in range(Zone.COUNT):
            if zone != Zone.TAVERN:
                for at in range(AT[zone], AT[zone] + table.size(zone)):
                    if table.m[at] < 0:
                        table.m[at] = BLANK
        for seat, index in self.parties.slots:
            table.m[AT[Zone.HIDDEN + seat] + index] = BLANK
        return table

    # ---- lines ----------------------------------------------------------------------------

    def opaque(self, state: State, move: int) -> bool:
        """Whether the move, or what chance does next, touches something unseen."""
        assert isinstance(state, HiddenLeaders)
        if state.actor == CHANCE:
            return self._opaque_chance(state)
        if state.frame == FRAMES:
            return move < Move.DISCARD and not self._clear(state, move)
        if Move.STACK <= move < Move.PLAYER:
            seat, index = divmod(move - Move.STACK, Move.STACK_ROOM)
            return state.m[AT[Zone.HIDDEN + seat] + index] == BLANK
        return BLANK in state.cards(Zone.DRAWN)

    def _opaque_chance(self, state: HiddenLeaders) -> bool:
        """A card taken from a hand into one's own hand does not matter in this turn."""
        if state.chance == ChanceFrom.OPEN:
            return False
        row = state.m[state.frame + Frame.ROW]
        taken = PROGRAM[row] == Op.RANDOM and PROGRAM[row + Row.ACT] == Act.TAKE
        return not (state.chance == ChanceFrom.HAND and taken)

    def _clear(self, state: HiddenLeaders, card: int) -> bool:
        """Whether the card reads no unknown pile."""
        if card == BLANK:
            return False
        me = self.seat
        own = (Zone.GRAVEYARD, Zone.HAND + me, Zone.OPEN + me, Zone.HIDDEN + me)
        if not any(BLANK in state.cards(zone) for zone in own) and harmless(state, card):
            return True
        reads = int(state.zones_read(READS[card]))
        if reads & Reads.HARBOR:
            return False
        return not any(reads & bit and BLANK in state.cards(zone) for bit, zone in _PILES)

    def end(self, state: State) -> End | None:
        """The finished table; None if the game is not over."""
        assert isinstance(state, HiddenLeaders)
        if state.actor != NOBODY or not state.faction:
            return None
        parties = []
        for seat in range(state.players):
            known = state.count_open(seat, state.faction)
            hidden = state.cards(Zone.HIDDEN + seat)
            known += sum(FACTION_OF[card] & state.faction > 0 for card in hidden)
            parties.append((int(known), int(state.size(Zone.OPEN + seat)) + len(hidden)))
        return End(int(state.faction), tuple(parties))

    def hopeless(self, move: int) -> bool:
        """Whether the turn surely does not end the game: no party can get enough open heroes."""
        table = self.table
        assert isinstance(table, HiddenLeaders)
        cards = [table.m[at + Frame.CARD] for at in range(FRAMES + FRAME, table.frame + 1, FRAME)]
        own = table.size(Zone.OPEN + self.seat)
        if table.frame == FRAMES and move < Move.DISCARD:
            cards.append(move)
            own += 1
        others = (table.size(Zone.OPEN + seat) for seat in range(table.players))
        if own >= table.threshold or max(others) >= table.threshold:
            return False
        return not any(step.verb in _GROWS for card in cards for step in HEROES[card].steps)

    def peeks(self, state: State, move: int) -> bool:
        """Whether the move only shows an unseen hidden hero, or turns it up where it lies.

        Turned up, it counts for the same party as before.
        """
        assert isinstance(state, HiddenLeaders)
        if not Move.STACK <= move < Move.PLAYER:
            return False
        row = state.m[state.frame + Frame.ROW]
        return PROGRAM[row] == Op.CHOOSE and PROGRAM[row + Row.ACT] in (
            Act.LOOK,
            Act.TURN,
            Act.MANNER,
        )

    # ---- odds -----------------------------------------------------------------------------

    def wins_all(self, ends: Sequence[End]) -> Odds:
        """The chance that the seat wins at all of these ends."""
        own = int(SUPPORTS[self.view.leader])
        if any(not end.faction & own for end in ends):
            return Odds(0.0, 0)
        total: defaultdict[tuple[int, ...], float] = defaultdict(float)
        rivals = [_Rival(self, seat, ends) for seat in range(self.view.players)]
        rivals = [rival for rival in rivals if rival.seat != self.seat]
        for factions, chance in self._odds.items():
            total[tuple(rival.harmless_leaders(factions) for rival in rivals)] += chance
        shares = {harmless: self._dealt_so(harmless) for harmless in total}
        value = sum(chance * shares[harmless] for harmless, chance in total.items())
        certain = set(shares.values()) <= {1.0}
        # A chance of 1 is a proof, so rounding must not make one.
        return Odds(1.0 if certain else min(value, _NEARLY), self.samples)

    def _dealt_so(self, harmless: tuple[int, ...]) -> float:
        """The share of deals of the leaders in which every rival has a harmless one."""
        if harmless not in self._shares:
            seats = [seat for seat in range(self.view.players) if seat != self.seat]
            leaders = self.view.leaders
            free = [one for one in range(Limit.LEADERS) if one not in leaders]
            good = {0: 1}
            deals = 1
            left = len(free)
            for seat, allowed in zip(seats, harmless, strict=True):
                if leaders[seat] >= 0:
                    if not allowed >> leaders[seat] & 1:
                        good = {}
                    continue
                deals *= left
                left -= 1
                following: Counter[int] = Counter()
                for used, count in good.items():
                    for leader in free:
                        if allowed >> leader & 1 and not used >> leader & 1:
                            following[used | 1 << leader] += count
                good = dict(following)
            self._shares[harmless] = sum(good.values()) / deals
        return self._shares[harmless]

    @cached_property
    def _odds(self) -> FactionOdds:
        """The odds of the hidden heroes' factions; from sampled worlds if they are too many."""
        try:
            return self.parties.odds()
        except TooManyWays:
            self.samples = ODDS_SAMPLES
        rng, counts = Rng(self.seed), Counter[tuple[int, ...]]()
        for _ in range(ODDS_SAMPLES):
            world = self.view.sample(rng)
            counts[
                tuple(
                    int(FACTION_OF[world.m[AT[Zone.HIDDEN + seat] + index]]) & self.parties.relevant
                    for seat, index in self.parties.slots
                )
            ] += 1
        return {factions: count / ODDS_SAMPLES for factions, count in counts.items()}


class _Rival:
    """Which leaders of one rival keep the seat from winning at none of some ends."""

    def __init__(self, unseen: UnseenParties, seat: int, ends: Sequence[End]) -> None:
        self.seat = seat
        self.ends = ends
        self.me = unseen.seat
        self.leader = unseen.view.leader
        slots = unseen.parties.slots
        self.theirs = [at for at, (owner, _) in enumerate(slots) if owner == seat]
        self.mine = [at for at, (owner, _) in enumerate(slots) if owner == unseen.seat]
        self.known: dict[tuple[int, ...], int] = {}

    def harmless_leaders(self, factions: tuple[int, ...]) -> int:
        """One bit for each leader that is harmless if the unknown heroes have these factions."""
        key = tuple(factions[at] for at in (*self.theirs, *self.mine))
        if key not in self.known:
            split = len(self.theirs)
            bits = 0
            for leader in range(Limit.LEADERS):
                if all(self._loses(end, leader, key[:split], key[split:]) for end in self.ends):
                    bits |= 1 << leader
            self.known[key] = bits
        return self.known[key]

    def _loses(self, end: End, leader: int, theirs: tuple[int, ...], mine: tuple[int, ...]) -> bool:
        """Whether the rival with this leader ranks below the seat (R85 to R90)."""
        if not SUPPORTS[leader] & end.faction:
            return True
        rank = self._rank(end, self.seat, leader, theirs)
        return rank < self._rank(end, self.me, self.leader, mine)

    def _rank(
        self, end: End, seat: int, leader: int, unknown: tuple[int, ...]
    ) -> tuple[int, int, int]:
        known, heroes = end.parties[seat]
        return known + sum(one & end.faction > 0 for one in unknown), -heroes, leader


def unseen_parties(view: View, seed: int) -> UnseenParties | None:
    """What the seat does not see in its own turn; None if it is not its turn to act."""
    assert isinstance(view, HiddenLeadersView)
    board = view.board()
    if view.actor != view.seat or board.player != view.seat:
        return None
    return UnseenParties(view, seed)
