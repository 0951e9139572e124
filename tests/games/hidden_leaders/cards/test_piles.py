"""Heroes that draw from the harbor, the wilderness or the graveyard."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import RETAIL
from games.state import CHANCE
from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import Scenario, draws, given, markers, player

# ---- two cards of the harbor ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "rest"),
    [("Pessimistic Whaleman", "wilderness"), ("Deep Sea Squire", "A's hand")],
)
def test_hides_one_of_two_harbor_cards(hero: str, rest: str) -> None:
    """R52, R66, R134: only cards drawn are offered; only the performer sees them (P34, P35)."""
    game = given(player(0, hand=[hero, "Ace Fighter"], hidden=["Bored Goblin"]), players=3)

    game.choose(f"play {hero}", "[red +1] / green +1")
    assert game.actor == CHANCE
    game.choose(draws("Keen Koi", "Leery Lizard"))
    game.choose("[place Leery Lizard hidden] / place Keen Koi hidden")

    assert game.changes() == {
        "markers": (5, 4),
        "A's hidden": ["Bored Goblin", "Leery Lizard"],
        rest: ["Ace Fighter", "Keen Koi"] if rest == "A's hand" else ["Keen Koi"],
    }
    assert len(game.harbor) == len(RETAIL) - 5
    assert perceived(game, 0) == [
        "Keen Koi: harbor to drawn",
        "Leery Lizard: harbor to drawn",
        "Leery Lizard: drawn to A's hidden",
        f"Keen Koi: drawn to {rest}",
    ]
    for seat in (1, 2):
        assert perceived(game, seat) == [
            "?: harbor to drawn",
            "?: harbor to drawn",
            "A chooses in secret",
            "?: drawn to A's hidden",
            f"?: drawn to {rest}",
        ]


@pytest.mark.parametrize(
    ("hero", "harbor", "drawn", "rest"),
    [
        ("Pessimistic Whaleman", ["Keen Koi"], ("Keen Koi", "Furious Frog"), "wilderness"),
        ("Deep Sea Squire", ["Keen Koi"], ("Keen Koi", "Furious Frog"), "A's hand"),
        ("Pessimistic Whaleman", [], ("Leery Lizard", "Furious Frog"), "wilderness"),
        ("Deep Sea Squire", [], ("Leery Lizard", "Furious Frog"), "A's hand"),
    ],
)
def test_reshuffles_when_the_harbor_runs_out(
    hero: str, harbor: list[str], drawn: tuple[str, str], rest: str
) -> None:
    """R16, R134: even between the two draws; the rest goes to the new, empty wilderness."""
    game = given(player(0, hand=[hero]), harbor=harbor, wilderness=["Leery Lizard", "Furious Frog"])
    game.choose(f"play {hero}", "red +1")
    if harbor:
        game.choose("[harbor: Keen Koi]")
    assert game.options() == ["harbor: Leery Lizard", "harbor: Furious Frog"]
    assert game.wilderness == []
    game.choose(draws(*drawn[len(harbor) :]), f"place {drawn[1]} hidden")

    assert game.hidden(0) == [drawn[1]]
    assert (game.wilderness, game.hand(0)) == (
        ([drawn[0]], []) if rest == "wilderness" else ([], [drawn[0]])
    )
    assert game.harbor == [card for card in ["Leery Lizard"] if card not in drawn]


@pytest.mark.parametrize("hero", ["Pessimistic Whaleman", "Deep Sea Squire"])
def test_hides_the_only_card_of_the_harbor(hero: str) -> None:
    """R24, R134: hiding comes first, so there is no rest."""
    game = given(player(0, hand=[hero]), harbor=["Keen Koi"])
    game.play(hero, "red +1", draws("Keen Koi"), "place Keen Koi hidden")
    assert game.changes() == {"markers": (5, 4), "A's hidden": ["Keen Koi"]}
    assert game.harbor == []


@pytest.mark.parametrize("hero", ["Pessimistic Whaleman", "Deep Sea Squire"])
def test_only_moves_a_marker_if_no_card_can_be_drawn(hero: str) -> None:
    """R17, R24, R134."""
    game = given(player(0, hand=[hero]), harbor=[], tavern=["Keen Koi"])
    game.play(hero, "green +1")
    assert game.changes() == {"markers": (4, 5)}


# ---- Joyless Chief: two cards of the wilderness -----------------------------------------------


def joyless_chief() -> Scenario:
    return given(
        player(0, hand=["Joyless Chief"], hidden=["Grumpy Guard"]),
        wilderness=["Ace Fighter", "Keen Koi", "Furious Frog"],
        players=3,
    )


@pytest.mark.parametrize(
    ("hidden", "returned"), [("Furious Frog", "Keen Koi"), ("Keen Koi", "Furious Frog")]
)
def test_joyless_chief_hides_one_of_the_top_two_wilderness_cards(
    hidden: str, returned: str
) -> None:
    """R66, R104: the other one goes back on top."""
    game = joyless_chief()
    question = "place Furious Frog hidden / place Keen Koi hidden"
    game.play(
        "Joyless Chief", question.replace(f"place {hidden} hidden", f"[place {hidden} hidden]")
    )
    assert game.changes() == {
        "markers": (5, 4),
        "A's hidden": ["Grumpy Guard", hidden],
        "wilderness": ["Ace Fighter", returned],
    }


def test_joyless_chief_lets_nobody_else_see_the_cards_or_the_choice() -> None:
    """R38, R48, P27: the others' news is the same whichever card was hidden."""
    upper, lower = joyless_chief(), joyless_chief()
    upper.play("Joyless Chief", "place Furious Frog hidden")
    lower.play("Joyless Chief", "place Keen Koi hidden")

    assert perceived(upper, 0) == [
        "Furious Frog: wilderness 3 to drawn",
        "Keen Koi: wilderness 2 to drawn",
        "Furious Frog: drawn to A's hidden",
        "Keen Koi: drawn to wilderness",
    ]
    assert upper.events(1) == lower.events(1)
    assert perceived(lower, 2) == [
        "?: wilderness 3 to drawn",
        "?: wilderness 2 to drawn",
        "A chooses in secret",
        "?: drawn to A's hidden",
        "?: drawn to wilderness",
    ]


@pytest.mark.parametrize(
    ("wilderness", "script"), [(["Keen Koi"], ["[place Keen Koi hidden]"]), ([], [])]
)
def test_joyless_chief_with_fewer_wilderness_cards(
    wilderness: list[str], script: list[str]
) -> None:
    """R24, R44, R104: a single card is hidden; the harbor is left alone."""
    game = given(player(0, hand=["Joyless Chief"]), wilderness=wilderness, harbor=["Furious Frog"])
    game.play("Joyless Chief", *script)
    assert game.red == 5
    assert (game.hidden(0), game.wilderness) == (wilderness, [])
    assert game.harbor == ["Furious Frog"]


# ---- Crow Carrier: two cards of the graveyard -------------------------------------------------


def test_crow_carrier_hides_one_of_the_top_two_graveyard_cards_and_discards_the_other() -> None:
    """R66, R125: all know the two cards, one player knows which is where (P31)."""
    game = given(
        player(0, hand=["Crow Carrier"], hidden=["Ace Fighter"]),
        graveyard=["Bored Goblin", "Keen Koi", "Leery Lizard"],
        wilderness=["Furious Frog"],
        players=3,
    )

    game.choose("play Crow Carrier")
    assert game.markers == (3, 3)
    game.choose("place Leery Lizard hidden / [place Keen Koi hidden]")

    assert game.changes() == {
        "markers": (3, 3),
        "A's hidden": ["Ace Fighter", "Keen Koi"],
        "graveyard": ["Bored Goblin"],
        "wilderness": ["Furious Frog", "Leery Lizard"],
    }
    drawn = [
        "Leery Lizard: graveyard 3 to drawn",
        "Keen Koi: seen in graveyard 2",
        "Keen Koi: graveyard 2 to drawn",
        "Bored Goblin: seen in graveyard 1",
    ]
    placed = ["Keen Koi: drawn to A's hidden", "Leery Lizard: drawn to wilderness"]
    unknown = ["A chooses in secret", "?: drawn to A's hidden", "?: drawn to wilderness"]
    assert perceived(game, 0) == drawn + placed
    assert perceived(game, 1) == perceived(game, 2) == drawn + unknown


@pytest.mark.parametrize(
    ("graveyard", "script"), [(["Keen Koi"], ["[place Keen Koi hidden]"]), ([], [])]
)
def test_crow_carrier_with_fewer_graveyard_cards(graveyard: list[str], script: list[str]) -> None:
    """R24, R30, R125: a single card is hidden; the wilderness is left alone."""
    game = given(
        markers(red=1, green=2),
        player(0, hand=["Crow Carrier"]),
        graveyard=graveyard,
        wilderness=["Ace Fighter"],
    )
    game.play("Crow Carrier", *script)
    assert game.markers == (1, 1)
    assert (game.hidden(0), game.graveyard) == (graveyard, [])
    assert game.wilderness == ["Ace Fighter"]


# ---- Miniature Merman: two cards of either pile -----------------------------------------------


def test_miniature_merman_draws_two_cards_from_the_pile_he_chooses() -> None:
    """R44, R141: both from the top of the same pile. P28: the others see only the places."""
    game = given(
        player(0, hand=["Miniature Merman"]),
        wilderness=["Keen Koi", "Ace Fighter", "Bored Goblin"],
        graveyard=["Furious Frog", "Leery Lizard"],
        players=3,
    )
    game.play(
        "Miniature Merman",
        "red -1 / [green +1]",
        "[draw from the wilderness] / draw from the graveyard",
    )
    assert game.changes() == {
        "markers": (4, 5),
        "A's hand": ["Ace Fighter", "Bored Goblin"],
        "wilderness": ["Keen Koi"],
    }
    assert perceived(game, 0) == [
        "Bored Goblin: wilderness 3 to A's hand",
        "Ace Fighter: wilderness 2 to A's hand",
    ]
    for seat in (1, 2):
        assert perceived(game, seat) == [
            "?: wilderness 3 to A's hand",
            "?: wilderness 2 to A's hand",
        ]


def test_miniature_merman_draws_from_the_graveyard_in_the_open() -> None:
    """P29: each card was the visible top, and so is the one left on top."""
    game = given(
        player(0, hand=["Miniature Merman"]),
        graveyard=["Bored Goblin", "Keen Koi", "Ace Fighter"],
        players=3,
    )
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    assert perceived_by_all(game) == [
        "Ace Fighter: graveyard 3 to A's hand",
        "Keen Koi: seen in graveyard 2",
        "Keen Koi: graveyard 2 to A's hand",
        "Bored Goblin: seen in graveyard 1",
    ]


@pytest.mark.parametrize(
    ("wilderness", "graveyard", "script"),
    [
        ([], ["Keen Koi"], ["[draw from the graveyard]"]),
        (["Keen Koi"], [], ["[draw from the wilderness]"]),
        ([], [], []),
    ],
)
def test_miniature_merman_draws_what_there_is(
    wilderness: list[str], graveyard: list[str], script: list[str]
) -> None:
    """R24, R44, R141: no reshuffle, and an empty pile is not offered."""
    game = given(player(0, hand=["Miniature Merman"]), wilderness=wilderness, graveyard=graveyard)
    game.play("Miniature Merman", "red -1", *script)
    assert game.markers == (3, 4)
    assert game.hand(0) == wilderness + graveyard
    assert game.wilderness == game.graveyard == []


def test_miniature_merman_can_fill_the_hand_so_that_nothing_is_drawn() -> None:
    """R13, R32: with four cards in hand the next question is what to discard."""
    game = given(
        markers(red=1, green=4),
        player(0, hand=["Miniature Merman", "Keen Koi", "Ace Fighter"]),
        graveyard=["Furious Frog", "Leery Lizard"],
        tavern=["Bored Goblin"],
    )
    game.play("Miniature Merman", "[green +1]", "draw from the graveyard")
    assert game.hand(0) == ["Ace Fighter", "Furious Frog", "Keen Koi", "Leery Lizard"]
    game.choose(
        "discard Ace Fighter / discard Leery Lizard / discard Furious Frog / discard Keen Koi"
    )


# ---- Wrapped Warrior: any card of the graveyard -----------------------------------------------


def test_wrapped_warrior_takes_any_graveyard_card() -> None:
    """R45, R132: compulsory, and the rest keeps its order."""
    game = given(
        player(0, hand=["Wrapped Warrior", "Crow Carrier"]),
        graveyard=["Bored Goblin", "Keen Koi", "Ace Fighter"],
    )
    game.play(
        "Wrapped Warrior",
        "[red +1] / green +1",
        "take Bored Goblin / take Ace Fighter / [take Keen Koi]",
    )
    assert game.changes() == {
        "markers": (5, 4),
        "A's hand": ["Crow Carrier", "Keen Koi"],
        "graveyard": ["Bored Goblin", "Ace Fighter"],
    }


def test_wrapped_warrior_with_an_empty_graveyard_only_moves_a_marker() -> None:
    """R24, R132."""
    game = given(player(0, hand=["Wrapped Warrior"]), tavern=["Keen Koi"])
    game.play("Wrapped Warrior", "green +1")
    assert game.changes() == {"markers": (4, 5)}


@pytest.mark.parametrize(
    ("graveyard", "public"),
    [
        (["Bored Goblin", "Keen Koi"],
         ["Keen Koi: graveyard 2 to A's hand", "Bored Goblin: seen in graveyard 1"]),
        (["Bored Goblin", "Keen Koi", "Ace Fighter"], ["?: graveyard to A's hand"]),
    ],
)  # fmt: skip
def test_wrapped_warrior_shows_the_card_only_if_it_was_on_top(
    graveyard: list[str], public: list[str]
) -> None:
    """P32, R93: from below the top, the others see neither the card nor its place."""
    game = given(player(0, hand=["Wrapped Warrior"]), graveyard=graveyard, players=3)
    game.play("Wrapped Warrior", "red +1", "take Keen Koi")

    looked = [f"{card}: seen in graveyard {place}" for place, card in enumerate(graveyard, 1)]
    own = [line.replace("?: graveyard", "Keen Koi: graveyard 2") for line in public]
    assert perceived(game, 0) == looked + own
    for seat in (1, 2):
        assert perceived(game, seat) == ["A chooses in secret", *public]
