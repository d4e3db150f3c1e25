"""Grids and far fields as meshes of PyVista, which shows them in three dimensions. Cells keep their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ResultsError
from .optional import optional

if TYPE_CHECKING:
    from .grid import Grid
    from .tables import FarField

_LAGRANGE = {3: 69, 4: 71}  # VTK's types of triangles and tetrahedra, by the number of vertices


def _pyvista() -> Any:
    return optional("pyvista", "pyvista", "meshes in three dimensions are PyVista's",
                    "sim.plot and results.plot draw slices, surfaces and patterns by Matplotlib")


def grid_of(grid: Grid) -> Any:
    """The grid as a pyvista.UnstructuredGrid of Lagrange cells, whose points are in the order of VTK already. Cells share no
    points, as fields are discontinuous. Throws ImportError where PyVista is missing."""
    pyvista = _pyvista()
    cells, points = grid.positions.shape[:2]
    connectivity = np.column_stack([np.full(cells, points), np.arange(cells * points).reshape(cells, points)])
    made = pyvista.UnstructuredGrid(connectivity.ravel(), np.full(cells, _LAGRANGE[grid.vertex_count], dtype=np.uint8),
                                    grid.positions.reshape(-1, 3))
    for name in grid.fields:
        values = grid.fields[name]
        made.point_data[name] = values.reshape(cells * points, *values.shape[2:])
    for name in grid.cells:
        made.cell_data[name] = grid.cells[name]
    return made


def balloon_of(far: FarField, number: int = 0, dynamic: float = 30.0) -> Any:
    """The far field at a frequency, by its number, as a pyvista.StructuredGrid: a surface around the origin whose distance
    from it is how many decibels the value lies above `dynamic` decibels below the largest, over `dynamic`; "decibels" are in
    its point data. Throws ResultsError for fewer than two theta or three phi, ImportError where PyVista is missing."""
    if len(far.theta) < 2 or len(far.phi) < 3:
        raise ResultsError(f"a balloon needs two theta and three phi at least, and this far field has {len(far.theta)} and "
                           f"{len(far.phi)}; ask for more under outputs.far_field")
    pyvista = _pyvista()
    phi, decibels = far.phi, far.decibels[number]
    step = phi[-1] - phi[-2]
    if abs(phi[-1] + step - phi[0] - 360) < 1e-6 * step:  # all around: the first one closes it
        phi, decibels = np.append(phi, phi[0] + 360), np.vstack([decibels, decibels[:1]])
    largest = decibels[np.isfinite(decibels)].max(initial=-np.inf)
    radius = np.clip((np.nan_to_num(decibels, neginf=-np.inf) - largest + dynamic) / dynamic, 0, 1)
    theta, azimuth = np.radians(far.theta)[None, :], np.radians(phi)[:, None]
    x, y, z = radius * np.sin(theta) * np.cos(azimuth), radius * np.sin(theta) * np.sin(azimuth), radius * np.cos(theta)
    made = pyvista.StructuredGrid(x[..., None], y[..., None], z[..., None])
    made.point_data["decibels"] = decibels.ravel(order="F")
    return made
