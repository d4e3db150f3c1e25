"""Pictures of fields: slices through tetrahedra, surfaces of triangles. Each function returns a Matplotlib figure."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colors as mpl_colors
from matplotlib import pyplot

from . import surface
from .errors import ResultsError
from .labels import drawable, frequency_label, length_scale, plain_number, time_label
from .snapshots import fields_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage
    from matplotlib.figure import Figure
    from .kinds import Array, Series
    from .grid import Grid, Plane
    from .snapshots import Levels
    from .run import Run
    from .surface import View

_METAL = (0.45, 0.47, 0.50)  # what is not meshed, inside of the mesh
_MOST = 0.995  # of a slice's pixels are within the range of colours
_MOST_OF_SURFACE = 0.98
_LONG = 0.35  # a plane whose sides differ by more is drawn lying, in a row of its own
_SIGNED, _UNSIGNED = "RdBu_r", "magma"


def strongest_component(grid: Grid, field: str = "E") -> str:
    """The name, as "E_x", of a vector's component with the largest mean square over all points; of a scalar its own."""
    values = grid.values(field)
    if values.ndim == 2:
        return field
    squares = [float(np.square(values[..., c], dtype=float).mean()) for c in range(values.shape[2])]
    return f"{field}_{'xyz'[int(np.argmax(squares))]}"


def real_cells(grid: Grid) -> Grid:
    """Of complex fields the cells with their real parts; else all."""
    return grid.select(grid.cells["imaginary"] == 0) if "imaginary" in grid.cells else grid


def colour_limit(values: Array, most: float = _MOST) -> float:
    """What this part of the values stays below, in magnitude: a few at an edge are larger than all others by far."""
    known = np.abs(values[np.isfinite(drawable(values))])
    limit = float(np.quantile(known, most)) if known.size else 0.0
    return limit or (float(known.max()) if known.size else 0.0) or 1.0


def holes(values: Array) -> Array:
    """[height, width]: the pixels without a value that are not connected to the picture's edge by others such."""
    empty = np.isnan(values)
    outside = np.zeros_like(empty)
    outside[[0, -1]], outside[:, [0, -1]] = empty[[0, -1]], empty[:, [0, -1]]
    while True:
        grown = outside.copy()
        grown[1:] |= outside[:-1]
        grown[:-1] |= outside[1:]
        grown[:, 1:] |= outside[:, :-1]
        grown[:, :-1] |= outside[:, 1:]
        grown &= empty
        if (grown == outside).all():
            return empty & ~outside
        outside = grown


def body_in_holes(grid: Grid, plane: Plane, hole: Array) -> Array:
    """[height, width, 4] colours: the bodies that stand in the holes of a slice, as seen from in front of it."""
    view = surface.View(plane.across, plane.up, np.cross(plane.across, plane.up))
    faces = grid.boundary()
    corners = faces.vertices
    depth = (corners - plane.origin) @ view.towards
    facing = np.einsum("ij,j->i", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), view.towards)
    shown = corners[(depth.max(axis=1) > 0) & (facing < 0)]  # out of the mesh is into the body
    on_screen = view.screen(shown - plane.origin)
    on_screen[..., 2] *= -1  # the part nearest to the plane: what lies in front of a body hides nothing
    triangle, weights = surface.visible(on_screen, plane.extent, plane.shape)
    bright = surface.brightness(shown, triangle, weights, view)
    picture = np.ones((*plane.shape, 4))
    picture[..., :3] = np.array(_METAL) * np.where(np.isnan(bright), 1.0, 0.35 + 0.95 * bright)[..., None]
    picture[..., 3] = hole
    return np.clip(picture, 0, 1)


def spread(values: Array, times: int = 3) -> Array:
    """The values, and a few pixels around them that had none: edges are drawn over them, and must not mix with white."""
    for _ in range(times):
        for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
            values = np.where(np.isnan(values), np.roll(values, step, axis), values)
    return values


def draw_slice(axes: Axes, grid: Grid, name: str, plane: Plane, limit: float | None = None, shaded: bool = False) -> AxesImage:
    """A field on a plane into `axes`: signed ones symmetric about white, magnitudes from dark to light; what is not meshed
    grey, or as a body with light and shade; borders between materials as thin lines. Returns the image."""
    cell, barycentric = grid.locate_on(plane)
    values = drawable(grid.evaluate(cell.ravel(), barycentric.reshape(-1, 4), name).reshape(plane.shape))
    limit = limit or colour_limit(values)
    signed = not name.startswith("|")
    factor, unit = length_scale(np.abs(plane.extent).max(), grid.unit("m"))
    extent = [factor * x for x in plane.extent]
    style: dict[str, Any] = {"origin": "lower", "extent": extent, "interpolation": "antialiased"}
    image = axes.imshow(spread(values), cmap=_SIGNED if signed else _UNSIGNED, vmin=-limit if signed else 0, vmax=limit,
                        **style)
    hole = holes(np.where(cell < 0, np.nan, 0.0))
    if hole.any():
        body = body_in_holes(grid, plane, hole) if shaded else np.broadcast_to((*_METAL, 1.0), (*plane.shape, 4)).copy()
        body[..., 3] = hole
        axes.imshow(body, **style)
    outside = np.ones((*plane.shape, 4))
    outside[..., 3] = (cell < 0) & ~hole
    axes.imshow(outside, **style)
    wrong = (cell >= 0) & ~np.isfinite(values)
    if wrong.any():
        axes.imshow(np.where(wrong[..., None], (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)), **style)
    draw_borders(axes, grid, cell, extent)
    axes.set(xlabel=f"{plane.names[0]}{unit}", ylabel=f"{plane.names[1]}{unit}", aspect="equal")
    return image


def draw_borders(axes: Axes, grid: Grid, cell: Array, extent: Sequence[float]) -> None:
    """Thin lines where materials meet."""
    parameters = [name for name in grid.cells if name not in ("region", "imaginary", "surface")]
    for name in parameters:
        data = np.where(cell >= 0, grid.cells[name][cell], np.nan)
        values = np.unique(data[np.isfinite(data)])
        for low, high in list(zip(values, values[1:]))[:8]:
            axes.contour(data, levels=[(low + high) / 2], origin="lower", extent=extent, colors="0.25", linewidths=0.8,
                         linestyles="solid")


def slice_figure(grid: Grid, name: str, plane: Plane, title: str = "", limit: float | None = None, shaded: bool = True,
                 width: float = 8.0) -> Figure:
    """One slice with its colour bar beside it, or below where the slice is long; a tall and narrow one is drawn lying."""
    plane = lying(plane) if aspect(plane) > 1 / _LONG else plane
    is_long = aspect(plane) < _LONG
    height = float(np.clip((width - 1.6) * aspect(plane) + (2.1 if is_long else 0.8), 2.2, 9.0))
    figure, axes = pyplot.subplots(figsize=(width, height), layout="compressed")  # of equal scales: labels are not cut
    image = draw_slice(axes, grid, name, plane, limit, shaded)
    below = {"location": "bottom", "fraction": min(0.12 / (width - 1.6) / aspect(plane), 0.9), "aspect": 35}
    place = below if is_long else {"fraction": 0.05, "pad": 0.02, "shrink": 0.9}
    figure.colorbar(image, ax=axes, label=value_label(grid, name), **place)
    if title:
        axes.set_title(wrapped(title, width))
    return figure


def wrapped(title: str, width: float) -> str:
    """A title in lines that fit into a figure of so many inches."""
    tied = title.replace(" = ", "\u00a0=\u00a0")
    return textwrap.fill(tied, max(20, int(11 * (width - 1)))).replace("\u00a0", " ")


def value_label(grid: Grid, name: str) -> str:
    """A field's name with its unit, as it stands on a colour bar."""
    plain = name.strip("|").split("_")[0]
    if "_re" in name or (name.startswith("|") and plain + "_re" in grid.fields):
        return f"{name} (phasor)"
    return name + grid.unit({"E": "V/m", "H": "A/m", "p": "Pa", "u": "m/s"}.get(plain, ""))


def round_near(value: float, tolerance: float) -> float:
    """The roundest number that is so near to a value: a multiple of the largest of ..., 1, 2, 5, 10, ... that has one."""
    if not tolerance > 0 or not np.isfinite(value):
        return value
    exponent = int(np.ceil(np.log10(max(abs(value), tolerance)))) + 1
    while True:
        for digit in (5, 2, 1):
            step = digit * 10.0**exponent
            near = round(value / step)
            if abs(near * step - value) <= tolerance:
                return near * digit * 10**exponent if exponent >= 0 else near * digit / 10**-exponent
        exponent -= 1


def middle_plane(grid: Grid, normal: str, pixels: int, share: float = 0.5, extent: Sequence[float] | None = None) -> Plane:
    """The plane across an axis through the middle of the grid, or another share of its length, at a round number, which is
    as near as a hundredth of the length."""
    n = "xyz".index(normal)
    low, high = grid.bounds[:, n]
    at = round_near(low + share * (high - low), 0.01 * (high - low))
    return grid.plane(normal, at, pixels=pixels, extent=extent)


def telling_plane(grid: Grid, name: str, normal: str, pixels: int) -> Plane:
    """`middle_plane`; where the field vanishes there, as modes do, one beside it."""

    def size(share: float) -> float:
        values = grid.on_plane(middle_plane(grid, normal, 60, share), name)
        return np.sqrt(np.square(values[np.isfinite(values)]).mean()) if np.isfinite(values).any() else 0.0

    values = np.asarray(grid.values(name), dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        everywhere = np.sqrt(np.square(values).mean())
    share = 0.5 if not size(0.5) < 0.1 * everywhere else max((0.5, 0.37, 0.25), key=size)
    return middle_plane(grid, normal, pixels, share)


def plane_label(grid: Grid, plane: Plane) -> str:
    """"y = 12 mm": where a plane lies."""
    normal = next(axis for axis in "xyz" if axis not in plane.names)
    factor, unit = length_scale(np.abs(plane.extent).max(), grid.unit("m"))
    return f"{normal} = {plain_number(factor * plane.origin['xyz'.index(normal)])}{unit.replace('(', '').replace(')', '')}"


def lying(plane: Plane) -> Plane:
    """The plane with its longer side across."""
    u0, u1, v0, v1 = plane.extent
    if v1 - v0 <= u1 - u0:
        return plane
    return dataclasses.replace(plane, across=plane.up, up=plane.across, extent=(v0, v1, u0, u1), shape=plane.shape[::-1],
                               names=plane.names[::-1])


def aspect(plane: Plane) -> float:
    """Height over width."""
    return (plane.extent[3] - plane.extent[2]) / (plane.extent[1] - plane.extent[0])


def _axes_of_planes(planes: Sequence[Plane]) -> tuple[Figure, Any]:
    """Figure and axes for three planes: side by side, or, of a long mesh, as rows (the planes are `lying` then)."""
    flattest = min(min(aspect(plane), 1 / aspect(plane)) for plane in planes)
    if flattest < _LONG:
        heights = [float(np.clip(11 * aspect(plane), 0.6, 2.2)) for plane in planes]
        return pyplot.subplots(3, 1, figsize=(13, sum(heights) + 2.6), layout="constrained",
                               gridspec_kw={"height_ratios": heights})
    widths = [plane.extent[1] - plane.extent[0] for plane in planes]
    tallest = max(plane.extent[3] - plane.extent[2] for plane in planes)
    height = float(np.clip(10.4 * tallest / sum(widths) + 1.1, 2.8, 8.0))
    return pyplot.subplots(1, 3, figsize=(13, height), layout="constrained", gridspec_kw={"width_ratios": widths})


def planes_figure(grid: Grid, name: str, title: str) -> Figure:
    """A field on three planes through the middle (`telling_plane`), in the same colours."""
    planes = [telling_plane(grid, name, normal, 500) for normal in "xyz"]
    if min(min(aspect(plane), 1 / aspect(plane)) for plane in planes) < _LONG:
        planes = [lying(plane) for plane in planes]
    limit = max(colour_limit(grid.on_plane(plane, name)) for plane in planes)
    figure, all_axes = _axes_of_planes(planes)
    for axes, plane in zip(all_axes, planes):
        image = draw_slice(axes, grid, name, plane, limit)
        axes.set_title(plane_label(grid, plane), fontsize="medium")
    figure.colorbar(image, ax=all_axes, label=value_label(grid, name), fraction=0.03, pad=0.01)
    figure.suptitle(title)
    return figure


def level_label(levels: Levels, number: int, units: str) -> str:
    """"t = 1.5 ns (-12 dB)": when a snapshot was taken, and its level against the strongest."""
    decibels = levels.decibels(number)
    level = f" ({round(decibels)} dB)" if np.isfinite(decibels) and number != levels.strongest else ""
    return time_label(levels.series[number][0], units) + (" (strongest)" if number == levels.strongest else level)


def _variation(values: Array) -> float:
    """The sum of the squares of [height, width] or [height, width, components] values less their mean, where they are
    finite: a plane on which a field is the same everywhere tells nothing."""
    known = values.reshape(values.shape[0] * values.shape[1], -1)
    known = known[np.isfinite(known).all(axis=1)]
    return float(np.square(known - known.mean(axis=0)).sum()) if len(known) else 0.0


def series_figure(run: Run, read: Callable[[int], Grid], levels: Levels, most: int = 6) -> Figure:
    """Up to six snapshots of a time series on the plane where the field varies most, in the same colours, while there is
    something to see."""
    numbers = levels.telling(most)
    grids = [real_cells(read(number)) for number in numbers]
    strongest = grids[numbers.index(levels.strongest)]
    field = fields_of(strongest)[0]
    name = strongest_component(strongest, field)
    planes = [telling_plane(strongest, name, normal, 400) for normal in "xyz"]
    plane = max(planes, key=lambda plane: _variation(strongest.on_plane(plane, field)) * np.prod(plane.pixel))
    plane = lying(plane) if aspect(plane) > 1 / _LONG else plane
    limit = max(colour_limit(grid.on_plane(plane, name)) for grid in grids)
    columns = min(3 if aspect(plane) > _LONG else 1, len(grids))
    rows = -(-len(grids) // columns)
    height = float(np.clip(rows * (10.8 / columns * aspect(plane) + (0.4 if columns == 1 else 0.1)) + 0.8, 3, 12))
    figure, all_axes = pyplot.subplots(rows, columns, figsize=(12, height),
                                       layout="constrained", squeeze=False, sharex=True, sharey=True)
    for axes in all_axes.flat[len(grids):]:
        axes.remove()
    for axes, grid, number in zip(all_axes.flat, grids, numbers):
        image = draw_slice(axes, grid, name, plane, limit)
        axes.set_title(level_label(levels, number, run.units), fontsize="medium")
        axes.label_outer()
    figure.colorbar(image, ax=list(all_axes.flat[: len(grids)]), label=value_label(grids[0], name), fraction=0.03, pad=0.01)
    figure.suptitle(f"{name} at {plane_label(strongest, plane)}, in the same colours; dB: against the strongest")
    return figure


def surface_image(grid: Grid, name: str, view: View, extent: Sequence[float], shape: tuple[int, int], limit: float,
                  cmap: str) -> Array:
    """[height, width, 4]: a surface coloured by a field, with light and shade. Twice as fine inside, for smooth edges."""
    fine = (2 * shape[0], 2 * shape[1])
    triangle, weights = surface.visible(view.screen(grid.vertices), extent, fine)
    values = grid.evaluate(triangle.ravel(), weights.reshape(-1, 3), name).reshape(fine)
    bright = surface.brightness(grid.vertices, triangle, weights, view)
    signed = not name.startswith("|")
    picture = pyplot.get_cmap(cmap)(mpl_colors.Normalize(-limit if signed else 0, limit)(np.nan_to_num(values)))
    picture[..., :3] *= np.nan_to_num(0.5 + 0.55 * bright)[..., None]
    picture[..., 3] = triangle >= 0
    picture[..., :3] *= picture[..., 3:]
    small = np.clip(picture, 0, 1).reshape(shape[0], 2, shape[1], 2, 4).mean(axis=(1, 3))
    small[..., :3] /= np.maximum(small[..., 3:], 1e-9)
    return np.clip(small, 0, 1)


def outward_side(grid: Grid) -> Grid:
    """One of the two triangles where both sides of a surface are in a file: those of the first region."""
    if "region" not in grid.cells:
        return grid
    centres = grid.vertices.mean(axis=1)
    grain = np.ptp(centres, axis=0).max() * 1e-6 or 1.0
    places = np.column_stack([np.round(centres / grain), grid.cells["region"]])
    order = np.lexsort(places.T[::-1])
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(places[order, :3], axis=0) != 0).any(axis=1)
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order[first]] = True
    return grid.select(chosen)


def frame(grid: Grid, view: View, pixels: int) -> tuple[tuple[float, float, float, float], tuple[int, int]]:
    """What of the screen a surface covers, with a margin: (extent, shape), so many pixels along the longer side."""
    on_screen = view.screen(grid.vertices.reshape(-1, 3))
    low, high = on_screen[:, :2].min(axis=0), on_screen[:, :2].max(axis=0)
    margin = 0.03 * (high - low).max()
    extent = (low[0] - margin, high[0] + margin, low[1] - margin, high[1] + margin)
    size = np.array([extent[1] - extent[0], extent[3] - extent[2]])
    height, width = np.maximum(np.round(pixels * size[::-1] / size.max()), 2).astype(int).tolist()
    return extent, (height, width)


def surface_figure(grid: Grid, name: str, title: str = "", azimuth: float = 35.0, elevation: float = 30.0,
                   limit: float | None = None, width: float = 9.0, pixels: int = 1000, cmap: str = "viridis") -> Figure:
    """A surface seen from a direction, coloured by a field, with a colour bar and an arrow for each axis."""
    view = surface.View.of(azimuth, elevation)
    extent, shape = frame(grid, view, pixels)
    size = np.array([extent[1] - extent[0], extent[3] - extent[2]])
    limit = limit or colour_limit(grid.values(name), _MOST_OF_SURFACE)
    image = surface_image(grid, name, view, extent, shape, limit, cmap)
    ratio = size[1] / size[0]
    height = float(np.clip((width - 1.4) * ratio, 3.0, 7.5))
    width = float(np.clip(height / ratio, 2.6, width - 1.4)) + 1.4
    lines = wrapped(title, width).count("\n") + 1 if title else 0
    figure, axes = pyplot.subplots(figsize=(width, height + 0.1 + 0.3 * lines), layout="constrained")
    axes.imshow(image, origin="lower", extent=extent, interpolation="antialiased")
    axes.set_axis_off()
    draw_tripod(axes, view)
    signed = not name.startswith("|")
    scale = pyplot.cm.ScalarMappable(mpl_colors.Normalize(-limit if signed else 0, limit), cmap)
    figure.colorbar(scale, ax=axes, label=value_label(grid, name), fraction=0.05, pad=0.02, shrink=0.85)
    if title:
        axes.set_title(wrapped(title, width))
    return figure


def surfaces_figure(run: Run, read: Callable[[int], Grid], levels: Levels, name_of: Callable[[Grid], str],
                    most: int = 4) -> Figure:
    """Up to four snapshots of a surface in the same colours, while there is something to see."""
    numbers = levels.telling(most)
    grids = [outward_side(real_cells(read(number))) for number in numbers]
    name = name_of(grids[0])
    limit = max(colour_limit(grid.values(name), _MOST_OF_SURFACE) for grid in grids)
    view = surface.View.of(35, 30)
    extent, shape = frame(grids[0], view, 500)
    ratio = shape[0] / shape[1]
    figure, all_axes = pyplot.subplots(1, len(grids), figsize=(12, float(np.clip(10.5 / len(grids) * ratio + 0.9, 2.6, 7))),
                                       layout="constrained", squeeze=False)
    for axes, grid, number in zip(all_axes.flat, grids, numbers):
        axes.imshow(surface_image(grid, name, view, extent, shape, limit, "viridis"), origin="lower", extent=extent)
        axes.set_axis_off()
        axes.set_title(level_label(levels, number, run.units), fontsize="medium")
    draw_tripod(all_axes.flat[0], view)
    scale = pyplot.cm.ScalarMappable(mpl_colors.Normalize(0, limit), "viridis")
    figure.colorbar(scale, ax=all_axes, label=value_label(grids[0], name), fraction=0.03, pad=0.01)
    figure.suptitle(f"{name} in the same colours; dB: against the strongest")
    return figure


def draw_tripod(axes: Axes, view: View) -> None:
    """The directions of x, y and z, in the lower left corner."""
    length, x, y = 20, -30, 20  # points; beside the picture
    for vector, name in zip(np.eye(3), "xyz"):
        u, v, _ = view.screen(vector)
        start: dict[str, Any] = {"xy": (0.0, 0.0), "xycoords": "axes fraction", "textcoords": "offset points"}
        axes.annotate(name, xytext=(x + 1.4 * length * u, y + 1.4 * length * v), color="0.3", fontsize="small",
                      ha="center", va="center", **start)
    arrows = np.array([view.screen(vector)[:2] for vector in np.eye(3)]) * length
    for u, v in arrows:
        axes.annotate("", xy=(x + u, y + v), xycoords="axes points", xytext=(x, y),
                      textcoords="axes points", arrowprops={"arrowstyle": "->", "color": "0.3", "shrinkA": 0, "shrinkB": 0})


def snapshot_title(run: Run, series: Series, number: int, what: str) -> str:
    """What a picture of a snapshot shows, and when."""
    return f"{what}, {time_label(series[number][0], run.units)}"


def phasor_title(run: Run, number: int, name: str) -> str:
    """What a picture of a field in the frequency domain shows."""
    return f"phasor {name}" + (frequency_label(run, number) or f", number {number}")


def require_picture(grid: Grid, name: str) -> None:
    """Raises ResultsError where there is no such field."""
    try:
        grid.values(name)
    except ResultsError as error:
        raise ResultsError(f"{error}; a component is E_x, a magnitude is |E|") from error
