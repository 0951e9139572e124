"""What seats can know, checked against a brute-force account of every history."""
