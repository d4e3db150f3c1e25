"""Meshes in memory: from arrays, from meshio, from a model of Gmsh that is open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .errors import MeshError

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
_VTK_QUADRATIC = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]  # between which corners the nodes 4 ... 9 are


class MeshData:
    """A mesh of tetrahedra in memory, which stands for the key `mesh` of a Simulation. Coordinates are in metres, or in the
    unit of a normalized config.

    vertices: [vertex, 3]. cells: [cell, 4] numbers of vertices, turned either way.
    regions: {name: cells of it}, by numbers or as a mask over all cells; without it all are of the region "interior".
    surfaces: {name: [face, 3] numbers of vertices}, on the outside of the mesh or between cells.
    nodes: [cell, node, 3] of cells of a higher order, for curved ones, with the nodes in the order that docs/mesh_format.md has
    for `curved_nodes`; the corners among them are the vertices.

    Throws MeshError for what is wrong with it: a number that is not there, cells without volume, two cells that overlap, and so
    on. The simulation has the cells in an order of its own.
    """

    def __init__(self, vertices: ArrayLike, cells: ArrayLike, *, regions: Mapping[str, ArrayLike] | None = None,
                 surfaces: Mapping[str, ArrayLike] | None = None, nodes: ArrayLike | None = None) -> None:
        corners = integers(cells, "cells", 4)
        region = np.full(len(corners), -1 if regions else 0, np.int32)
        for number, (name, chosen) in enumerate((regions or {}).items()):
            cells_of = chosen_cells(name, chosen, len(corners))
            if (region[cells_of] >= 0).any():
                raise MeshError(f"the mesh in memory: region '{name}' has cells of another one; give each cell to one region")
            region[cells_of] = number
        faces = [integers(of_name, f"surface '{name}'", 3) for name, of_name in (surfaces or {}).items()]
        of_faces = np.repeat(np.arange(len(faces), dtype=np.int32), [len(face) for face in faces])
        order, of_cells = 1, None
        if nodes is not None:
            of_cells = floats(nodes, "nodes", 3)
            order = _order_of(of_cells)
            of_cells = None if order == 1 else of_cells
        self._mesh = _core.Mesh(floats(vertices, "vertices", 2), corners, region, list(regions or ["interior"]),
                                np.concatenate([*faces, np.zeros((0, 3), np.int32)]), of_faces, list(surfaces or {}),
                                of_cells, order)

    @classmethod
    def from_meshio(cls, mesh: Any) -> MeshData:
        """Of a meshio.Mesh, or anything with its `points`, `cells_dict` and so on: the cells "tetra" or "tetra10", surfaces from
        the cells "triangle" or "triangle6". Names are those of `cell_sets_dict`, or Gmsh's: numbers in the cell data
        "gmsh:physical" with names in `field_data`; numbers without a name become `volume_N` and `surface_N`."""
        blocks = mesh.cells_dict
        kinds = [kind for kind in ("tetra", "tetra10") if len(blocks.get(kind, [])) > 0]
        if not kinds:
            raise MeshError(f"the mesh of meshio has no tetrahedra of order 1 or 2; it has {', '.join(blocks) or 'no cells'}")
        if len(kinds) > 1:
            raise MeshError("the mesh of meshio has tetrahedra of two orders; make all of one")
        triangles = "triangle" if kinds[0] == "tetra" else "triangle6"
        points = floats(mesh.points, "points", 2)
        if points.shape[1] == 2:
            raise MeshError("the mesh of meshio is of two dimensions; three are needed")
        all_nodes = np.asarray(blocks[kinds[0]])
        regions = _names_in(mesh, kinds[0], 3)
        faces = np.asarray(blocks.get(triangles, np.zeros((0, 3))), np.int64)[:, :3]
        surfaces = {name: faces[chosen] for name, chosen in _names_in(mesh, triangles, 2).items()}
        nodes = None if kinds[0] == "tetra" else points[all_nodes][:, _from_vtk()]
        return cls(points, all_nodes[:, :4], regions=regions or None, surfaces=surfaces, nodes=nodes)

    @classmethod
    def from_gmsh(cls, gmsh: Any = None, *, scale: float = 1.0) -> MeshData:
        """Of the model that is current in the module gmsh, once it is meshed in three dimensions, in any order up to 9. Physical
        volumes are regions, physical surfaces are surfaces, and names are theirs; entities in no physical group become
        `volume_TAG` and `surface_TAG`. `scale`: metres per unit of the model."""
        if gmsh is None:
            gmsh = _module_gmsh()
        model = gmsh.model
        tags, coordinates, _ = model.mesh.getNodes()
        place = np.full(int(max(tags, default=0)) + 1, -1, np.int64)
        place[np.asarray(tags, np.int64)] = np.arange(len(tags))
        points = scale * np.asarray(coordinates, float).reshape(-1, 3)
        volumes, surfaces = _of_entities(model, 3), _of_entities(model, 2)
        if not volumes:
            raise MeshError("the model of gmsh has no tetrahedra; call gmsh.model.mesh.generate(3) first")
        orders = {order for blocks in volumes.values() for order, _, _ in blocks}
        if len(orders) > 1:
            raise MeshError("the model of gmsh has tetrahedra of several orders; call gmsh.model.mesh.setOrder first")
        regions: dict[str, Any] = {}
        first = 0
        for name, blocks in volumes.items():
            end = first + sum(len(corners) for _, corners, _ in blocks)
            regions[name] = np.arange(first, end)
            first = end
        cells, nodes = (np.concatenate([place[block[part]] for blocks in volumes.values() for block in blocks]) for part in (1, 2))
        faces = {name: np.concatenate([place[corners] for _, corners, _ in blocks]) for name, blocks in surfaces.items()}
        return cls(points, cells, regions=regions, surfaces=faces, nodes=points[nodes] if orders != {1} else None)

    @classmethod
    def read(cls, file: str | os.PathLike[str], *, scale: float | None = None) -> MeshData:
        """Of a file that the key `mesh.file` takes."""
        keys = {"file": os.fspath(file)} | ({} if scale is None else {"scale": scale})
        document = {"mesh": keys, "time": {"end": 1}, "units": "normalized", "materials": [{"region": "*"}],
                    "boundaries": [{"region": "*", "type": "pec"}]}
        return cls._of(_core.read_mesh(_core.make_config(document, "MeshData.read")))

    @classmethod
    def _of(cls, mesh: _core.Mesh) -> MeshData:
        made = cls.__new__(cls)
        made._mesh = mesh
        return made

    def write(self, file: str | os.PathLike[str]) -> None:
        """As HDF5 (docs/mesh_format.md), which the key `mesh.file` takes."""
        self._mesh.write(os.fspath(file))

    @property
    def regions(self) -> list[str]:
        return list(self._mesh.regions)

    @property
    def surfaces(self) -> list[str]:
        return list(self._mesh.surfaces)

    def __len__(self) -> int:
        """Cells."""
        return len(cast("Integers", self._mesh.cell_region))

    def __repr__(self) -> str:
        curved = self._mesh.curved_cells
        return (f"<MeshData of {len(self)} cells{f', {curved} of them curved' if curved else ''}; regions "
                f"{', '.join(self.regions)}; surfaces {', '.join(self.surfaces) or 'none'}>")


def _module_gmsh() -> Any:
    try:
        import gmsh  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("the module gmsh is not there; pip install 'maxwell_dg[gmsh]'") from error
    except OSError as error:  # of its library, which is loaded by the import
        raise ImportError(f"the module gmsh cannot load its library: {error}; of Debian and Ubuntu it needs libgl1 libglu1-mesa "
                          "libgomp1 libxcursor1 libxft2 libxinerama1") from error
    return gmsh


def mesh_of(value: Any) -> MeshData | None:
    """The mesh in memory that stands for the key `mesh`; None where it is no such thing."""
    if isinstance(value, MeshData):
        return value
    if hasattr(value, "cells_dict") and hasattr(value, "points"):
        return MeshData.from_meshio(value)
    if getattr(value, "__name__", "") == "gmsh" and hasattr(value, "model"):
        return MeshData.from_gmsh(value)
    return None


def floats(values: ArrayLike, name: str, axes: int) -> Floats:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != axes:
        raise MeshError(f"the mesh in memory: {name} have {axes} axes, found the shape {array.shape}")
    return array


def integers(values: ArrayLike, name: str, columns: int) -> Integers:
    array = np.asarray(values)
    if array.size == 0:
        array = np.zeros((0, columns), np.int32)
    if array.dtype.kind not in "iu" or array.ndim != 2 or array.shape[1] != columns:
        raise MeshError(f"the mesh in memory: {name} are numbers of vertices, whole ones, [:, {columns}]; found "
                        f"{array.dtype} of the shape {array.shape}")
    if array.size and (array.min() < 0 or array.max() >= 2**31):
        raise MeshError(f"the mesh in memory: {name} count from 0, and below 2^31")
    return np.ascontiguousarray(array, dtype=np.int32)


def chosen_cells(name: str, chosen: ArrayLike, count: int) -> NDArray[np.int64]:
    """Numbers, of a mask or of numbers."""
    array = np.asarray(chosen)
    if array.dtype == bool:
        if array.shape != (count,):
            raise MeshError(f"the mesh in memory: the mask of region '{name}' has the shape {array.shape}, not ({count},)")
        return np.flatnonzero(array)
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu" or array.ndim != 1 or array.min() < 0 or array.max() >= count:
        raise MeshError(f"the mesh in memory: region '{name}' is a list of cells, 0 to {count - 1}, or a mask over them")
    return array.astype(np.int64)


def node_positions(order: int) -> list[tuple[int, int, int]]:
    """(i, j, k) of each node of a cell, in the order of docs/mesh_format.md: i, which counts from the first to the second
    vertex, runs fastest, then j."""
    return [(i, j, k) for k in range(order + 1) for j in range(order + 1 - k) for i in range(order + 1 - k - j)]


def _order_of(nodes: Floats) -> int:
    for order in range(1, 10):
        if len(node_positions(order)) == nodes.shape[1]:
            return order
    raise MeshError(f"the mesh in memory: no order up to 9 has {nodes.shape[1]} nodes a cell")


def _from_vtk() -> list[int]:
    """[node] its number in VTK's quadratic tetrahedron."""
    corner = {(0, 0, 0): 0, (2, 0, 0): 1, (0, 2, 0): 2, (0, 0, 2): 3}
    at_corner = {vertex: position for position, vertex in corner.items()}
    middle = {
        tuple((x + y) // 2 for x, y in zip(at_corner[a], at_corner[b], strict=True)): 4 + number
        for number, (a, b) in enumerate(_VTK_QUADRATIC)
    }
    return [corner[position] if position in corner else middle[position] for position in node_positions(2)]


def _names_in(mesh: Any, kind: str, dimension: int) -> dict[str, NDArray[np.int64]]:
    """{name: numbers of the cells of this kind}"""
    sets = getattr(mesh, "cell_sets_dict", None) or {}
    named = {name: np.asarray(of_kind[kind], np.int64) for name, of_kind in sets.items()
             if kind in of_kind and not name.startswith("gmsh:")}
    if named:
        return named
    data = getattr(mesh, "cell_data_dict", {}).get("gmsh:physical", {})
    if kind not in data:
        return {}
    numbers = np.asarray(data[kind])
    names = {int(tag): name for name, (tag, of_dimension) in getattr(mesh, "field_data", {}).items()
             if int(of_dimension) == dimension}
    word = "volume" if dimension == 3 else "surface"
    return {names.get(int(tag), f"{word}_{tag}"): np.flatnonzero(numbers == tag) for tag in np.unique(numbers)}


_Block = tuple[int, NDArray[np.int64], NDArray[np.int64]]
"""order, tags of corners [element, corner], of all nodes [element, node], of volumes in the order of docs/mesh_format.md"""


def _of_entities(model: Any, dimension: int) -> dict[str, list[_Block]]:
    """By the names of their groups."""
    word = "volume" if dimension == 3 else "surface"
    result: dict[str, list[_Block]] = {}
    for _, entity in model.getEntities(dimension):
        groups = list(model.getPhysicalGroupsForEntity(dimension, entity))
        if len(groups) > 1:
            raise MeshError(f"{word} {entity} of the model of gmsh is in {len(groups)} physical groups; it may be in one")
        name = model.getPhysicalName(dimension, groups[0]) if groups else ""
        name = name or (f"{word}_{groups[0]}" if groups else f"{word}_{entity}")
        types, _, node_tags = model.mesh.getElements(dimension, entity)
        for element_type, tags in zip(types, node_tags, strict=True):
            kind, _, order, count, local, corners = model.mesh.getElementProperties(element_type)
            if corners != dimension + 1:
                raise MeshError(f"{word} {entity} of the model of gmsh has cells of the kind '{kind}'; tetrahedra and triangles "
                                "are needed")
            elements = np.asarray(tags, np.int64).reshape(-1, count)
            nodes = elements[:, _from_gmsh(order, local)] if dimension == 3 else elements
            result.setdefault(name, []).append((order, elements[:, :corners], nodes))
    return result


def _from_gmsh(order: int, local: Sequence[float]) -> list[int]:
    """[node] its number in Gmsh's tetrahedron, from where that has its nodes on the reference one."""
    at = {tuple(int(round(order * x)) for x in position): number
          for number, position in enumerate(np.reshape(local, (-1, 3)))}
    return [at[position] for position in node_positions(order)]


__all__ = ["MeshData"]
