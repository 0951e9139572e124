"""Processes for bots, and the sandbox that confines untrusted ones."""
