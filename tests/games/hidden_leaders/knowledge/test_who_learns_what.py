"""Who learns which card: every movement of the rules' table, seat by seat.

Three players: A (seat 0) performs, B (seat 1) is concerned, C (seat 2) looks on. A seat's events
carry the card where it may know it, and otherwise -1, written "?" here.
"""

from __future__ import annotations

from dataclasses import replace

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import EMPIRE, Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import find_card
from games.seats import seat_name
from games.state import CHANCE, UNSEEN, Rng
from tests.support.dealing import LEADER_NAMES, Watchers, dealt, fresh, lead, luck, names
from tests.support.dealing import TAVERN as TAVERN_CARDS
from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import Outcomes, Scenario, draws, given
from tests.support.stories import Story, stories

A = ["Keen Koi", "Ace Fighter", "Friendly Frogmage", "Grumpy Guard", "Hairy Hermit"]
B = ["Flailing Knight", "Depressed Druid", "Crow Carrier", "Mummy Mystic", "Drowned Deserter"]
C = ["Bored Goblin", "Aimless Eel", "Lethargic Leech", "Blind Eye Collector", "Slaughtered Slime"]


def cards_seen(game: Scenario, seat: int) -> list[str]:
    """The seat's news of cards."""
    return [line for line in perceived(game, seat) if not line.endswith(" in secret")]


# ---- movements --------------------------------------------------------------------------------

MOVEMENTS = stories("""
P5 a harbor card: the drawer
given players 3
when  do nothing; draw from the harbor; draws Keen Koi
then  A Keen Koi: harbor to A's hand

P5, P35 the Deep Sea Squire's cards: the performer
given A hand Deep Sea Squire
when  play Deep Sea Squire; red +1; draws Keen Koi, Ace Fighter; place Keen Koi hidden
then  A Keen Koi: harbor to drawn; A Ace Fighter: harbor to drawn; A Keen Koi: drawn to A's hidden
then  A Ace Fighter: drawn to A's hand

P6 a card put into the tavern, and its slot: all
given A hand Keen Koi, Ace Fighter, Grumpy Guard, Hairy Hermit
given tavern Crow Carrier, -, Leery Lizard
when  do nothing; discard Keen Koi; draws Mummy Mystic
then  A Keen Koi: A's hand to wilderness; ABC Mummy Mystic: harbor to tavern 2

P7 a tavern card drawn: all
given tavern Keen Koi
when  do nothing; draw Keen Koi
then  ABC Keen Koi: tavern 1 to A's hand

P9 a hand card placed hidden: the owner
given A hand Friendly Frogmage, Keen Koi; A hidden Leery Lizard
when  play Friendly Frogmage; place Keen Koi hidden
then  A Keen Koi: A's hand to A's hidden

P10 discards in steps 1 and 3: the discarder
given A hand Keen Koi, Ace Fighter, Grumpy Guard; tavern Leery Lizard
when  discard Keen Koi; stop discarding; draw Leery Lizard; draw from the harbor
when  draws Furious Frog; discard Ace Fighter
then  A Keen Koi: A's hand to wilderness; ABC Leery Lizard: tavern 1 to A's hand
then  A Furious Frog: harbor to A's hand; A Ace Fighter: A's hand to wilderness

P10 discards for Will-Bending Witch: each discarder
given A hand Will-Bending Witch; B hand Keen Koi; C hand Ace Fighter
when  play Will-Bending Witch; red +1; discard Keen Koi; discard Ace Fighter
then  B Keen Koi: B's hand to wilderness; C Ace Fighter: C's hand to wilderness

P11 a tavern card discarded: all
given A hand Angry Priestess; tavern Crow Carrier
when  play Angry Priestess; discard Crow Carrier
then  ABC Crow Carrier: tavern 1 to wilderness

P12 an open hero discarded: all
given A hand Vegetarian Sharkguard; B open Keen Koi
when  play Vegetarian Sharkguard; red +2; discard Keen Koi
then  ABC Keen Koi: B's open to wilderness

P13 an open hero buried: all
given A hand Unconfident Executioner; B open Keen Koi
when  play Unconfident Executioner; bury Keen Koi
then  ABC Keen Koi: B's open to graveyard

P13 a hidden hero buried: all
given A hand Slaughtered Slime; B hidden Keen Koi
when  play Slaughtered Slime; red -1; bury B's hidden 1
then  ABC Keen Koi: B's hidden 1 to graveyard

P14 the Impaler's card: all
given A hand Insidious Impaler; tavern Flailing Knight
when  play Insidious Impaler; perform Flailing Knight
then  ABC Flailing Knight: tavern 1 to aside; ABC Flailing Knight: aside to graveyard

P15 the Monsterslayer's card, though it lies hidden: all
given A hand Modest Monsterslayer; tavern Flailing Knight
when  play Modest Monsterslayer; perform Flailing Knight
then  ABC Flailing Knight: tavern 1 to aside; ABC Flailing Knight: aside to A's hidden

P16 a hero turned face up: all
given A hand Long-Eared Loner; B hidden Keen Koi
when  play Long-Eared Loner; turn over B's hidden 1
then  ABC Keen Koi: B's hidden 1 to B's open

P17 a hero turned face down: all
given A hand Long-Eared Loner; B open Keen Koi
when  play Long-Eared Loner; turn over Keen Koi
then  ABC Keen Koi: B's open to B's hidden

P18 an open hero taken by Saber-Toothed Troll: all
given A hand Saber-Toothed Troll; B open Keen Koi
when  play Saber-Toothed Troll; take Keen Koi; green +2
then  ABC Keen Koi: B's open to A's hand

P18, P20 both cards of Queer Quartermaster: all
given A hand Queer Quartermaster, Ace Fighter; A open Keen Koi
when  play Queer Quartermaster; exchange Keen Koi; for Ace Fighter
then  ABC Ace Fighter: A's hand to aside; ABC Keen Koi: A's open to A's hand
then  ABC Ace Fighter: aside to A's open

P19 the Underestimated Squire's exchange: the owner, its index all
given A hand Underestimated Squire, Keen Koi; A hidden Ace Fighter, Hairy Hermit
when  play Underestimated Squire; exchange A's hidden 2; for Keen Koi
then  A Keen Koi: A's hand to aside; A Hairy Hermit: A's hidden 2 to A's hand
then  A Keen Koi: aside to A's hidden 2

P21 an exchange with the tavern: all
given A hand Half-Headed Wizard; B open Keen Koi; tavern Ace Fighter
when  play Half-Headed Wizard; exchange Ace Fighter; for Keen Koi
then  ABC Keen Koi: B's open to aside; ABC Ace Fighter: tavern 1 to B's open
then  ABC Keen Koi: aside to tavern 1

P21 an exchange with the top of the graveyard: all
given A hand Mummy Mystic; graveyard Keen Koi
when  play Mummy Mystic; exchange Mummy Mystic
then  ABC Mummy Mystic: A's open to graveyard; ABC Keen Koi: graveyard 1 to A's open

P22 the Cartographer's exchange: the two owners
given A hand Careless Cartographer; A hidden Keen Koi; B hidden Ace Fighter
when  play Careless Cartographer; red +1; exchange B's hidden 1; for A's hidden 1
then  AB Keen Koi: A's hidden 1 to aside; AB Ace Fighter: B's hidden 1 to A's hidden 1
then  AB Keen Koi: aside to B's hidden 1

P23 a hand card taken at random: both seats
given A hand Resilient Rearguard; B hand Keen Koi, Ace Fighter
when  play Resilient Rearguard; red +1; pick B; chance Keen Koi
then  AB Keen Koi: B's hand to A's hand

P24 a hand card hidden at random: both seats
given A hand Curious Cat Lover; B hand Keen Koi, Ace Fighter
when  play Curious Cat Lover; pick B; chance Keen Koi
then  AB Keen Koi: B's hand to A's hidden

P25 a hidden hero looked at: the looker, for its owner knows it
given A hand Watchful Witch; B hidden Keen Koi
when  play Watchful Witch; red -1; look at B's hidden 1
then  A Keen Koi: seen in B's hidden 1

P26 the top of the wilderness revealed: all
given A hand Tentacle Oracle; wilderness Keen Koi
when  play Tentacle Oracle
then  ABC Keen Koi: seen in wilderness 1

P27 the Chief's two cards, and which was taken: the performer
given A hand Joyless Chief; wilderness Keen Koi, Ace Fighter
when  play Joyless Chief; place Ace Fighter hidden
then  A Ace Fighter: wilderness 2 to drawn; A Keen Koi: wilderness 1 to drawn
then  A Ace Fighter: drawn to A's hidden; A Keen Koi: drawn to wilderness

P28 wilderness cards drawn: the drawer, their place all
given A hand Miniature Merman; wilderness Keen Koi, Ace Fighter
when  play Miniature Merman; red -1; draw from the wilderness
then  A Ace Fighter: wilderness 2 to A's hand; A Keen Koi: wilderness 1 to A's hand

P29 graveyard cards drawn, each the visible top: all
given A hand Miniature Merman; graveyard Keen Koi, Ace Fighter
when  play Miniature Merman; red -1; draw from the graveyard
then  ABC Ace Fighter: graveyard 2 to A's hand; ABC Keen Koi: seen in graveyard 1
then  ABC Keen Koi: graveyard 1 to A's hand

P30 graveyard cards put into the tavern: all
given A hand Resurrected Ram; graveyard Keen Koi, Ace Fighter
when  play Resurrected Ram; red +1
then  ABC Ace Fighter: graveyard 2 to tavern 1; ABC Keen Koi: seen in graveyard 1
then  ABC Keen Koi: graveyard 1 to tavern 2

P31 Crow Carrier's two cards: all, which was hidden: the performer
given A hand Crow Carrier; graveyard Keen Koi, Ace Fighter
when  play Crow Carrier; place Keen Koi hidden
then  ABC Ace Fighter: graveyard 2 to drawn; ABC Keen Koi: seen in graveyard 1
then  ABC Keen Koi: graveyard 1 to drawn; A Keen Koi: drawn to A's hidden
then  A Ace Fighter: drawn to wilderness

P33 the Connoisseur's cards, and which was hidden: all
given A hand Battle Connoisseur; tavern Keen Koi, Ace Fighter
when  play Battle Connoisseur; place Keen Koi hidden
then  ABC Keen Koi: tavern 1 to A's hidden; ABC Ace Fighter: tavern 2 to wilderness

P34 the Whaleman's cards: the performer
given A hand Pessimistic Whaleman
when  play Pessimistic Whaleman; red +1; draws Keen Koi, Ace Fighter; place Keen Koi hidden
then  A Keen Koi: harbor to drawn; A Ace Fighter: harbor to drawn; A Keen Koi: drawn to A's hidden
then  A Ace Fighter: drawn to wilderness

P36 a tavern card placed open: all
given A hand Hopeful Salamander; tavern Keen Koi
when  play Hopeful Salamander; place Keen Koi open
then  ABC Keen Koi: tavern 1 to A's open

P37 a card handed over: all
given A hand Underwater Artist; B hand Ace Fighter, Keen Koi
when  play Underwater Artist; name Empire; pick B; hand over Ace Fighter
then  ABC Ace Fighter: B's hand to A's hand

P38 an open hero moved elsewhere: all
given A hand Goblin Cryptographer; B open Keen Koi
when  play Goblin Cryptographer; red -1; move Keen Koi; give to C
then  ABC Keen Koi: B's open to C's open

P40 hands discarded at the end: their owners
given A open Keen Koi; B hand Ace Fighter; C hand Grumpy Guard; threshold 1; harbor -
when  do nothing
then  B Ace Fighter: B's hand to wilderness; C Grumpy Guard: C's hand to wilderness

R91 a card leaving a hand, which has no order
given A hand Keen Koi, Ace Fighter
when  discard Ace Fighter
then  A Ace Fighter: A's hand to wilderness
""")


@MOVEMENTS
def test_who_learns(story: Story) -> None:
    """The news of cards of all seats; those not named before the card perceive "?" instead."""
    game = replace(story, given=[*story.given, "players 3"]).tell()
    for seat, letter in enumerate("ABC"):
        expected = []
        for line in story.then:
            seats, _, news = line.partition(" ")
            expected.append(news if letter in seats else "?:" + news.partition(":")[2])
        assert cards_seen(game, seat) == expected


def test_p1_a_leader_is_known_to_its_owner() -> None:
    """P1"""
    state = fresh(3, first=0)
    lead(state, ["Cyra", "Enned", "Pavyr"])
    for seat, own in enumerate([1, 5, 4]):
        news = [event[1:] for event in state.take_events(seat) if event[0] == Event.LEADER]
        assert news == [(owner, own if owner == seat else UNSEEN) for owner in range(3)]


def test_p2_cards_dealt_are_known_to_their_owner() -> None:
    """P2"""
    state = fresh(3, first=0)
    lead(state, LEADER_NAMES[:3])
    luck(state, *TAVERN_CARDS, *A, *B, *C)
    dealt_to = [(name, owner) for owner, five in enumerate((A, B, C)) for name in five]
    game = Scenario(state)
    for seat in range(3):
        assert cards_seen(game, seat)[3:] == [
            f"{name if owner == seat else '?'}: harbor to {seat_name(owner)}'s hand"
            for name, owner in dealt_to
        ]


def test_p3_the_first_hidden_hero_is_known_to_its_owner() -> None:
    """P3: all know that it is the first."""
    game = dealt(A, B, C)
    for seat, five in enumerate((A, B, C)):
        hidden = [line for line in cards_seen(game, seat) if line.endswith(" hidden")]
        faces = [five[0] if owner == seat else "?" for owner in range(3)]
        owners = zip(faces, "ABC", strict=True)
        assert hidden == [f"{face}: {own}'s hand to {own}'s hidden" for face, own in owners]
    views = Watchers(dealt(A, B, C).state)
    assert names(views[0].hidden(0)) == [A[0]]
    assert names(views[2].hidden(0)) == ["?"]


def test_p4_the_first_discard_is_known_to_its_owner_its_place_to_all() -> None:
    """P4, R5"""
    views = Watchers(dealt(A, B, C).state)
    for seat, five in enumerate((A, B, C)):
        assert names(views[seat].wilderness) == [five[1] if k == seat else "?" for k in range(3)]


def test_p8_a_card_played_is_known_to_all() -> None:
    """P8"""
    game = given("A hand Pigmented War Pig; players 3")
    game.play("Pigmented War Pig")
    for seat in range(3):
        (played,) = [event for event in game.events(seat) if event[0] == Event.MOVED]
        assert (played[1], played[3]) == (Zone.HAND, Zone.OPEN)
        assert names(played[5:]) == ["Pigmented War Pig"]


WARRIOR = "A hand Wrapped Warrior; players 3; graveyard Keen Koi, Ace Fighter"


def test_p32_a_graveyard_card_from_below_is_known_to_the_taker() -> None:
    """P32: others do not even learn from how far below."""
    game = given(f"{WARRIOR}, Grumpy Guard")
    game.play("Wrapped Warrior", "red +1", "take Keen Koi")
    assert cards_seen(game, 0)[3:] == ["Keen Koi: graveyard 1 to A's hand"]
    assert cards_seen(game, 1) == cards_seen(game, 2) == ["?: graveyard to A's hand"]


def test_p32_the_top_card_taken_is_missed_by_all() -> None:
    """P32, R93: all see the old top go and the new one lie there."""
    game = given(WARRIOR)
    game.play("Wrapped Warrior", "red +1", "take Ace Fighter")
    news = ["Ace Fighter: graveyard 2 to A's hand", "Keen Koi: seen in graveyard 1"]
    assert [cards_seen(game, seat)[-2:] for seat in range(3)] == [news] * 3


def test_r93_only_the_warriors_player_looks_through_the_graveyard() -> None:
    """R93"""
    game = given(WARRIOR)
    game.choose("play Wrapped Warrior", "red +1")
    looked = ["Keen Koi: seen in graveyard 1", "Ace Fighter: seen in graveyard 2"]
    assert [cards_seen(game, seat) for seat in range(3)] == [looked, [], []]


def test_p37_without_such_a_card_all_learn_that_there_is_none() -> None:
    """P37, R146"""
    game = given("A hand Underwater Artist; B hand Keen Koi; players 3")
    game.play("Underwater Artist", "name Empire", "pick B")
    for seat in range(3):
        assert (Event.NONE_HELD, 1, EMPIRE) in game.events(seat)


def test_p39_after_a_reshuffle_nobody_knows_positions() -> None:
    """P39: all see that it happens; any of its cards may come next."""
    game = given("players 3; harbor -; wilderness Keen Koi, Ace Fighter")
    game.choose("do nothing", "draw from the harbor")
    assert game.actor == CHANCE
    assert perceived_by_all(game) == ["reshuffle"]
    assert game.options() == ["harbor: Ace Fighter", "harbor: Keen Koi"]


def test_p41_leaders_and_hidden_heroes_are_shown_to_all_at_the_end() -> None:
    """P41"""
    game = given(
        "A open Keen Koi; A leader Cyra; B hidden Ace Fighter, Grumpy Guard; B leader Enned",
        "C leader Myrad; threshold 1; harbor -",
    )
    game.choose("do nothing")
    for seat in range(3):
        events = game.events(seat)
        shown = [LEADERS[event[2]].name for event in events if event[0] == Event.LEADER]
        assert shown == ["Cyra", "Enned", "Myrad"]
        seen = [(*event[1:3], HEROES[event[3]].name) for event in events if event[0] == Event.SEEN]
        assert seen == [(Zone.HIDDEN + 1, 0, "Ace Fighter"), (Zone.HIDDEN + 1, 1, "Grumpy Guard")]


# ---- what a view keeps of it ------------------------------------------------------------------


def sampled(view: HiddenLeadersView, count: int) -> list[HiddenLeaders]:
    return [view.sample(Rng(seed)) for seed in range(count)]


def holding(hero: str, *fives: list[str], tavern: tuple[str, ...] = TAVERN_CARDS) -> Scenario:
    """The first action of A, whose third card is that hero."""
    return dealt([*A[:2], hero, *A[3:]], *fives, tavern=tavern)


def test_p11_a_tavern_card_discarded_stays_known_where_it_lies() -> None:
    """P11"""
    tavern = ("Rotting Orangutan", "Leery Lizard", "Short-Sighted Soldier")
    game = holding("Hangry Barbarian", B, C, tavern=tavern)
    views = Watchers(game.state)
    game.play("Hangry Barbarian")
    for seat in (1, 2):
        assert names(views[seat].wilderness)[3:] == ["Rotting Orangutan", "Short-Sighted Soldier"]


def test_p15_monsterslayers_card_lies_hidden_yet_all_know_it() -> None:
    """P15"""
    tavern = ("Underpaid Mercenary", "Leery Lizard", "Furious Frog")
    game = holding("Modest Monsterslayer", B, C, tavern=tavern)
    views = Watchers(game.state)
    game.play("Modest Monsterslayer", "perform Underpaid Mercenary")
    for seat in (1, 2):
        assert names(views[seat].hidden(0)) == ["?", "Underpaid Mercenary"]


def test_p17_a_hero_turned_face_down_stays_known_to_all_at_its_index() -> None:
    """P17"""
    game = holding("Pigmented War Pig", [*B[:2], "Long-Eared Loner", *B[3:]], C)
    views = Watchers(game.state)
    game.play("Pigmented War Pig")
    game.end_turn()
    game.play("Long-Eared Loner", "turn over Pigmented War Pig")
    for seat in (1, 2):
        assert names(views[seat].hidden(0)) == ["?", "Pigmented War Pig"]


def test_p19_a_seat_that_knew_the_hidden_hero_knows_it_is_in_that_hand() -> None:
    """P19, R94: all saw the Mercenary set aside and hidden, so every world has it in the hand."""
    game = dealt(
        [A[0], A[1], "Modest Monsterslayer", "Underestimated Squire", A[4]],
        B,
        tavern=("Underpaid Mercenary", "Leery Lizard", "Furious Frog"),
    )
    views = Watchers(game.state)
    game.play("Modest Monsterslayer", "perform Underpaid Mercenary")
    game.end_turn(*draw_two("Well-Aged Warrior", "Joyless Chief"), "discard Joyless Chief")
    game.end_turn("do nothing")
    game.play("Underestimated Squire", "exchange A's hidden 2", "for Hairy Hermit")
    for world in sampled(views[1], 20):
        assert find_card("Underpaid Mercenary") in world.cards(Zone.HAND)
        assert world.size(Zone.HIDDEN) == 2


def draw_two(one: str, two: str) -> list[str | Outcomes]:
    return ["draw from the harbor", draws(one), "draw from the harbor", draws(two)]


def test_p22_the_knowledge_of_a_third_seat_follows_the_cards() -> None:
    """P22: C looked at B's hero before; now C knows it in A's party."""
    game = holding("Careless Cartographer", B, [*C[:2], "Watchful Witch", *C[3:]])
    views = Watchers(game.state)
    game.end_turn("do nothing")
    game.end_turn("do nothing")
    game.play("Watchful Witch", "red -1", "look at B's hidden 1", "pass")
    game.end_turn()
    assert names(views[2].hidden(1)) == ["Flailing Knight"]
    game.play("Careless Cartographer", "red +1", "exchange B's hidden 1", "for A's hidden 1")
    assert names(views[2].hidden(0)) == ["Flailing Knight"]
    assert names(views[2].hidden(1)) == ["?"]
    assert names(views[0].hidden(1)) == names(views[1].hidden(1)) == ["Keen Koi"]


def test_p25_a_hidden_hero_looked_at_stays_known_to_looker_and_owner() -> None:
    """P25"""
    game = holding("Watchful Witch", B, C)
    views = Watchers(game.state)
    game.play("Watchful Witch", "red -1", "look at B's hidden 1", "pass")
    assert [names(views[seat].hidden(1)) for seat in range(2)] == [["Flailing Knight"]] * 2
    assert names(views[2].hidden(1)) == ["?"]


def test_p26_the_wilderness_top_revealed_stays_known_to_all() -> None:
    """P26"""
    game = holding("Tentacle Oracle", B, C)
    views = Watchers(game.state)
    game.play("Tentacle Oracle")
    for seat in range(3):
        assert names(views[seat].wilderness)[2] == "Aimless Eel"


def discards_of_b(third: str) -> tuple[Scenario, Watchers]:
    """B has just discarded Crow Carrier and then Mummy Mystic; A, holding `third`, is next."""
    game = holding(third, B)
    views = Watchers(game.state)
    game.end_turn("do nothing")
    game.choose("discard Crow Carrier", "stop discarding")
    game.choose(*draw_two("Well-Aged Warrior", "Hangry Barbarian"))
    game.end_turn("discard Mummy Mystic")
    return game, views


def test_p27_a_seat_that_knew_the_pair_does_not_know_the_split() -> None:
    """P27, R94: B discarded both and has no idea which of them A has hidden."""
    game, views = discards_of_b("Joyless Chief")
    game.play("Joyless Chief", "place Crow Carrier hidden")
    worlds = sampled(views[1], 40)
    splits = {(w.cards(Zone.HIDDEN)[-1], w.cards(Zone.WILDERNESS)[-1]) for w in worlds}
    carrier, mystic = find_card("Crow Carrier"), find_card("Mummy Mystic")
    assert splits == {(carrier, mystic), (mystic, carrier)}
    assert names(views[0].hidden(0)) == [A[0], "Crow Carrier"]


def test_p28_a_card_known_in_the_pile_is_known_in_the_hand() -> None:
    """P28, R94: B discarded both cards and knows that A now holds them."""
    game, views = discards_of_b("Miniature Merman")
    game.play("Miniature Merman", "green +1", "draw from the wilderness")
    drawn = {find_card("Crow Carrier"), find_card("Mummy Mystic")}
    assert all(drawn <= set(world.cards(Zone.HAND)) for world in sampled(views[1], 20))


# ---- hands are bags, piles have order ---------------------------------------------------------


def test_r91_a_card_that_leaves_a_hand_unseen_may_be_any_of_it() -> None:
    """R91: afterwards the Lizard is in the hand or on top of the wilderness, and nowhere else."""
    game = dealt(A, B)
    game.choose("do nothing", "draw Leery Lizard")
    views = Watchers(game.state)
    lizard = find_card("Leery Lizard")
    assert all(lizard in world.cards(Zone.HAND) for world in sampled(views[1], 20))
    game.end_turn("discard Hairy Hermit")
    worlds = sampled(views[1], 60)
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
    assert not all(known <= set(world.cards(Zone.HAND)) for world in sampled(views[1], 30))
    game.end_turn("do nothing")
    for name in TAVERN_CARDS:
        game.choose(f"discard {name}")
    assert all(known <= set(world.cards(Zone.WILDERNESS)) for world in sampled(views[1], 30))


def test_r92_rows_and_piles_can_be_followed_by_position() -> None:
    """R92: what lies above in the wilderness does not disturb what is known below."""
    game = holding("Tentacle Oracle", B, C)
    views = Watchers(game.state)
    game.play("Tentacle Oracle")
    game.end_turn()
    game.end_turn("do nothing")
    assert names(views[2].wilderness)[2:] == ["Aimless Eel", "?", "?"]


def test_r92_the_order_of_the_harbor_is_known_to_nobody() -> None:
    """R92: after any history every harbor card may come next."""
    game = given("harbor Keen Koi, Ace Fighter, Grumpy Guard")
    game.choose("do nothing", "draw from the harbor")
    assert len(game.options()) == 3
    assert game.state.weights() == [1, 1, 1]


# ---- the graveyard ----------------------------------------------------------------------------


def graveyard_of_two() -> tuple[Scenario, Watchers]:
    """Buried Emperor, Flailing Knight, as all have seen them lie there; A has the Warrior."""
    game = dealt(
        [A[0], A[1], "Slaughtered Slime", "Wrapped Warrior", A[4]],
        B,
        [*C[:4], "Underpaid Mercenary"],
    )
    views = Watchers(game.state)
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 1")
    game.end_turn(*draw_two("Joyless Chief", "Well-Aged Warrior"), "discard Joyless Chief")
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
        for world in sampled(views[seat], 10):
            assert emperor in world.cards(Zone.HAND)
            assert names(world.cards(Zone.GRAVEYARD)) == ["Flailing Knight"]


# ---- worlds -----------------------------------------------------------------------------------


def test_r94_worlds_agree_with_all_that_was_seen() -> None:
    """R94: private and public information, and the legal moves."""
    game, views = graveyard_of_two()
    for seat in range(3):
        view = views[seat]
        for world in sampled(view, 5):
            assert world.cards(Zone.HAND + seat) == view.hand
            assert world.leader(seat) == view.leader
            assert world.cards(Zone.TAVERN) == view.tavern
            assert world.cards(Zone.GRAVEYARD) == view.graveyard
            assert (world.red, world.green, world.actor) == (game.red, game.green, game.actor)
            everywhere = sorted(c for zone in range(24) for c in world.cards(zone) if c >= 0)
            assert everywhere == list(RETAIL)
            if seat == game.actor:
                assert world.moves() == view.moves == game.state.moves()


def test_r94_unseen_choices_may_be_anything_legal() -> None:
    """R94: nothing is inferred from what would have been clever."""
    game = dealt(A, B)
    views = Watchers(game.state)
    hidden = {HEROES[world.cards(Zone.HIDDEN)[0]].name for world in sampled(views[1], 200)}
    assert len(hidden) > 40, "about any card the other seat has not seen"
    assert not hidden & set(B)


def test_r95_what_was_seen_is_never_forgotten() -> None:
    """R95: C's look at B's hero holds turns later."""
    game = holding("Watchful Witch", B, C)
    views = Watchers(game.state)
    game.play("Watchful Witch", "red -1", "look at C's hidden 1", "pass")
    game.end_turn()
    for _ in range(9):
        game.end_turn("do nothing")
    assert names(views[0].hidden(2)) == ["Bored Goblin"]
    assert names(views[1].hidden(2)) == ["?"]


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
    for seat in range(3):
        events = game.events(seat)
        asked = [event for event in events if event[0] == Event.PENDING and event[1] == seat]
        listed = [event for event in events if event[0] == Event.LEGAL_MOVES]
        assert len(listed) == len(asked) > 0
