"""How far two runs of one config are apart: relative L2 over all columns of probes.csv and energy.csv but the first.

    python3 scripts/compare_runs.py RUN REFERENCE [--bound 1e-9]

Without NumPy, and so without maxwell_dg_results: gpu_check runs it on nodes that have a bare Python.
"""

import argparse
import csv
import math
import pathlib
import sys


def columns(file):
    with open(file, encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    return [[float(x) for x in row[1:]] for row in rows]


def difference(a, b):
    if len(a) != len(b):
        sys.exit(f"error: {len(a)} rows against {len(b)}: not the same steps")
    pairs = [(x, y) for p, q in zip(a, b) for x, y in zip(p, q)]
    norm = math.sqrt(sum(y * y for _, y in pairs))
    return math.sqrt(sum((x - y) ** 2 for x, y in pairs)) / norm


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("run", type=pathlib.Path)
parser.add_argument("reference", type=pathlib.Path)
parser.add_argument("--bound", type=float, default=1e-9)
arguments = parser.parse_args()
worst = 0.0
for name in ("probes.csv", "energy.csv"):
    if (arguments.reference / name).exists():
        worst = max(worst, difference(columns(arguments.run / name), columns(arguments.reference / name)))
print(f"{arguments.run.name} against {arguments.reference.name}: {worst:.1e}")
sys.exit(0 if worst <= arguments.bound else 1)
