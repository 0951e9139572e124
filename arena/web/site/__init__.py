"""The static site (`make site`): docs, cards, puzzles and play, all in the visitor's browser."""
