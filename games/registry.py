"""Games by name, and the base class of a game."""
# ruff: noqa: ARG002  # the defaults of a base class ignore what a game's own parts need

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from math import inf
from typing import Final

from games.catalogue import Catalogue
from games.errors import BadPosition, GameError, WrongGame, did_you_mean
from games.features import FeatureLayout
from games.forms.observations import ObservationLayout
from games.forms.picture import Faces, PictureChoice, SeatPicture, TablePicture, no_faces
from games.forms.position_form import PositionForm
from games.forms.rulebook import Rulebook
from games.installed import (
    GAME_NAME,
    BadGame,
    import_installed,
    installed_games,
    package_of,
)
from games.puzzle_material import PuzzleMaterial, RandomEndings
from games.questions import (
    NOTHING_LEARNED,
    Learned,
    PosedPosition,
    Tick,
    Unseen,
    Witness,
    WorstCases,
    no_limit,
)
from games.state import NOBODY, State
from games.view import EventTuple, View

_GAMES: Final = {"hidden-leaders": "games.hidden_leaders.game", "secrets": "games.secrets.game"}
"""Name -> the module whose GAME is that game; imported on first use."""

DEFAULT_GAME: Final = "hidden-leaders"
"""The game used where none is named."""


MOST_SEATS: Final = 16
"""Audiences of events have one bit for each seat."""


class GameText:
    """Part of a Game: moves and tables in words."""

    def move(self, state: State, move: int) -> str:
        """A legal move, or a chance outcome, in words."""
        raise TypeError("a game's text must implement move(state, move)")

    def parse(self, state: State, words: str) -> int:
        """The legal move that matches the words; IllegalMove lists the legal ones."""
        raise TypeError("a game's text must implement parse(state, words)")

    def draw(self, state: State, seat: int | None) -> str:
        """The table in a few lines; with a seat, only what that seat may know."""
        raise TypeError("a game's text must implement draw(state, seat)")

    def heading(self, state: State) -> tuple[str, str]:
        """The turn, such as "turn 5 of B", and what is on the table that everybody sees."""
        return f"turn {state.turns + 1}", ""


class GameHelp:
    """Part of a Game: help for a person who plays."""

    rules: str = ""
    """The rules in a few lines, enough to start playing."""
    rulebooks: tuple[Rulebook, ...] = ()
    """All rulings, chapter by chapter."""
    topics: str = "a card"
    """What `describe` knows about, with an example."""

    def catalogue(self) -> Catalogue:
        """The game's cards, to look up."""
        return Catalogue()

    def describe(self, words: str) -> str:
        """What a card does, given its name or any unique part of the name; or ""."""
        return ""

    def hint(self, choice: str) -> str:
        """What the card named in a choice does; "" if it names none."""
        return ""

    def aim(self, view: View) -> str:
        """The seat's goal, how far away it is, and how far away the end is."""
        return ""

    def news(self, view: View, event: EventTuple, before: str) -> str:
        """An event about to be observed, in words; "" if the text before it covers it."""
        return ""

    def outcome(self, state: State) -> str:
        """Why the winner of a finished game has won."""
        return ""


class GamePicture:
    """Part of a Game: its tables as data, for programs that draw them."""

    def faces(self) -> Faces:
        """The cards, kinds and roles that tables refer to."""
        return no_faces()

    def table(self, rules: Game, state: State) -> TablePicture:
        """The table; for one seat, give it `View.known_table()`."""
        text = rules.text.draw(state, None)
        return TablePicture(
            headline=text.partition("\n")[0],
            text=text,
            turn=max(state.actor, NOBODY),
            decides=max(state.actor, NOBODY),
            over=state.actor == NOBODY,
            tracks=[],
            piles=[],
            seats=[SeatPicture(role="", facts=[], rows=[]) for _ in range(state.players)],
        )

    def choices(self, rules: Game, state: State, moves: Sequence[int]) -> list[PictureChoice]:
        """Legal moves in words, and what they touch on that table."""
        return [
            PictureChoice(
                move=move, text=rules.text.move(state, move), cards=[], seats=[], spots=[]
            )
            for move in moves
        ]


class Positions(ABC):
    """Part of a Game: its positions as text."""

    @abstractmethod
    def read(self, text: str) -> PosedPosition:
        """The position the text describes; BadPosition lists what is wrong with it."""

    @abstractmethod
    def write(self, state: State) -> str:
        """The position as text that `read` understands."""

    @abstractmethod
    def write_view(self, view: View) -> str:
        """What a seat knows for certain as such text; everything else is unknown in it."""

    def form(self) -> PositionForm | None:
        """What can be edited in such a text; None if that is not described."""
        return None


class Analysis:
    """Part of a Game: what checkers and solvers need beyond the rules."""

    def invariants(self, state: State) -> list[str]:
        """What is wrong with a position, one sentence each (see `games.conformance`)."""
        return []

    def check_events(self, state: State, seat: int, events: list[EventTuple]) -> list[str]:
        """What is wrong with the events a seat received from the last move, one sentence each."""
        return []

    def late_view(self, state: State, seat: int) -> View | None:
        """What a seat knows if it joins now, while a seat must decide; None if not supported.

        It knows the open cards and its own: the same for all tables that differ only in what the
        seat may not see.
        """
        return None

    def late_events(
        self, state: State, seat: int, learned: Learned = NOTHING_LEARNED
    ) -> list[EventTuple] | None:
        """The events that build such a view, knowing also what the seat has learned before."""
        return None

    def worst_cases(self, view: View) -> WorstCases | None:
        """Worlds that prove whether a seat wins this turn for certain; None if there are none."""
        return None

    def unseen(self, view: View, seed: int, tick: Tick = no_limit) -> Unseen | None:
        """The seat's own turn as far as it can see; None if it is not its turn, or not supported.

        `seed` is for odds that can only be sampled, `tick` limits the time that odds may take.
        """
        return None

    def events_of(self, view: View) -> list[EventTuple] | None:
        """All events that a view has observed; None if the game has no `witness`."""
        return None

    def witness(
        self,
        seat: int,
        players: int,
        options: Mapping[str, object],
        events: Sequence[EventTuple],
    ) -> Witness | None:
        """A seat's own turn, worked out from its events for checkers; None if not supported.

        GameError says what is wrong with the events.
        """
        return None

    def only_cleanup(self, state: State) -> bool:
        """Whether all choices left in the turn only move cards that cannot affect who wins.

        For certificate checkers, which do not trust `State.settled_end`.
        """
        return False


class Game(ABC):
    """A game, for programs that work with any game. Subclass it for a game of your own."""

    name: str
    title: str
    rules_version: int
    """Goes up whenever the same moves could lead to a different game."""
    min_players: int
    max_players: int

    role_names: tuple[str, ...] = ()
    """The secret roles, in the order of `State.role`."""
    role_word: str = "side"
    """What this game calls a role."""
    verdicts: tuple[str, ...] = ()
    """Everything `verdict` can return for a won game."""
    verdict_word: str = "side"
    """What this game calls a verdict."""

    text: GameText
    help: GameHelp = GameHelp()
    picture: GamePicture = GamePicture()
    positions: Positions | None = None
    analysis: Analysis = Analysis()
    endings: RandomEndings | None = None
    puzzles: PuzzleMaterial | None = None
    puzzle_themes: tuple[str, ...] = ()
    """The themes that puzzle files of this game may name."""
    features: FeatureLayout | None = None
    """What the numbers mean that `State.fill_features` writes; None if it writes none."""
    observation: ObservationLayout | None = None
    """What the numbers mean that `State.fill_observation` writes; None if it writes none."""

    @abstractmethod
    def new(self, players: int, **options: object) -> State:
        """A game before anything is dealt; GameError names an unknown option.

        Every game has the option `record`: keep events from the start.
        """

    @abstractmethod
    def view(self, seat: int, players: int, **options: object) -> View:
        """What one seat knows of such a game before anything happens."""

    def roles(self, state: State) -> tuple[str, ...]:
        """The secret role of each seat, once they are dealt."""
        return ("",) * state.players

    def verdict(self, state: State) -> str:
        """What has won a finished game, one of `verdicts`; "" if nothing won."""
        return ""

    def first(self, state: State) -> int:
        """The seat that moves first, once that is decided."""
        return 0

    def hit_turn_limit(self, state: State) -> bool:
        """Whether a finished game was stopped by its turn limit, so that nobody has won."""
        return False

    @property
    def player_counts(self) -> tuple[int, ...]:
        return tuple(range(self.min_players, self.max_players + 1))

    def check_players(self, players: int) -> None:
        """Raise GameError unless the game can be played by that many."""
        if not self.min_players <= players <= self.max_players:
            fewest, most = self.min_players, self.max_players
            counts = f"{fewest} to {most}" if fewest < most else str(fewest)
            raise GameError(f"{self.title} is for {counts} players, not {players}")

    def check_options(self, options: Iterable[str], known: Sequence[str]) -> None:
        """Raise GameError for an option that is not among the known ones.

        `record` is not listed: it decides what is kept of a game, not how it is played, and a
        league sets it itself.
        """
        for name in options:
            if name not in known:
                settings = [each for each in known if each != "record"]
                known_ones = f"known: {', '.join(settings)}" if settings else "it has no options"
                hint = did_you_mean(name, settings)
                raise GameError(f"{self.title} has no option '{name}' ({known_ones}){hint}")


def read_position(rules: Game, text: str) -> PosedPosition:
    """The text read as a position of that game; WrongGame if it fits another game better."""
    if rules.positions is None:
        raise GameError(f"positions of {rules.title} cannot be written down")
    try:
        return rules.positions.read(text)
    except BadPosition as error:
        for other in all_games():
            if other.name != rules.name and _problem_count(other, text) < len(error.problems):
                raise WrongGame(rules.title, other.name, other.title) from None
        raise


def _problem_count(rules: Game, text: str) -> float:
    """How many problems the text has as a position of that game."""
    if rules.positions is None:
        return inf
    try:
        rules.positions.read(text)
    except BadPosition as error:
        return len(error.problems)
    return 0


def game(name: str) -> Game:
    """The game of that name, bundled or installed; GameError suggests the closest name."""
    if name in _GAMES:
        rules = import_module(_GAMES[name]).GAME
        assert isinstance(rules, Game)
        return rules
    if name in installed_games():
        candidate = import_installed(name)
        problem = contract_problem(candidate, name)
        if problem or not isinstance(candidate, Game):
            raise BadGame(name, problem)
        return candidate
    known = ", ".join(game_names())
    hint = did_you_mean(name, game_names())
    raise GameError(f"there is no game '{name}' (known: {known}){hint}")


def contract_problem(candidate: object, name: str) -> str:
    """What is wrong with an object that should be the game of that name; "" if nothing is."""
    if not isinstance(candidate, Game):
        return "it is not an instance of games.Game"
    if not GAME_NAME.fullmatch(name):
        return "a name has lower-case letters, digits and single hyphens"
    for attribute, kind in (("name", str), ("title", str), ("rules_version", int)):
        if not isinstance(getattr(candidate, attribute, None), kind):
            return f"its `{attribute}` must be of type {kind.__name__}"
    if candidate.name != name:
        return f"it calls itself '{candidate.name}'"
    fewest, most = getattr(candidate, "min_players", None), getattr(candidate, "max_players", None)
    if not isinstance(fewest, int) or not isinstance(most, int):
        return "its `min_players` and `max_players` must be whole numbers"
    if not 2 <= fewest <= most <= MOST_SEATS:
        return f"{fewest} to {most} players are not within 2 to {MOST_SEATS}"
    if not isinstance(getattr(candidate, "text", None), GameText):
        return "its `text` must be a games.GameText"
    return ""


def game_of(of: View | State) -> Game:
    """The game a View or a State belongs to."""
    home = type(of).__module__
    for name, module in _GAMES.items():
        if home.startswith(module.removesuffix("game")):
            return game(name)
    for name in installed_games():
        if f"{home}.".startswith(f"{package_of(name)}."):
            return game(name)
    kind = "State" if isinstance(of, State) else "View"
    raise GameError(f"{type(of).__name__} is the {kind} of no game")


def bundled_games() -> list[str]:
    """The names of the games that come with the arena."""
    return sorted(_GAMES)


def game_names() -> list[str]:
    """The names of all games, bundled ones first."""
    return bundled_games() + sorted(name for name in installed_games() if name not in _GAMES)


def all_games() -> list[Game]:
    """All games, without installed ones that cannot be used."""
    games = [game(name) for name in bundled_games()]
    for name in game_names()[len(games) :]:
        with suppress(GameError):
            games.append(game(name))
    return games
