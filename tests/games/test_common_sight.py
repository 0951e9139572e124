"""What worlds that a seat cannot tell apart have in common, drawn and in words."""

import pytest

from games.registry import game
from solver.ask import Query, Solution, solve_query
from solver.core.budget import NodeBudget


def seen(name: str, text: str, horizon: str = "turn") -> tuple[str, list[str], Solution]:
    """The table as drawn, the doubts, and the solution."""
    rules = game(name)
    assert rules.positions is not None
    position = rules.positions.read(text)
    solved = solve_query(Query(rules, position, horizon=horizon), NodeBudget(), every_world=True)
    table = position.agreed_table(solved.worlds, solved.idle)
    return rules.text.draw(table, None), position.doubts(solved.worlds, solved.idle), solved


FROG = (
    "threshold 3; red 6; green 6; deck DeDr FuFr BlCo SpSh GrGu ShSo; harbor ?; A leader Myrad "
    "hand FuFr open DeDr BlCo; B leader {}; C leader Pavyr hidden {} ?"
)


def test_hidden_heroes_are_unseen_and_named_as_possible() -> None:
    drawn, doubts, _ = seen("hidden-leaders", FROG.format("Lemron", "?"))
    assert "hidden       ?, ?" in drawn
    assert "Pavyr (Empire and Tribes)" in drawn
    (doubt,) = doubts
    assert doubt.startswith("C's 2 unknown hidden heroes are among Spirited Shaman (T), Grumpy")
    assert doubt.endswith(" and Short-Sighted Soldier (E).")


def test_what_the_position_names_is_shown() -> None:
    drawn, doubts, _ = seen("hidden-leaders", FROG.format("Lemron", "GrGu"))
    assert "hidden       Grumpy Guard (T), ?" in drawn
    assert doubts == [
        "C's unknown hidden hero is Spirited Shaman (T) or Short-Sighted Soldier (E)."
    ]


def test_an_unknown_leader_is_one_of_those_left() -> None:
    text = "threshold 2; red 6; A leader Myrad hand ShSo; B leader ?; C leader Pavyr; rest harbor"
    drawn, doubts, _ = seen("hidden-leaders", text)
    assert "B  leader       ?" in drawn
    assert len(doubts) == 1
    assert doubts[0].startswith("B's leader is Lemron (Water and Tribes), Cyra")
    assert "Myrad" not in doubts[0]
    assert "Pavyr" not in doubts[0]


def test_idle_hands_are_unseen_although_one_way_to_fill_them_in_was_searched() -> None:
    text = "threshold 2; red 6; A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra hand ?x3"
    drawn, doubts, solved = seen("hidden-leaders", text)
    assert solved.idle
    assert "hand         ?, ?, ?" in drawn
    assert doubts == ["B's hand is unknown, and does not matter."]


SAFE = (
    "players 4; turn A; centre {}; A token ? up Psychiatrist Detective Journalist Scientist "
    "Diplomat; B token ?; C token CIA up Politician Psychiatrist Journalist Diplomat; D token {}; "
    "turned Psychiatrist Detective; offer Psychiatrist; to C; taker A"
)


@pytest.mark.parametrize(
    ("centre", "token", "doubt"),
    [
        ("?", "?", "The tokens of A, B, D and the centre are 1 CIA, 2 KGB and 1 Hippie"),
        ("KGB", "Hippie", "The tokens of A and B are 1 CIA and 1 KGB, in any order."),
    ],
)
def test_unknown_tokens_are_counted(centre: str, token: str, doubt: str) -> None:
    drawn, doubts, _ = seen("secrets", SAFE.format(centre, token))
    assert "A  token         ?" in drawn
    assert "C  token         CIA" in drawn
    assert len(doubts) == 1
    assert doubts[0].startswith(doubt)


def test_an_unknown_offer_does_not_show_in_the_deck() -> None:
    text = (
        "players 5; turn A; centre CIA; A token Hippie up Double-Agent Scientist Assassin; "
        "B token Hippie; C token CIA; D token KGB up Politician Journalist Scientist Diplomat; "
        "E token KGB bullets ?; turned Double-Agent Assassin; offer ?; to E; phase answer"
    )
    drawn, doubts, _ = seen("secrets", text)
    assert "then ?" in drawn
    assert "on offer: one of them, to E" in drawn
    assert "Bullet ?" in drawn
    assert doubts[-1] == "The card on offer is one of two: Double Agent or Assassin."
    assert doubts[0].startswith("E has Bullets whose values you do not know: 0, -1, -2 or -3.")
