"""What no hand can help, and which cards cannot: laws on the last turns of random games."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES
from games.hidden_leaders.rules.constants import Reads, Zone
from games.hidden_leaders.rules.last_turn import ALL_HEROES
from games.hidden_leaders.rules.reach import LAST_READS, OPENS_OWN
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import CHANCE, NOBODY, Rng, members
from solver import solve
from solver.core.budget import NodeBudget
from solver.core.question import Question, win
from solver.core.ratio import ALWAYS, NEVER
from solver.search.alpha_beta import OpenSearch
from solver.search.any_hand import AnyHand, smallest
from tests.support.volume import volume

SALAMANDER = CARD_NUMBER["Hopeful Salamander"]
BARD = CARD_NUMBER["Heart-Bending Bard"]


def turn_starts(seed: int) -> Iterator[HiddenLeaders]:
    """The turns of a random game of two or three, with a threshold that is near."""
    rng = Rng(seed)
    state = new_game(2 + seed % 2)
    turns = -1
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.sample_chance(rng)
            continue
        if state.turns > turns:
            turns = int(state.turns)
            start = state.copy()
            longest = max(state.size(Zone.OPEN + seat) for seat in range(state.players))
            start.threshold = longest + 1 + (seed // 2) % 2
            if turns > 0:  # before that, the first hands are sorted out
                yield start
        state.play(state.rollout_move(rng))


def asked(state: HiddenLeaders, seat: int, deadline: int) -> AnyHand:
    question = Question(seat, win(seat, "it"), deadline - int(state.turns))
    return AnyHand(question, deadline, NodeBudget(50_000))


def chance_to_win(state: HiddenLeaders, seat: int, last: int) -> Fraction:
    """By plain recursion: the seat's chance to win in the turn that completes `last` turns."""
    end = state.settled_end() if state.actor != NOBODY else state
    if end is not None:
        return Fraction(end.actor == NOBODY and end.wins(seat))
    if state.turns == last:
        return Fraction(0)
    following = []
    for move in state.moves():
        following.append(state.copy())
        following[-1].play(move)
    worth = [chance_to_win(one, seat, last) for one in following]
    if state.actor == CHANCE:
        return sum(worth, Fraction(0)) / len(worth)
    return max(worth) if state.actor == seat else min(worth)


def played(state: HiddenLeaders, card: int) -> HiddenLeaders:
    following = state.copy()
    following.play(card)
    return following


def wrongly_useless(seeds: range) -> tuple[list[str], int]:
    """Cards that are said to be of no help and win all the same; and how many are of none."""
    wrong, useless = [], 0
    for seed in seeds:
        for state in turn_starts(seed):
            seat, last = int(state.actor), int(state.turns) + 1
            any_hand = asked(state, seat, last)
            any_hand.held, any_hand.loose = state.cards_held(seat), ALL_HEROES
            helpful = any_hand.helpful_in_hand(state)
            for card in members(any_hand.held & ~helpful):
                useless += 1
                if chance_to_win(played(state, card), seat, last):
                    wrong.append(HEROES[card].name)
    return wrong, useless


@pytest.mark.slow
def test_a_card_that_cannot_help_never_wins() -> None:
    wrong, useless = wrongly_useless(range(volume(300, 16)))
    assert not wrong
    assert useless


@pytest.mark.slow
def test_a_hero_that_opens_more_than_it_should_is_noticed() -> None:
    OPENS_OWN[SALAMANDER] = 0  # the law must not hold any more
    try:
        noticed = any(
            "Hopeful Salamander" in wrongly_useless(range(seed, seed + 1))[0] for seed in range(160)
        )
    finally:
        OPENS_OWN[SALAMANDER] = 1
    assert noticed


def with_other_piles(state: HiddenLeaders, unread: int, rng: Rng) -> HiddenLeaders:
    """The same table with the cards of the zones that are not read dealt out anew among them."""
    other = state.copy()
    zones = [zone for zone in (Zone.HARBOR, Zone.WILDERNESS) if unread & (1 << zone)]
    cards = [card for zone in zones for card in other.cards(zone)]
    sizes = [other.size(zone) for zone in zones]
    if unread & Reads.TAVERN:
        cards += [card for card in other.cards(Zone.TAVERN) if card >= 0]
    for i in range(len(cards) - 1, 0, -1):
        j = int(rng.below(i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    for zone, size in zip(zones, sizes, strict=True):
        for _ in range(size):
            other.lift(zone, 0)
        for _ in range(size):
            other.lay(zone, -1, cards.pop())
    if unread & Reads.TAVERN:
        for slot, card in enumerate(other.cards(Zone.TAVERN)):
            if card >= 0:
                other.lift(Zone.TAVERN, slot)
                other.lay(Zone.TAVERN, slot, cards.pop())
    return other


def changed_by_the_unread(seeds: range) -> tuple[list[str], int]:
    """Cards whose chance changes with what they are said not to read; and how many were tried."""
    wrong, tried = [], 0
    for seed in seeds:
        rng = Rng(seed)
        for state in turn_starts(seed):
            seat, last = int(state.actor), int(state.turns) + 1
            for card in members(state.cards_held(seat)):
                unread = ~int(state.last_reads(card))
                other = with_other_piles(state, unread, rng)
                tried += 1
                chances = [chance_to_win(played(one, card), seat, last) for one in (state, other)]
                if chances[0] != chances[1]:
                    wrong.append(HEROES[card].name)
    return wrong, tried


@pytest.mark.slow
def test_what_a_card_does_not_read_does_not_change_its_chance() -> None:
    wrong, tried = changed_by_the_unread(range(volume(150, 10)))
    assert not wrong
    assert tried


@pytest.mark.slow
def test_a_hero_that_reads_more_than_it_should_is_noticed() -> None:
    reads = LAST_READS[BARD]
    LAST_READS[BARD] = 0
    try:
        noticed = any(
            "Heart-Bending Bard" in changed_by_the_unread(range(seed, seed + 1))[0]
            for seed in range(40)
        )
    finally:
        LAST_READS[BARD] = reads
    assert noticed


def cleanup_of(state: HiddenLeaders, rng: Rng) -> HiddenLeaders | None:
    """The table when the player of the turn has acted; None if the game is over then."""
    state = state.copy()
    while state.actor != NOBODY and not state.cleanup_parts():
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
    return None if state.actor == NOBODY else state


@pytest.mark.slow
def test_refuted_hands_have_lost() -> None:
    refuted = not_refuted = 0
    for seed in range(volume(60, 3)):
        rng = Rng(seed)
        for start in turn_starts(seed):
            seat, deadline = int(start.actor), int(start.turns + start.players) + 1
            state = cleanup_of(start, rng)
            if state is None:
                continue
            any_hand = asked(state, seat, deadline)
            if not any_hand.applies(state):
                continue  # too few cards are left
            any_hand.enter(state)
            refutations = any_hand.refutations(state)
            for _ in range(4):
                drawn = state.copy()
                while drawn.turns == start.turns:
                    if drawn.actor == CHANCE:
                        drawn.sample_chance(rng)
                    else:
                        drawn.play(drawn.legal[rng.below(drawn.count)])
                hand = drawn.cards_held(seat)
                assert hand & ~any_hand.held == 0
                if all(refutation & hand for refutation in refutations):
                    not_refuted += 1
                    continue
                refuted += 1
                question = Question(seat, win(seat, "it"), deadline - int(drawn.turns))
                search = OpenSearch(question, drawn, NodeBudget(20_000), jumps=True)
                search.frontier = deadline
                assert search.bounds(drawn, NEVER, ALWAYS, 1)[0] == NEVER
    assert refuted
    assert not_refuted


def test_the_smallest_sets_stand_for_those_that_include_them() -> None:
    assert sorted(smallest([0b110, 0b11, 0b111, 0b110])) == [0b11, 0b110]
    assert smallest([5, 0, 7]) == [0]


def test_whatever_is_drawn_the_others_hold() -> None:
    # Three turns before the end of a league game: A wins with no hand that it can draw. To search
    # them all takes more than ten million positions.
    solved = solve(
        "players 2; turn A; red 8; green 1; turns 12; tavern ArSk CrCa CuTr; graveyard BuEm OvAm; "
        "wilderness SaSa SuSk RoOr HaWi WrWa BaMa DoTu HoSa MuMy DrDe BlCo TeOr HaBu WiWi DeSq "
        "UnAr GaOv InIm ShSh; "
        "A leader Pavyr hand PiPi UnMe FuFr open BoGo LoLo NaNo AlSc GoCr VeSh hidden AnPr; "
        "B leader Xiadul hand AcFi AnAs SlSl open FlKn HeBa MoMo ReRe hidden LeLi SaTr GhGr WeWa",
        horizon="3",
        nodes=100_000,
    )
    assert solved.exact
    assert {value.likely for value in solved.answer.values} == {(Fraction(0), Fraction(0))}
