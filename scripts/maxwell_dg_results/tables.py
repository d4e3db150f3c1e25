"""The text files of a run as arrays: CSV tables, far fields, port waves, Touchstone files."""

from __future__ import annotations

import csv
import dataclasses
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import vtk_grids
from .errors import NothingYet, ResultsError

if TYPE_CHECKING:
    from .kinds import Array, PathLike


def _text(file: PathLike) -> str:
    """Whole lines: what a run that still goes on, or was killed, has begun to write is left out."""
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise ResultsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ResultsError(f"{file}: is no text: {error}") from error
    return text[: text.rfind("\n") + 1]


class Table(dict[str, Any]):
    """Columns of a CSV file by their names, each a NumPy array with an item a row: floats, or strings where a cell is no
    number. table["time"], and table.time where the name is a word."""

    def __init__(self, file: PathLike, columns: Mapping[str, Array]) -> None:
        super().__init__(columns)
        self.file = pathlib.Path(file)

    def __missing__(self, name: str) -> Array:
        raise ResultsError(f"{self.file}: has no column '{name}', only {', '.join(self)}")

    def __getattr__(self, name: str) -> Array:
        if name in self:
            return self[name]
        raise AttributeError(f"{self.file}: has no column '{name}', only {', '.join(self)}")

    @property
    def rows(self) -> int:
        return len(next(iter(self.values()), ()))


def read_table(file: PathLike) -> Table:
    """The Table of a CSV file whose first line names the columns. Numbers are as exact as they were written."""
    header, _, rest = _text(file).partition("\n")
    names = next(csv.reader([header]), [])
    if not names:
        raise NothingYet(f"{file}: is empty; let the run go on until it has written something")
    try:
        numbers = np.array([line.split(",") for line in rest.splitlines()], dtype=float).reshape(-1, len(names))
        return Table(file, {name: numbers[:, i] for i, name in enumerate(names)})
    except ValueError:
        pass  # there are words, or lines of other lengths
    rows = list(csv.reader(rest.splitlines()))
    for number, row in enumerate(rows, start=2):
        if len(row) != len(names):
            raise ResultsError(f"{file}:{number}: has {len(row)} cells under {len(names)} names of columns")

    def column(i: int) -> Array:
        cells = [row[i] for row in rows]
        try:
            return np.array(cells, dtype=float)
        except ValueError:
            return np.array(cells)

    return Table(file, {name: column(i) for i, name in enumerate(names)})


def read_numbers(file: PathLike, words: Sequence[str] = ()) -> Table:
    """`read_table`, where all columns but those named in `words` must hold numbers."""
    table = read_table(file)
    for name, values in table.items():
        if name not in words and values.dtype.kind != "f":
            raise ResultsError(f"{file}:{_line_of_word(values)}: there is no number under '{name}'; the file is damaged")
    return table


def _line_of_word(values: Array) -> int:
    """The line of the first cell that is no number."""
    for line, value in enumerate(values, start=2):
        try:
            float(value)
        except ValueError:
            return line
    return 1


def as_complex(real: Array, imaginary: Array) -> Array:
    """Both parts together, without a product: 1j times infinity is not a number."""
    result = np.empty(len(real), dtype=complex)
    result.real, result.imag = real, imaginary
    return result


def require_rows(table: Table, least: int = 1) -> Table:
    """The table; raises NothingYet where it has fewer rows."""
    if table.rows < least:
        raise NothingYet(f"{table.file}: has {table.rows or 'no'} row{'s' if table.rows != 1 else ''}; the run goes on, or "
                         "ended early")
    return table


@dataclasses.dataclass(frozen=True)
class FarField:
    """rcs.csv or radiation.csv over frequency [F] in Hz, phi [P] and theta [T] in degrees. `value` is the radar cross
    section in m^2 or the directivity, [F, P, T]; E_theta and E_phi are r exp(jkr) E over the source's amplitude."""

    frequency: np.ndarray
    phi: np.ndarray
    theta: np.ndarray
    quantity: str  # "rcs" or "directivity"
    value: np.ndarray
    E_theta: np.ndarray
    E_phi: np.ndarray

    @property
    def decibels(self) -> Array:
        """dBsm or dBi."""
        with np.errstate(divide="ignore"):
            return 10 * np.log10(self.value)

    def to_pyvista(self, number: int = 0, dynamic: float = 30.0) -> Any:
        """It at a frequency as a balloon, a surface of PyVista: `vtk_grids.balloon_of`."""
        return vtk_grids.balloon_of(self, number, dynamic)


def read_far_field(file: PathLike) -> FarField:
    """The FarField of rcs.csv or radiation.csv."""
    return far_field_of(read_numbers(file))


def far_field_of(table: Table) -> FarField:
    """The same of its Table."""
    require_rows(table)
    quantity = "rcs" if "rcs" in table else "directivity"
    frequency, phi, theta = (_in_order(_known(table, name)) for name in ("frequency", "phi_deg", "theta_deg"))
    shape = len(frequency), len(phi), len(theta)
    if table.rows != np.prod(shape):
        raise ResultsError(f"{table.file}: {table.rows} rows are not every one of {shape} frequencies, phi and theta; read it "
                           "by read_table")
    return FarField(frequency, phi, theta, quantity, table[quantity].reshape(shape),
                    as_complex(table["E_theta_re"], table["E_theta_im"]).reshape(shape),
                    as_complex(table["E_phi_re"], table["E_phi_im"]).reshape(shape))


@dataclasses.dataclass(frozen=True)
class Pattern:
    """pattern.csv over frequency [F] in Hz, phi [P] and theta [T] in degrees: `values` by the names of its columns, such
    as co_gain_dbi, each [F, P, T]."""

    frequency: np.ndarray
    phi: np.ndarray
    theta: np.ndarray
    quantity: str  # "gain" or "directivity"
    values: dict[str, Array]


def read_pattern(file: PathLike) -> Pattern:
    """The Pattern of pattern.csv."""
    return pattern_of(read_numbers(file))


def pattern_of(table: Table) -> Pattern:
    """The same of its Table."""
    require_rows(table)
    frequency, phi, theta = (_in_order(_known(table, name)) for name in ("frequency", "phi_deg", "theta_deg"))
    shape = len(frequency), len(phi), len(theta)
    if table.rows != np.prod(shape):
        raise ResultsError(f"{table.file}: {table.rows} rows are not every one of {shape} frequencies, phi and theta; read it "
                           "by read_table")
    values = {name: table[name].reshape(shape) for name in table if name not in ("frequency", "phi_deg", "theta_deg")}
    return Pattern(frequency, phi, theta, "gain" if "gain_dbi" in values else "directivity", values)


def read_monostatic(file: PathLike) -> FarField:
    """The FarField of monostatic.csv, whose rows are in the order of angles, then frequencies."""
    return monostatic_of(read_numbers(file))


def monostatic_of(table: Table) -> FarField:
    """The same of its Table."""
    require_rows(table)
    frequency, phi, theta = (np.unique(_known(table, name)) for name in ("frequency", "phi_deg", "theta_deg"))
    shape = len(frequency), len(phi), len(theta)
    place = tuple(np.searchsorted(values, table[name]) for values, name in
                  ((frequency, "frequency"), (phi, "phi_deg"), (theta, "theta_deg")))

    def spread(values: Array) -> Array:
        result = np.full(shape, np.nan, dtype=values.dtype)
        result[place] = values
        return result

    return FarField(frequency, phi, theta, "rcs", spread(table["rcs"]),
                    spread(as_complex(table["E_theta_re"], table["E_theta_im"])),
                    spread(as_complex(table["E_phi_re"], table["E_phi_im"])))


@dataclasses.dataclass(frozen=True)
class PortWaves:
    """port_waves.csv: waves `a` in and `b` out over the one that came in at the driven port, [F, driven, port]; driven
    ports are numbered from 1, as in the file."""

    frequency: np.ndarray  # [F] Hz
    driven: np.ndarray
    a: np.ndarray
    b: np.ndarray
    impedance: np.ndarray  # [F, port]


def read_port_waves(file: PathLike) -> PortWaves:
    """The PortWaves of port_waves.csv."""
    return port_waves_of(read_numbers(file))


def port_waves_of(table: Table) -> PortWaves:
    """The same of its Table."""
    require_rows(table)
    frequency, driven = _in_order(_known(table, "frequency")), _in_order(_known(table, "driven"))
    shape = len(frequency), len(driven), len(np.unique(table["port"]))
    if table.rows != np.prod(shape):
        raise ResultsError(f"{table.file}: {table.rows} rows are not every one of {shape} frequencies, driven ports and ports; "
                           "read it by read_table")
    a = as_complex(table["a_re"], table["a_im"]).reshape(shape)
    b = as_complex(table["b_re"], table["b_im"]).reshape(shape)
    return PortWaves(frequency, driven.astype(int), a, b, table["impedance"].reshape(shape)[:, 0])


def _known(table: Table, name: str) -> Array:
    """A column that says where a row belongs, so that all of it must be finite."""
    (unknown,) = np.nonzero(~np.isfinite(table[name]))
    if len(unknown):
        raise ResultsError(f"{table.file}:{unknown[0] + 2}: '{name}' is {table[name][unknown[0]]}; the file is damaged")
    return table[name]


def _in_order(values: Array) -> Array:
    """Each value once, in the order of their first appearance."""
    _, first = np.unique(values, return_index=True)
    return values[np.sort(first)]


@dataclasses.dataclass(frozen=True)
class Touchstone:
    """A Touchstone file: S[f, i, j] is the wave out of port i + 1 over the one into port j + 1."""

    frequency: np.ndarray  # [F] Hz
    S: np.ndarray  # [F, ports, ports]
    reference: float  # ohm, of the option line
    comments: list[str]

    @property
    def decibels(self) -> Array:
        """20 log10 |S|."""
        with np.errstate(divide="ignore"):
            return 20 * np.log10(np.abs(self.S))


_HERTZ = {"HZ": 1.0, "KHZ": 1e3, "MHZ": 1e6, "GHZ": 1e9}
_COMPLEX: dict[str, Callable[[Array, Array], Array]] = {
    "RI": lambda a, b: a + 1j * b,
    "MA": lambda a, b: a * np.exp(1j * np.radians(b)),
    "DB": lambda a, b: 10 ** (a / 20) * np.exp(1j * np.radians(b)),
}


def read_touchstone(file: PathLike) -> Touchstone:
    """The Touchstone of a file s_parameters.sNp (version 1, S parameters)."""
    suffix = pathlib.Path(file).suffix.lower()
    if not (suffix[:2] == ".s" and suffix[-1:] == "p" and suffix[2:-1].isdigit()):
        raise ResultsError(f"{file}: a Touchstone file's name ends in .s1p, .s2p, ...: that tells its number of ports")
    ports = int(suffix[2:-1])
    options = "# GHz S MA R 50".split()
    comments: list[str] = []
    numbers: list[float] = []
    try:
        for line in _text(file).splitlines():
            line, bang, comment = line.partition("!")
            if bang:
                comments.append(comment.strip())
            if line.startswith("#"):
                options = line.split()
            else:
                numbers += map(float, line.split())
        words = [word.upper() for word in options]
        unit = next((_HERTZ[word] for word in words if word in _HERTZ), 1e9)
        to_complex = next((_COMPLEX[word] for word in words if word in _COMPLEX), _COMPLEX["MA"])
        reference = float(words[words.index("R") + 1]) if "R" in words else 50.0
        rows = np.array(numbers).reshape(-1, 1 + 2 * ports * ports)
    except ValueError as error:
        raise ResultsError(f"{file}: is no Touchstone file of {ports} ports: {error}") from error
    if len(rows) == 0:
        raise NothingYet(f"{file}: has no rows; the run goes on, or ended early")
    S = to_complex(rows[:, 1::2], rows[:, 2::2]).reshape(-1, ports, ports)
    if ports == 2:
        S = S.transpose(0, 2, 1)  # the format's own order: S11 S21 S12 S22
    return Touchstone(rows[:, 0] * unit, S, reference, comments)


@dataclasses.dataclass(frozen=True)
class Resonance:
    """A line of resonances.csv."""

    probe: str
    field: str
    frequency: float  # Hz
    q: float
    amplitude: float
    error: float  # relative, of the frequency
    doubtful: bool = False  # a weak mode or an artefact
