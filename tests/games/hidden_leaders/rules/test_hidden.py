"""Hidden heroes: every player has an ordered row of them, face down."""

from __future__ import annotations

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event, Zone
from games.state import UNSEEN
from tests.support.dealing import TAVERN, Watchers, dealt, names
from tests.support.scenario import draws, given
from tests.support.stories import Story, stories

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


@stories("""
R65 hidden heroes are pointed at by their place, the order of arrival
given A hand Slaughtered Slime; B hidden Keen Koi, Ace Fighter
when  play Slaughtered Slime; red -1; A: bury B's hidden 1 / bury B's hidden 2
then  markers 3 4

R66 a card placed hidden is the newest
given A hand Lethargic Leech, Hairy Hermit; A hidden Keen Koi
when  play Lethargic Leech; red -1; place Hairy Hermit hidden
then  markers 3 4; A hidden Keen Koi, Hairy Hermit; A hand -

R66 when one leaves, later ones move down
given A hand Slaughtered Slime; B hidden Keen Koi, Ace Fighter, Grumpy Guard
when  play Slaughtered Slime; red -1; bury B's hidden 2
then  markers 3 4; B hidden Keen Koi, Grumpy Guard; graveyard Ace Fighter

R66, R42 an exchange keeps both indices
given A hand Careless Cartographer; A hidden Keen Koi, Ace Fighter
given B hidden Grumpy Guard, Hairy Hermit, Crow Carrier
when  play Careless Cartographer; red +1; exchange B's hidden 2; for A's hidden 1
then  markers 5 4; A hidden Hairy Hermit, Ace Fighter; B hidden Grumpy Guard, Keen Koi, Crow Carrier

R67 being turned face up by Shaman triggers nothing: the Druid would take three from red
given markers 5 5; A hand Spirited Shaman; B hidden Depressed Druid
when  play Spirited Shaman; turn over B's hidden 1
then  markers 4 4; B hidden -; B open Depressed Druid

R67 being turned face up by Blowfish triggers nothing
given markers 5 5; A hand Bludgeoning Blowfish; B hidden Depressed Druid
when  play Bludgeoning Blowfish; red +1; turn one face up; turn over B's hidden 1
then  markers 6 5; B hidden -; B open Depressed Druid

R67 being turned face up by a failed guess triggers nothing
given markers 5 5; A hand Androgynous Assassin; B hidden Depressed Druid
when  play Androgynous Assassin; red -1; name Undead; expose B's hidden 1
then  markers 4 5; B hidden -; B open Depressed Druid

R69, R66 a card placed by chance leaves the others in order
given A hand Curious Cat Lover; A hidden Keen Koi, Ace Fighter; B hand Crow Carrier, Mummy Mystic
when  play Curious Cat Lover; pick B; chance Mummy Mystic
then  markers 5 4; A hidden Keen Koi, Ace Fighter, Mummy Mystic; B hand Crow Carrier
""")
def test_hidden_row(story: Story) -> None:
    story.check()


def test_r65_no_move_reorders_ones_hidden_heroes() -> None:
    """R65: nothing a player can do in a turn changes the order."""
    game = given("A hand Bored Goblin; A hidden Keen Koi, Ace Fighter")
    game.choose("A: [play Bored Goblin] / discard Bored Goblin / do nothing")
    game.end_turn()
    assert game.hidden(0) == ["Keen Koi", "Ace Fighter"]


def test_r69_no_hero_shuffles_a_hidden_row() -> None:
    """R69: five abilities involve chance, and none of them reorders hidden heroes."""
    random = {
        hero.name
        for hero in HEROES
        if any(s.verb.startswith("random") or s.place == "harbor" for s in hero.steps)
    }
    assert random == {
        *("Curious Cat Lover", "Resilient Rearguard", "Gorgeous Gorgon", "Pessimistic Whaleman"),
        "Deep Sea Squire",
    }


def test_r66_everybody_sees_where_a_card_was_placed() -> None:
    """R66, R92: the newest place, but not which card."""
    game = given("A hand Deep Sea Squire; A hidden Hairy Hermit; players 3")
    drawn = draws("Keen Koi", "Ace Fighter")
    game.play("Deep Sea Squire", "red +1", drawn, "place Keen Koi hidden")
    placed = [e for e in game.events(2) if e[0] == Event.MOVED and e[3] == Zone.HIDDEN]
    assert [event[5] for event in placed] == [UNSEEN]
