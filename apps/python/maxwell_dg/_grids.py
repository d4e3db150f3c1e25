"""Fields of a simulation now as a Grid of maxwell_dg_results, which evaluates and draws them as it does those of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from maxwell_dg_results import Grid, lagrange
from numpy.typing import NDArray

from . import _core
from .errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


def corners(nodes: int) -> tuple[int, list[int]]:
    """The order of elements with so many nodes, and which nodes are the vertices: r runs fastest, then s, then t."""
    order = 1
    while (order + 1) * (order + 2) * (order + 3) // 6 < nodes:
        order += 1
    return order, [0, order, (order + 1) * (order + 2) // 2 - 1, nodes - 1]


def vectors(names: Sequence[str]) -> dict[str, list[str]]:
    """{"E": ["Ex", "Ey", "Ez"], "p": ["p"]} of the names of fields."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name[:1] if name[1:] in ("x", "y", "z") else name, []).append(name)
    return found


def grid_of(field: Callable[[str], Array], names: Sequence[str], positions: Array, units: str) -> Grid:
    """The fields on cells of their order; `field` gives [element, node] values by name, when first asked for."""
    order, corner = corners(positions.shape[1])
    nodes: Array = np.asarray(_core.barycentric_nodes(order))
    to_lattice = np.linalg.inv(lagrange.basis(order, nodes))  # [lattice point, node]
    # Cells of a grid are right-handed: of the others the last two vertices change places.
    lattice = lagrange.lattice(order, 4)
    number = {tuple(index): i for i, index in enumerate(lattice.tolist())}
    swapped = [number[tuple(index)] for index in lattice[:, [0, 1, 3, 2]].tolist()]
    vertices = positions[:, corner]
    is_left = np.linalg.det(vertices[:, 1:] - vertices[:, :1]) < 0

    def on_lattice(values: Array) -> Array:
        found: Array = np.einsum("pn,kn...->kp...", to_lattice, values)
        found[is_left] = found[is_left][:, swapped]
        return found

    def maker(parts: list[str]) -> Callable[[], Array]:
        def make() -> Array:
            values = [on_lattice(field(name)) for name in parts]
            return values[0] if len(values) == 1 else np.stack(values, axis=2)

        return make

    # The positions of the lattice are those of the same polynomials: curved elements stay curved.
    return Grid(order, on_lattice(positions), {name: maker(parts) for name, parts in vectors(names).items()}, {}, "the simulation", units)


def slice_of(grid: Grid, name: str | None, normal: str, at: float | None, extent: Sequence[float] | None,
             limit: float | None, title: str) -> Figure:
    """A Matplotlib figure of a field on a plane; by default of the strongest component of the first vector, near the middle."""
    import matplotlib
    from maxwell_dg_results import pictures, plots

    if name is not None and name not in grid.fields and name[1:] in ("x", "y", "z"):
        name = f"{name[0]}_{name[1]}"  # Ex, as `field` calls it
    if name is None:
        name = pictures.strongest_component(grid, next(iter(grid.fields)))
    if name in grid.fields and grid.fields[name].ndim == 3:
        raise ConfigError(f"plot: '{name}' is a vector; a component is '{name}_x', the magnitude '|{name}|'")
    pictures.require_picture(grid, name)
    plane = (pictures.middle_plane(grid, normal, 700, extent=extent) if at is None else
             grid.plane(normal, at, extent=extent))
    with matplotlib.rc_context(plots.STYLE):
        figure = pictures.slice_figure(grid, name, plane, f"{name} at {pictures.plane_label(grid, plane)}, {title}", limit)
    return plots.shown_once(figure)
