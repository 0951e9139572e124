"""Secrets as the registry lists it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.errors import GameError, did_you_mean
from games.registry import Game
from games.secrets import RULES_VERSION
from games.secrets import moves as text
from games.secrets.board import draw_table, side_name
from games.secrets.catalogue import catalogue
from games.secrets.constants import FEWEST_PLAYERS, MOST_PLAYERS, SIDE_NAMES
from games.secrets.guide import GUIDE
from games.secrets.invariants import check_events, invariants
from games.secrets.late_view import seen
from games.secrets.state import Secrets, new_game
from games.secrets.view import SecretsView
from games.secrets.worlds import notation, pose
from games.state import NOBODY, State
from games.view import View

_OPTIONS: Final = ("first", "record")


def new(players: int, **options: object) -> State:
    """A game before anything is dealt.

    Options: `first` (the seat that begins), `record` (whether to keep events from the start).
    """
    first = _first(players, options)
    return new_game(players, first=first, record=options.get("record") is True)


def view(seat: int, players: int, **options: object) -> View:
    """What a seat knows of a game with these players and options before it begins."""
    _first(players, options)
    return SecretsView(seat, players)


def _first(players: int, options: Mapping[str, object]) -> int:
    """The seat asked to begin, or NOBODY, once players and options have been checked."""
    GAME.check_players(players)
    for name in options:
        if name not in _OPTIONS:
            known, hint = ", ".join(_OPTIONS), did_you_mean(name, _OPTIONS)
            raise GameError(f"Secrets has no option '{name}' (known: {known}){hint}")
    asked = options.get("first", NOBODY)
    if not isinstance(asked, int) or isinstance(asked, bool) or not NOBODY <= asked < players:
        raise GameError(f"first must be a whole number from 0 to {players - 1}, not {asked!r}")
    return asked


def move_text(state: State, move: int) -> str:
    assert isinstance(state, Secrets)
    return text.move_text(state, move)


def parse_move(state: State, words: str) -> int:
    assert isinstance(state, Secrets)
    return text.parse_move(state, words)


def draw(state: State, seat: int | None) -> str:
    assert isinstance(state, Secrets)
    return draw_table(state, seat)


def roles(state: State) -> tuple[str, ...]:
    assert isinstance(state, Secrets)
    return tuple(side_name(state.token(seat)) for seat in range(state.players))


def first(state: State) -> int:
    assert isinstance(state, Secrets)
    return state.first


def verdict(state: State) -> str:
    assert isinstance(state, Secrets)
    return SIDE_NAMES[state.side] if state.side >= 0 else ""


GAME: Final = Game(
    name="secrets",
    title="Secrets",
    rules_version=RULES_VERSION,
    min_players=FEWEST_PLAYERS,
    max_players=MOST_PLAYERS,
    new=new,
    move_text=move_text,
    parse_move=parse_move,
    view=view,
    draw=draw,
    roles=roles,
    role_names=SIDE_NAMES,
    verdict=verdict,
    verdicts=SIDE_NAMES,
    first=first,
    invariants=invariants,
    check_events=check_events,
    guide=GUIDE,
    catalogue=catalogue,
    pose=pose,
    notation=notation,
    seen=seen,
)
