"""Conjugate gradients on a Poisson problem: -u_xx - u_yy = f in the unit square, u = 0 on its border, by five-point differences on
n x n points. The solution is made up, f follows from it: the error must fall with the square of the distance of the points."""

import math
import os

import numpy as np

from maxwell_dg import rtcg

# h^2 times the differences; what lies on the border is 0.
DIFFERENCES = """
const int64 row = i / n, column = i % n;
y[i] = 4 * x[i] - (column > 0 ? x[i - 1] : 0) - (column < n - 1 ? x[i + 1] : 0)
     - (row > 0 ? x[i - n] : 0) - (row < n - 1 ? x[i + n] : 0);
"""
differences = rtcg.ElementwiseKernel("const float64* x, int64 n, float64* y", DIFFERENCES, name="differences")
# x += a p, r -= a q in one kernel, and p = r + b p in another.
follow = rtcg.ElementwiseKernel("float64 a, const float64* p, const float64* q, float64* x, float64* r",
                                "x[i] += a * p[i]; r[i] -= a * q[i];", name="follow")
turn = rtcg.ElementwiseKernel("float64 b, const float64* r, float64* p", "p[i] = r[i] + b * p[i];", name="turn")


def solve(right_side: rtcg.Array, n: int) -> tuple[rtcg.Array, int]:
    """The solution to a residual of 1e-10 of the right side's norm, and how many iterations it took."""
    x, q = (right_side.context.zeros(right_side.shape) for _ in range(2))
    r, p = right_side.copy(), right_side.copy()
    squared = first = rtcg.dot(r, r).item()
    count = 0
    while squared > 1e-20 * first:
        differences(p, n, q)
        follow(squared / rtcg.dot(p, q).item(), p, q, x, r)
        before, squared = squared, rtcg.dot(r, r).item()
        turn(squared / before, r, p)
        count += 1
    return x, count


def error_with(context: rtcg.Context, n: int) -> float:
    """The largest error at a point."""
    h = 1 / (n + 1)
    x, y = np.meshgrid(h * np.arange(1, n + 1), h * np.arange(1, n + 1))
    exact = x * (1 - x) * np.exp(x) * np.sin(np.pi * y)
    right_side = h**2 * (x * (3 + x) + np.pi**2 * x * (1 - x)) * np.exp(x) * np.sin(np.pi * y)
    u, count = solve(rtcg.to_device(context, right_side.ravel()), n)
    error: float = abs(u.numpy() - exact.ravel()).max()
    print(f"{n:3} x {n} points: {count} iterations, largest error {error:.2e}")
    return error


context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
order = math.log2(error_with(context, 31) / error_with(context, 63))
print(f"order {order:.3f}")
assert abs(order - 2) < 0.05
