"""Searches: alpha-beta, max^n, plans for hidden cards, and sure wins."""
