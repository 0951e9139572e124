"""The bot `champion`: a tree search that asks a learned model who will win."""
