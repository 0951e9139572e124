"""Texts of cards, moves and boards: complete, unique, parsed back, and without leaks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.errors import GameError, IllegalMove, UnknownCard
from games.hidden_leaders.rules import card_language as steps
from games.hidden_leaders.rules import constants as words
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES, hero
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.rules.table import AT, LENGTH
from games.hidden_leaders.text.board import draw_board
from games.hidden_leaders.text.cards import hero_sentence, leader_sentence, step_words
from games.hidden_leaders.text.moves import cards_by_code, find_card, move_text, parse_move
from games.state import CHANCE, NOBODY, Rng
from tests.support.scenario import given, markers, player


def random_game(players: int, seed: int) -> Iterator[HiddenLeaders]:
    """Every decision and chance node of one random game."""
    rng = Rng(seed)
    state = new_game(players)
    while state.actor != NOBODY:
        yield state
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            moves = state.moves()
            state.play(moves[rng.below(len(moves))])


# ---- cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", range(len(HEROES)))
def test_step_words_build_the_hero(card: int) -> None:
    vocabulary = {**vars(words), **vars(steps)}
    built = tuple(eval(word, vocabulary) for word in step_words(card))  # noqa: S307  our words
    assert built == HEROES[card].steps


def test_sentences_name_deciders_and_options() -> None:
    priest = hero_sentence(CARD_NUMBER["Doubtful Priest"])
    assert priest.startswith("The next player chooses: move red +2 or red -2. Then you may play")
    assert hero_sentence(CARD_NUMBER["Shaky Sharpshooter"]) == (
        "Move red +1 or green -1. Then bury an open Empire hero in any party."
    )
    assert hero_sentence(CARD_NUMBER["Buried Emperor"]) == "No ability."
    assert leader_sentence(1) == "Cyra (number 2) supports Water and Empire."


@pytest.mark.parametrize("card", range(len(HEROES)))
def test_every_hero_is_found_by_name_and_code(card: int) -> None:
    hero = HEROES[card]
    assert find_card(hero.name.upper()) == card
    assert find_card(hero.name.replace("-", " ")) == card
    assert find_card(hero.name.replace(" ", "_")) == card
    assert find_card(hero.code.lower()) == card


def test_two_heroes_with_one_code_are_refused() -> None:
    """The second one was found by the code of both, and positions lost the first."""
    shady = hero("Shady Shopkeeper", words.WATER, rulings=())
    assert cards_by_code(HEROES)["ShSh"] == CARD_NUMBER["Shaky Sharpshooter"]
    with pytest.raises(GameError, match=r"'Shaky Sharpshooter' and 'Shady Shopkeeper' .* ShSh, "):
        cards_by_code((*HEROES, shady))


def test_part_of_a_name_is_enough_if_it_fits_one_hero() -> None:
    assert find_card("sharpsh") == CARD_NUMBER["Shaky Sharpshooter"]
    assert find_card("crow") == CARD_NUMBER["Crow Carrier"]
    with pytest.raises(UnknownCard, match="'Curious Troll' or 'Curious Cat Lover'"):
        find_card("curious")
    with pytest.raises(UnknownCard, match="no hero 'Crow Carier'; did you mean 'Crow Carrier'"):
        find_card("Crow Carier")
    with pytest.raises(UnknownCard, match="no hero ''"):
        find_card("")


# ---- moves ------------------------------------------------------------------------------------


def test_texts_do_not_depend_on_what_is_hidden() -> None:
    for seed in range(3):
        for state in random_game(3, seed):
            if state.actor == CHANCE:
                continue
            blind = state.copy()
            blindfold(blind)
            for move in state.moves():
                assert move_text(blind, move) == move_text(state, move)


def blindfold(state: HiddenLeaders) -> None:
    """Forget every card and leader that somebody might not see."""
    secret = [Zone.HARBOR, Zone.WILDERNESS, Zone.GRAVEYARD]
    secret += [zone + seat for zone in (Zone.HAND, Zone.HIDDEN) for seat in range(state.players)]
    for zone in secret:
        for i in range(state.m[LENGTH + zone]):
            state.m[AT[zone] + i] = -1


def test_abbreviations() -> None:
    game = given(player(0, hand=["Crow Carrier", "Keen Koi"]))
    play, discard = CARD_NUMBER["Crow Carrier"], words.Move.DISCARD + CARD_NUMBER["Crow Carrier"]
    assert parse_move(game.state, "PLAY  crow") == play
    assert parse_move(game.state, "p crca") == play
    assert parse_move(game.state, "disc carrier") == discard
    assert parse_move(game.state, "do") == words.Move.PASS
    with pytest.raises(IllegalMove, match="'crow' could mean 'play Crow Carrier' or 'discard"):
        parse_move(game.state, "crow")
    with pytest.raises(IllegalMove, match="did you mean 'play Keen Koi'"):
        parse_move(game.state, "play Keen Koy")
    with pytest.raises(IllegalMove, match="'' is not a legal move; legal here: play Crow Carrier"):
        parse_move(game.state, "")


def test_marker_texts_are_exact_before_they_are_prefixes() -> None:
    game = given(player(0, hand=["Arrowgant Skeleton"]))
    game.choose("play Arrowgant Skeleton")
    assert game.options() == ["red +2", "green +2", "red +2, green +2"]
    game.choose("red +2")
    assert (game.red, game.green) == (6, 4)


def test_marker_texts_name_colours_and_printed_amounts() -> None:
    game = given(markers(red=2, green=3), player(0, hand=["Drowned Deserter"]))
    game.choose("play Drowned Deserter")
    assert game.options() == ["green -1", "red +2"]
    game = given(
        markers(red=2, green=9),
        player(0, hand=["Double-Shielded Turtle"]),
        tavern=["Keen Koi", "Leery Lizard", "Ace Fighter"],
    )
    game.choose("play Double-Shielded Turtle", "name Water")
    assert game.options() == ["red -2", "green -2", "red -2, green -2"]


def test_hidden_heroes_are_named_by_owner_and_age() -> None:
    game = given(
        player(0, hand=["Slaughtered Slime"], hidden=["Keen Koi"]),
        player(1, hidden=["Ace Fighter", "Crow Carrier"]),
    )
    game.choose("play Slaughtered Slime", "red -1")
    assert game.options() == ["bury A's hidden 1", "bury B's hidden 1", "bury B's hidden 2"]
    game.choose("bury b 2")
    assert game.graveyard == ["Crow Carrier"]


def test_the_two_picks_of_an_exchange() -> None:
    game = given(player(0, hand=["Groggy Preacher"]), tavern=["Keen Koi"])
    game.choose("play Groggy Preacher", "red +1")
    assert game.options() == ["exchange Keen Koi"]
    game.choose("exchange Keen Koi")
    assert game.options() == ["for Groggy Preacher"]


def test_setup_and_chance_have_texts() -> None:
    state = new_game(2)
    assert move_text(state, words.Move.LEADER + 1) == "leader Cyra"
    rng = Rng(1)
    seen: set[str] = set()
    while state.turns == 0:
        seen.update(move_text(state, move) for move in state.moves())
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.moves()[0])
    assert {"A begins", "B begins", "harbor: Keen Koi"} <= seen
    assert any(text.startswith("hide ") for text in seen)


# ---- tables -----------------------------------------------------------------------------------


def test_the_board_of_a_seat_hides_the_secrets_of_others() -> None:
    game = given(
        markers(red=4, green=4),
        player(0, hand=["Keen Koi"], hidden=["Ace Fighter"], leader="Cyra"),
        player(1, hand=["Crow Carrier"], open=["Leery Lizard"], leader="Enned"),
        tavern=["Furious Frog"],
        graveyard=["Buried Emperor"],
    )
    whole = draw_board(game.state)
    for word in ("Cyra", "Enned", "Keen Koi", "Ace Fighter", "Crow Carrier", "RG"):
        assert word in whole
    mine = draw_board(game.state, seat=1)
    assert "Enned" in mine
    assert "Crow Carrier" in mine
    assert "top Buried Emperor" in mine
    assert "Furious Frog (W), -, -" in mine
    for word in ("Cyra", "Keen Koi", "Ace Fighter"):
        assert word not in mine


def test_the_board_at_the_end_and_with_unknown_cards() -> None:
    state = new_game(2)
    state.playout(Rng(5))
    assert draw_board(state).startswith(f"over after {state.turns} turns")
    game = given(player(1, hand=["Crow Carrier"], hidden=["Keen Koi"]))
    blindfold(game.state)
    assert draw_board(game.state).count("?") == 2
