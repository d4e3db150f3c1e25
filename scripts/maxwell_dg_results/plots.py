"""Every result file of a run as PNG and SVG: what `maxwell_dg --plot RUN_DIR` does."""

import contextlib
import functools
import io
import os
import pathlib

import matplotlib
from matplotlib import pyplot

from . import figures, pictures
from .errors import ResultsError
from .run import Run, open_run, runs_below

_PROBES = 6  # in one picture
STYLE = {"svg.hashsalt": "maxwell_dg", "axes.titlesize": "medium", "figure.titlesize": "medium", "savefig.dpi": 130}


class WriteError(ResultsError):
    """A picture cannot be written."""


def save(figure, file):
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


def plot(directories, output=None, say=print):
    """Pictures of a run, of a folder of runs (a sweep), or of several runs compared with the last one. They go to
    `output`, else to the folder `plots` in the directory (the last one). Returns their names. What cannot be read stops
    none of the others: all such errors come as one ResultsError at the end."""
    directories = [pathlib.Path(directory) for directory in directories]
    below = runs_below(directories[-1])
    if len(directories) == 1 and below and not (directories[0] / "summary.json").exists():
        wanted = _of_sweep(Run(directories[0]), below)
    elif len(directories) == 1:
        wanted = _of_run(open_run(directories[0]))
    else:
        wanted = _of_several([open_run(directory) for directory in directories])
    folder = pathlib.Path(output) if output else directories[-1] / "plots"
    names, errors = [], []
    with matplotlib.rc_context(STYLE):
        for name, draw in wanted:
            try:
                figure = draw()
                save(figure, folder / f"{name}.png")
                figure.set_layout_engine("none")  # it is laid out, which takes as long as drawing
                save(figure, folder / f"{name}.svg")
                pyplot.close(figure)
                names.append(name)
                say(f"{folder / name}.png, .svg")
            except WriteError:
                raise
            except ResultsError as error:
                errors += str(error).splitlines()
    if errors:
        raise ResultsError("\n".join(dict.fromkeys(errors)))
    if not names:
        raise ResultsError(f"{directories[-1]}: there is nothing to draw in it yet")
    return names


def _of_run(run):
    """[(name of the picture, what draws it)] of all that is there. A file that cannot be read is an error when its picture
    is drawn, not before."""
    wanted = []

    def add(name, draw):
        wanted.append((name, draw))

    for section in (_add_signals, _add_phasors, _add_energies, _add_ports, _add_far_field, _add_monostatic, _add_fields):
        try:
            section(add, run)
        except ResultsError as error:
            add("", functools.partial(_fail, error))
    return wanted


def _fail(error):
    raise error


def _add_signals(add, run):
    if "probes" in run and run.probes.rows > 1:
        _add_pages(add, "probes", run, run.probe_names, figures.probes_figure)
        _add_pages(add, "spectra", run, run.probe_names, figures.spectra_figure)


def _add_phasors(add, run):
    if "probe_spectra" in run:
        names = list(dict.fromkeys(name.rpartition(".")[0] for name in run.probe_spectra if name != "frequency"))
        _add_pages(add, "probe_spectra", run, names, figures.phasors_figure)


def _add_energies(add, run):
    for name, figure in (("energy", figures.energy_figure), ("balance", figures.balance_figure),
                         ("resonances", figures.resonances_figure)):
        if name in run:
            add(name, functools.partial(figure, run))


def _add_ports(add, run):
    si = run.units == "si"
    if "s_parameters" in run or "port_waves" in run:
        add("s_parameters", lambda: figures.s_parameters_figure(*_port_curves(run), si, "scattering parameters"))
        add("smith_chart", lambda: figures.smith_figure(*_port_curves(run, reflections=True), si, "reflections"))


def _add_far_field(add, run):
    si = run.units == "si"
    for name in ("rcs", "radiation"):
        if name in run:
            far = run.far_field
            add(name, lambda: figures.far_field_figure(far, si))
            add(name + "_polar", lambda: figures.far_field_polar_figure(far, si))
            if len(far.frequency) > 3 and len(far.theta) > 1:
                add(name + "_over_frequency", lambda: figures.far_field_over_frequency_figure(far, si))


def _add_pages(add, name, run, probes, figure):
    pages = [probes[i : i + _PROBES] for i in range(0, len(probes), _PROBES)]
    for number, page in enumerate(pages, start=1):
        add(name if len(pages) == 1 else f"{name}_{number}", lambda page=page: figure(run, page))


def _port_curves(run, reflections=False):
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


def _add_monostatic(add, run):
    if "monostatic" not in run:
        return
    si = run.units == "si"
    title = "monostatic, theta of the incident wave"
    add("monostatic", lambda: figures.far_field_figure(run.monostatic, si, title))
    add("monostatic_polar", lambda: figures.far_field_polar_figure(run.monostatic, si, title))


def _add_fields(add, run):
    for kind, read in (("fields", run.fields), ("surface_fields", run.surface_fields)):
        if kind not in run:
            continue
        series = run.series(kind)
        if not series:
            continue
        draw = _planes if kind == "fields" else _surfaces
        add(kind, lambda draw=draw, read=read, series=series:
            draw(read(-1), pictures.snapshot_title(run, series, -1, "last snapshot")))
        if kind == "fields" and len(series) > 1:
            add("fields_over_time", lambda read=read, series=series:
                pictures.series_figure(run, read, series, "snapshots in the same colours"))
        if kind == "surface_fields" and len(series) > 1:
            add("surface_fields_over_time", lambda read=read, series=series:
                pictures.surfaces_figure(run, read, series, _surface_field, "snapshots in the same colours"))
    for number in range(run.frequency_field_count):
        add(f"frequency_fields_{number:03d}", lambda number=number:
            _planes(run.frequency_fields(number), pictures.phasor_title(run, number), magnitude=True))
    if "diverged" in run:
        add("diverged", lambda: _planes(run.diverged(), "what the run held when it diverged; black: not finite", magnitude=True))


def _planes(grid, title, magnitude=False):
    grid = pictures.real_cells(grid)
    field = pictures.fields_of(grid)[0]
    if magnitude or grid.values(field).ndim == 3 and field.endswith("_re"):
        name = f"|{field.removesuffix('_re')}|"
    else:
        name = pictures.strongest_component(grid, field)
    return pictures.planes_figure(grid, name, title)


def _surfaces(grid, title):
    grid = pictures.outward_side(pictures.real_cells(grid))
    return pictures.surface_figure(grid, _surface_field(grid), title)


def _surface_field(grid):
    names = pictures.fields_of(grid)
    return "|H|" if "H" in names else f"|{names[0]}|"  # on metal, H is the density of the current


def _of_sweep(sweep, runs):
    wanted = []
    _add_monostatic(lambda name, draw: wanted.append((name, draw)), sweep)
    return wanted + _of_several(runs)


def _of_several(runs):
    wanted = []
    if all("summary" in run and "error" in run.summary for run in runs):
        wanted.append(("convergence", lambda: figures.convergence_figure(runs)))
    last = runs[-1].directory.name
    for name, read in (("probes", lambda run: run.probes), ("energy", lambda run: run.energy)):
        if len(runs) > 1 and all(name in run and read(run).rows > 1 for run in runs):
            wanted.append((f"comparison_of_{name}", lambda name=name, read=read: figures.comparison_figure(
                runs, read, f"{name}.csv against that of {last}")))
    return wanted
