"""Every ruling of Secrets in a sentence or two; `docs/rules-secrets.md` is generated from this."""

from __future__ import annotations

from typing import Final

from games.forms.rulebook import read_rulebook, rules_in_short

_TEXT: Final = """
# What is in the box
S1 The deck has 29 cards: 3 Double Agents (+2), 4 Politicians (+3), 2 Psychiatrists (-1), 3
   Detectives (-2), 4 Journalists (+3), 6 Scientists (+5), 3 Diplomats (+1) and 4 Assassins (0).
   Beside it lie four Bullets worth 0, -1, -2 and -3.
S2 There is one token more than players. CIA and KGB have two each with 4 or 5 players, three with
   6 or 7 and four with 8; there is one Hippie with an even number of players and two with an odd.

# Setting up
S3 Chance decides who begins unless a tournament does.
S4 Everybody looks at their own token; with 5 players or more also at that of the right neighbour,
   who plays before them; with 7 or 8 the centre token is shown to all as well. From then on nobody
   looks at any token, not even their own, unless a card says so.

# The turn
S5 Cards are turned up until there are two different characters. One copy of the first is kept;
   further copies are surplus.
S6 Surplus copies go under the deck first, then the card that is not offered, which becomes the
   last of all.
S7 If the whole deck holds a single character, one copy must be offered and the others become the
   deck again.
S8 A turn that would begin without a deck ends the game instead, and it is scored.
S9 The card may be offered to anybody but oneself, the UN player included.
S10 The offer comes with one public claim, a character's name or nothing. It may be false, even
   impossible, and has no effect.
S11 The UN player decides before the target, without seeing the card. An interruption cannot be
   refused: the target is not asked, and the active player gets nothing.
S12 A UN player who is the target simply answers, and one who is active cannot interrupt.
S13 Interrupting costs nothing and may be repeated as long as the token is held.
S14 The card is laid face up before the player who takes it, who must do what it says.

# The characters
S15 Psychiatrist: swap the tokens of two players, possibly one's own, but never the centre's.
S16 Double Agent: swap your token with the centre's and look at the new one, not at the old.
S17 Politician: pass the card on into the display of another player and look at that player's
   token.
S18 A player who is passed a Politician does nothing, but keeps the card like any other.
S19 Journalist: show your token to everybody else without looking at it.
S20 Diplomat: the centre token is shown to all; then it is swapped, unseen by the others, with that
   of the left or the right neighbour. Nobody looks at the token that comes to the centre.
S21 Detective: look at any one token: another player's, the centre's or your own.
S22 Scientist: if another one lies face up there already, all characters of the display are turned
   face down, the new one too. Those already face down do not count, so a third is a first again.
S23 Assassin: look at the top Bullet and give it to any player, possibly yourself, who must not
   look.
S24 There are as many Bullets as Assassins, so they never run out.
S25 A Bullet counts as a card for the UN token and the end. It is no character: it makes no pair,
   the Scientist leaves it alone, and face down it keeps its value.
S26 Knowledge follows the token: a player who knows a token and sees it move knows it in its new
   place.

# The end of a turn
S27 First pairs are turned down, then the UN token moves, then the end is checked, then the next
   player's turn begins.
S28 Two face-up cards of one character in any display are turned face down and count 0. Cards
   already down are not compared: a third copy stays up until a fourth comes.
S29 Pairs are turned down after the effect, which the second copy has like the first.
S30 The player who alone has the fewest cards holds the UN token; if several have the fewest, it
   lies in the centre.
S31 With 4 to 6 players the game ends with the turn in which some display reaches 5 cards, with 7
   or 8 players 4 cards, whatever the card and whose turn it is.

# Scoring
S32 A score is the sum of the face-up characters and of all Bullets in the display.
S33 The token in front of a player at the end counts; the one in the centre belongs to nobody.
S34 A Hippie who alone has the lowest score wins alone. If anybody shares it, no Hippie wins.
S35 Otherwise the team with more points in total wins, with all its members. Hippies lose.
S36 If the teams are tied, everybody loses.
S37 Every team has a player, since it has two tokens or more and only one lies in the centre.

# Knowing
S38 A world sampled for a player agrees with everything that player has perceived; nobody forgets.
S39 After a Diplomat the others have two cases: the token just shown lies with the left or with
   the right neighbour, and that neighbour's token in the centre.
S40 A player may not know their own side, and plays on all the same.
"""

_KNOWING: Final = """
# Who learns what
Q1 Tokens dealt: nobody learns anything.
Q2 Looks at the start: everybody learns their own token, with 5 players or more the right
   neighbour's, and with 7 or 8 the centre's.
Q3 Cards turned up: all see them, and know the surplus copies under the deck.
Q4 The card chosen: known to the active player; to the others it is one of two.
Q5 The card put back: known to the active player, and to all once the offered one lies open.
Q6 The card taken: known to all.
Q7 Psychiatrist: all see which two tokens are swapped, nobody learns their sides.
Q8 Double Agent: all see the swap; the taker learns the new token.
Q9 Politician: all see whose token is looked at; the giver learns it.
Q10 Journalist: all but the owner learn the token.
Q11 Diplomat, first part: all learn the centre token.
Q12 Diplomat, second part: the Diplomat alone knows which neighbour it was.
Q13 Detective: all see which token is looked at; the looker learns it.
Q14 Bullet: the giver knows its value; all see who gets it, and know which values are left.
Q15 The deck: cards never turned up come in random order, cards put back in theirs.
Q16 The end: everything is shown.
"""

RULES: Final = read_rulebook("S", _TEXT)
KNOWING: Final = read_rulebook("Q", _KNOWING)

BY_CHARACTER: Final = ((16,), (17, 18), (15,), (21,), (19,), (22,), (20,), (23, 25))
"""The rulings on each character."""


def rules_page() -> str:
    return rules_in_short(
        "Secrets as this engine plays it, ruling by ruling; tests cite them.",
        "games/secrets/rulings.py",
        RULES,
        KNOWING,
    )
