"""The table of verbs: every verb has a row, and everything that follows from the rows."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields

import pytest

from games.hidden_leaders.rules import card_language
from games.hidden_leaders.rules.card_language import Step, bury, everybody_else, open_hero
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.opcodes import Act, Op, Row
from games.hidden_leaders.rules.reach import KEEPS_NEAR, READS_PILE
from games.hidden_leaders.rules.verbs import VERBS, Verb, verb_of
from games.hidden_leaders.text.cards import step_clause, step_word

FAR = {
    *("Hangry Barbarian", "Joyless Chief", "Curious Cat Lover", "Heart-Bending Bard"),
    *("Modest Monsterslayer", "Battle Connoisseur", "Nagging Northman", "Groggy Preacher"),
    *("Angry Priestess", "Resilient Rearguard", "Ghastly Granny", "Half-Headed Wizard"),
    *("Gorgeous Gorgon", "Crow Carrier", "Insidious Impaler", "Will-Bending Witch"),
    *("Resurrected Ram", "Mummy Mystic", "Naughty Necromancer", "Sun-Shy Skeleton"),
    *("Wrapped Warrior", "Pessimistic Whaleman", "Tentacle Oracle", "Deep Sea Squire"),
    *("Double-Shielded Turtle", "Hopeful Salamander", "Saltwater Sage", "Miniature Merman"),
    "Underwater Artist",
}
"""Heroes that touch more than markers, parties and the hand of the player."""
PILE_READERS = {"Joyless Chief", "Tentacle Oracle", "Miniature Merman"}
STEPS = {step.verb: step for hero in HEROES for step in hero.steps}


def test_the_verbs_of_the_heroes_are_those_of_the_table() -> None:
    assert set(STEPS) == set(VERBS)


def test_no_row_can_leave_a_field_out() -> None:
    for field in fields(Verb):
        assert field.default is MISSING
        assert field.default_factory is MISSING


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (Step("burry"), "there is no verb 'burry'; did you mean 'bury'?"),
        (
            everybody_else(bury(open_hero())),
            "there is no verb 'everybody else: bury'; did you mean 'everybody else: discard'?",
        ),
        (Step("sing"), "there is no verb 'sing'; add a row to games/hidden_leaders/rules/verbs.py"),
    ],
)
def test_an_unknown_verb_is_refused(step: Step, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        verb_of(step)


def test_a_verb_without_the_cards_it_needs_is_refused() -> None:
    with pytest.raises(ValueError, match="'bury' needs a description of cards"):
        verb_of(Step("bury")).rows(Step("bury"))


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_a_row_names_real_words_and_compiles(verb: Verb) -> None:
    step = STEPS[verb.name]
    for word in re.findall(r"(\w+)\(", verb.word):
        assert callable(getattr(card_language, word))
    assert "{" not in step_word(step) + step_clause(step)
    ops = {number for name, number in vars(Op).items() if name.isupper()}
    acts = {number for name, number in vars(Act).items() if name.isupper()}
    for row in verb.rows(step):
        assert len(row) == Row.SIZE
        assert row[Row.OP] in ops
        assert row[Row.OP] != Op.CHOOSE or row[Row.ACT] in acts


def test_which_heroes_touch_only_what_is_near() -> None:
    near = {hero.name for hero, near in zip(HEROES, KEEPS_NEAR, strict=True) if near}
    assert near == {hero.name for hero in HEROES} - FAR


def test_which_heroes_read_the_order_of_the_wilderness() -> None:
    assert {h.name for h, reads in zip(HEROES, READS_PILE, strict=True) if reads} == PILE_READERS
