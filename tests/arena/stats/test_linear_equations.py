"""Linear equations: solutions, and square roots of singular covariance matrices."""

import random

import pytest

from arena.stats.linear_equations import cholesky, solve_linear


def test_the_solution_fulfils_the_equations() -> None:
    rng = random.Random(1)
    rows = [[rng.gauss(0, 1) for _ in range(6)] for _ in range(9)]
    matrix = [[sum(row[a] * row[b] for row in rows) for b in range(6)] for a in range(6)]
    right = [rng.gauss(0, 1) for _ in range(6)]
    found = solve_linear(cholesky(matrix), right)
    for row, value in zip(matrix, right, strict=True):
        assert sum(a * x for a, x in zip(row, found, strict=True)) == pytest.approx(value)


def test_a_singular_covariance_matrix_has_a_square_root() -> None:
    matrix = [[2.0, -2.0, 0.0], [-2.0, 2.0 - 1e-15, 0.0], [0.0, 0.0, 0.0]]
    with pytest.raises((ValueError, ZeroDivisionError)):
        cholesky(matrix)
    root = cholesky(matrix, least=1e-9)
    for a in range(3):
        for b in range(3):
            product = sum(root[a][k] * root[b][k] for k in range(3))
            assert product == pytest.approx(matrix[a][b], abs=1e-9)
