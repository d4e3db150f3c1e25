"""Bring your own equations: waves in a cold plasma, Maxwell's equations with a current that the field accelerates,

    dE/dt = curl H - J,   dH/dt = -curl E,   dJ/dt = wp^2 E.

Nothing but the symbols below is written for it: kernels, their tuning, time stepping and results come along. The run checks the
plasma's dispersion relation, w^2 = k^2 + wp^2, in a conducting box. In C++: main.cpp beside.
"""

import math
import os
import sys

import maxwell_dg as mdg
from maxwell_dg.symbolic import Vector, cross, curl, inside, jump, normal


def plasma() -> mdg.System:
    system = mdg.System("plasma", "waves in a cold plasma")
    E, H, J = system.vector("E"), system.vector("H"), system.vector("J")
    wp = inside(system.parameter("plasma_frequency", 1.0))
    n = normal()

    system.volume({E: curl(H) - inside(J), H: -curl(E), J: wp * wp * inside(E)})
    # Upwind flux in vacuum; the current is local, nothing of it crosses a face.
    system.flux({E: -0.5 * cross(n, jump(H) - cross(n, jump(E))), H: 0.5 * cross(n, jump(E) + cross(n, jump(H)))})
    system.boundary("pec", {E: -inside(E), H: inside(H), J: inside(J)}, conducts=True)
    system.max_speed(1.0)
    half = 0.5 * Vector(1, 1, 1)
    system.energy("total", {E: half, H: half, J: half / (wp * wp)})
    return system


def main() -> int:
    wp = 5.0
    w = math.sqrt(2 * math.pi**2 + wp**2)
    shape = "sin(pi*x)*sin(pi*y)"
    mode = {
        "E": ["0", "0", f"{shape}*cos(w*t)"],
        "H": ["-(pi/w)*sin(pi*x)*cos(pi*y)*sin(w*t)", "(pi/w)*cos(pi*x)*sin(pi*y)*sin(w*t)", "0"],
        "J": ["0", "0", f"wp^2/w*{shape}*sin(w*t)"],
    }
    simulation = mdg.Simulation(
        system=plasma(),
        units="normalized",
        device=os.environ.get("MAXWELL_DG_DEVICE", "auto"),
        constants={"w": w, "wp": wp},
        mesh=mdg.Mesh(box=mdg.Box(min=[0, 0, 0], max=[1, 1, 1], cells=[3, 3, 3])),
        solver=mdg.Solver(order=5, precision="double", tuning_seconds=0),
        time=mdg.Time(end=2 * math.pi / w),
        materials=[{"region": "*", "plasma_frequency": wp}],
        boundaries=[{"region": "*", "type": "pec"}],
        initial_fields={"E": ["0", "0", shape]},
        reference_solution=mode,
    )
    error = simulation.run().summary["error"]["E"]["l2"]
    print(f"plasma oscillation at w = {w:.4f}: L2 error of E after one period {error:.2e}")
    return 0 if error < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
