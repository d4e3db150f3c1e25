"""Lagrange cells of order N as VTK numbers their points: triangles and tetrahedra with equispaced points.

A point of a cell is told by its barycentric coordinates l (3 in a triangle, 4 in a tetrahedron; their sum is 1). The
point with integer coordinates i (sum N) lies at l = i / N, and its Lagrange polynomial is a product of Silvester's
polynomials, prod_v R(i_v, l_v) with R(n, l) = prod_{m < n} (N l - m) / (m + 1): 1 there, 0 at all other points.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from .kinds import Array


def _corner(size: int, vertex: int, order: int) -> list[int]:
    index = [0] * size
    index[vertex] = order
    return index


def _edge(size: int, a: int, b: int, order: int) -> Iterator[list[int]]:
    """From vertex a to vertex b, without its ends."""
    for i in range(1, order):
        index = [0] * size
        index[a], index[b] = order - i, i
        yield index


def _triangle(order: int) -> list[list[int]]:
    """Corners, edges, and the smaller triangle within them, and so on."""
    if order == 0:
        return [[0, 0, 0]]
    points = [_corner(3, vertex, order) for vertex in range(3)]
    for a, b in ((0, 1), (1, 2), (2, 0)):
        points += _edge(3, a, b, order)
    if order > 2:
        points += [[i + 1 for i in index] for index in _triangle(order - 3)]
    return points


def _tetrahedron(order: int) -> list[list[int]]:
    """Corners, edges, the inside of faces, and the smaller tetrahedron within them, and so on."""
    if order == 0:
        return [[0, 0, 0, 0]]
    points = [_corner(4, vertex, order) for vertex in range(4)]
    for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
        points += _edge(4, a, b, order)
    if order > 2:
        for face in ((0, 1, 3), (2, 3, 1), (0, 3, 2), (0, 2, 1)):
            for inner in _triangle(order - 3):
                index = [0] * 4
                for vertex, i in zip(face, inner):
                    index[vertex] = i + 1
                points.append(index)
    if order > 3:
        points += [[i + 1 for i in index] for index in _tetrahedron(order - 4)]
    return points


@functools.lru_cache(maxsize=None)
def lattice(order: int, vertices: int) -> Array:
    """[points, vertices]: integer barycentric coordinates, in VTK's order, of a cell with 3 or 4 vertices."""
    return np.array(_triangle(order) if vertices == 3 else _tetrahedron(order))


def order_of(points: int, vertices: int) -> int | None:
    """The order of a cell with so many points; None where there is none."""
    order = 1
    while len(lattice(order, vertices)) < points:
        order += 1
    return order if len(lattice(order, vertices)) == points else None


def basis(order: int, barycentric: ArrayLike) -> Array:
    """[n, points]: the Lagrange polynomials of a cell at n places, given by [n, vertices] barycentric coordinates."""
    barycentric = np.asarray(barycentric)
    n, vertices = barycentric.shape
    R = np.ones((order + 1, n, vertices))
    for m in range(order):
        R[m + 1] = R[m] * (order * barycentric - m) / (m + 1)
    index = lattice(order, vertices)
    values = R[index[:, 0], :, 0]
    for v in range(1, vertices):
        values = values * R[index[:, v], :, v]
    return values.T


def basis_and_slopes(order: int, barycentric: ArrayLike) -> tuple[Array, Array]:
    """`basis`, and [n, vertices, points] its derivatives by each barycentric coordinate, as if they were independent."""
    barycentric = np.asarray(barycentric)
    n, vertices = barycentric.shape
    R, slope = np.ones((vertices, order + 1, n)), np.zeros((vertices, order + 1, n))
    for m in range(order):
        factor = (order * barycentric.T - m) / (m + 1)
        R[:, m + 1] = R[:, m] * factor
        slope[:, m + 1] = slope[:, m] * factor + R[:, m] * (order / (m + 1))
    index = lattice(order, vertices)
    factors = [R[v, index[:, v]] for v in range(vertices)]  # [points, n] each
    values = factors[0]
    for factor in factors[1:]:
        values = values * factor
    slopes = np.empty((n, vertices, len(index)))
    for v in range(vertices):
        product = slope[v, index[:, v]]
        for other in range(vertices):
            if other != v:
                product *= factors[other]
        slopes[:, v] = product.T
    return values.T, slopes
