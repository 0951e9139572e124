"""Trains the models of `champion`: games between bots, samples of them, weights that fit them."""
