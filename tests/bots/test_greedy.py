"""The greedy bot: takes what is clearly best and uses only what its seat can see."""

import pytest

from bots.greedy import Greedy
from games.hidden_leaders.rules.constants import Move
from games.state import Rng
from tests.support.scenario import Scenario, given, markers, player
from tests.support.views import follow, seen
from tests.support.winning_positions import STORIES, Story


def chosen(game: Scenario, seat: int = 0, seed: int = 1) -> str:
    view = seen(game, seat)
    return view.text(Greedy(seat, Rng(seed)).choose(view))


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_it_wins_when_it_can(story: Story) -> None:
    position, texts = story
    for seed in range(10):
        game = position()
        view, bot = seen(game, 0), Greedy(0, Rng(seed))
        for text in texts:
            move = bot.choose(view)
            assert view.text(move) == text
            game.state.play(move)
            follow(view, game)


@pytest.mark.parametrize(("leader", "step"), [("Myrad", "green +2"), ("Xiadul", "red +2")])
def test_it_moves_the_marker_its_leader_wants(leader: str, step: str) -> None:
    game = given(
        markers(red=4, green=4),
        player(0, hand=["Rotting Orangutan"], leader=leader, open=["Grumpy Guard", "Ace Fighter"]),
        player(1),
    )
    game.choose("play Rotting Orangutan")
    assert chosen(game) == step


def test_it_buries_a_rival_not_itself() -> None:
    game = given(
        markers(red=7, green=4),
        player(0, hand=["Shaky Sharpshooter"], open=["Flailing Knight"], leader="Xiadul"),
        player(1, open=["Short-Sighted Soldier", "Ace Fighter"]),
    )
    game.choose("play Shaky Sharpshooter", "red +1")
    assert chosen(game) in ("bury Short-Sighted Soldier", "bury Ace Fighter")


def drawing(*tavern: str) -> Scenario:
    """Xiadul, with a hand of three, is to draw."""
    hand = ["Grumpy Guard", "Leery Lizard", "Crow Carrier"]
    game = given(player(0, hand=hand, leader="Xiadul"), player(1), tavern=tavern)
    game.choose("do nothing")
    return game


def test_it_draws_a_hero_of_its_own_factions() -> None:
    game = drawing("Keen Koi", "Ace Fighter", "Hairy Hermit")
    assert Move.TOP in game.state.moves()
    assert chosen(game) == "draw Ace Fighter"


Hidden = tuple[list[str], list[str], list[str], str]
"""The hand, the hidden heroes, the wilderness and the leader that seat 0 cannot see."""
SAME_VIEW: dict[str, list[Hidden]] = {
    "hands": [
        (["Keen Koi", "Hairy Hermit"], ["Ace Fighter"], ["Bored Goblin"], "Cyra"),
        (["Naughty Necromancer", "Grumpy Guard"], ["Ace Fighter"], ["Bored Goblin"], "Cyra"),
    ],
    "hidden heroes": [
        (["Keen Koi"], ["Ace Fighter", "Hairy Hermit"], ["Bored Goblin"], "Cyra"),
        (["Keen Koi"], ["Crow Carrier", "Leery Lizard"], ["Bored Goblin"], "Cyra"),
    ],
    "wilderness": [
        (["Keen Koi"], ["Ace Fighter"], ["Bored Goblin", "Hairy Hermit"], "Cyra"),
        (["Keen Koi"], ["Ace Fighter"], ["Miniature Merman", "Crow Carrier"], "Cyra"),
    ],
    "leaders": [
        (["Keen Koi"], ["Ace Fighter"], ["Bored Goblin"], leader)
        for leader in ("Cyra", "Pavyr", "Enned", "Xiadul")
    ],
}


@pytest.mark.parametrize("worlds", SAME_VIEW.values(), ids=SAME_VIEW)
@pytest.mark.parametrize(
    "hero",
    ["Curious Troll", "Slaughtered Slime", "Long-Eared Loner", "Joyless Chief", "Saltwater Sage"],
)
def test_worlds_that_look_the_same_get_the_same_answer(worlds: list[Hidden], hero: str) -> None:
    """Only what seat 0 cannot see differs, so its choices must not."""
    choices, keys = set(), set()
    for hand, hidden, wilderness, leader in worlds:
        game = given(
            markers(red=5, green=6),
            player(0, hand=[hero, "Depressed Druid"], hidden=["Furious Frog"], leader="Lemron"),
            player(1, hand=hand, hidden=hidden, open=["Flailing Knight"], leader=leader),
            wilderness=wilderness,
            tavern=["Aimless Eel", "Rotting Orangutan", "Canned Champion"],
        )
        view = seen(game, 0)
        keys.add(view.key())
        choices.add(tuple(view.text(Greedy(0, Rng(seed)).choose(view)) for seed in range(5)))
    assert len(keys) == 1
    assert len(choices) == 1


def test_positions_and_depth_bound_the_work() -> None:
    view = seen(STORIES["undead"][0](), 0)
    bot = Greedy(0, Rng(1))
    bot.depth = 1
    bot.positions = 1
    assert bot.choose(view) in view.moves
    assert bot._left <= 0


def test_choosing_does_not_change_the_view() -> None:
    view = seen(STORIES["tribes"][0](), 0)
    before = view.key()
    Greedy(0, Rng(1)).choose(view)
    assert view.key() == before


def test_ties_are_broken_by_the_bots_own_generator() -> None:
    view = seen(drawing("Ace Fighter", "Keen Koi", "Groggy Preacher"), 0)
    choices = [view.text(Greedy(0, Rng(seed)).choose(view)) for seed in range(20)]
    assert set(choices) == {"draw Ace Fighter", "draw Groggy Preacher"}
    assert choices == [view.text(Greedy(0, Rng(seed)).choose(view)) for seed in range(20)]


def test_it_does_not_end_a_game_it_would_lose() -> None:
    """R81: one more open hero ends the game, and green is far ahead."""
    game = given(
        markers(red=4, green=10),
        player(0, hand=["Underpaid Mercenary"], open=["Ace Fighter"], leader="Xiadul"),
        player(1),
        threshold=2,
    )
    assert chosen(game) != "play Underpaid Mercenary"
