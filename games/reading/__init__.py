"""Reads what people type: positions field by field, and the move or card that words mean."""
