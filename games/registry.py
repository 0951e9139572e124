"""Games by name: the only place where a name leads to code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from math import inf
from typing import Final, Protocol

from games.catalogue import Catalogue
from games.errors import BadPosition, GameError, WrongGame, did_you_mean
from games.questions import PosedPosition, WorstCases
from games.state import State
from games.view import View

_GAMES: Final = {
    "hidden-leaders": "games.hidden_leaders.game",
    "secrets": "games.secrets.game",
}
"""Name -> the module whose GAME is that game; loaded only when asked for."""

DEFAULT_GAME: Final = "hidden-leaders"
"""The game that is meant where none is named."""


class NewGame(Protocol):
    """Begins a game; an option that it does not know is a GameError.

    Every game knows `record`: keep events from the start.
    """

    def __call__(self, players: int, **options: object) -> State: ...


class NewView(Protocol):
    """Makes the View of one seat of a game with the same players and options."""

    def __call__(self, seat: int, players: int, **options: object) -> View: ...


def _nothing(*_: object) -> str:
    return ""


@dataclass(frozen=True)
class Guide:
    """What a person who plays is told beside moves and table; a game may leave any of it out."""

    rules: str = ""
    """The rules in a few lines, for somebody who has played before or is willing to try."""
    topics: str = "a card"
    """What can be described, with an example of how to ask for it."""
    describe: Callable[[str], str] = _nothing
    """What a card does, by words that contain its name or a part of its name that only it has."""
    hint: Callable[[str], str] = _nothing
    """What the card does that a choice, told in words, would bring into play, if it names one."""
    aim: Callable[[View], str] = _nothing
    """What the seat wants, how far it is, and how far the end."""
    tell: Callable[[View, tuple[int, ...], str], str] = _nothing
    """An event about to be taken in, as news; nothing if the words told before have said it."""
    outcome: Callable[[State], str] = _nothing
    """Why a finished game went to its winner."""


def no_roles(state: State) -> tuple[str, ...]:
    return ("",) * state.players


def no_complaints(*_: object) -> list[str]:
    return []


def first_seat(_state: State) -> int:
    return 0


def never(_state: State) -> bool:
    return False


@dataclass(frozen=True)
class Game:
    """What programs that serve any game need to know about one."""

    name: str
    title: str
    rules_version: int
    """Rises whenever the same moves could lead elsewhere than before."""
    min_players: int
    max_players: int
    new: NewGame
    move_text: Callable[[State, int], str]
    parse_move: Callable[[State, str], int]
    view: NewView
    """Makes what one seat knows before anything has happened."""
    draw: Callable[[State, int | None], str]
    """The table in a few lines; with a seat, only what that seat may know."""
    roles: Callable[[State], tuple[str, ...]] = no_roles
    """What each seat secretly is, once that has been dealt; nothing in games without roles."""
    role_names: tuple[str, ...] = ()
    """All that a seat can secretly be, in the order of `State.role`."""
    role_word: str = "side"
    """What this game calls a role."""
    verdict: Callable[[State], str] = _nothing
    """What has won a finished game, one of `verdicts`; nothing if nothing has."""
    verdicts: tuple[str, ...] = ()
    verdict_word: str = "side"
    """What this game calls that which wins."""
    first: Callable[[State], int] = first_seat
    """The seat that begins, once that is settled."""
    invariants: Callable[[State], list[str]] = no_complaints
    """What is wrong with a position, one sentence each (see `games.conformance`)."""
    check_events: Callable[[State, int, list[tuple[int, ...]]], list[str]] = no_complaints
    """What is wrong with the events a seat got from the last move, likewise."""
    guide: Guide = field(default_factory=Guide)
    catalogue: Callable[[], Catalogue] = Catalogue
    """Makes the list of its cards."""
    pose: Callable[[str], PosedPosition] | None = None
    """Reads a position, to be asked about; BadPosition says what is wrong with it."""
    notation: Callable[[State], str] | None = None
    """The position as text that `pose` reads."""
    seen: Callable[[State, int], View] | None = None
    """What a seat knows that joins the table now, while somebody must decide: what lies open, and
    the own cards. It is the same for tables that differ only in what the seat may not see."""
    worst_cases: Callable[[View], WorstCases | None] | None = None
    """By what worlds a seat that must decide can be sure to win in this turn; None if by none."""
    only_tidies: Callable[[State], bool] = never
    """Whether all that can be chosen now moves cards that have no part in who wins; for checkers,
    who do not take the word of `State.settled_end`."""

    @property
    def player_counts(self) -> tuple[int, ...]:
        return tuple(range(self.min_players, self.max_players + 1))

    def check_players(self, players: int) -> None:
        """GameError unless so many can play."""
        if not self.min_players <= players <= self.max_players:
            raise GameError(
                f"{self.title} is for {self.min_players} to {self.max_players} players, "
                f"not {players}"
            )


def read_position(rules: Game, text: str) -> PosedPosition:
    """The position as one of that game; WrongGame if it makes more sense as one of another."""
    if rules.pose is None:
        raise GameError(f"positions of {rules.title} cannot be posed")
    try:
        return rules.pose(text)
    except BadPosition as error:
        for other in map(game, game_names()):
            if other.name != rules.name and _wrong_in(other, text) < len(error.problems):
                raise WrongGame(rules.title, other.name, other.title) from None
        raise


def _wrong_in(rules: Game, text: str) -> float:
    """How much is wrong with the text as a position of that game."""
    if rules.pose is None:
        return inf
    try:
        rules.pose(text)
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
