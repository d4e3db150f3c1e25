"""Results as arrays with names: xarray Datasets, whose dimensions are called by what runs along them, with units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ResultsError
from .optional import optional
from .tables import FarField, Pattern, Table

if TYPE_CHECKING:
    import xarray

    from .run import Run

_UNITS = {  # of a config in SI units
    "time": "s", "frequency": "Hz", "theta": "degree", "phi": "degree", "E": "V/m", "H": "A/m", "p": "Pa", "u": "m/s",
    "rcs": "m^2", "directivity": "1", "impedance": "ohm", "resistance": "ohm", "reactance": "ohm", "electric_db": "dB",
    "magnetic_db": "dB", "position": "m",
}
_ANGLES = ("theta", "phi")  # are degrees in every config


def require_xarray() -> Any:
    """The module xarray; an ImportError that says how to get it where it is missing."""
    return optional("xarray", "xarray", "arrays with names need xarray",
                    "each result is there as NumPy arrays, such as results.probes")


def names(run: Run) -> list[str]:
    """The results of this run that `dataset` can give."""
    return [name for name in _MAKERS if any(source in run for source in _MAKERS[name][1])]


def dataset(run: Run, name: str) -> xarray.Dataset:
    """A result by its name: one of "probes", "probe_spectra", "shielding", "energy", "balance", "far_field", "pattern",
    "monostatic", "antenna", "port_waves", "s_parameters", "resonances", "frequency_fields". The unit of a variable is its
    attribute `units`, as xarray's plots use it; a normalized config has none. Throws ResultsError for what is not there,
    ImportError where xarray is missing."""
    if name not in _MAKERS:
        raise ResultsError(f"there is no dataset '{name}', only {', '.join(_MAKERS)}")
    make, _ = _MAKERS[name]
    made = require_xarray().Dataset(**make(run))
    for variable in made.variables:
        unit = _unit(name, str(variable))
        if unit and (run.units == "si" or variable in _ANGLES):
            made[variable].attrs.setdefault("units", unit)
    return made


def _unit(dataset: str, variable: str) -> str:
    if dataset in ("far_field", "pattern", "monostatic") and variable.startswith("E_"):
        return ""  # over the amplitude of the source, whose unit depends on its kind
    if dataset in ("probes", "frequency_fields") and variable[:-1] in _UNITS:
        return _UNITS[variable[:-1]]  # Ex
    if dataset in ("energy", "balance") and variable != "time":
        return "W" if variable.endswith(".power") else "J"
    if variable.endswith("_dbi"):
        return "dBi"
    return _UNITS.get(variable, "")


def _of_probes(table: Table, along: str, separator: str = ".") -> dict[str, Any]:
    """Columns NAME.FIELD as variables FIELD over [probe, along]; nan where a probe has none."""
    columns = [(*name.rpartition(separator)[::2], table[name]) for name in table if name != along]
    probes = list(dict.fromkeys(probe for probe, _, _ in columns))
    variables = {}
    for field in dict.fromkeys(field for _, field, _ in columns):
        values = np.full((len(probes), table.rows), np.nan, dtype=np.result_type(*(v for _, f, v in columns if f == field)))
        for probe, _, column in (entry for entry in columns if entry[1] == field):
            values[probes.index(probe)] = column
        variables[field] = (("probe", along), values)
    return {"data_vars": variables, "coords": {"probe": probes, along: table[along]}}


def _over_time(table: Table) -> dict[str, Any]:
    return {"data_vars": {name: ("time", table[name]) for name in table if name != "time"}, "coords": {"time": table["time"]}}


def _sphere(parts: list[tuple[str, Any]], variables: Any) -> dict[str, Any]:
    """Of far fields or patterns over the same directions: [frequency, phi, theta], with a dimension `port` before them where
    ports were driven in turn, whose numbers end the names."""
    if not parts:
        raise ResultsError("there is no far field; outputs.far_field asks for it, and it comes at the end of the run")
    first = parts[0][1]
    coords: dict[str, Any] = {"frequency": first.frequency, "phi": first.phi, "theta": first.theta}
    dims: tuple[str, ...] = ("frequency", "phi", "theta")
    values = [variables(part) for _, part in parts]
    numbers = [name.rpartition("_")[2] for name, _ in parts]
    if all(number.isdigit() for number in numbers):
        coords, dims = {"port": [int(number) for number in numbers], **coords}, ("port", *dims)
        return {"data_vars": {name: (dims, np.stack([v[name] for v in values])) for name in values[0]}, "coords": coords}
    return {"data_vars": {name: (dims, values[0][name]) for name in values[0]}, "coords": coords}


def _far_variables(far: FarField) -> dict[str, Any]:
    return {far.quantity: far.value, "E_theta": far.E_theta, "E_phi": far.E_phi}


def _pattern_variables(pattern: Pattern) -> dict[str, Any]:
    return dict(pattern.values)


def _antenna(run: Run) -> dict[str, Any]:
    table = run.antenna
    of_port = "port" in table
    frequency = np.unique(table["frequency"])
    ports = np.unique(table["port"]).astype(int) if of_port else np.array([0])
    place = (np.searchsorted(ports, table["port"].astype(int)) if of_port else np.zeros(table.rows, dtype=int),
             np.searchsorted(frequency, table["frequency"]))
    variables = {}
    for name in table:
        if name in ("frequency", "port"):
            continue
        values = np.full((len(ports), len(frequency)), np.nan)
        values[place] = table[name]
        variables[name] = (("port", "frequency"), values) if of_port else ("frequency", values[0])
    return {"data_vars": variables, "coords": {"frequency": frequency, **({"port": ports} if of_port else {})}}


def _port_waves(run: Run) -> dict[str, Any]:
    waves = run.port_waves
    dims = ("frequency", "driven", "port")
    return {"data_vars": {"a": (dims, waves.a), "b": (dims, waves.b), "impedance": (("frequency", "port"), waves.impedance)},
            "coords": {"frequency": waves.frequency, "driven": waves.driven, "port": np.arange(1, waves.a.shape[2] + 1)}}


def _s_parameters(run: Run) -> dict[str, Any]:
    found = run.s_parameters
    ports = np.arange(1, found.S.shape[1] + 1)
    return {"data_vars": {"S": (("frequency", "out", "into"), found.S)},
            "coords": {"frequency": found.frequency, "out": ports, "into": ports},
            "attrs": {"reference": found.reference, "comments": list(found.comments)}}


def _resonances(run: Run) -> dict[str, Any]:
    fields = ("probe", "field", "frequency", "q", "amplitude", "error", "doubtful")
    return {"data_vars": {name: ("resonance", np.array([getattr(r, name) for r in run.resonances])) for name in fields}}


def _frequency_fields(run: Run) -> dict[str, Any]:
    """Phasors at the nodes of each cell, which are its lattice points as VTK numbers them: [frequency, cell, node] of each
    component, `position` [cell, node, axis] beside them."""
    grids = [run.frequency_fields(number) for number in range(run.frequency_field_count)]
    if not grids:
        run.file("frequency_fields")  # says what asks for them
    variables: dict[str, Any] = {}
    for field in (name[:-3] for name in grids[0].fields if name.endswith("_re")):
        phasors = np.stack([grid.fields[field + "_re"] + 1j * grid.fields[field + "_im"] for grid in grids])
        parts = [(field, phasors)] if phasors.ndim == 3 else [(field + "xyz"[c], phasors[..., c]) for c in range(3)]
        variables |= {name: (("frequency", "cell", "node"), values) for name, values in parts}
    coords: dict[str, Any] = {"position": (("cell", "node", "axis"), grids[0].positions), "axis": list("xyz")}
    if len(run.frequencies_of_fields) == len(grids):
        coords["frequency"] = run.frequencies_of_fields
    return {"data_vars": variables, "coords": coords}


_MAKERS: dict[str, tuple[Any, tuple[str, ...]]] = {  # name: what makes its arguments of a Dataset, and what it is made of
    "probes": (lambda run: _of_probes(run.probes, "time"), ("probes",)),
    "probe_spectra": (lambda run: _of_probes(run.probe_spectra, "frequency"), ("probe_spectra",)),
    "shielding": (lambda run: _of_probes(run.shielding, "frequency"), ("shielding",)),
    "energy": (lambda run: _over_time(run.energy), ("energy",)),
    "balance": (lambda run: _over_time(run.balance), ("balance",)),
    "far_field": (lambda run: _sphere(run.far_fields(), _far_variables), ("rcs", "radiation", "radiation_of_ports")),
    "pattern": (lambda run: _sphere(run.patterns(), _pattern_variables), ("pattern", "pattern_of_ports")),
    "monostatic": (lambda run: _sphere([("monostatic", run.monostatic)], _far_variables), ("monostatic",)),
    "antenna": (_antenna, ("antenna",)),
    "port_waves": (_port_waves, ("port_waves",)),
    "s_parameters": (_s_parameters, ("s_parameters",)),
    "resonances": (_resonances, ("resonances",)),
    "frequency_fields": (_frequency_fields, ("frequency_fields",)),
}
