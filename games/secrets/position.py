"""A position of Secrets, card by card: checked as a whole before it is set up.

Some things follow from the rest and are not stored: every turn lays one character, so the displays
tell how many turns were played, who began, and where the UN token lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from games.errors import BadPosition
from games.seats import seat_name
from games.secrets.constants import (
    BULLETS,
    CENTRE,
    CHARACTER_NAMES,
    COPIES,
    FEWEST_PLAYERS,
    KINDS,
    MOST_PLAYERS,
    SIDE_NAMES,
    THRESHOLDS,
    TOKENS_IN_USE,
    Character,
    Phase,
)
from games.secrets.moves import bullet_text
from games.secrets.scoring import winners, winning_side
from games.secrets.state import Secrets, blank
from games.secrets.table import BAG, BOTTOM, DOWN, FACELESS, SHOT, SIZE, TOKENS, UP
from games.state import NOBODY, UNSEEN

UNKNOWN: Final = -2
"""A token, Bullet or offered card unknown to the seat to move."""
NOT_DEALT: Final = -1
"""The token of a place that has none yet."""

EFFECTS: Final = {
    Character.PSYCHIATRIST: Phase.SWAP,
    Character.POLITICIAN: Phase.PASS_ON,
    Character.DETECTIVE: Phase.LOOK,
    Character.DIPLOMAT: Phase.NEIGHBOUR,
    Character.ASSASSIN: Phase.BULLET,
}
"""The characters that need a decision or chance, and the phase for it."""

CardTuple = tuple[int, ...]


@dataclass(frozen=True)
class Seat:
    """What lies before one seat."""

    token: int = UNKNOWN
    up: CardTuple = ()
    down: CardTuple = ()
    bullets: CardTuple = ()
    """2 is the Bullet worth -2."""

    @property
    def size(self) -> int:
        return len(self.up) + len(self.down) + len(self.bullets)


@dataclass(frozen=True)
class Position:
    """A table, possibly with unknowns. It may be impossible: see `problems`."""

    players: int = FEWEST_PLAYERS
    turn: int = 0
    """Whose turn it is; NOBODY until chance has decided who begins."""
    centre: int = UNKNOWN
    seats: tuple[Seat, ...] = field(default=(Seat(),) * FEWEST_PLAYERS)
    deck: CardTuple | None = None
    """The cards never turned up; None: all cards not placed elsewhere."""
    bottom: CardTuple = ()
    """The cards put back in earlier turns, the next one first."""
    turned: CardTuple = ()
    """The cards turned up in this turn, in order."""
    offered: int = UNSEEN
    target: int = NOBODY
    claim: int = UNSEEN
    """As a move."""
    taker: int = NOBODY
    bullet: int = UNSEEN
    """The Bullet that the Assassin is about to give."""
    phase: int = Phase.REVEAL
    un: int | None = None
    """Who holds the UN token according to the text; None: as the displays say."""
    facts: tuple[tuple[int, int, int], ...] = ()
    """What seats have learned before: a seat, another seat, and that seat's token."""

    def state(self) -> Secrets:
        """The game; everything must be known."""
        problems = self.problems() + self.unknowns()
        if problems:
            raise BadPosition(problems)
        return _set_up(self)

    # ---- what follows from the rest ---------------------------------------------------------

    @property
    def tokens(self) -> CardTuple:
        """Every seat's and the centre's."""
        return (*(seat.token for seat in self.seats), self.centre)

    @property
    def in_effect(self) -> bool:
        """Whether a card has been taken and is taking effect."""
        return Phase.SWAP <= self.phase <= Phase.GIVE

    @property
    def on_offer(self) -> bool:
        return Phase.TARGET <= self.phase <= Phase.ANSWER

    @property
    def surplus(self) -> int:
        """Copies of the first card turned up, beyond the one kept (S5)."""
        return max(self.turned.count(self.turned[0]) - 1, 0) if self.turned else 0

    @property
    def other(self) -> int:
        """The second character turned up; UNSEEN if there is none."""
        return self.turned[-1] if len(set(self.turned)) > 1 else UNSEEN

    @property
    def turns(self) -> int:
        """Turns completed: each has laid one character (S14)."""
        return sum(len(seat.up) + len(seat.down) for seat in self.seats) - self.in_effect

    @property
    def first(self) -> int:
        """Who began, counted back from whose turn it is."""
        last = self.phase == Phase.OVER and self.taker != NOBODY
        return (self.turn - self.turns + last) % self.players

    @property
    def holder(self) -> int:
        """Who had fewest cards when this turn began, and so holds the UN token (S30)."""
        sizes = [
            seat.size - (self.in_effect and number == self.taker)
            for number, seat in enumerate(self.seats)
        ]
        fewest = [number for number, size in enumerate(sizes) if size == min(sizes)]
        return fewest[0] if len(fewest) == 1 else NOBODY

    @property
    def may_interrupt(self) -> bool:
        return self.holder not in (NOBODY, self.turn, self.target)

    def placed(self) -> Counter[int]:
        """How many cards of each character are placed outside the deck."""
        cards = [*self.bottom, *self.turned]
        for seat in self.seats:
            cards += [*seat.up, *seat.down]
        counts = Counter(cards)
        if self.phase >= Phase.SWAP and self.offered in counts:
            counts[self.offered] -= 1  # taken, so it was also counted in a display
        return counts

    def unturned(self) -> list[int]:
        """For each character, how many of its cards have never been turned up."""
        if self.deck is not None:
            return [self.deck.count(c) for c in range(Character.COUNT)]
        placed = self.placed()
        return [COPIES[c] - placed[c] for c in range(Character.COUNT)]

    def tokens_left(self) -> list[int]:
        """For each side, how many of its tokens have no known place."""
        in_use = TOKENS_IN_USE[self.players - FEWEST_PLAYERS]
        return [count - self.tokens.count(side) for side, count in enumerate(in_use)]

    def bullets_left(self) -> list[int]:
        """The Bullets that have no known place, ascending."""
        known = {self.bullet, *(bullet for seat in self.seats for bullet in seat.bullets)}
        return [bullet for bullet in range(BULLETS) if bullet not in known]

    def unknowns(self) -> list[str]:
        """What is unknown, place by place; empty if the position is complete."""
        lines = []
        for number, seat in enumerate(self.seats):
            if seat.token == UNKNOWN:
                lines.append(f"{seat_name(number)} token: unknown")
            if UNKNOWN in seat.bullets:
                lines.append(f"{seat_name(number)} bullets: {seat.bullets.count(UNKNOWN)} unknown")
        lines += ["centre: unknown"] if self.centre == UNKNOWN else []
        return lines + (["offer: unknown"] if self.offered == UNKNOWN else [])

    # ---- what is wrong with it --------------------------------------------------------------

    def problems(self) -> list[str]:
        """Everything that is impossible, one sentence each; empty if the position can be set up."""
        problems = list(self._wrong_numbers())
        if problems:
            return problems  # the other checks depend on the number of players
        problems += [*self._wrong_tokens(), *self._wrong_cards(), *self._wrong_bullets()]
        for number, seat in enumerate(self.seats):
            problems += self._wrong_display(number, seat)
        return [*problems, *self._wrong_moment(), *self._wrong_facts()]

    def _wrong_facts(self) -> Iterator[str]:
        for seat, other, token in self.facts:
            name = f"{seat_name(seat)} knows {seat_name(other)} token"
            if seat == other:
                yield f"{name}: a seat knows its own token anyway"
            elif token < 0 or self.seats[other].token != token:
                yield f"{name}: it must be the token that is named at seat {seat_name(other)}"

    def _wrong_numbers(self) -> Iterator[str]:
        if not FEWEST_PLAYERS <= self.players <= MOST_PLAYERS:
            yield f"players {self.players}: there are {FEWEST_PLAYERS} to {MOST_PLAYERS} players"
        seats = (("turn", self.turn), ("to", self.target), ("taker", self.taker))
        for name, seat in (*seats, ("un", NOBODY if self.un is None else self.un)):
            if seat >= self.players:
                yield f"{name} {seat_name(seat)}: there are only {self.players} players"
        for extra in range(max(0, self.players), len(self.seats)):
            yield f"seat {seat_name(extra)}: there are only {self.players} players"

    def _wrong_tokens(self) -> Iterator[str]:
        for side, left in enumerate(self.tokens_left()):
            if left < 0:
                placed = self.tokens.count(side)
                yield (
                    f"{placed} {SIDE_NAMES[side]} tokens are placed, but {self.players} players "
                    f"have {placed + left}"
                )
        dealt = len(self.tokens) - self.tokens.count(NOT_DEALT)
        if self.phase <= Phase.TOKENS and dealt > (
            0 if self.phase == Phase.FIRST else self.players
        ):
            yield f"tokens: {dealt} are dealt already, too many for this phase of setup"
        elif dealt <= self.players and (
            UNKNOWN in self.tokens or NOT_DEALT in self.tokens[:dealt] or self._begun()
        ):
            yield (
                "tokens not dealt yet are possible only in setup: they are dealt to A, B and so "
                "on, last to the centre, before any card is turned up"
            )

    def _begun(self) -> bool:
        """Whether anything on the table comes after setup."""
        return any((self.phase > Phase.TOKENS, self.turns, self.turned, self.bottom))

    def _wrong_cards(self) -> Iterator[str]:
        placed = self.placed() + Counter(self.deck or ())
        for card, count in sorted(placed.items()):
            if count > COPIES[card]:
                yield f"{CHARACTER_NAMES[card]}: {count} are placed, but there are {COPIES[card]}"

    def _wrong_bullets(self) -> Iterator[str]:
        given = [bullet for seat in self.seats for bullet in seat.bullets]
        known = Counter(bullet for bullet in (*given, self.bullet) if bullet >= 0)
        for bullet, often in sorted(known.items()):
            if often > 1:
                yield f"the Bullet {bullet_text(bullet)} lies in {often} places"
        assassins = sum((*seat.up, *seat.down).count(Character.ASSASSIN) for seat in self.seats)
        assassins -= self.phase in (Phase.BULLET, Phase.GIVE)
        if len(given) != assassins:
            yield (
                f"bullets: {len(given)} lie in displays, but every Assassin there has brought one, "
                f"which makes {assassins}"
            )

    def _wrong_display(self, number: int, seat: Seat) -> Iterator[str]:
        letter = seat_name(number)
        taken = self.in_effect and number == self.taker
        for card in sorted(set(seat.up)):
            if seat.up.count(card) > (2 if taken and card == self.offered else 1):
                yield (
                    f"{letter} up: two cards {CHARACTER_NAMES[card]} cannot stay face up, "
                    f"a pair is turned down at the end of its turn"
                )
        scientists = seat.down.count(Character.SCIENTIST)
        if scientists % 2:
            yield f"{letter} down: Scientists are turned face down in twos"
        for card in sorted(set(seat.down)):
            if seat.down.count(card) % 2 and scientists < 2:
                yield (
                    f"{letter} down: a single {CHARACTER_NAMES[card]} lies face down only if "
                    f"two Scientists turned the display down"
                )
        limit = THRESHOLDS[self.players - FEWEST_PLAYERS]
        most = limit + 1 if self.phase == Phase.OVER else limit - 1 + taken
        if seat.size > most:
            over = "no turn can bring more than" if self.phase == Phase.OVER else "the game ends at"
            count = most if self.phase == Phase.OVER else limit
            yield f"{letter}: {seat.size} cards, but {over} {count}"

    # ---- the moment of the turn -------------------------------------------------------------

    def _wrong_moment(self) -> Iterator[str]:
        yield from self._wrong_offer()
        if (self.turn == NOBODY) != (self.phase == Phase.FIRST):
            yield "turn: it is open only until chance has decided who begins (phase first)"
        if self.un is not None and self.phase > Phase.TOKENS and self.un != self.holder:
            where = f"{seat_name(self.holder)} has" if self.holder >= 0 else "nobody alone has"
            yield f"un: {where} fewest cards when the turn begins"
        if self.in_effect:
            yield from self._wrong_taker()
        elif self.taker != NOBODY and self.phase != Phase.OVER:
            yield "taker: no card has been taken yet in this phase"
        if self.phase == Phase.NEIGHBOUR and self.centre == UNKNOWN:
            yield "centre: the Diplomat has shown it to everybody, so it must be named"
        if self.bullet == UNKNOWN or (self.bullet != UNSEEN) != (self.phase == Phase.GIVE):
            yield "bullet: it is given, as a number, when an Assassin is about to give it away"
        if self.phase == Phase.OVER and not self._ended():
            yield "phase over: no display is full"
        if self.phase == Phase.OVER and self.offered == UNKNOWN:
            yield "offer: at the end every card is known"

    def _ended(self) -> bool:
        full = THRESHOLDS[self.players - FEWEST_PLAYERS]
        empty = not any(self.unturned()) and not self.bottom and not self.turned
        return empty or any(seat.size >= full for seat in self.seats)

    def _wrong_offer(self) -> Iterator[str]:
        kinds = len(set(self.turned))
        if kinds > 2 or (kinds == 2 and self.turned.index(self.other) != len(self.turned) - 1):
            yield "turned: cards are turned up only until there are two characters"
            return
        if self.phase == Phase.REVEAL and kinds == 2:
            yield "phase reveal: two characters have been turned up already"
        if self.phase == Phase.CHOOSE and kinds < 2:
            yield "turned: the two characters to choose from are needed"
        offers = self.on_offer or self.in_effect
        if offers:
            yield from self._wrong_choice(kinds)
        elif self.phase != Phase.OVER and (self.offered, self.target, self.claim) != (-1, -1, -1):
            yield "offer, to and claim: nothing is on offer in this phase"
        needs_target = offers and self.phase != Phase.TARGET
        if needs_target and self.target in (NOBODY, self.turn):
            yield "to: the player to whom the card is offered is needed, not the turn player"
        if self.phase == Phase.UN and not self.may_interrupt:
            yield "phase un: no UN player may interrupt here"

    def _wrong_choice(self, kinds: int) -> Iterator[str]:
        if not kinds:
            yield "turned: the characters turned up in this turn are needed"
        elif self.offered == UNKNOWN:
            if self.phase not in (Phase.UN, Phase.ANSWER):
                yield "offer: the seat that decides here knows the card, so it must be named"
        elif self.offered == UNSEEN:
            yield "offer: the card on offer is needed"
        elif self.offered not in self.turned:
            yield f"offer: {CHARACTER_NAMES[self.offered]} has not been turned up"
        if kinds == 1 and (any(self.unturned()) or self.bottom):
            yield "turned: the deck holds more, so a second character must be turned up"

    def _wrong_taker(self) -> Iterator[str]:
        if self.taker == NOBODY:
            yield "taker: the player who has taken the card is needed"
            return
        letter = seat_name(self.taker)
        third = (self.holder,) if self.may_interrupt else ()
        if self.taker not in (self.turn, self.target, *third):
            yield f"taker {letter}: only the turn player, the target or the UN player can take it"
        if self.offered < 0:
            return
        asks = EFFECTS.get(self.offered, UNSEEN)
        if self.phase != asks and (self.phase, asks) != (Phase.GIVE, Phase.BULLET):
            yield f"taker {letter}: {CHARACTER_NAMES[self.offered]} does not lead to this phase"
        if self.offered not in self.seats[self.taker].up:
            yield f"taker {letter}: no {CHARACTER_NAMES[self.offered]} lies face up there"


def usual_phase(position: Position) -> int:
    """What is being decided by the other fields; the UN player comes before the target."""
    if position.turn == NOBODY:
        return Phase.FIRST
    if NOT_DEALT in position.tokens:
        return Phase.TOKENS
    if position.taker != NOBODY:
        phase = EFFECTS.get(position.offered, Phase.LOOK)
        return Phase.GIVE if phase == Phase.BULLET and position.bullet != UNSEEN else phase
    if position.claim != UNSEEN or (position.offered == UNKNOWN and position.target != NOBODY):
        return Phase.UN if position.may_interrupt else Phase.ANSWER
    if position.target != NOBODY:
        return Phase.CLAIM
    if position.offered != UNSEEN:
        return Phase.TARGET
    return Phase.CHOOSE if position.other != UNSEEN else Phase.REVEAL


# ---- from position to state and back ----------------------------------------------------------


def _set_up(position: Position) -> Secrets:
    """The state of a position without problems and without unknowns."""
    state = blank(position.players)
    _lay(state, position)
    state.phase = position.phase
    if position.turn != NOBODY:
        state.player, state.first = position.turn, position.first
    state.turns = position.turns
    state.un = position.holder if position.phase > Phase.TOKENS else NOBODY
    state.dealt = len(position.tokens) - position.tokens.count(NOT_DEALT)
    if position.turned:
        state.one, state.two, state.surplus = position.turned[0], position.other, position.surplus
    state.offered, state.target, state.claim = position.offered, position.target, position.claim
    state.taker, state.bullet = position.taker, position.bullet
    if position.phase == Phase.OVER:
        state.side = winning_side(state)
        state.winning = winners(state, state.side)
        state.actor = NOBODY
    elif position.phase == Phase.REVEAL:
        state.reveal()  # continues at once if no chance is involved
    elif position.phase not in (Phase.FIRST, Phase.TOKENS, Phase.BULLET):
        state.ask(position.phase, _actor(position))
    return state


def _actor(position: Position) -> int:
    if position.in_effect:
        return position.taker
    if position.phase == Phase.UN:
        return position.holder
    return position.target if position.phase == Phase.ANSWER else position.turn


def _lay(state: Secrets, position: Position) -> None:
    """Tokens, displays, Bullets and the deck."""
    for number, seat in enumerate(position.seats):
        state.m[TOKENS + number] = seat.token
        state.m[SIZE + number] = seat.size
        for at, cards in ((UP, seat.up), (DOWN, seat.down)):
            for card in cards:
                state.m[at + number * KINDS + card] += 1
        state.m[SHOT + number] = sum(1 << bullet for bullet in seat.bullets)
    state.m[TOKENS + CENTRE] = position.centre
    state.pile = sum(1 << bullet for bullet in position.bullets_left())
    state.bullets = len(position.bullets_left())
    unturned = position.unturned()
    for card, count in enumerate(unturned):
        state.m[BAG + card] = count
    state.bag = sum(unturned)
    for card in (*position.bottom, *_put_back(position)):
        state.m[BOTTOM + state.bottom] = card
        state.bottom += 1


def _put_back(position: Position) -> CardTuple:
    """What went under the deck in this turn: surplus copies, then the card not offered (S6)."""
    if position.phase == Phase.REVEAL or not position.turned:
        return ()
    first = position.turned[0]
    cards = (first,) * position.surplus
    if position.phase > Phase.CHOOSE and position.other != UNSEEN:
        cards += (position.other if position.offered == first else first,)
    return cards


def position_of(state: Secrets) -> Position:
    """The position of a state, whatever is being decided in it."""
    seats = tuple(
        Seat(
            state.token(seat),
            _counted([state.up(seat, card) for card in range(Character.COUNT)]),
            _counted([state.down(seat, card) for card in range(Character.COUNT)]),
            tuple(bullet for bullet in range(BULLETS) if state.m[SHOT + seat] >> bullet & 1),
        )
        for seat in range(state.players)
    )
    turned = () if state.one == UNSEEN else (state.one,) * (1 + state.surplus)
    turned += () if state.two == UNSEEN else (state.two,)
    put_back = 0
    if turned and state.phase != Phase.REVEAL:
        put_back = state.surplus + (state.phase > Phase.CHOOSE and state.two != UNSEEN)
    deck = _counted([state.m[BAG + card] for card in range(Character.COUNT)])
    position = Position(
        players=state.players,
        turn=NOBODY if state.phase == Phase.FIRST else state.player,
        centre=state.token(CENTRE),
        seats=seats,
        bottom=tuple(state.bottom_cards()[: state.bottom - put_back]),
        turned=turned,
        offered=state.offered,
        target=state.target,
        claim=state.claim,
        taker=state.taker,
        bullet=state.bullet,
        phase=state.phase,
        deck=deck,
    )
    usual = replace(position, deck=None)
    return usual if usual.unturned() == position.unturned() else position


def position_as_seen(board: Secrets) -> Position:
    """The position of a table with unseen tokens, Bullets and offer, which are unknown in it."""
    seen = position_of(board)
    seats = tuple(
        replace(
            seat,
            token=UNKNOWN if seat.token == UNSEEN else seat.token,
            bullets=seat.bullets + (UNKNOWN,) * board.m[FACELESS + number],
        )
        for number, seat in enumerate(seen.seats)
    )
    hidden = seen.on_offer and seen.offered == UNSEEN
    given = seen.phase == Phase.GIVE and seen.bullet == UNSEEN
    return replace(
        seen,
        centre=UNKNOWN if seen.centre == UNSEEN else seen.centre,
        seats=seats,
        offered=UNKNOWN if hidden else seen.offered,
        bullet=UNKNOWN if given else seen.bullet,
    )


def _counted(counts: list[int]) -> CardTuple:
    return tuple(card for card, count in enumerate(counts) for _ in range(count))
