"""The radar cross section back towards where the wave comes from, over angles of incidence: a run of maxwell_dg for each.

    python3 scripts/monostatic_rcs.py CONFIG --theta 0 180 5 [--phi 0] [--polarization theta|phi] [--output FOLDER]
        [--set key.path=value]...

CONFIG has one plane wave and outputs.far_field; direction, polarization and far-field angles are replaced. The wave comes
from (theta, phi), in degrees, and is polarized along the unit vector of theta or of phi there. FOLDER/monostatic.csv has
the rows that rcs.csv has for that angle; each run's files are in a folder beside it. Kernels are compiled once.
"""

import argparse
import math
import pathlib
import subprocess
import sys


def angles(start, stop, step):
    if step <= 0 or stop < start:
        sys.exit("error: --theta takes FROM TO STEP, with TO at least FROM and STEP above 0")
    return [start + i * step for i in range(int(math.floor((stop - start) / step + 1e-9)) + 1)]


def unit_vectors(theta, phi):
    """Of r, theta and phi."""
    st, ct = math.sin(math.radians(theta)), math.cos(math.radians(theta))
    sp, cp = math.sin(math.radians(phi)), math.cos(math.radians(phi))
    return {"r": (st * cp, st * sp, ct), "theta": (ct * cp, ct * sp, -st), "phi": (-sp, cp, 0.0)}


def text(vector):
    return "[" + ", ".join(repr(x) for x in vector) + "]"


def rows_of(config, theta, phi, polarization, folder, more):
    unit = unit_vectors(theta, phi)
    assignments = [
        "sources.0.direction=" + text([-x for x in unit["r"]]),
        "sources.0.polarization=" + text(unit[polarization]),
        f"outputs.far_field.theta={{from: {theta!r}, to: {theta!r}, step: 1}}",
        f"outputs.far_field.phi=[{phi!r}]",
    ]
    command = ["maxwell_dg", str(config), "--quiet", "--output", str(folder)]
    for assignment in assignments + more:
        command += ["--set", assignment]
    run = subprocess.run(command, check=False)
    if run.returncode != 0:
        sys.exit(run.returncode)
    return (folder / "rcs.csv").read_text(encoding="utf-8").splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", type=pathlib.Path)
    parser.add_argument("--theta", type=float, nargs=3, metavar=("FROM", "TO", "STEP"), default=(0.0, 180.0, 5.0))
    parser.add_argument("--phi", type=float, default=0.0)
    parser.add_argument("--polarization", choices=("theta", "phi"), default="theta")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("out/monostatic"))
    parser.add_argument("--set", dest="assignments", action="append", default=[], metavar="key.path=value")
    arguments = parser.parse_args()
    table = []
    for theta in angles(*arguments.theta):
        folder = arguments.output / f"theta_{theta:g}"
        rows = rows_of(arguments.config, theta, arguments.phi, arguments.polarization, folder, arguments.assignments)
        table += rows if not table else rows[1:]
    (arguments.output / "monostatic.csv").write_text("\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
