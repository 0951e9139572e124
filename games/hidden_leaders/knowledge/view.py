"""A seat's View of Hidden Leaders: a fold over the events that seat received."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.errors import Contradiction
from games.hidden_leaders.knowledge.certainty import SAMPLES, Certainty, Chances
from games.hidden_leaders.knowledge.inference import Knowledge
from games.hidden_leaders.knowledge.sampler import SamplingPlan
from games.hidden_leaders.rules import cards
from games.hidden_leaders.rules.bytecode import BLANK
from games.hidden_leaders.rules.cards import EMPEROR, RETAIL
from games.hidden_leaders.rules.constants import UNKNOWN_INDEX, Event, Zone
from games.hidden_leaders.rules.observation import PLANE, fill_observation
from games.hidden_leaders.rules.state import HiddenLeaders, blank
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LAST, LEADERS_AT
from games.hidden_leaders.text.moves import move_text
from games.state import EVERYBODY, NOBODY, UNSEEN, Rng, State
from games.view import View

REFRESH: Final = 16
"""At one decision in this many, worlds that were thinned away get another chance to be drawn."""


class HiddenLeadersView(View):
    """What one seat has seen and can therefore know. Unknown cards are -1.

    Lists of cards run from bottom to top, or from oldest to newest.
    """

    def __init__(
        self,
        seat: int,
        players: int,
        deck: tuple[int, ...] = RETAIL,
        threshold: int = 0,
        rounds: int = 0,
    ) -> None:
        super().__init__(seat, players)
        self.deck = deck
        board = blank(players)
        if threshold:
            board.threshold = threshold
        if rounds:
            board.turn_limit = rounds * players
        for card in deck:
            if card == EMPEROR:
                board.lay(Zone.GRAVEYARD, LAST, card)
            else:
                board.lay(Zone.HARBOR, LAST, UNSEEN)
        self._board = board
        # The board holds only cards that this seat has seen; others are UNSEEN.
        board.notes = vec[i64]([EVERYBODY] * PLANE)
        self._knowledge = Knowledge(seat, players, deck)
        self._plan: SamplingPlan | None = None
        self._certainty: Certainty | None = None
        self._certain: HiddenLeaders | None = None
        """The table with everything certain; made when it is first asked for."""
        self._rounds = rounds
        self._events: list[tuple[int, ...]] = []

    def __reduce__(self) -> tuple[object, ...]:
        """A View travels as its events."""
        settings = (self.seat, self.players, self.deck, self.threshold, self._rounds)
        return refolded, (settings, self._events)

    # ---- what lies on the table -----------------------------------------------------------

    @property
    def red(self) -> int:
        return self._board.red

    @property
    def green(self) -> int:
        return self._board.green

    @property
    def turn_player(self) -> int:
        return self._board.player

    @property
    def turns(self) -> int:
        return self._board.turns

    @property
    def threshold(self) -> int:
        return self._board.threshold

    @property
    def first(self) -> int:
        return self._board.first

    @property
    def leader(self) -> int:
        """This seat's leader."""
        return self._board.leader(self.seat)

    @property
    def leaders(self) -> list[int]:
        """Every seat's leader; -1 where it is not certain."""
        leaders = [self._board.leader(seat) for seat in range(self.players)]
        if leaders.count(UNSEEN) == 1:
            leaders = [self._sure().leader(seat) for seat in range(self.players)]
        return leaders

    @property
    def hand(self) -> list[int]:
        """This seat's hand."""
        return self._board.cards(Zone.HAND + self.seat)

    def hand_of(self, seat: int) -> list[int]:
        """A seat's hand: the cards that are certain, then -1 for each of the others."""
        return self._sure_cards(Zone.HAND + seat)

    def hand_size(self, seat: int) -> int:
        return self._board.size(Zone.HAND + seat)

    def open(self, seat: int) -> list[int]:
        """Open heroes of a seat."""
        return self._board.cards(Zone.OPEN + seat)

    def hidden(self, seat: int) -> list[int]:
        """Hidden heroes of a seat, oldest first; -1 where the card is not certain."""
        return self._sure_cards(Zone.HIDDEN + seat)

    @property
    def tavern(self) -> list[int]:
        """Three slots; an empty one is -1."""
        return self._board.cards(Zone.TAVERN)

    @property
    def graveyard(self) -> list[int]:
        return self._sure_cards(Zone.GRAVEYARD)

    @property
    def wilderness(self) -> list[int]:
        return self._sure_cards(Zone.WILDERNESS)

    @property
    def harbor_size(self) -> int:
        return self._board.size(Zone.HARBOR)

    @property
    def drawn(self) -> list[int]:
        """Cards drawn by the card being resolved that have not been placed yet."""
        return self._board.cards(Zone.DRAWN)

    @property
    def winning_faction(self) -> int:
        return self._board.faction

    @property
    def winner(self) -> int:
        return self._board.winner

    def chances(self, zone: int, index: int = -1, samples: int = SAMPLES, seed: int = 1) -> Chances:
        """For every card, the chance that it is in a zone, or at that index of a pile.

        Exact where that is cheap: always for a hand before the first reshuffle, if no seat has said
        that it lacks a faction. Otherwise from that many sampled worlds; `Chances.samples` tells.
        Asking changes nothing about later samples.
        """
        self.check_complete()
        return self._asked().chances(self._board, zone, index, samples, seed)

    def known_table(self) -> HiddenLeaders:
        return self._sure().copy()

    def knowledge(self) -> Knowledge:
        """What the seat can know about unseen cards; only to be read."""
        return self._knowledge

    def _asked(self) -> Certainty:
        if self._certainty is None:
            self._certainty = Certainty(self._knowledge)
        return self._certainty

    def _sure(self) -> HiddenLeaders:
        """The table with every card that lies there in all worlds."""
        if self._certain is None:
            self._certain = self._asked().table(self._board)
        return self._certain

    def _sure_cards(self, zone: int) -> list[int]:
        cards = self._board.cards(zone)
        return self._sure().cards(zone) if UNSEEN in cards else cards

    def board(self) -> HiddenLeaders:
        """A copy of the table as this seat sees it; for showing it and for move texts."""
        return self._board.copy()

    def key(self) -> bytes:
        """Equal for seats that have seen the same: it covers everything this View holds."""
        settings = (self.seat, self.players, self.deck, self.moves)
        return self._board.key() + repr((settings, self._knowledge.events)).encode()

    def fill_observation(self, out: vec[i64], at: i64) -> None:
        fill_observation(self._board, self.seat, out, at)

    def note_in(self, world: State) -> None:
        assert isinstance(world, HiddenLeaders)
        world.take_notes()
        for zone in range(Zone.HIDDEN, Zone.HIDDEN + self.players):
            for card in self._board.cards(zone):
                if card != UNSEEN:
                    world.notes[card] |= i64(1) << self.seat

    def text(self, move: int) -> str:
        return move_text(self._board, move)

    def role_text(self, role: int) -> str:
        return cards.LEADERS[role].name

    # ---- worlds ---------------------------------------------------------------------------

    @property
    def exact(self) -> bool:
        """Whether the last world was drawn with exact odds, from tables that were not thinned."""
        return self._knowledge.exact

    def imagine(self) -> HiddenLeaders:
        """This table with BLANK for every unknown card; for trying out moves."""
        table = self._board.copy()
        for zone in range(Zone.COUNT):
            if zone != Zone.TAVERN:
                at = AT[zone]
                for i in range(at, at + table.size(zone)):
                    if table.m[i] == UNSEEN:
                        table.m[i] = BLANK
        return table

    def sample(self, rng: Rng) -> HiddenLeaders:
        """A full state that agrees with everything this seat has seen (R94).

        The odds are exact while `exact` holds. After that they are right on average, and at every
        decision every world that agrees has a chance to be drawn, whatever was drawn before.
        """
        self.check_complete()
        if self._plan is None and not self._knowledge.exact and rng.below(REFRESH) == 0:
            self._knowledge.forget()
        while True:
            try:
                if self._plan is None:
                    self._knowledge.update(rng)
                    self._plan = SamplingPlan(self._knowledge, self._board, self.seat, rng)
                return self._plan.draw(rng)
            except Contradiction:
                self._plan = None
                self._knowledge.start_over()

    # ---- folding --------------------------------------------------------------------------

    def observe(self, event: tuple[int, ...]) -> None:
        self._events.append(event)
        self._plan = None
        self._certain = None
        self._knowledge.observe(event)
        board = self._board
        kind = event[0]
        if kind == Event.MOVED:
            self._move(event[1], event[2], event[3], event[4], event[5])
        elif kind == Event.SEEN:
            if event[3] != UNSEEN:
                board.m[AT[event[1]] + event[2]] = event[3]
        elif kind == Event.CHOSE:
            self.moves = []
            self.complete = False
        elif kind == Event.PENDING:
            self._pending(event)
        elif kind == Event.LEGAL_MOVES:
            self.moves = list(event[1:])
            for i, move in enumerate(self.moves):
                board.legal[i] = move
            board.count = len(self.moves)
        elif kind == Event.MARKERS:
            board.red = event[1]
            board.green = event[2]
        elif kind == Event.RESHUFFLED:
            board.reshuffle()
            self._blot_out(Zone.HARBOR, board.size(Zone.HARBOR))
        elif kind == Event.LEADER:
            board.m[LEADERS_AT + event[1]] = event[2]
        elif kind == Event.FIRST:
            board.first = event[1]
            board.player = event[1]
        elif kind == Event.OVER:
            self.actor = NOBODY
            board.actor = NOBODY
            board.faction = event[1]
            board.winner = event[2]
            board.count = 0
            self.moves = []
            self.complete = True

    def _private(self, zone: int) -> bool:
        """Whether the zone is a bag whose cards this View cannot tell apart."""
        if zone == Zone.DRAWN:
            return self._board.player != self.seat
        return Zone.HAND <= zone < Zone.OPEN and zone != Zone.HAND + self.seat

    def _move(self, source: int, i: int, target: int, j: int, card: int) -> None:
        board = self._board
        if source == Zone.GRAVEYARD and i == UNKNOWN_INDEX:
            # A card below the top is gone, so no position below the top is certain any more.
            board.lift(Zone.GRAVEYARD, 0)
            self._blot_out(Zone.GRAVEYARD, board.size(Zone.GRAVEYARD) - 1)
        elif source == Zone.HARBOR or self._private(source):
            board.lift(source, 0)
        else:
            known = board.lift(source, board.find(source, card) if i == UNKNOWN_INDEX else i)
            if card == UNSEEN:
                card = known
        board.lay(target, j, UNSEEN if self._private(target) else card)

    def _blot_out(self, zone: int, count: int) -> None:
        for i in range(count):
            self._board.m[AT[zone] + i] = UNSEEN

    def _pending(self, event: tuple[int, ...]) -> None:
        board = self._board
        self.actor = event[1]
        self.decisions += 1
        board.actor = event[1]
        board.player = event[2]
        board.turns = event[3]
        frames = event[4:]
        for i, number in enumerate(frames):
            board.m[FRAMES + i] = number
        board.frame = FRAMES + len(frames) - FRAME
        board.count = 0
        self.moves = []
        self.complete = True


def refolded(
    settings: tuple[int, int, tuple[int, ...], int, int], events: list[tuple[int, ...]]
) -> HiddenLeadersView:
    """The View that these events make."""
    view = HiddenLeadersView(settings[0], settings[1], settings[2], settings[3], settings[4])
    for event in events:
        view.observe(event)
    return view
