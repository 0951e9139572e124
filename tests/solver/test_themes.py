"""A puzzle's theme is what its solution turns on, not what merely happens along the way."""

import pytest

from solver import solve
from solver.puzzles.themes import themes

TIED = "red 4; green 8; threshold 3; A leader Pavyr hand LeLi open DeDr BlCo; B leader {} open LoLo"
EMPEROR = (
    "red 10; green 10; threshold 3; graveyard BuEm KeKo; "
    "A leader Enned hand CrCa open HaBu LeLe; B leader Myrad open GoGo"
)
BURYING = "red 10; green 12; threshold 3; A leader Xiadul hand UnEx open LeLe GoGo; B leader Myrad "
OTHERS_BURY = (
    "red 6; green 6; threshold 3; deck KeKo UnEx MuMy HaBu LeLe; "
    "A leader Cyra hand KeKo; B leader Myrad hand UnEx open MuMy HaBu; C leader Pavyr open LeLe"
)
PRIEST = (
    "players 3; red 7; green 5; threshold 4; A leader Xiadul hand DoPr open FlKn ShSo CrCa; "
    "B leader Pavyr; C leader Lemron"
)
DISCARDING = (
    "red 9; green 8; threshold 3; A leader Xiadul hand WiWi open LeLe GoGo; "
    "B leader Lemron hand KeKo FlKn"
)
GRANNY = (
    "red 8; green 7; threshold 3; A leader Myrad hand GhGr open ArSk CrCa; B leader Enned open NaNe"
)
NOTHING_TO_COPY = "red 10; green 10; threshold 2; A leader Enned hand SuSk open LeLe; B leader Cyra"
COPIER_ONLY_HIDDEN = (
    "red 9; green 10; threshold 3; tavern CrCa; A leader Lemron hand MoMo LeLe open UnAr CaCh; "
    "B leader Xiadul; C leader Cyra hidden LeLi; D leader Enned"
)
DENIED = (
    "red 6; green 5; threshold 3; deck PiPi UnEx ShSo UnMe TrLi; "
    "A leader Myrad hand PiPi UnEx; B leader Cyra hand ShSo open UnMe TrLi"
)
UNKNOWN = (
    "threshold 3; red 6; green 6; deck DeDr FuFr BlCo SpSh GrGu ShSo; harbor ?; "
    "A leader Myrad hand FuFr open DeDr BlCo; B leader Lemron; C leader Pavyr hidden ? ?"
)
FRIENDS = (
    "red 8; green 4; threshold 3; A leader Cyra hand AcFi KeKo open FlKn ShSo; "
    "B leader {} open CaCh hidden UnMe"
)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(
            f"{TIED.format('Lemron')} hidden SpSh KeKo",
            ["tie-break"],
            id="equal strength at the end",
        ),
        pytest.param(
            f"{TIED.format('Lemron')} hidden KeKo", ["markers"], id="a stronger winner is no tie"
        ),
        pytest.param(
            f"{TIED.format('Enned')} hidden SpSh KeKo", ["markers"], id="a tie with no supporter"
        ),
        pytest.param(
            f"{EMPEROR} hidden RoOr WrWa MuMy",
            ["emperor", "tie-break"],
            id="an emperor who decides",
        ),
        pytest.param(EMPEROR, ["markers"], id="an emperor who changes nothing"),
        pytest.param(f"{BURYING} open MuMy", ["markers"], id="a burial that decides nothing"),
        pytest.param(PRIEST, ["forced choice"], id="a choice left to another"),
        pytest.param(DISCARDING, ["markers"], id="a choice that only discards from a hand"),
        pytest.param(GRANNY, ["copy chain"], id="doing what another hero does"),
        pytest.param(NOTHING_TO_COPY, ["markers"], id="a copying hero with nothing to copy"),
        pytest.param(COPIER_ONLY_HIDDEN, ["markers"], id="a copying hero that is only hidden"),
        pytest.param(UNKNOWN, ["hidden cards"], id="unknown cards, whatever else happens"),
        pytest.param(
            FRIENDS.format("Pavyr"), ["strength"], id="the faction also wins for somebody else"
        ),
        pytest.param(FRIENDS.format("Myrad"), ["markers"], id="nobody else supports the faction"),
    ],
)
def test_theme_of_a_win_this_turn(position: str, expected: list[str]) -> None:
    assert list(themes(solve(position))) == expected


def test_a_burial_that_decides_is_a_theme() -> None:
    assert "forced burial" in themes(solve(f"{BURYING} open MuMy HaBu hidden RoOr WrWa"))


def test_what_others_bury_in_their_turns_is_not_forced() -> None:
    assert themes(solve(OTHERS_BURY, goal="deny:B", horizon=2)) == ("denying",)


def test_a_seat_that_must_not_win_makes_it_denying() -> None:
    assert themes(solve(DENIED, goal="deny:B", horizon=2)) == ("denying", "forced burial")
