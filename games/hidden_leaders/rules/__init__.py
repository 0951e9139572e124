"""The rules: cards, their compiled form, and the state they change."""
