"""Whether simulations that are dropped leave memory behind: leaks.py [SIMULATIONS].

Makes so many one after the other, each with a few steps, shared fields, results and a check; some are closed, some dropped, some
end by an exception. The growth of the process's memory from the second quarter of them to the last has a bound for each
simulation; the first ones fill caches. Every so often it is printed.
"""

import gc
import statistics
import sys

import numpy as np

import maxwell_dg as mdg
from meshes_test import cube
from simulation_test import cavity

BOUND = 20_000  # bytes a simulation; the state of one alone has 272,160
KEPT = 3_000_000  # bytes that the allocator keeps at times and gives back at others, as 240 simulations showed


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def one(number, mesh):
    keys = cavity(mesh=mesh) if number % 3 == 0 else cavity()
    if number % 5 == 0:
        keys["materials"] = [mdg.Material(region="*", epsilon_r=lambda x, y, z: 1 + x)]
    simulation = mdg.Simulation(**keys)
    if number % 2 == 0:
        simulation.check()
    simulation.step(2)
    fields = simulation.fields()
    kept = fields["E"], np.from_dlpack(fields["Hx"])
    simulation.field("Ez")
    if number % 7 == 0:

        def callback(_):
            raise KeyError("mine")

        try:
            simulation.run(callback)
        except KeyError:
            pass
    results = simulation.finish()
    results.probes["middle.Ez"]
    if number % 4 == 0:
        simulation.close()
    return kept[0].sum() + kept[1].sum()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    mesh = mdg.MeshData(*cube())
    after = []  # each simulation, the bytes
    for number in range(1, count + 1):
        one(number, mesh)
        gc.collect()
        after.append(resident_bytes())
        if number % max(1, count // 10) == 0:
            print(f"{number} simulations: {after[-1] / 1e6:.1f} MB", flush=True)
    quarter = count // 4
    growth = statistics.median(after[-quarter:]) - statistics.median(after[quarter : 2 * quarter])
    allowed = BOUND * (count - 2 * quarter) + KEPT
    print(f"{growth:.0f} bytes more in the last quarter than in the second one; allowed are {allowed}")
    return 0 if growth < allowed else 1


if __name__ == "__main__":
    sys.exit(main())
