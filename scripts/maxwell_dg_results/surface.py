"""What one sees of a surface of triangles from a direction: which triangle each pixel shows and where in it, by NumPy.

The view is parallel: sizes in a picture are sizes in space, and barycentric coordinates on the screen are those on the
triangle. So a field of order N is evaluated itself at each pixel.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .grid import PAIRS, chunks, expanded

if TYPE_CHECKING:
    from .kinds import Array

_CREASE = np.cos(np.radians(35))  # normals that differ by more are an edge of the body, by less a curved surface
_LIGHT = np.array([-0.35, 0.55, 0.75])  # where it comes from: across, up, towards the eye


@dataclasses.dataclass(frozen=True)
class View:
    """From where one looks: azimuth from +x towards +y and elevation from the xy plane, in degrees; or, given by hand, the
    unit vectors across the picture, up in it, and towards the eye."""

    across: np.ndarray
    up: np.ndarray
    towards: np.ndarray

    @staticmethod
    def of(azimuth: float, elevation: float) -> View:
        a, e = np.radians(azimuth), np.radians(elevation)
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        across = np.array([-np.sin(a), np.cos(a), 0.0])
        return View(across, np.cross(towards, across), towards)

    def screen(self, points: Array) -> Array:
        """[..., 3]: across, up, towards the eye."""
        return points @ np.stack([self.across, self.up, self.towards], axis=1)


def visible(corners: Array, extent: Sequence[float], shape: tuple[int, int]) -> tuple[Array, Array]:
    """For [n, 3 corners, 3] triangles on the screen: the [height, width] triangle in front, -1 where there is none, and
    [height, width, 3] barycentric coordinates. `extent` and `shape` are as in Plane."""
    height, width = shape
    start = np.array([extent[0], extent[2]])
    pixel = np.array([(extent[1] - extent[0]) / width, (extent[3] - extent[2]) / height])
    flat = (corners[..., :2] - start) / pixel - 0.5  # in pixels, whole numbers at their middles
    low = np.clip(np.ceil(flat.min(axis=1)), 0, [width, height]).astype(int)
    high = np.clip(np.floor(flat.max(axis=1)) + 1, 0, [width, height]).astype(int)
    size = np.maximum(high - low, 0)
    edges = flat[:, 1:] - flat[:, :1]
    area = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
    counts = np.where(area != 0, size[:, 0] * size[:, 1], 0)  # seen from its edge it shows nothing
    triangle, weights = np.full(shape, -1), np.zeros((*shape, 3))
    nearest = np.full(shape, -np.inf)
    for chunk in chunks(counts, PAIRS):
        owner, number = expanded(counts[chunk])
        owner = owner + chunk.start
        column = low[owner, 0] + number % np.maximum(size[owner, 0], 1)
        row = low[owner, 1] + number // np.maximum(size[owner, 0], 1)
        d = np.stack([column, row], axis=1) - flat[owner, 0]
        second = (d[:, 0] * edges[owner, 1, 1] - d[:, 1] * edges[owner, 1, 0]) / area[owner]
        third = (d[:, 1] * edges[owner, 0, 0] - d[:, 0] * edges[owner, 0, 1]) / area[owner]
        b = np.stack([1 - second - third, second, third], axis=1)
        depth = (b * corners[owner, :, 2]).sum(axis=1)
        (inside,) = np.nonzero((b.min(axis=1) >= -1e-9) & (depth > nearest[row, column]))
        inside = inside[np.argsort(depth[inside], kind="stable")]  # of several in one pixel the nearest is written last
        row, column = row[inside], column[inside]
        triangle[row, column], weights[row, column], nearest[row, column] = owner[inside], b[inside], depth[inside]
    return triangle, weights


def smooth_normals(corners: Array) -> Array:
    """[n, 3 corners, 3] unit normals of triangles, averaged over the neighbours at a corner unless there is an edge."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    unit = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    grain = np.ptp(corners.reshape(-1, 3), axis=0).max() * 1e-6
    _, vertex = np.unique(np.round(corners.reshape(-1, 3) / grain).astype(np.int64), axis=0, return_inverse=True)
    vertex = vertex.ravel()
    order = np.argsort(vertex, kind="stable")
    begin = np.searchsorted(vertex[order], np.arange(vertex.max() + 1))
    counts = np.diff(begin, append=len(vertex))
    owner, number = expanded(counts[vertex])  # each corner meets all corners at its place
    other = order[begin[vertex[owner]] + number] // 3
    alike = np.einsum("ij,ij->i", unit[owner // 3], unit[other]) > _CREASE
    result = np.zeros((len(vertex), 3))
    np.add.at(result, owner[alike], normal[other[alike]])
    result /= np.maximum(np.linalg.norm(result, axis=1, keepdims=True), 1e-300)
    return result.reshape(-1, 3, 3)


def brightness(corners: Array, triangle: Array, weights: Array, view: View) -> Array:
    """[height, width], 0 to 1, of what `visible` found; nan where nothing is. Both sides of a triangle are lit."""
    (row, column) = np.nonzero(triangle >= 0)
    chosen = triangle[row, column]
    normals = np.einsum("nc,ncx->nx", weights[row, column], smooth_normals(corners)[chosen])
    normals = view.screen(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300))
    normals *= np.where(normals[:, 2:] < 0, -1, 1)
    light = _LIGHT / np.linalg.norm(_LIGHT)
    result = np.full(triangle.shape, np.nan)
    result[row, column] = 0.35 + 0.65 * np.clip(normals @ light, 0, 1)
    return result
