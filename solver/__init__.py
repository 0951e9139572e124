"""Exact answers: what every move of a position is worth, and what proves it.

Searches, certificates and questions know the games only by their contract. What makes puzzles and
cases to be compared has to know what is interesting, and so knows Hidden Leaders.
"""
