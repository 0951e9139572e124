"""The end of the game: when it ends, which faction wins, and which player."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import EMPIRE, TRIBES, UNDEAD, WATER, Event, Zone
from games.hidden_leaders.rules.scoring import winning_faction
from games.state import NOBODY, UNSEEN
from tests.support.dealing import fresh
from tests.support.scenario import Scenario, draws, given, markers, player

FOLK = {
    letter: [hero.name for hero in HEROES if hero.faction == faction]
    for letter, faction in {"U": UNDEAD, "W": WATER, "E": EMPIRE, "T": TRIBES}.items()
}
HILL, ARMY, DEAD, SEA = (FOLK[letter] for letter in "TEUW")


def ending(spaces: str, parties: str, threshold: int = 1) -> Scenario:
    """A game that ends with this turn, because one open hero is enough.

    A party is its leader and a letter for each hero: its faction's, or a star for the Emperor.
    Hidden heroes follow a slash.
    """
    left = {letter: iter(names) for letter, names in FOLK.items()} | {"*": iter(["Emperor"])}
    seats = []
    for seat, party in enumerate(parties.split("; ")):
        leader, _, heroes = party.partition(" ")
        shown, hidden = ([next(left[h]) for h in part] for part in f"{heroes}/".split("/")[:2])
        seats.append(player(seat, open=shown, hidden=hidden, leader=leader))
    game = given(markers(*map(int, spaces.split())), *seats, threshold=threshold)
    game.end_turn()
    assert game.over
    return game


# ---- when the game ends -----------------------------------------------------------------------

THRESHOLDS = pytest.mark.parametrize(
    ("players", "standard"), [(2, 8), (3, 7), (4, 7), (5, 6), (6, 5)]
)


@THRESHOLDS
def test_r79_thresholds(players: int, standard: int) -> None:
    """R79"""
    assert fresh(players).threshold == standard
    assert fresh(players, deck="beginner").threshold == standard - 1


@THRESHOLDS
def test_r79_one_less_is_not_enough(players: int, standard: int) -> None:
    """R79, R80"""
    for heroes in (standard - 1, standard):
        game = given(player(0, open=HILL[:heroes]), players=players)
        game.end_turn()
        assert game.over == (heroes == standard)


def listed(names: list[str]) -> str:
    return ", ".join(names)


@pytest.mark.parametrize(
    ("table", "script", "over"),
    [
        pytest.param(f"B open {listed(HILL[:10])}", [], True, id="R80 more than the threshold"),
        pytest.param(
            f"A hand Emperor; A open {listed(HILL[:7])}",
            ["play Emperor"],
            True,
            id="R80, R73 the Emperor counts as an open hero",
        ),
        pytest.param(
            f"A hand Unconfident Executioner; A open {listed(HILL[:7])}",
            ["play Unconfident Executioner", f"bury {HILL[0]}"],
            False,
            id="R81 reaching the threshold in between does not count",
        ),
        pytest.param(
            f"A hand Long-Eared Loner; B open {listed(SEA[:7])}; B hidden Ace Fighter",
            ["play Long-Eared Loner", "turn over B's hidden 1"],
            True,
            id="R81 a hero turned face up in another party ends the game",
        ),
        pytest.param(
            f"A hand Saber-Toothed Troll; B open {listed(SEA[:8])}",
            ["play Saber-Toothed Troll", f"take {SEA[0]}", "green +2"],
            False,
            id="R81 heroes lost before the end of the turn do not count",
        ),
        pytest.param(
            "A open Keen Koi, Ace Fighter; A hidden Grumpy Guard, Crow Carrier; threshold 3",
            [],
            False,
            id="R68 hidden heroes do not count",
        ),
        pytest.param(
            "A open Keen Koi, Ace Fighter, Grumpy Guard; A hidden Crow Carrier; threshold 3",
            [],
            True,
            id="R68 open ones do",
        ),
    ],
)
def test_when_the_game_ends(table: str, script: list[str], over: bool) -> None:
    game = given(table)
    game.choose(*script)
    game.end_turn()
    assert game.over == over


def test_r81_the_game_ends_after_drawing_discarding_and_refilling() -> None:
    """R81: not as soon as the last hero is played."""
    game = given(f"A hand Keen Koi; A open {listed(HILL[:7])}; tavern Ace Fighter")
    game.play("Keen Koi")
    assert len(game.open(0)) == 8
    assert not game.over
    game.choose("draw Ace Fighter")
    for name in DEAD[:3]:
        game.choose("draw from the harbor", draws(name))
    game.choose("discard Ace Fighter")
    for name in SEA[:3]:
        assert not game.over
        game.choose(draws(name))
    assert game.over


@pytest.mark.parametrize(
    "parties", ["Lemron TTTTTTTT; Cyra", "Lemron; Cyra EEEEEEEE", "Lemron TTTTTTTT; Cyra EEEEEEEE"]
)
def test_r82_it_makes_no_difference_who_has_the_threshold(parties: str) -> None:
    """R82: the winner is the same whichever party has it."""
    assert ending("9 4", parties, threshold=8).winner == 1


# ---- which faction ----------------------------------------------------------------------------

PICTURES = {
    UNDEAD: [(9, 9), (12, 9), (9, 12), (10, 11)],
    WATER: [(4, 4), (5, 4), (4, 5), (8, 8), (8, 9), (9, 8), (1, 1)],
    EMPIRE: [(6, 4), (10, 8), (12, 8), (12, 1), (3, 1)],
    TRIBES: [(4, 6), (8, 10), (8, 12), (1, 12), (7, 10)],
}


@pytest.mark.parametrize(
    ("red", "green", "faction"),
    [(*spaces, faction) for faction, pictures in PICTURES.items() for spaces in pictures],
)
def test_r83_the_winning_faction(red: int, green: int, faction: int) -> None:
    """R83: the four pictures and the borders between them, at the end of a real turn."""
    game = ending(f"{red} {green}", "Cyra W; Enned")
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
    game.events(0)
    game.choose("do nothing")
    assert game.over
    assert game.hand(0) == game.hand(1) == []
    assert sorted(game.wilderness) == sorted([*SEA[1:4], *HILL[:2]])
    events = game.events(0)
    discarded = [e for e in events if e[0] == Event.MOVED and e[1] == Zone.HAND + 1]
    assert [(e[3], e[5]) for e in discarded] == [(Zone.WILDERNESS, UNSEEN)] * 2
    assert [e[1:] for e in events if e[0] == Event.LEADER] == [(0, 1), (1, 2)]
    assert len([e for e in events if e[0] == Event.SEEN and e[3] != UNSEEN]) == 3
    assert events[-1] == (Event.OVER, WATER, 0)


# ---- which player -----------------------------------------------------------------------------

WHERE = {"10 10": UNDEAD, "4 4": WATER, "4 5": WATER, "9 4": EMPIRE, "4 9": TRIBES}
WINNERS = {
    "R84, R87 hidden heroes count in their party": ("4 4", "Lemron W; Cyra /WWW", "B"),
    "R68, R87 two hidden heroes beat one open": ("4 4", "Enned W; Lemron /WW", "B"),
    "R85 the only supporter without a hero": ("9 4", "Lemron EEEEE; Xiadul; Enned EEEE", "B"),
    "R86 nobody without a supporter": ("9 4", "Lemron EE; Myrad; Enned", "-"),
    "R86 four players always have a supporter": ("9 4", "Lemron T; Myrad T; Enned T; Cyra T", "D"),
    "R87 most Undead, despite more heroes": ("10 10", "Myrad UUTTTT; Enned U", "A"),
    "R87 most Water, despite more heroes": ("4 5", "Lemron WWTTTT; Enned W", "A"),
    "R87 most Empire, despite more heroes": ("9 4", "Cyra EETTTT; Pavyr E", "A"),
    "R87 most Tribes, despite more heroes": ("4 9", "Lemron TTWWWW; Pavyr T", "A"),
    "R87 open and hidden count alike": ("9 4", "Pavyr EE; Cyra E/EE", "B"),
    "R87 the Emperor open counts as one": ("9 4", "Pavyr T; Cyra *", "B"),
    "R87 the Emperor hidden counts as one": ("9 4", "Pavyr T; Cyra /*", "B"),
    "R87 the Emperor counts as no more than one": ("9 4", "Pavyr EE; Cyra E*", "A"),
    "R87 a leader's other faction does not count": ("9 4", "Pavyr TTTTT; Cyra E", "B"),
    "R88 then the fewest heroes, open": ("9 4", "Pavyr EET; Cyra EE", "B"),
    "R88 then the fewest heroes, hidden": ("9 4", "Pavyr EE/T; Cyra EE", "B"),
    "R88 the Emperor is one hero among all": ("9 4", "Pavyr E*T; Cyra EE", "B"),
    "R88 an empty party is the smallest": ("9 4", "Pavyr T; Cyra", "B"),
    "R89 then the highest number, Undead": ("10 10", "Xiadul UU; Enned UU; Myrad U/U", "B"),
    "R89 then the highest number, Water": ("4 5", "Cyra WW; Enned WW; Lemron W/W", "B"),
    "R89 then the highest number, Empire": ("9 4", "Xiadul EE; Pavyr EE; Cyra E/E", "B"),
    "R89 then the highest number, Tribes": ("4 9", "Myrad TT; Pavyr TT; Lemron T/T", "B"),
    "R90 players of other factions cannot win": ("9 4", "Lemron EEE; Cyra E; Enned; Pavyr ET", "B"),
    "R90 a tie-break is among those tied before": ("9 4", "Cyra EET; Xiadul EET; Pavyr E", "B"),
    "R90, R89 a tie of two": ("4 4", "Lemron E; Cyra WWWT; Enned WWWU; Pavyr TT", "C"),
    "R90, R88 five heroes": ("4 4", "Lemron E; Cyra WWWT; Enned WWWUU; Pavyr TT", "B"),
    "R90, R87 four Water": ("4 4", "Lemron WWWWUUUU; Cyra WWWT; Enned WWWUU; Pavyr TT", "A"),
}


@pytest.mark.parametrize(("spaces", "parties", "winner"), WINNERS.values(), ids=WINNERS)
def test_who_wins(spaces: str, parties: str, winner: str) -> None:
    game = ending(spaces, parties)
    assert game.state.faction == WHERE[spaces]
    if winner == "-":
        assert (game.winner, game.state.winner, game.state.winners()) == (None, NOBODY, ())
    else:
        assert game.winner == "ABCD".index(winner)


# ---- a whole ending ---------------------------------------------------------------------------

LAST_TURN = (
    "markers 8 7; turn B; A open Keen Koi, Hairy Hermit; A hidden Furious Frog; A leader Enned",
    "B hand Doubtful Priest, Spirited Shaman, Flailing Knight; B leader Pavyr",
    "B open Ace Fighter, Canned Champion, Grumpy Guard, Bored Goblin; B hidden Well-Aged Warrior",
    "C open Crow Carrier, Leery Lizard, Arrowgant Skeleton; C leader Xiadul",
    "C hidden Short-Sighted Soldier, Underpaid Mercenary; D leader Lemron; D hidden Aimless Eel",
    "D open Mummy Mystic, Lethargic Leech, Depressed Druid, Drowned Deserter, Triple Sword Lizard",
    "D open Groggy Preacher",
)
"""Four players; Anna (seat B) needs a seventh open hero somewhere, and has the Priest."""


def test_the_last_turn_of_a_game_of_four() -> None:
    """R53, R36, R81, R83, R87: Priest, the neighbour's marker, Shaman, a hero turned up, the end.

    Seat 1 wants the Empire. The Priest lets seat 2 decide about red; seat 2 wants the Empire too
    (and the Undead) and chooses +2. The Shaman, played on top, takes one step from both markers and
    turns up the hidden hero of seat 3, whose seventh open hero ends the game. Red is then three
    ahead. Seats 1 and 2 both support the Empire: seat 1 has four Empire heroes, one of them hidden,
    seat 2 has two.
    """
    game = given(*LAST_TURN)
    game.choose("play Doubtful Priest", "C: [red +2] / red -2")
    game.choose("B: [play Spirited Shaman] / pass")  # the Knight is of the Empire
    assert game.markers == (9, 6)
    game.choose("turn over D's hidden 1")
    assert len(game.open(3)) == 7
    assert not game.over
    game.end_turn()
    assert (game.over, game.state.faction, game.winner) == (True, EMPIRE, 1)


def test_the_same_turn_if_the_next_player_opposes_it() -> None:
    """R36, R83: red -2 leaves the markers together: the Water Folk, seats 0 and 3."""
    game = given(*LAST_TURN)
    game.play("Doubtful Priest", "red -2", "play Spirited Shaman", "turn over D's hidden 1")
    assert game.markers == (5, 6)
    game.end_turn()
    assert game.state.faction == WATER
    assert game.winner == 3, "three Water heroes against two"


def test_the_same_turn_turning_a_hero_face_down_instead() -> None:
    """R81, R68: seat 3 has five open heroes left and the game continues."""
    game = given(*LAST_TURN)
    game.play("Doubtful Priest", "red +2", "play Spirited Shaman", "turn over Groggy Preacher")
    game.end_turn()
    assert not game.over
    assert game.hidden(3) == ["Aimless Eel", "Groggy Preacher"]
    assert game.turn == 2


def test_the_same_turn_without_the_extra_card() -> None:
    """R53: passing leaves six open heroes everywhere at most."""
    game = given(*LAST_TURN)
    game.play("Doubtful Priest", "red +2", "pass")
    game.end_turn()
    assert not game.over
