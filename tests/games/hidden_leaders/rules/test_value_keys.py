"""Keys of solvers merge cards that can only count by their faction, and no others."""

from collections import Counter

import pytest
from librt.strings import BytesWriter

from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES
from games.hidden_leaders.rules.constants import FACTIONS, Limit, Move, Zone
from games.hidden_leaders.rules.reach import CARD_CLASS, CLASSES, MOST_LIFTED, PERFORMS, Performs
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LENGTH, TAVERN_AT
from games.state import CHANCE, NOBODY, Rng
from tests.support.volume import volume


def table(
    tavern: str = "WaWi - -", hand: str = "NaNo", mine: str = "PiPi", more: str = ""
) -> HiddenLeaders:
    """A, who has done nothing and draws, before the turn of B. The harbor has all other cards."""
    text = f"threshold 4; tavern {tavern}; "
    text += f"A leader Cyra hand {mine} ShSo RoOr open FlKn BoGo; "
    text += f"B leader Myrad hand {hand} open CrCa; {more}"
    state = read(text).state()
    state.play(Move.PASS)
    return state


def same(one: HiddenLeaders, other: HiddenLeaders, deadline: int = 2) -> bool:
    return one.value_key(deadline) == other.value_key(deadline)


def test_a_tavern_card_counts_by_its_faction() -> None:
    """Nagging Northman asks for Tribes, such as the Witch and the Sharpshooter, not the Lizard."""
    witch = table("WaWi - -")
    assert same(witch, swapped(witch, "Watchful Witch", "Shaky Sharpshooter"))
    assert not same(witch, swapped(witch, "Watchful Witch", "Leery Lizard"))
    assert witch.equivalence_key(2) != swapped(
        witch, "Watchful Witch", "Shaky Sharpshooter"
    ).equivalence_key(2)


@pytest.mark.parametrize("faction", range(CLASSES))
def test_cards_of_every_class_are_counted_apart(faction: int) -> None:
    """Compiled shifts of literals are 32 bits wide, and the classes take 48."""
    state = table("- - -")
    alike = [card for card in range(len(HEROES)) if CARD_CLASS[card] == faction][:2]
    for number, card in enumerate(alike):
        state.m[TAVERN_AT + number] = card
    out = BytesWriter()
    state.write_classes(out, TAVERN_AT, Limit.TAVERN, False)
    assert list(out.getvalue()) == [len(alike) if k == faction else 0 for k in range(CLASSES)]


def swapped(state: HiddenLeaders, one: str, other: str) -> HiddenLeaders:
    """The same table with two cards exchanged."""
    pair = {CARD_NUMBER[one]: CARD_NUMBER[other], CARD_NUMBER[other]: CARD_NUMBER[one]}
    turned = state.copy()
    for zone in range(Zone.COUNT):
        for at in range(AT[zone], AT[zone] + len(state.cards(zone))):
            turned.m[at] = pair.get(int(turned.m[at]), turned.m[at])
    return turned


def test_what_no_hero_reads_is_left_out() -> None:
    """Ace Fighter moves the markers only. In a third turn A may play what it draws."""
    quiet = table(hand="AcFi")
    assert same(quiet, swapped(quiet, "Watchful Witch", "Leery Lizard"))
    assert not same(quiet, swapped(quiet, "Watchful Witch", "Leery Lizard"), deadline=3)


@pytest.mark.parametrize("hero", ["MoMo", "InIm"])
def test_a_tavern_card_that_may_be_performed_is_named(hero: str) -> None:
    named = table(hand=hero)
    assert not same(named, swapped(named, "Watchful Witch", "Shaky Sharpshooter"))


def performing(hero: str, chosen: str, rest: str) -> HiddenLeaders:
    """B plays the hero, sets the tavern card that was chosen aside, and must decide about it."""
    state = table(hand=hero, tavern=f"{chosen} {rest}")
    while state.actor != 1:
        state.play(Move.PASS if Move.PASS in state.moves() else state.moves()[-1])
    for name in (hero, chosen):
        state.play(next(card for card in state.moves() if HEROES[card].code == name))
    return state


@pytest.mark.parametrize("hero", ["MoMo", "InIm"])
def test_a_hero_that_has_set_a_card_aside_only_has_to_lay_it_down(hero: str) -> None:
    """Shaky Sharpshooter reads nothing of the tavern, Nagging Northman which of it are Tribes."""
    for chosen, others in (("ShSh", "WaWi LeLi"), ("NaNo", "WaWi LeLi")):
        state = performing(hero, chosen, others)
        assert state.frame > FRAMES
        assert same(state, swapped(state, "Watchful Witch", "Curious Troll"))
        tribes_gone = swapped(state, "Watchful Witch", "Keen Koi")
        assert same(state, tribes_gone) == (chosen == "ShSh")


def test_a_card_performed_by_another_may_perform_in_turn() -> None:
    """Priest lets a card of the hand be played, Granny performs an open hero: these are named."""
    priest = performing("MoMo", "DoPr", "LeLi -")
    priest.m[AT[Zone.HAND + 1]] = CARD_NUMBER["Pigmented War Pig"]
    priest.m[LENGTH + Zone.HAND + 1] = 1
    assert not same(priest, renamed(priest, "Pigmented War Pig", "Bored Goblin"))
    plain = performing("MoMo", "ShSh", "LeLi -")
    plain.m[AT[Zone.HAND + 1]] = CARD_NUMBER["Pigmented War Pig"]
    plain.m[LENGTH + Zone.HAND + 1] = 1
    assert same(plain, renamed(plain, "Pigmented War Pig", "Bored Goblin"))
    granny = performing("MoMo", "GhGr", "LeLi -")
    assert not same(granny, renamed(granny, "Crow Carrier", "Sun-Shy Skeleton"))


def renamed(state: HiddenLeaders, one: str, other: str) -> HiddenLeaders:
    """The same table with another card of the same faction in place of one."""
    turned = state.copy()
    for at in range(len(turned.m)):
        if at >= AT[0] and turned.m[at] == CARD_NUMBER[one]:
            turned.m[at] = CARD_NUMBER[other]
    return turned


@pytest.mark.slow
def test_positions_within_a_card_with_equal_keys_are_worth_the_same() -> None:
    """In random last turns: the same ends can be reached from them."""
    reached: dict[bytes, tuple[bool, ...]] = {}
    compared = performed = 0
    for seed in range(volume(300, 90)):
        rng = Rng(seed)
        state = new_game(2 + seed % 3)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                state.sample_chance(rng)
                continue
            state.play(state.legal[rng.below(state.count)])
            if state.actor < 0 or state.frame == FRAMES or state.threshold > 9:
                continue
            for other in (state, *(scrambled(state, rng) for _ in range(6))):
                deadline = int(other.turns) + 1
                if other.count == 0:
                    continue  # nothing to choose from any more
                key = bytes([other.players]) + other.value_key(deadline)
                ends = tuple(outcomes_within(other, deadline, 400))
                if len(ends) > 1 and not ends[0]:
                    continue  # too large
                compared += key in reached
                performed += key in reached and other.frame > FRAMES + FRAME
                assert reached.setdefault(key, ends) == ends
    assert compared > 10
    assert performed


def scrambled(state: HiddenLeaders, rng: Rng) -> HiddenLeaders:
    """The same position, with cards of tavern, piles and hands exchanged at random."""
    turned = state.copy()
    zones = (Zone.HARBOR, Zone.WILDERNESS, Zone.TAVERN, *range(Zone.HAND, Zone.HAND + 6))
    places = [at for zone in zones for at in range(AT[zone], AT[zone] + len(turned.cards(zone)))]
    places = [at for at in places if turned.m[at] >= 0]
    for _ in range(5):
        one, other = places[rng.below(len(places))], places[rng.below(len(places))]
        turned.m[one], turned.m[other] = turned.m[other], turned.m[one]
    turned.resume()
    return turned


def outcomes_within(state: HiddenLeaders, deadline: int, most: int) -> list[bool]:
    """Who can have won after this turn; [False, ...] if there are too many positions to see."""
    winners, waiting, seen = set[int](), [state], 0
    while waiting:
        seen += 1
        if seen > most:
            return [False, True]
        current = waiting.pop()
        if current.settle_turn(deadline) or current.actor == NOBODY or current.turns >= deadline:
            winners.add(int(current.winner) if current.actor == NOBODY else NOBODY)
            continue
        waiting += [followed(current, move) for move in current.moves()]
    return [True, *(seat in winners for seat in range(NOBODY, state.players))]


def test_hands_of_seats_that_still_act_are_named() -> None:
    mine = table(hand="AcFi", mine="WaWi", tavern="CuTr - -")
    assert same(mine, swapped(mine, "Watchful Witch", "Shaky Sharpshooter"))
    theirs = table(hand="WaWi", tavern="CuTr - -")
    assert not same(theirs, swapped(theirs, "Watchful Witch", "Shaky Sharpshooter"))


def test_a_later_seat_that_performs_heroes_names_them_all() -> None:
    """What comes into a party before the turn of C could then be performed."""
    third = "C leader Lemron hand GhGr open SpSh"
    state = table(hand="NaNo", more=third)
    other = swapped(state, "Watchful Witch", "Shaky Sharpshooter")
    assert same(state, other, deadline=2)
    assert not same(state, other, deadline=3)


def test_whose_hero_was_picked_belongs_to_the_key() -> None:
    """Goblin Cryptographer moves a hero, and from whose party it comes decides who may get it."""
    keys = set()
    for owner in "BC":
        text = "threshold 4; red 5; green 5; A leader Cyra hand GoCr open FlKn; "
        text += f"B leader Myrad open {'BoGo' if owner == 'B' else 'SpSh'}; "
        text += f"C leader Lemron open {'BoGo' if owner == 'C' else 'SpSh'}"
        state = read(text).state()
        state.play(CARD_NUMBER["Goblin Cryptographer"])
        state.play(Move.MARKER)
        state.play(CARD_NUMBER["Bored Goblin"])
        keys.add(state.value_key(1))
    assert len(keys) == 2


def test_which_heroes_let_others_act() -> None:
    """None does so after a card has moved: then a card that was merged might be performed."""
    names = {
        kind: {hero.name for card, hero in enumerate(HEROES) if PERFORMS[card] == kind}
        for kind in (Performs.PLAYS, Performs.COPIES, Performs.ANYTHING)
    }
    assert names == {
        Performs.PLAYS: {"Doubtful Priest"},
        Performs.COPIES: {"Ghastly Granny", "Saltwater Sage", "Sun-Shy Skeleton"},
        Performs.ANYTHING: {"Modest Monsterslayer", "Insidious Impaler"},
    }


def test_no_hero_lifts_more_cards_than_keys_allow_for() -> None:
    drawn = [
        sum(step.count for step in hero.steps if step.verb.startswith("draw")) for hero in HEROES
    ]
    assert max(drawn) == MOST_LIFTED


def test_every_seat_can_let_its_turn_pass() -> None:
    state = read("A leader Cyra hand AcFi; B leader Myrad hand FlKn; C leader Lemron").state()
    assert [state.waiting_seat(turn) for turn in range(4)] == [NOBODY, 1, 2, 0]
    while state.turns < 3:
        waiting = state.actor >= 0 and Move.PASS in state.moves()
        state.play(Move.PASS if waiting else state.moves()[-1])
        assert state.actor in (CHANCE, *range(3))


def followed(state: HiddenLeaders, outcome: int) -> HiddenLeaders:
    following = state.copy()
    following.play(outcome)
    return following


@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_merged_outcomes_stand_for_all_with_their_key(ahead: int) -> None:
    """At every chance node of random games: no outcome is lost, none counts for another's key."""
    merged = 0
    for seed in range(volume(20, 4)):
        rng = Rng(seed)
        state = new_game(2 + seed % 5)
        while state.actor != NOBODY:
            if state.actor != CHANCE:
                state.play(state.legal[rng.below(state.count)])
                continue
            deadline = int(state.turns) + ahead
            odds = Counter[bytes]()
            for outcome, weight in zip(state.moves(), state.weights(), strict=True):
                odds[followed(state, outcome).value_key(deadline)] += weight
            merged_odds = Counter[bytes]()
            kept, weights = state.merged_outcomes(deadline)
            for outcome, weight in zip(kept, weights, strict=True):
                merged_odds[followed(state, outcome).value_key(deadline)] += weight
            assert merged_odds == odds
            merged += len(kept) < len(state.moves())
            state.sample_chance(rng)
    assert merged


def test_outcomes_that_may_be_played_or_performed_are_not_merged() -> None:
    """What A draws it may play in its next turn; what is refilled Monsterslayer may perform."""
    drawing = table(hand="AcFi", tavern="WaWi CuTr LeLi")
    drawing.play(Move.TOP)
    assert len(drawing.merged_outcomes(2)[0]) == len(FACTIONS)
    assert drawing.merged_outcomes(3)[0] == drawing.moves()
    for hand, kinds in ("NaNo", len(FACTIONS)), ("MoMo", len(drawing.moves())):
        refilling = table(hand=hand, tavern="WaWi CuTr LeLi")
        refilling.play(CARD_NUMBER["Watchful Witch"])
        refilling.play(Move.DISCARD + CARD_NUMBER["Watchful Witch"])
        assert len(refilling.merged_outcomes(2)[0]) == kinds
