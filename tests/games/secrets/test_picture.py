"""The table of Secrets as data: what is said beside the cards that are drawn."""

from games.secrets.picture import choices, faces, table_picture
from tests.support.secrets_table import given


def test_an_offer_is_said_without_the_cards_that_lie_there() -> None:
    game = given("CIA KGB Hippie CIA", centre="KGB", deck=["Scientist", "Detective"])
    turned_up = {pile["name"]: pile for pile in table_picture(game.state)["piles"]}["turned up"]
    assert (len(turned_up["cards"]), turned_up["says"]) == (2, "")
    game.play("offer Detective", "to B")
    turned_up = table_picture(game.state)["piles"][-1]
    assert turned_up["says"] == "on offer: Detective, to B"


def test_the_centre_has_the_sign_of_its_token_for_those_who_know_it() -> None:
    game = given("CIA KGB Hippie CIA", centre="KGB", deck=["Scientist", "Detective"])
    centre = table_picture(game.state)["piles"][1]
    assert (centre["says"], faces()["kinds"][centre["kind"]]["name"]) == ("KGB", "KGB")
    unknown = table_picture(game.view(0).known_table())["piles"][1]
    assert (unknown["says"], unknown["kind"]) == ("?", -1)


def test_a_choice_points_at_the_card_that_is_turned_up_not_at_displays() -> None:
    game = given(
        "CIA KGB Hippie CIA",
        centre="KGB",
        deck=["Scientist", "Detective"],
        displays={0: ["Detective"]},
    )
    offers = choices(game.state, game.state.moves())
    assert [(offer["text"], offer["cards"], offer["spots"]) for offer in offers] == [
        ("offer Detective", [], [(-1, "turned up", 1)]),
        ("offer Scientist", [], [(-1, "turned up", 0)]),
    ]
