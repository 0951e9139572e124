"""A puzzle's theme is what its solution turns on, and not what merely happens along the way."""

from solver import solve
from solver.puzzles.themes import themes

TIED = "red 4; green 8; threshold 3; A leader Pavyr hand LeLi open DeDr BlCo; B leader Lemron"


def found(position: str, goal: str = "win", horizon: str = "turn") -> tuple[str, ...]:
    return themes(solve(position, goal=goal, horizon=horizon))


def test_equal_strength_at_the_end_is_a_tie_break() -> None:
    assert found(f"{TIED} open LoLo hidden SpSh KeKo") == ("tie-break",)


def test_a_winner_who_is_stronger_needs_no_tie_break() -> None:
    assert found(f"{TIED} open LoLo hidden KeKo") == ("markers",)


def test_equal_strength_of_somebody_who_is_not_for_the_winners_is_no_tie() -> None:
    position = TIED.replace("Lemron", "Enned")
    assert found(f"{position} open LoLo hidden SpSh KeKo") == ("markers",)


def test_an_emperor_who_decides_is_a_theme() -> None:
    position = "red 10; green 10; threshold 3; graveyard {}; "
    position += "A leader Enned hand CrCa open HaBu LeLe; B leader Myrad open GoGo hidden {}"
    assert found(position.format("BuEm KeKo", "RoOr WrWa MuMy")) == ("emperor", "tie-break")


def test_an_emperor_who_changes_nothing_is_none() -> None:
    position = "red 10; green 10; threshold 3; graveyard BuEm KeKo; "
    position += "A leader Enned hand CrCa open HaBu LeLe; B leader Myrad open GoGo"
    assert found(position) == ("markers",)


BURYING = "red 10; green 12; threshold 3; A leader Xiadul hand UnEx open LeLe GoGo; B leader Myrad "


def test_a_burial_that_decides_is_a_theme() -> None:
    assert "forced burial" in found(f"{BURYING} open MuMy HaBu hidden RoOr WrWa")


def test_a_burial_that_decides_nothing_is_none() -> None:
    assert found(f"{BURYING} open MuMy") == ("markers",)


def test_what_others_bury_in_their_turns_is_not_forced() -> None:
    position = (
        "red 6; green 6; threshold 3; deck KeKo UnEx MuMy HaBu LeLe; "
        "A leader Cyra hand KeKo; B leader Myrad hand UnEx open MuMy HaBu; C leader Pavyr open LeLe"
    )
    assert found(position, "deny:B", "2") == ("denying",)


def test_a_choice_left_to_another_is_a_theme() -> None:
    position = "players 3; red 7; green 5; threshold 4; A leader Xiadul hand DoPr "
    assert found(f"{position} open FlKn ShSo CrCa; B leader Pavyr; C leader Lemron") == (
        "forced choice",
    )


def test_a_hand_card_that_another_may_choose_to_discard_changes_nothing_on_the_table() -> None:
    position = "red 9; green 8; threshold 3; A leader Xiadul hand WiWi open LeLe GoGo; "
    assert found(f"{position} B leader Lemron hand KeKo FlKn") == ("markers",)


def test_doing_what_another_hero_does_is_a_copy_chain() -> None:
    position = "red 8; green 7; threshold 3; A leader Myrad hand GhGr open ArSk CrCa; B leader "
    assert found(f"{position} Enned open NaNe") == ("copy chain",)


def test_a_copying_hero_with_nothing_to_copy_is_none() -> None:
    position = "red 10; green 10; threshold 2; A leader Enned hand SuSk open LeLe; B leader Cyra"
    assert found(position) == ("markers",)


def test_a_copying_hero_that_is_only_hidden_is_none() -> None:
    position = (
        "red 9; green 10; threshold 3; tavern CrCa; A leader Lemron hand MoMo LeLe open UnAr CaCh; "
        "B leader Xiadul; C leader Cyra hidden LeLi; D leader Enned"
    )
    assert found(position) == ("markers",)


def test_a_seat_that_must_not_win_makes_it_denying() -> None:
    position = (
        "red 6; green 5; threshold 3; deck PiPi UnEx ShSo UnMe TrLi; "
        "A leader Myrad hand PiPi UnEx; B leader Cyra hand ShSo open UnMe TrLi"
    )
    assert found(position, "deny:B", "2") == ("denying", "forced burial")


def test_unknown_cards_are_the_theme_whatever_else_happens() -> None:
    position = "threshold 3; red 6; green 6; deck DeDr FuFr BlCo SpSh GrGu ShSo; harbor ?; "
    position += (
        "A leader Myrad hand FuFr open DeDr BlCo; B leader Lemron; C leader Pavyr hidden ? ?"
    )
    assert found(position) == ("hidden cards",)


FRIENDS = "red 8; green 4; threshold 3; A leader Cyra hand AcFi KeKo open FlKn ShSo; B leader "


def test_a_faction_that_also_wins_for_somebody_else_makes_it_strength() -> None:
    assert found(f"{FRIENDS} Pavyr open CaCh hidden UnMe") == ("strength",)


def test_a_faction_that_nobody_else_is_for_makes_it_markers() -> None:
    assert found(f"{FRIENDS} Myrad open CaCh hidden UnMe") == ("markers",)
