"""Games that start in a position or in the middle of a saved game."""

from typing import ClassVar

import pytest

from arena import play_game
from arena.match.bot_factory import bot_factory
from arena.match.game_view import GameView
from arena.match.referee import Result, run_game
from arena.match.start import Start, start_in_game, start_in_position
from bots import Bot
from games import View
from games.errors import GameError
from games.hidden_leaders import HiddenLeadersView
from games.hidden_leaders.rules.cards import CARD_NUMBER
from games.registry import game, read_position
from games.replay import Replay, read_replay, redact, write_replay

RULES = game("hidden-leaders")
KNOWN = (
    "red 6; green 6; threshold 5; A leader Cyra hand ShSh open JoCh; "
    "B leader Enned hand WaWi KeKo hidden HaHe LoLo; A knows B leader Enned hand KeKo hidden LoLo"
)


class Witness(Bot):
    """Plays the first move, and notes which hidden heroes of B it knew at each decision."""

    known: ClassVar[list[list[int]]] = []
    events = 0

    def observe(self, event: tuple[int, ...]) -> None:
        self.events += 1

    def choose(self, view: View) -> int:
        assert isinstance(view, HiddenLeadersView)
        assert self.events > 0
        Witness.known.append(view.hidden(1))
        return view.moves[0]


WITNESS = "tests.arena.match.test_start:Witness"


def start(text: str) -> Start:
    return start_in_position(RULES, read_position(RULES, text), ("--position", text))


def play(begin: Start, *names: str, seed: int = 1, isolate: bool = False) -> Result:
    factories = [bot_factory(name, isolate) for name in names]
    return run_game(RULES, factories, seed, opening=begin.opening(seed))


@pytest.fixture(scope="module")
def replay() -> Replay:
    return play_game(["greedy", "random", "random"], seed=3).replay


def test_a_game_from_a_position_is_a_replay_that_can_be_verified() -> None:
    result = play(start("red 9; A leader Cyra hand CrCa; B leader ? hand ?x3"), "greedy", "random")
    text = write_replay(result.replay)
    assert read_replay(text) == result.replay
    assert "leader ?" not in result.replay.position
    assert '"position": "players 2; turn A; red 9; ' in text.splitlines()[0]


def test_what_is_unknown_in_a_position_is_drawn_by_the_seed() -> None:
    begin = start("A leader Cyra hand CrCa; B leader ? hand ?x3")
    assert begin.opening(1) == begin.opening(1)
    assert len({begin.opening(seed).position for seed in range(20)}) > 10


def test_isolated_bots_start_from_positions_too() -> None:
    begin = start("threshold 2; A leader Cyra hand CrCa open KeKo; B leader Enned hand ?x3")
    inside = play(begin, "greedy", "random")
    assert play(begin, "greedy", "random", isolate=True).replay == inside.replay


def test_a_seat_starts_with_what_it_has_learned() -> None:
    opening = start(KNOWN).opening(1)
    view, other = opening.view(0), opening.view(1)
    assert isinstance(view, HiddenLeadersView)
    assert view.hidden(1) == [-1, CARD_NUMBER["Long-Eared Loner"]]
    assert sorted(view.hand_of(1)) == [-1, CARD_NUMBER["Keen Koi"]]
    assert view.leaders[1] >= 0
    assert isinstance(other, HiddenLeadersView)
    assert other.hand_of(0) == [-1]
    assert other.leaders[0] == -1


def test_bots_receive_what_they_have_learned_as_events() -> None:
    Witness.known.clear()
    play(start(KNOWN), WITNESS, WITNESS)
    assert Witness.known[0] == [-1, CARD_NUMBER["Long-Eared Loner"]]


def test_a_seat_file_of_such_a_game_does_not_hold_the_position() -> None:
    replay = play(start(KNOWN), "random", "random").replay
    assert "position" not in redact(replay, 0).splitlines()[0]


def test_play_goes_on_from_a_saved_game(replay: Replay) -> None:
    shown = GameView(replay)
    begin = start_in_game(replay, 40, ())
    result = play(begin, "greedy", "greedy", "random", seed=5)
    assert result.replay.moves[: shown.ply(40)] == replay.moves[: shown.ply(40)]
    assert result.replay.extra["seats"] == ["greedy", "greedy", "random"]
    assert read_replay(write_replay(result.replay)) == result.replay


def test_the_same_bots_and_seed_play_the_same_continuation(replay: Replay) -> None:
    begin = start_in_game(replay, 40, ())
    names = ("greedy", "random", "random")
    assert play(begin, *names, seed=5).replay == play(begin, *names, seed=5).replay
    assert play(begin, *names, seed=5).replay != play(begin, *names, seed=6).replay


def test_bots_know_what_their_seat_saw_in_the_saved_game(replay: Replay) -> None:
    Witness.known.clear()
    play(start_in_game(replay, 40, ()), WITNESS, "random", "random")
    before = GameView(replay).view(40, 0)
    assert isinstance(before, HiddenLeadersView)
    assert -1 not in before.hidden(1)[:2]  # A has looked at them
    assert Witness.known[0] == before.hidden(1)


@pytest.mark.parametrize("players", [2, 4])
def test_another_number_of_players_is_refused(players: int) -> None:
    begin = start("A leader Cyra; B leader Enned; C leader Myrad")
    with pytest.raises(GameError, match=f"the position is for 3 players, but {players} came"):
        begin.check_players(players, f"{players} came")


def test_nothing_can_be_played_after_the_end(replay: Replay) -> None:
    with pytest.raises(GameError, match="the game is over there"):
        start_in_game(replay, GameView(replay).length, ())
