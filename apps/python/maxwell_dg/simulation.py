"""A run as an object."""

from __future__ import annotations

import dataclasses
import functools
import json
import logging
import os
import pathlib
import re
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
from maxwell_dg_results import Grid
from maxwell_dg_results.labels import time_label, units_in
from numpy.typing import NDArray

from . import _by_place, _core
from ._display import of_check, of_simulation
from ._grids import grid_of, slice_of
from ._keys import plain, refuse_unknown
from .config import ConfigKeys
from .errors import ConfigError, MeshError
from .fields import Fields, components
from .meshes import mesh_of
from .results import MemoryResults, Results, open_run
from .system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from typing_extensions import Self, Unpack

_log = logging.getLogger("maxwell_dg")
_IN_MEMORY = "the mesh in memory.h5"  # what to_yaml has in place of a file


@dataclasses.dataclass(frozen=True)
class Check:
    """What a run would be."""

    elements: int
    curved_elements: int
    order: int
    dofs: int
    """degrees of freedom: elements times nodes times fields"""
    dt: float
    """length of a step, s; without unit in normalized configs"""
    steps: int
    """at most, where the run ends by decay"""
    ends_by_decay: bool
    device: str
    device_bytes: int
    """forecast of what the run takes on its device"""
    free_bytes: int
    """there"""
    fields: list[str]
    text: str
    """the forecast of the program's --check, a line each: elements by region, edges, points per wavelength, files, time"""
    warnings: list[str]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return of_check(self)


class Simulation:
    """A run of a config, step by step or at once.

    The arguments are the keys of a config (maxwell_dg.config), as its classes or as what YAML would hold: numbers, texts,
    lists, dicts, NumPy arrays. In place of the key `mesh` may stand a MeshData, a meshio.Mesh or the module gmsh with a meshed
    model, in place of `system` a System of the user's own; constants of materials may be functions of x, y, z, or arrays with a value a cell of a MeshData. Throws ConfigError
    for what is wrong in them, with the key.

    Device, mesh and kernels are made ready at the first step, or when something of them is first asked for. Results stay
    in memory, or go to files, too, if `outputs` names a `directory`.
    """

    def __init__(self, **keys: Unpack[ConfigKeys]) -> None:
        known = list(ConfigKeys.__annotations__)
        refuse_unknown("Simulation", keys, known)
        document = {name: plain(value) for name, value in keys.items() if value is not None}
        outputs = document.get("outputs")
        in_memory = not (isinstance(outputs, dict) and outputs.get("directory"))
        mesh = mesh_of(document.get("mesh"))
        if mesh is not None:
            document["mesh"] = {"file": _IN_MEMORY}
        document, by_place = _by_place.taken(document, mesh)
        own = document.get("system")
        system = own._own if isinstance(own, System) else None
        if system is not None:
            document["system"] = system.name
        config = _core.make_config(document, "Simulation", system)
        if mesh is not None or by_place:
            source = _core.read_mesh(config) if mesh is None else mesh._mesh
            self._mesh = _by_place.put_into(source, by_place)
            config.use_mesh(self._mesh)
        self._begin(config, in_memory=in_memory, resume=False)
        self._own_system = system is not None

    @classmethod
    def from_yaml(cls, file: str | os.PathLike[str], changes: Sequence[str] = (), *, in_memory: bool = True,
                  resume: bool = False) -> Self:
        """The simulation of a YAML file. `changes`, such as "solver.order=4", are made to it first, as by `--set` of the
        program. Results stay in memory; with in_memory=False they go to the config's directory as those of the program
        do, and with `resume` the run goes on from its newest checkpoint there."""
        simulation = cls.__new__(cls)
        simulation._begin(_core.load_config(os.fspath(file), list(changes)), in_memory=in_memory and not resume,
                          resume=resume)
        return simulation

    _mesh: _core.Mesh | None = None  # that is in memory alone, with the values of functions and arrays
    _own_system = False  # its equations are in memory alone

    def _begin(self, config: _core.Config, *, in_memory: bool, resume: bool) -> None:
        if config.is_sweep:
            raise ValueError("the config has the key `sweep`, which is many runs; leave it out and make a simulation each")
        self._config = config
        self._directory = None if in_memory else config.directory
        self._resume = resume
        self._planned: _core.Planned | None = None
        self._checked: list[str] = []  # warnings of the plan
        self._made: _core.Run | None = None
        self._is_closed = False
        self._is_abandoned = False
        self._warnings: list[str] = []

    @property
    def _run(self) -> _core.Run:
        """Made ready where it is not yet."""
        if self._is_closed:
            raise RuntimeError("the simulation is closed; make a new one")
        if self._made is None:
            planned, self._planned = self._planned, None
            self._made = _core.Run(self._config, planned, self._directory, self._resume, functools.partial(_say, self._warnings))
            if self._is_abandoned:
                self._made.abandon()
        return self._made

    def check(self) -> Check:
        """What the run will be, without compiling or computing anything: the mesh is read and the problem is set up here, and not
        once more by the run. Throws what a run would throw before its first step."""
        if self._is_closed:
            raise RuntimeError("the simulation is closed; make a new one")
        if self._made is not None:
            return Check(**self._made.facts(), text=self._made.forecast(), warnings=self.warnings)
        if self._planned is None:
            self._checked.clear()
            self._planned = _core.Planned(self._config, functools.partial(_keep, self._checked))
        return Check(**self._planned.facts(), text=self._planned.forecast(), warnings=list(self._checked))

    def resume(self) -> Self:
        """Goes on from the newest checkpoint in the directory of the config, instead of beginning; before the first step. Returns
        this simulation. Throws ConfigError where results stay in memory."""
        if self._made is not None or self._is_closed:
            raise RuntimeError("this simulation has begun, or is closed; make a new one, and resume that")
        if self._directory is None:
            raise ConfigError("Simulation.resume: results of this simulation stay in memory; name outputs.directory, in "
                              "from_yaml with in_memory=False")
        self._resume = True
        return self

    def step(self, count: int = 1) -> int:
        """Makes so many steps, or fewer where the run ends. Returns how many. Ctrl-C raises KeyboardInterrupt between two
        steps, after which the run can go on."""
        return self._run.step(count)

    def run(self, callback: Callable[[Simulation], object] | None = None, *, every: int = 1) -> Results:
        """Steps to the end, and returns the results. `callback` is called with this simulation before the first step and
        after each `every` steps; what it raises ends `run`, and `stop` does."""
        run = self._run
        if callback is None:
            run.run()
            return self.results
        if every < 1:
            raise ValueError(f"every must be at least 1, found {every}")
        self._is_stopped = False
        callback(self)
        while not self._is_stopped and run.step(every) == every and not run.has_ended:
            callback(self)
        return self.results

    def stop(self) -> None:
        """Ends a `step` or `run` that goes on, after the present step. May be called from a callback or another thread."""
        self._is_stopped = True
        if self._made is not None:
            self._made.stop()

    def _abandon(self) -> None:
        """Ends it for good, from another thread: also steps that thread has not begun yet, which `stop` leaves."""
        self._is_abandoned = True  # before the look at what is made: one of the two threads sees the other's
        if self._made is not None:
            self._made.abandon()

    def finish(self) -> Results:
        """Ends the run before its last step, and makes the results that belong to the end."""
        self._run.finish()
        return self.results

    def synchronize(self) -> None:
        """Waits until the device has made all steps that were asked for. Who reads fields or results need not."""
        self._run.synchronize()

    def close(self) -> None:
        """Gives the device's memory back. The simulation cannot be used afterwards; arrays that it gave can."""
        if self._made is not None:
            self._made.close()
        self._planned = None
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def has_ended(self) -> bool:
        """Whether the run has made its last step, or was ended."""
        return self._run.has_ended

    @property
    def steps(self) -> int:
        """Done so far."""
        return self._run.steps

    @property
    def time(self) -> float:
        """Of the fields now, s."""
        return self._run.time

    @property
    def field_names(self) -> list[str]:
        """"Ex", "Ey" ... ."""
        return list(self._run.facts()["fields"])

    def fields(self, names: Sequence[str] | None = None) -> Fields:
        """Values now of fields ("Ey") or vectors ("E"), or of all, in memory of the device that PyTorch, CuPy, JAX and NumPy use
        in place. The next call for the same names writes into the same memory. Throws DeviceError for OpenCL devices that are no
        CPUs."""
        known = self.field_names
        if isinstance(names, str):
            raise TypeError("names of fields are a list of texts")
        wanted = list(known if names is None else names)
        return Fields(self._run.share_fields([field for name in wanted for field in components(name, known)]), wanted, known)

    def field(self, name: str) -> NDArray[np.float64]:
        """[element, node] Values now; V/m or A/m. Between elements a field is discontinuous."""
        return cast("NDArray[np.float64]", self._run.field(name))

    def coordinates(self) -> NDArray[np.float64]:
        """[element, node, 3] Where these are, in the mesh's units. Elements have one order in all arrays of a simulation, which is
        not that of the mesh's cells: they were sorted so that neighbours are near each other."""
        return cast("NDArray[np.float64]", self._run.coordinates())

    def elements_of(self, region: str) -> NDArray[np.int64]:
        """[element of the region] The numbers of its elements, as fields have them. Throws MeshError for a region that the mesh
        does not have."""
        names, of_elements = self._run.regions()
        if region not in names:
            raise MeshError(f"the mesh has no region '{region}'; it has {', '.join(names) or 'none with a name'}")
        return np.flatnonzero(np.asarray(of_elements) == names.index(region))

    def medium(self, constant: str) -> NDArray[np.float64]:
        """[element] The values now of a constant of the media: "epsilon_r", "mu_r", "sigma" (S/m). Where some medium of the config
        is a tensor, epsilon_r and mu_r are [element, 3, 3]."""
        return cast("NDArray[np.float64]", self._run.medium(constant))

    def set_medium(self, region: str | None = None, **constants: float | NDArray[np.float64]) -> None:
        """Gives the media other constants between two steps, from a callback of `run` or beside it: a number, or an array with
        a value each element, of the region or of the mesh; of epsilon_r and mu_r also a tensor, [3, 3], or one each element,
        [element, 3, 3], where the run began with a tensor in some material. What the equations keep in time stays,
        D = epsilon_r E and B = mu_r H; E and H follow. No kernel is compiled, but the state goes by the host and back.

        Throws ConfigError, before anything has changed, for what needs a shorter step than the run's, for tensors that are not
        symmetric and positive definite, and for elements that are in a source, a layer or a dispersive medium; for media that
        vary within elements, a balance of energy and checkpoints."""
        chosen = slice(None) if region is None else self.elements_of(region)
        changed: dict[str, list[float]] = {}
        for name, value in constants.items():
            values = self.medium(name)
            given = np.asarray(value)
            elements = values[chosen].shape[:1]
            may_be_tensor = name in ("epsilon_r", "mu_r")
            shapes = [(), elements, *([(3, 3), (*elements, 3, 3)] if may_be_tensor else [])]
            if given.dtype.kind not in "fiu" or given.shape not in shapes:
                raise ConfigError(f"set_medium: {name}: a real number is needed, or an array of the shape "
                                  f"{' or '.join(map(str, shapes[1:]))}; found {given.dtype} of the shape {given.shape}")
            if given.ndim < 2 and values.ndim == 3:
                given = given[..., None, None] * np.eye(3)
            if given.ndim >= 2 and values.ndim == 1:
                values = values[:, None, None] * np.eye(3)
            values[chosen] = given
            changed[name] = values.ravel().tolist()
        self._run.change_media(changed)

    def grid(self) -> Grid:
        """The fields now as those of a file are read (docs/results_in_python.md): vectors "E" and "H" on cells whose
        polynomials are evaluated anywhere, on planes, on the boundary; a cell for each element, in the order of `coordinates`.
        Values are read from the device when first asked for, of the moment then."""
        return grid_of(self.field, self.field_names, self.coordinates(), self.units)

    def plot(self, name: str | None = None, *, normal: Literal["x", "y", "z"] = "y", at: float | None = None,
             extent: Sequence[float] | None = None, limit: float | None = None) -> Figure:
        """A slice through a field now, as a Matplotlib figure: a component "E_x", or a magnitude "|E|"; by default the
        strongest component of E. The plane lies across `normal`, at the coordinate `at`, by default near the middle of the
        mesh; `extent` is what of it is shown (u from, u to, v from, v to; of normal x: y, z; of y: z, x; of z: x, y), and
        colours end at `limit`. Results are drawn by `results.plot`."""
        return slice_of(self.grid(), name, normal, at, extent, limit, time_label(self.time, self.units))

    @property
    def results(self) -> Results:
        """What was found so far: the same names whether it is in memory or in files."""
        if self._directory is not None:
            return open_run(self._directory)
        return MemoryResults(self._run, self.units)

    @property
    def warnings(self) -> list[str]:
        """That were given so far; they go to the logger "maxwell_dg", too."""
        return list(self._warnings)

    @property
    def units(self) -> str:
        """"si" or "normalized"."""
        return units_in(self.to_yaml())

    def to_yaml(self) -> str:
        """The config as YAML, with every default filled in. What is in memory alone is not in it: a mesh (MeshData.write makes
        a file of it), functions and arrays of materials."""
        return self._config.yaml()

    def _to_file(self, file: pathlib.Path) -> None:
        """Writes its config as YAML, and beside it a mesh that is in memory. Throws ConfigError for a system of the user's own."""
        if self._own_system:
            raise ConfigError("its system is in memory, and a sweep's runs are made of files; loop over simulations")
        text = self.to_yaml()
        if self._mesh is not None:
            mesh = file.absolute().with_suffix(".h5")
            self._mesh.write(mesh)
            text, found = re.subn(r"^  file: .*$", lambda _: f"  file: {json.dumps(str(mesh))}", text, count=1, flags=re.MULTILINE)
            assert found == 1
        file.write_text(text, encoding="utf-8")

    def __repr__(self) -> str:
        if self._is_closed:
            return "<Simulation, closed>"
        if self._made is None:
            return "<Simulation, not begun>"
        return f"<Simulation at t = {self.time:g}, {self.steps} steps{', ended' if self.has_ended else ''}>"

    def _repr_html_(self) -> str:
        return of_simulation(self)


def _keep(warnings: list[str], level: int, text: str) -> None:
    if level >= logging.WARNING:
        warnings.append(text)


def _say(warnings: list[str], level: int, text: str) -> None:
    if level >= logging.WARNING:
        warnings.append(text)
    _log.log(level, "%s", text)

