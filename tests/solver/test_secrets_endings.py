"""Endings of Secrets solved by hand, with the reasoning; the solver must agree."""

from __future__ import annotations

from fractions import Fraction

import pytest

from solver import solve


def values(position: str, **options: str) -> dict[str, Fraction]:
    """The exact value of every move, in words."""
    solution = solve(position, game="secrets", nodes=20_000, **options)  # type: ignore[arg-type]
    assert solution.exact
    return {text: value.likely[0] for text, value in solution.moves.items()}


TWO_SCIENTISTS = """
    players 4; centre CIA
    A token CIA up Double-Agent Politician Journalist Diplomat
    B token KGB up Politician Journalist Scientist Diplomat
    C token KGB up Detective; D token Hippie up Psychiatrist
    turned Scientist Assassin; offer Scientist
"""


def test_a_second_scientist_turns_a_display_down() -> None:
    # The CIA has 9 points, the KGB 12 - 2 = 10. If B accepts, B's five cards are turned down and
    # the KGB has -2. If B refuses, A has 14 points and five cards. C and D have a card each: if
    # they accept, the game goes on.
    assert values(TWO_SCIENTISTS) == {"to B": 1, "to C": 0, "to D": 0}
    # Tossing a coin, C and D refuse half of the time, and then A has 14 points.
    half = Fraction(1, 2)
    assert values(TWO_SCIENTISTS, others="random") == {"to B": 1, "to C": half, "to D": half}
    # For himself, C will not let A end the game; D neither, since both lose.
    assert values(TWO_SCIENTISTS, others="selfish") == {"to B": 1, "to C": 0, "to D": 0}


PAIR_OF_DETECTIVES = """
    players 8; centre KGB
    A token KGB up Psychiatrist Detective Diplomat; B token KGB up Detective Journalist Scientist
    C token Hippie; D token KGB; E token CIA; F token CIA
    G token CIA up Journalist; H token CIA up Diplomat
    turned Detective Double-Agent; offer Detective
"""


def test_a_pair_of_minuses_counts_nothing() -> None:
    # The teams are level: A -2 and B 6 against G 3 and H 1. Whether B or A gets the card, two
    # Detectives are turned down there, which makes 6 against 4, and four cards end the game.
    found = values(PAIR_OF_DETECTIVES)
    assert found.pop("to B") == 1
    assert set(found.values()) == {0}
    # Anybody else ends it only by refusing, which leaves the card, and so the pair, to A.
    found = values(PAIR_OF_DETECTIVES, others="random")
    assert found.pop("to B") == 1
    assert set(found.values()) == {Fraction(1, 2)}


@pytest.mark.parametrize(("bullet", "value"), [(0, 0), (-1, 0), (-2, 0), (-3, 1)])
def test_a_bullet_for_its_own_team_takes_the_win_from_a_hippie(bullet: int, value: int) -> None:
    # C, a Hippie, is alone at -2. Only if D comes down from 1 to -2 does nobody win as Hippie; then
    # the KGB has 11 - 2 = 9 points against 8. With less than -3 D stays above C, and no other can
    # reach -2 at all.
    found = values(
        f"""
        players 5; centre Hippie
        A token KGB up Double-Agent Politician Scientist Diplomat Assassin
        B token CIA up Journalist; C token Hippie up Detective
        D token KGB up Diplomat; E token CIA up Scientist
        turned Assassin Journalist; offer Assassin; to B; taker A; bullet {bullet}
        """
    )
    assert found.pop("give to D") == value
    assert set(found.values()) == {0}


LEVEL = """
    players 5; centre Hippie
    A token KGB up Double-Agent Politician
    B token CIA up Detective Journalist Scientist Diplomat
    C token CIA up Psychiatrist Detective Journalist Scientist
    D token KGB up Double-Agent Psychiatrist Scientist Diplomat
    E token Hippie up Double-Agent Journalist Scientist Diplomat
    turned Politician Assassin; offer Politician; to D; taker A
"""


def test_level_teams_all_lose() -> None:
    # The CIA has 12 points, the KGB 9 without the Politician. He brings D, and the KGB, to 12.
    assert set(values(LEVEL, goal="win").values()) == {0}
    others = {"pass to B": 0, "pass to C": 0, "pass to E": 0}
    assert values(LEVEL, goal="deny:B") == {"pass to D": 1, **others}
    assert values(LEVEL, goal="CIA") == {"pass to D": 0, **dict.fromkeys(others, 1)}
    assert set(values(LEVEL, goal="hippie").values()) == {0}


def test_a_card_on_offer_is_one_of_two() -> None:
    # A, a Hippie, has -2, B has 1. If A refuses, B comes to -1 or 6, and A is alone at the bottom.
    # If A accepts, the Detective makes -4, but the Scientist 3, more than B has. What B claims is
    # worth nothing.
    found = values(
        """
        players 4; turn B; centre CIA
        A token Hippie up Psychiatrist Diplomat Assassin bullets -2
        B token CIA up Double-Agent Politician Psychiatrist bullets -3
        C token KGB up Scientist Assassin; D token KGB up Journalist Diplomat
        turned Detective Scientist; offer ?; to A; claim Detective
        """
    )
    assert found == {"accept": Fraction(1, 2), "refuse": 1}


UN_WINDOW = """
    players 5; centre Hippie
    A token CIA up Scientist Diplomat; B token CIA up Double-Agent Politician Detective Journalist
    C token Hippie up Journalist; D token KGB up Double-Agent Journalist Scientist Diplomat
    E token KGB
    turned Politician Assassin; offer ?; to B; claim Politician
"""


def test_an_interruption_can_end_the_game() -> None:
    # E has no cards and holds the UN token; CIA 12, KGB 11. Interrupting: the Politician goes to D
    # and makes 14. The Assassin's Bullet goes to B, who then has five cards: -2 and -3 put the KGB
    # ahead, -1 makes the teams level. Together 1/2 + 1/2 * 1/2.
    #
    # Staying out, with others who toss coins. B accepts the Politician: only with D he ends the
    # game, 1/4. B accepts the Assassin: five cards, and the Bullet must be -2 or -3 and go to A or
    # B, 1/2 * 2/5. A keeps the Politician from B: to B (a pair) or D, 2/4. A keeps the Assassin:
    # only B's fifth card ends the game in time, 1/5 * 1/2.
    accepted = Fraction(1, 2) * (Fraction(1, 4) + Fraction(1, 5))
    refused = Fraction(1, 2) * (Fraction(2, 4) + Fraction(1, 10))
    assert values(UN_WINDOW, others="random") == {
        "interrupt": Fraction(3, 4),
        "stay out": (accepted + refused) / 2,
    }
    assert values(UN_WINDOW) == {"interrupt": Fraction(3, 4), "stay out": 0}


def test_a_player_need_not_know_its_own_side() -> None:
    # Of A, E and F two are CIA and one is KGB. Swapping the KGB token with F leaves A with 4 points
    # the strongest player of its side: 4 against D's 3 as CIA, 4 + 3 against 0 as KGB. In B's hands
    # it brings the KGB 9 points more, and A is KGB in one case of three.
    found = values(
        """
        players 6; centre KGB
        A token ? up Double-Agent Politician Psychiatrist Diplomat x2
        B token Hippie up Politician Detective Journalist Scientist
        C token CIA; D token KGB up Politician; E token ?; F token ?
        turned Diplomat Scientist; offer Diplomat; to F; taker A
        """
    )
    assert found == {"swap left, with B": Fraction(1, 3), "swap right, with F": 1}


TURNCOAT = """
    players 7; centre CIA
    A token KGB up Psychiatrist Scientist Diplomat
    B token Hippie; C token KGB; D token KGB; E token CIA; F token CIA up Detective
    G token Hippie up Detective Journalist Diplomat
    turned Double-Agent Assassin
"""


def test_a_double_agent_changes_the_side_of_the_seat_that_takes_him() -> None:
    # A offers him to G. If G accepts, G is CIA, with 4 - 2 points against A's 5 for the KGB; if
    # not, A is CIA, with 7 - 2 against nothing. The Assassin goes to G as well, but a Bullet of -3
    # for B, who is a Hippie and has no cards, puts B alone at the bottom.
    assert values(TURNCOAT) == {"offer Double Agent": 1, "offer Assassin": Fraction(3, 4)}


def test_a_defence_over_two_turns() -> None:
    # The KGB has 21 points, the CIA none. B or C would take the card, have five and win. If D
    # accepts, A alone has no cards and holds the UN token: whatever B offers next, a Politician or
    # a Detective, A interrupts, and nobody has five cards. If D refuses, A has 3 points, and D, a
    # Hippie, is alone at the bottom with 1: a fifth card of B or C in the next turn makes D win,
    # since the only card that could lift D, the Politician, would then be D's second and no end.
    position = """
        players 4; centre CIA; deck -; bottom Politician Detective x2 Journalist
        A token CIA; B token KGB up Double-Agent Psychiatrist Journalist Scientist
        C token KGB up Politician Journalist Scientist Diplomat; D token Hippie up Diplomat
        turned Journalist Politician; offer Journalist
    """
    assert values(position, goal="deny:C", horizon="2") == {"to B": 0, "to C": 0, "to D": 1}
    # As far as winning goes, A is too late.
    assert set(values(position, horizon="2").values()) == {0}
