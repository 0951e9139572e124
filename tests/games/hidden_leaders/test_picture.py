"""The table of Hidden Leaders as data: what the track says."""

from games.hidden_leaders.picture import table_picture
from games.registry import game
from games.state import NOBODY, Rng


def test_the_track_says_who_would_win_and_at_the_end_who_has_won() -> None:
    rules, rng = game("hidden-leaders"), Rng(3)
    state = rules.new(3)
    assert "would win now: " in table_picture(state)["tracks"][0]["says"]
    while state.actor != NOBODY:
        if state.actor < NOBODY:
            state.sample_chance(rng)
        else:
            state.play(rng.choice(state.moves()))
    says = table_picture(state)["tracks"][0]["says"]
    assert says.startswith(f"{rules.verdict(state)} has won: ")
