"""Positions: reading, writing, completing and simplifying them."""
