"""The rules chapter by chapter, each test citing the rulings it stands for."""
