"""The four steps of a turn, and what happens when cards run out."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game as named_game
from games.state import CHANCE, Rng
from tests.support.playing import random_move
from tests.support.scenario import BadScenario, Scenario, draws, given
from tests.support.stories import Story, stories

THREE = "Furious Frog, Leery Lizard, Arrowgant Skeleton"


def reshuffles(game: Scenario, seat: int = 0) -> int:
    """How often the wilderness became the harbor since the last call."""
    return [event[0] for event in game.events(seat)].count(Event.RESHUFFLED)


@stories(f"""
R8 action, draw, discard, refill, then the next player
given A hand {THREE}; tavern Keen Koi, Ace Fighter; players 3
when  do nothing; A: draw Ace Fighter / [draw Keen Koi] / draw from the harbor
when  discard Arrowgant Skeleton / discard Leery Lizard / discard Furious Frog / [discard Keen Koi]
when  draws Blind Eye Collector, Flailing Knight; B: do nothing
then  turn B; wilderness Keen Koi; tavern Blind Eye Collector, Ace Fighter, Flailing Knight

R8, R12 drawing and discarding offer no way to pass
given A hand {THREE}; tavern Keen Koi
when  do nothing; A: [draw Keen Koi] / draw from the harbor
when  discard Arrowgant Skeleton / discard Leery Lizard / discard Furious Frog / discard Keen Koi
then  tavern -, -, -; A hand Arrowgant Skeleton, Furious Frog, Keen Koi, Leery Lizard

R9 play one or discard or do nothing
given A hand Furious Frog, Keen Koi
when  A: play Furious Frog / play Keen Koi / discard Furious Frog / discard Keen Koi / do nothing
then  -

R9 after a discard nothing can be played
given A hand {THREE}
when  discard Furious Frog; A: discard Arrowgant Skeleton / discard Leery Lizard / [stop discarding]
when  A: draw from the harbor
then  A hand Arrowgant Skeleton, Leery Lizard; wilderness Furious Frog

R9 not more than three discards with a fourth card in hand
given A hand {THREE}, Keen Koi
when  discard Furious Frog; discard Leery Lizard; discard Arrowgant Skeleton
when  A: draw from the harbor
then  A hand Keen Koi; wilderness {THREE}

R9 after playing nothing can be discarded
given A hand {THREE}
when  play Furious Frog; red -2; A: draw from the harbor
then  markers 2 4

R9 an empty hand can only do nothing
given players 2
when  A: do nothing
then  -

R10 a card is played open and resolved at once
given A hand Pigmented War Pig
when  play Pigmented War Pig
then  markers 3 5
""")
def test_action(story: Story) -> None:
    story.check()


@pytest.mark.parametrize("many", [0, 1, 2, 3])
def test_r9_zero_to_three_cards_may_be_discarded(many: int) -> None:
    """R9"""
    cards = THREE.split(", ")[:many]
    game = given(f"A hand {THREE}")
    game.choose(*(f"discard {name}" for name in cards))
    game.choose(
        *{0: ["do nothing"], 3: []}.get(many, ["stop discarding"]), "A: draw from the harbor"
    )
    assert game.wilderness == cards


@pytest.mark.parametrize("name", ["Keen Koi", "Nagging Northman", "Saltwater Sage", "Bored Goblin"])
def test_r10_a_card_may_be_played_without_effect(name: str) -> None:
    """R10: no marker leads, no tavern card, nobody to turn over."""
    game = given(f"A hand {name}")
    game.play(name)
    assert game.changes() == {}
    assert game.open(0) == [name]


@stories(f"""
R11 one card at a time; a harbor card is seen before the next choice and slots stay empty
given tavern Keen Koi, -, Ace Fighter
when  do nothing; draw from the harbor; draws Furious Frog
when  A: [draw Ace Fighter] / draw Keen Koi / draw from the harbor
when  A: [draw Keen Koi] / draw from the harbor; A: draw from the harbor
then  tavern -, -, -; A hand Ace Fighter, Furious Frog, Keen Koi

R13 with four cards nothing is drawn
given A hand Miniature Merman, Furious Frog, Leery Lizard; tavern Ace Fighter
given wilderness Keen Koi, Flailing Knight
when  play Miniature Merman; red -1; draw from the wilderness
when  discard Flailing Knight / discard Leery Lizard / discard Furious Frog / discard Keen Koi
then  markers 3 4; wilderness -; A hand Flailing Knight, Furious Frog, Keen Koi, Leery Lizard

R14 the player chooses what to discard down to three
given A hand {THREE}; tavern Keen Koi
when  do nothing; draw Keen Koi
when  discard Arrowgant Skeleton / [discard Leery Lizard] / discard Furious Frog / discard Keen Koi
then  tavern -, -, -; A hand Arrowgant Skeleton, Furious Frog, Keen Koi; wilderness Leery Lizard

R14, R37 two discards go in the order chosen
given A hand {THREE}, Keen Koi, Ace Fighter
when  do nothing; discard Keen Koi; discard Leery Lizard
then  A hand Ace Fighter, Arrowgant Skeleton, Furious Frog; wilderness Keen Koi, Leery Lizard

R14, R37 two discards go in the other order
given A hand {THREE}, Keen Koi, Ace Fighter
when  do nothing; discard Leery Lizard; discard Keen Koi
then  A hand Ace Fighter, Arrowgant Skeleton, Furious Frog; wilderness Leery Lizard, Keen Koi

R14, R17 with three or fewer nothing is discarded
given A hand {THREE}; harbor -
when  do nothing
then  turn B

R15 slots are refilled from left to right
given A hand {THREE}, Keen Koi; tavern -, Ace Fighter, -
when  do nothing; discard Keen Koi; draws Flailing Knight, Grumpy Guard
then  A hand Arrowgant Skeleton, Furious Frog, Leery Lizard; wilderness Keen Koi; turn B
then  tavern Flailing Knight, Ace Fighter, Grumpy Guard
""")
def test_drawing_discarding_and_refilling(story: Story) -> None:
    story.check()


@pytest.mark.parametrize("held", [0, 1, 2, 3])
def test_r12_the_hand_is_filled_to_four(held: int) -> None:
    """R12"""
    game = given("A hand " + (", ".join(THREE.split(", ")[:held]) or "-"))
    game.choose("do nothing")
    for count in range(held, 4):
        game.choose("A: [draw from the harbor]", draws(min(game.harbor)))
        assert len(game.hand(0)) == count + 1
    assert all(option.startswith("discard") for option in game.options())


# ---- running out of cards ---------------------------------------------------------------------


@stories(f"""
R16 no reshuffle when the last harbor card leaves, only when another one is needed
given A hand {THREE}; tavern Keen Koi, Ace Fighter, Grumpy Guard
given harbor Flailing Knight; wilderness Depressed Druid
when  do nothing; draw from the harbor; draws Flailing Knight; discard Flailing Knight
then  harbor -; wilderness Depressed Druid, Flailing Knight; turn B

R16 choosing the harbor reforms it, choosing the tavern does not
given A hand Furious Frog, Leery Lizard; tavern Keen Koi; harbor -
given wilderness Depressed Druid, Flailing Knight
when  do nothing; A: [draw Keen Koi] / draw from the harbor; A: [draw from the harbor]
when  harbor: Depressed Druid / harbor: Flailing Knight
then  wilderness -; tavern -, -, -; A hand Furious Frog, Keen Koi, Leery Lizard

R16 reshuffle while refilling: the harbor has one card for two slots
given A hand Furious Frog, Leery Lizard; tavern Keen Koi, Ace Fighter, Grumpy Guard
given harbor Flailing Knight; wilderness Depressed Druid
when  do nothing; draw Keen Koi; draw Ace Fighter; discard Keen Koi
when  draws Flailing Knight; harbor: Depressed Druid / harbor: Keen Koi; draws Depressed Druid
then  harbor Keen Koi; wilderness -; A hand Ace Fighter, Furious Frog, Leery Lizard
then  tavern Flailing Knight, Depressed Druid, Grumpy Guard

R16 reshuffle between two cards of an ability: the wilderness becomes the harbor, nothing else
given A hand Deep Sea Squire; harbor Keen Koi; wilderness Depressed Druid, Flailing Knight
given graveyard Ace Fighter; tavern Grumpy Guard
when  play Deep Sea Squire; red +1; draws Keen Koi
when  harbor: Depressed Druid / harbor: Flailing Knight; draws Flailing Knight
when  place Keen Koi hidden
then  markers 5 4; wilderness -; A hidden Keen Koi; A hand Flailing Knight; harbor Depressed Druid

R16 reshuffle between two cards of the draw step
given A hand Furious Frog, Leery Lizard
given harbor Keen Koi; wilderness Depressed Druid, Flailing Knight
when  do nothing; draw from the harbor; draws Keen Koi; draw from the harbor; draws Flailing Knight
then  wilderness -; A hand Flailing Knight, Furious Frog, Keen Koi, Leery Lizard
then  harbor Depressed Druid

R16 nothing else is reshuffled: tavern, graveyard, hands, parties and a card set aside stay
given A hand Insidious Impaler, Keen Koi; A open Ace Fighter; A hidden Furious Frog
given B hand Grumpy Guard; tavern Deep Sea Squire, Flailing Knight; graveyard Depressed Druid
given wilderness Hairy Hermit, Bored Goblin; harbor -
when  play Insidious Impaler; perform Deep Sea Squire; red +1
when  harbor: Bored Goblin / harbor: Hairy Hermit
then  markers 5 4; wilderness -; tavern -, Flailing Knight, -

R17 with both piles empty cards are drawn from the tavern while it has any, and the turn ends
given A hand Furious Frog; tavern Keen Koi, Ace Fighter; harbor -
when  do nothing; A: draw Ace Fighter / [draw Keen Koi]; A: [draw Ace Fighter]
then  tavern -, -, -; A hand Ace Fighter, Furious Frog, Keen Koi; turn B

R17 a slot that cannot be refilled is tried again in later turns
given A hand Furious Frog; B hand Depressed Druid, Flailing Knight, Grumpy Guard, Hairy Hermit
given tavern Keen Koi, Ace Fighter; harbor -
when  do nothing; draw Keen Koi; draw Ace Fighter
when  do nothing; discard Grumpy Guard; draws Grumpy Guard
then  tavern Grumpy Guard, -, -; A hand Ace Fighter, Furious Frog, Keen Koi; turn A
then  B hand Depressed Druid, Flailing Knight, Hairy Hermit

R17, R24 an ability takes what there is: one card for Pessimistic Whaleman
given A hand Pessimistic Whaleman; harbor Keen Koi
when  play Pessimistic Whaleman; red +1; draws Keen Koi; place Keen Koi hidden
then  markers 5 4; A hidden Keen Koi

R17, R24 an ability takes what there is: none for Deep Sea Squire
given A hand Deep Sea Squire; harbor -
when  play Deep Sea Squire; red +1
then  markers 5 4

R19 a card discarded can reappear in the tavern of the same turn
given A hand {THREE}; tavern Keen Koi, Ace Fighter, Grumpy Guard; harbor -
when  do nothing; draw Keen Koi; discard Leery Lizard; draws Leery Lizard
then  tavern Leery Lizard, Ace Fighter, Grumpy Guard; harbor -; turn B
then  A hand Arrowgant Skeleton, Furious Frog, Keen Koi

R19, R16 a card discarded in the action can be drawn again
given A hand {THREE}; harbor -
when  discard Leery Lizard; stop discarding; draw from the harbor; draws Leery Lizard
then  -

R21 an end on the last turn is an end: the threshold is checked first
given A open {THREE}; A leader Cyra; harbor -; turns 199; threshold 3
when  do nothing
then  winner A; won by Water
""")
def test_running_out_of_cards(story: Story) -> None:
    story.check()


@pytest.mark.parametrize("first", ["draw Keen Koi", "draw from the harbor"])
def test_r16_the_reshuffle_happens_once_at_the_moment_of_need(first: str) -> None:
    """R16"""
    place = "tavern Keen Koi; harbor -" if first == "draw Keen Koi" else "harbor Keen Koi"
    game = given(
        f"A hand Furious Frog, Leery Lizard; {place}", "wilderness Depressed Druid, Grumpy Guard"
    )
    game.choose("do nothing", first)
    if game.actor == CHANCE:
        game.choose(draws("Keen Koi"))
    assert reshuffles(game) == 0
    game.choose("draw from the harbor", draws("Grumpy Guard"))
    assert reshuffles(game) == 1


def test_r18_running_out_of_cards_does_not_end_the_game() -> None:
    """R18: play continues with empty hands, piles and tavern."""
    game = given("harbor -")
    for turn in range(20):
        assert not game.over
        assert game.turn == turn % 2
        game.choose("[do nothing]")
    assert game.winner is None


@pytest.mark.parametrize("players", range(2, 7))
def test_r20_turns_go_clockwise_and_no_player_is_skipped(players: int) -> None:
    """R20: not even a player without any card."""
    game = given(players=players, turn=players - 1, harbor=[])
    for turn in range(3 * players):
        assert game.turn == game.actor == (players - 1 + turn) % players
        game.choose("do nothing")


@pytest.mark.parametrize("players", range(2, 7))
def test_r21_after_a_hundred_rounds_the_game_stops_without_a_winner(players: int) -> None:
    """R21"""
    game = given(players=players, harbor=[], turns=100 * players - 2)
    game.choose("do nothing")
    assert not game.over
    game.choose("do nothing")
    assert game.over
    assert game.winner is None
    assert game.state.faction == 0, "the sign of the turn limit"
    assert game.state.winners() == ()


def test_r21_the_number_of_rounds_can_be_set() -> None:
    """R21"""
    state = named_game("hidden-leaders").new(3, rounds=2, threshold=10)
    assert isinstance(state, HiddenLeaders)
    rng = Rng(3)
    while state.moves():
        random_move(state, rng)
    assert state.turns == 6
    assert (state.faction, state.winners()) == (0, ())


def test_a_scenario_cannot_draw_what_is_not_there() -> None:
    """R11: the harbor has all cards that are nowhere else."""
    game = given("tavern Keen Koi")
    game.choose("do nothing", "draw from the harbor")
    assert game.actor == CHANCE
    with pytest.raises(BadScenario):
        game.choose(draws("Keen Koi"))
    assert game.state.size(Zone.HARBOR) == len(RETAIL) - 1
