"""A run's directory, file by file."""

from __future__ import annotations

import functools
import json
import pathlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from . import datasets, html, networks, tables
from .errors import ResultsError
from .labels import hertz, units_of
from .vtu import read_pvd, read_vtu

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    import xarray
    from .tables import FarField, Pattern, PortWaves, Resonance, Table, Touchstone
    from .grid import Grid
    from .kinds import PathLike, Series


class Run:
    """The results in a directory. Each file is read when first asked for; where it is missing, a ResultsError says which
    key of the config asks for it. `"energy" in run` tells without reading."""

    _FILES = {  # name: file, what asks for it
        "summary": ("summary.json", "it is written when a run ends"),
        "probes": ("probes.csv", "outputs.probes asks for it"),
        "probe_spectra": ("probe_spectra.csv", "outputs.probe_spectra asks for it"),
        "shielding": ("shielding.csv", "outputs.probe_spectra.shielding asks for it"),
        "energy": ("energy.csv", "outputs.energy asks for it"),
        "balance": ("balance.csv", "outputs.energy.balance asks for it"),
        "rcs": ("rcs.csv", "outputs.far_field asks for it where the first source is a plane wave"),
        "radiation": ("radiation.csv", "outputs.far_field asks for it where the first source is no plane wave"),
        "radiation_of_ports": ("radiation_[0-9]*.csv", "outputs.far_field asks for it where several ports are driven"),
        "pattern": ("pattern.csv", "outputs.far_field asks for it where the first source is no plane wave"),
        "pattern_of_ports": ("pattern_[0-9]*.csv", "outputs.far_field asks for it where several ports are driven"),
        "antenna": ("antenna.csv", "outputs.far_field asks for it where the first source is no plane wave"),
        "port_waves": ("port_waves.csv", "outputs.s_parameters asks for it"),
        "s_parameters": ("s_parameters.s*p", "outputs.s_parameters asks for it, where every port is driven"),
        "resonances": ("resonances.csv", "outputs.resonances asks for it"),
        "monostatic": ("monostatic.csv", "sweep asks for it"),
        "fields": ("fields.pvd", "outputs.fields asks for it"),
        "surface_fields": ("surface_fields.pvd", "outputs.surface_fields asks for it"),
        "frequency_fields": ("frequency_fields_*.vtu", "outputs.frequency_fields asks for it"),
        "diverged": ("diverged.vtu", "it is written when a run diverges"),
    }

    def __init__(self, directory: PathLike) -> None:
        self.directory = pathlib.Path(directory)

    def __contains__(self, name: object) -> bool:
        return name in self._FILES and bool(self._found(str(name)))

    def _found(self, name: str) -> list[pathlib.Path]:
        """Of a grid that several ranks wrote, the .pvtu file that stands for their pieces, and not these."""
        pattern, _ = self._FILES[name]
        found = set(self.directory.glob(pattern)) | set(self.directory.glob(pattern.replace(".vtu", ".pvtu")))
        return sorted(file for file in found if not re.search(r"_r\d+\.vtu$", file.name))

    def grids(self, name: str) -> list[pathlib.Path]:
        """The files of "frequency_fields" or "diverged", in order."""
        return self._found(name)

    @property
    def name(self) -> str:
        """The directory's."""
        return self.directory.name

    def dataset(self, name: str) -> xarray.Dataset:
        """A result as an xarray Dataset, with dimensions, coordinates and units: `datasets.dataset`."""
        return datasets.dataset(self, name)

    def datasets(self) -> list[str]:
        """The names of the results that there are as Datasets."""
        return datasets.names(self)

    def network(self) -> Any:
        """The scattering parameters as a Network of scikit-rf: `networks.network`."""
        return networks.network(self)

    @overload
    def plot(self) -> list[str]: ...

    @overload
    def plot(self, name: str) -> Figure: ...

    def plot(self, name: str | None = None) -> list[str] | Figure:
        """The picture of a result as a Matplotlib figure; without a name a list of the names there are: "probes",
        "spectra", "energy", "s_parameters", "smith_chart", "rcs", "rcs_polar", "fields" ... ."""
        from . import plots  # needs Matplotlib

        return plots.pictures_of(self) if name is None else plots.picture_of(self, name)

    @classmethod
    def names(cls) -> list[str]:
        """All names of results, whether this run has them or not."""
        return [name for name in cls._FILES if not name.endswith("_of_ports")]

    def __repr__(self) -> str:
        return f"<{f'Results {self.name}'.rstrip()}: {', '.join(name for name in self.names() if name in self)}>"

    def _repr_html_(self) -> str:
        return html.of_run(self)

    def file(self, name: str) -> pathlib.Path:
        """The path of a file by its name here, such as "energy"."""
        found = self._found(name)
        if not found:
            pattern, remedy = self._FILES[name]
            raise ResultsError(f"{self.directory}: there is no {pattern}; {remedy}")
        return found[0]

    def _numbers(self, name: str, words: Sequence[str] = ()) -> Table:
        """The Table of a CSV file."""
        return tables.read_numbers(self.file(name), words)

    def _tables(self, name: str) -> list[tuple[str, Table]]:
        """[(name without suffix, Table)] of all CSV files by this name."""
        return [(file.stem, tables.read_numbers(file)) for file in self._found(name)]

    @functools.cached_property
    def units(self) -> str:
        """"si" or "normalized"."""
        return units_of(self.directory)

    @functools.cached_property
    def frequencies_of_fields(self) -> list[float]:
        """The frequencies of outputs.frequency_fields, in the order of its files; empty where they are not known."""
        try:
            text = (self.directory / "config.resolved.yaml").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return []
        found = re.search(r"^  frequency_fields:\n(?:    .*\n)*?    frequencies: \[(.*)\]", text, flags=re.MULTILINE)
        return [hertz(text) for text in found.group(1).split(",")] if found else []

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json as a dict."""
        file = self.file("summary")
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise ResultsError(f"{file}: cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise ResultsError(f"{file}: is no whole JSON: {error}") from error
        if not isinstance(found, dict):
            raise ResultsError(f"{file}: is no summary of a run")
        return found

    @functools.cached_property
    def probes(self) -> Table:
        """probes.csv: Table of "time" and "NAME.Ex" ... ."""
        return self._numbers("probes")

    @functools.cached_property
    def probe_names(self) -> list[str]:
        """The probes of probes.csv, in order."""
        return list(dict.fromkeys(name.rpartition(".")[0] for name in self.probes if name != "time"))

    @functools.cached_property
    def probe_spectra(self) -> Table:
        """probe_spectra.csv: Table of "frequency" and complex "NAME.Ex" ... ."""
        table = self._numbers("probe_spectra")
        columns = {"frequency": table["frequency"]}
        for name in table:
            if name.endswith("_re"):
                columns[name[:-3]] = tables.as_complex(table[name], table[name[:-3] + "_im"])
        return tables.Table(table.file, columns)

    @functools.cached_property
    def shielding(self) -> Table:
        """shielding.csv: Table of "frequency", "NAME.electric_db" and "NAME.magnetic_db"."""
        return self._numbers("shielding")

    @functools.cached_property
    def energy(self) -> Table:
        """energy.csv: Table of "time", the parts and "total"."""
        return self._numbers("energy")

    @functools.cached_property
    def balance(self) -> Table:
        """balance.csv: Table of "time", "total", of each power P "P.power" and "P.energy", and "unaccounted"."""
        return self._numbers("balance")

    @functools.cached_property
    def far_field(self) -> FarField:
        """rcs.csv or radiation.csv, whichever there is, as a FarField."""
        return tables.far_field_of(self._numbers("radiation" if "radiation" in self else "rcs"))

    def far_fields(self) -> list[tuple[str, FarField]]:
        """[(name, FarField)] of rcs.csv, radiation.csv, or radiation_1.csv ... of ports that are driven in turn."""
        return [(stem, tables.far_field_of(table)) for name in ("rcs", "radiation", "radiation_of_ports")
                for stem, table in self._tables(name)]

    def patterns(self) -> list[tuple[str, Pattern]]:
        """[(name, Pattern)] of pattern.csv, or pattern_1.csv ... of ports that are driven in turn."""
        return [(stem, tables.pattern_of(table)) for name in ("pattern", "pattern_of_ports")
                for stem, table in self._tables(name)]

    @functools.cached_property
    def monostatic(self) -> FarField:
        """monostatic.csv as a FarField: theta and phi say where the wave comes from."""
        return tables.monostatic_of(self._numbers("monostatic"))

    @functools.cached_property
    def antenna(self) -> Table:
        """antenna.csv: Table of "frequency", "port" where ports are driven, and what is known of the antenna."""
        return self._numbers("antenna")

    @functools.cached_property
    def port_waves(self) -> PortWaves:
        """port_waves.csv as PortWaves."""
        return tables.port_waves_of(self._numbers("port_waves"))

    @functools.cached_property
    def s_parameters(self) -> Touchstone:
        """s_parameters.sNp as a Touchstone."""
        return tables.read_touchstone(self.file("s_parameters"))

    @functools.cached_property
    def resonances(self) -> list[Resonance]:
        """resonances.csv as a list of Resonance."""
        table = self._numbers("resonances", words=("probe", "field"))
        names = ("probe", "field", "frequency", "q", "amplitude", "error", "doubtful")
        kinds = (str, str, float, float, float, float, bool)
        return [tables.Resonance(*(kind(value) for kind, value in zip(kinds, row)))
                for row in zip(*(table[name] for name in names))]

    def series(self, name: str) -> Series:
        """[(time, file)] of a time series, "fields" or "surface_fields"."""
        return read_pvd(self.file(name))

    def fields(self, snapshot: int = -1) -> Grid:
        """The Grid of a snapshot of `outputs.fields`, counted from 0, or from the end by numbers below 0."""
        return read_vtu(self._snapshot("fields", snapshot))

    def surface_fields(self, snapshot: int = -1) -> Grid:
        """The Grid of a snapshot of `outputs.surface_fields`."""
        return read_vtu(self._snapshot("surface_fields", snapshot))

    def frequency_fields(self, number: int = 0) -> Grid:
        """The Grid of phasors, E_re, E_im ..., at one of the frequencies of `outputs.frequency_fields`."""
        first = self.file("frequency_fields")
        return read_vtu(self.directory / f"frequency_fields_{number:03d}{first.suffix}")

    @functools.cached_property
    def frequency_field_count(self) -> int:
        """How many frequencies there are."""
        return len(self._found("frequency_fields"))

    def diverged(self) -> Grid:
        """The Grid of what a run held when it diverged."""
        return read_vtu(self.file("diverged"))

    def _snapshot(self, name: str, number: int) -> pathlib.Path:
        files = self.series(name)
        if not -len(files) <= number < len(files):
            raise ResultsError(f"{self.file(name)}: has {len(files)} snapshots; there is none with the number {number}")
        return files[number][1]


def open_run(directory: PathLike) -> Run:
    """The Run in a directory."""
    run = Run(directory)
    if not run.directory.is_dir():
        raise ResultsError(f"{directory}: is no directory; give the one that a run wrote, its outputs.directory")
    try:
        next(run.directory.iterdir(), None)
    except OSError as error:
        raise ResultsError(f"{directory}: cannot be read: {error.strerror}") from error
    if not any(name in run for name in Run._FILES):
        raise ResultsError(f"{directory}: there are no results in it; give the directory that a run wrote, its "
                           "outputs.directory")
    return run


def is_run(directory: PathLike) -> bool:
    """Whether a run wrote this directory; one that was killed has no summary.json, but what it began with."""
    return any((pathlib.Path(directory) / name).exists() for name in ("summary.json", "config.resolved.yaml"))


def runs_below(directory: PathLike) -> list[Run]:
    """The runs in the folders of a directory, such as those of a sweep, by name."""
    return [Run(folder) for folder in sorted(pathlib.Path(directory).glob("*/")) if is_run(folder)]
