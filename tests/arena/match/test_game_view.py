"""A saved game to look at: numbers of moves, what is told, and what one seat may see."""

import pytest

from arena import play_game
from arena.match.game_view import GameView
from games.errors import GameError
from games.registry import game, read_position
from games.replay import Replay, read_replay, write_replay
from games.state import CHANCE, NOBODY


@pytest.fixture(scope="module")
def replay() -> Replay:
    return read_replay(write_replay(play_game(["greedy", "random", "random"], seed=3).replay))


@pytest.fixture(scope="module")
def secrets() -> Replay:
    return play_game(["greedy", *["random"] * 3], seed=3, game="secrets").replay


def test_moves_are_numbered_without_chance(replay: Replay) -> None:
    shown = GameView(replay)
    assert [move.number for move in shown.moves] == list(range(1, shown.length + 1))
    state, choices = replay.new(), 0
    for move in replay.moves:
        choices += state.actor != CHANCE
        state.play(move)
    assert choices == shown.length


def test_after_n_moves_the_next_one_is_to_be_chosen(replay: Replay) -> None:
    shown = GameView(replay)
    for at in range(shown.length):
        state = shown.state(at)
        assert state.actor >= 0
        assert shown.rules.text.move(state, replay.moves[shown.ply(at)]) == shown.moves[at].text
    assert shown.state(shown.length).actor == NOBODY


def test_a_table_beyond_the_end_is_refused(replay: Replay) -> None:
    shown = GameView(replay)
    with pytest.raises(GameError, match=f"has {shown.length} moves; there is no table after 9999"):
        shown.table(9999)


def test_every_turn_has_a_heading_with_markers_and_tavern(replay: Replay) -> None:
    story = "\n".join(GameView(replay).story())
    turns = int(replay.state().turns)
    for turn in range(1, turns + 1):
        assert story.count(f"\nturn {turn} of ") == 1
    assert "\nturn 1 of A: red 4, green 4; tavern " in story


def test_markers_and_drawn_cards_are_told(replay: Replay) -> None:
    story = "\n".join(GameView(replay).story())
    assert "red +2 (red 10 to 12)" in story
    assert "draw from the harbor (Spirited Shaman (T) from the harbor to B's hand)" in story
    assert "look at B's hidden 1 (B's hidden 1 is Ghastly Granny (U))" in story


def test_a_seat_is_told_only_what_it_saw(replay: Replay) -> None:
    mine, theirs = GameView(replay, 1), GameView(replay, 0)
    assert mine.length == theirs.length == GameView(replay).length
    assert "Spirited Shaman (T) from the harbor to your hand" in "\n".join(mine.story())
    assert "Spirited Shaman (T) from the harbor" not in "\n".join(theirs.story())
    assert theirs.moves[2].text == "chooses face down"
    assert mine.moves[2].text == "hide Ghastly Granny"


def test_the_header_names_seats_result_and_reason(replay: Replay) -> None:
    header = GameView(replay).header("game 7 of x.db")
    assert header[0] == "Hidden Leaders, 3 players, seed 3, game 7 of x.db"
    assert header[1] == "A (greedy): Myrad"
    assert "A has 7 open heroes, which ends the game." in header
    assert header[-1] == "Winner after 129 decisions: B (random)"


def test_a_seats_header_keeps_seed_and_roles(replay: Replay) -> None:
    header = GameView(replay, 2).header()
    assert header[:4] == [
        "Hidden Leaders, 3 players",
        "A (greedy)",
        "B (random)",
        "C (random): Pavyr",
    ]


def test_the_turn_limit_is_flagged() -> None:
    stopped = play_game(["random", "random"], options={"rounds": 1}).replay
    end = GameView(stopped).result()
    assert end[0] == "The game was stopped by its turn limit after 2 turns, without a winner."
    assert end[-1].endswith(" (turn_limit)")
    assert GameView(stopped).header()[0].startswith("Hidden Leaders, 2 players, rounds 1, seed 1")


def test_a_fault_or_a_stop_is_the_reason(replay: Replay) -> None:
    half = Replay(replay.game, 3, replay.moves[:60], replay.options, replay.extra)
    shown = GameView(half)
    assert shown.result() == [f"The game was broken off after {shown.length} moves."]
    assert shown.header(fault="B stopped")[-1] == "B stopped"


def test_positions_lead_to_the_same_table(replay: Replay) -> None:
    shown = GameView(replay)
    for at in range(0, shown.length + 1, 9):
        posed = read_position(shown.rules, shown.position(at))
        (state,) = posed.worlds(1)
        assert state.key() == shown.state(at).key()


@pytest.mark.parametrize("seat", range(3))
def test_a_seats_position_names_what_it_knows(replay: Replay, seat: int) -> None:
    shown = GameView(replay, seat)
    for at in range(6, shown.length, 13):
        truth, text = GameView(replay).position(at), shown.position(at)
        read_position(shown.rules, text)
        own, other = "ABC"[seat], "ABC"[seat - 1]
        assert field(text, own) == field(truth, own)
        assert "leader ?" in field(text, other)


def field(position: str, seat: str) -> str:
    """What the position says about a seat."""
    return next(part for part in position.split("; ") if part.startswith(f"{seat} leader"))


def test_secrets_can_be_shown_too(secrets: Replay) -> None:
    shown, seat = GameView(secrets), GameView(secrets, 1)
    story = "\n".join(shown.story())
    assert "\nturn 1 of B: UN token in the centre" in story
    assert "B sees that D's token is Hippie" in story
    assert "you see that D's token is Hippie" in "\n".join(seat.story())
    assert "centre ?" in " ".join(seat.table(4).split())
    assert "centre CIA" in shown.position(4)
    assert "centre ?" in seat.position(4)


def test_seats_without_names_are_shown_by_letter() -> None:
    nameless = Replay("hidden-leaders", 2, ())
    assert GameView(nameless).narrator.who(1) == "B (?)"
    assert game("hidden-leaders").hit_turn_limit(nameless.new()) is False
