"""The position notation of Secrets: every state survives it, every mistake in it is named."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

from games.errors import BadPosition
from games.questions import TooManyWorlds
from games.secrets.constants import CENTRE, Character, Phase, Token
from games.secrets.invariants import invariants
from games.secrets.late_view import late_events
from games.secrets.moves import move_text
from games.secrets.notation import PHASES, read, write
from games.secrets.position import position_of
from games.secrets.state import Secrets, new_game
from games.secrets.table import SHOT
from games.secrets.view import SecretsView
from games.secrets.worlds import PosedSecrets, pose
from games.state import CHANCE, NOBODY, Rng
from tests.support.volume import volume

KNOWN = "A token CIA; B token KGB; C token KGB; D token Hippie; centre CIA"
"""Four players and every token."""
TWO = "turned Detective Scientist"
FEWEST = "A up Scientist; B up Detective; C up Scientist"
"""D has fewest cards, and the UN token."""


def problems(text: str) -> list[str]:
    with pytest.raises(BadPosition) as caught:
        read(text)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


def words(state: Secrets) -> list[str]:
    return [move_text(state, move) for move in state.moves()]


# ---- round trips ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("players", range(4, 9))
def test_every_state_of_random_games_survives(players: int) -> None:
    phases: Counter[int] = Counter()
    for seed in range(4):
        rng = Rng(seed)
        state = new_game(players)
        while True:
            text = write(state)
            again = read(text).state()
            assert again.key() == state.key(), text
            assert again.moves() == state.moves(), text
            assert invariants(again) == []
            assert position_of(again) == read(text)
            phases[state.phase] += 1
            if state.actor == NOBODY:
                assert again.winners() == state.winners()
                break
            if state.actor == CHANCE:
                state.sample_chance(rng)
            else:
                state.play(state.legal[rng.below(state.count)])
    assert len(phases) >= len(PHASES) - 4


def test_a_state_read_back_plays_on_identically() -> None:
    rng = Rng(5)
    state = new_game(5)
    for _ in range(40):
        state.play(rng.choice(state.moves()))
    again = read(write(state)).state()
    while state.actor != NOBODY:
        move = rng.choice(state.moves())
        state.play(move)
        again.play(move)
        assert again.key() == state.key()


# ---- the grammar ------------------------------------------------------------------------------


def test_defaults() -> None:
    state = read(KNOWN).state()
    assert (state.players, state.player, state.first, state.turns) == (4, 0, 0, 0)
    assert state.actor == CHANCE
    assert state.bag == 29
    assert state.un == NOBODY
    assert [state.token(place) for place in (0, 1, 2, 3, CENTRE)] == [
        Token.CIA,
        Token.KGB,
        Token.KGB,
        Token.HIPPIE,
        Token.CIA,
    ]


def test_everything_a_person_may_type() -> None:
    state = read(
        """
        PLAYERS 4; turn b      # a comment
        a token cia up "Double Agent" down journalist x2
        A bullets -2
        B token KGB up double-agent, polit
        C token kgb up assassin; D token hippie; un D; centre CIA
        bottom Scientist Politician *2
        turned Diplomat x2 Detective
        """
    ).state()
    assert state.actor == 1
    assert words(state) == ["offer Detective", "offer Diplomat"]
    assert state.bottom_cards() == [Character.SCIENTIST, 1, 1, 6]
    assert (state.turns, state.first, state.un) == (6, 3, 3)
    assert state.m[SHOT] == 1 << 2


@pytest.mark.parametrize(
    ("moment", "actor", "first_move"),
    [
        (TWO, 0, "offer Detective"),
        (f"{TWO}; offer Detective", 0, "to B"),
        (f"{TWO}; offer Detective; to B", 0, "claim Double Agent"),
        (f"{TWO}; offer Detective; to B; claim -", 1, "accept"),
        (f"{TWO}; offer Detective; to B; phase answer", 1, "accept"),
        (f"{TWO}; offer Detective; to B; claim Scientist; B up Scientist", 1, "accept"),
        (f"{TWO}; offer Detective; to C; claim -; {FEWEST}", 3, "interrupt"),
        (f"{TWO}; offer Detective; to C; phase answer; {FEWEST}", 2, "accept"),
        (f"{TWO}; offer Detective; to B; taker B; B up Detective", 1, "look at A"),
        (
            "turned Politician Diplomat; offer Politician; to B; taker A; A up Politician",
            0,
            "pass to B",
        ),
        (
            "turned Politician Diplomat; offer Diplomat; to D; taker D; D up Diplomat",
            3,
            "swap left, with A",
        ),
        (
            "turned Psychiatrist Diplomat; offer Psychiatrist; to D; taker A; A up Psychiatrist",
            0,
            "swap A and B",
        ),
        (
            "turned Assassin Diplomat; offer Assassin; to B; taker B; B up Assassin; bullet -3",
            1,
            "give to A",
        ),
    ],
)
def test_every_decision_can_be_written_down(moment: str, actor: int, first_move: str) -> None:
    state = read(f"{KNOWN}; {moment}").state()
    assert state.actor == actor
    assert words(state)[0] == first_move
    assert invariants(state) == []
    assert read(write(state)).state().key() == state.key()


def test_pending_chance_can_be_written_down() -> None:
    assert words(read(KNOWN).state())[0] == "turned up: Double Agent"
    bullet = "turned Assassin Diplomat; offer Assassin; to B; taker B; B up Assassin"
    assert words(read(f"{KNOWN}; {bullet}").state()) == [f"Bullet {k}" for k in (0, -1, -2, -3)]
    assert words(read("turn -; A token -; B token -; C token -; D token -; centre -").state()) == [
        f"{letter} begins" for letter in "ABCD"
    ]


def test_a_deck_without_chance_is_turned_up_at_once() -> None:
    state = read(f"{KNOWN}; deck -; bottom Scientist x2 Detective").state()
    assert state.phase == Phase.CHOOSE
    assert state.bottom_cards() == [Character.SCIENTIST]
    alone = read(f"{KNOWN}; deck -; bottom Scientist").state()
    assert alone.phase == Phase.TARGET
    assert alone.offered == Character.SCIENTIST
    assert read(write(alone)).state().key() == alone.key()


def test_positions_are_values() -> None:
    assert read(KNOWN) == read(f"players 4; turn A; {KNOWN}; un -")
    asked = read(f"A token ? up Assassin bullets ?; {TWO}; offer ?; to C; phase answer")
    assert read(write(asked)) == asked
    assert str(pose(KNOWN)) == write(read(KNOWN))


# ---- what is not known ------------------------------------------------------------------------


def test_unknowns_are_named_and_must_be_filled() -> None:
    position = read(f"A token CIA up Assassin bullets ?; {TWO}; to B; phase answer")
    assert position.phase == Phase.ANSWER
    with pytest.raises(BadPosition) as caught:
        position.state()
    assert caught.value.problems == [
        "A bullets: 1 unknown",
        "B token: unknown",
        "C token: unknown",
        "D token: unknown",
        "centre: unknown",
        "offer: unknown",
    ]


def test_worlds_are_all_arrangements_of_what_is_left() -> None:
    # Left are one CIA, two KGB and a Hippie token for four places: 4! / 2! arrangements. The two
    # Bullets have C(3, 1) * C(2, 1) values, and the offer is either card.
    posed = PosedSecrets(
        read(
            "A token CIA up Assassin bullets ?; B up Assassin bullets ?; C up Assassin bullets -1; "
            f"{TWO}; to B; phase answer"
        )
    )
    worlds = posed.worlds(500)
    assert len(worlds) == posed.world_count() == 12 * 6 * 2
    assert len({world.key() for world in worlds}) == len(worlds)
    assert all(invariants(world) == [] for world in worlds)
    hippies = Counter(place for world in worlds for place in range(4) if world.role(place) == 2)
    assert hippies == {1: 36, 2: 36, 3: 36}
    assert not posed.can_idle()
    with pytest.raises(TooManyWorlds, match="there are 144 ways to fill in what is unknown"):
        posed.worlds(143)


def test_a_world_is_described_by_what_was_unknown() -> None:
    posed = PosedSecrets(
        read(
            "A token CIA up Assassin bullets ?; B token KGB; C token ?; D token Hippie; "
            f"centre ?; {TWO}; offer ?; to B"
        )
    )
    told = [posed.told(world, idle=False) for world in posed.worlds(100)]
    assert told[0] == "A bullets 0; C token CIA; centre KGB; offer Detective"
    assert len(set(told)) == 4 * 2 * 2


# ---- every kind of mistake --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("players 3", "players 3: there are 4 to 8 players"),
        ("players 9", "players 9: there are 4 to 8 players"),
        ("players four", "players: one number is needed, not 'four'"),
        ("turn E", "turn E: there are only 4 players"),
        ("turn 2", "turn: one seat letter is needed, not '2'"),
        ("players 4; E token CIA", "seat E: there are only 4 players"),
        ("J token CIA", "seat J: there are at most 8 players"),
        ("turnd Scientist", "unknown key 'turnd'; did you mean 'turned' or 'turn'?"),
        ("turn A; turn B", "'turn' is given twice"),
        ("A up Scientist; A up Detective", "'A up' is given twice"),
        ("A tokn CIA", "'tokn' must follow one of token, up, down, bullets; did you mean 'token'"),
        ("A token CAI", "A token: one of CIA, KGB, Hippie or ? is needed, not 'CAI'; did you"),
        ("A token KGB; B token KGB; C token KGB", "3 KGB tokens are placed, but 4 players have 2"),
        ("A token -", "tokens not dealt yet are possible only in setup"),
        ("A up Sientist", "there is no character 'Sientist'"),
        ("A up D", "A up: 'D' could be 'Double Agent' or 'Detective' or 'Diplomat'"),
        ("A up Scientist x2", "A up: two cards Scientist cannot stay face up"),
        ("A down Scientist", "A down: Scientists are turned face down in twos"),
        ("A down Journalist", "a single Journalist lies face down only if two Scientists turned"),
        ("bottom Scientist x7", "Scientist: 7 are placed, but there are 6"),
        ("deck Scientist x6; A up Scientist", "Scientist: 7 are placed, but there are 6"),
        ("A up Scientist Detective Journalist Diplomat Politician", "A: 5 cards, but the game en"),
        ("A bullets -4", "A bullets: there is no Bullet '-4' (known: 0, -1, -2, -3)"),
        ("A bullets -1", "bullets: 1 lie in displays, but every Assassin there has brought one"),
        ("A up Assassin", "bullets: 0 lie in displays, but every Assassin there has brought one"),
        ("A up Assassin bullets -1; B up Assassin bullets -1", "the Bullet -1 lies in 2 places"),
        ("un B", "un: nobody alone has fewest cards when the turn begins"),
        (f"{FEWEST}; un B", "un: D has fewest cards"),
        ("phase chose", "phase: one of first, deal, reveal, choose,"),
        ("phase choose", "turned: the two characters to choose from are needed"),
        (f"{TWO} Scientist", "turned: cards are turned up only until there are two characters"),
        (f"{TWO} Diplomat", "turned: cards are turned up only until there are two characters"),
        (f"{TWO}; phase reveal", "phase reveal: two characters have been turned up already"),
        ("turned Scientist; offer Scientist", "turned: the deck holds more"),
        (f"{TWO}; offer Diplomat", "offer: Diplomat has not been turned up"),
        (f"{TWO}; offer ?", "offer: the seat that decides here knows the card"),
        (f"{TWO}; to B; phase claim", "offer: the card on offer is needed"),
        (f"{TWO}; offer Scientist; to A", "to: the player to whom the card is offered is needed"),
        (f"{TWO}; phase answer", "to: the player to whom the card is offered is needed"),
        (f"{TWO}; to B; phase choose", "offer, to and claim: nothing is on offer in this phase"),
        (f"{TWO}; offer Scientist; to B; phase un", "phase un: no UN player may interrupt here"),
        ("offer Scientist", "turned: the characters turned up in this turn are needed"),
        (f"{TWO}; offer ?; to A", "to: the player to whom the card is offered is needed"),
        ("claim", "claim: a character is needed"),
        (f"{TWO}; offer Detective; to B; taker B", "taker B: no Detective lies face up there"),
        (
            f"{TWO}; offer Detective; to B; taker C; C up Detective",
            "taker C: only the turn player, the target or the UN player can take it",
        ),
        (
            f"{TWO}; offer Scientist; to B; taker B; B up Scientist",
            "taker B: Scientist does not lead to this phase",
        ),
        (
            f"{TWO}; offer Detective; to B; phase look",
            "taker: the player who has taken the card is needed",
        ),
        (f"{TWO}; taker B; phase choose", "taker: no card has been taken yet in this phase"),
        (f"{TWO}; bullet -2", "bullet: it is given, as a number, when an Assassin is about to"),
        (
            "turned Diplomat Scientist; offer Diplomat; to B; taker B; B up Diplomat",
            "centre: the Diplomat has shown it to everybody, so it must be named",
        ),
        ("phase over", "phase over: no display is full"),
        (f"{TWO}; bullet -1 -2", "bullet: one Bullet is needed, not '-1 -2'"),
        (
            "turned Assassin Diplomat; offer Assassin; to B; taker B; B up Assassin; bullet ?",
            "bullet: it is given, as a number, when an Assassin is about to give it away",
        ),
        ("turn -", "tokens: 5 are dealt already"),
        (f"{KNOWN}; phase deal", "tokens: 5 are dealt already"),
        (f"turn -; {TWO}; phase choose", "turn: it is open only until chance has decided"),
        (
            f"{TWO}; offer ?; phase over; A up Scientist Detective Diplomat Journalist Politician",
            "offer: at the end every card is known",
        ),
    ],
)
def test_mistakes_are_named(text: str, problem: str) -> None:
    assert any(problem in found for found in problems(text)), problems(text)


def test_all_mistakes_are_named_together() -> None:
    found = problems("turnn B; A token CAI up Scientist x2; B down Detective; phase over; un A")
    assert len(found) == 6


@settings(max_examples=volume(150), deadline=None)
@hypothesis_given(
    st.lists(
        st.sampled_from(
            [
                *("A", "B", "E", "token", "up", "down", "bullets", "CIA", "Hippie", "?", "-", ";"),
                *("turned", "offer", "to", "claim", "taker", "phase", "over", "un", "turn", "deck"),
                *("Scientist", "Assassin", "Detective", "x2", "-1", "bottom", "bullet", "centre"),
                *("A knows B token", "knows", "Z"),
                *(";", ";", "; turned Scientist Detective ;", "; phase", *PHASES),
            ]
        ),
        max_size=25,
    )
)
def test_no_text_raises_anything_but_bad_position(said: list[str]) -> None:
    with suppress(BadPosition, TooManyWorlds):
        for world in pose(" ".join(said)).worlds(40):
            assert world.moves() or world.actor == NOBODY


def test_what_seats_know_is_read_and_written() -> None:
    position = read(f"{KNOWN}; {TWO}; A knows B token KGB D token Hippie")
    assert position.facts == ((0, 1, Token.KGB), (0, 3, Token.HIPPIE))
    assert read(write(position)) == position
    assert PosedSecrets(position).learned(0).roles == {1, 3}
    assert PosedSecrets(position).learned(1).roles == set()
    view = SecretsView(0, 4)
    for event in late_events(position.state(), 0, PosedSecrets(position).learned(0)):
        view.observe(event)
    assert view.tokens == [Token.CIA, Token.KGB, -1, Token.HIPPIE]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A knows B token CIA", "A knows B token: it must be the token that is named at seat B"),
        ("A knows A token CIA", "A knows A token: a seat knows its own token anyway"),
        ("A knows B up Scientist", "A knows B up: only what a seat knows of tokens can be said"),
        ("A knows Z token CIA", "A knows Z: there are at most 8 players"),
    ],
)
def test_what_seats_cannot_know_is_named(text: str, problem: str) -> None:
    assert problem in problems(f"{KNOWN}; {TWO}; {text}")


def test_a_player_may_have_turned_up_a_detective_before() -> None:
    # A pair is turned down only at the end of the turn: until then both lie face up.
    state = read(f"{KNOWN}; {TWO}; offer Detective; to B; taker B; B up Detective x2").state()
    assert state.up(1, Character.DETECTIVE) == 2
    state.play(state.moves()[0])
    assert state.down(1, Character.DETECTIVE) == 2
