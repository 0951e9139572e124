"""The table of Hidden Leaders as data to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.forms.picture import (
    BACK,
    GAP,
    CardKind,
    Face,
    Faces,
    PictureChoice,
    Pile,
    SeatPicture,
    TablePicture,
    TrackPicture,
    pile,
    row,
)
from games.hidden_leaders.guide import CONDITIONS, hero_rulings
from games.hidden_leaders.rules.card_language import Shift, Times
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import FACTION_NAMES, FACTIONS, Move, Track, Zone
from games.hidden_leaders.rules.scoring import winning_faction
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.board import headline
from games.hidden_leaders.text.cards import hero_sentence, is_any_of
from games.hidden_leaders.text.moves import move_text
from games.state import NOBODY, State

_SIGNS: Final = {
    "Undead": (
        278,
        (
            "M12 2a9 9 0 0 0-9 9c0 3 1 5 3 6v5h3v-3h2v3h2v-3h2v3h3v-5c2-1 3-3 3-6a9 9 0 0 0-9-9z"
            "M8 9a2 2 0 1 1 0 5 2 2 0 0 1 0-5zm8 0a2 2 0 1 1 0 5 2 2 0 0 1 0-5z"
        ),
    ),
    "Water": (
        212,
        (
            "M1 9c4-5 7-5 11 0s7 5 11 0v4c-4 5-7 5-11 0s-7-5-11 0z"
            "M1 17c4-5 7-5 11 0s7 5 11 0v4c-4 4-7 4-11 0s-7-4-11 0z"
        ),
    ),
    "Empire": (2, "M4 2h4v3h2V2h4v3h2V2h4v6l-2 2v12h-4v-6h-4v6H6V10L4 8z"),
    "Tribes": (140, "M1 21 9 6l4 7 3-4 7 12z"),
}


def faces() -> Faces:
    kinds = [
        CardKind(name=name, hue=_SIGNS[name][0], sign=_SIGNS[name][1])
        for name in FACTION_NAMES.values()
    ]
    roles = {leader.name: _kinds(leader.factions) for leader in LEADERS}
    return Faces(kinds=kinds, cards=[_face(card) for card in range(len(HEROES))], roles=roles)


def _face(card: int) -> Face:
    hero = HEROES[card]
    phrases = [step for step in hero.steps if step.shifts]
    corner = ""
    if phrases:
        unit = "" if phrases[0].times == Times.ONCE else "x"
        corner = " / ".join(_corner(shift, unit) for shift in phrases[0].shifts)
        if is_any_of(phrases[0].shifts):
            corner = corner.rpartition(" / ")[0] + " / RG"  # or both
    return Face(
        name=hero.name,
        kinds=_kinds(hero.faction),
        corner=corner,
        text=hero_sentence(card),
        rulings=hero_rulings(card),
    )


def _corner(shift: Shift, unit: str) -> str:
    """A marker phrase in signs: R and G for the markers, L and T for the leading and trailing."""
    amounts = zip("RGLT", (shift.red, shift.green, shift.leading, shift.trailing), strict=True)
    return " ".join(f"{marker}{steps:+d}{unit}" for marker, steps in amounts if steps)


def _kinds(factions: int) -> list[int]:
    return [i for i, faction in enumerate(FACTIONS) if faction & factions]


def table_picture(state: State) -> TablePicture:
    assert isinstance(state, HiddenLeaders)
    return TablePicture(
        headline=headline(state),
        text="",
        turn=state.player,
        decides=max(state.actor, -1),
        over=state.actor == NOBODY,
        tracks=[_track(state)],
        piles=_piles(state),
        seats=[_seat(state, seat) for seat in range(state.players)],
    )


def _track(state: HiddenLeaders) -> TrackPicture:
    faction = winning_faction(state.red, state.green)
    wins = "would win now"
    if state.actor == NOBODY:
        wins = "has won" if state.faction else "would have won"
    return TrackPicture(
        name="power track",
        first=Track.FIRST,
        last=Track.LAST,
        zone=[Track.WAR_ZONE, Track.LAST],
        zone_name="war zone",
        markers=[("red", state.red), ("green", state.green)],
        kind=FACTIONS.index(faction),
        says=f"{FACTION_NAMES[faction]} {wins}: {CONDITIONS[faction]}.",
    )


def _piles(state: HiddenLeaders) -> list[Pile]:
    slots = [card if card >= 0 else GAP for card in state.cards(Zone.TAVERN)]
    buried = _known(state, Zone.GRAVEYARD)
    piles = [
        pile("tavern", slots),
        pile("harbor", [], state.size(Zone.HARBOR)),
        pile("wilderness", [], state.size(Zone.WILDERNESS)),
        pile("graveyard", buried[-1:], len(buried)),
    ]
    for name, zone in (("set aside", Zone.ASIDE), ("drawn", Zone.DRAWN)):
        if cards := _known(state, zone):
            piles.append(pile(name, cards))
    return piles


def _known(state: HiddenLeaders, zone: int) -> list[int]:
    return [card if 0 <= card < len(HEROES) else BACK for card in state.cards(zone)]


def _seat(state: HiddenLeaders, seat: int) -> SeatPicture:
    leader = state.leader(seat)
    return SeatPicture(
        role=LEADERS[leader].name if leader >= 0 else "",
        facts=[],
        rows=[
            row("open", _known(state, Zone.OPEN + seat), state.threshold),
            row("hidden", _known(state, Zone.HIDDEN + seat)),
            row("hand", _known(state, Zone.HAND + seat)),
        ],
    )


def choices(state: State, moves: Sequence[int]) -> list[PictureChoice]:
    """Legal moves; uses only what the seat that decides may see."""
    assert isinstance(state, HiddenLeaders)
    return [_choice(state, move) for move in moves]


def _choice(state: HiddenLeaders, move: int) -> PictureChoice:
    choice = PictureChoice(move=move, text=move_text(state, move), cards=[], seats=[], spots=[])
    if move < Move.STACK:
        choice["cards"].append(move % Move.DISCARD)
    elif move < Move.PLAYER:
        seat, index = divmod(move - Move.STACK, Move.STACK_ROOM)
        choice["spots"].append((seat, "hidden", index))
    elif move < Move.FACTION:
        choice["seats"].append(move - Move.PLAYER)
    return choice
