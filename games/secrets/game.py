"""Secrets as the registry lists it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from games.conformance import check_moves_event
from games.errors import GameError
from games.features import FeatureLayout
from games.forms.observations import ObservationLayout
from games.forms.picture import Faces, PictureChoice, TablePicture
from games.forms.position_form import PositionForm
from games.registry import Analysis, Game, GameHelp, GamePicture, GameText, Positions
from games.secrets import RULES_VERSION, guide, moves, picture, rulings
from games.secrets.board import draw_table, side_name, turn_heading
from games.secrets.catalogue import catalogue
from games.secrets.constants import FEWEST_PLAYERS, MOST_PLAYERS, SIDE_NAMES, Event
from games.secrets.features import CLAIM, CLAIMS, FEATURES_VERSION, SEAT, TABLE
from games.secrets.invariants import invariants
from games.secrets.late_view import late_events, late_view
from games.secrets.move_features import MOVE_FEATURES
from games.secrets.notation import position_form, write
from games.secrets.observation import OBSERVATION_VERSION, PRIVATE_PARTS, PUBLIC_PARTS
from games.secrets.position import position_as_seen
from games.secrets.puzzle_themes import THEMES
from games.secrets.puzzles import SecretsPuzzles
from games.secrets.random_endings import SmallEndings
from games.secrets.state import Secrets, new_game
from games.secrets.token_belief import TokenBelief
from games.secrets.view import SecretsView
from games.secrets.worlds import pose
from games.state import NOBODY, State
from games.view import View
from games.world_belief import WorldBelief

_OPTIONS: Final = ("first", "record")


def _first(players: int, options: Mapping[str, object]) -> int:
    """The option `first`, or NOBODY, after players and options have been checked."""
    GAME.check_players(players)
    GAME.check_options(options, _OPTIONS)
    first = options.get("first", NOBODY)
    if not isinstance(first, int) or isinstance(first, bool) or not NOBODY <= first < players:
        raise GameError(f"first must be a whole number from 0 to {players - 1}, not {first!r}")
    return first


def _token_belief(view: View, weights: list[float], sharpness: float) -> WorldBelief:
    assert isinstance(view, SecretsView)
    return TokenBelief(view, weights, sharpness)


class _Text(GameText):
    move = staticmethod(moves.move_text)
    parse = staticmethod(moves.parse_move)
    draw = staticmethod(draw_table)
    heading = staticmethod(turn_heading)


class _Help(GameHelp):
    rules = guide.SHORT_RULES
    rulebooks = (rulings.RULES, rulings.KNOWING)
    topics = "a card: ? double agent"

    catalogue = staticmethod(catalogue)
    describe = staticmethod(guide.describe)
    hint = staticmethod(guide.hint)
    aim = staticmethod(guide.aim)
    news = staticmethod(guide.news)
    outcome = staticmethod(guide.outcome)


class _Picture(GamePicture):
    def faces(self) -> Faces:
        return picture.faces()

    def table(self, rules: Game, state: State) -> TablePicture:  # noqa: ARG002
        return picture.table_picture(state)

    def choices(self, rules: Game, state: State, moves: Sequence[int]) -> list[PictureChoice]:  # noqa: ARG002
        return picture.choices(state, moves)


class _Positions(Positions):
    read = staticmethod(pose)
    write = staticmethod(write)

    def write_view(self, view: View) -> str:
        assert isinstance(view, SecretsView)
        return write(position_as_seen(view.board()))

    def form(self) -> PositionForm:
        return position_form()


class _Analysis(Analysis):
    invariants = staticmethod(invariants)
    check_events = staticmethod(partial(check_moves_event, Event.LEGAL_MOVES))
    late_view = staticmethod(late_view)
    late_events = staticmethod(late_events)


class SecretsGame(Game):
    """Secrets for 4 to 8 players."""

    name = "secrets"
    title = "Secrets"
    rules_version = RULES_VERSION
    min_players = FEWEST_PLAYERS
    max_players = MOST_PLAYERS
    role_names = SIDE_NAMES
    verdicts = SIDE_NAMES
    text = _Text()
    help = _Help()
    picture = _Picture()
    positions = _Positions()
    analysis = _Analysis()
    endings = SmallEndings()
    puzzles = SecretsPuzzles()
    puzzle_themes = THEMES
    features = FeatureLayout(
        FEATURES_VERSION,
        TABLE,
        SEAT,
        CLAIM,
        CLAIMS,
        one_winner=False,
        moves=MOVE_FEATURES,
        world_belief=_token_belief,
    )
    observation = ObservationLayout(OBSERVATION_VERSION, PUBLIC_PARTS, PRIVATE_PARTS)

    def new(self, players: int, **options: object) -> State:
        """A game before anything is dealt.

        Options: `first` (the seat that moves first), `record` (keep events from the start).
        """
        first = _first(players, options)
        return new_game(players, first=first, record=options.get("record") is True)

    def view(self, seat: int, players: int, **options: object) -> View:
        """What a seat knows of a game with these players and options before it starts."""
        _first(players, options)
        return SecretsView(seat, players)

    def roles(self, state: State) -> tuple[str, ...]:
        assert isinstance(state, Secrets)
        return tuple(side_name(state.token(seat)) for seat in range(state.players))

    def verdict(self, state: State) -> str:
        assert isinstance(state, Secrets)
        return SIDE_NAMES[state.side] if state.side >= 0 else ""

    def first(self, state: State) -> int:
        assert isinstance(state, Secrets)
        return state.first


GAME: Final = SecretsGame()
