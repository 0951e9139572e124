"""The position notation: every state survives it, and every mistake in it is named."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

from games.errors import BadPosition
from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.positions.position import Position, position_of
from games.hidden_leaders.rules.bytecode import PROGRAM, START
from games.hidden_leaders.rules.cards import BEGINNER, CARD_NUMBER, EMPEROR, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.opcodes import Op, Row
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import CHANCE, NOBODY, Rng
from tests.support.volume import volume

ALL = len(RETAIL)
EVERYBODY_KNOWN = "A leader Cyra; B leader Enned"


def problems(text: str) -> list[str]:
    with pytest.raises(BadPosition) as caught:
        read(text)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


def random_state(players: int, seed: int, plies: int, deck: tuple[int, ...]) -> HiddenLeaders:
    """The state after so many decisions and chance outcomes, or at the end."""
    rng = Rng(seed)
    state = new_game(players, deck=deck, rounds=20)
    for _ in range(plies):
        if state.actor == NOBODY:
            break
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
    return state


# ---- round trips ------------------------------------------------------------------------------


@settings(max_examples=volume(150), deadline=None)
@hypothesis_given(
    players=st.integers(2, 6),
    seed=st.integers(0, 2**40),
    plies=st.integers(0, 600),
    deck=st.sampled_from([RETAIL, BEGINNER, RETAIL[::2]]),
)
def test_every_state_survives(players: int, seed: int, plies: int, deck: tuple[int, ...]) -> None:
    state = random_state(players, seed, plies, deck)
    again = read(write(state)).state()
    assert again.key() == state.key()
    assert again.moves() == state.moves()
    assert write(again) == write(state)


@pytest.mark.slow
def test_a_whole_game_survives_ply_by_ply() -> None:
    rng = Rng(8)
    state = new_game(3)
    chances = set()
    while state.actor != NOBODY:
        assert read(write(state)).state().key() == state.key()
        if state.actor == CHANCE:
            chances.add(state.chance)
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
    assert read(write(state)).state().winners() == state.winners()
    assert len(chances) >= 3


def test_a_state_read_back_plays_on_identically() -> None:
    state = random_state(4, 11, 180, RETAIL)
    again = read(write(state)).state()
    for _ in range(200):
        if state.actor == NOBODY:
            break
        move = state.moves()[-1]
        state.play(move)
        again.play(move)
        assert again.key() == state.key()


# ---- the grammar ------------------------------------------------------------------------------


def test_defaults() -> None:
    state = read(EVERYBODY_KNOWN).state()
    assert (state.players, state.red, state.green, state.player) == (2, 4, 4, 0)
    assert state.size(Zone.HARBOR) == len(RETAIL) - 1
    assert state.cards(Zone.GRAVEYARD) == [EMPEROR]  # as at the start of a game
    assert state.actor == 0
    assert state.threshold == 8


def test_everything_a_person_may_type() -> None:
    position = read(
        """
        PLAYERS 3          # a comment
        red 9; green 2; turn b; first C; turns 7; threshold 6; limit 90
        tavern "Crow Carrier" - 'Keen Koi'
        graveyard BuEm, wrapped-warrior; wilderness ghastly_granny
        a leader cyra hand ShSh open JoCh; A hidden sharkguard
        B leader Enned
        C leader pavyr
        """
    )
    state = position.state()
    assert (state.red, state.green, state.player, state.first) == (9, 2, 1, 2)
    assert (state.turns, state.threshold, state.turn_limit) == (7, 6, 90)
    assert state.cards(Zone.TAVERN) == [CARD_NUMBER["Crow Carrier"], -1, CARD_NUMBER["Keen Koi"]]
    assert state.cards(Zone.GRAVEYARD) == [
        CARD_NUMBER["Buried Emperor"],
        CARD_NUMBER["Wrapped Warrior"],
    ]
    assert state.cards(Zone.WILDERNESS) == [CARD_NUMBER["Ghastly Granny"]]
    assert state.cards(Zone.HAND) == [CARD_NUMBER["Shaky Sharpshooter"]]
    assert state.cards(Zone.OPEN) == [CARD_NUMBER["Joyless Chief"]]
    assert state.cards(Zone.HIDDEN) == [CARD_NUMBER["Vegetarian Sharkguard"]]
    assert LEADERS[state.leader(2)].name == "Pavyr"


def test_hands_may_be_typed_in_any_order() -> None:
    text = "A leader Cyra hand KeKo ShSh open UnAr OvAm; B leader Enned"
    assert read(text).state().cards(Zone.HAND) == [
        CARD_NUMBER["Shaky Sharpshooter"],
        CARD_NUMBER["Keen Koi"],
    ]


def test_decks() -> None:
    beginner = read("deck beginner; " + EVERYBODY_KNOWN).state()
    assert beginner.size(Zone.HARBOR) == len(BEGINNER) - 1
    assert beginner.threshold == 7
    small = read("deck KeKo CrCa ShSh; tavern CrCa; " + EVERYBODY_KNOWN).state()
    assert small.size(Zone.HARBOR) == 2
    given_harbor = read("deck KeKo CrCa; tavern CrCa; harbor KeKo; " + EVERYBODY_KNOWN).state()
    assert given_harbor.size(Zone.HARBOR) == 1


# ---- what is not known ------------------------------------------------------------------------


def test_unknown_cards_must_be_filled() -> None:
    position = read("A leader ? hand KeKo ?x2; B leader Cyra hidden 3? hand ?; wilderness ?*4")
    with pytest.raises(BadPosition) as caught:
        position.state()
    assert caught.value.problems == [
        "wilderness: 4 unknown",
        "A hand: 2 unknown",
        "B hand: 1 unknown",
        "B hidden: 3 unknown",
        "A leader: unknown",
    ]


def test_filling_uses_every_unused_card_once() -> None:
    position = read("A leader ? hand KeKo ?x2; B leader Cyra hidden ?x3; tavern ? - ?")
    states = [position.complete(Rng(seed)) for seed in range(40)]
    for state in states:
        cards = [card for zone in range(Zone.COUNT) for card in state.cards(zone) if card >= 0]
        assert sorted(cards) == list(RETAIL)
        assert CARD_NUMBER["Keen Koi"] in state.cards(Zone.HAND)
        assert state.leader(1) == 1 != state.leader(0)
        assert state.actor == 0
    assert {state.leader(0) for state in states} == {0, 2, 3, 4, 5}
    assert len({state.key() for state in states}) == len(states)
    assert position.complete(Rng(3)).key() == position.complete(Rng(3)).key()


def test_a_harbor_given_in_numbers() -> None:
    position = read(f"harbor ?x{ALL - 7}; graveyard BuEm; wilderness ?x6; " + EVERYBODY_KNOWN)
    assert position.complete(Rng(1)).size(Zone.HARBOR) == ALL - 7


def test_positions_are_values() -> None:
    assert read(EVERYBODY_KNOWN) == read(EVERYBODY_KNOWN + "; red 4")
    assert read(write(read("A hand ?x3; B hand KeKo"))) == read("A hand ?x3; B hand KeKo")
    assert position_of(read(EVERYBODY_KNOWN).state()) == read(EVERYBODY_KNOWN)
    assert Position().problems() == []


# ---- every kind of mistake --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("tavern CrCa; graveyard CrCa", "Crow Carrier lies in 2 places: tavern, graveyard"),
        ("A hand KeKo KeKo", "Keen Koi lies in 2 places: A hand, A hand"),
        ("deck beginner; tavern DoPr", "Doubtful Priest is not in the deck"),
        ("deck KeKo KeKo", "Keen Koi is 2 times in the deck"),
        ("deck KeKo ?", "deck: all its cards must be named"),
        (f"wilderness ?x{ALL + 1}", f"{ALL + 2} cards are placed, but the deck has {ALL}"),
        ("harbor ?x100", f"harbor: 100 unknown cards, but the deck has {ALL}"),
        ("deck KeKo; wilderness ?; harbor ?", "2 cards are placed, but the deck has 1"),
        ("red 13", "red 13: the track goes from 1 to 12"),
        ("green 0", "green 0: the track goes from 1 to 12"),
        ("red four", "red: one number is needed, not 'four'"),
        ("tavern CrowCarier", "did you mean 'Crow Carrier'?"),
        ("tavern curious", "could be 'Curious Troll' or 'Curious Cat Lover'"),
        ("gravyard CrCa", "unknown key 'gravyard'; did you mean 'graveyard'?"),
        ("red 4; red 5", "'red' is given twice"),
        ("A hand KeKo; A hand ?", "'A hand' is given twice"),
        ("A hand ?x4", "A hand: 4 cards, at most 3 are possible at the start of a turn"),
        ("A open ?x8", "A open: 8 heroes, so the game has ended at 8"),
        ("A open ?x14", "A open: 14 heroes, at most 13 are possible"),
        ("A leader Cyra; B leader Cyra", "leader Cyra belongs to A and B"),
        ("A leader Cyrra", "'Cyrra' (known: Lemron, Cyra, Myrad, "),
        ("A leader Cyrra", "; did you mean 'Cyra' or"),
        ("A leader -", "A has no leader, which is possible only until they are dealt"),
        (
            "pending 32 -1 1 -1 -1 0 0 0; A leader -",
            "A has no leader, which is possible only until they are dealt",
        ),
        ("players 2; C hand KeKo", "seat C: there are only 2 players"),
        ("G hand KeKo", "seat G: there are at most 6 players"),
        (
            "A hnad KeKo",
            "'hnad' must follow one of leader, hand, open, hidden; did you mean 'hand'",
        ),
        ("players 7", "players 7: there are 2 to 6 players"),
        ("players 1", "players 1: there are 2 to 6 players"),
        ("turn C", "turn C: there are only 2 players"),
        ("first D", "first D: there are only 2 players"),
        ("turn 1", "turn: one seat letter is needed, not '1'"),
        ("tavern ? ? ? ?", "tavern: 4 slots, but it has 3"),
        ("harbor ?x5", f"{ALL - 5} cards of the deck are not placed, out of: Shaky Sharpshooter"),
        ("harbor -", f"{ALL} cards of the deck are not placed, out of: Shaky Sharpshooter"),
        ("harbor ?x5", f", Battle Pet Master and {ALL - 5} more"),
        ("threshold 0", "threshold 0: it must be from 1 to 10"),
        ("threshold 11", "threshold 11: it must be from 1 to 10"),
        ("turns 200", "turns 200: the game stops after 200"),
        ("limit 0", "limit 0: it must be from 1 to 65535"),
        ("aside KeKo", "aside: no card lies there at the start of a turn"),
        ("drawn KeKo", "drawn: no card lies there at the start of a turn"),
        ("pending 40", "pending: frame 1 has 1 numbers instead of 8"),
        (
            "A hand ?x7; pending 56 -1 1 -1 -1 0 0 0",
            "A hand: 7 cards, at most 6 are possible in a hand",
        ),
        ("pending x", "pending: only whole numbers and / are possible here"),
        ("pending 41 -1 1 -1 -1 0 0 0", "frame 1 has row 41, which is no multiple of 8"),
        ("pending 40 -1 1 5 -1 0 0 0", "frame 1 has who 5"),
        ("pending 88 0 1 -1 -1 0 0 0", "frame 1 is not a step of a turn"),
        ("pending 56 -1 1 -1 -1 0 0 0 / 40 0 1 -1 -1 0 0 0", "frame 2 is not a step of its card"),
        ("pending /; luck harbor", "frame 2 has 0 numbers instead of 8"),
        ("luck tavern", "luck: only 'harbor' is possible here, not 'tavern'"),
        ("luck harbor", "luck harbor: a harbor card is drawn only in the draw step"),
        ("over pirates", "over: one of undead, water, empire, tribes, limit is needed"),
    ],
)
def test_mistakes_are_named(text: str, problem: str) -> None:
    assert any(problem in found for found in problems(text)), problems(text)


def test_all_mistakes_are_named_together() -> None:
    found = problems("red 13; gren 2; tavern CrCa CrCa Nobody; A leader Cyra; B leader cyra")
    assert len(found) == 5


def test_frames_that_fit_no_decision_are_refused() -> None:
    closing = START[CARD_NUMBER["Insidious Impaler"]] + 2 * Row.SIZE
    assert PROGRAM[closing] == Op.CLOSE
    for frames in (
        "80 -1 1 -1 -1 0 0 0",  # the end of a turn asks nobody
        f"56 -1 1 -1 -1 0 0 0 / {closing} {CARD_NUMBER['Insidious Impaler']} 1 -1 3 0 0 0",
    ):
        with pytest.raises(BadPosition, match="no decision is possible with these frames"):
            read(f"pending {frames}; {EVERYBODY_KNOWN}").state()


@settings(max_examples=volume(200), deadline=None)
@hypothesis_given(st.text(alphabet="AB ;?x3-CrCa/hand open red 1\n\"'#", max_size=60))
def test_no_text_raises_anything_but_bad_position(text: str) -> None:
    with suppress(BadPosition):
        assert read(text).complete(Rng(1)).moves()


# ---- where the others are, and what seats have learned ------------------------------------------


def test_the_rest_of_the_cards_is_where_the_position_says() -> None:
    table = "deck KeKo CrCa ShSh BuEm; tavern CrCa; " + EVERYBODY_KNOWN
    usual, harbor = read(table).state(), read(table + "; rest harbor").state()
    assert (usual.size(Zone.HARBOR), usual.cards(Zone.GRAVEYARD)) == (2, [EMPEROR])
    assert (harbor.size(Zone.HARBOR), harbor.size(Zone.GRAVEYARD)) == (3, 0)
    out = read(table + "; rest out").state()
    assert (out.size(Zone.HARBOR), out.size(Zone.WILDERNESS), out.size(Zone.GRAVEYARD)) == (0, 0, 0)
    wild = read(table + "; rest wilderness; harbor KeKo").state()
    assert wild.cards(Zone.HARBOR) == [CARD_NUMBER["Keen Koi"]]
    assert wild.cards(Zone.WILDERNESS) == sorted([CARD_NUMBER["Shaky Sharpshooter"], EMPEROR])
    for state in (usual, harbor, out, wild):
        assert read(write(state)).state().key() == state.key()


def test_an_emperor_in_a_given_graveyard_lies_below_the_others() -> None:
    state = read("graveyard WrWa; " + EVERYBODY_KNOWN).state()
    assert state.cards(Zone.GRAVEYARD) == [EMPEROR, CARD_NUMBER["Wrapped Warrior"]]


def test_what_seats_know_is_read_and_written() -> None:
    text = (
        "A leader Cyra hand ShSh; B leader Enned hand KeKo hidden HaHe LoLo; "
        "A knows B leader Enned hidden LoLo; B knows A hand ShSh"
    )
    position = read(text)
    assert [(fact.seat, fact.other, fact.part) for fact in position.facts] == [
        (0, 1, "leader"),
        (0, 1, "hidden"),
        (1, 0, "hand"),
    ]
    assert read(write(position)) == position
    assert position.state().key() == read(text.split("; A knows", maxsplit=1)[0]).state().key()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A knows B hand KeKo", "A knows B hand: Keen Koi is not named at seat B"),
        ("A knows B hand ?; B hand ?", "A knows B hand: it is not named at seat B"),
        ("A knows B open KeKo; B open KeKo", "A knows B open: everybody knows open heroes"),
        ("A knows A leader Cyra; A leader Cyra", "a seat always knows its own cards and leader"),
        ("A knows", "A knows: about which seat?"),
        ("A knows hand KeKo", "A knows: 'hand' must follow another seat's letter"),
        ("A knows B KeKo", "seat A knows B: 'KeKo' must follow one of leader, hand"),
        ("rest tavern", "rest: one of harbor, wilderness, out is needed, not 'tavern'"),
        ("rest harbor; harbor KeKo", "rest harbor: the cards of the harbor are given, too"),
        ("rest wilderness; A hand ?", "rest wilderness: every card must be named"),
        ("A hand keen koi", "A hand: 'keen koi' is one card"),
        ("over undead; red 9; green 8", "over undead: red 9 and green 8 say Water"),
        ("over limit; turns 3", "over limit: the game stops after 200 turns, not after 3"),
    ],
)
def test_contradictions_are_named(text: str, problem: str) -> None:
    with pytest.raises(BadPosition) as caught:
        read(text)
    assert problem in str(caught.value)
