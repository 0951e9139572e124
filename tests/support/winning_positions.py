"""Positions of Hidden Leaders in which seat 0 can win this turn, in exactly one way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.support.scenario import Scenario, given, markers, player

Story = tuple[Callable[[], Scenario], list[str]]
"""A position and the winning moves."""


def about_to_end(
    hand: Sequence[str], red: int, green: int, leader: str, party: Sequence[str]
) -> Scenario:
    """Seat 0 needs one more hero to end the game; the other parties are small."""
    return given(
        markers(red, green),
        player(0, hand=hand, open=party, leader=leader),
        player(1, hand=["Leery Lizard", "Bored Goblin"], open=["Curious Troll"]),
        player(2, hand=["Ace Fighter", "Hairy Hermit"], open=["Grumpy Guard"]),
        tavern=["Aimless Eel", "Rotting Orangutan", "Canned Champion"],
        threshold=len(party) + 1,
    )


def water() -> Scenario:
    """Water wins only if the gap closes; the other heroes widen it."""
    hand = ["Pigmented War Pig", "Short-Sighted Soldier", "Underpaid Mercenary"]
    party = ["Keen Koi", "Triple Sword Lizard", "Drowned Deserter", "Apathetic Waterpriest"]
    return about_to_end(hand, 6, 4, "Enned", party)


def empire() -> Scenario:
    """Red must lead by two."""
    hand = ["Short-Sighted Soldier", "Blind Eye Collector", "Friendly Frogmage"]
    party = ["Flailing Knight", "Well-Aged Warrior", "Groggy Preacher", "Angry Priestess"]
    return about_to_end(hand, 5, 5, "Xiadul", party)


def undead() -> Scenario:
    """Both markers must enter the war zone: the right hero, and both of its alternatives."""
    hand = ["Arrowgant Skeleton", "Depressed Druid", "Flailing Knight"]
    party = ["Crow Carrier", "Lethargic Leech", "Half-Eaten Bull", "Gorgeous Gorgon"]
    return about_to_end(hand, 8, 7, "Myrad", party)


def tribes() -> Scenario:
    """The hero asks which marker to move back: it must be red."""
    hand = ["Furious Frog", "Short-Sighted Soldier", "Underpaid Mercenary"]
    party = ["Depressed Druid", "Blind Eye Collector", "Spirited Shaman", "Long-Eared Loner"]
    return about_to_end(hand, 6, 6, "Myrad", party)


STORIES: dict[str, Story] = {
    "water": (water, ["play Pigmented War Pig"]),
    "empire": (empire, ["play Short-Sighted Soldier"]),
    "undead": (undead, ["play Arrowgant Skeleton", "red +2, green +2"]),
    "tribes": (tribes, ["play Furious Frog", "red -2"]),
}
