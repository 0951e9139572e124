"""How many ways games can go on from given positions, counted once and compared for ever."""
