"""Positions: written down, read, completed, simplified."""
