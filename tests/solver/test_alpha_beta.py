"""Endings of Hidden Leaders solved by hand, with the reasoning; the solver must agree."""

from fractions import Fraction

import pytest

from solver import solve

ON_THEIR_TURN = (
    "threshold 2; red 6; green 5; deck UnMe KeKo; "
    "A leader Enned; B leader Pavyr hand KeKo open UnMe"
)
"""B's Koi would end the game at red 5, green 6: Water wins, which A alone supports."""


def values(position: str, **options: str) -> dict[str, Fraction]:
    """The exact value of every move, in words."""
    solution = solve(position, nodes=50_000, **options)  # type: ignore[arg-type]
    assert solution.exact
    return {text: value.likely[0] for text, value in solution.moves.items()}


@pytest.mark.parametrize(
    ("others", "value"),
    [
        # Play, discard or do nothing: one of three even choices.
        ("random", Fraction(1, 3)),
        # B would rather do nothing.
        ("coalition", Fraction(0)),
        # B cannot win either way, and then takes what is worse for A.
        ("selfish", Fraction(0)),
    ],
)
def test_winning_on_the_turn_of_another(others: str, value: Fraction) -> None:
    assert values(ON_THEIR_TURN, others=others, horizon="2") == {"do nothing": value}
    assert values(ON_THEIR_TURN, others=others, horizon="turn") == {"do nothing": 0}


def test_a_selfish_player_ends_the_game_for_itself() -> None:
    # Cyra supports Water too, and B would have a Water hero more than A.
    position = ON_THEIR_TURN.replace("Pavyr", "Cyra")
    assert values(position, goal="deny:B", others="selfish", horizon="2") == {"do nothing": 0}
    assert values(position, goal="deny:B", others="random", horizon="2") == {
        "do nothing": Fraction(2, 3)
    }


def test_a_faction_that_nobody_leads_may_win() -> None:
    # The Collector brings red to 5 and green to 7: Tribes, whom neither leader supports.
    position = "threshold 1; A leader Xiadul hand BlCo UnMe; B leader Enned"
    tribes = values(position, goal="tribes")
    assert [move for move, value in tribes.items() if value] == ["play Blind Eye Collector"]
    assert values(position, goal="win")["play Blind Eye Collector"] == 0
    assert values(position, goal="win")["play Underpaid Mercenary"] == 1


def test_luck_that_buries_one_of_two() -> None:
    # Two Tribes heroes and three heroes each: B wins the tie by its leader. The Gorgon buries one
    # of B's two open heroes. Without the Loner B has one Tribes hero, and A wins; without the
    # Mercenary B has as many as before and fewer heroes.
    position = (
        "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
        "B leader Pavyr open LoLo UnMe hidden WaWi"
    )
    found = values(position)
    assert found.pop("play Gorgeous Gorgon") == Fraction(1, 2)
    assert set(found.values()) == {0}


def test_the_turn_limit_ends_the_game_without_a_winner() -> None:
    # Only one turn is left and nobody can end the game in it: whatever is denied is denied.
    position = "turns 9; limit 10; A leader Xiadul hand UnMe; B leader Enned"
    assert set(values(position, horizon="end").values()) == {0}
    assert set(values(position, goal="deny:B", horizon="end").values()) == {1}


# ---- tie-breaks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hidden", "leaders", "value"),
    [
        # B has two heroes in all, A three: B wins the second tie-break.
        ("", ("Lemron", "Pavyr"), 0),
        # Four heroes of B's: now A has fewer.
        ("hidden ApWa TrLi", ("Lemron", "Pavyr"), 1),
        # Three heroes each: the higher number wins, and Pavyr is 5, Lemron 1.
        ("hidden ApWa", ("Lemron", "Pavyr"), 0),
        ("hidden ApWa", ("Pavyr", "Lemron"), 1),
    ],
)
def test_a_tie_of_heroes_is_decided_by_fewest_and_then_by_the_leader(
    hidden: str, leaders: tuple[str, str], value: int
) -> None:
    # With the War Pig A ends the game: Tribes, two Tribes heroes each, and three heroes of A's.
    found = values(
        f"threshold 3; red 4; green 8; A leader {leaders[0]} hand PiPi open DeDr KeKo; "
        f"B leader {leaders[1]} open BlCo LoLo {hidden}"
    )
    assert found.pop("play Pigmented War Pig") == value
    assert set(found.values()) == {0}


@pytest.mark.parametrize(("fourth", "value"), [("KeKo", 1), ("BuEm", 0)])
def test_the_emperor_decides_a_tie(fourth: str, value: int) -> None:
    # Both markers stay in the war zone. A comes to three Undead and three heroes; B has three
    # Undead and a fourth hero. A Koi makes B's party the larger one, and A wins the tie. The
    # Emperor is of every faction: four Undead, and no tie.
    position = (
        "threshold 3; red 10; green 10; A leader Enned hand RoOr open HaBu LeLe; "
        f"B leader Myrad open GoGo hidden MuMy WrWa {fourth}"
    )
    assert values(position)["play Rotting Orangutan"] == value


# ---- what another player must choose ------------------------------------------------------------


@pytest.mark.parametrize(
    ("opened", "others", "value"),
    [
        # B's only open hero is a Tribes hero: it must go, and B is left with two against three.
        ("LoLo", "coalition", Fraction(1)),
        # B buries the Mercenary instead: three Tribes and three heroes each, and Pavyr wins.
        ("LoLo UnMe", "coalition", Fraction(0)),
        # An even choice between the two.
        ("LoLo UnMe", "random", Fraction(1, 2)),
    ],
)
def test_the_amazon_makes_a_player_part_with_an_open_hero(
    opened: str, others: str, value: Fraction
) -> None:
    position = (
        "threshold 3; red 4; green 8; A leader Lemron hand OvAm open DeDr BlCo; "
        f"B leader Pavyr open {opened} hidden SpSh WaWi"
    )
    assert values(position, others=others)["play Overworked Amazon"] == value


@pytest.mark.parametrize(
    ("red", "others", "value"),
    [
        # Green ends at 7 or at 11, two ahead of red at least: Tribes, and B has no hero left.
        (5, "coalition", Fraction(1)),
        # With green at 7 and red at 6 Water wins, which A does not support.
        (6, "coalition", Fraction(0)),
        (6, "random", Fraction(1, 2)),
    ],
)
def test_the_troll_lets_the_robbed_move_green(red: int, others: str, value: Fraction) -> None:
    position = (
        f"threshold 3; red {red}; green 9; A leader Myrad hand SaTr open DeDr BlCo; "
        "B leader Pavyr open LoLo"
    )
    assert values(position, others=others)["play Saber-Toothed Troll"] == value


@pytest.mark.parametrize(
    ("hand", "others", "value"),
    [
        # Red goes to 9 and Empire wins, or to 5; then the Orangutan brings it two ahead again.
        ("DoPr RoOr", "coalition", Fraction(1)),
        # Without him B levels the markers, and Water wins.
        ("DoPr", "coalition", Fraction(0)),
        ("DoPr", "random", Fraction(1, 2)),
    ],
)
def test_the_priest_lets_the_next_player_move_red(hand: str, others: str, value: Fraction) -> None:
    position = (
        f"threshold 3; red 7; green 5; A leader Xiadul hand {hand} open FlKn ShSo; "
        "B leader Lemron open TrLi"
    )
    assert values(position, others=others)["play Doubtful Priest"] == value


# ---- copies, hidden heroes, and nobody ----------------------------------------------------------


@pytest.mark.parametrize(("tavern", "value"), [("ArSk", 1), ("RoOr", 0)])
def test_a_chain_of_copies(tavern: str, value: int) -> None:
    # Granny performs the Impaler, who performs the tavern card. The Skeleton moves both markers
    # by 2, to 10 and 9: Undead, and A has three of them. The Orangutan moves only one of them.
    position = (
        f"threshold 3; red 8; green 7; tavern {tavern} - -; "
        "A leader Myrad hand GhGr open InIm CrCa; B leader Enned open NaNe"
    )
    assert values(position)["play Ghastly Granny"] == value


def test_a_player_who_cannot_win_can_see_to_it_that_nobody_does() -> None:
    # The Collector brings red to 5 and green to 7: Tribes, whom nobody supports. After the
    # Frogmage the markers are level: Water, and that is B.
    position = "threshold 1; A leader Xiadul hand BlCo FrFr; B leader Enned"
    found = values(position, goal="deny:B")
    assert found["play Blind Eye Collector"] == 1
    assert found["play Friendly Frogmage"] == 0
    assert set(values(position, goal="win").values()) == {0}


def test_a_hidden_hero_decides() -> None:
    # A comes to three Tribes. B has two open ones and a hidden hero, one of three cards. If it is
    # the Witch, B has three, too, and wins by its leader's number.
    position = (
        "threshold 3; red 4; green 8; deck DeDr BlCo PiPi LoLo SpSh WaWi UnMe KeKo; harbor ?x2; "
        "A leader Lemron hand PiPi open DeDr BlCo; B leader Pavyr open LoLo SpSh hidden ?"
    )
    solution = solve(position)
    (best,) = solution.answer.best
    assert solution.best == ["play Pigmented War Pig"]
    assert best.likely[0] == Fraction(2, 3)
    assert best.sure[0] == 0


def test_a_hidden_leader_decides() -> None:
    # The Frog makes Tribes win, or Empire. Two of the five leaders that B may have support Tribes,
    # two Empire, and either way B has as many heroes of it as A, and fewer in all. One supports
    # neither. A does not know: three in five, whichever it makes win.
    position = (
        "threshold 3; red 6; green 6; A leader Pavyr hand FuFr open DeDr ShSo; "
        "B leader ? open BlCo UnMe"
    )
    assert values(position)["play Furious Frog"] == Fraction(3, 5)


def test_naming_the_right_faction_is_sure_although_nothing_is_known() -> None:
    # B's hidden hero is the Shaman or the Mercenary. The Shaman would give B two Tribes and the
    # smaller party: if Tribes is named he is buried. The Mercenary may stay.
    position = (
        "threshold 3; red 4; green 8; deck DeDr BlCo AnAs LoLo SpSh UnMe; harbor ?; "
        "A leader Lemron hand AnAs open DeDr BlCo; B leader Pavyr open LoLo hidden ?"
    )
    solution = solve(position)
    (surest,) = solution.answer.surest
    assert solution.text(surest) == "play Androgynous Assassin"
    assert surest.sure[0] == 1
    assert len(solution.worlds) == 2
