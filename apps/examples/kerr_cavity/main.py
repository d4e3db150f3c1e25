"""A coupled problem: a medium that follows the field in it, by a callback between the steps.

A cavity is filled with a Kerr medium, epsilon_r = 1 + chi <|E|^2>, whose mean is taken over some periods, in each element. So
the cavity rings lower the stronger its field is. For a small chi the shift is that of perturbation theory:
minus half of the change of epsilon_r, weighted with |E|^2, which for the lowest mode is 9/16 of the largest change.
"""

import math

import numpy as np
from numpy.typing import NDArray

import maxwell_dg as mdg

CHI, PERIOD = 0.2, math.sqrt(2)

sim = mdg.Simulation(
    units="normalized", device="cpu",
    mesh=mdg.Mesh(box=mdg.Box(min=[0, 0, 0], max=[1, 1, 0.5], cells=[4, 4, 2])),
    solver=mdg.Solver(order=3, tuning_seconds=0),
    materials=[mdg.Material(region="*")],
    boundaries=[mdg.PEC(region="*")],
    initial_fields=mdg.InitialFields(E=["0", "0", "sin(pi*x)*sin(pi*y)"]),
    outputs=mdg.Outputs(probes=[mdg.Probe(name="middle", at=[0.5, 0.5, 0.25])]),
    time=mdg.Time(end=8 * PERIOD))


def intensity() -> NDArray[np.float64]:
    """[element] The mean of |E|^2 over the nodes."""
    E = np.stack([sim.field(name) for name in ("Ex", "Ey", "Ez")])
    return np.asarray(np.mean((E**2).sum(axis=0), axis=1))


mean = intensity() / 2  # over a period, since the field is at its largest now
last = 0.0


def follow(run: mdg.Simulation) -> None:
    global mean, last
    mean += (intensity() - mean) * (run.time - last) / (5 * PERIOD)
    last = run.time
    run.set_medium(epsilon_r=1 + CHI * mean)


results = sim.run(follow, every=3)
time, signal = results.probes["time"], results.probes["middle.Ez"]
before = np.flatnonzero(np.diff(np.sign(signal)))
zeros = time[before] - signal[before] * np.diff(time)[before] / np.diff(signal)[before]
shift = PERIOD / (2 * np.diff(zeros).mean()) - 1
largest = CHI * (signal[0] / (1 + CHI / 2)) ** 2 / 2  # D stays when the medium is put in
expected = -largest / 2 * 9 / 16
print(f"the frequency is shifted by {100 * shift:.2f} %, by perturbation theory {100 * expected:.2f} %")
assert abs(shift / expected - 1) < 0.1
