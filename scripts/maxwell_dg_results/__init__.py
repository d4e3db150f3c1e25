"""Results of maxwell_dg as NumPy arrays, and as pictures.

    import maxwell_dg_results as results

    run = results.open("out/pec_sphere")
    run.energy["total"]                       # a column of energy.csv
    grid = run.fields(-1)                     # the last snapshot
    E = grid.at([[0.0, 0.0, 0.2]], "E")       # [points, 3], the order-N polynomial at these points

Reading needs NumPy alone. What draws is in `figures` and `pictures`, which need Matplotlib, too. docs/results_in_python.md
has an example for each file. Every error of this package is a ResultsError, whose text says where, what and what to do.
"""

from .errors import NothingYet, ResultsError
from .grid import Grid, Plane
from .run import Run, open_run, runs_below
from .tables import (
    FarField,
    PortWaves,
    Resonance,
    Table,
    Touchstone,
    read_far_field,
    read_monostatic,
    read_port_waves,
    read_table,
    read_touchstone,
)
from .vtu import read_pvd, read_vtu

open = open_run  # as `maxwell_dg_results.open`

__all__ = [
    "FarField",
    "Grid",
    "NothingYet",
    "Plane",
    "PortWaves",
    "Resonance",
    "ResultsError",
    "Run",
    "Table",
    "Touchstone",
    "open",
    "open_run",
    "read_far_field",
    "read_monostatic",
    "read_port_waves",
    "read_pvd",
    "read_table",
    "read_touchstone",
    "read_vtu",
    "runs_below",
]
