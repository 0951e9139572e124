"""The games: rules, views, positions and replays. Knows nothing of the programs that play them.

These are the public names; they are loaded on first use (see `engine.load_public_name`).
"""

from typing import TYPE_CHECKING

# First, so that with ARENA_PURE=1 no compiled module is loaded.
from games import engine as engine

if TYPE_CHECKING:
    from games.conformance import check_game
    from games.errors import BadPosition, BadReplay, ChancePending, GameError, IllegalMove
    from games.features import FeatureLayout
    from games.forms.observations import ObservationLayout
    from games.questions import Learned, TooManyWorlds, Watch
    from games.registry import Analysis, Game, GameHelp, GameText, Positions, game, game_names
    from games.replay import Replay, read_replay, redact, write_replay
    from games.seats import seat_from_name, seat_name
    from games.state import CHANCE, NOBODY, Rng, State, put_byte
    from games.view import View

__all__ = [
    "CHANCE", "NOBODY", "Analysis", "BadPosition", "BadReplay", "ChancePending", "FeatureLayout",
    "Game", "GameError", "GameHelp", "GameText", "IllegalMove", "Learned", "ObservationLayout",
    "Positions", "Replay", "Rng", "State", "TooManyWorlds", "View", "Watch", "check_game", "game",
    "game_names", "put_byte", "read_replay", "redact", "seat_from_name", "seat_name",
    "write_replay",
]  # fmt: skip

if not TYPE_CHECKING:
    _HOMES = {
        **dict.fromkeys(("CHANCE", "NOBODY", "Rng", "State", "put_byte"), "state"),
        **dict.fromkeys(("Learned", "TooManyWorlds", "Watch"), "questions"),
        **dict.fromkeys(("Analysis", "Game", "GameHelp", "GameText", "Positions"), "registry"),
        **dict.fromkeys(("game", "game_names"), "registry"),
        **dict.fromkeys(("BadPosition", "BadReplay", "ChancePending"), "errors"),
        **dict.fromkeys(("GameError", "IllegalMove"), "errors"),
        **dict.fromkeys(("Replay", "read_replay", "redact", "write_replay"), "replay"),
        **dict.fromkeys(("seat_name", "seat_from_name"), "seats"),
        "FeatureLayout": "features",
        "ObservationLayout": "forms.observations",
        "View": "view",
        "check_game": "conformance",
    }

    def __getattr__(name):
        return engine.load_public_name(__name__, _HOMES, name)
