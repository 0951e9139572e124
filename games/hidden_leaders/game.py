"""Hidden Leaders as the registry lists it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Final, cast

from games.conformance import check_moves_event
from games.errors import GameError, did_you_mean
from games.features import Choice, FeatureLayout, PatternLayout
from games.forms.observations import ObservationLayout
from games.forms.picture import Faces, PictureChoice, TablePicture
from games.forms.position_form import PositionForm
from games.hidden_leaders import RULES_VERSION, guide, picture
from games.hidden_leaders.catalogue import catalogue
from games.hidden_leaders.invariants import invariants
from games.hidden_leaders.knowledge.late_view import late_events, late_view
from games.hidden_leaders.knowledge.safe_wins import worst_cases
from games.hidden_leaders.knowledge.unseen_parties import unseen_parties
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.positions.cleanup_phase import only_cleanup
from games.hidden_leaders.positions.notation import position_form, write
from games.hidden_leaders.positions.position import (
    MOST_THRESHOLD,
    position_as_seen,
    usual_threshold,
)
from games.hidden_leaders.positions.small_endings import SmallEndings
from games.hidden_leaders.positions.worlds import pose
from games.hidden_leaders.puzzle_themes import THEMES
from games.hidden_leaders.puzzles import HiddenLeadersPuzzles
from games.hidden_leaders.recount.witness import TurnWitness
from games.hidden_leaders.rules import patterns
from games.hidden_leaders.rules.cards import BEGINNER, EMPEROR, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import FACTION_NAMES, FACTIONS, Event, Limit
from games.hidden_leaders.rules.features import CLAIM, CLAIMS, FEATURES_VERSION, SEAT, TABLE
from games.hidden_leaders.rules.move_features import MOVE_FEATURES
from games.hidden_leaders.rules.observation import OBSERVATION_VERSION, PRIVATE_PARTS, PUBLIC_PARTS
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.text.board import draw_board, turn_heading
from games.hidden_leaders.text.moves import find_card, move_text, parse_move
from games.hidden_leaders.text.rulings import RULEBOOK
from games.hidden_leaders.variants import variant_options
from games.registry import Analysis, Game, GameHelp, GamePicture, GameText, Positions
from games.state import NOBODY, UNSEEN, State
from games.view import EventTuple, View

_DECKS: Final = {"retail": RETAIL, "beginner": BEGINNER}
_NUMBERS: Final = ("first", "threshold", "rounds", "dealt")
_OPTIONS: Final = ("deck", *_NUMBERS, "variant", "record")


def _settings(
    players: int, options: Mapping[str, object]
) -> tuple[tuple[int, ...], dict[str, int]]:
    """The deck and the numeric options, checked, with defaults where an option is missing."""
    GAME.check_players(players)
    GAME.check_options(options, _OPTIONS)
    options = {**variant_options(options.get("variant")), **options}
    deck = _deck(options.get("deck", "retail"))
    limits = {"first": players - 1, "threshold": MOST_THRESHOLD, "rounds": 10_000}
    limits["dealt"] = Limit.DEALT
    numbers: dict[str, int] = {
        name: _number(name, options[name], limits[name]) for name in _NUMBERS if name in options
    }
    numbers["threshold"] = numbers.get("threshold") or usual_threshold(players, deck)
    numbers["rounds"] = numbers.get("rounds") or Limit.ROUNDS
    numbers["dealt"] = numbers.get("dealt") or Limit.DEALT
    if numbers["dealt"] < Limit.DEALT:
        _check_deal(len(set(deck) - {EMPEROR}), numbers["dealt"], players)
    return deck, numbers


def _check_deal(heroes: int, dealt: int, players: int) -> None:
    if heroes < dealt * players:
        raise GameError(f"{heroes} heroes are too few to deal {dealt} to each of {players} players")


def _deck(value: object) -> tuple[int, ...]:
    if isinstance(value, str):
        if value not in _DECKS:
            known, hint = ", ".join(_DECKS), did_you_mean(value, _DECKS)
            raise GameError(f"there is no deck '{value}' (known: {known}){hint}")
        return _DECKS[value]
    if not isinstance(value, Sequence) or not all(isinstance(name, str) for name in value):
        raise GameError(f"a deck is a name or a list of heroes, not {value!r}")
    return _heroes(tuple(value))


@cache
def _heroes(names: tuple[str, ...]) -> tuple[int, ...]:
    """The heroes of that name, ascending; kept, because learners start many games."""
    deck = sorted(find_card(name) for name in names)
    if len(set(deck)) != len(deck):
        raise GameError("a deck holds every hero at most once")
    return tuple(deck)


def _number(name: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise GameError(f"{name} must be a whole number from 0 to {most}, not {value!r}")
    return value


class _Text(GameText):
    move = staticmethod(move_text)
    parse = staticmethod(parse_move)
    draw = staticmethod(draw_board)
    heading = staticmethod(turn_heading)


class _Help(GameHelp):
    rules = guide.RULES
    rulebooks = (RULEBOOK,)
    topics = "a card, a leader or a faction: ? crow carrier"

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
        assert isinstance(view, HiddenLeadersView)
        return write(position_as_seen(view.known_table(), view.deck))

    def form(self) -> PositionForm:
        return position_form()


def _witness(
    seat: int, players: int, options: Mapping[str, object], events: Sequence[EventTuple]
) -> TurnWitness:
    deck, numbers = _settings(players, options)
    return TurnWitness(
        seat, players, deck, numbers["threshold"], numbers["rounds"], [tuple(e) for e in events]
    )


def _events_of(view: View) -> list[EventTuple]:
    assert isinstance(view, HiddenLeadersView)
    _, travels = view.__reduce__()  # as its settings and its events
    return list(cast("tuple[object, list[EventTuple]]", travels)[1])


class _Analysis(Analysis):
    invariants = staticmethod(invariants)
    check_events = staticmethod(partial(check_moves_event, Event.LEGAL_MOVES))
    late_view = staticmethod(late_view)
    late_events = staticmethod(late_events)
    worst_cases = staticmethod(worst_cases)
    unseen = staticmethod(unseen_parties)
    events_of = staticmethod(_events_of)
    witness = staticmethod(_witness)
    only_cleanup = staticmethod(only_cleanup)


def _observed_choice(event: EventTuple) -> Choice | None:
    return (event[1], event[2]) if event[0] == Event.CHOSE and event[2] != UNSEEN else None


class HiddenLeadersGame(Game):
    """Hidden Leaders for 2 to 6 players."""

    name = "hidden-leaders"
    title = "Hidden Leaders"
    rules_version = RULES_VERSION
    min_players = 2
    max_players = Limit.PLAYERS
    role_names = tuple(leader.name for leader in LEADERS)
    role_word = "leader"
    verdicts = tuple(FACTION_NAMES[faction] for faction in FACTIONS)
    verdict_word = "faction"
    text = _Text()
    help = _Help()
    picture = _Picture()
    positions = _Positions()
    analysis = _Analysis()
    endings = SmallEndings()
    puzzles = HiddenLeadersPuzzles()
    puzzle_themes = THEMES
    features = FeatureLayout(
        FEATURES_VERSION,
        TABLE,
        SEAT,
        CLAIM,
        CLAIMS,
        one_winner=True,
        moves=MOVE_FEATURES,
        observed_choice=_observed_choice,
        patterns=PatternLayout(
            patterns.TABLE_PATTERNS, patterns.SEAT_PATTERNS, patterns.CLAIM_PATTERNS
        ),
    )

    observation = ObservationLayout(OBSERVATION_VERSION, PUBLIC_PARTS, PRIVATE_PARTS)

    def new(self, players: int, **options: object) -> State:
        """A game before anything is dealt.

        Options: `deck` ("retail", "beginner" or a list of heroes), `first` (the seat that moves
        first), `threshold` (open heroes that end the game), `rounds` (the game stops after that
        many), `dealt` (heroes for each seat), `variant` (a name for all these, as in
        `games.hidden_leaders.variants`), `record` (keep events from the start).
        """
        deck, numbers = _settings(players, options)
        return new_game(players, deck, record=options.get("record") is True, **numbers)

    def view(self, seat: int, players: int, **options: object) -> View:
        """What a seat knows of a game with these players and options before it starts."""
        deck, numbers = _settings(players, options)
        return HiddenLeadersView(seat, players, deck, numbers["threshold"], numbers["rounds"])

    def roles(self, state: State) -> tuple[str, ...]:
        assert isinstance(state, HiddenLeaders)
        return tuple(LEADERS[state.leader(seat)].name for seat in range(state.players))

    def verdict(self, state: State) -> str:
        assert isinstance(state, HiddenLeaders)
        return FACTION_NAMES[state.faction] if state.faction else ""

    def first(self, state: State) -> int:
        assert isinstance(state, HiddenLeaders)
        return state.first

    def hit_turn_limit(self, state: State) -> bool:
        assert isinstance(state, HiddenLeaders)
        return state.actor == NOBODY and not state.faction


GAME: Final = HiddenLeadersGame()
