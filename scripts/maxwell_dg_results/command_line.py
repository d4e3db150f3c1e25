"""The commands `plot`, `slice` and `surface`. Exit codes are those of maxwell_dg: 2 for what was asked for or cannot be
read, 6 for what cannot be written."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import matplotlib

from . import pictures, plots
from .errors import ResultsError
from .run import open_run
from .snapshots import Levels, field_of_surface, fields_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from .grid import Grid
    from .run import Run


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(prog="maxwell_dg_results", description="Pictures of what maxwell_dg wrote.")
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")

    plot = commands.add_parser("plot", help="every result file of a run, as PNG and SVG")
    plot.add_argument("runs", nargs="+", metavar="RUN_DIR", help="a run, a folder of runs, or several to compare with the last")
    plot.add_argument("--output", metavar="DIR", help="write here instead of RUN_DIR/plots")

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("run", metavar="RUN_DIR")
    common.add_argument("picture", metavar="PICTURE", help="NAME.png, .svg or .pdf")
    common.add_argument("--snapshot", type=int, help="its number; below 0 counted from the end (default: the strongest)")
    common.add_argument("--field", help="such as E_x, |E| or p (default: E's strongest component, or |H| on surfaces)")
    common.add_argument("--limit", type=float, help="the value where colours end")
    common.add_argument("--title", default=None)

    cut = commands.add_parser("slice", parents=[common], help="a plane through fields.pvd, or frequency_fields_*.vtu")
    cut.add_argument("--frequency-field", type=int, metavar="N", help="frequency_fields_N.vtu instead of a snapshot")
    cut.add_argument("--normal", choices=("x", "y", "z"), default="y")
    cut.add_argument("--at", type=float, help="where the plane lies along its normal (default: a round number near the middle)")
    cut.add_argument("--extent", type=float, nargs=4, metavar=("U0", "U1", "V0", "V1"),
                     help="across and up; of normal x: y, z; of y: z, x; of z: x, y (default: all)")

    skin = commands.add_parser("surface", parents=[common], help="surface_fields.pvd, seen from a direction")
    skin.add_argument("--azimuth", type=float, default=35.0, help="degrees from +x towards +y")
    skin.add_argument("--elevation", type=float, default=30.0, help="degrees above the xy plane")
    skin.add_argument("--surface", type=int, action="append", metavar="N",
                      help="this number of the cell data `surface` alone; may be repeated (default: all)")
    return result


def _snapshot(arguments: argparse.Namespace, run: Run, kind: str) -> tuple[Grid, Callable[[str], str]]:
    """The grid of a snapshot, and what makes a title of the name of what is drawn. Only the strongest has to be compared
    with all others."""
    is_surface = kind == "surface_fields"
    read, series = (run.surface_fields if is_surface else run.fields), run.series(kind)
    number, number_title = arguments.snapshot, functools.partial(pictures.snapshot_title, run, series)
    if number is None:
        levels = Levels(read, series, field_of_surface if is_surface else lambda grid: fields_of(grid)[0])
        number = levels.strongest
        return read(number), lambda name: levels.title(number, name, run.units)
    return read(number), lambda name: number_title(number, name)


def _slice(arguments: argparse.Namespace) -> Figure:
    run = open_run(arguments.run)
    if arguments.frequency_field is not None:
        grid = run.frequency_fields(arguments.frequency_field)
        title: Callable[[str], str] = functools.partial(pictures.phasor_title, run, arguments.frequency_field)
    else:
        grid, title = _snapshot(arguments, run, "fields")
    grid = pictures.real_cells(grid)
    name = arguments.field or pictures.strongest_component(grid, fields_of(grid)[0])
    pictures.require_picture(grid, name)
    if arguments.at is None:
        plane = pictures.middle_plane(grid, arguments.normal, 900, extent=arguments.extent)
    else:
        plane = grid.plane(arguments.normal, arguments.at, pixels=900, extent=arguments.extent)
    words = title(f"{name} at {pictures.plane_label(grid, plane)}") if arguments.title is None else arguments.title
    return pictures.slice_figure(grid, name, plane, words, arguments.limit)


def _surface(arguments: argparse.Namespace) -> Figure:
    run = open_run(arguments.run)
    grid, title = _snapshot(arguments, run, "surface_fields")
    grid = pictures.outward_side(pictures.real_cells(grid))
    if arguments.surface:
        grid = grid.select(sum(grid.cells["surface"] == number for number in arguments.surface) > 0)
        if len(grid) == 0:
            raise ResultsError(f"{grid.file}: has no triangles of surface {arguments.surface}")
    name = arguments.field or f"|{field_of_surface(grid)}|"
    pictures.require_picture(grid, name)
    words = title(name) if arguments.title is None else arguments.title
    return pictures.surface_figure(grid, name, words, arguments.azimuth, arguments.elevation, arguments.limit)


def main(words: Sequence[str]) -> int:
    """Does what the words ask for; returns the exit code."""
    arguments = parser().parse_args(words)
    try:
        if arguments.command == "plot":
            plots.plot(arguments.runs, arguments.output)
            return 0
        with matplotlib.rc_context(plots.STYLE):
            figure = _slice(arguments) if arguments.command == "slice" else _surface(arguments)
            plots.save(figure, arguments.picture)
        print(f"{arguments.picture} shows {arguments.run}")
        return 0
    except ResultsError as error:
        for line in str(error).splitlines():
            print(f"error: {line}", file=sys.stderr)
        return 6 if isinstance(error, plots.WriteError) else 2
    except KeyboardInterrupt:
        return 130
