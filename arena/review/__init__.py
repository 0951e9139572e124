"""Reviews of saved games: what every decision gave away, and which one lost the game."""
