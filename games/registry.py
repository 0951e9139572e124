"""Games by name: the only place where a name leads to code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from math import inf
from typing import Final

from games.catalogue import Catalogue
from games.errors import BadPosition, GameError, WrongGame, did_you_mean
from games.puzzle_material import PuzzleMaterial, RandomEndings
from games.questions import PosedPosition, WorstCases
from games.state import State
from games.view import EventTuple, View

_GAMES: Final = {
    "hidden-leaders": "games.hidden_leaders.game",
    "secrets": "games.secrets.game",
}
"""Name -> the module whose GAME is that game; loaded only when asked for."""

DEFAULT_GAME: Final = "hidden-leaders"
"""The game that is meant where none is named."""


class GameText:
    """Part of a Game: moves and tables in words."""

    def move(self, state: State, move: int) -> str:
        """A legal move, or a chance outcome, in words."""
        raise TypeError("a game must say how its moves are worded")

    def parse(self, state: State, words: str) -> int:
        """The legal move that the words mean; IllegalMove says what was legal."""
        raise TypeError("a game must say how its moves are read")

    def draw(self, state: State, seat: int | None) -> str:
        """The table in a few lines; with a seat, only what that seat may know."""
        raise TypeError("a game must say how its table is drawn")


class GameHelp:
    """Part of a Game: what a person who plays is told beside moves and table."""

    rules: str = ""
    """The rules in a few lines, for somebody who has played before or is willing to try."""
    topics: str = "a card"
    """What can be described, with an example of how to ask for it."""

    def catalogue(self) -> Catalogue:
        """The game's cards, to look up."""
        return Catalogue()

    def describe(self, words: str) -> str:
        """What a card does, given its name or any part of the name that is unique; or ""."""
        return ""

    def hint(self, choice: str) -> str:
        """What the card named in a choice does, if it names one."""
        return ""

    def aim(self, view: View) -> str:
        """What the seat wants, how far away that is, and how far away the end is."""
        return ""

    def news(self, view: View, event: EventTuple, said: str) -> str:
        """An event about to be observed, as news; "" if the words said before cover it."""
        return ""

    def outcome(self, state: State) -> str:
        """Why a finished game went to its winner."""
        return ""


class Positions(ABC):
    """Part of a Game: its positions as text."""

    @abstractmethod
    def read(self, text: str) -> PosedPosition:
        """A position to ask about; BadPosition says what is wrong with it."""

    @abstractmethod
    def write(self, state: State) -> str:
        """The position as text that `read` reads."""


class Analysis:
    """Part of a Game: what checkers and solvers ask beyond the rules."""

    def invariants(self, state: State) -> list[str]:
        """What is wrong with a position, one sentence each (see `games.conformance`)."""
        return []

    def check_events(self, state: State, seat: int, events: list[EventTuple]) -> list[str]:
        """What is wrong with the events a seat received from the last move, likewise."""
        return []

    def late_view(self, state: State, seat: int) -> View | None:
        """What a seat knows that joins now, while somebody must decide; None if not supported.

        That is whatever lies open and its own cards: the same for all tables that differ only in
        what the seat may not see.
        """
        return None

    def worst_cases(self, view: View) -> WorstCases | None:
        """Worlds by which a seat can be sure to win this turn; None if there are none."""
        return None

    def only_cleanup(self, state: State) -> bool:
        """Whether every choice left only moves cards that have no part in who wins.

        For certificate checkers, which do not trust `State.settled_end`.
        """
        return False


class Game(ABC):
    """A game as programs see it that serve any game. Subclass it for a game of your own."""

    name: str
    title: str
    rules_version: int
    """Rises whenever the same moves could lead elsewhere than before."""
    min_players: int
    max_players: int

    role_names: tuple[str, ...] = ()
    """All that a seat can secretly be, in the order of `State.role`."""
    role_word: str = "side"
    """What this game calls a role."""
    verdicts: tuple[str, ...] = ()
    """All that can win, as `verdict` names it."""
    verdict_word: str = "side"
    """What this game calls that which wins."""

    text: GameText
    help: GameHelp = GameHelp()
    positions: Positions | None = None
    analysis: Analysis = Analysis()
    endings: RandomEndings | None = None
    puzzles: PuzzleMaterial | None = None
    puzzle_themes: tuple[str, ...] = ()
    """The themes that puzzle files of this game may name."""

    @abstractmethod
    def new(self, players: int, **options: object) -> State:
        """A game before anything is dealt; GameError names an unknown option.

        Every game knows the option `record`: keep events from the start.
        """

    @abstractmethod
    def view(self, seat: int, players: int, **options: object) -> View:
        """What one seat knows of such a game before anything has happened."""

    def roles(self, state: State) -> tuple[str, ...]:
        """What each seat secretly is, once that has been dealt."""
        return ("",) * state.players

    def verdict(self, state: State) -> str:
        """What has won a finished game, one of `verdicts`; "" if nothing has."""
        return ""

    def first(self, state: State) -> int:
        """The seat that moves first, once that is settled."""
        return 0

    @property
    def player_counts(self) -> tuple[int, ...]:
        return tuple(range(self.min_players, self.max_players + 1))

    def check_players(self, players: int) -> None:
        """GameError unless that many can play."""
        if not self.min_players <= players <= self.max_players:
            raise GameError(
                f"{self.title} is for {self.min_players} to {self.max_players} players, "
                f"not {players}"
            )


def read_position(rules: Game, text: str) -> PosedPosition:
    """The position as one of that game; WrongGame if it makes more sense as one of another."""
    if rules.positions is None:
        raise GameError(f"positions of {rules.title} cannot be written down")
    try:
        return rules.positions.read(text)
    except BadPosition as error:
        for other in map(game, game_names()):
            if other.name != rules.name and _wrong_in(other, text) < len(error.problems):
                raise WrongGame(rules.title, other.name, other.title) from None
        raise


def _wrong_in(rules: Game, text: str) -> float:
    """How much is wrong with the text as a position of that game."""
    if rules.positions is None:
        return inf
    try:
        rules.positions.read(text)
    except BadPosition as error:
        return len(error.problems)
    return 0


def game(name: str) -> Game:
    """The game of that name; GameError suggests the nearest name."""
    if name not in _GAMES:
        known = ", ".join(_GAMES)
        hint = did_you_mean(name, _GAMES)
        raise GameError(f"there is no game '{name}' (known: {known}){hint}")
    found = import_module(_GAMES[name]).GAME
    assert isinstance(found, Game)
    return found


def game_of(view: View) -> Game:
    """The game that the View is of."""
    home = type(view).__module__
    for name, module in _GAMES.items():
        if home.startswith(module.removesuffix("game")):
            return game(name)
    raise GameError(f"{type(view).__name__} is the View of no game")


def game_names() -> list[str]:
    """The names of all games."""
    return sorted(_GAMES)
