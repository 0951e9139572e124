"""What counts as exact: certain wins, and turns that surely end the game, without others' say."""

from arena.match.game_view import GameView
from arena.review.proven_values import Proven, proven_by_view, proven_with_open_cards
from games.state import State
from tests.support.reviewed_games import CERTAIN_WIN, RULES, game_from

B_DECIDES = (
    "threshold 3; red 10; green 10; A leader {} hand DoPr SaTr open ArSk BoGo; "
    "B leader Xiadul open DeDr ShSo"
)
"""Both cards of A end the game and let B decide which faction wins."""


def at(position: str) -> tuple[State, GameView]:
    shown = GameView(game_from(position, finish=False))
    return shown.state(0), shown


def named(state: State, proven: dict[int, Proven]) -> dict[str, Proven]:
    return {RULES.text.move(state, move): value for move, value in proven.items()}


def test_a_certain_win_is_exact_and_a_game_that_goes_on_is_not() -> None:
    state, shown = at(CERTAIN_WIN)
    seen = named(state, proven_by_view(RULES, shown.view(0, 0), 5000))
    assert seen == named(state, proven_with_open_cards(state, 5000))
    assert seen["play Short-Sighted Soldier"] == Proven(1.0, exact=True)
    assert seen["do nothing"] == Proven(0.0, exact=False)


def test_a_choice_of_another_player_is_not_exact() -> None:
    """The solver assumes the worst of B, who need not do it."""
    state, shown = at(B_DECIDES.format("Enned"))
    seen = proven_by_view(RULES, shown.view(0, 0), 5000)
    for proven in (seen, proven_with_open_cards(state, 5000)):
        plays = [value for text, value in named(state, proven).items() if text.startswith("play")]
        assert plays == [Proven(0.0, exact=False)] * 2


def test_a_choice_of_another_player_that_changes_nothing_is_exact() -> None:
    state, _ = at(B_DECIDES.format("Lemron"))
    proven = named(state, proven_with_open_cards(state, 5000))
    assert proven["play Saber-Toothed Troll"] == Proven(0.0, exact=True)
    assert proven["play Doubtful Priest"] == Proven(0.0, exact=False)


def test_without_positions_to_visit_nothing_is_exact() -> None:
    state, _ = at(CERTAIN_WIN)
    assert not any(value.exact for value in proven_with_open_cards(state, 0).values())


def test_nothing_is_proven_in_a_turn_that_cannot_end_the_game() -> None:
    _, shown = at("players 3; A leader Myrad hand ShSo UnMe; B leader Lemron; C leader Pavyr")
    assert proven_by_view(RULES, shown.view(0, 0), 5000) == {}
