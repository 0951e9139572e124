"""The rulings S1 to S37, each by its number: box, setup, turn, characters, end and scoring."""

from __future__ import annotations

import pytest

from games.secrets import constants as words
from games.secrets.constants import (
    CENTRE,
    CHARACTER_NAMES,
    COPIES,
    TOKENS_IN_USE,
    VALUES,
    Event,
    Move,
)
from games.secrets.state import Secrets, new_game
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from games.view import EventTuple
from tests.support.secrets_table import Story, given

FOUR = "CIA KGB Hippie CIA"
REST = ["Diplomat", "Journalist", "Assassin"]
Displays = dict[int, list[str]]
EMPTY: Displays = {}


def table(first: str, second: str, lying: Displays = EMPTY, turn: int = 0) -> Story:
    """Four players, KGB in the centre, and a deck with these two cards on top."""
    return given(FOUR, "KGB", [first, second, *REST], lying, turn)


def of_kind(news: list[EventTuple], kind: int) -> list[EventTuple]:
    return [event for event in news if event[0] == kind]


def dealt(players: int, seed: int = 1) -> Secrets:
    """A game at its first decision."""
    state = new_game(players, record=True)
    rng = Rng(seed)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    return state


# ---- the box and setting up -------------------------------------------------------------------


def test_s1_the_deck_has_29_cards_with_two_psychiatrists() -> None:
    box = dict(zip(CHARACTER_NAMES, zip(COPIES, VALUES, strict=True), strict=True))
    assert sum(COPIES) == words.DECK_SIZE == new_game(4).bag == 29
    assert box == {
        "Psychiatrist": (2, -1),
        "Scientist": (6, 5),
        "Double Agent": (3, 2),
        "Politician": (4, 3),
        "Journalist": (4, 3),
        "Detective": (3, -2),
        "Diplomat": (3, 1),
        "Assassin": (4, 0),
    }


@pytest.mark.parametrize("players", range(4, 9))
def test_s2_one_token_more_than_players(players: int) -> None:
    state = dealt(players)
    tokens = [state.token(place) for place in [*range(players), CENTRE]]
    assert [tokens.count(side) for side in range(3)] == list(TOKENS_IN_USE[players - 4])
    assert len(tokens) == players + 1


def test_s3_chance_decides_who_begins_unless_an_option_does() -> None:
    assert new_game(5).moves() == [Move.PLACE + seat for seat in range(5)]
    fixed = new_game(5, first=3)
    assert fixed.first == fixed.player == 3
    assert fixed.moves() != [Move.PLACE + seat for seat in range(5)]


@pytest.mark.parametrize(("players", "looks"), [(4, 1), (5, 2), (6, 2), (7, 2), (8, 2)])
def test_s4_and_q2_looks_at_the_start_and_none_later(players: int, looks: int) -> None:
    state = dealt(players)
    for seat in range(players):
        news = state.take_events(seat)
        right = (seat - 1) % players
        own = [event for event in of_kind(news, Event.LOOK) if event[1] == seat]
        places = [seat, right][:looks]
        assert own == [(Event.LOOK, seat, place, state.token(place)) for place in places]
        others = [event for event in of_kind(news, Event.LOOK) if event[1] != seat]
        assert all(event[3] == UNSEEN for event in others)
        shown = [(Event.SHOW, CENTRE, state.token(CENTRE))] if players > 6 else []
        assert of_kind(news, Event.SHOW) == shown


# ---- the turn ---------------------------------------------------------------------------------


def test_s5_s6_and_q3_cards_are_turned_up_until_two_differ_and_the_surplus_goes_under() -> None:
    game = given(FOUR, "KGB", ["Scientist", "Scientist", "Scientist", "Detective", *REST])
    assert game.options == ["offer Detective", "offer Scientist"]
    assert len(of_kind(game.news(2), Event.UP)) == 4
    game.play("offer Detective")
    assert game.deck == [*REST, "Scientist", "Scientist", "Scientist"]
    assert of_kind(game.news(1), Event.UNDER) == [(Event.UNDER, 5, 2), (Event.UNDER, UNSEEN, 1)]


def test_s7_a_deck_of_one_character_leaves_no_choice() -> None:
    game = given(FOUR, "KGB", ["Journalist", "Journalist", "Journalist"])
    assert game.options == ["to B", "to C", "to D"]
    assert game.deck == ["Journalist", "Journalist"]
    assert game.view(2).offered == CHARACTER_NAMES.index("Journalist")
    game.play("to B", "say nothing", "accept")
    assert game.display(1) == ["Journalist"]


def test_s8_a_turn_without_a_deck_ends_the_game() -> None:
    game = given(FOUR, "KGB", ["Journalist"])
    game.play("to B", "say nothing", "accept")
    assert game.over
    assert game.state.winners() == (1,)


WITH_UN: Displays = {0: ["Scientist"], 1: ["Diplomat"], 2: ["Diplomat"]}
"""D alone has no card, and so the UN token."""


def test_s9_the_card_may_be_offered_to_any_other_player() -> None:
    game = table("Scientist", "Detective", WITH_UN)
    assert game.state.un == 3
    assert game.play("offer Scientist").options == ["to B", "to C", "to D"]


@pytest.mark.parametrize("claim", [None, *CHARACTER_NAMES])
def test_s10_a_claim_may_be_any_character_or_nothing(claim: str | None) -> None:
    game = table("Scientist", "Detective")
    said = f"claim {claim}" if claim else "say nothing"
    game.play("offer Scientist", "to C", said, "accept")
    assert game.display(2) == ["Scientist"]
    choices = [event[2] for event in of_kind(game.news(3), Event.CHOSE)]
    expected = Move.CLAIM + CHARACTER_NAMES.index(claim) if claim else Move.SILENCE
    assert choices[2] == expected


@pytest.mark.parametrize(
    ("target", "turn", "actor", "options"),
    [
        pytest.param("B", 0, 3, ["interrupt", "stay out"], id="S11 the UN player decides first"),
        pytest.param("D", 0, 3, ["accept", "refuse"], id="S12 not if the card is offered to it"),
        pytest.param("A", 3, 0, ["accept", "refuse"], id="S12 not if it offers the card"),
    ],
)
def test_the_un_window(target: str, turn: int, actor: int, options: list[str]) -> None:
    game = table("Scientist", "Detective", WITH_UN, turn)
    game.offer("Scientist", target)
    assert (game.actor, game.options) == (actor, options)


def test_s11_the_un_player_cannot_be_refused() -> None:
    game = table("Scientist", "Detective", WITH_UN)
    game.offer("Scientist", "B", "interrupt")
    assert [game.display(seat) for seat in (0, 1, 3)] == [
        ["Scientist"],
        ["Diplomat"],
        ["Scientist"],
    ]


def test_s11_if_the_un_player_stays_out_the_target_answers() -> None:
    game = table("Scientist", "Detective", WITH_UN)
    game.offer("Scientist", "B", "stay out")
    assert game.actor == 1
    game.play("refuse")
    assert game.down(0) == ["Scientist", "Scientist"]


def test_s13_interrupting_may_be_repeated() -> None:
    lying = {
        0: ["Scientist", "Diplomat"],
        1: ["Diplomat", "Assassin"],
        2: ["Diplomat", "(Assassin)"],
    }
    game = given(FOUR, "KGB", ["Scientist", "Journalist", "Politician", "Double Agent"], lying)
    game.offer("Scientist", "B", "interrupt")
    assert game.state.un == 3
    game.offer("Double Agent", "A", "interrupt")
    assert game.display(3) == ["Double Agent", "Scientist"]


def test_s14_and_q6_the_card_taken_lies_open_and_must_be_carried_out() -> None:
    game = table("Detective", "Scientist")
    game.offer("Detective", "B", "accept")
    assert game.display(1) == ["Detective"]
    assert game.actor == 1
    assert "pass" not in game.options


# ---- the characters ---------------------------------------------------------------------------


def test_s15_and_q7_psychiatrist_swaps_any_two_players_but_not_the_centre() -> None:
    game = table("Psychiatrist", "Detective")
    game.offer("Psychiatrist", "B", "accept")
    assert len(game.options) == 6
    assert "swap A and B" in game.options
    assert not any("centre" in option for option in game.options)
    game.play("swap B and C")
    assert game.sides == "CIA Hippie KGB CIA KGB"
    for seat in range(4):
        assert of_kind(game.news(seat), Event.SWAP) == [(Event.SWAP, 1, 2, 1)]
        assert not of_kind(game.news(seat), Event.LOOK)


def test_s16_and_q8_double_agent_swaps_with_the_centre_and_looks_at_the_new_token() -> None:
    game = table("Double Agent", "Detective")
    game.offer("Double Agent", "C", "accept")
    assert game.sides == "CIA KGB KGB CIA Hippie"
    for seat in range(4):
        assert of_kind(game.news(seat), Event.SWAP) == [(Event.SWAP, 2, CENTRE, 2)]
        seen = words.Token.KGB if seat == 2 else UNSEEN
        assert of_kind(game.news(seat), Event.LOOK) == [(Event.LOOK, 2, 2, seen)]


def test_s17_and_q9_politician_is_passed_on_and_shows_the_token() -> None:
    game = table("Politician", "Detective")
    game.offer("Politician", "B", "accept")
    assert game.options == ["pass to A", "pass to C", "pass to D"]
    game.play("pass to C")
    assert game.display(1) == []
    assert game.display(2) == ["Politician"]
    assert of_kind(game.news(1), Event.LOOK) == [(Event.LOOK, 1, 2, words.Token.HIPPIE)]
    assert of_kind(game.news(2), Event.LOOK) == [(Event.LOOK, 1, 2, UNSEEN)]


def test_s18_a_player_who_is_passed_a_politician_does_nothing() -> None:
    game = table("Politician", "Detective", {2: ["Politician"]})
    game.offer("Politician", "B", "accept", "pass to C")
    assert game.state.player == 1
    assert game.down(2) == ["Politician", "Politician"]
    assert game.state.size(2) == 2


def test_s19_and_q10_journalist_shows_its_token_to_all_others() -> None:
    game = table("Journalist", "Detective")
    game.offer("Journalist", "C", "accept")
    for seat in range(4):
        seen = UNSEEN if seat == 2 else words.Token.HIPPIE
        assert of_kind(game.news(seat), Event.SHOW) == [(Event.SHOW, 2, seen)]


@pytest.mark.parametrize(
    ("side", "after"), [("left", "CIA KGB KGB CIA Hippie"), ("right", "KGB KGB Hippie CIA CIA")]
)
def test_s20_q11_and_q12_diplomat_shows_the_centre_and_swaps_unseen(side: str, after: str) -> None:
    game = table("Diplomat", "Detective")
    game.offer("Diplomat", "B", "accept")
    assert game.options == ["swap left, with C", "swap right, with A"]
    game.play(f"swap {side}")
    assert game.sides == after
    for seat in range(4):
        assert of_kind(game.news(seat), Event.SHOW) == [(Event.SHOW, CENTRE, words.Token.KGB)]
        (swap,) = of_kind(game.news(seat), Event.SWAP)
        assert (swap[2] == UNSEEN) == (seat != 1)
        (choice,) = [event for event in of_kind(game.news(seat), Event.CHOSE) if event[1] == 1][-1:]
        assert (choice[2] == UNSEEN) == (seat != 1)


@pytest.mark.parametrize(("whose", "side"), [("A", 0), ("B", 1), ("C", 2), ("the centre", 1)])
def test_s21_and_q13_detective_looks_at_any_token(whose: str, side: int) -> None:
    game = table("Scientist", "Detective")
    game.offer("Detective", "B", "accept", f"look at {whose}")
    place = CENTRE if whose == "the centre" else "ABCD".index(whose)
    assert of_kind(game.news(1), Event.LOOK) == [(Event.LOOK, 1, place, side)]
    assert of_kind(game.news(0), Event.LOOK) == [(Event.LOOK, 1, place, UNSEEN)]


def test_s22_the_second_scientist_turns_all_characters_down() -> None:
    lying = {1: ["Scientist", "Politician", "Bullet -2"]}
    game = table("Scientist", "Detective", lying)
    game.offer("Scientist", "B", "accept")
    assert game.display(1) == []
    assert game.down(1) == ["Politician", "Scientist", "Scientist"]
    assert game.score(1) == -2


def test_s22_a_third_scientist_is_a_first_again() -> None:
    lying = {1: ["(Scientist)", "(Scientist)", "Politician"]}
    game = table("Scientist", "Detective", lying)
    game.offer("Scientist", "B", "accept")
    assert game.display(1) == ["Politician", "Scientist"]


def test_s23_and_q14_assassin_looks_at_a_bullet_and_gives_it_to_anybody() -> None:
    game = table("Assassin", "Detective")
    game.offer("Assassin", "B", "accept")
    assert game.actor == CHANCE
    assert game.options == ["Bullet 0", "Bullet -1", "Bullet -2", "Bullet -3"]
    game.play("Bullet -3")
    assert game.options == ["give to A", "give to B", "give to C", "give to D"]
    game.play("give to D")
    assert game.bullets(3) == [-3]
    for seat in range(4):
        seen = 3 if seat == 1 else UNSEEN
        assert of_kind(game.news(seat), Event.BULLET) == [(Event.BULLET, 1, seen)]
        assert of_kind(game.news(seat), Event.GIVEN) == [(Event.GIVEN, 3, seen)]


def test_s24_there_are_as_many_bullets_as_assassins() -> None:
    assert COPIES[words.Character.ASSASSIN] == words.BULLETS
    game = table("Assassin", "Detective", {0: ["Bullet 0"], 1: ["Bullet -1"], 2: ["Bullet -2"]})
    game.offer("Assassin", "B", "interrupt")
    assert game.options == ["Bullet -3"]


def test_s25_a_bullet_is_a_card_but_no_character() -> None:
    lying = {1: ["Bullet -1", "Diplomat"], 0: ["Detective"], 3: ["Detective", "Diplomat"]}
    game = given(FOUR, "KGB", ["Assassin", "Politician", "Journalist", "Double Agent"], lying)
    assert game.state.un == 2
    game.offer("Assassin", "D", "interrupt", "Bullet -2", "give to B")
    assert game.state.size(1) == 3
    assert game.bullets(1) == [-1, -2]
    assert game.score(1) == 1 - 1 - 2
    assert game.state.un == NOBODY


# ---- the end of a turn ------------------------------------------------------------------------


def test_s27_pairs_then_un_token_then_end_then_next_player() -> None:
    lying = {
        0: ["Diplomat"],
        1: ["Journalist", "Diplomat", "(Assassin)", "Bullet 0"],
        2: ["Diplomat"],
    }
    game = table("Journalist", "Detective", lying)
    game.offer("Journalist", "B", "stay out", "accept")
    kinds = [event[0] for event in game.news(0)]
    assert kinds[-1] == Event.OVER
    assert Event.DOWN in kinds
    assert game.down(1) == ["Journalist", "Journalist", "Assassin"]
    quiet = table("Journalist", "Detective", {1: ["Journalist"], 2: ["Diplomat"]})
    quiet.offer("Journalist", "B", "refuse")
    order = [event[0] for event in quiet.news(0)]
    assert order.index(Event.UN) < len(order) - 1 - order[::-1].index(Event.TURN)
    assert quiet.state.player == 1


def test_s28_pairs_are_turned_down_in_any_display() -> None:
    game = table("Journalist", "Detective", {2: ["Journalist", "Diplomat"]})
    game.offer("Journalist", "C", "accept")
    assert game.down(2) == ["Journalist", "Journalist"]
    assert game.display(2) == ["Diplomat"]


def test_s28_a_third_copy_stays_up_until_a_fourth_comes() -> None:
    lying = {2: ["(Journalist)", "(Journalist)"]}
    game = given(FOUR, "KGB", ["Journalist", "Detective", "Journalist", "Assassin"], lying)
    game.offer("Journalist", "C", "accept")
    assert game.display(2) == ["Journalist"]
    game.offer("Journalist", "C", "accept")
    assert game.down(2) == ["Journalist"] * 4


def test_s29_the_second_copy_has_its_effect_before_the_pair_is_turned() -> None:
    game = table("Journalist", "Detective", {2: ["Journalist"]})
    game.offer("Journalist", "C", "accept")
    assert of_kind(game.news(0), Event.SHOW)
    assert game.display(2) == []


def test_s30_the_un_token_goes_to_the_one_with_fewest_cards_or_to_the_centre() -> None:
    game = table("Scientist", "Detective", {seat: ["Diplomat"] for seat in range(3)})
    assert game.state.un == 3
    game.offer("Scientist", "D", "accept")
    assert game.state.un == NOBODY


@pytest.mark.parametrize(
    ("sides", "centre", "full"), [(FOUR, "KGB", 5), ("CIA CIA CIA KGB KGB KGB Hippie", "Hippie", 4)]
)
def test_s31_the_game_ends_with_the_turn_in_which_a_display_is_full(
    sides: str, centre: str, full: int
) -> None:
    lying = ["Scientist", "Diplomat", "Journalist", "Bullet 0"]
    for cards in (full - 2, full - 1):
        game = given(sides, centre, ["Politician", "Detective", *REST], {2: lying[:cards]})
        assert game.state.threshold == full
        game.offer("Politician", "B", "accept", "pass to C")
        assert game.over == (cards == full - 1)


def test_s31_a_bullet_may_end_the_game_in_another_display() -> None:
    lying = {3: ["Scientist", "Diplomat", "Journalist", "Politician"]}
    game = table("Assassin", "Detective", lying)
    game.offer("Assassin", "B", "refuse", "Bullet -1", "give to D")
    assert game.over


# ---- scoring ----------------------------------------------------------------------------------


def test_s32_face_up_characters_and_bullets_count() -> None:
    lying = {0: ["Scientist", "(Politician)", "(Politician)", "Bullet -3"], 1: ["Detective"]}
    game = given(FOUR, "KGB", [], lying)
    assert [game.score(seat) for seat in range(4)] == [2, -2, 0, 0]


WINNERS = {
    "S33 the token before a player counts": ("CIA KGB Hippie CIA, KGB", "S D - -", "AD"),
    "S33 whatever the tokens": ("KGB CIA Hippie KGB, CIA", "S D - -", "AD"),
    "S33 the centre belongs to nobody": ("KGB KGB CIA CIA, Hippie", "S D - -", "AB"),
    "S34 a Hippie alone at the bottom": ("CIA KGB Hippie CIA, KGB", "S D - D", "C"),
    "S34 no Hippie tied for lowest": ("CIA KGB Hippie CIA, KGB", "S D - -", "AD"),
    "S34 nor tied with another": ("CIA KGB Hippie CIA Hippie, KGB", "S D - D -", "AD"),
    "S35 all of the team with more points": ("CIA KGB Hippie CIA, KGB", "D S P -", "B"),
    "S36 tied teams all lose": ("CIA KGB Hippie CIA, KGB", "P J - -", ""),
}


@pytest.mark.parametrize(("tokens", "cards", "winners"), WINNERS.values(), ids=WINNERS)
def test_who_wins(tokens: str, cards: str, winners: str) -> None:
    """The deck is empty: the game ends as it lies, with one card or none before each player."""
    names = {"S": "Scientist", "D": "Diplomat", "P": "Politician", "J": "Journalist"}
    lying = {k: [names[card]] for k, card in enumerate(cards.split()) if card != "-"}
    sides, centre = tokens.split(", ")
    state = given(sides, centre, [], lying).state
    assert "".join("ABCDE"[seat] for seat in state.winners()) == winners
    assert [state.wins(seat) for seat in range(state.players)] == [
        letter in winners for letter in "ABCDE"[: state.players]
    ]
    won = {sides.split()["ABCDE".index(letter)] for letter in winners}
    assert state.side == (words.SIDE_NAMES.index(won.pop()) if won else -1)


@pytest.mark.parametrize("players", range(4, 9))
def test_s37_no_team_is_ever_without_a_player(players: int) -> None:
    assert min(TOKENS_IN_USE[players - 4][:2]) >= 2
    for seed in range(20):
        state = dealt(players, seed)
        state.playout(Rng(seed))
        assert {words.Token.CIA, words.Token.KGB} <= {state.token(seat) for seat in range(players)}
