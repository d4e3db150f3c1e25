"""The lowest mode of a conducting box, from a mesh to an error."""

import os

import numpy as np

import maxwell_dg as mdg

w = 2**0.5 * np.pi
period = 2 * np.pi / w
simulation = mdg.Simulation(
    units="normalized", device=os.environ.get("MAXWELL_DG_DEVICE", "auto"),
    mesh=mdg.Mesh(box=mdg.Box(min=[0, 0, 0], max=[1, 1, 1], cells=[4, 4, 4])),
    solver=mdg.Solver(order=4, precision="double"),
    materials=[mdg.Material(region="*")], boundaries=[mdg.PEC(region="*")],
    initial_fields=mdg.InitialFields(E=["0", "0", "sin(pi*x)*sin(pi*y)"]),
    time=mdg.Time(end=period))
simulation.run()

# Ez = sin(pi x) sin(pi y) cos(w t), which is back after a period; no field of the others is left.
x, y, _ = np.moveaxis(simulation.coordinates(), -1, 0)
expected = np.sin(np.pi * x) * np.sin(np.pi * y) * np.cos(w * simulation.time)
error = abs(simulation.field("Ez") - expected).max()
print(f"after {simulation.steps} steps, one period: largest error of Ez {error:.2e}")
assert error < 2e-3
