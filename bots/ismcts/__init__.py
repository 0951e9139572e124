"""The bot `ismcts`: information set Monte Carlo tree search."""
