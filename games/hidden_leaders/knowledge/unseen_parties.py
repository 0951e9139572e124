"""A seat's own turn as far as it can see, and the odds of what it cannot see.

A search walks the imagined table, on which unknown cards have stand-ins, and asks for the odds of
the endings it reaches. Unseen cards matter when the turn ends the game, through leaders and the
factions of heroes. A stand-in may move like any card: it is numbered, so it is known which unseen
card lies where. When the seat gets to see one, the search goes on for each kind of card that it may
be, on a table that shows its factions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

from games.hidden_leaders.knowledge.party_odds import FactionOdds, PartyOdds, Slot, TooManyWays
from games.hidden_leaders.knowledge.safe_wins import CHAINS
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.bytecode import (
    BLANK,
    FACTION_OF,
    NUMBERED,
    NUMBERED_CARDS,
    PROGRAM,
    REVEALED,
    REVEALED_FACTIONS,
    REVEALED_PER_KIND,
    SUPPORTS,
)
from games.hidden_leaders.rules.card_language import Step, When
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import ALL_FACTIONS, FACTIONS, Limit, Move, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Act, Op, Row
from games.hidden_leaders.rules.reach import MOST_LIFTED
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES
from games.questions import Case, Finding, Odds, Tick, no_limit
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

ODDS_SAMPLES: Final = 20_000
"""Worlds drawn where the odds cannot be computed."""
_NEARLY: Final = 1.0 - 1e-12
_LOOK_EVERY: Final = 1000
"""Ways the cards can lie between two looks at the clock."""

_GROWS: Final = (
    *("place open", "play another", "perform", "turn over", "expose", "move elsewhere"),
    *("turn up or look", "turn up and perform", "perform aside", "perform graveyard top"),
)
"""Verbs that may give a party one more open hero."""


class End(NamedTuple):
    """A table at the end of the game, as far as it decides who wins."""

    faction: int
    parties: tuple[tuple[int, int, tuple[int, ...]], ...]
    """For each seat: known heroes of the faction, heroes in all, slots of unknown ones."""


_ConditionalEnd = tuple[frozenset[Finding], End | None]
"""An end that is reached if these facts hold; None if nobody wins there."""


class UnseenParties:
    """Implements `games.questions.Unseen`."""

    def __init__(self, view: HiddenLeadersView, seed: int, tick: Tick = no_limit) -> None:
        self.view = view
        self.tick = tick
        self.seat = view.seat
        self.seed = seed
        table = self._blank_table()
        cards = _within_reach(table, self.seat)
        relevant = int(SUPPORTS[view.leader])
        for step in (step for card in cards for step in HEROES[card].steps):
            if step.verb == "expose":
                relevant = ALL_FACTIONS
            elif step.condition == When.SHOWN_IS_NOT:
                relevant |= step.faction
        more = list(_slots_in_reach(table, self.seat, cards))
        self.parties = PartyOdds(view.knowledge(), relevant, more, tick=tick)
        self.samples = 0
        """Worlds drawn, if the odds cannot be computed."""
        self._shares: dict[tuple[int, ...], float] = {}
        self._rivals: dict[tuple[End, ...], list[_Rival]] = {}
        for number, slot in enumerate(self.parties.slots):
            if number < NUMBERED_CARDS:
                _set_stand_in(table, slot, NUMBERED + number)
        self.table: State = table

    def _blank_table(self) -> HiddenLeaders:
        """The table with all that is certain, and blanks."""
        table = self.view.known_table()
        for zone in range(Zone.COUNT):
            if zone != Zone.TAVERN:
                for at in range(AT[zone], AT[zone] + table.size(zone)):
                    if table.m[at] < 0:
                        table.m[at] = BLANK
        return table

    # ---- lines ----------------------------------------------------------------------------

    def cases(self, state: State, move: int) -> list[Case] | None:
        assert isinstance(state, HiddenLeaders)
        plain = [Case(frozenset(), state)]
        if state.frame == FRAMES:
            return self._performed(state, move) if move < Move.DISCARD else plain
        row = state.m[state.frame + Frame.ROW]
        if PROGRAM[row] != Op.CHOOSE:
            return plain
        act = PROGRAM[row + Row.ACT]
        if Move.STACK <= move < Move.PLAYER:
            if act == Act.PICK or act == Act.SWAP:
                return plain  # nobody sees a card before it is exchanged, and then nothing is left
            seat, index = divmod(move - Move.STACK, Move.STACK_ROOM)
            card = int(state.m[AT[Zone.HIDDEN + seat] + index])
            if PROGRAM[row + Row.SIZE] == Op.PERFORM_PICKED:
                return self._performed(state, card)
            return self._told_apart(state, [card])
        if move < Move.DISCARD and act in (Act.PERFORM, Act.PLAY, Act.ASIDE):
            return self._performed(state, move)
        return plain

    def _performed(self, state: HiddenLeaders, card: int) -> list[Case] | None:
        """Cases if the card is played or performed now: one may show the top of the wilderness."""
        for _ in HEROES:
            if card >= BLANK:
                return None
            first = HEROES[card].steps[0].verb if HEROES[card].steps else ""
            if first == "show wilderness top":
                return self._told_apart(state, state.cards(Zone.WILDERNESS)[-1:])
            if first != "perform graveyard top" or not state.size(Zone.GRAVEYARD):
                break
            card = state.cards(Zone.GRAVEYARD)[-1]
        return [Case(frozenset(), state)]

    def drawn(self, state: State) -> list[Case] | None:
        assert isinstance(state, HiddenLeaders)
        return self._told_apart(state, state.cards(Zone.DRAWN))

    def _told_apart(self, state: HiddenLeaders, cards: Sequence[int]) -> list[Case] | None:
        """One case for every kind that the unknown ones of these cards may be."""
        if BLANK in cards:
            return None
        unknown = [card for card in cards if NUMBERED <= card < REVEALED]
        cases = []
        for kinds in product(self._kinds, repeat=len(unknown)):
            table = state.copy()
            for card, factions in zip(unknown, kinds, strict=True):
                if not _reveal(table, card, factions):
                    return None
            slots = (card - NUMBERED for card in unknown)
            cases.append(Case(frozenset(zip(slots, kinds, strict=True)), table))
        return cases

    @cached_property
    def _kinds(self) -> list[int]:
        """The factions that an unseen card may have, as far as they are relevant.

        Some may be impossible for a card: that costs a little time, and knowing it would cost more.
        """
        relevant = self.parties.relevant
        kinds = {faction & relevant for faction in FACTIONS}
        assert isinstance(self.table, HiddenLeaders)
        if not any(EMPEROR in self.table.cards(zone) for zone in range(Zone.COUNT)):
            kinds.add(relevant)
        return sorted(kinds)

    def outcomes(self, state: State) -> list[int] | None:
        """Unseen cards of one place are alike, so one of them stands for all."""
        assert isinstance(state, HiddenLeaders)
        if state.chance == ChanceFrom.OPEN:
            return None
        cards = state.cards(state.chance_zone())
        row = state.m[state.frame + Frame.ROW]
        if state.chance == ChanceFrom.HAND and PROGRAM[row + Row.ACT] == Act.TAKE:
            return cards[:1]  # a card taken into its own hand does not matter in this turn
        return [card for card in cards if NUMBERED <= card < REVEALED][:1]

    def end(self, state: State) -> End | None:
        """The finished table; None if the game is not over."""
        assert isinstance(state, HiddenLeaders)
        if state.actor != NOBODY or not state.faction:
            return None
        parties = []
        for seat in range(state.players):
            heroes = state.cards(Zone.OPEN + seat) + state.cards(Zone.HIDDEN + seat)
            known = sum(FACTION_OF[card] & state.faction > 0 for card in heroes)
            slots = sorted(card - NUMBERED for card in heroes if NUMBERED <= card < REVEALED)
            parties.append((known, len(heroes), tuple(slots)))
        return End(int(state.faction), tuple(parties))

    def no_worse(self, one: End, other: End) -> bool:
        """Whether the seat wins at the one end wherever it wins at the other."""
        me = self.seat
        mine, theirs = one.parties[me], other.parties[me]
        rivals = (parties[:me] + parties[me + 1 :] for parties in (one.parties, other.parties))
        same = one.faction == other.faction and len(set(rivals)) == 1
        return same and mine[1:] == theirs[1:] and mine[0] >= theirs[0]

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

    # ---- odds -----------------------------------------------------------------------------

    def wins_all(self, ends: Sequence[_ConditionalEnd]) -> Odds:
        """The chance that the seat wins at all of these ends whose facts hold."""
        total: defaultdict[tuple[int, ...], float] = defaultdict(float)
        own = int(SUPPORTS[self.view.leader])
        if any(not given and not (end and end.faction & own) for given, end in ends):
            return Odds(0.0, 0)
        failed = False
        under = _by_facts(ends)
        for number, (factions, chance) in enumerate(self._odds.items()):
            if number % _LOOK_EVERY == 0:
                self.tick()
            here: list[End | None] = []
            for slots, by_kinds in under.items():
                here += by_kinds.get(tuple([factions[slot] for slot in slots]), ())
            reached = tuple(end for end in here if end and end.faction & own)
            if len(reached) < len(here):
                failed = True
                continue
            rivals = self._rivals_at(reached)
            total[tuple(rival.harmless_leaders(factions) for rival in rivals)] += chance
        shares = {harmless: self._dealt_so(harmless) for harmless in total}
        value = sum(chance * shares[harmless] for harmless, chance in total.items())
        certain = set(shares.values()) == {1.0} and not failed
        # A chance of 1 is a proof, so rounding must not make one.
        value = 1.0 if certain else min(value, _NEARLY)
        return Odds(value, self.samples, any(map(self._is_picked, _slots_of(ends))))

    def _is_picked(self, slot: int) -> bool:
        zone = self.parties.slots[slot][0]
        return zone == Zone.HARBOR or Zone.HAND <= zone < Zone.OPEN

    def _rivals_at(self, ends: tuple[End, ...]) -> list[_Rival]:
        rivals = self._rivals.get(ends)
        if rivals is None:
            seats = (seat for seat in range(self.view.players) if seat != self.seat)
            rivals = [_Rival(self, seat, ends) for seat in seats]
            self._rivals[ends] = rivals
        return rivals

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
        """The odds of the unseen cards' factions; from sampled worlds if they are too many."""
        try:
            return self.parties.odds()
        except TooManyWays:
            pass
        rng, counts = Rng(self.seed), Counter[tuple[int, ...]]()
        for _ in range(ODDS_SAMPLES):
            self.tick()
            world = self.view.sample(rng)
            assert isinstance(world, HiddenLeaders)
            counts[tuple(self._factions_in(world, rng))] += 1
        self.samples = ODDS_SAMPLES
        return {factions: count / ODDS_SAMPLES for factions, count in counts.items()}

    def _factions_in(self, world: HiddenLeaders, rng: Rng) -> Iterator[int]:
        """The factions of the slots' cards in a sampled world."""
        harbor = world.cards(Zone.HARBOR)
        for zone, index in self.parties.slots:
            if zone == Zone.HARBOR:
                card = harbor.pop(rng.below(len(harbor)))
            elif Zone.HAND <= zone < Zone.OPEN:
                card = rng.choice(world.cards(zone))
            else:
                card = int(world.m[AT[zone] + index])
            yield int(FACTION_OF[card]) & self.parties.relevant


def _by_facts(
    ends: Sequence[_ConditionalEnd],
) -> dict[tuple[int, ...], dict[tuple[int, ...], list[End | None]]]:
    """The ends by the slots that their facts are about, and by the kinds of card found there."""
    under: defaultdict[tuple[int, ...], defaultdict[tuple[int, ...], list[End | None]]]
    under = defaultdict(lambda: defaultdict(list))
    for given, end in ends:
        facts = sorted(given)
        under[tuple(slot for slot, _ in facts)][tuple(kind for _, kind in facts)].append(end)
    return {slots: dict(by_kinds) for slots, by_kinds in under.items()}


def _slots_of(ends: Sequence[_ConditionalEnd]) -> set[int]:
    """The slots on which it depends who wins at these ends, and which of them are reached."""
    slots = {slot for given, _ in ends for slot, _ in given}
    return slots.union(*(party[2] for _, end in ends if end for party in end.parties))


class _Rival:
    """Which leaders of one rival keep the seat from winning at none of some ends."""

    def __init__(self, unseen: UnseenParties, seat: int, ends: Sequence[End]) -> None:
        self.seat = seat
        self.ends = ends
        self.me = unseen.seat
        self.leader = unseen.view.leader
        pair = (seat, unseen.seat)
        self.slots = sorted({slot for end in ends for one in pair for slot in end.parties[one][2]})
        self.known: dict[tuple[int, ...], int] = {}

    def harmless_leaders(self, factions: tuple[int, ...]) -> int:
        """One bit for each leader that is harmless if the unknown heroes have these factions."""
        key = tuple(factions[slot] for slot in self.slots)
        if key not in self.known:
            bits = 0
            for leader in range(Limit.LEADERS):
                if all(self._loses(end, leader, factions) for end in self.ends):
                    bits |= 1 << leader
            self.known[key] = bits
        return self.known[key]

    def _loses(self, end: End, leader: int, factions: tuple[int, ...]) -> bool:
        """Whether the rival with this leader ranks below the seat (R85 to R90)."""
        if not SUPPORTS[leader] & end.faction:
            return True
        rank = _rank(end, self.seat, leader, factions)
        return rank < _rank(end, self.me, self.leader, factions)


def _rank(end: End, seat: int, leader: int, factions: tuple[int, ...]) -> tuple[int, int, int]:
    known, heroes, slots = end.parties[seat]
    return known + sum(factions[slot] & end.faction > 0 for slot in slots), -heroes, leader


# ---- stand-ins --------------------------------------------------------------------------------


def _within_reach(table: HiddenLeaders, seat: int) -> set[int]:
    """The heroes that may be played or performed in this turn."""
    waiting = [
        int(table.m[at + Frame.CARD]) for at in range(FRAMES + FRAME, table.frame + 1, FRAME)
    ]
    waiting += table.cards(Zone.HAND + seat)
    cards = set[int]()
    while waiting:
        card = waiting.pop()
        if card in cards or not 0 <= card < BLANK:
            continue
        cards.add(card)
        for step in HEROES[card].steps:
            if step.verb in CHAINS:
                zone = CHAINS[step.verb]
                waiting += table.cards(zone + seat if zone >= Zone.HAND else zone)
    return cards


def _slots_in_reach(table: HiddenLeaders, seat: int, cards: set[int]) -> Iterator[Slot]:
    """Unseen cards outside parties that these heroes may bring there, or look at."""
    steps = [step for card in cards for step in HEROES[card].steps]
    if any(_looks_into_wilderness(step) for step in steps):
        size = int(table.size(Zone.WILDERNESS))
        for index in range(max(0, size - MOST_LIFTED), size):
            if table.m[AT[Zone.WILDERNESS] + index] == BLANK:
                yield Zone.WILDERNESS, index
    if any(step.verb == "draw" and step.place == "harbor" for step in steps):
        for index in range(min(MOST_LIFTED, int(table.size(Zone.HARBOR)))):
            yield Zone.HARBOR, index
    if any(step.verb == "random place hidden" for step in steps):
        for rival in range(table.players):
            if rival != seat and table.size(Zone.HAND + rival):
                yield Zone.HAND + rival, 0


def _looks_into_wilderness(step: Step) -> bool:
    drawn = step.verb == "draw" and step.place == "wilderness"
    return drawn or step.verb == "show wilderness top"


def _set_stand_in(table: HiddenLeaders, slot: Slot, card: int) -> None:
    zone, index = slot
    if Zone.HAND <= zone < Zone.OPEN:
        index = int(table.size(zone)) - 1  # any card will do; hands are sorted
    table.m[AT[zone] + index] = card


def _reveal(table: HiddenLeaders, card: int, factions: int) -> bool:
    """Put a card of these factions in the place of an unknown one; False if none is left."""
    if factions not in FACTIONS and factions:
        factions = ALL_FACTIONS  # the Emperor, as far as its factions are relevant
    first = REVEALED + REVEALED_PER_KIND * REVEALED_FACTIONS.index(factions)
    places = [at for zone in range(Zone.COUNT) for at in _places(table, zone)]
    used = {int(table.m[at]) for at in places}
    free = [one for one in range(first, first + REVEALED_PER_KIND) if one not in used]
    for at in places:
        if free and table.m[at] == card:
            table.m[at] = free[0]
    if free and table.actor != CHANCE:
        table.resume()
    return bool(free)


def _places(table: HiddenLeaders, zone: int) -> range:
    size = Limit.TAVERN if zone == Zone.TAVERN else int(table.size(zone))
    return range(AT[zone], AT[zone] + size)


def unseen_parties(view: View, seed: int, tick: Tick = no_limit) -> UnseenParties | None:
    """What the seat does not see in its own turn; None if it is not its turn to act."""
    assert isinstance(view, HiddenLeadersView)
    board = view.board()
    if view.actor != view.seat or board.player != view.seat:
        return None
    unseen = UnseenParties(view, seed, tick)
    return unseen if len(unseen.parties.slots) <= NUMBERED_CARDS else None
