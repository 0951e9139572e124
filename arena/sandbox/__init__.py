"""Untrusted bots: processes of their own, and the walls around them."""
