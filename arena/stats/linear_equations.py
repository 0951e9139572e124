"""Linear equations with a positive definite matrix, for leagues of up to some hundred bots."""

from math import inf, sqrt

Vector = list[float]
Matrix = list[list[float]]


def cholesky(matrix: Matrix, least: float = -inf) -> Matrix:
    """The Cholesky factor of a positive definite matrix, of which only the lower half is read.

    Variances up to `least` count as none, so that a covariance matrix may be singular; but then
    `solve_linear` cannot use the factor.
    """
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(
                a * b for a, b in zip(lower[i][:j], lower[j][:j], strict=True)
            )
            if i == j:
                lower[i][i] = sqrt(rest) if rest > least else 0.0
            elif lower[j][j]:
                lower[i][j] = rest / lower[j][j]
    return lower


def solve_linear(lower: Matrix, right: Vector) -> Vector:
    """Solve the equations of a matrix given by its Cholesky factor."""
    size = len(right)
    half = [0.0] * size
    for i in range(size):
        half[i] = (right[i] - sum(lower[i][k] * half[k] for k in range(i))) / lower[i][i]
    solution = [0.0] * size
    for i in reversed(range(size)):
        rest = half[i] - sum(lower[k][i] * solution[k] for k in range(i + 1, size))
        solution[i] = rest / lower[i][i]
    return solution
