"""Proofs as files: their format, who writes them, who checks them."""
