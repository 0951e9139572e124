"""The end of the game: when it ends, which faction wins, and which player."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import (
    EMPIRE,
    FACTIONS,
    TRIBES,
    UNDEAD,
    WATER,
    Event,
    Zone,
)
from games.hidden_leaders.rules.scoring import winning_faction
from games.state import NOBODY, UNSEEN
from tests.support.dealing import fresh
from tests.support.scenario import Player, Scenario, draws, given, markers, player

HILL = [h.name for h in HEROES if h.faction == TRIBES]
ARMY = [h.name for h in HEROES if h.faction == EMPIRE]
DEAD = [h.name for h in HEROES if h.faction == UNDEAD]
SEA = [h.name for h in HEROES if h.faction == WATER]


def ending(red: int, green: int, *seats: Player) -> Scenario:
    """A game that ends with this turn, because one open hero is enough."""
    game = given(markers(red=red, green=green), *seats, threshold=1)
    game.end_turn()
    assert game.over
    return game


# ---- when the game ends -----------------------------------------------------------------------


@pytest.mark.parametrize(("players", "standard"), [(2, 8), (3, 7), (4, 7), (5, 6), (6, 5)])
def test_r79_thresholds(players: int, standard: int) -> None:
    """R79"""
    assert fresh(players).threshold == standard
    assert fresh(players, deck="beginner").threshold == standard - 1


@pytest.mark.parametrize(("players", "standard"), [(2, 8), (3, 7), (4, 7), (5, 6), (6, 5)])
def test_r79_one_less_is_not_enough(players: int, standard: int) -> None:
    """R79, R80"""
    game = given(player(0, open=HILL[: standard - 1]), players=players)
    game.end_turn()
    assert not game.over
    game = given(player(0, open=HILL[:standard]), players=players)
    game.end_turn()
    assert game.over


def test_r80_more_than_the_threshold_ends_the_game_too() -> None:
    """R80"""
    game = given(player(1, open=HILL[:10]))
    game.end_turn()
    assert game.over


def test_r80_the_emperor_counts_as_an_open_hero() -> None:
    """R80, R73"""
    game = given(player(0, hand=["Emperor"], open=HILL[:7]))
    game.play("Emperor")
    game.end_turn()
    assert game.over


def test_r81_the_game_ends_after_drawing_discarding_and_refilling() -> None:
    """R81: not as soon as the last hero is played."""
    game = given(player(0, hand=["Keen Koi"], open=HILL[:7]), tavern=["Ace Fighter"])
    game.play("Keen Koi")
    assert len(game.open(0)) == 8
    assert not game.over
    game.choose("draw Ace Fighter")
    for name in DEAD[:3]:
        game.choose("draw from the harbor", draws(name))
    game.choose("discard Ace Fighter")
    assert not game.over
    game.choose(draws(*SEA[:2]))
    assert not game.over
    game.choose(draws(SEA[2]))
    assert game.over


def test_r81_reaching_the_threshold_in_between_does_not_count() -> None:
    """R81: the Executioner is the eighth, then buries one."""
    game = given(player(0, hand=["Unconfident Executioner"], open=HILL[:7]))
    game.play("Unconfident Executioner", f"bury {HILL[0]}")
    game.end_turn()
    assert not game.over


def test_r81_any_player_may_have_it() -> None:
    """R81: a hero turned face up in another party ends the game."""
    game = given(
        player(0, hand=["Long-Eared Loner"]), player(1, open=SEA[:7], hidden=["Ace Fighter"])
    )
    game.play("Long-Eared Loner", "turn over B's hidden 1")
    game.end_turn()
    assert game.over


def test_r81_heroes_lost_before_the_end_of_the_turn_do_not_count() -> None:
    """R81: taken from another party in time."""
    game = given(player(0, hand=["Saber-Toothed Troll"]), player(1, open=SEA[:8]))
    game.play("Saber-Toothed Troll", f"take {SEA[0]}", "green +2")
    game.end_turn()
    assert not game.over


def test_r82_it_makes_no_difference_who_has_the_threshold() -> None:
    """R82: the winner is the same whichever party has it."""
    for mine, theirs in ((HILL[:8], []), ([], ARMY[:8]), (HILL[:8], ARMY[:8])):
        game = given(
            markers(red=9, green=4),
            player(0, open=mine, leader="Lemron"),
            player(1, open=theirs, leader="Cyra"),
        )
        game.end_turn()
        assert game.winner == 1


# ---- which faction ----------------------------------------------------------------------------

PICTURES = [
    (9, 9, UNDEAD),
    (12, 9, UNDEAD),
    (9, 12, UNDEAD),
    (10, 11, UNDEAD),
    (4, 4, WATER),
    (5, 4, WATER),
    (4, 5, WATER),
    (8, 8, WATER),
    (8, 9, WATER),
    (9, 8, WATER),
    (1, 1, WATER),
    (6, 4, EMPIRE),
    (10, 8, EMPIRE),
    (12, 8, EMPIRE),
    (12, 1, EMPIRE),
    (3, 1, EMPIRE),
    (4, 6, TRIBES),
    (8, 10, TRIBES),
    (8, 12, TRIBES),
    (1, 12, TRIBES),
    (7, 10, TRIBES),
]


@pytest.mark.parametrize(("red", "green", "faction"), PICTURES)
def test_r83_the_winning_faction(red: int, green: int, faction: int) -> None:
    """R83: the four pictures and the borders between them, at the end of a real turn."""
    game = ending(red, green, player(0, open=["Keen Koi"]))
    assert game.state.faction == winning_faction(red, green) == faction


def test_r83_all_144_endings() -> None:
    """R83: the first condition that holds decides."""
    for red in range(1, 13):
        for green in range(1, 13):
            cases = [
                (red >= 9 and green >= 9, UNDEAD),
                (abs(red - green) <= 1, WATER),
                (red - green >= 2, EMPIRE),
                (green - red >= 2, TRIBES),
            ]
            first = next(faction for holds, faction in cases if holds)
            assert winning_faction(red, green) == first, (red, green)


def test_r83_red_and_green_are_mirrors() -> None:
    """R83: swapping the markers swaps Empire and Tribes and nothing else."""
    mirror = {UNDEAD: UNDEAD, WATER: WATER, EMPIRE: TRIBES, TRIBES: EMPIRE}
    for red in range(1, 13):
        for green in range(1, 13):
            assert winning_faction(green, red) == mirror[winning_faction(red, green)]


# ---- the table is cleared ---------------------------------------------------------------------


def test_r84_hands_are_discarded_unseen_leaders_and_hidden_heroes_are_shown() -> None:
    """R84, P40, P41"""
    game = given(
        player(0, hand=SEA[1:4], open=[SEA[0]], hidden=[ARMY[0]], leader="Cyra"),
        player(1, hand=HILL[:2], hidden=[DEAD[0], DEAD[1]], leader="Myrad"),
        threshold=1,
        harbor=[],
    )
    game.events(0), game.events(1)
    game.choose("do nothing")
    assert game.over
    assert game.hand(0) == game.hand(1) == []
    assert sorted(game.wilderness) == sorted([*SEA[1:4], *HILL[:2]])
    events = game.events(0)
    unseen = [
        e[5]
        for e in events
        if e[0] == Event.MOVED and (e[1], e[3]) == (Zone.HAND + 1, Zone.WILDERNESS)
    ]
    assert unseen == [UNSEEN, UNSEEN]
    assert [e[1:] for e in events if e[0] == Event.LEADER] == [(0, 1), (1, 2)]
    assert len([e for e in events if e[0] == Event.SEEN and e[3] != UNSEEN]) == 3
    assert events[-1] == (Event.OVER, WATER, 0)


def test_r84_hidden_heroes_stay_in_their_party_for_counting() -> None:
    """R84, R87"""
    game = ending(
        4,
        4,
        player(0, open=["Keen Koi"], leader="Lemron"),
        player(1, hidden=SEA[2:5], leader="Cyra"),
    )
    assert game.winner == 1


# ---- which player -----------------------------------------------------------------------------


def test_r85_the_only_supporter_wins_without_a_single_hero() -> None:
    """R85"""
    game = ending(
        9,
        4,
        player(0, open=ARMY[:5], leader="Lemron"),
        player(1, leader="Xiadul"),
        player(2, open=ARMY[5:9], leader="Enned"),
    )
    assert game.state.faction == EMPIRE
    assert game.winner == 1


def test_r86_without_a_supporter_nobody_wins() -> None:
    """R86"""
    game = ending(
        9,
        4,
        player(0, open=ARMY[:2], leader="Lemron"),
        player(1, leader="Myrad"),
        player(2, leader="Enned"),
    )
    assert game.state.faction == EMPIRE
    assert game.winner is None
    assert game.state.winners() == ()
    assert game.state.winner == NOBODY


def test_r86_four_players_always_have_a_supporter() -> None:
    """R86: three leaders for each faction leave only three without."""
    leaders = ["Lemron", "Myrad", "Enned", "Cyra"]
    game = ending(
        9,
        4,
        *(player(seat, open=HILL[seat : seat + 1], leader=n) for seat, n in enumerate(leaders)),
    )
    assert game.winner == 3


def supporters(faction: int) -> list[str]:
    return {
        UNDEAD: ["Myrad", "Xiadul", "Enned"],
        WATER: ["Lemron", "Cyra", "Enned"],
        EMPIRE: ["Cyra", "Xiadul", "Pavyr"],
        TRIBES: ["Lemron", "Myrad", "Pavyr"],
    }[faction]


WHERE = {UNDEAD: (10, 10), WATER: (4, 5), EMPIRE: (9, 4), TRIBES: (4, 9)}
FOLK = {UNDEAD: DEAD, WATER: SEA, EMPIRE: ARMY, TRIBES: HILL}


@pytest.mark.parametrize("faction", FACTIONS)
def test_r87_most_heroes_of_the_winning_faction(faction: int) -> None:
    """R87: against fewer heroes in all and a higher number."""
    low, _, high = supporters(faction)
    folk = FOLK[faction]
    others = [name for name in HILL + SEA if name not in folk]
    game = ending(
        *WHERE[faction],
        player(0, open=[*folk[:2], *others[:4]], leader=low),
        player(1, open=folk[2:3], leader=high),
    )
    assert game.state.faction == faction
    assert game.winner == 0


def test_r87_open_and_hidden_count_alike() -> None:
    """R87"""
    game = ending(
        9,
        4,
        player(0, open=ARMY[:2], leader="Pavyr"),
        player(1, open=ARMY[2:3], hidden=ARMY[3:5], leader="Cyra"),
    )
    assert game.winner == 1


def test_r87_the_emperor_counts_as_one() -> None:
    """R87: open or hidden, for any faction."""
    for party in ({"open": ["Emperor"]}, {"hidden": ["Emperor"]}):
        game = ending(
            9, 4, player(0, open=HILL[:1], leader="Pavyr"), player(1, **party, leader="Cyra")
        )
        assert game.winner == 1
    game = ending(
        9,
        4,
        player(0, open=ARMY[:2], leader="Pavyr"),
        player(1, open=[ARMY[2], "Emperor"], leader="Cyra"),
    )
    assert game.winner == 0, "two each, two heroes each: the number decides"


def test_r87_heroes_of_other_factions_do_not_count() -> None:
    """R87: the leader's second faction has not won."""
    game = ending(
        9,
        4,
        player(0, open=HILL[:5], leader="Pavyr"),
        player(1, open=ARMY[:1], leader="Cyra"),
    )
    assert game.winner == 1


@pytest.mark.parametrize("hidden", [False, True])
def test_r88_then_the_fewest_heroes_in_all(hidden: bool) -> None:
    """R88: open and hidden, against the higher number."""
    extra = HILL[:1]
    game = ending(
        9,
        4,
        player(
            0,
            open=ARMY[:2] + ([] if hidden else extra),
            hidden=extra if hidden else [],
            leader="Pavyr",
        ),
        player(1, open=ARMY[2:4], leader="Cyra"),
    )
    assert game.winner == 1


def test_r88_the_emperor_is_one_hero_among_all() -> None:
    """R88: with the Emperor as one of three, against two."""
    game = ending(
        9,
        4,
        player(0, open=[ARMY[0], "Emperor", HILL[0]], leader="Pavyr"),
        player(1, open=ARMY[2:4], leader="Cyra"),
    )
    assert game.winner == 1


def test_r88_an_empty_party_is_the_smallest() -> None:
    """R88: nobody has a hero of the faction."""
    game = ending(9, 4, player(0, open=HILL[:1], leader="Pavyr"), player(1, leader="Cyra"))
    assert game.winner == 1


@pytest.mark.parametrize("faction", FACTIONS)
def test_r89_then_the_highest_leader_number(faction: int) -> None:
    """R89"""
    low, middle, high = supporters(faction)
    folk = FOLK[faction]
    game = ending(
        *WHERE[faction],
        player(0, open=folk[:2], leader=middle),
        player(1, open=folk[2:4], leader=high),
        player(2, open=folk[4:5], hidden=folk[5:6], leader=low),
    )
    assert game.state.faction == faction
    assert game.winner == 1


def test_r90_players_of_other_factions_cannot_win() -> None:
    """R90: most Empire heroes, fewest heroes and highest number do not help the others."""
    game = ending(
        9,
        4,
        player(0, open=ARMY[:3], leader="Lemron"),
        player(1, open=ARMY[3:4], leader="Cyra"),
        player(2, leader="Enned"),
        player(3, open=[*ARMY[4:5], *HILL[:1]], leader="Pavyr"),
    )
    assert game.winner == 1


def test_r90_each_tie_break_only_among_those_tied_before() -> None:
    """R90: the smallest party and the highest number belong to one already out."""
    game = ending(
        9,
        4,
        player(0, open=[*ARMY[:2], *HILL[:1]], leader="Cyra"),
        player(1, open=[*ARMY[2:4], *HILL[1:2]], leader="Xiadul"),
        player(2, open=ARMY[4:5], leader="Pavyr"),
    )
    assert game.winner == 1, "Cyra and Xiadul tie twice; Pavyr has one Empire hero only"


def test_r90_all_three_tie_breaks_in_a_chain() -> None:
    """R90, R87, R88, R89: each round removes one."""
    seats = [
        player(0, open=ARMY[:1], leader="Lemron"),
        player(1, open=[*SEA[:3], *HILL[:1]], leader="Cyra"),
        player(2, open=[*SEA[3:6], *DEAD[:1]], leader="Enned"),
        player(3, open=HILL[1:3], leader="Pavyr"),
    ]
    assert ending(4, 4, *seats).winner == 2, "three Water heroes each, four heroes each: 6 beats 2"
    seats[2] = player(2, open=[*SEA[3:6], *DEAD[:2]], leader="Enned")
    assert ending(4, 4, *seats).winner == 1, "five heroes against four"
    seats[0] = player(0, open=[*SEA[6:10], *DEAD[2:6]], leader="Lemron")
    assert ending(4, 4, *seats).winner == 0, "four Water heroes"


# ---- a whole ending ---------------------------------------------------------------------------


def last_turn(red: int) -> Scenario:
    """Four players; Anna (seat 1) needs a seventh open hero somewhere, and has the Priest."""
    return given(
        markers(red=red, green=7),
        player(0, open=["Keen Koi", "Hairy Hermit"], hidden=["Furious Frog"], leader="Enned"),
        player(
            1,
            hand=["Doubtful Priest", "Spirited Shaman", "Flailing Knight"],
            open=["Ace Fighter", "Canned Champion", "Grumpy Guard", "Bored Goblin"],
            hidden=["Well-Aged Warrior"],
            leader="Pavyr",
        ),
        player(
            2,
            open=["Crow Carrier", "Leery Lizard", "Arrowgant Skeleton"],
            hidden=["Short-Sighted Soldier", "Underpaid Mercenary"],
            leader="Xiadul",
        ),
        player(
            3,
            open=[
                "Mummy Mystic",
                "Lethargic Leech",
                "Depressed Druid",
                "Drowned Deserter",
                "Triple Sword Lizard",
                "Groggy Preacher",
            ],
            hidden=["Aimless Eel"],
            leader="Lemron",
        ),
        turn=1,
        players=4,
    )


def test_the_last_turn_of_a_game_of_four() -> None:
    """R53, R36, R81, R83, R87: Priest, the neighbour's marker, Shaman, a hero turned up, the end.

    Seat 1 wants the Empire. The Priest lets seat 2 decide about red; seat 2 wants the Empire too
    (and the Undead) and chooses +2. The Shaman, played on top, takes one step from both markers and
    turns up the hidden hero of seat 3, whose seventh open hero ends the game. Red is then three
    ahead. Seats 1 and 2 both support the Empire: seat 1 has four Empire heroes, one of them hidden,
    seat 2 has two.
    """
    game = last_turn(red=8)
    game.choose("play Doubtful Priest")
    assert game.actor == 2
    game.choose("red +2")
    assert game.actor == 1
    assert game.options() == ["play Spirited Shaman", "pass"], "the Knight is of the Empire"
    game.choose("play Spirited Shaman")
    assert (game.red, game.green) == (9, 6)
    game.choose("turn over D's hidden 1")
    assert len(game.open(3)) == 7
    assert not game.over
    game.end_turn()
    assert game.over
    assert game.state.faction == EMPIRE
    assert game.winner == 1


def test_the_same_turn_if_the_next_player_opposes_it() -> None:
    """R36, R83: red -2 leaves the markers together: the Water Folk, seats 0 and 3."""
    game = last_turn(red=8)
    game.play("Doubtful Priest", "red -2", "play Spirited Shaman", "turn over D's hidden 1")
    assert (game.red, game.green) == (5, 6)
    game.end_turn()
    assert game.state.faction == WATER
    assert game.winner == 3, "three Water heroes against two"


def test_the_same_turn_turning_a_hero_face_down_instead() -> None:
    """R81, R68: seat 3 has five open heroes left and the game continues."""
    game = last_turn(red=8)
    game.play("Doubtful Priest", "red +2", "play Spirited Shaman", "turn over Groggy Preacher")
    game.end_turn()
    assert not game.over
    assert game.hidden(3) == ["Aimless Eel", "Groggy Preacher"]
    assert game.turn == 2


def test_the_same_turn_without_the_extra_card() -> None:
    """R53: passing leaves six open heroes everywhere at most."""
    game = last_turn(red=8)
    game.play("Doubtful Priest", "red +2", "pass")
    game.end_turn()
    assert not game.over
