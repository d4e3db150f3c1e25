"""Every result file of a run as PNG and SVG: what `maxwell_dg --plot RUN_DIR` does."""

from __future__ import annotations

import contextlib
import functools
import io
import operator
import os
import pathlib
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib import pyplot

from . import figures, pictures
from .errors import NothingYet, ResultsError
from .labels import drawable
from .run import Run, is_run, open_run, runs_below
from .snapshots import Levels, field_of_surface, fields_of
from .tables import read_table, require_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from .kinds import Add, Array, Curves, PathLike, Wanted
    from .grid import Grid
    from .tables import Table

_PROBES = 6  # in one picture
_IN_DB = ("_dbsm", "_dbi", "_db")  # columns that are -inf where a field is zero
STYLE: dict[Any, Any] = {"svg.hashsalt": "maxwell_dg", "axes.titlesize": "medium", "figure.titlesize": "medium", "savefig.dpi": 130}


class WriteError(ResultsError):
    """A picture cannot be written."""


def save(figure: Figure, file: PathLike) -> None:
    """Writes a picture, whole or not at all, in the format that the file's name ends in."""
    file = pathlib.Path(file)
    data = io.BytesIO()
    kind = file.suffix[1:].lower()
    try:
        figure.savefig(data, format=kind, metadata={"Date": None} if kind == "svg" else None)
    except ValueError as error:
        raise ResultsError(f"{file}: {error}; name it .png, .svg or .pdf") from error
    part = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data.getvalue())
        os.replace(part, file)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise WriteError(f"{file}: cannot be written: {error.strerror}") from error


def plot(directories: Sequence[PathLike], output: PathLike | None = None, say: Callable[[str], object] = print) -> list[str]:
    """Pictures of a run, of a folder of runs (a sweep), or of several runs compared with the last one. They go to
    `output`, else to the folder `plots` in the directory (the last one). Returns their names. What cannot be read stops
    none of the others: all such errors come as one ResultsError at the end. What is empty, or not finite, is a note."""
    folders = [pathlib.Path(directory) for directory in directories]
    wanted = _wanted(folders)
    folder = pathlib.Path(output) if output else folders[-1] / "plots"
    names: list[str] = []
    errors: list[str] = []
    notes: dict[str, None] = {}
    with matplotlib.rc_context(STYLE), warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        for name, draw in wanted:
            others = set(pyplot.get_fignums())
            try:
                figure = draw()
                if figure is None:
                    continue
                save(figure, folder / f"{name}.png")
                figure.set_layout_engine("none")  # it is laid out, which takes as long as drawing
                save(figure, folder / f"{name}.svg")
                names.append(name)
                say(f"{folder / name}.png, .svg")
            except WriteError:
                raise
            except NothingYet as error:
                notes.update(dict.fromkeys(str(error).splitlines()))
            except ResultsError as error:
                errors += str(error).splitlines()
            finally:
                for figure_number in set(pyplot.get_fignums()) - others:
                    pyplot.close(figure_number)
        notes.update(dict.fromkeys(" ".join(str(warning.message).split()) for warning in caught))
    for note in notes:
        say(f"note: {note}")
    if errors:
        raise ResultsError("\n".join(dict.fromkeys(errors)))
    if not names:
        below = [] if is_run(folders[-1]) else runs_below(folders[-1])
        if below:
            raise ResultsError(f"{folders[-1]}: holds runs, such as {below[-1].directory}; give one of them")
        raise ResultsError(f"{folders[-1]}: there is nothing to draw in it yet")
    return names


def _wanted(directories: Sequence[pathlib.Path]) -> list[Wanted]:
    """[(name of the picture, what draws it)] of a run, a sweep, or several runs."""
    if len(directories) > 1:
        return _of_several([open_run(directory) for directory in directories])
    below = [] if is_run(directories[0]) else runs_below(directories[0])
    return _of_sweep(Run(directories[0]), below) if below else _of_run(open_run(directories[0]))


def pictures_of(run: Run) -> list[str]:
    """The names of the pictures of a run that `picture_of` can draw now."""
    return [name for name, _ in _of_run(run) if name]


def picture_of(run: Run, name: str) -> Figure:
    """One picture of a run, as a Matplotlib figure; of pictures with numbers, "probes_1" of many probes, "probes" is the
    first. Raises ResultsError, also for a name that there is not."""
    drawn = {known: draw for known, draw in _of_run(run) if known}
    if f"{name}_1" in drawn:
        name = f"{name}_1"
    if name not in drawn:
        raise ResultsError(f"there is no picture '{name}' of this run, only {', '.join(drawn) or 'none yet'}")
    with matplotlib.rc_context(STYLE), np.errstate(all="ignore"):
        figure = drawn[name]()
    if figure is None:
        raise ResultsError(f"'{name}' is the picture '{name.removesuffix('_last')}'")
    return shown_once(figure)


def shown_once(figure: Figure) -> Figure:
    """The figure, closed in a notebook: that shows what a cell returns, and would show open figures again."""
    if "inline" in matplotlib.get_backend():
        pyplot.close(figure)
    return figure


def _of_run(run: Run) -> list[Wanted]:
    """[(name of the picture, what draws it)] of all that is there. A file that cannot be read is an error when its picture
    is drawn, not before."""
    wanted: list[Wanted] = []

    def add(name: str, draw: Callable[[], Figure | None]) -> None:
        wanted.append((name, draw))

    for section in (_add_signals, _add_phasors, _add_energies, _add_ports, _add_far_field, _add_monostatic, _add_fields):
        try:
            section(add, run)
        except ResultsError as error:
            add("", functools.partial(_fail, error))
    wanted.append(("", lambda: _note_not_finite(run)))
    return wanted


def _fail(error: Exception) -> NoReturn:
    raise error


def _note_not_finite(run: Run) -> None:
    """Raises NothingYet of the tables in which a value is nan, infinite or too large."""
    found = []
    for name in ("probes", "probe_spectra", "energy", "balance", "rcs", "radiation", "monostatic", "port_waves"):
        with contextlib.suppress(ResultsError):  # it is told where the table is drawn
            if name not in run:
                continue
            table = read_table(run.file(name))
            columns = [values for column, values in table.items() if values.dtype.kind == "f" and not column.endswith(_IN_DB)]
            count = sum(np.count_nonzero(np.isnan(drawable(values))) for values in columns)
            if count:
                found.append(f"{table.file}: {count} of its values are not finite numbers, or too large; they are left out")
    if found:
        raise NothingYet("\n".join(found))


def _add_signals(add: Add, run: Run) -> None:
    if "probes" in run:
        require_rows(run.probes, 2)
        _add_pages(add, "probes", run, run.probe_names, figures.probes_figure)
        _add_pages(add, "spectra", run, run.probe_names, figures.spectra_figure)


def _add_phasors(add: Add, run: Run) -> None:
    if "probe_spectra" in run:
        require_rows(run.probe_spectra)
        names = list(dict.fromkeys(name.rpartition(".")[0] for name in run.probe_spectra if name != "frequency"))
        _add_pages(add, "probe_spectra", run, names, figures.phasors_figure)
    if "shielding" in run:
        add("shielding", lambda: figures.shielding_figure(require_rows(run.shielding), run.units == "si"))


def _add_energies(add: Add, run: Run) -> None:
    for name, figure in (("energy", figures.energy_figure), ("balance", figures.balance_figure)):
        if name in run:
            add(name, functools.partial(_of_table, run, name, figure))
    if "resonances" in run:
        add("resonances", lambda: figures.resonances_figure(run))


def _of_table(run: Run, name: str, figure: Callable[[Run], Figure]) -> Figure:
    require_rows(getattr(run, name))
    return figure(run)


def _add_ports(add: Add, run: Run) -> None:
    si = run.units == "si"
    if "s_parameters" in run or "port_waves" in run:
        add("s_parameters", lambda: figures.s_parameters_figure(*_port_curves(run), si, "scattering parameters"))
        add("smith_chart", lambda: figures.smith_figure(*_port_curves(run, reflections=True), si, "reflections"))


def _add_far_field(add: Add, run: Run) -> None:
    si = run.units == "si"
    for name, far in run.far_fields():
        add(name, functools.partial(figures.far_field_figure, far, si))
        add(name + "_polar", functools.partial(figures.far_field_polar_figure, far, si))
        if len(far.frequency) > 3 and len(far.theta) > 1:
            add(name + "_over_frequency", functools.partial(figures.far_field_over_frequency_figure, far, si))
    for name, pattern in run.patterns():
        if len(pattern.theta) > 1:
            add(name, functools.partial(figures.pattern_figure, pattern, si))
    if "antenna" in run and len(np.unique(run.antenna["frequency"])) > 1:
        add("antenna", lambda: figures.antenna_figure(run.antenna, si))
        if "resistance" in run.antenna:
            add("input_impedance", lambda: figures.input_impedance_figure(run.antenna, si))


def _add_pages(add: Add, name: str, run: Run, probes: Sequence[str], figure: Callable[[Run, Sequence[str]], Figure]) -> None:
    pages = [probes[i : i + _PROBES] for i in range(0, len(probes), _PROBES)]
    for number, page in enumerate(pages, start=1):
        add(name if len(pages) == 1 else f"{name}_{number}", functools.partial(figure, run, page))


def _port_curves(run: Run, reflections: bool = False) -> tuple[Array, Curves]:
    """Frequencies and [(name, complex values)]: the scattering matrix, or what there is of it where not every port was
    driven."""
    if "s_parameters" in run:
        found = run.s_parameters
        ports = range(found.S.shape[1])
        pairs = [(i, j) for j in ports for i in ports if i == j or not reflections]
        return found.frequency, [(f"S{i + 1}{j + 1}", found.S[:, i, j]) for i, j in pairs]
    waves = run.port_waves
    curves = []
    for d, driven in enumerate(waves.driven):
        for port in range(waves.b.shape[2]):
            if port + 1 == driven or not reflections:
                curves.append((f"b{port + 1} over a{driven}", waves.b[:, d, port]))
    return waves.frequency, curves


def _add_monostatic(add: Add, run: Run) -> None:
    if "monostatic" not in run:
        return
    si = run.units == "si"
    title = "monostatic, theta of the incident wave"
    add("monostatic", lambda: figures.far_field_figure(run.monostatic, si, title))
    add("monostatic_polar", lambda: figures.far_field_polar_figure(run.monostatic, si, title))


def _add_fields(add: Add, run: Run) -> None:
    for kind, read in (("fields", run.fields), ("surface_fields", run.surface_fields)):
        if kind in run:
            try:
                _add_series(add, run, kind, read)
            except ResultsError as error:
                add("", functools.partial(_fail, error))
    for number in range(run.frequency_field_count):
        add(f"frequency_fields_{number:03d}", functools.partial(_phasors, run, number))
    if "diverged" in run:
        add("diverged", lambda: _planes(
            run.diverged(), lambda name: f"{name} when the run diverged; black: not finite", magnitude=True))


def _phasors(run: Run, number: int) -> Figure:
    return _planes(run.frequency_fields(number), lambda name: pictures.phasor_title(run, number, name), magnitude=True)


def _add_series(add: Add, run: Run, kind: str, read: Callable[[int], Grid]) -> None:
    """The strongest snapshot; the last, where that is another; and several over time."""
    series = run.series(kind)
    if not series:
        raise NothingYet(f"{run.file(kind)}: lists no snapshots yet")
    is_surface = kind == "surface_fields"
    draw = _surfaces if is_surface else _planes
    levels = Levels(read, series, field_of_surface if is_surface else lambda grid: fields_of(grid)[0])

    def picture(number: int) -> Figure:
        return draw(read(number), lambda name: levels.title(number, name, run.units))

    def last() -> Figure | None:
        number = len(series) - 1
        return None if levels.strongest == number else picture(number)

    def over_time() -> Figure:
        several = pictures.surfaces_figure if is_surface else pictures.series_figure
        return several(run, read, levels, *((_surface_field,) if is_surface else ()))

    add(kind, lambda: picture(levels.strongest))
    if len(series) > 1:
        add(f"{kind}_last", last)
        add(f"{kind}_over_time", over_time)
    add("", levels.require)


def _planes(grid: Grid, title: Callable[[str], str], magnitude: bool = False) -> Figure:
    """On three planes; `title` is made of the name of what is drawn."""
    grid = pictures.real_cells(grid)
    field = fields_of(grid)[0]
    if magnitude or grid.values(field).ndim == 3 and field.endswith("_re"):
        name = f"|{field.removesuffix('_re')}|"
    else:
        name = pictures.strongest_component(grid, field)
    return pictures.planes_figure(grid, name, title(name))


def _surfaces(grid: Grid, title: Callable[[str], str]) -> Figure:
    grid = pictures.outward_side(pictures.real_cells(grid))
    name = _surface_field(grid)
    return pictures.surface_figure(grid, name, title(name))


def _surface_field(grid: Grid) -> str:
    return f"|{field_of_surface(grid)}|"


def _of_sweep(sweep: Run, runs: Sequence[Run]) -> list[Wanted]:
    wanted: list[Wanted] = []
    _add_monostatic(lambda name, draw: wanted.append((name, draw)), sweep)
    return wanted + _of_several(runs)


def _of_several(runs: Sequence[Run]) -> list[Wanted]:
    """What cannot be read of one run leaves out that run alone."""
    wanted: list[Wanted] = []
    done = _readable(runs, "summary", _has_errors, wanted)
    if done:
        wanted.append(("convergence", lambda: figures.convergence_figure(done)))
    for name in ("probes", "energy"):
        read = operator.attrgetter(name)
        found = _readable(runs, name, functools.partial(_has_rows, read), wanted)
        if len(found) > 1:
            title = f"{name}.csv against that of {found[-1].directory.name}"
            wanted.append((f"comparison_of_{name}", functools.partial(figures.comparison_figure, found, read, title)))
    return wanted


def _has_rows(read: Callable[[Run], Table], run: Run) -> bool:
    """Whether there are two at least; raises NothingYet where not."""
    return bool(require_rows(read(run), 2))


def _has_errors(run: Run) -> bool:
    """Whether a run compared its fields with a reference solution, and none of the norms is missing."""
    errors = run.summary.get("error")
    numbers = [run.summary.get("order"), run.summary.get("elements")]
    if not isinstance(errors, dict) or not errors:
        return False
    numbers += [norms.get("l2") if isinstance(norms, dict) else None for norms in errors.values()]
    return all(isinstance(number, (int, float)) and np.isfinite(number) for number in numbers)


def _readable(runs: Sequence[Run], name: str, use: Callable[[Run], object], wanted: list[Wanted]) -> list[Run]:
    """The runs that have a file and of which `use` is true; errors of the others are added to what is wanted."""
    found = []
    for run in runs:
        try:
            if name in run and use(run):
                found.append(run)
        except ResultsError as error:
            wanted.append(("", functools.partial(_fail, error)))
    return found
