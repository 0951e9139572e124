"""Our games as OpenSpiel games, so that its algorithms run on them.

    from arena.adapters import openspiel
    game = openspiel.load("hidden-leaders", players=2, deck="beginner")

Importing this module registers every game as `arena_<name>`, for `pyspiel.load_game`.
docs/learning.md describes parameters, information states and where a game is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from arena.adapters.extras import MissingExtra

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtra("the OpenSpiel adapter", "openspiel", error.name) from None

from arena.adapters.event_text import BYTES_PER_NUMBER, add_events, pack_events, parse_events
from arena.adapters.game_options import options_from_text, options_to_text
from arena.adapters.learner_table import players_of
from arena.adapters.openspiel_observer import SpielObserver
from games.batch import payoff
from games.errors import GameError
from games.questions import PosedEquilibrium
from games.registry import Game, game, game_names, read_position
from games.state import CHANCE, EVERYBODY, NOBODY, PackedState, Rng, State
from games.view import EventTuple, View
from solver.core.question import MOST_WORLDS

__all__ = ["SpielGame", "SpielState", "load", "spiel_name"]

PREFIX: Final = "arena_"
DECISIONS_PER_PLAYER: Final = 1000
"""Decisions after which a game is cut, times players, unless `max_decisions` is given."""
CHANCE_NODES: Final = (64, 8)
"""Chance nodes a game may have: so many, and so many for each decision."""
RECALL: Final = 16384
"""Numbers that an information state tensor has room for; random games have up to 12,000."""
RECALL_FROM_POSITION: Final = 2048

NO_RECALL: Final = -1
"""The parameter `recall` for games without information state tensors."""

_DEFAULTS: Final[dict[str, int | str]] = {
    "players": 0,
    "options": "",
    "position": "",
    "turns": 0,
    "max_decisions": 0,
    "recall": 0,
}


def load(
    name: str = "hidden-leaders",
    players: int | None = None,
    *,
    position: str = "",
    turns: int = 0,
    max_decisions: int = 0,
    recall: int = 0,
    **options: object,
) -> SpielGame:
    """A game of ours as an OpenSpiel game.

    `position`: start there instead, for two players; chance first picks one of its worlds. The seat
    to move then gets 1 if it wins within `turns` (0: by the end), else -1, the other the opposite.
    `max_decisions`: where a game is cut, without a winner. `recall`: numbers of the information
    state tensor (0: 16384, from a position 2048; -1: none); a game that outgrows it is cut as well.
    Options are those of the game.
    """
    parameters: dict[str, int | str] = {"options": options_to_text(options), "position": position}
    parameters |= {"players": players or 0, "turns": turns}
    parameters |= {"max_decisions": max_decisions, "recall": recall}
    return SpielGame(name, parameters)


def spiel_name(name: str) -> str:
    """What OpenSpiel calls a game of ours."""
    return PREFIX + name.replace("-", "_")


def _game_type(rules: Game, *, tensors: bool, recalls: bool) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=spiel_name(rules.name),
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.max_players,
        min_num_players=rules.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=tensors,
        provides_factored_observation_string=True,
        parameter_specification=_DEFAULTS,
    )


class SpielGame(pyspiel.Game):
    """A game of ours with its parameters; make one with `load`."""

    def __init__(self, name: str, parameters: Mapping[str, int | str] | None = None) -> None:
        given = {**_DEFAULTS, **(parameters or {})}
        rules = game(name)
        self.rules = rules
        self.turns = _number(given, "turns")
        self.position = _read_ending(rules, str(given["position"])) if given["position"] else None
        if self.position is None:
            if self.turns:
                raise GameError(f"turns={self.turns} needs a position to start from")
            self.players = players_of(rules, _number(given, "players") or None)
            self.options = options_from_text(str(given["options"]))
            self.worlds: list[State] = []
            moves = int(rules.new(self.players, **self.options).move_limit)
        else:
            self.players, self.options = self.position.players, self.position.options()
            self.worlds = self.position.worlds(MOST_WORLDS)
            moves = int(self.worlds[0].move_limit)
        self.max_decisions = _number(given, "max_decisions") or DECISIONS_PER_PLAYER * self.players
        usual = RECALL_FROM_POSITION if self.worlds else RECALL
        self.recall = _number(given, "recall", NO_RECALL) or usual
        self.max_chance = CHANCE_NODES[0] + CHANCE_NODES[1] * self.max_decisions
        self._folded: dict[int, tuple[str, View]] = {}
        kept = {key: value for key, value in given.items() if value != _DEFAULTS[key]}
        kept["players"] = self.players
        super().__init__(
            _game_type(rules, tensors=rules.observation is not None, recalls=self.recall > 0),
            pyspiel.GameInfo(
                num_distinct_actions=moves,
                max_chance_outcomes=max(moves, len(self.worlds)),
                num_players=self.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.max_decisions,
            ),
            kept,
        )

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.max_chance

    def make_py_observer(
        self,
        kind: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> SpielObserver:
        if params:
            raise ValueError(f"there are no observation parameters, but {params} was given")
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        layout = self.rules.observation
        return SpielObserver(layout, self.players, max(0, self.recall), kind or usual)

    def adopt(self, view: View, text: str) -> None:
        """Use this View for its seat once it has seen these events."""
        self._folded[view.seat] = (text, view)

    def view(self, seat: int, text: str) -> View:
        """The View of a seat that has seen these events; extends the one asked for before."""
        before, view = self._folded.get(seat, ("", None))
        if view is None or not text.startswith(before):
            before, view = "", self.rules.view(seat, self.players, **self.options)
        for event in parse_events(text[len(before) :]):
            view.observe(event)
        self._folded[seat] = (text, view)
        return view


class _NamedGame(SpielGame):
    """A game that OpenSpiel makes by its registered name."""

    name: str

    def __init__(self, params: Mapping[str, int | str] | None = None) -> None:
        super().__init__(self.name, params)


def _number(given: Mapping[str, object], name: str, least: int = 0) -> int:
    number = given[name]
    if type(number) is not int or number < least:
        raise GameError(f"{name} must be a whole number from {least}, not {number!r}")
    return number


def _read_ending(rules: Game, text: str) -> PosedEquilibrium:
    position = read_position(rules, text)
    if position.players != 2:
        raise GameError(f"a position for OpenSpiel has two players, not {position.players}")
    if not isinstance(position, PosedEquilibrium):
        raise GameError(f"positions of {rules.title} do not say what each seat sees")
    return position


class SpielState(pyspiel.State):
    """A state: our State, and what every seat has perceived so far, as text."""

    def __init__(self, spiel: SpielGame) -> None:
        super().__init__(spiel)
        self.table: State | None = None
        self.seen = [""] * spiel.players
        """Every seat's events, as text: perfect recall."""
        self.told = [b""] * spiel.players
        """The same, packed."""
        self.private = [b""] * spiel.players
        """Those of them that an onlooker does not get, packed."""
        self.public = b""
        """What an onlooker perceives, packed."""
        self.outgrown = False
        """Whether a seat has perceived more than an information state tensor has room for."""
        self.decisions = 0
        self.chances = 0
        self.seat = 0
        """From a position: who wants to win."""
        self.deadline = -1
        if not spiel.worlds:
            self.table = spiel.rules.new(spiel.players, record=True, **spiel.options)
            if spiel.rules.observation is not None:
                self.table.take_notes()
            self._take_events()

    @property
    def spiel(self) -> SpielGame:
        found: SpielGame = self.get_game()
        return found

    # ---- the rules ------------------------------------------------------------------------

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.table is None or self.table.actor == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.table.actor)

    def is_terminal(self) -> bool:
        table = self.table
        if table is None:
            return False
        return bool(
            table.actor == NOBODY
            or self.outgrown
            or table.turns == self.deadline
            or self.decisions >= self.spiel.max_decisions
            or self.chances >= self.spiel.max_chance
        )

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        assert self.table is not None
        return self.table.moves()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.table is None:
            count = len(self.spiel.worlds)
            return [(world, 1.0 / count) for world in range(count)]
        weights = self.table.weights()
        total = sum(weights)
        odds = [weight / total for weight in weights]
        return list(zip(self.table.moves(), odds, strict=True))

    def _apply_action(self, action: int) -> None:
        if self.table is None:
            self._begin(int(action))
            return
        if self.table.actor == CHANCE:
            self.chances += 1
        else:
            self.decisions += 1
        self.table.record()  # copies do not
        self.table.play(int(action))
        self._take_events()
        if self.spiel.worlds and self.table.actor != NOBODY:
            # As our solver does: what cannot change the winner any more is not played out.
            self.table.settle_turn(self.deadline)

    def _begin(self, world: int) -> None:
        """From a position: chance has chosen the world."""
        spiel = self.spiel
        assert spiel.position is not None
        self.chances += 1
        self.table = spiel.worlds[world].copy()
        if spiel.rules.observation is not None:
            self.table.take_notes()
        self.seat = int(self.table.actor)
        self.deadline = int(self.table.turns) + spiel.turns if spiel.turns else -1
        for player in range(spiel.players):
            sights = [spiel.position.sight(state, player) for state in spiel.worlds]
            first = sights.index(sights[world])
            # Worlds that look alike have the number of the first of them.
            self._perceive(player, [(first,)], [(first,)])

    def returns(self) -> list[float]:
        table = self.table
        if table is None or not self.is_terminal():
            return [0.0] * self.num_players()
        if self.spiel.worlds:
            won = 1.0 if table.actor == NOBODY and table.wins(self.seat) else -1.0
            return [won if seat == self.seat else -won for seat in range(2)]
        if table.actor != NOBODY:
            return [0.0] * self.num_players()
        return [payoff(table, seat) for seat in range(self.num_players())]

    # ---- what is seen ---------------------------------------------------------------------

    def _take_events(self) -> None:
        table = self.table
        assert table is not None
        news = [table.take_events(seat) for seat in range(self.spiel.players)]
        onlooker = _onlooker_events(table, news)
        self.public += pack_events(onlooker)
        for seat, events in enumerate(news):
            self._perceive(seat, events, _own_events(table, seat, events, onlooker))

    def _perceive(self, seat: int, events: list[EventTuple], own: list[EventTuple]) -> None:
        """Add what a seat has perceived, and the part of it that an onlooker does not get."""
        if not events:
            return
        self.seen[seat] = add_events(self.seen[seat], events)
        self.told[seat] += pack_events(events)
        self.private[seat] += pack_events(own)
        count, room = len(self.told[seat]) // BYTES_PER_NUMBER, self.spiel.recall
        if count > room > 0:
            if not self.decisions:
                raise GameError(f"recall={room} is too small: the deal alone has {count} numbers")
            self.outgrown = True

    def view(self, player: int) -> View:
        """What the player knows, as our bots see it."""
        if self.spiel.worlds:
            raise GameError("a game from a position has no views; start from a whole game")
        return self.spiel.view(player, self.seen[player])

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state that the player cannot tell from this one, drawn by our sampler.

        The pasts of the others are not invented: what they have seen begins with this table.
        """
        view = self.view(player)
        world = view.sample(Rng(int(sampler() * 2**53)))
        twin = state_of(self.spiel, world, view, self.seen[player], self.told[player])
        twin.public, twin.private[player] = self.public, self.private[player]
        twin.decisions, twin.chances = self.decisions, self.chances
        return twin

    # ---- text -----------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        if self.table is None:
            return f"world {action}"
        return self.spiel.rules.text.move(self.table, int(action))

    def __str__(self) -> str:
        if self.table is None:
            return "before the world is chosen"
        state = self.table
        waiting = "chance decides\n" if state.actor == CHANCE else ""
        return f"{waiting}{self.spiel.rules.text.draw(state, None)}\n{state.key().hex()}"


def _onlooker_events(table: State, news: list[list[EventTuple]]) -> list[EventTuple]:
    """What somebody who has no seat perceives of the last move."""
    if isinstance(table, PackedState):
        seen = (full if audience == EVERYBODY else rest for audience, full, rest in table.events)
        return [event for event in seen if event]
    return [event for event in news[0] if all(event in events for events in news)]


def _own_events(
    table: State, seat: int, events: list[EventTuple], onlooker: list[EventTuple]
) -> list[EventTuple]:
    """What the seat perceives of the last move and an onlooker does not."""
    if isinstance(table, PackedState):
        bit = 1 << seat
        return [full for who, full, _ in table.events if who & bit and who != EVERYBODY]
    return [event for event in events if event not in onlooker]


def state_of(spiel: SpielGame, world: State, view: View, seen: str, told: bytes) -> SpielState:
    """A world that a View has sampled as a state; its seat has `seen` that, packed `told`."""
    state = spiel.new_initial_state()
    rules = spiel.rules
    if rules.observation is not None:
        view.note_in(world)
    state.table = world
    state.public = b""
    for seat in range(spiel.players):
        late = rules.analysis.late_events(world, seat) or [tuple(world.key())]
        own = seat == view.seat
        state.seen[seat] = seen if own else add_events("?", late)
        state.told[seat] = told if own else pack_events(late)
        state.private[seat] = b"" if own else state.told[seat]
    return state


def register_games() -> None:
    """Make every game loadable by `pyspiel.load_game`; a game that does not load is left out."""
    known = set(pyspiel.registered_names())
    for name in game_names():
        if spiel_name(name) in known:
            continue
        try:
            rules = game(name)
        except GameError:
            continue  # `load` says what is wrong with it
        kind = _game_type(rules, tensors=rules.observation is not None, recalls=True)
        # A class, because OpenSpiel drops a function after Python has shut down, which crashes.
        pyspiel.register_game(kind, type(f"Spiel_{rules.name}", (_NamedGame,), {"name": name}))


register_games()
