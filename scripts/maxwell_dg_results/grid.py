"""Fields on Lagrange cells of order N: what they are at any point, on a plane, and on the boundary.

The polynomial of each cell is evaluated itself; nothing is replaced by flat pieces. Cells may be curved: where in a cell a
point is follows from the polynomials of its positions.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import lagrange, vtk_grids
from .cells import INSIDE, Cells
from .errors import ResultsError
from .labels import units_of

if TYPE_CHECKING:
    from .kinds import Array, PathLike

_AXES = {"x": 0, "y": 1, "z": 2}
PAIRS = 400_000  # of a point and a cell, that are looked at together
_NUMBERS = 4_000_000  # nodal values that are gathered together


class Arrays(collections.abc.Mapping[str, Any]):
    """Named arrays, each made when first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], Array]], file: PathLike, what: str) -> None:
        self._makers, self._file, self._what = makers, file, what
        self._made: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            if name not in self._makers:
                raise ResultsError(f"{self._file}: has no {self._what} '{name}', only {', '.join(self._makers) or 'none'}")
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


@dataclasses.dataclass(frozen=True)
class Plane:
    """A raster of [height, width] points: origin + u across + v up, with u and v at the middles of equal pixels."""

    origin: np.ndarray  # [3]
    across: np.ndarray  # [3], of length 1
    up: np.ndarray  # [3], of length 1, at a right angle
    extent: tuple[float, ...]  # u from, u to, v from, v to: as matplotlib's imshow takes it, with origin="lower"
    shape: tuple[int, int]  # height, width
    names: tuple[str, str] = ("", "")  # of the axes across and up

    @property
    def pixel(self) -> tuple[float, float]:
        """Width and height of a pixel."""
        u0, u1, v0, v1 = self.extent
        return (u1 - u0) / self.shape[1], (v1 - v0) / self.shape[0]

    def points(self, row: Any, column: Any) -> Array:
        """[n, 3]: the middles of pixels."""
        (du, dv), (u0, _, v0, _) = self.pixel, self.extent
        u, v = u0 + (np.asarray(column) + 0.5) * du, v0 + (np.asarray(row) + 0.5) * dv
        return self.origin + u[..., None] * self.across + v[..., None] * self.up


def expanded(counts: Array) -> tuple[Array, Array]:
    """For [n] counts: which of the n each of sum(counts) items belongs to, and its number therein."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def chunks(counts: Array, limit: int) -> Iterator[slice]:
    """Slices of `counts` whose sums stay below a limit, or that are a single one."""
    ends, begin = np.cumsum(counts), 0
    while begin < len(counts):
        so_far = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, so_far + limit, side="right")))
        yield slice(begin, end)
        begin = end


def _chosen(arrays: Arrays, name: str, chosen: Array) -> Array:
    """One of the arrays, of some cells."""
    return arrays[name][chosen]


class Grid:
    """Cells of one kind and order. `positions` is [cells, points, 3], in metres (or without unit, as the config has it);
    `fields[name]` is [cells, points] or [cells, points, components]; `cells[name]` is [cells]. `units` are "si" or
    "normalized"; left out: as the run says that wrote the file."""

    def __init__(self, order: int, positions: Array, fields: Mapping[str, Callable[[], Array]],
                 cells: Mapping[str, Callable[[], Array]], file: PathLike = "", units: str | None = None) -> None:
        self.order, self.positions, self.file = order, positions, file
        self._units = units
        self.fields, self.cells = Arrays(fields, file, "field"), Arrays(cells, file, "cell data")
        self.vertex_count = 3 if len(lagrange.lattice(order, 3)) == positions.shape[1] else 4
        self._bins: tuple[Array, Array, Array, Array, Array] | None = None

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def units(self) -> str:
        """"si" or "normalized"."""
        return self._units or units_of(pathlib.Path(self.file).parent)

    def unit(self, unit: str) -> str:
        """" (m)" beside a number of this grid, nothing where it has no units."""
        return f" ({unit})" if self.units == "si" and unit else ""

    @property
    def vertices(self) -> Array:
        """[cells, 3 or 4, 3]."""
        return self.positions[:, : self.vertex_count]

    @property
    def bounds(self) -> Array:
        """[2, 3]: the smallest and the largest coordinates."""
        points = self.positions.reshape(-1, 3)
        return np.array([points.min(axis=0), points.max(axis=0)])

    def select(self, chosen: Array) -> Grid:
        """The cells where [cells] `chosen` is true, as a grid of their own: grid.select(grid.cells["region"] == 1)."""

        def of(arrays: Arrays) -> dict[str, Callable[[], Array]]:
            return {name: functools.partial(_chosen, arrays, name, chosen) for name in arrays}

        return Grid(self.order, self.positions[chosen], of(self.fields), of(self.cells), self.file,
                    self._units)

    def values(self, name: str) -> Array:
        """[cells, points] of a field's component such as "E_x", of the magnitude "|E|" of a vector, or of a scalar; or
        [cells, points, components] of a field itself. A phasor's magnitude "|E|" is taken from E_re and E_im."""
        if name in self.fields:
            return self.fields[name]
        if name[:1] == name[-1:] == "|":
            parts = [p for p in (name[1:-1], name[1:-1] + "_re", name[1:-1] + "_im") if p in self.fields]
            if parts:
                squares = [np.square(self.fields[p]).reshape(*self.positions.shape[:2], -1).sum(axis=2) for p in parts]
                return np.sqrt(sum(squares))
        vector, _, axis = name.rpartition("_")
        if vector in self.fields and axis in _AXES:
            return self.fields[vector][..., _AXES[axis]]
        return self.fields[name]  # says what there is

    def at(self, points: Any, name: str) -> Array:
        """[n] or [n, components] of a field (as `values` takes it) at [n, 3] points of a grid of tetrahedra; nan outside
        of the mesh. On a face between two cells the value of one of them."""
        cell, barycentric = self.locate(points)
        return self.evaluate(cell, barycentric, name)

    def evaluate(self, cell: Array, barycentric: Array, name: str) -> Array:
        """The same for points by their cell, [n], -1 where there is none, and [n, vertices] barycentric coordinates."""
        nodal = self.values(name)
        result = np.full((len(cell), *nodal.shape[2:]), np.nan)
        (inside,) = np.nonzero(np.asarray(cell) >= 0)
        size = max(1, _NUMBERS // int(np.prod(nodal.shape[1:])))
        for begin in range(0, len(inside), size):
            some = inside[begin : begin + size]
            weights = lagrange.basis(self.order, barycentric[some])
            result[some] = np.einsum("np,np...->n...", weights, nodal[cell[some]])
        return result

    def locate(self, points: Any) -> tuple[Array, Array]:
        """Of [n, 3] points the cell, [n], -1 outside of the mesh, and the barycentric coordinates in it, [n, 4]."""
        self._require(4, "points are looked for")
        points = np.atleast_2d(np.asarray(points, dtype=float))
        low, size, resolution, first, members = self._binned()
        place = np.floor((points - low) / size).astype(int)
        in_box = ((place >= -1) & (place <= resolution)).all(axis=1)
        place = np.clip(place, 0, resolution - 1)
        bin_of = np.ravel_multi_index(place.T, resolution)
        counts = np.where(in_box, first[bin_of + 1] - first[bin_of], 0)
        cell, barycentric = np.full(len(points), -1), np.zeros((len(points), 4))
        best = np.full(len(points), INSIDE)
        for chunk in chunks(counts, PAIRS):
            owner, number = expanded(counts[chunk])
            owner = owner + chunk.start
            candidates = members[first[bin_of[owner]] + number]
            found = self._cells.barycentric(candidates, points[owner])
            inside = found.min(axis=1)
            order = np.lexsort((inside, owner))  # the last of each point is the best
            (is_last,) = np.nonzero(np.diff(owner[order], append=-1))
            chosen = order[is_last]
            chosen = chosen[inside[chosen] >= best[owner[chosen]]]
            cell[owner[chosen]], barycentric[owner[chosen]] = candidates[chosen], found[chosen]
        return cell, barycentric

    def plane(self, normal: str = "z", at: float | None = None, pixels: int = 700,
              extent: Sequence[float] | None = None) -> Plane:
        """The plane across axis `normal` at the coordinate `at` (the middle of the grid where left out), of so many
        pixels along its longer side. `extent`: u from, u to, v from, v to; the whole grid where left out. Of "x" the axes
        across and up are y, z; of "y" z, x; of "z" x, y."""
        if normal not in _AXES:
            raise ResultsError(f"a plane's normal is x, y or z, not '{normal}'")
        n = _AXES[normal]
        u, v = (n + 1) % 3, (n + 2) % 3
        low, high = self.bounds
        if extent is None:
            extent = (low[u], high[u], low[v], high[v])
        origin = np.zeros(3)
        origin[n] = (low[n] + high[n]) / 2 if at is None else at
        width, height = extent[1] - extent[0], extent[3] - extent[2]
        pixel = max(width, height) / pixels
        shape = (max(1, round(height / pixel)), max(1, round(width / pixel)))
        axes = np.eye(3)
        return Plane(origin, axes[u], axes[v], tuple(map(float, extent)), shape, ("xyz"[u], "xyz"[v]))

    def on_plane(self, plane: Plane, name: str) -> Array:
        """[height, width] or [height, width, components] of a field on a plane; nan outside of the mesh."""
        cell, barycentric = self.locate_on(plane)
        values = self.evaluate(cell.ravel(), barycentric.reshape(-1, 4), name)
        return values.reshape(*plane.shape, *values.shape[1:])

    def locate_on(self, plane: Plane) -> tuple[Array, Array]:
        """`locate` for all points of a plane: [height, width] and [height, width, 4]. Goes through the cells that the
        plane cuts and the pixels that each may cover, so that small and large cells cost no more than they show."""
        self._require(4, "a plane is cut out")
        normal = np.cross(plane.across, plane.up)
        corners, hulls = self.vertices - plane.origin, self._cells.control - plane.origin
        distance, curved = corners @ normal, self._cells.curved
        least, most = distance.min(axis=1), distance.max(axis=1)
        least[curved], most[curved] = (hulls @ normal).min(axis=1, initial=np.inf), (hulls @ normal).max(axis=1, initial=-np.inf)
        scale = np.abs(corners).max() * 1e-7
        is_cut = (least <= scale) & (most >= -scale)
        (cut,) = np.nonzero(is_cut)
        start, end = self._cut_of(plane, corners[cut], distance[cut])
        if is_cut[curved].any():
            number = np.searchsorted(cut, curved[is_cut[curved]])
            across = hulls[is_cut[curved]] @ np.stack([plane.across, plane.up], axis=1)
            start[number], end[number] = across.min(axis=1), across.max(axis=1)
        low, high = self._pixels_of(plane, start, end)
        size = np.maximum(high - low, 0)
        counts = size[:, 0] * size[:, 1]
        cell, barycentric = np.full(plane.shape, -1), np.zeros((*plane.shape, 4))
        for chunk in chunks(counts, PAIRS):
            owner, number = expanded(counts[chunk])
            owner = owner + chunk.start
            column = low[owner, 0] + number % size[owner, 0]
            row = low[owner, 1] + number // size[owner, 0]
            found = self._cells.barycentric(cut[owner], plane.points(row, column))
            inside = found.min(axis=1) >= INSIDE
            row, column = row[inside], column[inside]
            cell[row, column], barycentric[row, column] = cut[owner[inside]], found[inside]
        return cell, barycentric

    def boundary(self) -> Grid:
        """Of a grid of tetrahedra: its outer faces, holes included, as a grid of triangles, whose corners turn
        counter-clockwise seen from outside. It has the fields' values on them, and the cell data of their cells."""
        self._require(4, "a boundary is looked for")
        corners = self.vertices.reshape(-1, 3)
        grain = np.ptp(corners, axis=0).max() * 1e-6
        _, vertex = np.unique(np.round(corners / grain).astype(np.int64), axis=0, return_inverse=True)
        vertex = vertex.reshape(-1, 4)
        faces = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])  # of right-handed cells
        sides = np.sort(vertex[:, faces], axis=2).reshape(-1, 3)
        _, first, times = np.unique(sides, axis=0, return_index=True, return_counts=True)
        cell, face = np.divmod(np.sort(first[times == 1]), 4)
        node = np.array([self._nodes_of(face) for face in faces])[face]  # [faces, points]

        def on_faces(name: str) -> Callable[[], Array]:
            return lambda: self.fields[name][cell[:, None], node]

        return Grid(self.order, self.positions[cell[:, None], node], {name: on_faces(name) for name in self.fields},
                    {name: functools.partial(_chosen, self.cells, name, cell) for name in self.cells}, self.file,
                    self._units)

    def to_pyvista(self) -> Any:
        """It as a mesh of PyVista, of Lagrange cells of its order: `vtk_grids.grid_of`."""
        return vtk_grids.grid_of(self)

    def _nodes_of(self, face: Any) -> list[int]:
        """The points of a tetrahedron that are those of a face with these three vertices, in a triangle's order."""
        number = {tuple(index): i for i, index in enumerate(lagrange.lattice(self.order, 4).tolist())}
        triangle = lagrange.lattice(self.order, 3)
        index = np.zeros((len(triangle), 4), dtype=int)
        index[:, face] = triangle
        return [number[tuple(i)] for i in index.tolist()]

    def _require(self, vertices: int, what: str) -> None:
        if self.vertex_count == vertices:
            return
        kinds = {3: "triangles, as surface_fields are", 4: "tetrahedra, as fields are"}
        raise ResultsError(f"{self.file}: {what} in a grid of {kinds[vertices]}; this one has {kinds[self.vertex_count]}")

    @functools.cached_property
    def _cells(self) -> Cells:
        return Cells(self.order, self.positions)

    def _binned(self) -> tuple[Array, Array, Array, Array, Array]:
        """The boxes around cells, sorted into bins: their lower end, size and number along each axis, and the cells of
        bin b as members[first[b] : first[b + 1]]."""
        if self._bins is None:
            least, most = self._cells.boxes
            low, high = least.min(axis=0), most.max(axis=0)
            length = np.maximum(high - low, 1e-9 * (high - low).max())
            typical = (np.prod(length) / max(1, len(self))) ** (1 / 3)
            resolution = np.clip(length / typical, 1, 100).astype(int)
            size = length / resolution
            begin = np.clip(((least - low) / size - 1e-6).astype(int), 0, resolution - 1)
            end = np.clip(((most - low) / size + 1e-6).astype(int), 0, resolution - 1) + 1
            counts = (end - begin).prod(axis=1)
            owner, number = expanded(counts)
            shape = (end - begin)[owner]
            place = np.stack([number // (shape[:, 1] * shape[:, 2]), number // shape[:, 2] % shape[:, 1],
                              number % shape[:, 2]])
            bins = np.ravel_multi_index(place + begin[owner].T, resolution)
            first = np.concatenate([[0], np.cumsum(np.bincount(bins, minlength=int(resolution.prod())))])
            self._bins = low, size, resolution, first, owner[np.argsort(bins, kind="stable")]
        return self._bins

    @staticmethod
    def _cut_of(plane: Plane, corners: Array, distance: Array) -> tuple[Array, Array]:
        """[n, 2] each: the least and the largest u and v of the cut through each straight cell."""
        a, b = np.triu_indices(4, 1)
        across = np.stack([corners @ plane.across, corners @ plane.up], axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = distance[:, a] / (distance[:, a] - distance[:, b])
            ends = across[:, a] + t[..., None] * (across[:, b] - across[:, a])
        is_cut = (t >= -1e-6) & (t <= 1 + 1e-6)
        least = np.where(is_cut[..., None], ends, np.inf).min(axis=1)
        most = np.where(is_cut[..., None], ends, -np.inf).max(axis=1)
        nothing = ~is_cut.any(axis=1)  # it touches by a corner that rounding has moved away
        least[nothing], most[nothing] = across[nothing].min(axis=1), across[nothing].max(axis=1)
        return least, most

    @staticmethod
    def _pixels_of(plane: Plane, least: Array, most: Array) -> tuple[Array, Array]:
        """[n, 2] first and beyond-last column and row that lie between these u and v."""
        start, pixel = np.array(plane.extent)[[0, 2]], np.array(plane.pixel)
        limit = np.array([plane.shape[1], plane.shape[0]])
        low = np.clip(np.floor((least - start) / pixel - 0.5), 0, limit).astype(int)
        high = np.clip(np.ceil((most - start) / pixel + 0.5), 0, limit).astype(int)
        return low, high
