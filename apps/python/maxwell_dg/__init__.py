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

from maxwell_dg_program import find_gmsh_program, find_nvrtc, find_opencl_driver

from . import config, errors, examples, rtcg, symbolic
from .config import *  # noqa: F403  # the classes of keys
from .devices import Device, devices
from .errors import (
    ArrayError,
    ArrayIndexError,
    CompileError,
    ConfigError,
    DeviceError,
    DivergenceError,
    Error,
    MeshError,
    OutOfDeviceMemory,
    OutputError,
)
from .fields import Fields
from .meshes import MeshData
from .results import open_run
from .simulation import Check, Simulation
from .sweeps import SweepPoint, SweepResults, driven_ports, incidences, sweep
from .system import System

find_gmsh_program()
find_nvrtc()
find_opencl_driver()

open = open_run  # as `maxwell_dg.open`

__all__ = [
    *config.__all__,
    "ArrayError",
    "ArrayIndexError",
    "Check",
    "CompileError",
    "ConfigError",
    "Device",
    "DeviceError",
    "DivergenceError",
    "Error",
    "Fields",
    "MeshData",
    "MeshError",
    "OutOfDeviceMemory",
    "OutputError",
    "Simulation",
    "SweepPoint",
    "SweepResults",
    "System",
    "config",
    "devices",
    "driven_ports",
    "errors",
    "examples",
    "incidences",
    "open",
    "open_run",
    "rtcg",
    "sweep",
    "symbolic",
]
