"""Exact answers: what every move of a position is worth, and what proves it.

It knows the games only by their contract.
"""
