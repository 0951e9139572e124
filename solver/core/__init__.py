"""The question, the node budget, and exact fractions."""
