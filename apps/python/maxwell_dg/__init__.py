"""Discontinuous Galerkin solvers of Maxwell's equations on GPUs and CPUs.

    import maxwell_dg as mdg

    sim = mdg.Simulation.from_yaml("horn.yaml")
    sim.run()
    sim.results.probes["feed.Ez"]

or from keys of a config, each of which is a class of this module (maxwell_dg.config lists them):

    sim = mdg.Simulation(
        mesh=mdg.Mesh(box=mdg.Box(cells=[8, 8, 8])),
        materials=[mdg.Material(region="*")],
        boundaries=[mdg.PEC(region="*")],
        time=mdg.Time(end="10 ns"),
        ...
    )

Errors are those of maxwell_dg.errors. Messages go to the logger "maxwell_dg" of Python's module logging.
"""

from . import config, errors, examples
from ._programs import find_gmsh_program
from .config import *  # noqa: F403  # the classes of keys
from .devices import Device, devices
from .errors import ConfigError, DeviceError, DivergenceError, Error, MeshError, OutOfDeviceMemory, OutputError
from .fields import Fields
from .results import open_run
from .simulation import Check, Simulation
from .sweeps import SweepPoint, SweepResults, incidences, sweep

find_gmsh_program()

open = open_run  # as `maxwell_dg.open`

__all__ = [
    *config.__all__,
    "Check",
    "ConfigError",
    "Device",
    "DeviceError",
    "DivergenceError",
    "Error",
    "Fields",
    "MeshError",
    "OutOfDeviceMemory",
    "OutputError",
    "Simulation",
    "SweepPoint",
    "SweepResults",
    "config",
    "devices",
    "errors",
    "examples",
    "incidences",
    "open",
    "open_run",
    "sweep",
]
