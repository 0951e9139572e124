"""Every hero and leader of the box, one line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# The words of the card language, packed like the table they serve.
# isort: off
# fmt: off
from games.hidden_leaders.rules.card_language import (
    ANYONE, GREEN_LEADS, ME, NAMED, OTHERS, RED_LEADS, THEM, Step, any_hero, any_of, both, bury,
    discard, discard_all, draw, draw_from_either_pile, drawn_card, either, everybody_else, exchange,
    exchange_graveyard_top, expose, graveyard_card, green, hand_card, hand_over, hidden_hero,
    if_discarded, if_i_show, leading, look, may, move_elsewhere, name_faction, next_player,
    open_hero, per_buried, per_discarded, per_their_open, perform, perform_aside,
    perform_graveyard_top, pick_player, place_hidden, place_open, play_another, random_card, red,
    rest_to, restock_tavern, show_wilderness_top, take, tavern_card, they, trailing, turn_over,
    turn_up_and_perform, turn_up_or_look, unless_shown, while_leading,
)
# fmt: on
# isort: on
from games.hidden_leaders.rules.constants import ALL_FACTIONS, EMPIRE, TRIBES, UNDEAD, WATER


@dataclass(frozen=True)
class Hero:
    """A hero card. Its index in HEROES is its number everywhere."""

    name: str
    faction: int
    steps: tuple[Step, ...]
    rulings: tuple[int, ...]
    advanced: bool = False
    """Not in the beginner deck (R7)."""

    @property
    def code(self) -> str:
        """Four letters, unique: two each from the first and the last word of the name."""
        words = self.name.replace("-", " ").split()
        return words[0][:2] + words[-1][:2]


@dataclass(frozen=True)
class Leader:
    """A secret leader. Its number decides the last tie-break (R89)."""

    name: str
    number: int
    factions: int


def hero(name: str, faction: int, *steps: Step, rulings: tuple[int, ...]) -> Hero:
    return Hero(name, faction, steps, rulings)


def advanced(name: str, faction: int, *steps: Step, rulings: tuple[int, ...]) -> Hero:
    return Hero(name, faction, steps, rulings, advanced=True)


# fmt: off
HEROES: Final[tuple[Hero, ...]] = (
    # Hill Tribes
    hero("Shaky Sharpshooter", TRIBES, either(red(+1), green(-1)), bury(open_hero(faction=EMPIRE)), rulings=(25, 101)),
    hero("Overworked Amazon", TRIBES, either(red(+1), green(-1)), pick_player(ANYONE, having=open_hero()), they(bury(open_hero(of=THEM))), rulings=(28, 36, 102)),
    advanced("Hangry Barbarian", TRIBES, discard_all(tavern_card(EMPIRE | UNDEAD)), per_discarded(red(-1)), rulings=(37, 72, 103)),
    advanced("Joyless Chief", TRIBES, red(+1), draw(2, "wilderness"), place_hidden(drawn_card()), rest_to("wilderness"), rulings=(48, 104)),
    hero("Battle Pet Master", TRIBES, both(red(+1), green(+1)), place_hidden(hand_card()), rulings=(105,)),
    hero("Curious Troll", TRIBES, either(red(+1), green(+1)), may(look(hidden_hero(of=OTHERS)), upto=2), rulings=(48, 106)),
    hero("Pigmented War Pig", TRIBES, both(red(-1), green(+1)), rulings=(147,)),
    hero("Bored Goblin", TRIBES, if_i_show(UNDEAD, red(-2)), rulings=(107,)),
    advanced("Curious Cat Lover", TRIBES, red(+1), pick_player(OTHERS, having=hand_card()), random_card(place_hidden(hand_card(of=THEM))), rulings=(28, 108)),
    hero("Watchful Witch", TRIBES, either(red(-1), green(+1)), may(look(hidden_hero(of=OTHERS)), upto=2), rulings=(48, 106)),
    hero("Depressed Druid", TRIBES, both(red(-3), green(-1)), rulings=(147,)),
    hero("Blind Eye Collector", TRIBES, both(red(+1), green(+3)), rulings=(147,)),
    hero("Hairy Hermit", TRIBES, either(red(-1), while_leading(RED_LEADS, red(-2))), rulings=(109,)),
    hero("Long-Eared Loner", TRIBES, green(+1), turn_over(any_hero(of=OTHERS)), rulings=(47, 110)),
    advanced("Saber-Toothed Troll", TRIBES, take(open_hero(of=OTHERS)), they(either(green(+2), green(-2))), rulings=(32, 36, 111)),
    advanced("Potato Privateer", TRIBES, pick_player(ANYONE), per_their_open(EMPIRE, green(+1)), rulings=(28, 35, 112)),
    hero("Spirited Shaman", TRIBES, both(red(-1), green(-1)), turn_over(any_hero(of=OTHERS)), rulings=(47, 110)),
    hero("Grumpy Guard", TRIBES, if_i_show(WATER, green(+2)), rulings=(107,)),
    advanced("Gambling Overseer", TRIBES, both(red(-1), green(-1)), bury(hidden_hero(of=ME)), place_hidden(hand_card()), place_hidden(hand_card()), rulings=(143,)),
    # Imperial Army
    hero("Short-Sighted Soldier", EMPIRE, both(red(+1), green(-1)), rulings=(147,)),
    advanced("Doubtful Priest", EMPIRE, next_player(either(red(+2), red(-2))), may(play_another(hand_card(but_not=EMPIRE))), rulings=(32, 36, 39, 53, 61, 71, 113)),
    hero("Underestimated Squire", EMPIRE, both(red(-1), green(-1)), may(exchange(hidden_hero(of=ME), hand_card())), rulings=(42, 114)),
    hero("Flailing Knight", EMPIRE, both(red(-1), green(-3)), rulings=(147,)),
    hero("Underpaid Mercenary", EMPIRE, both(red(+3), green(+1)), rulings=(147,)),
    advanced("Heart-Bending Bard", EMPIRE, discard_all(tavern_card(WATER | TRIBES)), per_discarded(green(-1)), rulings=(37, 72, 103)),
    advanced("Modest Monsterslayer", EMPIRE, perform_aside(then="hidden"), rulings=(54, 56, 57, 58, 62, 115)),
    hero("Ace Fighter", EMPIRE, either(red(+1), while_leading(GREEN_LEADS, red(+2))), rulings=(109,)),
    hero("Battle Connoisseur", EMPIRE, green(+1), place_hidden(tavern_card()), discard_all(tavern_card()), rulings=(37, 116)),
    hero("Canned Champion", EMPIRE, either(red(-1), green(+1)), bury(open_hero(faction=TRIBES)), rulings=(25, 101)),
    hero("Nagging Northman", EMPIRE, may(discard(tavern_card(TRIBES))), if_discarded(red(+2)), rulings=(117,)),
    advanced("Almost-Evil Scholar", EMPIRE, pick_player(ANYONE), per_their_open(TRIBES, red(+1)), rulings=(28, 35, 112)),
    hero("Well-Aged Warrior", EMPIRE, both(red(+1), green(+1)), place_hidden(hand_card()), rulings=(105,)),
    advanced("Androgynous Assassin", EMPIRE, either(red(-1), green(+1)), name_faction(needs=hidden_hero(of=OTHERS)), expose(hidden_hero(of=OTHERS)), rulings=(51, 75, 118)),
    hero("Groggy Preacher", EMPIRE, either(red(+1), green(+1)), exchange(tavern_card(), open_hero(of=ME)), rulings=(42, 119)),
    hero("Queer Quartermaster", EMPIRE, red(+1), may(exchange(open_hero(of=ME, but_not=EMPIRE), hand_card())), rulings=(42, 71, 120)),
    hero("Angry Priestess", EMPIRE, may(discard(tavern_card(UNDEAD))), if_discarded(green(-2)), rulings=(117,)),
    hero("Resilient Rearguard", EMPIRE, either(red(+1), green(-1)), pick_player(OTHERS, having=hand_card()), random_card(take(hand_card(of=THEM))), rulings=(28, 108)),
    advanced("Goblin Cryptographer", EMPIRE, any_of(red(-1), green(-1)), may(move_elsewhere(open_hero(of=ANYONE))), rulings=(144,)),
    # Undead
    hero("Arrowgant Skeleton", UNDEAD, any_of(red(+2), green(+2)), rulings=(31, 147)),
    hero("Unconfident Executioner", UNDEAD, both(red(-1), green(-1)), bury(open_hero()), rulings=(63, 121)),
    advanced("Ghastly Granny", UNDEAD, perform(open_hero(of=ME)), rulings=(54, 58, 60, 62, 122)),
    hero("Rotting Orangutan", UNDEAD, either(red(+2), green(+2)), rulings=(31, 147)),
    hero("Half-Headed Wizard", UNDEAD, both(red(+1), green(+1)), exchange(tavern_card(), open_hero(of=OTHERS)), rulings=(42, 119)),
    hero("Nightmarish Northman", UNDEAD, any_of(red(+2), green(+2)), bury(open_hero(of=ME)), bury(open_hero(of=OTHERS)), rulings=(24, 123)),
    hero("Half-Eaten Bull", UNDEAD, both(red(+2), green(+1)), bury(open_hero(faction=WATER)), rulings=(25, 101)),
    hero("Gorgeous Gorgon", UNDEAD, either(red(+1), green(+1)), pick_player(ANYONE, having=open_hero()), random_card(bury(open_hero(of=THEM))), rulings=(28, 46, 124)),
    hero("Crow Carrier", UNDEAD, both(red(-1), green(-1)), draw(2, "graveyard"), place_hidden(drawn_card()), rest_to("wilderness"), rulings=(24, 125)),
    advanced("Insidious Impaler", UNDEAD, perform_aside(then="graveyard"), rulings=(54, 56, 57, 58, 62, 126)),
    hero("Lethargic Leech", UNDEAD, either(red(-1), green(-1)), place_hidden(hand_card()), rulings=(105,)),
    hero("Will-Bending Witch", UNDEAD, either(red(+1), green(+1)), everybody_else(discard(hand_card())), rulings=(37, 127)),
    advanced("Resurrected Ram", UNDEAD, either(red(+1), green(+1)), discard_all(tavern_card()), restock_tavern(), rulings=(37, 128)),
    hero("Mummy Mystic", UNDEAD, both(red(+1), green(+2)), may(exchange_graveyard_top(open_hero(of=ME))), rulings=(42, 129)),
    advanced("Naughty Necromancer", UNDEAD, per_buried(both(red(+1), green(+1))), rulings=(35, 130)),
    advanced("Sun-Shy Skeleton", UNDEAD, perform_graveyard_top(), rulings=(54, 58, 59, 62, 64, 131)),
    hero("Wrapped Warrior", UNDEAD, either(red(+1), green(+1)), take(graveyard_card()), rulings=(93, 132)),
    hero("Slaughtered Slime", UNDEAD, either(red(-1), green(-1)), bury(hidden_hero()), rulings=(25, 133)),
    advanced("Careless Cartographer", UNDEAD, any_of(red(+1), green(+1)), exchange(hidden_hero(of=OTHERS), hidden_hero(of=ME)), rulings=(42, 145)),
    # Water Folk
    hero("Pessimistic Whaleman", WATER, either(red(+1), green(+1)), draw(2, "harbor"), place_hidden(drawn_card()), rest_to("wilderness"), rulings=(16, 24, 134)),
    advanced("Tentacle Oracle", WATER, show_wilderness_top(), unless_shown(UNDEAD, both(red(-3), green(-3))), rulings=(71, 135)),
    hero("Drowned Deserter", WATER, either(leading(-1), trailing(+2)), rulings=(33, 136)),
    hero("Deep Sea Squire", WATER, either(red(+1), green(+1)), draw(2, "harbor"), place_hidden(drawn_card()), rest_to("hand"), rulings=(16, 24, 134)),
    hero("Vegetarian Sharkguard", WATER, any_of(red(+2), green(+2)), discard(open_hero(of=OTHERS)), rulings=(137,)),
    advanced("Double-Shielded Turtle", WATER, name_faction(needs=tavern_card()), discard_all(tavern_card(NAMED)), per_discarded(any_of(red(-1), green(-1))), rulings=(31, 37, 138)),
    hero("Leery Lizard", WATER, either(red(-1), green(-2)), rulings=(147,)),
    hero("Furious Frog", WATER, any_of(red(-2), green(-2)), rulings=(31, 147)),
    hero("Apathetic Waterpriest", WATER, either(red(-2), green(-1)), rulings=(147,)),
    hero("Hopeful Salamander", WATER, both(red(+1), green(+1)), place_open(tavern_card()), rulings=(43, 139)),
    hero("Keen Koi", WATER, both(leading(-1), trailing(+1)), rulings=(33, 34, 136)),
    hero("Triple Sword Lizard", WATER, either(leading(-1), leading(-2)), rulings=(33, 136)),
    advanced("Saltwater Sage", WATER, turn_up_and_perform(hidden_hero(of=ME)), rulings=(54, 58, 62, 140)),
    advanced("Miniature Merman", WATER, either(red(-1), green(+1)), draw_from_either_pile(2), rulings=(13, 141)),
    advanced("Krill Keeper", WATER, pick_player(ANYONE), per_their_open(UNDEAD, both(red(-1), green(-1))), rulings=(28, 35, 112)),
    hero("Aimless Eel", WATER, either(red(+1), green(+1)), bury(open_hero(faction=UNDEAD)), rulings=(25, 101)),
    hero("Bludgeoning Blowfish", WATER, either(red(+1), green(-1)), turn_up_or_look(hidden_hero(of=OTHERS)), rulings=(142,)),
    hero("Friendly Frogmage", WATER, both(red(+1), green(+1)), place_hidden(hand_card()), rulings=(105,)),
    advanced("Underwater Artist", WATER, both(red(+1), green(+1)), name_faction(needs=hand_card(of=OTHERS)), pick_player(OTHERS, having=hand_card()), hand_over(), rulings=(76, 146)),
    # One hero of all four factions, with no ability (R70)
    hero("Buried Emperor", ALL_FACTIONS, rulings=(62, 70, 71, 72, 73, 74, 75, 76, 77, 78)),
)
# fmt: on

EMPEROR: Final = len(HEROES) - 1

LEADERS: Final[tuple[Leader, ...]] = (
    Leader("Lemron", 1, WATER | TRIBES),
    Leader("Cyra", 2, EMPIRE | WATER),
    Leader("Myrad", 3, UNDEAD | TRIBES),
    Leader("Xiadul", 4, EMPIRE | UNDEAD),
    Leader("Pavyr", 5, EMPIRE | TRIBES),
    Leader("Enned", 6, UNDEAD | WATER),
)

CARD_NUMBER: Final[dict[str, int]] = {hero.name: number for number, hero in enumerate(HEROES)}
"""Hero name -> card number."""

RETAIL: Final = tuple(range(len(HEROES)))
BEGINNER: Final = tuple(c for c in RETAIL if not HEROES[c].advanced)
