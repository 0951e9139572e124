"""How abilities are resolved: order, compulsion, impossible parts, markers, deciders."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.card_language import Step
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event, Move
from games.state import UNSEEN
from tests.support.scenario import Scenario, given
from tests.support.stories import Story, stories

TEXT_FIRST = {
    *("Hangry Barbarian", "Saber-Toothed Troll", "Potato Privateer", "Heart-Bending Bard"),
    *("Nagging Northman", "Almost-Evil Scholar", "Angry Priestess", "Tentacle Oracle"),
    *("Double-Shielded Turtle", "Krill Keeper"),
}
OPTIONAL = {
    *("Curious Troll", "Watchful Witch", "Doubtful Priest", "Underestimated Squire"),
    *("Nagging Northman", "Angry Priestess", "Queer Quartermaster", "Mummy Mystic"),
    "Goblin Cryptographer",
}


def is_marker(step: Step) -> bool:
    return step.verb == "markers"


# ---- order and compulsion ---------------------------------------------------------------------


def test_r22_markers_come_first_except_on_ten_cards() -> None:
    """R22"""
    late = {hero.name for hero in HEROES if any(is_marker(step) for step in hero.steps[1:])}
    assert late == TEXT_FIRST
    for hero in HEROES:
        assert sum(is_marker(step) for step in hero.steps) <= 1


def test_r23_only_nine_cards_have_an_optional_part() -> None:
    """R23"""
    assert {hero.name for hero in HEROES if any(s.optional for s in hero.steps)} == OPTIONAL
    for hero in HEROES:
        assert not any(step.optional for step in hero.steps if is_marker(step))


@stories("""
R22, R29 the marker part is over before the text begins
given A hand Shaky Sharpshooter; B open Ace Fighter
when  play Shaky Sharpshooter; A: [red +1] / green -1; A: bury Ace Fighter
then  markers 5 4

R22 text that sets the amount comes first
given A hand Hangry Barbarian; tavern Ace Fighter, Keen Koi, Arrowgant Skeleton
when  play Hangry Barbarian
then  markers 2 4; tavern -, Keen Koi, -; wilderness Ace Fighter, Arrowgant Skeleton

R22 instructions are carried out in the order of the card
given A hand Battle Connoisseur; tavern Keen Koi, Ace Fighter
when  play Battle Connoisseur; place Ace Fighter hidden
then  markers 4 5; tavern -, -, -; A hidden Ace Fighter; wilderness Keen Koi

R23 what must be done offers no pass
given A hand Unconfident Executioner; B open Keen Koi
when  play Unconfident Executioner; A: bury Unconfident Executioner / bury Keen Koi
then  markers 3 3

R23 what may be done offers one, though the marker part of the same card is compulsory
given A hand Watchful Witch; B hidden Keen Koi
when  play Watchful Witch; A: [red -1] / green +1; A: look at B's hidden 1 / pass
then  markers 3 4

R24 what cannot be done is skipped and the rest is done: only the Northman itself is buried
given A hand Nightmarish Northman
when  play Nightmarish Northman; red +2; bury Nightmarish Northman
then  markers 6 4; A open -; graveyard Nightmarish Northman

R24 as many as possible: one hand card where two are wanted
given A hand Gambling Overseer, Keen Koi
when  play Gambling Overseer; place Keen Koi hidden
then  markers 3 3; A hidden Keen Koi; A hand -

R24 as many as possible: one buried card where two are wanted
given A hand Miniature Merman; graveyard Ace Fighter
when  play Miniature Merman; red -1; draw from the graveyard
then  markers 3 4; A hand Ace Fighter; graveyard -

R24 what refers to a skipped part is skipped too: nobody was robbed, so nobody moves the marker
given A hand Saber-Toothed Troll; B hidden Keen Koi
when  play Saber-Toothed Troll
then  -

R24 X of a skipped part is zero: an empty tavern leaves the Turtle without question and effect
given markers 6 6; A hand Double-Shielded Turtle
when  play Double-Shielded Turtle
then  -

R25 compulsion holds against oneself: the only open Undead is one's own
given A hand Aimless Eel; A open Arrowgant Skeleton; B hidden Rotting Orangutan
when  play Aimless Eel; red +1; A: [bury Arrowgant Skeleton]
then  markers 5 4; A open Aimless Eel; graveyard Arrowgant Skeleton

R26 a card is a target of its own ability, for it lies open already
given A hand Unconfident Executioner
when  play Unconfident Executioner; bury Unconfident Executioner
then  markers 3 3; A open -; graveyard Unconfident Executioner

R26, R58 a card does not perform itself
given A hand Ghastly Granny
when  play Ghastly Granny
then  -

R27 other players are not the performer
given A hand Spirited Shaman; A open Keen Koi; A hidden Leery Lizard
given B open Ace Fighter; B hidden Grumpy Guard; C hidden Bored Goblin
when  play Spirited Shaman
when  A: turn over Ace Fighter / turn over B's hidden 1 / turn over C's hidden 1
then  markers 3 3

R27 any player may be the performer
given A hand Krill Keeper; players 3
when  play Krill Keeper; A: pick A / pick B / pick C
then  -

R28 only players with an open hero can be picked
given A hand Gorgeous Gorgon; B hidden Keen Koi; C open Ace Fighter
when  play Gorgeous Gorgon; red +1; A: pick A / pick C
then  markers 5 4

R28 only players with a hand card can be picked
given A hand Resilient Rearguard, Leery Lizard; B open Keen Koi; C hand Ace Fighter
when  play Resilient Rearguard; red +1; A: pick C
then  markers 5 4

R28 without such a player the part is skipped
given A hand Resilient Rearguard, Keen Koi; players 3
when  play Resilient Rearguard; red +1
then  markers 5 4

R28 any player can be picked if only heroes are counted, even if X is 0: Potato Privateer
given markers 6 6; A hand Potato Privateer
when  play Potato Privateer; pick B
then  -

R28 any player can be picked if only heroes are counted, even if X is 0: Almost-Evil Scholar
given markers 6 6; A hand Almost-Evil Scholar
when  play Almost-Evil Scholar; pick B
then  -

R28 any player can be picked if only heroes are counted, even if X is 0: Krill Keeper
given markers 6 6; A hand Krill Keeper
when  play Krill Keeper; pick B
then  -

R29 choices are made when their part is reached, so the marker has moved before the exchange
given A hand Groggy Preacher; A open Keen Koi; tavern Ace Fighter, Grumpy Guard
when  play Groggy Preacher; green +1; exchange Ace Fighter; A: for Groggy Preacher / [for Keen Koi]
then  markers 4 5; tavern Keen Koi, Grumpy Guard, -; A open Ace Fighter, Groggy Preacher
""")
def test_order_and_compulsion(story: Story) -> None:
    story.check()


# ---- markers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "card", "after"),
    [
        pytest.param("2 1", "Depressed Druid", "1 1", id="R30 the left end"),
        pytest.param("11 11", "Underpaid Mercenary", "12 12", id="R30 the right end"),
        pytest.param("11 5", "Arrowgant Skeleton; red +2", "12 5", id="R30 one step is lost"),
        pytest.param("4 4", "Blind Eye Collector", "5 7", id="R31 and"),
        pytest.param("1 1", "Leery Lizard", "1 1", id="R32 no alternative moves anything"),
        pytest.param("7 5", "Keen Koi", "6 6", id="R33 red leads"),
        pytest.param("3 9", "Keen Koi", "4 8", id="R33 green leads"),
        pytest.param("5 5", "Keen Koi", "5 5", id="R33 nobody leads: Keen Koi"),
        pytest.param("5 5", "Drowned Deserter", "5 5", id="R33 nobody leads: Drowned Deserter"),
        pytest.param("5 5", "Triple Sword Lizard", "5 5", id="R33 nobody leads: Sword Lizard"),
        pytest.param("5 4", "Keen Koi", "4 5", id="R34 red is passed by green"),
        pytest.param("4 5", "Keen Koi", "5 4", id="R34 green is passed by red"),
        pytest.param("12 12", "Naughty Necromancer", "12 12", id="R34 both at the end"),
    ],
)
def test_where_markers_go(before: str, card: str, after: str) -> None:
    """Surplus steps are lost (R30), and roles are fixed before either marker moves (R34)."""
    name, *answers = card.split("; ")
    game = given(f"markers {before}; A hand {name}")
    game.play(name, *answers)
    assert f"{game.red} {game.green}" == after


@pytest.mark.parametrize(
    ("spaces", "name", "options"),
    [
        pytest.param("4 4", "Rotting Orangutan", "red +2 / green +2", id="R30 no shorter move"),
        pytest.param("4 4", "Leery Lizard", "red -1 / green -2", id="R31 or"),
        pytest.param(
            "4 4", "Furious Frog", "red -2 / green -2 / red -2, green -2", id="R31 or both"
        ),
        pytest.param("1 4", "Leery Lizard", "green -2", id="R32 red cannot move left"),
        pytest.param("12 4", "Rotting Orangutan", "green +2", id="R32 red cannot move right"),
        pytest.param("1 4", "Furious Frog", "green -2", id="R32 both means green"),
        pytest.param("6 2", "Triple Sword Lizard", "red -1 / red -2", id="R32 two outcomes"),
        pytest.param("2 1", "Triple Sword Lizard", "red -1", id="R32 two ways to one outcome"),
        pytest.param("1 3", "Hairy Hermit", "", id="R32 one way that moves nothing"),
        pytest.param("1 1", "Furious Frog", "", id="R32 nothing is asked at the left end"),
        pytest.param("12 12", "Arrowgant Skeleton", "", id="R32 nothing is asked at the right end"),
        pytest.param("7 5", "Drowned Deserter", "red -1 / green +2", id="R33 red leads"),
        pytest.param("5 7", "Drowned Deserter", "green -1 / red +2", id="R33 green leads"),
        pytest.param("5 5", "Hairy Hermit", "red -1", id="R33 a tie removes the longer move"),
        pytest.param("6 5", "Hairy Hermit", "red -1 / red -2", id="R33 Hermit with red ahead"),
        pytest.param("5 6", "Hairy Hermit", "red -1", id="R33 Hermit with green ahead"),
        pytest.param("5 6", "Ace Fighter", "red +1 / red +2", id="R33 Fighter with green ahead"),
        pytest.param("6 5", "Ace Fighter", "red +1", id="R33 Fighter with red ahead"),
    ],
)
def test_what_a_marker_part_offers(spaces: str, name: str, options: str) -> None:
    """Alternatives that move nothing or lead to the same outcome are not offered (R32)."""
    game = given(f"markers {spaces}; A hand {name}; harbor -")
    game.choose(f"play {name}")
    assert (" / ".join(game.options()) if game.turn == 0 else "") == options


@stories("""
R32, R36 a deciding opponent cannot choose what moves nothing: red is at the right end
given markers 12 4; A hand Doubtful Priest
when  play Doubtful Priest; B: red -2
then  -

R32, R36 a deciding opponent cannot choose what moves nothing: green is at the left end
given markers 4 1; A hand Saber-Toothed Troll; B open Keen Koi
when  play Saber-Toothed Troll; take Keen Koi; B: green +2
then  A hand Keen Koi; B open -

R33 the test is made when the part is reached: a performed Keen Koi looks at the markers then
given markers 5 4; A hand Insidious Impaler; tavern Keen Koi
when  play Insidious Impaler; perform Keen Koi
then  markers 4 5; tavern -, -, -; graveyard Keen Koi

R35 X is one: the Emperor
given markers 8 8; A hand Krill Keeper; B open Emperor
when  play Krill Keeper; pick B
then  markers 7 7

R35 X is two
given markers 8 8; A hand Krill Keeper; B open Crow Carrier, Emperor
when  play Krill Keeper; pick B
then  markers 6 6

R35 X is three
given markers 8 8; A hand Krill Keeper; B open Rotting Orangutan, Crow Carrier, Emperor
when  play Krill Keeper; pick B
then  markers 5 5

R35 X is capped at three, though four Undead are counted
given markers 8 8; A hand Krill Keeper
given B open Arrowgant Skeleton, Rotting Orangutan, Crow Carrier, Emperor
when  play Krill Keeper; pick B
then  markers 5 5

R35 X is counted when the part is reached: the cards discarded by the same card
given markers 8 8; A hand Double-Shielded Turtle; tavern Keen Koi, Ace Fighter, Leery Lizard
when  play Double-Shielded Turtle; name Water; A: red -2 / green -2 / red -2, green -2
then  tavern -, Ace Fighter, -; wilderness Keen Koi, Leery Lizard

R36 the next player decides for the Priest
given B hand Doubtful Priest; players 3; turn B
when  play Doubtful Priest; C: red +2 / red -2
then  -

R36 the robbed player decides for the Troll
given A hand Saber-Toothed Troll; C open Keen Koi
when  play Saber-Toothed Troll; take Keen Koi; C: green +2 / green -2
then  A hand Keen Koi; C open -

R36 the player picked decides for the Amazon
given A hand Overworked Amazon; B open Keen Koi, Ace Fighter
when  play Overworked Amazon; red +1; pick B; B: bury Ace Fighter / bury Keen Koi
then  markers 5 4

R37 tavern cards go in slot order, so that the last slot ends up on top
given A hand Resurrected Ram; tavern Keen Koi, Ace Fighter, Grumpy Guard
when  play Resurrected Ram; red +1
then  markers 5 4; tavern -, -, -; wilderness Keen Koi, Ace Fighter, Grumpy Guard

R37 cards of one hand go in the order chosen
given A hand Keen Koi, Ace Fighter, Grumpy Guard
when  discard Grumpy Guard; discard Keen Koi; discard Ace Fighter
then  A hand -; wilderness Grumpy Guard, Keen Koi, Ace Fighter

R37 several players discard in turn order
given A hand Ace Fighter; B hand Will-Bending Witch; C hand Keen Koi; D hand Grumpy Guard; turn B
when  play Will-Bending Witch; red +1; discard Keen Koi; discard Grumpy Guard; discard Ace Fighter
then  markers 5 4; A hand -; C hand -; D hand -; wilderness Keen Koi, Grumpy Guard, Ace Fighter

R39 with an empty hand there is nothing to hide: the Priest's second part asks nothing
given A hand Doubtful Priest
when  play Doubtful Priest; red +2
then  markers 6 4
""")
def test_deciders_amounts_and_the_order_of_discards(story: Story) -> None:
    story.check()


# ---- secrecy of choices -----------------------------------------------------------------------


def chosen(game: Scenario, seat: int) -> list[int]:
    """All moves as the seat observed them."""
    return [event[2] for event in game.events(seat) if event[0] == Event.CHOSE]


def test_r38_open_choices_are_public() -> None:
    """R38: marker option, player, faction, target, pass."""
    game = given("A hand Androgynous Assassin; B hidden Keen Koi; players 3")
    game.play("Androgynous Assassin", "green +1", "name Undead", "expose B's hidden 1")
    assert chosen(game, 0) == chosen(game, 1) == chosen(game, 2)
    game = given("A hand Watchful Witch; B hidden Keen Koi; players 3")
    game.play("Watchful Witch", "red -1", "pass")
    assert chosen(game, 2)[-1] == Move.PASS
    game = given("A hand Krill Keeper; players 3")
    game.play("Krill Keeper", "pick C")
    assert chosen(game, 0) == chosen(game, 2)


def test_r38_choices_among_face_down_cards_are_secret() -> None:
    """R38: which card was placed, discarded or given up in secret."""
    game = given(
        "A hand Friendly Frogmage, Keen Koi, Ace Fighter; B hand Grumpy Guard, Bored Goblin",
        players=3,
    )
    game.play("Friendly Frogmage", "place Keen Koi hidden")
    assert UNSEEN not in chosen(game, 0)
    assert chosen(game, 1)[-1] == UNSEEN
    game.end_turn()
    game.events(0), game.events(1), game.events(2)
    game.choose("discard Grumpy Guard", "stop discarding")
    assert UNSEEN not in chosen(game, 1)
    assert chosen(game, 2) == [UNSEEN, Move.PASS]
    game = given("A hand Will-Bending Witch; B hand Keen Koi; C hand Ace Fighter")
    game.play("Will-Bending Witch", "red +1", "discard Keen Koi", "discard Ace Fighter")
    assert [move == UNSEEN for move in chosen(game, 0)] == [False, False, True, True]
    assert [move == UNSEEN for move in chosen(game, 1)] == [False, False, False, True]


@pytest.mark.parametrize("other", ["Keen Koi", "Ace Fighter", "Emperor"])
def test_r39_passing_looks_the_same_with_and_without_a_card_to_play(other: str) -> None:
    """R39: an Empire card or the Emperor cannot follow the Priest, but the question is asked."""

    def story(card: str) -> Scenario:
        game = given(f"A hand Doubtful Priest, {card}; players 3; harbor Bored Goblin")
        game.choose("play Doubtful Priest", "red +2")
        assert game.actor == 0
        assert "pass" in game.options()
        game.choose("pass")
        return game

    assert story(other).events(2) == story("Leery Lizard").events(2)
