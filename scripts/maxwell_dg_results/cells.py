"""Where in a tetrahedron a point is: straight ones by their vertices, curved ones by Newton's method.

A cell is the image of the reference tetrahedron under a polynomial, whose values at the points of the lattice are the
cell's positions. Everything is done in the barycentric coordinates of the straight tetrahedron with the same vertices, in
which the map of a cell is near to the identity, however small or flat it is. Between the control points of its Bernstein
polynomials the whole cell lies, so that their box tells which cells a point may be in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from . import lagrange

if TYPE_CHECKING:
    from .kinds import Array

INSIDE = -1e-6  # a barycentric coordinate above this is inside: positions may be in single precision
_NUMBERS = 100_000  # of nodal values that are looked at together: few, so that they stay in a cache
_STEPS = 40  # at most; from a guess that is near there are three or four
_NEAR = 1e-9  # a step below this is the last one: the error is its square


def _to_control_points(order: int) -> Array:
    """[point, point]: control points of Bernstein polynomials from values on the lattice, both in its order."""
    index = lagrange.lattice(order, 4)
    several = [math.factorial(order) / math.prod(map(math.factorial, i)) for i in index.tolist()]
    values = np.array(several) * np.prod((index[:, None] / order) ** index[None], axis=2)  # [place, polynomial]
    found: Array = np.linalg.inv(values)
    return found


class Cells:
    """Tetrahedra of an order, by their [cells, points, 3] positions on the lattice."""

    def __init__(self, order: int, positions: Array) -> None:
        self.vertices = positions[:, :4]
        self._inverses = np.linalg.inv(np.swapaxes(self.vertices[:, 1:] - self.vertices[:, :1], 1, 2))
        is_single = (positions.astype(np.float32) == positions).all()
        grain = (4e-7 if is_single else 1e-13) * np.abs(positions).max(initial=0.0)  # to which positions are known
        straight = np.einsum("pv,kvx->kpx", lagrange.lattice(order, 4) / order, self.vertices)
        is_curved = (np.abs(positions - straight) > grain).any(axis=(1, 2))
        self.curved = np.flatnonzero(is_curved)
        self._number = np.where(is_curved, np.cumsum(is_curved) - 1, -1)  # [cells], among the curved ones
        self._order, nodes = _of_least_order(order, positions[is_curved], grain)
        control = _to_control_points(self._order)
        self.control = np.einsum("qp,kpx->kqx", control, nodes)  # [curved cells, points, 3]: their hulls hold the cells
        owner = np.repeat(self.curved, nodes.shape[1])
        self._nodes = self._straight(owner, nodes.reshape(-1, 3)).reshape(*nodes.shape[:2], 4)
        hull = np.einsum("qp,kpx->kqx", control, self._nodes)
        self._low, self._high = hull.min(axis=1, initial=0) + INSIDE, hull.max(axis=1, initial=0) - INSIDE

    @property
    def boxes(self) -> tuple[Array, Array]:
        """[cells, 3] each: the least and the largest coordinates of boxes that hold the cells."""
        low, high = self.vertices.min(axis=1), self.vertices.max(axis=1)
        if len(self.curved):
            low[self.curved], high[self.curved] = self.control.min(axis=1), self.control.max(axis=1)
        return low, high

    def barycentric(self, cell: Array, points: Array) -> Array:
        """[n, 4] of [n, 3] points in a cell each. One of them is negative where the point is outside; then they are not told
        in curved cells."""
        found = self._straight(cell, points)
        if not len(self.curved):
            return found
        number = self._number[cell]
        (curved,) = np.nonzero(number >= 0)
        number, target = number[curved], found[curved]
        found[curved] = -1.0
        may_be = ((target >= self._low[number]) & (target <= self._high[number])).all(axis=1)
        curved, number, target = curved[may_be], number[may_be], target[may_be]
        size = max(1, _NUMBERS // self._nodes.shape[1])
        for begin in range(0, len(curved), size):
            some = slice(begin, begin + size)
            found[curved[some]] = self._in_curved(number[some], target[some])
        return found

    def _straight(self, cell: Array, points: Array) -> Array:
        """[n, 4] in the straight tetrahedra."""
        rest = np.einsum("nij,nj->ni", self._inverses[cell], points - self.vertices[cell, 0])
        return np.concatenate([1 - rest.sum(axis=1, keepdims=True), rest], axis=1)

    def _in_curved(self, number: Array, target: Array) -> Array:
        """[n, 4] in curved cells by their number, of points by their coordinates in the straight ones; -1 where there are
        none. The first guess is that the cell is straight, the second the node that is nearest."""
        found = self._newton(number, target, target)
        (missed,) = np.nonzero(found.min(axis=1) < INSIDE)
        nodes = self._nodes[number[missed]]
        nearest = np.square(nodes - target[missed, None]).sum(axis=2).argmin(axis=1)
        guess = 0.9 * lagrange.lattice(self._order, 4)[nearest] / self._order + 0.1 / 4
        found[missed] = self._newton(number[missed], target[missed], guess)
        return found

    def _newton(self, number: Array, target: Array, guess: Array) -> Array:
        """The same from a first guess, by steps that are halved until they lead nearer."""
        place, found = guess[:, 1:].copy(), np.full(guess.shape, -1.0)
        step, share, error = np.zeros_like(place), np.ones(len(place)), np.full(len(place), np.inf)
        active = np.arange(len(place))
        for _ in range(_STEPS):
            trial = place[active] + share[active, None] * step[active]
            value, slope = self._mapped(number[active], trial)
            rest = target[active, 1:] - value
            size = np.linalg.norm(rest, axis=1)
            is_nearer = size < error[active]
            share[active[~is_nearer]] /= 2
            nearer = active[is_nearer]
            place[nearer], error[nearer], share[nearer] = trial[is_nearer], size[is_nearer], 1.0
            whole = _solved(slope[is_nearer], rest[is_nearer])
            length = np.abs(whole).max(axis=1, initial=0)
            step[nearer] = whole * np.minimum(1, 0.5 / np.maximum(length, 0.5))[:, None]
            last = length < _NEAR
            done = nearer[last]
            found[done, 1:] = place[done] + whole[last]
            found[done, 0] = 1 - found[done, 1:].sum(axis=1)
            goes_on = np.isfinite(step[active]).all(axis=1) & (share[active] > 1e-3)
            goes_on &= (place[active].min(axis=1) > -1) & (place[active].sum(axis=1) < 2)
            goes_on[np.flatnonzero(is_nearer)[last]] = False
            active = active[goes_on]
            if not len(active):
                break
        return found

    def _mapped(self, number: Array, place: Array) -> tuple[Array, Array]:
        """The map of curved cells at a place each, [n, 3], and its [n, 3, 3] derivatives, by place first."""
        barycentric = np.concatenate([1 - place.sum(axis=1, keepdims=True), place], axis=1)
        values, slopes = lagrange.basis_and_slopes(self._order, barycentric)
        weights = np.concatenate([values[:, None], slopes[:, 1:] - slopes[:, :1]], axis=1)  # [n, 4, points]
        mapped = weights @ self._nodes[number][:, :, 1:]
        return mapped[:, 0], mapped[:, 1:]


def _of_least_order(order: int, positions: Array, grain: float) -> tuple[int, Array]:
    """The same cells by polynomials of the least order that gives them to within `grain`, with positions on its lattice."""
    places = lagrange.lattice(order, 4) / order
    for lower in range(1, order):
        nodes = np.einsum("qp,kpx->kqx", lagrange.basis(order, lagrange.lattice(lower, 4) / lower), positions)
        back = np.einsum("pq,kqx->kpx", lagrange.basis(lower, places), nodes)
        if (np.abs(back - positions) <= grain).all():
            return lower, nodes
    return order, positions


def _solved(slope: Array, rest: Array) -> Array:
    """[n, 3] x of x slope = rest; inf or nan where there is none."""
    a, b, c = slope[:, 0], slope[:, 1], slope[:, 2]
    across = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = np.einsum("nij,nj->ni", across, rest) / np.einsum("ni,ni->n", a, across[:, 0])[:, None]
    return found
