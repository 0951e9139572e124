"""Who learns which card: every movement of the rules' table, seat by seat.

Three players as a rule: A (seat 0) performs, B (seat 1) is concerned, C (seat 2) looks on. A seat's
events carry the card where it may know it, and otherwise -1, written "?" here.
"""

from __future__ import annotations

from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import EMPIRE, UNKNOWN_INDEX, Event, Zone
from games.hidden_leaders.text.moves import find_card
from games.state import CHANCE, UNSEEN, Rng
from tests.support.dealing import LEADER_NAMES, Watchers, dealt, fresh, lead, luck, names
from tests.support.dealing import TAVERN as TAVERN_CARDS
from tests.support.scenario import Scenario, chance, draws, given, player

UNSEEN_NAME = "?"


class Perceived:
    """The events of all seats since the last call."""

    def __init__(self, game: Scenario) -> None:
        self.events = [game.events(seat) for seat in range(game.state.players)]

    def moved(self, source: int, target: int) -> list[list[str]]:
        """For every seat, the cards that went from one zone to another, as that seat saw them."""
        return [
            names(
                [e[5] for e in events if e[0] == Event.MOVED and (e[1], e[3]) == (source, target)]
            )
            for events in self.events
        ]

    def indices(self, source: int, target: int) -> list[list[tuple[int, int]]]:
        """For every seat, from which index to which."""
        return [
            [
                (e[2], e[4])
                for e in events
                if e[0] == Event.MOVED and (e[1], e[3]) == (source, target)
            ]
            for events in self.events
        ]

    def seen(self, zone: int) -> list[list[tuple[int, str]]]:
        """For every seat, index and card of what was looked at or shown in a zone."""
        return [
            [(e[2], names([e[3]])[0]) for e in events if e[0] == Event.SEEN and e[1] == zone]
            for events in self.events
        ]

    def count(self, kind: int) -> list[int]:
        return [sum(event[0] == kind for event in events) for events in self.events]


def all_know(*cards: str, players: int = 3) -> list[list[str]]:
    return [list(cards)] * players


def only(seats: tuple[int, ...], *cards: str, players: int = 3) -> list[list[str]]:
    """What `moved` gives if just these seats know the cards."""
    unseen = [UNSEEN_NAME] * len(cards)
    return [list(cards) if seat in seats else unseen for seat in range(players)]


A = ["Keen Koi", "Ace Fighter", "Friendly Frogmage", "Grumpy Guard", "Hairy Hermit"]
B = ["Flailing Knight", "Depressed Druid", "Crow Carrier", "Mummy Mystic", "Drowned Deserter"]
C = ["Bored Goblin", "Aimless Eel", "Lethargic Leech", "Blind Eye Collector", "Slaughtered Slime"]


# ---- setup ------------------------------------------------------------------------------------


def test_p1_a_leader_is_known_to_its_owner() -> None:
    """P1"""
    state = fresh(3, first=0)
    lead(state, ["Cyra", "Enned", "Pavyr"])
    for seat, own in enumerate([1, 5, 4]):
        told = [event[1:] for event in state.take_events(seat) if event[0] == Event.LEADER]
        assert told == [(who, own if who == seat else UNSEEN) for who in range(3)]


def test_p2_cards_dealt_are_known_to_their_owner() -> None:
    """P2"""
    state = fresh(3, first=0)
    lead(state, LEADER_NAMES[:3])
    luck(state, "Leery Lizard", "Furious Frog", "Apathetic Waterpriest", *A, *B, *C)
    told = Perceived(Scenario(state))
    for seat, five in enumerate((A, B, C)):
        assert told.moved(Zone.HARBOR, Zone.HAND + seat) == only((seat,), *five)


def test_p3_the_first_hidden_hero_is_known_to_its_owner() -> None:
    """P3: all know that it is the first."""
    game = dealt(A, B, C)
    told = Perceived(game)
    for seat, five in enumerate((A, B, C)):
        assert told.moved(Zone.HAND + seat, Zone.HIDDEN + seat) == only((seat,), five[0])
    views = Watchers(dealt(A, B, C).state)
    assert names(views[0].hidden(0)) == [A[0]]
    assert names(views[2].hidden(0)) == [UNSEEN_NAME]


def test_p4_the_first_discard_is_known_to_its_owner_its_place_to_all() -> None:
    """P4, R5"""
    game = dealt(A, B, C)
    views = Watchers(game.state)
    for seat, five in enumerate((A, B, C)):
        expected = [UNSEEN_NAME] * 3
        expected[seat] = five[1]
        assert names(views[seat].wilderness) == expected
    assert Perceived(dealt(A, B, C)).moved(Zone.HAND + 1, Zone.WILDERNESS) == only((1,), B[1])


# ---- the turn ---------------------------------------------------------------------------------


def test_p5_a_harbor_card_is_known_to_the_drawer() -> None:
    """P5: in the draw step and by an ability."""
    game = given(players=3)
    game.choose("do nothing", "draw from the harbor", draws("Keen Koi"))
    assert Perceived(game).moved(Zone.HARBOR, Zone.HAND) == only((0,), "Keen Koi")
    game = given(player(0, hand=["Deep Sea Squire"]), players=3)
    game.play(
        "Deep Sea Squire", "red +1", draws("Keen Koi", "Ace Fighter"), "place Keen Koi hidden"
    )
    assert Perceived(game).moved(Zone.HARBOR, Zone.DRAWN) == only((0,), "Keen Koi", "Ace Fighter")


def test_p6_a_card_put_into_the_tavern_is_known_to_all() -> None:
    """P6: with its slot."""
    game = given(
        player(0, hand=["Keen Koi", "Ace Fighter", "Grumpy Guard", "Hairy Hermit"]),
        tavern=["Crow Carrier", None, "Leery Lizard"],
        players=3,
    )
    game.end_turn("do nothing", "discard Keen Koi", draws("Mummy Mystic"))
    told = Perceived(game)
    assert told.moved(Zone.HARBOR, Zone.TAVERN) == all_know("Mummy Mystic")
    assert told.indices(Zone.HARBOR, Zone.TAVERN) == [[(UNKNOWN_INDEX, 1)]] * 3


def test_p7_a_tavern_card_drawn_is_known_to_all() -> None:
    """P7"""
    game = given(tavern=["Keen Koi"], players=3)
    game.choose("do nothing", "draw Keen Koi")
    assert Perceived(game).moved(Zone.TAVERN, Zone.HAND) == all_know("Keen Koi")


def test_p8_a_card_played_is_known_to_all() -> None:
    """P8"""
    game = given(player(0, hand=["Pigmented War Pig"]), players=3)
    game.play("Pigmented War Pig")
    assert Perceived(game).moved(Zone.HAND, Zone.OPEN) == all_know("Pigmented War Pig")


def test_p9_a_hand_card_placed_hidden_is_known_to_the_owner() -> None:
    """P9: the index is public, being the newest."""
    game = given(
        player(0, hand=["Friendly Frogmage", "Keen Koi"], hidden=["Leery Lizard"]), players=3
    )
    game.play("Friendly Frogmage", "place Keen Koi hidden")
    assert Perceived(game).moved(Zone.HAND, Zone.HIDDEN) == only((0,), "Keen Koi")


def test_p10_a_discard_is_known_to_the_discarder() -> None:
    """P10: in steps 1 and 3, and for Will-Bending Witch."""
    game = given(
        player(0, hand=["Keen Koi", "Ace Fighter", "Grumpy Guard"]),
        tavern=["Leery Lizard"],
        players=3,
    )
    game.choose("discard Keen Koi", "stop discarding")
    assert Perceived(game).moved(Zone.HAND, Zone.WILDERNESS) == only((0,), "Keen Koi")
    game.choose("draw Leery Lizard", "draw from the harbor", draws("Furious Frog"))
    game.choose("discard Ace Fighter")
    assert Perceived(game).moved(Zone.HAND, Zone.WILDERNESS) == only((0,), "Ace Fighter")
    game = given(
        player(0, hand=["Will-Bending Witch"]),
        player(1, hand=["Keen Koi"]),
        player(2, hand=["Ace Fighter"]),
    )
    game.play("Will-Bending Witch", "red +1", "discard Keen Koi", "discard Ace Fighter")
    told = Perceived(game)
    assert told.moved(Zone.HAND + 1, Zone.WILDERNESS) == only((1,), "Keen Koi")
    assert told.moved(Zone.HAND + 2, Zone.WILDERNESS) == only((2,), "Ace Fighter")


def test_p11_a_tavern_card_discarded_is_known_to_all() -> None:
    """P11: and stays known where it lies."""
    game = dealt(
        ["Keen Koi", "Ace Fighter", "Hangry Barbarian", *A[3:]],
        B,
        C,
        tavern=("Rotting Orangutan", "Leery Lizard", "Short-Sighted Soldier"),
    )
    views = Watchers(game.state)
    game.play("Hangry Barbarian")
    for seat in (1, 2):
        assert names(views[seat].wilderness)[3:] == ["Rotting Orangutan", "Short-Sighted Soldier"]
    game = given(player(0, hand=["Angry Priestess"]), tavern=["Crow Carrier"], players=3)
    game.play("Angry Priestess", "discard Crow Carrier")
    assert Perceived(game).moved(Zone.TAVERN, Zone.WILDERNESS) == all_know("Crow Carrier")


def test_p12_an_open_hero_discarded_is_known_to_all() -> None:
    """P12"""
    game = given(player(0, hand=["Vegetarian Sharkguard"]), player(1, open=["Keen Koi"]), players=3)
    game.play("Vegetarian Sharkguard", "red +2", "discard Keen Koi")
    assert Perceived(game).moved(Zone.OPEN + 1, Zone.WILDERNESS) == all_know("Keen Koi")


# ---- burying, setting aside, turning ----------------------------------------------------------


def test_p13_a_hero_buried_is_known_to_all() -> None:
    """P13: whether it was open or hidden."""
    game = given(
        player(0, hand=["Unconfident Executioner"]), player(1, open=["Keen Koi"]), players=3
    )
    game.play("Unconfident Executioner", "bury Keen Koi")
    assert Perceived(game).moved(Zone.OPEN + 1, Zone.GRAVEYARD) == all_know("Keen Koi")
    game = given(player(0, hand=["Slaughtered Slime"]), player(1, hidden=["Keen Koi"]), players=3)
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 1")
    assert Perceived(game).moved(Zone.HIDDEN + 1, Zone.GRAVEYARD) == all_know("Keen Koi")


def test_p14_impalers_card_is_known_to_all() -> None:
    """P14"""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Flailing Knight"], players=3)
    game.play("Insidious Impaler", "perform Flailing Knight")
    told = Perceived(game)
    assert told.moved(Zone.TAVERN, Zone.ASIDE) == all_know("Flailing Knight")
    assert told.moved(Zone.ASIDE, Zone.GRAVEYARD) == all_know("Flailing Knight")


def test_p15_monsterslayers_card_lies_hidden_yet_all_know_it() -> None:
    """P15"""
    game = dealt(
        [*A[:2], "Modest Monsterslayer", *A[3:]],
        B,
        C,
        tavern=("Underpaid Mercenary", "Leery Lizard", "Furious Frog"),
    )
    views = Watchers(game.state)
    game.play("Modest Monsterslayer", "perform Underpaid Mercenary")
    for seat in (1, 2):
        assert names(views[seat].hidden(0)) == [UNSEEN_NAME, "Underpaid Mercenary"]
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Flailing Knight"], players=3)
    game.play("Modest Monsterslayer", "perform Flailing Knight")
    assert Perceived(game).moved(Zone.ASIDE, Zone.HIDDEN) == all_know("Flailing Knight")


def test_p16_a_hero_turned_face_up_is_known_to_all() -> None:
    """P16"""
    game = given(player(0, hand=["Long-Eared Loner"]), player(1, hidden=["Keen Koi"]), players=3)
    game.play("Long-Eared Loner", "turn over B's hidden 1")
    assert Perceived(game).moved(Zone.HIDDEN + 1, Zone.OPEN + 1) == all_know("Keen Koi")


def test_p17_a_hero_turned_face_down_stays_known_to_all_at_its_index() -> None:
    """P17"""
    game = dealt([*A[:2], "Pigmented War Pig", *A[3:]], [*B[:2], "Long-Eared Loner", *B[3:]], C)
    views = Watchers(game.state)
    game.play("Pigmented War Pig")
    game.end_turn()
    game.play("Long-Eared Loner", "turn over Pigmented War Pig")
    for seat in (1, 2):
        assert names(views[seat].hidden(0)) == [UNSEEN_NAME, "Pigmented War Pig"]
    game = given(player(0, hand=["Long-Eared Loner"]), player(1, open=["Keen Koi"]), players=3)
    game.play("Long-Eared Loner", "turn over Keen Koi")
    assert Perceived(game).moved(Zone.OPEN + 1, Zone.HIDDEN + 1) == all_know("Keen Koi")


def test_p18_an_open_hero_taken_to_a_hand_is_known_to_all() -> None:
    """P18: Saber-Toothed Troll, Queer Quartermaster."""
    game = given(player(0, hand=["Saber-Toothed Troll"]), player(1, open=["Keen Koi"]), players=3)
    game.play("Saber-Toothed Troll", "take Keen Koi", "green +2")
    assert Perceived(game).moved(Zone.OPEN + 1, Zone.HAND) == all_know("Keen Koi")
    game = given(
        player(0, hand=["Queer Quartermaster", "Ace Fighter"], open=["Keen Koi"]), players=3
    )
    game.play("Queer Quartermaster", "exchange Keen Koi", "for Ace Fighter")
    assert Perceived(game).moved(Zone.OPEN, Zone.HAND) == all_know("Keen Koi")


# ---- exchanges --------------------------------------------------------------------------------


def test_p19_squires_exchange_is_known_to_the_owner_its_index_to_all() -> None:
    """P19"""
    game = given(
        player(
            0, hand=["Underestimated Squire", "Keen Koi"], hidden=["Ace Fighter", "Hairy Hermit"]
        ),
        players=3,
    )
    game.play("Underestimated Squire", "exchange A's hidden 2", "for Keen Koi")
    told = Perceived(game)
    assert told.moved(Zone.HIDDEN, Zone.HAND) == only((0,), "Hairy Hermit")
    assert told.moved(Zone.ASIDE, Zone.HIDDEN) == only((0,), "Keen Koi")
    assert [where[0][0] for where in told.indices(Zone.HIDDEN, Zone.HAND)] == [1, 1, 1]
    assert [where[0][1] for where in told.indices(Zone.ASIDE, Zone.HIDDEN)] == [1, 1, 1]


def test_p19_a_seat_that_knew_the_hidden_hero_knows_it_is_in_that_hand() -> None:
    """P19, R94: all saw the Mercenary set aside and hidden, so every world has it in the hand."""
    game = dealt(
        [A[0], A[1], "Modest Monsterslayer", "Underestimated Squire", A[4]],
        B,
        tavern=("Underpaid Mercenary", "Leery Lizard", "Furious Frog"),
    )
    views = Watchers(game.state)
    game.play("Modest Monsterslayer", "perform Underpaid Mercenary")
    game.end_turn(
        "draw from the harbor",
        draws("Well-Aged Warrior"),
        "draw from the harbor",
        draws("Joyless Chief"),
        "discard Joyless Chief",
    )
    game.end_turn("do nothing")
    game.play("Underestimated Squire", "exchange A's hidden 2", "for Hairy Hermit")
    mercenary = find_card("Underpaid Mercenary")
    for seed in range(20):
        world = views[1].sample(Rng(seed))
        assert mercenary in world.cards(Zone.HAND)
        assert world.size(Zone.HIDDEN) == 2


def test_p20_quartermasters_exchange_is_known_to_all() -> None:
    """P20: both cards."""
    game = given(
        player(0, hand=["Queer Quartermaster", "Ace Fighter"], open=["Keen Koi"]), players=3
    )
    game.play("Queer Quartermaster", "exchange Keen Koi", "for Ace Fighter")
    told = Perceived(game)
    assert told.moved(Zone.OPEN, Zone.HAND) == all_know("Keen Koi")
    assert told.moved(Zone.ASIDE, Zone.OPEN) == all_know("Ace Fighter")


def test_p21_exchanges_among_open_cards_are_known_to_all() -> None:
    """P21: with the tavern, with the top of the graveyard."""
    game = given(
        player(0, hand=["Half-Headed Wizard"]),
        player(1, open=["Keen Koi"]),
        tavern=["Ace Fighter"],
        players=3,
    )
    game.play("Half-Headed Wizard", "exchange Ace Fighter", "for Keen Koi")
    told = Perceived(game)
    assert told.moved(Zone.TAVERN, Zone.OPEN + 1) == all_know("Ace Fighter")
    assert told.moved(Zone.ASIDE, Zone.TAVERN) == all_know("Keen Koi")
    game = given(player(0, hand=["Mummy Mystic"]), graveyard=["Keen Koi"], players=3)
    game.play("Mummy Mystic", "exchange Mummy Mystic")
    told = Perceived(game)
    assert told.moved(Zone.OPEN, Zone.GRAVEYARD) == all_know("Mummy Mystic")
    assert told.moved(Zone.GRAVEYARD, Zone.OPEN) == all_know("Keen Koi")


def test_p22_cartographers_exchange_is_known_to_the_two_owners() -> None:
    """P22"""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=["Keen Koi"]),
        player(1, hidden=["Ace Fighter"]),
        players=3,
    )
    game.play("Careless Cartographer", "red +1", "exchange B's hidden 1", "for A's hidden 1")
    told = Perceived(game)
    assert told.moved(Zone.HIDDEN + 1, Zone.HIDDEN) == only((0, 1), "Ace Fighter")
    assert told.moved(Zone.ASIDE, Zone.HIDDEN + 1) == only((0, 1), "Keen Koi")


def test_p22_the_knowledge_of_a_third_seat_follows_the_cards() -> None:
    """P22: C looked at B's hero before; now C knows it in A's party."""
    game = dealt([*A[:2], "Careless Cartographer", *A[3:]], B, [*C[:2], "Watchful Witch", *C[3:]])
    views = Watchers(game.state)
    game.end_turn("do nothing")
    game.end_turn("do nothing")
    game.play("Watchful Witch", "red -1", "look at B's hidden 1", "pass")
    game.end_turn()
    assert names(views[2].hidden(1)) == ["Flailing Knight"]
    game.play("Careless Cartographer", "red +1", "exchange B's hidden 1", "for A's hidden 1")
    assert names(views[2].hidden(0)) == ["Flailing Knight"]
    assert names(views[2].hidden(1)) == [UNSEEN_NAME]
    assert names(views[0].hidden(1)) == names(views[1].hidden(1)) == ["Keen Koi"]


# ---- random hand cards, looking ---------------------------------------------------------------


def test_p23_a_hand_card_taken_at_random_is_known_to_both() -> None:
    """P23"""
    game = given(
        player(0, hand=["Resilient Rearguard"]),
        player(1, hand=["Keen Koi", "Ace Fighter"]),
        players=3,
    )
    game.play("Resilient Rearguard", "red +1", "pick B", chance("Keen Koi"))
    assert Perceived(game).moved(Zone.HAND + 1, Zone.HAND) == only((0, 1), "Keen Koi")


def test_p24_a_hand_card_hidden_at_random_is_known_to_both() -> None:
    """P24"""
    game = given(
        player(0, hand=["Curious Cat Lover"]),
        player(1, hand=["Keen Koi", "Ace Fighter"]),
        players=3,
    )
    game.play("Curious Cat Lover", "pick B", chance("Keen Koi"))
    assert Perceived(game).moved(Zone.HAND + 1, Zone.HIDDEN) == only((0, 1), "Keen Koi")


def test_p25_a_hidden_hero_looked_at_is_known_to_looker_and_owner() -> None:
    """P25: the index is public. The owner is not told again what it knows."""
    game = dealt([*A[:2], "Watchful Witch", *A[3:]], B, C)
    views = Watchers(game.state)
    game.play("Watchful Witch", "red -1", "look at B's hidden 1", "pass")
    assert [names(views[seat].hidden(1)) for seat in range(3)] == [
        ["Flailing Knight"],
        ["Flailing Knight"],
        [UNSEEN_NAME],
    ]
    game = given(player(0, hand=["Watchful Witch"]), player(1, hidden=["Keen Koi"]), players=3)
    game.play("Watchful Witch", "red -1", "look at B's hidden 1")
    seen = Perceived(game).seen(Zone.HIDDEN + 1)
    assert seen[0] == [(0, "Keen Koi")]
    assert seen[2] == [(0, UNSEEN_NAME)]


# ---- piles ------------------------------------------------------------------------------------


def test_p26_the_wilderness_top_revealed_stays_known_to_all() -> None:
    """P26"""
    game = dealt([*A[:2], "Tentacle Oracle", *A[3:]], B, C)
    views = Watchers(game.state)
    game.play("Tentacle Oracle")
    for seat in range(3):
        assert names(views[seat].wilderness)[2] == "Aimless Eel"
    game = given(player(0, hand=["Tentacle Oracle"]), wilderness=["Keen Koi"], players=3)
    game.play("Tentacle Oracle")
    assert Perceived(game).seen(Zone.WILDERNESS) == [[(0, "Keen Koi")]] * 3


def test_p27_chiefs_two_cards_are_known_to_the_performer() -> None:
    """P27: others are not told which was taken."""
    game = given(
        player(0, hand=["Joyless Chief"]), wilderness=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Joyless Chief", "place Ace Fighter hidden")
    told = Perceived(game)
    assert told.moved(Zone.WILDERNESS, Zone.DRAWN) == only((0,), "Ace Fighter", "Keen Koi")
    assert told.moved(Zone.DRAWN, Zone.HIDDEN) == only((0,), "Ace Fighter")
    assert told.moved(Zone.DRAWN, Zone.WILDERNESS) == only((0,), "Keen Koi")


def discards_of_b(third: str) -> tuple[Scenario, Watchers]:
    """B has just discarded Crow Carrier and then Mummy Mystic; A, holding `third`, is next."""
    game = dealt([A[0], A[1], third, A[3], A[4]], B)
    views = Watchers(game.state)
    game.end_turn("do nothing")
    game.choose("discard Crow Carrier", "stop discarding")
    game.choose("draw from the harbor", draws("Well-Aged Warrior"))
    game.choose("draw from the harbor", draws("Hangry Barbarian"))
    game.end_turn("discard Mummy Mystic")
    return game, views


def test_p27_a_seat_that_knew_the_pair_does_not_know_the_split() -> None:
    """P27, R94: B discarded both and has no idea which of them A has hidden."""
    game, views = discards_of_b("Joyless Chief")
    game.play("Joyless Chief", "place Crow Carrier hidden")
    splits = set()
    for seed in range(40):
        world = views[1].sample(Rng(seed))
        splits.add((world.cards(Zone.HIDDEN)[-1], world.cards(Zone.WILDERNESS)[-1]))
    carrier, mystic = find_card("Crow Carrier"), find_card("Mummy Mystic")
    assert splits == {(carrier, mystic), (mystic, carrier)}
    assert names(views[0].hidden(0)) == [A[0], "Crow Carrier"]


def test_p28_wilderness_cards_drawn_are_known_to_the_drawer() -> None:
    """P28: where they lay is public."""
    game = given(
        player(0, hand=["Miniature Merman"]), wilderness=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Miniature Merman", "red -1", "draw from the wilderness")
    told = Perceived(game)
    assert told.moved(Zone.WILDERNESS, Zone.HAND) == only((0,), "Ace Fighter", "Keen Koi")
    assert [[i for i, _ in where] for where in told.indices(Zone.WILDERNESS, Zone.HAND)] == [
        [1, 0]
    ] * 3


def test_p28_a_card_known_in_the_pile_is_known_in_the_hand() -> None:
    """P28, R94: B discarded both cards and knows that A now holds them."""
    game, views = discards_of_b("Miniature Merman")
    game.play("Miniature Merman", "green +1", "draw from the wilderness")
    drawn = {find_card("Crow Carrier"), find_card("Mummy Mystic")}
    for seed in range(20):
        assert drawn <= set(views[1].sample(Rng(seed)).cards(Zone.HAND))


def test_p29_graveyard_cards_drawn_are_known_to_all() -> None:
    """P29: each was the visible top when lifted."""
    game = given(
        player(0, hand=["Miniature Merman"]), graveyard=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    assert Perceived(game).moved(Zone.GRAVEYARD, Zone.HAND) == all_know("Ace Fighter", "Keen Koi")


def test_p30_graveyard_cards_put_into_the_tavern_are_known_to_all() -> None:
    """P30"""
    game = given(
        player(0, hand=["Resurrected Ram"]), graveyard=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Resurrected Ram", "red +1")
    assert Perceived(game).moved(Zone.GRAVEYARD, Zone.TAVERN) == all_know("Ace Fighter", "Keen Koi")


def test_p31_crow_carriers_split_is_known_to_the_performer() -> None:
    """P31: all see the two cards, not which was hidden."""
    game = given(player(0, hand=["Crow Carrier"]), graveyard=["Keen Koi", "Ace Fighter"], players=3)
    game.play("Crow Carrier", "place Keen Koi hidden")
    told = Perceived(game)
    assert told.moved(Zone.GRAVEYARD, Zone.DRAWN) == all_know("Ace Fighter", "Keen Koi")
    assert told.moved(Zone.DRAWN, Zone.HIDDEN) == only((0,), "Keen Koi")
    assert told.moved(Zone.DRAWN, Zone.WILDERNESS) == only((0,), "Ace Fighter")


def test_p32_a_graveyard_card_from_below_is_known_to_the_taker() -> None:
    """P32: others are not even told from how far below."""
    game = given(
        player(0, hand=["Wrapped Warrior"]),
        graveyard=["Keen Koi", "Ace Fighter", "Grumpy Guard"],
        players=3,
    )
    game.play("Wrapped Warrior", "red +1", "take Keen Koi")
    told = Perceived(game)
    assert told.moved(Zone.GRAVEYARD, Zone.HAND) == only((0,), "Keen Koi")
    assert [where[0][0] for where in told.indices(Zone.GRAVEYARD, Zone.HAND)] == [
        0,
        UNKNOWN_INDEX,
        UNKNOWN_INDEX,
    ]
    assert told.seen(Zone.GRAVEYARD)[1:] == [[], []]


def test_p32_the_top_card_taken_is_missed_by_all() -> None:
    """P32, R93: all see the old top go and the new one lie there."""
    game = given(
        player(0, hand=["Wrapped Warrior"]), graveyard=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Wrapped Warrior", "red +1", "take Ace Fighter")
    told = Perceived(game)
    assert told.moved(Zone.GRAVEYARD, Zone.HAND) == all_know("Ace Fighter")
    assert told.seen(Zone.GRAVEYARD)[2] == [(0, "Keen Koi")]


def test_p33_connoisseurs_cards_are_known_to_all() -> None:
    """P33: the one hidden is pointed out."""
    game = given(
        player(0, hand=["Battle Connoisseur"]), tavern=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Battle Connoisseur", "place Keen Koi hidden")
    told = Perceived(game)
    assert told.moved(Zone.TAVERN, Zone.HIDDEN) == all_know("Keen Koi")
    assert told.moved(Zone.TAVERN, Zone.WILDERNESS) == all_know("Ace Fighter")


def test_p34_whalemans_cards_are_known_to_the_performer() -> None:
    """P34"""
    game = given(player(0, hand=["Pessimistic Whaleman"]), players=3)
    game.play(
        "Pessimistic Whaleman", "red +1", draws("Keen Koi", "Ace Fighter"), "place Keen Koi hidden"
    )
    told = Perceived(game)
    assert told.moved(Zone.HARBOR, Zone.DRAWN) == only((0,), "Keen Koi", "Ace Fighter")
    assert told.moved(Zone.DRAWN, Zone.HIDDEN) == only((0,), "Keen Koi")
    assert told.moved(Zone.DRAWN, Zone.WILDERNESS) == only((0,), "Ace Fighter")


def test_p35_squires_cards_are_known_to_the_performer() -> None:
    """P35"""
    game = given(player(0, hand=["Deep Sea Squire"]), players=3)
    game.play(
        "Deep Sea Squire", "red +1", draws("Keen Koi", "Ace Fighter"), "place Keen Koi hidden"
    )
    told = Perceived(game)
    assert told.moved(Zone.DRAWN, Zone.HIDDEN) == only((0,), "Keen Koi")
    assert told.moved(Zone.DRAWN, Zone.HAND) == only((0,), "Ace Fighter")


def test_p36_a_tavern_card_placed_open_is_known_to_all() -> None:
    """P36"""
    game = given(player(0, hand=["Hopeful Salamander"]), tavern=["Keen Koi"], players=3)
    game.play("Hopeful Salamander", "place Keen Koi open")
    assert Perceived(game).moved(Zone.TAVERN, Zone.OPEN) == all_know("Keen Koi")


def test_p37_a_card_handed_over_is_known_to_all() -> None:
    """P37"""
    game = given(
        player(0, hand=["Underwater Artist"]),
        player(1, hand=["Ace Fighter", "Keen Koi"]),
        players=3,
    )
    game.play("Underwater Artist", "name Empire", "pick B", "hand over Ace Fighter")
    assert Perceived(game).moved(Zone.HAND + 1, Zone.HAND) == all_know("Ace Fighter")


def test_p37_without_such_a_card_all_learn_that_there_is_none() -> None:
    """P37, R146"""
    game = given(player(0, hand=["Underwater Artist"]), player(1, hand=["Keen Koi"]), players=3)
    game.play("Underwater Artist", "name Empire", "pick B")
    for events in Perceived(game).events:
        assert (Event.NONE_HELD, 1, EMPIRE) in events


def test_p38_an_open_hero_moved_elsewhere_is_known_to_all() -> None:
    """P38"""
    game = given(player(0, hand=["Goblin Cryptographer"]), player(1, open=["Keen Koi"]), players=3)
    game.play("Goblin Cryptographer", "red -1", "move Keen Koi", "give to C")
    assert Perceived(game).moved(Zone.OPEN + 1, Zone.OPEN + 2) == all_know("Keen Koi")


def test_p39_after_a_reshuffle_nobody_knows_positions() -> None:
    """P39: all see that it happens; any of its cards may come next."""
    game = given(players=3, harbor=[], wilderness=["Keen Koi", "Ace Fighter"])
    game.choose("do nothing", "draw from the harbor")
    assert game.actor == CHANCE
    told = Perceived(game)
    assert told.count(Event.RESHUFFLED) == [1, 1, 1]
    assert told.count(Event.SEEN) == [0, 0, 0]
    assert game.options() == ["harbor: Ace Fighter", "harbor: Keen Koi"]


def test_p40_hands_discarded_at_the_end_are_known_to_their_owners() -> None:
    """P40"""
    game = given(
        player(0, open=["Keen Koi"]),
        player(1, hand=["Ace Fighter"]),
        player(2, hand=["Grumpy Guard"]),
        threshold=1,
        harbor=[],
    )
    game.choose("do nothing")
    told = Perceived(game)
    assert told.moved(Zone.HAND + 1, Zone.WILDERNESS) == only((1,), "Ace Fighter")
    assert told.moved(Zone.HAND + 2, Zone.WILDERNESS) == only((2,), "Grumpy Guard")


def test_p41_leaders_and_hidden_heroes_are_shown_to_all_at_the_end() -> None:
    """P41"""
    game = given(
        player(0, open=["Keen Koi"], leader="Cyra"),
        player(1, hidden=["Ace Fighter", "Grumpy Guard"], leader="Enned"),
        player(2, leader="Myrad"),
        threshold=1,
        harbor=[],
    )
    game.choose("do nothing")
    told = Perceived(game)
    assert told.seen(Zone.HIDDEN + 1) == [[(0, "Ace Fighter"), (1, "Grumpy Guard")]] * 3
    for events in told.events:
        shown = [LEADERS[event[2]].name for event in events if event[0] == Event.LEADER]
        assert shown == ["Cyra", "Enned", "Myrad"]


# ---- hands are bags, piles have order ---------------------------------------------------------


def public_card_in_hand() -> Scenario:
    """A has drawn the Leery Lizard in public and holds two other cards and a fourth."""
    game = dealt(A, B)
    game.choose("do nothing", "draw Leery Lizard")
    return game


def test_r91_a_card_that_leaves_a_hand_unseen_may_be_any_of_it() -> None:
    """R91: afterwards the Lizard is in the hand or on top of the wilderness, and nowhere else."""
    game = public_card_in_hand()
    views = Watchers(game.state)
    lizard = find_card("Leery Lizard")
    worlds = [views[1].sample(Rng(seed)) for seed in range(20)]
    assert all(lizard in world.cards(Zone.HAND) for world in worlds)
    game.end_turn("discard Hairy Hermit")
    worlds = [views[1].sample(Rng(seed)) for seed in range(60)]
    in_hand = sum(lizard in world.cards(Zone.HAND) for world in worlds)
    on_top = sum(world.cards(Zone.WILDERNESS)[-1] == lizard for world in worlds)
    assert in_hand + on_top == 60
    assert in_hand > on_top > 0


def test_r91_knowledge_stays_exact_where_the_count_forces_it() -> None:
    """R91: once the whole hand has gone, all that was known of it lies in the wilderness."""
    game = dealt(A, B)
    views = Watchers(game.state)
    for name in A[2:]:
        game.choose(f"discard {name}")
    for name in TAVERN_CARDS:
        game.choose(f"draw {name}")
    game.choose("draw from the harbor", draws("Well-Aged Warrior"))
    known = {find_card(name) for name in TAVERN_CARDS}
    assert known < set(views[1].sample(Rng(1)).cards(Zone.HAND))
    game.end_turn("discard Well-Aged Warrior")
    assert any(not known <= set(views[1].sample(Rng(seed)).cards(Zone.HAND)) for seed in range(30))
    game.end_turn("do nothing")
    for name in TAVERN_CARDS:
        game.choose(f"discard {name}")
    for seed in range(30):
        assert known <= set(views[1].sample(Rng(seed)).cards(Zone.WILDERNESS))


def test_r91_a_hand_has_no_order_for_others() -> None:
    """R91: what leaves it is told without an index."""
    game = given(player(0, hand=["Keen Koi", "Ace Fighter"]), players=3)
    game.choose("discard Ace Fighter")
    assert (
        Perceived(game).indices(Zone.HAND, Zone.WILDERNESS)
        == [[(UNKNOWN_INDEX, UNKNOWN_INDEX)]] * 3
    )


def test_r92_rows_and_piles_can_be_followed_by_position() -> None:
    """R92: what lies above in the wilderness does not disturb what is known below."""
    game = dealt([*A[:2], "Tentacle Oracle", *A[3:]], B, C)
    views = Watchers(game.state)
    game.play("Tentacle Oracle")
    game.end_turn()
    game.end_turn("do nothing")
    wilderness = names(views[2].wilderness)
    assert wilderness[2] == "Aimless Eel"
    assert len(wilderness) == 5
    assert wilderness[3:] == [UNSEEN_NAME, UNSEEN_NAME]


def test_r92_the_order_of_the_harbor_is_known_to_nobody() -> None:
    """R92: after any history every harbor card may come next."""
    game = given(harbor=["Keen Koi", "Ace Fighter", "Grumpy Guard"])
    game.choose("do nothing", "draw from the harbor")
    assert len(game.options()) == 3
    assert game.state.weights() == [1, 1, 1]


# ---- the graveyard ----------------------------------------------------------------------------


def test_r93_only_the_warriors_player_looks_through_the_graveyard() -> None:
    """R93"""
    game = given(
        player(0, hand=["Wrapped Warrior"]), graveyard=["Keen Koi", "Ace Fighter"], players=3
    )
    game.choose("play Wrapped Warrior", "red +1")
    seen = Perceived(game).seen(Zone.GRAVEYARD)
    assert seen == [[(0, "Keen Koi"), (1, "Ace Fighter")], [], []]


def graveyard_of_two() -> tuple[Scenario, Watchers]:
    """Buried Emperor, Flailing Knight, as all have seen them lie there; A has the Warrior."""
    game = dealt(
        [A[0], A[1], "Slaughtered Slime", "Wrapped Warrior", A[4]],
        B,
        [*C[:4], "Underpaid Mercenary"],
    )
    views = Watchers(game.state)
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 1")
    game.end_turn(
        "draw from the harbor",
        draws("Joyless Chief"),
        "draw from the harbor",
        draws("Well-Aged Warrior"),
        "discard Joyless Chief",
    )
    game.end_turn("do nothing")
    game.end_turn("do nothing")
    return game, views


def test_r93_what_was_buried_is_remembered() -> None:
    """R93"""
    game, views = graveyard_of_two()
    for seat in range(3):
        assert names(views[seat].graveyard) == ["Buried Emperor", "Flailing Knight"]
    assert game.graveyard == ["Buried Emperor", "Flailing Knight"]


def test_r93_if_the_top_changes_it_was_the_top() -> None:
    """R93"""
    game, views = graveyard_of_two()
    game.play("Wrapped Warrior", "red +1", "take Flailing Knight")
    for seat in range(3):
        assert names(views[seat].graveyard) == ["Buried Emperor"]


def test_r93_if_it_does_not_it_was_one_of_the_others() -> None:
    """R93: with a single card below, that one."""
    game, views = graveyard_of_two()
    game.play("Wrapped Warrior", "red +1", "take Buried Emperor")
    emperor = find_card("Buried Emperor")
    for seat in (1, 2):
        assert names(views[seat].graveyard) == ["Flailing Knight"]
        for seed in range(10):
            world = views[seat].sample(Rng(seed))
            assert emperor in world.cards(Zone.HAND)
            assert names(world.cards(Zone.GRAVEYARD)) == ["Flailing Knight"]


# ---- worlds -----------------------------------------------------------------------------------


def test_r94_worlds_agree_with_all_that_was_seen() -> None:
    """R94: private and public information, and the legal moves."""
    game, views = graveyard_of_two()
    for seat in range(3):
        view = views[seat]
        for seed in range(5):
            world = view.sample(Rng(seed))
            assert world.cards(Zone.HAND + seat) == view.hand
            assert world.leader(seat) == view.leader
            assert world.cards(Zone.TAVERN) == view.tavern
            assert world.cards(Zone.GRAVEYARD) == view.graveyard
            assert (world.red, world.green, world.actor) == (game.red, game.green, game.actor)
            everywhere = sorted(c for zone in range(24) for c in world.cards(zone) if c >= 0)
            assert everywhere == list(range(77))
            if seat == game.actor:
                assert world.moves() == view.moves == game.state.moves()


def test_r94_unseen_choices_may_be_anything_legal() -> None:
    """R94: nothing is inferred from what would have been clever."""
    game = dealt(A, B)
    views = Watchers(game.state)
    hidden = {HEROES[views[1].sample(Rng(seed)).cards(Zone.HIDDEN)[0]].name for seed in range(200)}
    assert len(hidden) > 40, "about any card the other seat has not seen"
    assert not hidden & set(B)


def test_r95_what_was_seen_is_never_forgotten() -> None:
    """R95: C's look at B's hero holds turns later."""
    game = dealt([*A[:2], "Watchful Witch", *A[3:]], B, C)
    views = Watchers(game.state)
    game.play("Watchful Witch", "red -1", "look at C's hidden 1", "pass")
    game.end_turn()
    for _ in range(9):
        game.end_turn("do nothing")
    assert names(views[0].hidden(2)) == ["Bored Goblin"]
    assert names(views[1].hidden(2)) == [UNSEEN_NAME]


def test_r96_nobody_can_say_anything() -> None:
    """R96: all a seat ever perceives is the game's own doing."""
    game, _ = graveyard_of_two()
    kinds = {event[0] for seat in range(3) for event in game.events(seat)}
    assert kinds <= set(range(Event.LEADER, Event.OVER + 1))


def test_only_the_actor_receives_the_legal_moves() -> None:
    """R38: the moves of a hand would give it away."""
    game = dealt(A, B, C)
    for _ in range(3):
        game.end_turn("do nothing")
    for seat, events in enumerate(Perceived(game).events):
        asked = [event for event in events if event[0] == Event.PENDING and event[1] == seat]
        listed = [event for event in events if event[0] == Event.LEGAL_MOVES]
        assert len(listed) == len(asked) > 0
