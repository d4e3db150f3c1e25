"""Many runs of a config that differ in some of its keys, on all devices of this machine."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import json
import logging
import math
import os
import pathlib
import queue
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._keys import plain
from .devices import devices as list_devices
from .errors import ConfigError
from .results import Results, open_run
from .simulation import Simulation

if TYPE_CHECKING:
    import xarray
    from numpy.typing import NDArray

_log = logging.getLogger("maxwell_dg")
_DONE = "sweep_point.json"  # in the directory of a point that was finished, and by what config

Values = Sequence[object] | Mapping[Any, Mapping[str, object]]


@dataclasses.dataclass(frozen=True)
class SweepPoint:
    """One of the runs of a sweep."""

    parameters: dict[str, Any]
    """name of each parameter, and its value, or its label where it changes several keys"""
    changes: dict[str, Any]
    """the keys of the config that it changes"""
    directory: pathlib.Path

    @property
    def results(self) -> Results:
        """Of its run (docs/results_in_python.md)."""
        return open_run(self.directory)


@dataclasses.dataclass(frozen=True)
class SweepResults(Sequence[SweepPoint]):
    """The finished runs, those of the last parameter following each other."""

    values: dict[str, list[Any]]
    """name of each parameter, and its values or labels"""
    points: list[SweepPoint]
    computed: int
    """how many of them were computed now; the others were there"""

    def __getitem__(self, number: Any) -> Any:
        return self.points[number]

    def __len__(self) -> int:
        return len(self.points)

    def dataset(self, name: str) -> xarray.Dataset:
        """A result of all runs as one xarray Dataset, with a dimension before the others for each parameter. Where runs have
        other times or frequencies, nan stands for what one has not. Throws what Results.dataset throws."""
        from maxwell_dg_results.datasets import require_xarray

        xarray = require_xarray()
        found = [point.results.dataset(name) for point in self.points]
        for parameter, values in reversed(self.values.items()):
            known = all(isinstance(value, (int, float, str)) for value in values)
            label = xarray.DataArray(values if known else [str(value) for value in values], dims=parameter, name=parameter)
            found = [xarray.concat(found[i:i + len(values)], label, join="outer", combine_attrs="drop_conflicts")
                     for i in range(0, len(found), len(values))]
        return found[0]

    def s_parameters(self) -> tuple[NDArray[np.float64], NDArray[np.complex128]]:
        """[frequency] in Hz and [frequency, out, into], the scattering parameters that follow from all runs together, where each
        drives a port of its own, as made by `driven_ports`: so a device computes each. Each port's reference is its own
        impedance, at its own place. Throws ValueError where runs have other frequencies, or not each port was driven once."""
        waves = [point.results.port_waves for point in self.points]
        driven = sorted(int(port) for of_run in waves for port in of_run.driven)
        ports = waves[0].a.shape[2]
        if driven != list(range(1, ports + 1)):
            raise ValueError(f"s_parameters: these runs drive the ports {driven}, and each of {ports} must be driven once")
        if any(not np.array_equal(of_run.frequency, waves[0].frequency) for of_run in waves):
            raise ValueError("s_parameters: these runs have different frequencies")
        a, b = (np.concatenate([getattr(of_run, name) for of_run in waves], axis=1) for name in ("a", "b"))  # [F, run, port]
        return waves[0].frequency, np.swapaxes(np.linalg.solve(a, b), 1, 2)


def driven_ports(names: Sequence[str], source: int = 0) -> dict[str, dict[str, object]]:
    """Values of a parameter for `sweep`: one of these ports is driven in each run. `source` is the number of the source of type
    `port` in the config's sources. Each run has the whole of `time` for its port."""
    return {name: {f"sources.{source}.ports": [name]} for name in names}


def incidences(theta: Sequence[float], phi: float = 0.0, polarization: str = "theta", source: int = 0,
               ) -> dict[float, dict[str, object]]:
    """Values of a parameter for `sweep`: a plane wave that comes from each polar angle theta, in degrees from +z, at the
    azimuth phi, in degrees from +x towards +y, with E along the unit vector of `polarization`, "theta" or "phi", there. As the
    key `sweep.plane_wave` of a config defines them. `source` is the wave's number in the config's sources."""
    if polarization not in ("theta", "phi"):
        raise ConfigError(f"incidences: polarization: found {polarization!r}; it is 'theta' or 'phi'")
    cp, sp = math.cos(math.radians(phi)), math.sin(math.radians(phi))
    made: dict[float, dict[str, object]] = {}
    for angle in theta:
        ct, st = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        made[angle] = {f"sources.{source}.direction": [-st * cp, -st * sp, -ct],
                       f"sources.{source}.polarization": [ct * cp, ct * sp, -st] if polarization == "theta" else [-sp, cp, 0]}
    return made


def sweep(base: str | os.PathLike[str] | Simulation | Mapping[str, object], parameters: Mapping[str, Values],
          directory: str | os.PathLike[str], *, devices: Sequence[str] | None = None,
          progress: Callable[[SweepPoint, int, int], object] | None = None) -> SweepResults:
    """Runs a config for every combination of values of its parameters, and returns the runs.

    `base` is a YAML file, a Simulation (of which the config and a mesh in memory are used), or a mapping of a config's keys. `parameters` has
    for each key path, such as "solver.order" or "materials.0.epsilon_r", the values to take. Where one parameter changes
    several keys together, it has a name of its own, and {label: {key path: value}} in place of values; `incidences` makes such
    of angles, `driven_ports` of ports.

    Each run writes its files into a folder of `directory`. A run that was finished there, by the same config and mesh, is not
    computed again, so that a sweep that was interrupted or is made larger goes on where it stood. A run that was interrupted
    begins anew.

    `devices`, such as ["cuda:0", "cuda:1"], compute a run each at a time; by default those are all GPUs, or the CPU, where the
    config leaves the device open. Kernels are compiled once: runs find them in the cache. `progress` is called, in the
    thread of the caller, with each point that is there, how many are, and how many there will be. Ctrl-C ends the runs that go
    on. What a run throws ends the sweep after the runs that go on, with a note that names the point."""
    folder = pathlib.Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    file = _file_of(base, folder)
    values, alternatives = _alternatives(parameters)
    points = [_point(folder, dict(zip(values, labels)), changes) for labels, changes in _combinations(values, alternatives)]
    work = _Work(file, points, list(devices) if devices is not None else _devices_of(Simulation.from_yaml(file)))
    return SweepResults(values, points, work.run(progress))


def _file_of(base: Any, folder: pathlib.Path) -> pathlib.Path:
    if isinstance(base, (str, os.PathLike)):
        return pathlib.Path(base)
    simulation = base if isinstance(base, Simulation) else Simulation(**plain(base))
    file = folder / "sweep.yaml"
    try:
        simulation._to_file(file)
    except ConfigError as error:
        raise ConfigError(f"sweep: base: {error}") from None
    return file


def _alternatives(parameters: Mapping[str, Values]) -> tuple[dict[str, list[Any]], list[list[dict[str, Any]]]]:
    """Labels by name, and in the same order what each of them changes."""
    names = [path.rpartition(".")[2] for path in parameters]
    values: dict[str, list[Any]] = {}
    alternatives: list[list[dict[str, Any]]] = []
    for (path, found), last in zip(parameters.items(), names):
        if len(found) == 0:
            raise ConfigError(f"sweep: {path}: has no values")
        name = last if names.count(last) == 1 and not last.isdigit() else path
        if isinstance(found, Mapping):
            values[name], changes = list(found), [dict(each) for each in found.values()]
        else:
            values[name], changes = list(found), [{path: value} for value in found]
        alternatives.append(changes)
    return values, alternatives


def _combinations(values: dict[str, list[Any]], alternatives: list[list[dict[str, Any]]],
                  ) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    for labels, changes in zip(itertools.product(*values.values()), itertools.product(*alternatives)):
        together: dict[str, Any] = {}
        for change in changes:
            together |= change
        yield labels, together


def _point(folder: pathlib.Path, parameters: dict[str, Any], changes: dict[str, Any]) -> SweepPoint:
    """Its folder is called by what can be read of it, and by a number of it all, so that it is the same in every sweep."""
    text = json.dumps(changes, sort_keys=True, default=str)
    words = "_".join(f"{name.rpartition('.')[2]}_{value}" for name, value in parameters.items())
    readable = re.sub(r"[^\w.+-]+", "_", words)[:60].strip("_.")
    return SweepPoint(parameters, changes, folder / f"{readable}-{hashlib.sha256(text.encode()).hexdigest()[:8]}")


def _devices_of(simulation: Simulation) -> list[str]:
    device = re.search(r'^device: "?([^"\n]*)', simulation.to_yaml(), flags=re.MULTILINE)
    asked = device.group(1) if device else "auto"
    if asked != "auto":
        return [asked]
    gpus = [found.spec for found in list_devices() if not found.is_cpu]
    return gpus or ["auto"]


class _Work:
    """A thread for each device takes the next point that is not finished."""

    def __init__(self, file: pathlib.Path, points: list[SweepPoint], devices: list[str]) -> None:
        if not devices:
            raise ConfigError("sweep: devices: has none; mdg.devices() lists those that there are")
        self._file, self._points, self._devices = file, points, devices
        self._waiting: queue.SimpleQueue[SweepPoint] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[SweepPoint | tuple[SweepPoint, BaseException] | None] = queue.SimpleQueue()
        self._running: set[Simulation] = set()
        self._lock = threading.Lock()
        self._must_end = False

    def run(self, progress: Callable[[SweepPoint, int, int], object] | None) -> int:
        """Returns how many points were computed."""
        there = 0

        def tell(point: SweepPoint) -> None:
            nonlocal there
            there += 1
            if progress is not None:
                progress(point, there, len(self._points))

        missing = []
        for point in self._points:  # all configs are checked before the first one is computed
            if self._is_finished(point, self._fingerprint(point)):
                tell(point)
            else:
                missing.append(point)
        for point in missing:
            self._waiting.put(point)
        _log.info("sweep: %d of %d runs are there already", there, len(self._points))
        threads = [threading.Thread(target=self._work, args=(device,), name=f"sweep on {device}")
                   for device in self._devices[:len(missing)]]
        for thread in threads:
            thread.start()
        failed: tuple[SweepPoint, BaseException] | None = None
        try:
            ended = 0
            while ended < len(threads):
                message = self._done.get()
                if message is None:
                    ended += 1
                elif isinstance(message, SweepPoint):
                    tell(message)
                else:
                    failed = failed or message
                    self._must_end = True
        except BaseException:
            self._stop()
            raise
        finally:
            self._must_end = True
            for thread in threads:
                thread.join()
        if failed:
            point, error = failed
            error.add_note(f"in the run of the sweep with {point.parameters}, {point.directory}")
            raise error
        return len(missing)

    def _stop(self) -> None:
        with self._lock:
            self._must_end = True
            for simulation in self._running:
                simulation._abandon()

    def _work(self, device: str) -> None:
        try:
            while not self._must_end:
                try:
                    point = self._waiting.get_nowait()
                except queue.Empty:
                    break
                try:
                    if self._compute(point, device):
                        self._done.put(point)
                except BaseException as error:
                    self._done.put((point, error))
        finally:
            self._done.put(None)

    def _simulation(self, point: SweepPoint, *more: str) -> Simulation:
        changes = [f"{path}={json.dumps(plain_value(value))}" for path, value in point.changes.items()]
        directory = f"outputs.directory={json.dumps(str(point.directory))}"
        return Simulation.from_yaml(self._file, [*changes, directory, *more], in_memory=False)

    def _compute(self, point: SweepPoint, device: str) -> bool:
        """Whether it was finished."""
        (point.directory / _DONE).unlink(missing_ok=True)
        with self._simulation(point, f"device={json.dumps(device)}") as simulation:
            with self._lock:
                if self._must_end:
                    return False
                self._running.add(simulation)
            try:
                while not simulation.has_ended and not self._must_end:
                    simulation.step(1 << 62)
                finished = simulation.has_ended
            finally:
                with self._lock:
                    self._running.discard(simulation)
        if finished:
            text = json.dumps({"config": self._fingerprint(point), "parameters": point.parameters}, default=str, indent=1)
            (point.directory / _DONE).write_text(text + "\n", encoding="utf-8")
        return finished

    def _fingerprint(self, point: SweepPoint) -> str:
        """Of the config without its device and directory, and of the mesh."""
        text = self._simulation(point).to_yaml()
        text = re.sub(r"^(device:|  directory:).*\n", "", text, flags=re.MULTILINE)
        mesh = re.search(r'^mesh:\n(?:  .*\n)*?  file: "?([^"\n]*)', text, flags=re.MULTILINE)
        return hashlib.sha256((text + (_of_file(mesh.group(1)) if mesh else "")).encode()).hexdigest()

    @staticmethod
    def _is_finished(point: SweepPoint, fingerprint: str) -> bool:
        try:
            found = json.loads((point.directory / _DONE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return isinstance(found, dict) and found.get("config") == fingerprint


@functools.lru_cache(maxsize=64)
def _digest(file: str, size: int, changed: int) -> str:
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _of_file(name: str) -> str:
    try:
        state = os.stat(name)
        return _digest(name, state.st_size, state.st_mtime_ns)
    except OSError:
        return ""  # the run says what is wrong with it


def plain_value(value: Any) -> Any:
    """As JSON, and so YAML, has it: NumPy's numbers and arrays are numbers and lists, classes of keys mappings."""
    value = plain(value)
    if isinstance(value, Mapping):
        return {name: plain_value(entry) for name, entry in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain_value(entry) for entry in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value
