"""The verbs of the cards: each means the same on every card."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.constants import Event
from games.state import CHANCE
from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import given
from tests.support.stories import Story, stories


@stories("""
R40 burying puts a hero on top of the graveyard
given A hand Unconfident Executioner; B open Keen Koi; graveyard Emperor, Ace Fighter
when  play Unconfident Executioner; bury Keen Koi
then  markers 3 3; B open -; graveyard Buried Emperor, Ace Fighter, Keen Koi

R40 a card may bury from another place: Insidious Impaler buries a tavern card
given A hand Insidious Impaler; tavern Flailing Knight
when  play Insidious Impaler; perform Flailing Knight
then  markers 3 1; tavern -, -, -; graveyard Flailing Knight

R41 discarding puts a card on top of the wilderness, from a hand
given A hand Keen Koi; wilderness Bored Goblin
when  discard Keen Koi
then  A hand -; wilderness Bored Goblin, Keen Koi

R41 discarding puts a card on top of the wilderness, from a party
given A hand Vegetarian Sharkguard; B open Keen Koi; wilderness Bored Goblin
when  play Vegetarian Sharkguard; red +2; discard Keen Koi
then  markers 6 4; B open -; wilderness Bored Goblin, Keen Koi

R41 discarding puts a card on top of the wilderness, from the tavern
given A hand Angry Priestess; tavern Crow Carrier; wilderness Bored Goblin
when  play Angry Priestess; discard Crow Carrier
then  markers 4 2; tavern -, -, -; wilderness Bored Goblin, Crow Carrier

R41 discarding puts a card on top of the wilderness, from the graveyard
given A hand Crow Carrier; graveyard Keen Koi, Ace Fighter
when  play Crow Carrier; place Ace Fighter hidden
then  markers 3 3; A hidden Ace Fighter; graveyard -; wilderness Keen Koi

R42 an exchange keeps slot and orientation and resolves nothing: only the Wizard's markers move
given A hand Half-Headed Wizard; B open Keen Koi, Grumpy Guard
given tavern Bored Goblin, Underpaid Mercenary, Leery Lizard
when  play Half-Headed Wizard; exchange Underpaid Mercenary; for Keen Koi
then  markers 5 5; tavern Bored Goblin, Keen Koi, Leery Lizard
then  B open Grumpy Guard, Underpaid Mercenary

R42, R66 hidden heroes keep their index
given A hand Underestimated Squire, Keen Koi; A hidden Ace Fighter, Bored Goblin
when  play Underestimated Squire; exchange A's hidden 1; for Keen Koi
then  markers 3 3; A hidden Keen Koi, Bored Goblin; A hand Ace Fighter

R42 a hero exchanged with the graveyard becomes its top card
given A hand Mummy Mystic; A open Keen Koi; graveyard Emperor, Ace Fighter
when  play Mummy Mystic; exchange Keen Koi
then  markers 5 6; graveyard Buried Emperor, Keen Koi; A open Ace Fighter, Mummy Mystic

R42 there is no exchange without a tavern card
given A hand Groggy Preacher; A open Keen Koi
when  play Groggy Preacher; red +1
then  markers 5 4

R42 there is no exchange without another party's hero
given A hand Half-Headed Wizard; tavern Keen Koi
when  play Half-Headed Wizard
then  markers 5 5

R42 there is no exchange without a hand card
given A hand Underestimated Squire; A hidden Keen Koi
when  play Underestimated Squire
then  markers 3 3

R42 there is no exchange without a hidden hero
given A hand Underestimated Squire, Keen Koi
when  play Underestimated Squire
then  markers 3 3

R42 there is no exchange without another player's hidden hero
given A hand Careless Cartographer; A hidden Keen Koi
when  play Careless Cartographer; red +1
then  markers 5 4

R42 there is no exchange without a graveyard
given A hand Mummy Mystic
when  play Mummy Mystic
then  markers 5 6

R43 placing open resolves nothing
given A hand Hopeful Salamander; tavern Underpaid Mercenary
when  play Hopeful Salamander; place Underpaid Mercenary open
then  markers 5 5; tavern -, -, -; A open Hopeful Salamander, Underpaid Mercenary

R43 placing hidden resolves nothing
given A hand Well-Aged Warrior, Underpaid Mercenary
when  play Well-Aged Warrior; place Underpaid Mercenary hidden
then  markers 5 5; A hidden Underpaid Mercenary; A hand -

R44 drawing takes the top of the wilderness, one after the other
given A hand Miniature Merman; wilderness Ace Fighter, Bored Goblin, Keen Koi
when  play Miniature Merman; red -1; draw from the wilderness
then  markers 3 4; A hand Bored Goblin, Keen Koi; wilderness Ace Fighter

R44 drawing takes the top of the graveyard, one after the other
given A hand Miniature Merman; graveyard Ace Fighter, Bored Goblin, Keen Koi
when  play Miniature Merman; red -1; draw from the graveyard
then  markers 3 4; A hand Bored Goblin, Keen Koi; graveyard Ace Fighter

R44 only the harbor is reformed: Joyless Chief takes what is there
given A hand Joyless Chief; wilderness Keen Koi
when  play Joyless Chief; place Keen Koi hidden
then  markers 5 4; A hidden Keen Koi; wilderness -

R44 only the harbor is reformed: Crow Carrier takes nothing from an empty graveyard
given A hand Crow Carrier; wilderness Keen Koi
when  play Crow Carrier
then  markers 3 3

R44 only the harbor is reformed: Miniature Merman draws nothing from empty piles
given A hand Miniature Merman
when  play Miniature Merman; red -1
then  markers 3 4

R45 taking is a choice: any graveyard card
given A hand Wrapped Warrior; graveyard Keen Koi, Ace Fighter
when  play Wrapped Warrior; red +1; A: take Ace Fighter / take Keen Koi
then  markers 5 4

R45 taking is a choice: any open hero of another player
given A hand Saber-Toothed Troll; A open Bored Goblin; B open Keen Koi
given C open Ace Fighter; C hidden Grumpy Guard
when  play Saber-Toothed Troll; A: take Ace Fighter / take Keen Koi
then  -

R46 a random open hero is one of three, and hidden heroes do not count
given A hand Gorgeous Gorgon; B open Keen Koi, Ace Fighter, Bored Goblin; B hidden Grumpy Guard
when  play Gorgeous Gorgon; red +1; pick B; chance Ace Fighter
then  markers 5 4; B open Bored Goblin, Keen Koi; graveyard Ace Fighter

R47 turning over stays in the party, newest last
given A hand Long-Eared Loner; B open Keen Koi, Ace Fighter; B hidden Bored Goblin, Grumpy Guard
when  play Long-Eared Loner; turn over Keen Koi
then  markers 4 5; B open Ace Fighter; B hidden Bored Goblin, Grumpy Guard, Keen Koi

R47, R67 nothing is resolved when a hero is turned face up
given A hand Long-Eared Loner; B hidden Underpaid Mercenary
when  play Long-Eared Loner; turn over B's hidden 1
then  markers 4 5; B open Underpaid Mercenary; B hidden -

R47 unless the text says perform: Saltwater Sage does
given A hand Saltwater Sage; A hidden Underpaid Mercenary
when  play Saltwater Sage; turn over A's hidden 1
then  markers 7 5; A open Saltwater Sage, Underpaid Mercenary; A hidden -

R48, R104 of the cards looked at in the wilderness the one not placed lies on top again
given A hand Joyless Chief; wilderness Bored Goblin, Keen Koi, Ace Fighter
when  play Joyless Chief; place Ace Fighter hidden
then  markers 5 4; A hidden Ace Fighter; wilderness Bored Goblin, Keen Koi

R52 a card kept joins the hand
given A hand Deep Sea Squire, Bored Goblin
when  play Deep Sea Squire; red +1; draws Keen Koi, Ace Fighter; place Ace Fighter hidden
then  markers 5 4; A hidden Ace Fighter; A hand Bored Goblin, Keen Koi

R53 another card is played open and resolved fully
given A hand Doubtful Priest, Blind Eye Collector, Keen Koi
when  play Doubtful Priest; red +2; play Blind Eye Collector
then  markers 7 7

R53 discarding instead is not possible
given A hand Doubtful Priest, Blind Eye Collector
when  play Doubtful Priest; red -2; A: play Blind Eye Collector / pass
then  markers 2 4
""")
def test_verb(story: Story) -> None:
    story.check()


@pytest.mark.parametrize(
    ("table", "script"),
    [
        (
            "A hand Resilient Rearguard; B hand Keen Koi, Ace Fighter, Bored Goblin",
            ["play Resilient Rearguard", "red +1", "pick B"],
        ),
        (
            "A hand Gorgeous Gorgon; B open Keen Koi, Ace Fighter, Bored Goblin",
            ["play Gorgeous Gorgon", "red +1", "pick B"],
        ),
    ],
    ids=["a hand", "a party"],
)
def test_r46_at_random_every_candidate_is_equally_likely(table: str, script: list[str]) -> None:
    """R46"""
    game = given(table)
    game.choose(*script)
    assert game.actor == CHANCE
    assert len(game.options()) == 3
    assert game.state.weights() == [1, 1, 1]


def test_r40_a_hidden_hero_becomes_known_when_buried() -> None:
    """R40"""
    game = given("A hand Slaughtered Slime; B hidden Keen Koi; players 3")
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 1")
    assert game.graveyard == ["Keen Koi"]
    assert perceived_by_all(game) == ["Keen Koi: B's hidden 1 to graveyard"]


def test_r48_everybody_sees_which_card_is_looked_at_only_the_looker_sees_it() -> None:
    """R48"""
    game = given("A hand Curious Troll; B hidden Keen Koi, Ace Fighter; players 3")
    game.play("Curious Troll", "red +1", "look at B's hidden 2", "pass")
    assert game.hidden(1) == ["Keen Koi", "Ace Fighter"]
    assert perceived(game, 0) == ["Ace Fighter: seen in B's hidden 2"]
    assert perceived(game, 2) == ["?: seen in B's hidden 2"]


def test_r49_a_revealed_card_is_shown_to_everybody_and_put_back() -> None:
    """R49"""
    game = given(
        "markers 6 6; A hand Tentacle Oracle; wilderness Bored Goblin, Keen Koi; players 3"
    )
    game.play("Tentacle Oracle")
    assert game.wilderness == ["Bored Goblin", "Keen Koi"]
    assert perceived_by_all(game) == ["Keen Koi: seen in wilderness 2"]


def test_r50_picking_a_player_is_public() -> None:
    """R50, R38"""
    game = given("A hand Potato Privateer; players 3")
    game.play("Potato Privateer", "pick C")
    picked = [event for event in game.events(0) if event[0] == Event.CHOSE]
    assert picked == [event for event in game.events(1) if event[0] == Event.CHOSE]


@pytest.mark.parametrize("name", ["Undead", "Water", "Empire", "Tribes"])
def test_r51_any_of_the_four_factions_may_be_named_before_the_card_is_chosen(name: str) -> None:
    """R51"""
    game = given("A hand Androgynous Assassin; B hidden Keen Koi")
    game.choose("play Androgynous Assassin", "red -1")
    game.choose("name Undead / name Water / name Empire / name Tribes")
    game.choose(f"name {name}", "expose B's hidden 1")
    assert game.graveyard == (["Keen Koi"] if name == "Water" else [])
    assert game.open(1) == ([] if name == "Water" else ["Keen Koi"])
