"""What is asked, what may be spent on it, and exact fractions."""
