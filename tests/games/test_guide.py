"""Help for a person who plays: cards, goals, events, outcomes."""

import pytest

from games.errors import UnknownCard
from games.hidden_leaders.game import GAME
from games.hidden_leaders.guide import RULES
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import FACTION_NAMES
from games.hidden_leaders.text.moves import parse_move
from games.registry import GameHelp, game
from games.state import CHANCE, NOBODY, Rng
from tests.support.playing import random_replay

HELP = GAME.help


def news_of(position: str, *moves: str, seat: int = 0) -> list[str]:
    """The news a seat gets of the last of these moves, beyond its text."""
    state = read(position).complete(Rng(1))
    for words in moves[:-1]:
        state.play(parse_move(state, words))
    view = HiddenLeadersView(seat, state.players)
    view.decisions = 1
    view._board = state.copy()
    state.record()
    state.play(parse_move(state, moves[-1]))
    return [
        news for event in state.take_events(seat) if (news := HELP.news(view, event, moves[-1]))
    ]


# ---- help ---------------------------------------------------------------------------------------


def test_every_hero_leader_and_faction_is_described() -> None:
    for hero in HEROES:
        said = HELP.describe(hero.name)
        assert said.startswith(f"{hero.name} ({hero.code})")
        assert HELP.hint(f"play {hero.name}") in said
        assert HELP.describe(f"play {hero.name}") == said
    for leader in LEADERS:
        assert HELP.describe(leader.name.upper()).startswith(f"{leader.name} (number ")
    for name in FACTION_NAMES.values():
        assert HELP.describe(name.lower()).startswith(f"{name} wins if ")
        assert name in RULES


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("crow carier", "there is no hero 'crow carier'; did you mean 'Crow Carrier'"),
        ("xiadull", "there is no card 'xiadull'; did you mean 'Xiadul'"),
        ("tribe", "did you mean 'Tribes'"),
        ("grumpy", None),
        ("", "there is no hero ''"),
    ],
)
def test_an_unknown_name_gets_the_closest_one_suggested(words: str, hint: str | None) -> None:
    if hint is None:
        assert HELP.describe(words).startswith("Grumpy Guard")
        return
    with pytest.raises(UnknownCard, match=hint):
        HELP.describe(words)


def test_only_choices_that_play_a_hero_have_a_hint() -> None:
    assert HELP.hint("draw Keen Koi") == "Move the leading marker -1 and the trailing marker +1."
    for words in ("discard Keen Koi", "bury Keen Koi", "draw from the harbor", "do nothing", ""):
        assert HELP.hint(words) == ""


def test_a_game_needs_no_help() -> None:
    silent = GameHelp()
    assert silent.describe("Keen Koi") == silent.hint("play Keen Koi") == silent.rules == ""
    assert silent.outcome(game("hidden-leaders").new(2)) == ""


# ---- aims ---------------------------------------------------------------------------------------


def test_the_goal_names_factions_distances_and_the_end() -> None:
    view = HiddenLeadersView(0, 3)
    view._board = read("red 6; green 4; A leader Xiadul; B open KeKo JoCh; C hand KrKe").complete(
        Rng(1)
    )
    assert HELP.aim(view) == (
        "You are A, for Undead (8 steps away) and Empire (ahead). "
        "As the markers stand, Empire would win.\n"
        "7 open heroes in one party end the game; most so far: 2 (B)."
    )
    view._board.red = 5
    assert "Empire (1 step away). As the markers stand, Water would win." in HELP.aim(view)
    assert "none is open yet" in HELP.aim(dealt_in())


def dealt_in() -> HiddenLeadersView:
    view = HiddenLeadersView(1, 2)
    view._board = read("A leader Cyra; B leader Enned").complete(Rng(1))
    return view


# ---- news ---------------------------------------------------------------------------------------


TABLE = "red 4; green 4; A leader Cyra hand FlKn WaWi SpSh; B leader Enned hidden JoCh"


def test_marker_moves_name_both_spaces() -> None:
    assert news_of(TABLE, "play Flailing Knight") == ["red 4 to 3, green 4 to 1"]
    assert news_of(TABLE, "do nothing") == []


def test_a_card_turned_up_is_named_to_everybody() -> None:
    said = "Joyless Chief (T) from {} hidden heroes to {} party"
    moves = ("play Spirited Shaman", "turn over B's hidden 1")
    assert news_of(TABLE, *moves, seat=0) == [said.format("B's", "B's")]
    assert news_of(TABLE, *moves, seat=1) == [said.format("your", "your")]


def test_only_the_looker_learns_which_card_was_looked_at() -> None:
    moves = ("play Watchful Witch", "red -1", "look at B's hidden 1")
    assert news_of(TABLE, *moves, seat=0) == ["B's hidden 1 is Joyless Chief (T)"]
    assert news_of(TABLE, *moves, seat=1) == []


def test_news_repeats_nothing_and_skips_the_deal() -> None:
    """Over whole games: no news of a card that the move has named, nor of cards being dealt."""
    captured = 0
    for seed in range(6):
        replay = random_replay(3, seed)
        state, view = replay.new(record=True), HiddenLeadersView(0, 3)
        words = ""
        for move in replay.moves:
            if state.actor != CHANCE:
                words = game("hidden-leaders").text.move(state, move)
            dealing = view.decisions == 0
            state.play(move)
            for event in state.take_events(0):
                news = HELP.news(view, event, words)
                view.observe(event)
                captured += bool(news)
                assert not dealing or news in ("", "you begin", "B begins", "C begins")
                assert not any(hero.name in words and hero.name in news for hero in HEROES)
    assert captured > 200


# ---- outcomes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        (
            "over empire; red 8; green 4; A leader Cyra open AcFi; B leader Enned",
            [
                "Empire has won: red is ahead by two or more",
                "A supports it, Cyra (Water and Empire): 1 Empire in a party of 1.",
                "A wins: nobody else does.",
            ],
        ),
        (
            "over empire; red 8; green 4; A leader Cyra open AcFi; B leader Pavyr hidden FlKn BuEm",
            ["B wins: the most heroes of that faction."],
        ),
        (
            "over tribes; red 4; green 8; A leader Lemron open JoCh KeKo; B leader Pavyr open HaHe",
            ["B wins: tied for most heroes of that faction, with fewer heroes in all."],
        ),
        (
            "over undead; red 9; green 12; A leader Enned open CrCa; B leader Myrad open WrWa",
            [
                "Undead has won: both markers are in the war zone, 9 to 12.",
                "A wins: a tie, and the highest leader number, 6.",
            ],
        ),
        (
            "over water; red 5; green 4; A leader Xiadul open CrCa; B leader Pavyr",
            ["No leader at the table supports it, so nobody wins."],
        ),
        (
            "over limit; turns 2; limit 2; A leader Cyra; B leader Enned",
            ["by its turn limit after 2 turns,"],
        ),
    ],
)
def test_the_outcome_says_which_faction_won_and_what_decided(
    position: str, lines: list[str]
) -> None:
    state = read(f"threshold 1; {position}").state()
    said = HELP.outcome(state)
    for line in lines:
        assert line in said
    assert (state.winner == NOBODY) == (" wins: " not in said)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_outcome_names_the_winner(players: int) -> None:
    for seed in range(20):
        state = random_replay(players, seed).state()
        last = HELP.outcome(state).splitlines()[-1]
        assert [last.startswith(f"{'ABCDEF'[seat]} wins: ") for seat in range(players)] == [
            seat in state.winners() for seat in range(players)
        ]
