"""What a seat knows, and worlds that agree with it."""
