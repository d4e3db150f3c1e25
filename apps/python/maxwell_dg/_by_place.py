"""Materials whose constants are functions of place, or arrays with a value a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import ConfigError
from .meshes import MeshData

Floats = NDArray[np.float64]


class Given(NamedTuple):
    """A constant of a material as its place in the mesh will have it."""

    key: str
    """"materials.0.epsilon_r\""""
    value: Any
    """a function of x, y, z, or an array"""
    region: str | Sequence[str]
    smooth: bool


def taken(document: Mapping[str, Any], mesh: MeshData | None) -> tuple[dict[str, Any], list[Given]]:
    """The document with names of values of the mesh in place of functions and arrays, and what these names stand for."""
    materials = document.get("materials")
    if not isinstance(materials, list):
        return dict(document), []
    found: list[Given] = []
    cells = None if mesh is None else len(mesh)

    def replaced(value: Any, key: str, material: Mapping[str, Any]) -> Any:
        if isinstance(value, list):
            return [replaced(item, f"{key}.{number}", material) for number, item in enumerate(value)]
        is_array = isinstance(value, np.ndarray) and value.ndim == 1 and value.shape == (cells,)
        if not callable(value) and not is_array:
            return value
        found.append(Given(key, value, material.get("region", "*"), material.get("profile") == "smooth"))
        return {"from_mesh": key}

    def material_of(number: int, material: Any) -> Any:
        if not isinstance(material, dict):
            return material
        return {name: replaced(value, f"materials.{number}.{name}", material) for name, value in material.items()}

    taken_materials = [material_of(number, material) for number, material in enumerate(materials)]
    return {**document, "materials": taken_materials}, found


def put_into(mesh: _core.Mesh, found: Sequence[Given]) -> _core.Mesh:
    """The mesh with the values: of functions at the centres of cells, with the profile `smooth` at vertices."""
    of_cells: dict[str, list[float]] = {}
    of_vertices: dict[str, list[float]] = {}
    cells = cast("NDArray[np.int32]", mesh.cells)
    for key, value, region, smooth in found:
        chosen = _cells_of(mesh, region)
        if not callable(value):
            if smooth:
                raise ConfigError(f"{key}: an array has a value a cell, which does not vary within it; leave `profile` out")
            of_cells[key] = _reals(key, value)[cast("NDArray[np.int32]", mesh.cell_numbers)].tolist()
        elif smooth:
            wanted = np.unique(cells[chosen]).astype(np.int64)
            of_vertices[key] = _values(key, value, cast("Floats", mesh.vertices), wanted)
        else:
            of_cells[key] = _values(key, value, cast("Floats", mesh.centres), np.flatnonzero(chosen))
    return mesh.with_values(of_cells, of_vertices)


def _cells_of(mesh: _core.Mesh, region: str | Sequence[str]) -> NDArray[np.bool_]:
    """[cell] All for names that the mesh lacks, which is a finding of the config's check."""
    names = [region] if isinstance(region, str) else list(region)
    numbers = [number for number, name in enumerate(mesh.regions) if name in names]
    of_cells = cast("NDArray[np.int32]", mesh.cell_region)
    return np.isin(of_cells, numbers) if numbers and "*" not in names else np.ones(len(of_cells), bool)


def _values(key: str, function: Any, points: Floats, wanted: NDArray[np.int64]) -> list[float]:
    """[point] Of those that are wanted; 1 at others, which nothing reads."""
    found = _reals(key, function(*points[wanted].T))
    try:
        shaped = np.broadcast_to(found, wanted.shape)
    except ValueError:
        raise ConfigError(f"{key}: the function of x, y, z, which are arrays of the shape ({len(wanted)},), gave the shape "
                          f"{found.shape}; for one that takes numbers write numpy.vectorize(function)") from None
    if not np.isfinite(shaped).all():
        bad = points[wanted][np.flatnonzero(~np.isfinite(shaped))[0]]
        raise ConfigError(f"{key}: the function gives no finite number at ({bad[0]:g}, {bad[1]:g}, {bad[2]:g})")
    values = np.ones(len(points))
    values[wanted] = shaped
    return values.tolist()


def _reals(key: str, values: Any) -> Floats:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise ConfigError(f"{key}: real numbers are needed, found {array.dtype}; give losses by sigma or by dispersion")
    return array.astype(np.float64)
