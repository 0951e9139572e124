"""Which cards may still win in a seat's last turn, whatever lies in hands, tavern and piles.

A card is tried on tables with stand-ins, which have a faction and no ability: whatever really lies
in the tavern, say, to play the card comes to what it comes to on one of these tables. Heroes that
play or perform other cards are tried with each of these.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64, u8

from games.hidden_leaders.rules.bytecode import (
    FACTION_OF,
    PROGRAM,
    REVEALED,
    REVEALED_PER_KIND,
)
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import EMPIRE, EMPTY, Limit, Reads, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.reach import (
    CARD_CLASS,
    COPIES_FROM,
    HAND_CARDS,
    LAST_READS,
    OPENS_OTHERS,
    OPENS_OWN,
    PERFORMS,
    TAVERN_CARDS,
    CopiesFrom,
    Performs,
)
from games.hidden_leaders.rules.solver_table import SolverTable
from games.hidden_leaders.rules.table import AT, FRAMES, LAST, LEADERS_AT, LENGTH, TAVERN_AT
from games.state import ALL_PARTS, Judge, members

ALL_HEROES: Final = (1 << len(HEROES)) - 1
_NO_CARDS: Final = bytes(len(HEROES))
_ALL_HANDS: Final = 63 << 6  # Zone.HAND and five more
_KINDS: Final = 5
"""Stand-ins are of one of the four factions, or of all like the Emperor."""
_OTHER_CARDS: Final = 2
"""Cards of a hand besides the one played, at most."""
_PLAYERS: Final = sum(
    1 << number for number in range(len(HEROES)) if PERFORMS[number] & Performs.PLAYS
)
"""Heroes that let another card of the hand be played."""
_DRAWN_AT_THE_END: Final = 7
_DRAWN_IN_A_TURN: Final = 9
"""Cards that leave the harbor at the end of a turn, and in a whole one, at most."""
_FILLS_TAVERN: Final = frozenset(
    number
    for number, hero in enumerate(HEROES)
    if PERFORMS[number] or any(step.verb in ("exchange", "restock") for step in hero.steps)
)
"""Heroes after which other cards may lie in the tavern than were drawn for it."""


class LastTurnTable(SolverTable):
    """A table that can say which cards may still win."""

    def cards_of(self, zone: i64) -> int:
        """The cards of the zone, as bits."""
        found = 0
        for card in self.cards(zone):
            if card != EMPTY:
                found |= 1 << card
        return found

    def cards_held(self, seat: i64) -> int:
        return self.cards_of(Zone.HAND + seat)

    def next_hand(self) -> int:
        """Its hand if no more is drawn, otherwise all that it can draw as well.

        Nobody but the player ever puts a card into a hand. Who plays none cannot end the game.
        """
        if self.frame != FRAMES:
            return 0
        held = self.cards_of(Zone.HAND + self.player)
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        if op == Op.TRIM or op == Op.REFILL:
            return held
        held |= self.cards_of(Zone.TAVERN) | self.cards_of(Zone.HARBOR)
        if self.m[LENGTH + Zone.HARBOR] < Limit.HAND_AFTER_DRAW:
            held |= self.cards_of(Zone.WILDERNESS)
        return held

    def loose_cards(self) -> int:
        """Tavern and harbor; every card, if others can come there or the harbor may run out."""
        others = self.players - 1
        if self.m[LENGTH + Zone.HARBOR] < _DRAWN_AT_THE_END + _DRAWN_IN_A_TURN * others:
            return ALL_HEROES
        for seat in range(self.players):
            if seat != self.player:
                for card in self.cards(Zone.HAND + seat):
                    if card in _FILLS_TAVERN:
                        return ALL_HEROES
        return self.cards_of(Zone.TAVERN) | self.cards_of(Zone.HARBOR)

    def turn_key(self) -> bytes:
        out = BytesWriter()
        out.write(_NO_CARDS)
        self.write_parties(out, self.player)
        self.write_list(out, Zone.GRAVEYARD)
        self.write_numbers(out)
        return out.getvalue()

    def write_parties(self, out: BytesWriter, seat: i64) -> None:
        """Leaders, the party of the seat, and classes of heroes in the parties of the others.

        In its last turn only heroes of its own party are performed where they lie.
        """
        m = self.m
        for other in range(self.players):
            out.append(u8(m[LEADERS_AT + other] + 1))
            at = AT[Zone.OPEN + other]
            size = m[LENGTH + Zone.OPEN + other]
            if other != seat:
                self.write_classes(out, at, size, False)
                at = AT[Zone.HIDDEN + other]
                size = m[LENGTH + Zone.HIDDEN + other]
                out.append(u8(size))
                for i in range(at, at + size):
                    out.append(u8(CARD_CLASS[m[i]]))
                continue
            for i in range(at, at + size):
                out[m[i]] = u8(Zone.OPEN + other + 1)
            self.write_list(out, Zone.HIDDEN + other)

    def write_list(self, out: BytesWriter, zone: i64) -> None:
        """All cards of the zone, in order."""
        m = self.m
        at = AT[zone]
        out.append(u8(m[LENGTH + zone]))
        for i in range(at, at + m[LENGTH + zone]):
            out.append(u8(m[i] + 1))

    def may_reach(self, move: i64, held: int, loose: int, judge: Judge) -> bool:
        if move >= len(HEROES):
            return False
        trial = TriedCard(self, move, held, loose, judge)
        for reply in range(_REPLIES):
            trial.reply = reply
            if not trial.may_reach(move, Route([move], [], [], [], 1)):
                return False
            if PERFORMS[move] == 0:
                break  # nothing is chosen after a reply
        return True

    def needs_company(self, move: i64, loose: int) -> bool:
        """Whether another card of the hand may be played because of it."""
        for card in self.may_act(move, False):
            if card >= len(HEROES) or PERFORMS[card] & Performs.PLAYS:
                return True
            if PERFORMS[card] & Performs.ANYTHING and loose & _PLAYERS:
                return True
        return False

    def last_reads(self, move: i64) -> i64:
        """What all heroes read that may act because of the card, and what brings them to act."""
        own = 1 << (Zone.HAND + self.player)
        if move >= len(HEROES):
            return own
        reads: i64 = 0
        for card in self.may_act(move, True):
            if card >= len(HEROES):
                return ALL_PARTS
            kinds = PERFORMS[card]
            if kinds == 0:
                reads |= LAST_READS[card]
            if kinds & Performs.COPIES:
                reads |= Reads.GRAVEYARD
            if kinds & Performs.ANYTHING:
                reads |= Reads.TAVERN
        zones = reads & (Reads.HARBOR | Reads.WILDERNESS | Reads.GRAVEYARD | Reads.TAVERN)
        if reads & Reads.OTHER_HANDS:
            zones |= _ALL_HANDS
        return zones | own

    def may_use(self, move: i64, held: int, loose: int, judge: Judge) -> int:
        """Cards that a hero may perform if they lie in the tavern."""
        if move >= len(HEROES):
            return 0
        trial = TriedCard(self, move, held, loose, judge)
        trial.noting = True
        for reply in range(_REPLIES):
            trial.reply = reply
            if trial.may_reach(move, Route([move], [], [], [], 1)):
                return loose  # an unknown card may act
        return trial.used

    def surely_helps(self, move: i64, judge: Judge) -> bool:
        if move >= len(HEROES) or PERFORMS[move] or LAST_READS[move] & ~Reads.GRAVEYARD:
            return False
        trial = TriedCard(self, move, 0, 0, judge)
        return judge.surely_reaches(trial.stand_in(0, [], [], 0), [])

    def surely_uses(self, move: i64, loose: int, judge: Judge) -> int:
        """Cards of the tavern that the hero can perform and that read nothing but parties."""
        if move >= len(HEROES) or not PERFORMS[move] & Performs.ANYTHING:
            return 0
        trial = TriedCard(self, move, 0, loose, judge)
        sure = 0
        for card in trial.loose:
            if PERFORMS[card] == 0 and not LAST_READS[card] & ~Reads.GRAVEYARD:
                route = Route([move], [], [], [], 1).setting_aside(card)
                state = trial.stand_in(0, route.hand, route.tavern, 0)
                if judge.surely_reaches(state, route.choices):
                    sure |= 1 << card
        return sure

    def may_copy(self, card: i64) -> list[int]:
        """The heroes that this one can perform where they lie now."""
        places = COPIES_FROM[card]
        copied: list[int] = []
        if places & CopiesFrom.OPEN:
            copied += self.cards(Zone.OPEN + self.player)
        if places & CopiesFrom.HIDDEN:
            copied += self.cards(Zone.HIDDEN + self.player)
        if places & CopiesFrom.GRAVEYARD:
            copied += self.cards(Zone.GRAVEYARD)[-1:]
        return copied

    def may_act(self, card: i64, in_tavern: bool) -> list[int]:
        """The card, and every other that may act because it does: performed or played too.

        Those that lie in the tavern only if asked for.
        """
        me = self.player
        acting: list[int] = [card]
        at = 0
        while at < len(acting):
            if acting[at] >= len(HEROES):
                return acting
            kinds = PERFORMS[acting[at]]
            more = self.may_copy(acting[at])
            at += 1
            if kinds & Performs.PLAYS:
                more += self.cards(Zone.HAND + me)
            if kinds & Performs.ANYTHING and in_tavern:
                more += self.cards(Zone.TAVERN)
            for other in more:
                if other != EMPTY and other not in acting:
                    acting.append(other)
        return acting


_REPLIES: Final = 2
"""What the next player can do with the marker of Doubtful Priest. The card that is played then may
depend on it, so each is tried by itself, and a card must help against both."""
_NO_CHOICE: Final = 0
"""A set without moves: that choice is still to come, whatever is chosen."""


class Route:
    """How a card comes to act in the turn: what is played and performed on the way to it."""

    def __init__(
        self, chain: list[int], hand: list[int], tavern: list[int], choices: list[int], opened: i64
    ) -> None:
        self.chain = chain
        """Those because of which it acts, from a card played on, itself included: none of them can
        be performed again (R58)."""
        self.hand = hand
        """Cards that are played after the first."""
        self.tavern = tavern
        """Cards of the tavern that are performed."""
        self.choices = choices
        """What the player chooses to act, one after the other: sets of cards that will do."""
        self.surely: bool = True
        """Whether these are all that is chosen on the way, so that nothing else need be tried."""
        self.opened: i64 = opened
        """Open heroes that the player's party has gained by then, at most."""

    def then(
        self, chain: list[int], hand: list[int], tavern: list[int], choice: int, opened: i64
    ) -> Route:
        route = Route(chain, hand, tavern, self.choices, self.opened + opened)
        route.surely = self.surely
        if self.surely:
            route.choices = [*self.choices, choice]
        return route

    def playing(self, card: int) -> Route:
        """The way on, if a card of the hand is played."""
        return self.then([card], [*self.hand, card], self.tavern, 1 << card, 1)

    def setting_aside(self, card: int) -> Route:
        """The way on, if a card of the tavern is performed."""
        return self.then([*self.chain, card], self.hand, [*self.tavern, card], 1 << card, 0)

    def copying(self, cards: list[int], surely: bool, opened: i64) -> Route:
        """The way on, if one of these is performed where it lies; chosen at once if `surely`."""
        choice = 0
        for card in cards:
            choice |= 1 << card
        chain = [*self.chain, *cards] if len(cards) == 1 else self.chain
        if surely:
            return self.then(chain, self.hand, self.tavern, choice, opened)
        choices = [*self.choices, _NO_CHOICE] if self.surely else self.choices
        route = Route(chain, self.hand, self.tavern, choices, self.opened + opened)
        route.surely = False
        return route


class TriedCard:
    """One card that is played, on all tables that may make a difference."""

    def __init__(
        self, table: LastTurnTable, played: i64, held: int, loose: int, judge: Judge
    ) -> None:
        self.table = table
        self.played = played
        self.judge = judge
        self.missing_own: i64 = table.threshold
        """Open heroes that the player's party lacks to end the game."""
        self.missing_others: i64 = table.threshold
        """The same for the largest of the other parties."""
        known = 0
        for seat in range(table.players):
            missing = table.threshold - table.m[LENGTH + Zone.OPEN + seat]
            if seat == table.player:
                self.missing_own = missing
            else:
                self.missing_others = min(self.missing_others, missing)
            known |= table.cards_of(Zone.OPEN + seat) | table.cards_of(Zone.HIDDEN + seat)
        known |= table.cards_of(Zone.GRAVEYARD)
        self.held = members(held & ~known & ALL_HEROES)
        self.loose = members(loose & ~known & ALL_HEROES)
        self.kinds: i64 = _KINDS - 1 if known >> EMPEROR & 1 else _KINDS
        self.reply = 0
        """What the others do while cards are still chosen: the number of their move."""
        self.noting: bool = False
        """Whether all ways are tried, and only what they use of the tavern is noted."""
        self.used = 0

    def may_reach(self, card: i64, route: Route) -> bool:
        """Whether the turn may succeed once this card acts."""
        kinds = PERFORMS[card]
        if kinds == 0:
            return self.may_end(card, route) and self.tried(
                LAST_READS[card], HAND_CARDS[card], TAVERN_CARDS[card], route
            )
        if kinds == Performs.COPIES:
            return self.copied(card, route)
        if self.may_end(card, route) and self.tried(0, 0, 0, route):
            return True
        if kinds == Performs.PLAYS:
            if len(route.hand) == _OTHER_CARDS:
                return False
            for other in self.held:
                if (
                    not FACTION_OF[other] & EMPIRE
                    and self.is_free(other, route)
                    and self.may_reach(other, route.playing(other))
                ):
                    return True
            return False
        if len(route.tavern) == Limit.TAVERN:
            return False
        for other in self.loose:
            if self.is_free(other, route) and self.may_reach(other, route.setting_aside(other)):
                return True
        return False

    def is_free(self, card: i64, route: Route) -> bool:
        """Whether nothing is said yet of where the card lies."""
        return card != self.played and card not in route.hand and card not in route.tavern

    def may_end(self, card: i64, route: Route) -> bool:
        """Whether enough heroes may be open when the card has acted, here or in another party.

        Without what heroes add that it performs or plays.
        """
        opened = route.opened
        if PERFORMS[card] == 0:
            opened += OPENS_OWN[card]
        return opened >= self.missing_own or OPENS_OTHERS[card] >= self.missing_others

    def copied(self, card: i64, route: Route) -> bool:
        """The same for a hero that performs one that lies in its party or on the graveyard."""
        performed = self.reachable(card, route)
        opened: i64 = 0
        surely = True
        for other in performed:
            if other >= len(HEROES):
                return True  # an unknown card
            if PERFORMS[other] == Performs.COPIES:
                opened += OPENS_OWN[other]  # it turns a hero up
                # With others in between, or without a choice, the next choice may be another.
                surely = surely and other == card and COPIES_FROM[other] == CopiesFrom.OPEN
        # It may find nothing that it can perform, such as the Emperor (R59, R62).
        bare = route.copying([], False, opened)
        if self.may_end(card, bare) and self.tried(0, 0, 0, bare):
            return True
        for other in performed:
            if PERFORMS[other] & ~Performs.COPIES and self.may_reach(
                other, route.copying([other], surely, opened)
            ):
                return True
        while performed:
            alike = [other for other in performed if needs_alike(other, performed[0])]
            performed = [other for other in performed if other not in alike]
            onward = route.copying(alike, surely, opened)
            first = alike[0]
            if (
                PERFORMS[first] == 0
                and any(self.may_end(other, onward) for other in alike)
                and self.tried(LAST_READS[first], HAND_CARDS[first], TAVERN_CARDS[first], onward)
            ):
                return True
        return False

    def reachable(self, card: i64, route: Route) -> list[int]:
        """The card, and all that may be performed because of it after cards of the hand."""
        reached: list[int] = [card]
        at = 0
        while at < len(reached):
            other = reached[at]
            at += 1
            if other >= len(HEROES) or PERFORMS[other] != Performs.COPIES:
                continue
            more = self.table.may_copy(other)
            if COPIES_FROM[other] & CopiesFrom.OPEN:
                more += [self.played, *route.hand]  # these may be open by now
            for copied in more:
                if copied not in reached and copied not in route.chain and copied != EMPEROR:
                    reached.append(copied)
        return reached

    def tried(self, reads: i64, others: i64, slots: i64, route: Route) -> bool:
        """Whether the turn may succeed this way, unless that is only to be noted."""
        if not self.noting:
            return self.succeeds(reads, others, slots, route)
        used = self.used
        for card in route.tavern:
            used |= 1 << card
        if used != self.used and self.succeeds(reads, others, slots, route):
            self.used = used
        return False

    def succeeds(self, reads: i64, others: i64, slots: i64, route: Route) -> bool:
        """Whether the judge is content on a table with any stand-ins for what is read."""
        hands = [route.hand]
        if reads & Reads.OWN_HAND:
            hands = self.filled_up(route.hand, min(others, _OTHER_CARDS - len(route.hand)))
        taverns = [route.tavern]
        if reads & Reads.TAVERN:
            taverns = self.filled_up(route.tavern, min(slots, Limit.TAVERN - len(route.tavern)))
        kinds: i64 = 1
        if reads & (Reads.HARBOR | Reads.WILDERNESS | Reads.OTHER_HANDS):
            kinds = self.kinds + 1
        for rest in hands:
            for row in taverns:
                for kind in range(kinds):
                    state = self.stand_in(reads, rest, row, kind)
                    if self.judge.reaches(state, route.choices, self.reply):
                        return True
        return False

    def filled_up(self, cards: list[int], most: i64) -> list[list[int]]:
        """These cards with up to that many stand-ins, of all kinds."""
        filled: list[list[int]] = [cards]
        start = 0
        for count in range(most):
            end = len(filled)
            for i in range(start, end):
                least: i64 = 1
                if count > 0:
                    least = (filled[i][-1] - REVEALED) // REVEALED_PER_KIND
                for kind in range(least, self.kinds + 1):
                    filled.append([*filled[i], REVEALED + kind * REVEALED_PER_KIND + count])
            start = end
        return filled

    def stand_in(self, reads: i64, hand: list[int], tavern: list[int], kind: i64) -> LastTurnTable:
        """The table after the card was played there.

        `kind`: of stand-ins in piles and hands of others, as far as these are read; 0: empty.
        """
        table = self.table
        state = table.copy()
        assert isinstance(state, LastTurnTable)
        m = state.m
        me = Zone.HAND + table.player
        m[LENGTH + me] = 0
        state.lay(me, LAST, self.played)
        for card in hand:
            state.lay(me, LAST, card)
        m[LENGTH + Zone.TAVERN] = 0
        for slot in range(i64(Limit.TAVERN)):
            m[TAVERN_AT + slot] = EMPTY
        for slot in range(i64(len(tavern))):
            state.lay(Zone.TAVERN, slot, tavern[slot])
        for zone in range(i64(Zone.HAND + table.players)):
            if not self.is_read(zone, reads):
                continue
            m[LENGTH + zone] = 0
            if kind > 0 and not (zone == Zone.WILDERNESS and reads & Reads.HARBOR):
                state.lay(zone, LAST, REVEALED + kind * REVEALED_PER_KIND + zone % 3)
        state.play(self.played)
        return state

    def is_read(self, zone: i64, reads: i64) -> bool:
        """Whether it is a pile or a hand of another seat, and these bits are of it."""
        if zone == Zone.HARBOR or zone == Zone.WILDERNESS:
            return reads & (1 << zone) != 0
        if zone < Zone.HAND or zone == Zone.HAND + self.table.player:
            return False
        return reads & Reads.OTHER_HANDS != 0


def needs_alike(card: i64, other: i64) -> bool:
    """Whether stand-ins for what one of two heroes reads serve for both."""
    return (
        PERFORMS[card] == PERFORMS[other]
        and LAST_READS[card] == LAST_READS[other]
        and HAND_CARDS[card] == HAND_CARDS[other]
        and TAVERN_CARDS[card] == TAVERN_CARDS[other]
    )
