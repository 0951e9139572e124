"""One row per verb of the card language: how it compiles, reads, and what it touches.

The compiler (`bytecode`), the English and the words of a card (`text.cards`), and the analysis of
what a hero can touch (`reach`) all follow from these rows. Only a verb's effect is elsewhere, in
`interpreter`. Every field is required: a verb with a field forgotten fails when this is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from games.errors import did_you_mean
from games.hidden_leaders.rules.card_language import ME, CardFilter, Step, Times, Where
from games.hidden_leaders.rules.constants import Reads, Zone
from games.hidden_leaders.rules.opcodes import Act, Flag, MarkRow, Op, Row

ProgramRows = list[list[int]]


@dataclass(frozen=True)
class Verb:
    """A verb. Texts have {slots}, which `text.cards` fills from the step."""

    name: str
    """As in `Step.verb`; also what `arena cards` searches for."""
    word: str
    """The expression of the card language that builds the step, without its wrappers."""
    english: str | Callable[[Step], str]
    """What is done, without who decides and whether it is optional."""
    rows: Callable[[Step], ProgramRows]
    """What it compiles to."""
    near: bool
    """Whether it needs nothing but markers, parties and the cards that the step describes.

    Solvers leave everything else out of a position's key in a last turn: if in doubt, False.
    """
    reads_pile: Callable[[Step], bool]
    """Whether the order of the wilderness matters to it.

    Solvers leave that order out of a position's key if no hero reads it: if in doubt, `always`.
    """
    reads: Callable[[Step], int]
    """What its outcome, and whether it is possible at all, can depend on: bits of `Reads`.

    Cards laid somewhere are not read. Solvers leave out of a proof what it did not read: if in
    doubt, `anything`.
    """
    shapes: Callable[[Step], bool]
    """Whether it can change markers or parties, or have other heroes act: if in doubt, `always`.

    In a last turn solvers leave out what a hero reads after the last step that does.
    """
    opens_own: int
    """How many open heroes it can add to the player's party at most, apart from what heroes add who
    then act."""
    opens_others: int
    """The same for the party of one other seat."""


def always(_: Step) -> bool:
    return True


def never(_: Step) -> bool:
    return False


def _of_parties(step: Step) -> bool:
    """Whether the step describes a card of a party."""
    return step.cards is not None and step.cards.where in (Where.OPEN, Where.HIDDEN, Where.EITHER)


def _from_wilderness(step: Step) -> bool:
    return step.place == "wilderness"


# ---- what a verb reads ------------------------------------------------------------------------

_READ: Final = {
    Where.TAVERN: Reads.TAVERN,
    Where.GRAVEYARD: Reads.GRAVEYARD,
}
"""Cards in parties and cards just drawn belong to every position, so they need no bit."""
_HANDS: Final = Reads.OWN_HAND | Reads.OTHER_HANDS


def described(step: Step) -> int:
    """The places of the cards that the step describes, and what a marker phrase counts."""
    parts = Reads.GRAVEYARD if step.times == Times.GRAVEYARD_SIZE else 0
    for cards in (step.cards, step.second):
        if cards is not None and cards.where == Where.HAND:
            own = cards.of == ME and step.by == ME and step.whom == ME
            parts |= Reads.OWN_HAND if own else _HANDS
        elif cards is not None:
            parts |= _READ.get(cards.where, 0)
    return parts


def and_also(parts: int) -> Callable[[Step], int]:
    """What the step describes, and these."""
    return lambda step: described(step) | parts


def anything(_: Step) -> int:
    return Reads.ANYTHING


def _drawn_from(step: Step) -> int:
    piles = {
        "harbor": Reads.HARBOR | Reads.WILDERNESS,  # the wilderness is reshuffled if need be
        "wilderness": Reads.WILDERNESS,
        "graveyard": Reads.GRAVEYARD,
    }
    return piles[step.place]


# ---- compiling --------------------------------------------------------------------------------

_PLACES: Final = {
    "wilderness": Zone.WILDERNESS,
    "graveyard": Zone.GRAVEYARD,
    "hand": Zone.HAND,
    "hidden": Zone.HIDDEN,
}


def _row(op: int, columns: dict[int, int]) -> list[int]:
    row = [op] + [0] * (Row.SIZE - 1)
    for column, number in columns.items():
        row[column] = number
    return row


def _filter(step: Step) -> CardFilter:
    if step.cards is None:
        raise ValueError(f"'{step.verb}' needs a description of cards; give it one")
    return step.cards


def _choosing(cards: CardFilter | None, act: int, flags: int = 0, by: int = ME) -> list[int]:
    assert cards is not None
    columns = {
        Row.WHERE: cards.where,
        Row.OF: cards.of,
        Row.WANT: cards.faction,
        Row.BAN: cards.but_not,
        Row.ACT: act,
        Row.FLAGS: flags,
        Row.BY: by,
    }
    return _row(Op.CHOOSE, columns)


def _may(step: Step) -> int:
    return Flag.MAY if step.optional else 0


def _choose(act: int, flags: int = 0) -> Callable[[Step], ProgramRows]:
    """One chosen card."""
    return lambda step: [_choosing(_filter(step), act, flags | _may(step), step.by)]


def _choose_then(act: int, *after: int, flags: int = 0) -> Callable[[Step], ProgramRows]:
    """One chosen card, then rows that ask nobody about it, or only where it goes."""
    return lambda step: [
        _choosing(_filter(step), act, flags | _may(step)),
        *(_row(op, {}) for op in after),
    ]


def _random(act: int) -> Callable[[Step], ProgramRows]:
    """One of THEIR cards, picked by chance."""
    return lambda step: [_row(Op.RANDOM, {Row.WHERE: _filter(step).where, Row.ACT: act})]


def _plain(op: int) -> Callable[[Step], ProgramRows]:
    """A row without columns."""
    return lambda _: [_row(op, {})]


def _markers(step: Step) -> ProgramRows:
    columns = {
        MarkRow.ALTERNATIVES: len(step.shifts),
        MarkRow.TIMES: step.times,
        MarkRow.CAP: step.count,
        MarkRow.BY: step.by,
        MarkRow.CONDITION: step.condition,
        MarkRow.FACTION: step.faction,
    }
    return [_row(Op.MARK, columns)]  # MarkRow.FIRST is filled in by `bytecode`


def _look(step: Step) -> ProgramRows:
    again = [_choosing(step.cards, Act.LOOK, _may(step) | Flag.ANOTHER)] * (step.count - 1)
    return [_choosing(_filter(step), Act.LOOK, _may(step)), *again]


def _exchange(step: Step) -> ProgramRows:
    first = _choosing(_filter(step), Act.PICK, _may(step) | Flag.NEEDS_NEXT)
    return [first, _choosing(step.second, Act.SWAP)]


def _where(op: int) -> Callable[[Step], ProgramRows]:
    """A question that is asked only if such a card exists."""
    return lambda step: [_row(op, {Row.WHERE: _filter(step).where, Row.OF: _filter(step).of})]


def _turn_up_or_look(step: Step) -> ProgramRows:
    return [*_where(Op.MANNER)(step), _choosing(step.cards, Act.MANNER)]


def _pick_player(step: Step) -> ProgramRows:
    where = -1 if step.cards is None else step.cards.where
    return [_row(Op.PLAYER, {Row.WHERE: where, Row.OF: step.whom})]


def _discard_all(step: Step) -> ProgramRows:
    return [_row(Op.SWEEP, {Row.WANT: _filter(step).faction})]


def _draw(step: Step) -> ProgramRows:
    if step.place == "harbor":
        return [_row(Op.DRAW_HARBOR, {Row.COUNT: step.count})]
    return [_row(Op.LIFT, {Row.ZONE: _PLACES[step.place], Row.COUNT: step.count})]


def _rest(step: Step) -> ProgramRows:
    return [_row(Op.REST, {Row.ZONE: _PLACES[step.place]})]


def _pile(step: Step) -> ProgramRows:
    return [_row(Op.PILE, {Row.COUNT: step.count})]


def _perform_aside(step: Step) -> ProgramRows:
    closing = _row(Op.CLOSE, {Row.ZONE: _PLACES[step.place]})
    return [*_choose_then(Act.ASIDE, Op.PERFORM_PICKED)(step), closing]


# ---- English that depends on more than a slot -------------------------------------------------


def _rest_english(step: Step) -> str:
    if step.place == "hand":
        return "keep the rest in your hand"
    return "put the rest face down on the {place}"


def _aside_english(step: Step) -> str:
    then = "bury it" if step.place == "graveyard" else "place it hidden in your party"
    return "set a tavern card aside, perform it and afterwards " + then


# ---- the table --------------------------------------------------------------------------------

# fmt: off
_TABLE: Final = (
    Verb("markers", "{phrase}", "move {shifts}{scale}", _markers, near=True, reads_pile=never,
         reads=described,
         shapes=always, opens_own=0, opens_others=0),
    # One chosen card
    Verb("bury", "bury({cards})", "bury {card}", _choose(Act.BURY), near=True, reads_pile=never,
         reads=described,
         shapes=always, opens_own=0, opens_others=0),
    Verb("turn over", "turn_over({cards})", "turn over {card}",
         _choose(Act.TURN), near=True, reads_pile=never, reads=described,
         shapes=always, opens_own=0, opens_others=1),
    Verb("look", "look({cards})", "look at {several}", _look, near=True, reads_pile=never,
         reads=described,
         shapes=never, opens_own=0, opens_others=0),
    Verb("take", "take({cards})", "take {card} into your hand",
         _choose(Act.TAKE), near=True, reads_pile=never, reads=described,
         shapes=_of_parties, opens_own=0, opens_others=0),
    Verb("place hidden", "place_hidden({cards})", "place {card} hidden in your party",
         _choose(Act.HIDE), near=True, reads_pile=never, reads=described,
         shapes=always, opens_own=0, opens_others=0),
    Verb("place open", "place_open({cards})",
         "place {card} open in your party without performing it",
         _choose(Act.OPEN), near=False, reads_pile=never, reads=described,
         shapes=always, opens_own=1, opens_others=0),
    Verb("discard", "discard({cards})", "discard {card}",
         _choose(Act.DISCARD), near=True, reads_pile=never, reads=described,
         shapes=_of_parties, opens_own=0, opens_others=0),
    Verb("play another", "play_another({cards})", "play {card}, with its whole ability",
         _choose(Act.PLAY, Flag.ASK_ANYWAY), near=True, reads_pile=never,
         reads=and_also(Reads.OWN_HAND | Reads.OTHER_CARDS),
         shapes=always, opens_own=1, opens_others=0),
    Verb("perform", "perform({cards})", "perform {card} other than this hero and the Emperor",
         _choose(Act.PERFORM, Flag.NEW_IN_CHAIN), near=False, reads_pile=never,
         reads=and_also(Reads.OTHER_CARDS),
         shapes=always, opens_own=0, opens_others=0),
    Verb("expose", "expose({cards})",
         "turn {card} face up; bury it if it is of the faction named, else it stays open",
         _choose(Act.EXPOSE), near=True, reads_pile=never, reads=described,
         shapes=always, opens_own=0, opens_others=1),
    Verb("exchange graveyard top", "exchange_graveyard_top({cards})",
         "exchange {card} with the top card of the graveyard",
         _choose(Act.SWAP_TOP), near=False, reads_pile=never, reads=and_also(Reads.GRAVEYARD),
         shapes=always, opens_own=0, opens_others=0),
    Verb("move elsewhere", "move_elsewhere({cards})",
         "move {card} to the party of a player who is neither you nor its owner",
         _choose_then(Act.PICK, Op.RECEIVER, flags=Flag.MOVABLE), near=True, reads_pile=never,
         reads=described,
         shapes=always, opens_own=0, opens_others=1),
    Verb("exchange", "exchange({cards}, {second})", "exchange {card} with {second_card}",
         _exchange, near=True, reads_pile=never, reads=described,
         shapes=always, opens_own=0, opens_others=0),
    Verb("turn up or look", "turn_up_or_look({cards})", "either turn {card} face up or look at one",
         _turn_up_or_look, near=True, reads_pile=never, reads=described,
         shapes=always, opens_own=0, opens_others=1),
    Verb("turn up and perform", "turn_up_and_perform({cards})",
         "turn {card} face up and perform it",
         _choose_then(Act.TURN, Op.PERFORM_PICKED), near=False, reads_pile=never,
         reads=and_also(Reads.OTHER_CARDS),
         shapes=always, opens_own=1, opens_others=0),
    Verb("perform aside", 'perform_aside(then="{place}")', _aside_english,
         _perform_aside, near=False, reads_pile=never, reads=anything,
         shapes=always, opens_own=0, opens_others=0),
    # Chance or other players choose
    Verb("random bury", "random_card(bury({cards}))", "bury {random_card}",
         _random(Act.BURY), near=False, reads_pile=never, reads=described,
         shapes=always, opens_own=0, opens_others=0),
    Verb("random take", "random_card(take({cards}))", "take {random_card} into your hand",
         _random(Act.TAKE), near=False, reads_pile=never, reads=and_also(_HANDS),
         shapes=never, opens_own=0, opens_others=0),
    Verb("random place hidden", "random_card(place_hidden({cards}))",
         "place {random_card} hidden in your party",
         _random(Act.HIDE), near=False, reads_pile=never, reads=and_also(_HANDS),
         shapes=always, opens_own=0, opens_others=0),
    Verb("everybody else: discard", "everybody_else(discard({cards}))",
         "every other player chooses: discard {their_card}",
         _plain(Op.EACH), near=False, reads_pile=never, reads=and_also(_HANDS),
         shapes=never, opens_own=0, opens_others=0),
    Verb("hand over", "hand_over()",
         "that player chooses: hand you {their_card}; a player without one says so",
         _plain(Op.HAND_OVER), near=False, reads_pile=never, reads=and_also(_HANDS),
         shapes=never, opens_own=0, opens_others=0),
    # No card is chosen
    Verb("pick player", "pick_player({whom}{having})", "pick {player}",
         _pick_player, near=True, reads_pile=never, reads=described,
         shapes=never, opens_own=0, opens_others=0),
    Verb("name faction", "name_faction(needs={cards})",
         "name a faction, provided there is {existing_card}",
         _where(Op.FACTION), near=True, reads_pile=never, reads=described,
         shapes=never, opens_own=0, opens_others=0),
    Verb("discard all", "discard_all({cards})", "discard {all_cards}",
         _discard_all, near=False, reads_pile=never, reads=and_also(Reads.TAVERN),
         shapes=never, opens_own=0, opens_others=0),
    Verb("draw", 'draw({number}, "{place}")', "draw the top {count} cards of the {place}",
         _draw, near=False, reads_pile=_from_wilderness, reads=_drawn_from,
         shapes=never, opens_own=0, opens_others=0),
    Verb("rest", 'rest_to("{place}")', _rest_english, _rest, near=False, reads_pile=never,
         reads=described,
         shapes=never, opens_own=0, opens_others=0),
    Verb("draw from either pile", "draw_from_either_pile({number})",
         "draw the top {count} cards of the wilderness or graveyard",
         _pile, near=False, reads_pile=always, reads=and_also(Reads.WILDERNESS | Reads.GRAVEYARD),
         shapes=never, opens_own=0, opens_others=0),
    Verb("restock", "restock_tavern()", "fill the tavern from the top of the graveyard",
         _plain(Op.RESTOCK), near=False, reads_pile=never,
         reads=and_also(Reads.TAVERN | Reads.GRAVEYARD),
         shapes=never, opens_own=0, opens_others=0),
    Verb("show wilderness top", "show_wilderness_top()",
         "show everybody the top card of the wilderness",
         _plain(Op.SHOW), near=False, reads_pile=always, reads=and_also(Reads.WILDERNESS),
         shapes=never, opens_own=0, opens_others=0),
    Verb("perform graveyard top", "perform_graveyard_top()",
         "perform the top card of the graveyard, which stays there",
         _plain(Op.PERFORM_TOP), near=False, reads_pile=never, reads=anything,
         shapes=always, opens_own=0, opens_others=0),
)
# fmt: on

VERBS: Final[dict[str, Verb]] = {verb.name: verb for verb in _TABLE}


def verb_of(step: Step) -> Verb:
    """The row of the step's verb."""
    if step.verb not in VERBS:
        hint = (
            did_you_mean(step.verb, VERBS) or "; add a row to games/hidden_leaders/rules/verbs.py"
        )
        raise ValueError(f"there is no verb '{step.verb}'{hint}")
    return VERBS[step.verb]
