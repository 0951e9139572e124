"""What every hero does, one file per faction."""
