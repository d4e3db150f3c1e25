"""What a call of step(1) from Python costs beside the program, which makes the same steps at once: step_overhead.py PROGRAM
[DEVICE] [CALLS].

The program's time is its time loop, over which it counts steps; both make the same number of steps of the same problem, in
turns, and the least of three counts. Asked are 5 microseconds a call on 2,000 elements and 1 % on 80,000, on a GPU.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import maxwell_dg as mdg


def keys(cells, end, device):
    return {
        "units": "normalized",
        "device": device,
        "mesh": mdg.Mesh(box=mdg.Box(min=[0, 0, 0], max=[1, 1, 1], cells=cells)),
        "solver": mdg.Solver(order=4, precision="single", tuning_seconds=0),
        "time": mdg.Time(end=end),
        "materials": [mdg.Material(region="*")],
        "boundaries": [mdg.PEC(region="*")],
        "initial_fields": mdg.InitialFields(E=["0", "0", "sin(pi*x)*sin(pi*y)"]),
    }


def seconds_of_program(program, simulation, folder):
    config = folder / "cavity.yaml"
    config.write_text(simulation.to_yaml())
    out = folder / "out"
    subprocess.run([program, config, "--quiet", "--output", out], check=True)
    summary = json.loads((out / "summary.json").read_text())
    return summary["loop_seconds"] / summary["steps"]


def seconds_of_calls(made, calls):
    with mdg.Simulation(**made) as simulation:
        simulation.step(calls // 10)
        simulation.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            simulation.step(1)
        simulation.synchronize()
        one_by_one = (time.perf_counter() - begin) / calls
        begin = time.perf_counter()
        simulation.step(calls)
        simulation.synchronize()
        return one_by_one, (time.perf_counter() - begin) / calls


def main():
    program, device = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cuda"
    calls = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    failed = False
    for cells, most_microseconds, most_share in (([7, 7, 7], 5.0, None), ([23, 24, 24], None, 0.01)):
        dt = mdg.Simulation(**keys(cells, 1.0, device)).check().dt
        made = keys(cells, (2 * calls + calls // 10 + 10) * dt, device)
        elements = mdg.Simulation(**made).check().elements
        of_program, of_calls, of_one_call = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(3):
                of_program.append(seconds_of_program(program, mdg.Simulation(**made), pathlib.Path(folder)))
                one_by_one, at_once = seconds_of_calls(made, calls)
                of_calls.append(one_by_one)
                of_one_call.append(at_once)
        least = min(of_program)
        more = min(of_calls) - least
        print(f"{elements} elements: the program {1e6 * least:.2f} microseconds a step, {calls} calls of step(1) "
              f"{1e6 * min(of_calls):.2f}, step({calls}) {1e6 * min(of_one_call):.2f}; a call costs {1e6 * more:.2f} microseconds "
              f"more, {100 * more / least:.2f} %", flush=True)
        failed = failed or (most_microseconds is not None and 1e6 * more > most_microseconds)
        failed = failed or (most_share is not None and more / least > most_share)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
