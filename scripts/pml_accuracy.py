#!/usr/bin/env python3
"""Measures how far the bistatic cross section of a sphere (ka = 2) is from the Mie series, by the PML around it.

    scripts/pml_accuracy.py build/release/bin/maxwell_dg --kinds box,shell --orders 2,3,4

Prints the largest deviation in dB within 20 dB of the peak. The sphere and the boxes around it are those of
scripts/compare; where the kind is `shell`, spheres take the place of these boxes, and nearly all elements are curved.
Where it is `near`, a sphere takes the place of the inner one alone, through which the far field is taken. The program
must have Gmsh.
"""
import argparse
import itertools
import json
import math
import pathlib
import subprocess
import tempfile

from compare import ours, problems

SHELLS = """SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, 1, -Pi/2, Pi/2, Pi/2}};
Sphere(2) = {{0, 0, 0, {near}, -Pi/2, Pi/2, Pi/2}};
Sphere(3) = {{0, 0, 0, {air}, -Pi/2, Pi/2, Pi/2}};
Sphere(4) = {{0, 0, 0, {outer}, -Pi/2, Pi/2, Pi/2}};
BooleanFragments{{ Volume{{1}}; Delete; }}{{ Volume{{2:4}}; Delete; }}
{without_ball}
Physical Volume("ball") = {{1}};
Physical Volume("near") = {{2}};
Physical Volume("air") = {{3}};
Physical Volume("shell") = {{4}};
"""
NEAR_BOX = "Box(2) = {{0, 0, -{near}, {near}, {near}, 2*{near}}};"
NEAR_SPHERE = "Sphere(2) = {{0, 0, 0, {near}, -Pi/2, Pi/2, Pi/2}};"


def geometry(kind):
    """The text of a .geo file, to be formatted."""
    if kind == "shell":
        return SHELLS + ours.SPHERES[ours.SPHERES.index("Mesh.MeshSizeExtendFromBoundary"):]
    return ours.SPHERES.replace(NEAR_BOX, NEAR_SPHERE) if kind == "near" else ours.SPHERES


def files_of(options, metal, kind, order, reflection):
    """The files of a run, by name. An empty `reflection` is the program's choice."""
    level = {"order": order, "geometry": max(order, 4), "size_in": options.size_in, "size": options.size, "near": options.near,
             "gap": options.gap, "layer": options.thickness, "delay": options.delay or (10 if metal else 7),
             "end": options.end or (23 if metal else 80)}
    files = ours.sphere(metal, level, geometry(kind))
    if reflection:
        files["config.yaml"] = files["config.yaml"].replace("pml: {", f"pml: {{reflection: {reflection}, ")
    return files


def measure(options, sphere, kind, order, reflection):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in files_of(options, sphere == "metal", kind, int(order), reflection).items():
            (folder / file).write_text(text, encoding="utf-8")
        done = subprocess.run([pathlib.Path(options.program).resolve(), "config.yaml", "--output", "out", "--quiet"],
                              cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)
        summary = json.loads((folder / "out/summary.json").read_text(encoding="utf-8"))
        error = problems.PROBLEMS[sphere + "_sphere"].error(ours.read_rcs(folder))
    print(f"{sphere:10} {kind:5} order {order}: {error:.3f} dB, {summary['elements']} elements, "
          f"R {summary['pml']['reflection']:.1e}, {summary['loop_seconds']:.1f} s", flush=True)
    if error > options.bound:
        raise SystemExit(f"error: off by {error:.3f} dB, more than {options.bound:g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--spheres", default="metal", help="a list: metal, dielectric")
    parser.add_argument("--kinds", default="box,shell", help="a list: box, shell, near")
    parser.add_argument("--orders", default="2,3,4")
    parser.add_argument("--reflections", default="", help="a list; an empty entry is the program's choice")
    parser.add_argument("--size", type=float, default=1, help="of elements, beyond the sphere")
    parser.add_argument("--size-in", type=float, default=0.9, help="of those in the sphere and at its surface")
    parser.add_argument("--near", type=float, default=0.4, help="from the sphere to the far field's surface")
    parser.add_argument("--gap", type=float, default=0.9, help="from the sphere to the PML")
    parser.add_argument("--thickness", type=float, default=1.2, help="of the PML")
    parser.add_argument("--delay", type=float, help="of the pulse; 10 for metal, 7 for a dielectric if left out")
    parser.add_argument("--end", type=float, help="of the run; 23 for metal, 80 for a dielectric, which rings, if left out")
    parser.add_argument("--bound", type=float, default=math.inf, help="fail where a result is farther off, in dB")
    options = parser.parse_args()
    for run in itertools.product(options.spheres.split(","), options.kinds.split(","), options.orders.split(","),
                                 options.reflections.split(",")):
        measure(options, *run)


if __name__ == "__main__":
    main()
