"""Hidden heroes: every player has an ordered row of them, face down."""

from __future__ import annotations

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.text.moves import find_card
from games.state import CHANCE, UNSEEN
from tests.support.dealing import TAVERN, Watchers, dealt, names
from tests.support.scenario import draws, given, markers, player

A = ["Keen Koi", "Ace Fighter", "Friendly Frogmage", "Grumpy Guard", "Hairy Hermit"]
B = ["Flailing Knight", "Depressed Druid", "Crow Carrier", "Mummy Mystic", "Drowned Deserter"]


def test_r65_everybody_sees_how_many_there_are_only_the_owner_which() -> None:
    """R65"""
    game = dealt(A, B, tavern=TAVERN)
    views = Watchers(game.state)
    game.play("Friendly Frogmage", "place Grumpy Guard hidden")
    assert names(views[0].hidden(0)) == ["Keen Koi", "Grumpy Guard"]
    assert names(views[1].hidden(0)) == ["?", "?"]
    assert names(views[1].hidden(1)) == ["Flailing Knight"]


def test_r65_hidden_heroes_are_pointed_at_by_their_place() -> None:
    """R65: the order of arrival is what others can name them by."""
    game = given(
        player(0, hand=["Slaughtered Slime"]), player(1, hidden=["Keen Koi", "Ace Fighter"])
    )
    game.choose("play Slaughtered Slime", "red -1")
    assert game.options() == ["bury B's hidden 1", "bury B's hidden 2"]


def test_r65_no_move_reorders_ones_hidden_heroes() -> None:
    """R65: nothing a player can do in a turn changes the order."""
    game = given(player(0, hand=["Bored Goblin"], hidden=["Keen Koi", "Ace Fighter"]))
    assert sorted(game.options()) == ["discard Bored Goblin", "do nothing", "play Bored Goblin"]
    game.play("Bored Goblin")
    game.end_turn()
    assert game.hidden(0) == ["Keen Koi", "Ace Fighter"]


def test_r66_a_card_placed_hidden_is_the_newest() -> None:
    """R66"""
    game = given(player(0, hand=["Lethargic Leech", "Hairy Hermit"], hidden=["Keen Koi"]))
    game.play("Lethargic Leech", "red -1", "place Hairy Hermit hidden")
    assert game.hidden(0) == ["Keen Koi", "Hairy Hermit"]


def test_r66_when_one_leaves_later_ones_move_down() -> None:
    """R66"""
    game = given(
        player(0, hand=["Slaughtered Slime"]),
        player(1, hidden=["Keen Koi", "Ace Fighter", "Grumpy Guard"]),
    )
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 2")
    assert game.hidden(1) == ["Keen Koi", "Grumpy Guard"]


def test_r66_an_exchange_keeps_both_indices() -> None:
    """R66, R42"""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=["Keen Koi", "Ace Fighter"]),
        player(1, hidden=["Grumpy Guard", "Hairy Hermit", "Crow Carrier"]),
    )
    game.play("Careless Cartographer", "red +1", "exchange B's hidden 2", "for A's hidden 1")
    assert game.hidden(0) == ["Hairy Hermit", "Ace Fighter"]
    assert game.hidden(1) == ["Grumpy Guard", "Keen Koi", "Crow Carrier"]


def test_r67_being_turned_face_up_triggers_nothing() -> None:
    """R67: by Shaman, Blowfish or a failed guess."""
    stories = {
        "Spirited Shaman": ["turn over B's hidden 1"],
        "Bludgeoning Blowfish": ["red +1", "turn one face up", "turn over B's hidden 1"],
        "Androgynous Assassin": ["red -1", "name Undead", "expose B's hidden 1"],
    }
    for name, script in stories.items():
        game = given(
            markers(red=5, green=5), player(0, hand=[name]), player(1, hidden=["Depressed Druid"])
        )
        game.play(name, *script)
        assert game.open(1) == ["Depressed Druid"]
        assert game.red >= 4, "the Druid would have taken three from red"


def test_r68_hidden_heroes_do_not_count_for_the_threshold() -> None:
    """R68: only three of these six are open."""
    heroes = ["Keen Koi", "Ace Fighter", "Grumpy Guard", "Hairy Hermit", "Crow Carrier"]
    game = given(player(0, open=heroes[:2], hidden=heroes[2:]), threshold=3)
    game.end_turn()
    assert not game.over
    game = given(player(0, open=heroes[:3], hidden=heroes[3:]), threshold=3)
    game.end_turn()
    assert game.over


def test_r68_but_they_count_for_the_tie_breaks() -> None:
    """R68, R87: two hidden Water heroes beat one open."""
    game = given(
        player(0, open=["Keen Koi"], leader="Enned"),
        player(1, hidden=["Leery Lizard", "Furious Frog"], leader="Lemron"),
        threshold=1,
    )
    game.end_turn()
    assert game.winner == 1


def test_r69_no_hero_shuffles_a_hidden_row() -> None:
    """R69: five abilities involve chance, and none of them reorders hidden heroes."""
    random = [
        hero.name
        for hero in HEROES
        if any(s.verb.startswith("random") or s.place == "harbor" for s in hero.steps)
    ]
    assert random == [
        "Curious Cat Lover",
        "Resilient Rearguard",
        "Gorgeous Gorgon",
        "Pessimistic Whaleman",
        "Deep Sea Squire",
    ]


def test_r69_a_card_placed_by_chance_leaves_the_others_in_order() -> None:
    """R69, R66"""
    game = given(
        player(0, hand=["Curious Cat Lover"], hidden=["Keen Koi", "Ace Fighter"]),
        player(1, hand=["Crow Carrier", "Mummy Mystic"]),
    )
    game.choose("play Curious Cat Lover", "pick B")
    assert game.actor == CHANCE
    game.state.play(find_card("Mummy Mystic"))
    assert game.hidden(0) == ["Keen Koi", "Ace Fighter", "Mummy Mystic"]


def test_r66_everybody_sees_where_a_card_was_placed() -> None:
    """R66, R92: the newest place, but not which card."""
    game = given(player(0, hand=["Deep Sea Squire"], hidden=["Hairy Hermit"]), players=3)
    game.play(
        "Deep Sea Squire", "red +1", draws("Keen Koi", "Ace Fighter"), "place Keen Koi hidden"
    )
    placed = [e for e in game.events(2) if e[0] == Event.MOVED and e[3] == Zone.HIDDEN]
    assert [event[5] for event in placed] == [UNSEEN]
