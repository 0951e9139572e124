"""Every ruling of Hidden Leaders in a sentence or two; `docs/rules.md` is generated from this."""

from __future__ import annotations

from typing import Final

from games.forms.rulebook import Chapter, read_rulebook, rules_in_short

_TEXT: Final = """
# What is in the box
R1 A standard game uses the 77 retail cards: 19 heroes of each faction and the Buried Emperor.
   Cards of other sets are used only on request.
R2 Markers move on spaces 1 to 12, plus to the right, minus to the left. Both start on 4 and may
   share a space; 9 to 12 are the war zone.
R3 Each of the six leaders supports two factions, every pair of factions exactly once, and has a
   number from 1 to 6 for ties.

# Setting up
R4 Tavern slots 1, 2, 3 are dealt first; then the first player gets five cards, the next player
   the next five, and so on.
R5 In turn order, everybody hides one of the five and discards one face down, so the wilderness
   is in turn order. Since nobody learns anything from it, all may choose at once.
R6 Chance decides who begins unless a tournament does.
R7 The beginner game leaves out the 24 advanced heroes, six of each faction, and ends one open
   hero earlier.

# The turn
R8 A turn is action, draw, discard, refill, always all four in this order; then the end is checked
   and the next player's turn begins.
R9 The action is to play one card or to discard up to three; doing nothing is allowed, doing both
   is not.
R10 A card played goes open into its player's party and is resolved at once, even if it can do
   nothing.
R11 Below four hand cards, draw one at a time, from the tavern or unseen from the harbor; tavern
   slots emptied meanwhile stay empty.
R12 A player with fewer than four cards must keep drawing while there is a card to draw.
R13 With four cards or more in hand, nothing is drawn.
R14 With more than three hand cards, discard down to three; the player chooses which ones and in
   which order.
R15 Refilling puts harbor cards into the empty tavern slots, from slot 1 to slot 3.
R16 When a harbor card is needed and none is left, and only then, the wilderness is shuffled into
   a new harbor; this can happen in the middle of an ability.
R17 With harbor and wilderness both empty, cards are drawn from the tavern alone, and drawing ends
   early when that is empty too; a slot that cannot be refilled waits for the next refill.
R18 The game does not end because cards run out.
R19 Refilling follows discarding, so a card just discarded can turn up in the tavern of the same
   turn.
R20 Turns go clockwise, and nobody drops out, until the end check ends the game.
R21 A game that lasts 100 full rounds, or as many as configured, is stopped without a winner.

# Resolving an ability
R22 Markers come before the text of a card, except where the text decides how far, or by whom,
   they are moved.
R23 Everything without "may" must be done; moving markers is never optional.
R24 What cannot be done is skipped, what can be done in part is done in part; anything that refers
   to a skipped part is skipped too, and X is then 0.
R25 A compulsory effect may hit its own side: if only one of the performer's heroes fits, it is
   the target.
R26 A card may be a target of its own ability if it fits, except for performing it again.
R27 "Other" players never include the performer; "any" player, or just "a player", does.
R28 To be picked, a player must visibly have a card of the kind to be affected; where the pick only
   counts something, any player can be picked.
R29 Nothing is decided in advance: every choice is made when it comes up, knowing everything that
   happened before.
R30 Markers stop at the ends of the track and lose the rest of the move; they may not be moved less
   than printed.
R31 "And" moves every marker named, "or" takes exactly one alternative, "and/or" one marker or
   both but never none.
R32 An alternative that moves nothing is not offered, and two with the same outcome count as one;
   with none left there is no choice to make.
R33 The marker further right leads, the other trails. On the same space neither does, and anything
   that needs a leading marker does nothing.
R34 Two markers moved by one part both move relative to where they stood before it.
R35 X is counted when its part is reached and limited to the maximum on the card; the Emperor
   counts as one card.
R36 Where a card makes another player decide, that player decides freely.
R37 Tavern cards discarded together go in slot order, hand cards in their owner's order, cards of
   several players clockwise, the next player first.
R38 Choices about open cards are public, and so is passing; which card of a hand was chosen face
   down is not.
R39 Passing looks the same whether or not another choice was possible.

# What the verbs mean
R40 Bury: on top of the graveyard, face up, so that everybody sees which hero it was.
R41 Discard: on top of the wilderness, face down, from wherever it was.
R42 Exchange: two cards take each other's place and its orientation, index or slot; without both
   cards nothing happens, and no ability is resolved.
R43 Place: the card is put there and not resolved.
R44 Draw: the top card of the pile named, or a random card of the hand named, into the performer's
   hand unless the card says otherwise. Only the harbor is ever reshuffled for it.
R45 Take: the performer chooses a card among those described.
R46 At random: all candidates are equally likely.
R47 Turn over: open becomes hidden or hidden becomes open within the same party; what becomes
   hidden is the newest there, what becomes open is not resolved.
R48 Look: only the performer sees the card, which stays in place; everybody sees which place is
   looked at.
R49 Show: all see the card, then it goes back.
R50 Pick a player: openly, among those allowed.
R51 Name a faction: aloud, any of the four, before the card concerned is chosen or shown.
R52 Keep: the card stays in the performer's hand.
R53 Play another card: one more from hand, resolved fully as in the action step; it cannot be
   turned into a discard.

# Performing another card
R54 Performing a card means using its whole ability, markers and text, as if it had just been
   played; "you" is the performer.
R55 The card performed stays where it is and does not count as an additional open hero.
R56 A tavern card about to be performed is set aside: its slot is empty, and nothing can pick,
   count or move the card until the closing clause.
R57 The closing clause, burying the card or hiding it, comes after everything else, innermost
   first, even if the hero that requires it has left the party.
R58 A chain is a card played from hand and all that is performed because of it; no card is
   performed twice in one chain.
R59 If the card to be performed may not be performed, nothing is performed instead.
R60 So Ghastly Granny never performs herself, and copying cards cannot call each other forever.
R61 The additional card of Doubtful Priest starts a new chain; the closing clauses of the old chain
   come after it.
R62 The Emperor is never performed. Cards that only perform may not pick it; those that also move
   the card may, and then only move it.
R63 An ability is finished even if its own card is buried, turned over or taken meanwhile.
R64 A card performed in the graveyard is still a card of the graveyard and can be counted, drawn
   or taken there.

# Hidden heroes
R65 Hidden heroes lie in the order of their arrival, which everybody can see; owners may look at
   theirs, but not rearrange them.
R66 A hero placed hidden is the newest; when one leaves, later ones move up; an exchange keeps the
   index.
R67 Turning a hero face up does not trigger its ability.
R68 Hidden heroes do not help to end the game but count in the first two tie-breaks.
R69 No retail card shuffles hidden heroes.

# The Buried Emperor
R70 The Emperor is one hero of all four factions at once, as a target, in every count and
   condition, for guesses and in the tie-break.
R71 Being of every faction, the Emperor is never "not Empire" or "not Undead".
R72 Where two factions are hit at once, the Emperor still counts as one card.
R73 The Emperor can be played like any hero: nothing is resolved, but it is an open hero.
R74 Everything that can happen to a hero can happen to the Emperor: burial, discard, exchange,
   reshuffle and so on.
R75 For Androgynous Assassin, any faction named is right if the card is the Emperor.
R76 A hand with the Emperor can satisfy any faction named by Underwater Artist.
R77 The Emperor starts the game in the graveyard, where heroes that use the graveyard can already
   affect it.
R78 The beginner game keeps the Emperor.

# The end and the winner
R79 With 2, 3, 4, 5, 6 players a party of 8, 7, 7, 6, 5 open heroes ends the game; the beginner
   game needs one hero less.
R80 Reaching or exceeding the threshold counts, with open heroes only, including the Emperor.
R81 The end is checked once a turn, after refilling, for all parties; having had enough heroes
   earlier in the turn does not count.
R82 It does not matter which or how many parties reached the threshold.
R83 Both markers in the war zone: Undead win. Otherwise at most one space apart: Water. Otherwise
   the marker in front decides: red for the Empire, green for the Tribes.
R84 At the end hands are put away unseen, leaders are shown and hidden heroes turned up.
R85 If only one leader supports the winning faction, that player wins, whatever the party.
R86 If no leader does, nobody wins; this is possible only with two or three players.
R87 First tie-break: most heroes of the winning faction, open and hidden together.
R88 Second tie-break: fewest heroes in all.
R89 Third tie-break: the highest leader number, which is never shared.
R90 Each tie-break is only among those still tied, and only among supporters of the winning
   faction.

# Who knows what
R91 A hand is a bag: once a card has left it face down, cards known to be in it may be there or
   where that card went, unless the counts leave only one possibility.
R92 Hidden heroes, wilderness and graveyard have an order, so that cards can be followed in them;
   the harbor has none.
R93 Only the top of the graveyard is visible. Everybody remembers what was buried, until a player
   takes a card out of the pile unseen.
R94 A world is possible for a player if some legal course of the game would have shown that player
   exactly what was seen; what a clever opponent would do does not count.
R95 Players never forget what they have seen.
R96 What players say to each other is not part of the game.

# Card by card
R101 The four heroes that bury one of a given faction may choose any open hero of it, or an open
   Emperor, in any party, and must choose one.
R102 Overworked Amazon: the player picked, possibly the performer, chooses which of their open
   heroes to bury; Amazon herself is possible.
R103 Hangry Barbarian and Heart-Bending Bard: all fitting tavern cards go at once, and the marker
   moves by their number.
R104 Joyless Chief: of two wilderness cards one is hidden and the other returns on top; a single
   one is hidden; there is no reshuffle for it.
R105 Heroes that place a hand card hidden must do so unless the hand is empty.
R106 Curious Troll and Watchful Witch look at none, one or two hidden heroes of other players.
R107 Bored Goblin and Grumpy Guard need an open hero of the faction, or an open Emperor, in the
   performer's party; with it the move is compulsory.
R108 Curious Cat Lover and Resilient Rearguard need another player with a hand card; chance chooses
   the card.
R109 Hairy Hermit and Ace Fighter move red by one or, optionally, by two while red (Hermit) or
   green (Fighter) leads.
R110 Long-Eared Loner and Spirited Shaman turn over any one hero, open or hidden, of another
   player.
R111 Saber-Toothed Troll: the player who lost the hero chooses green +2 or -2; with no hero to
   take, the marker stays as well.
R112 Krill Keeper, Almost-Evil Scholar and Potato Privateer may pick any player, the performer
   included; a fourth fitting hero does not count.
R113 Doubtful Priest: after the next player moved red, one more card may be played, neither Empire
   nor the Emperor.
R114 Underestimated Squire: the exchange with the hand is optional, and the index stays.
R115 Modest Monsterslayer must choose a tavern card if there is one; it ends up hidden, but
   everybody knows it.
R116 Battle Connoisseur hides one tavern card in view of all and discards the others.
R117 Nagging Northman and Angry Priestess: only if a fitting tavern card is discarded, which is
   optional, does the marker move.
R118 Androgynous Assassin: after a right guess the hero is buried, after a wrong one it stays open;
   if no other player has a hidden hero, no faction is named.
R119 Groggy Preacher and Half-Headed Wizard must exchange if there is a tavern card and a fitting
   open hero; the Preacher himself fits.
R120 Queer Quartermaster: optional, and only for one of the performer's open heroes that is neither
   Empire nor the Emperor; the hand card arrives open without effect.
R121 Unconfident Executioner may bury any open hero, including himself.
R122 Ghastly Granny must perform if the performer has an open hero that is not the Emperor and not
   in the chain.
R123 Nightmarish Northman buries one of the performer's open heroes, possibly himself, then one of
   another player; either part is done alone if the other is impossible.
R124 Gorgeous Gorgon: each open hero of the player picked is equally likely to be buried.
R125 Crow Carrier: of up to two graveyard cards one is hidden, the other discarded; a single one
   is hidden.
R126 Insidious Impaler must choose a tavern card if there is one; it ends up buried.
R127 Will-Bending Witch: in turn order every other player secretly discards a card; empty hands
   are passed over.
R128 Resurrected Ram: the tavern is discarded and restocked from the top of the graveyard as far
   as possible; the rest waits for the refill.
R129 Mummy Mystic may exchange any of the performer's open heroes, herself included, for the top of
   the graveyard.
R130 Naughty Necromancer moves both markers by the number of cards buried, but at most by three.
R131 Sun-Shy Skeleton performs the top of the graveyard in place, if that is allowed and there is
   one.
R132 Wrapped Warrior must take a card if the graveyard has any; the others keep their order.
R133 Slaughtered Slime must bury a hidden hero, one of the performer's if there is no other.
R134 Pessimistic Whaleman and Deep Sea Squire: of two harbor cards one is hidden, the other
   discarded or kept; a single one is hidden.
R135 Tentacle Oracle: both markers go back three unless the card shown is Undead or the Emperor;
   with an empty wilderness nothing happens.
R136 Drowned Deserter, Keen Koi and Triple Sword Lizard need a leading marker. The Lizard's choice
   is -1 or -2.
R137 Vegetarian Sharkguard must discard an open hero of another player if there is one.
R138 Double-Shielded Turtle: any faction may be named while the tavern has a card; X cards of it
   and the Emperor go, and red, green or both go back X.
R139 Hopeful Salamander puts a tavern card open into the party without resolving it.
R140 Saltwater Sage must turn up one of the performer's hidden heroes if there is one, then
   performs it.
R141 Miniature Merman takes up to two cards off one pile, wilderness or graveyard, that is not
   empty.
R142 Bludgeoning Blowfish turns up, or looks at, one hidden hero of another player if there is
   one.
R143 Gambling Overseer buries a hidden hero first and hides two hand cards afterwards, each part
   as far as possible.
R144 Goblin Cryptographer: the new party is neither the performer's nor the hero's old one, so
   with two players only the performer's heroes can be moved; it is optional.
R145 Careless Cartographer must exchange one of the performer's hidden heroes for an unseen one of
   another player if both exist.
R146 Underwater Artist: the player picked, who needs a hand card, gives a fitting card of their
   choice openly, or truthfully says there is none.
R147 Heroes that only move markers need no ruling of their own.
"""

RULEBOOK: Final = read_rulebook("R", _TEXT)
CHAPTERS: Final[tuple[Chapter, ...]] = RULEBOOK.chapters
RULINGS: Final[dict[int, str]] = RULEBOOK.rulings
"""Number -> text."""


def rules_page() -> str:
    return rules_in_short(
        "Hidden Leaders as this engine plays it, ruling by ruling; tests and cards cite them.",
        "games/hidden_leaders/text/rulings.py",
        RULEBOOK,
    )
