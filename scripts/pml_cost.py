#!/usr/bin/env python3
"""Measures what an element of a PML costs, over what a plain one does, by runs with and without PMLs.

    scripts/pml_cost.py build/release/bin/maxwell_dg --device cuda --cells 24 --order 4

Prints nanoseconds an element and stage, and how many plain elements one of a PML costs in a slab, at an edge, in a
corner of a box, and in a ball. Runs of each kind take turns; the fastest counts. Stages of problems with PMLs may have
another variant than those without: a plain element is one beside a PML, extrapolated from a thin and a thick slab.
"""
import argparse
import itertools
import json
import pathlib
import resource
import subprocess
import tempfile

SIDES = ["x_min", "x_max", "y_min", "y_max", "z_min", "z_max"]
STAGES = 5


def box_config(cells, sides, thickness, options):
    """A box of cubes of size 1 with a PML at some sides; the others are metal."""
    pml = "".join(f"  - {{region: {s}, type: pml, thickness: {thickness}}}\n" for s in sides)
    rest = ", ".join(s for s in SIDES if s not in sides)
    at = [cells / 2 if s + "_max" in sides or s + "_min" not in sides else cells - 0.5 for s in "xyz"]
    return common(options) + pulse(*at) + f"""
mesh: {{box: {{min: [0, 0, 0], max: [{cells}, {cells}, {cells}], cells: [{cells}, {cells}, {cells}]}}}}
boundaries:
{pml}  - {{region: [{rest}], type: pec}}
"""


def ball_config(mesh, pml, options):
    """A ball of so many cells across, of which the outer half of the radius is a PML, or not."""
    layer = f"pml: {{region: shell, thickness: {options.cells / 4}}}" if pml else ""
    return common(options) + pulse(0, 0, 0) + f"""
mesh: {{file: {mesh}}}
boundaries:
  - {{region: outer, type: absorbing}}
{layer}
"""


def write_ball(cells, path):
    """Cubes of size 1 about the origin, each cut into six tetrahedra, moved along rays so that cubes become spheres, as
    MSH 2.2. Returns the number of elements of the shell."""
    corners = list(itertools.product(range(cells + 1), repeat=3))
    number = {c: i + 1 for i, c in enumerate(corners)}

    def moved(corner):
        x = [i - cells / 2 for i in corner]
        length = sum(c * c for c in x)**0.5
        return [c * max(map(abs, x)) / length if length else c for c in x]

    lines = []
    shell = 0
    for cube in itertools.product(range(cells), repeat=3):
        depth = max(abs(2 * i + 1 - cells) for i in cube)  # of the cube's centre, in half cells
        region = 2 if depth > cells // 2 else 1
        for order in itertools.permutations(range(3)):
            at, nodes = list(cube), [tuple(cube)]
            for axis in order:
                at[axis] += 1
                nodes.append(tuple(at))
            if order not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # right-handed
                nodes[0], nodes[1] = nodes[1], nodes[0]
            shell += region == 2
            lines.append(f"4 2 {region} {region} " + " ".join(str(number[n]) for n in nodes))
            for skipped in range(4):
                face = [n for i, n in enumerate(nodes) if i != skipped]
                if any(all(n[axis] == side for n in face) for axis in range(3) for side in (0, cells)):
                    lines.append("2 2 3 3 " + " ".join(str(number[n]) for n in face))
    points = "\n".join(f"{number[c]} " + " ".join(f"{x:.15g}" for x in moved(c)) for c in corners)
    elements = "\n".join(f"{i + 1} {line}" for i, line in enumerate(lines))
    names = '3\n3 1 "inside"\n3 2 "shell"\n2 3 "outer"'
    path.write_text(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{names}\n$EndPhysicalNames\n$Nodes\n"
                    f"{len(corners)}\n{points}\n$EndNodes\n$Elements\n{len(lines)}\n{elements}\n$EndElements\n")
    return shell


def pulse(x, y, z):
    """In what is no PML: what it does to fields that are there from the beginning is no physics."""
    return f'initial_fields: {{E: ["0", "0", "exp(-2*((x-{x})^2+(y-{y})^2+(z-{z})^2))"]}}\n'


def common(options):
    return f"""units: normalized
solver: {{order: {options.order}, precision: {options.precision}, integrator: lsrk54, tuning_seconds: 0}}
materials: [{{region: "*", epsilon_r: 1}}]
"""


def run(options, config, end, folder):
    path = pathlib.Path(folder) / "run.yaml"
    path.write_text(config + f"time: {{end: {end}}}\noutputs: {{directory: {folder}/out}}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([options.program, "--device", options.device, str(path)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    found = json.loads((pathlib.Path(folder) / "out" / "summary.json").read_text())
    found["processor"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found


def nanoseconds(options, config, folder, known):
    """An element and stage: of the loop, or the processor's time by the difference of a long and a short run."""
    known.update(run(options, config, options.end, folder))
    seconds, steps = known["loop_seconds"], known["steps"]
    if options.processor_time:
        short = run(options, config, options.end / 10, folder)
        seconds, steps = known["processor"] - short["processor"], steps - short["steps"]
    return seconds / steps / STAGES / known["elements"] * 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--cells", type=int, default=24, help="along each side of a box: 6 elements each")
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument("--precision", default="single")
    parser.add_argument("--end", type=float, default=20, help="of the runs, in times of light through a cell")
    parser.add_argument("--ball-mesh", help="of `--write-ball`, for programs without Gmsh")
    parser.add_argument("--write-ball", help="write the mesh of the ball to this .msh, and measure nothing")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--kinds", default="slab,edge,corner,ball")
    parser.add_argument("--processor-time", action="store_true", help="user and system time instead of the loop's")
    options = parser.parse_args()
    n = options.cells
    if options.write_ball:
        write_ball(n, pathlib.Path(options.write_ball))
        return
    wanted = options.kinds.split(",")
    with tempfile.TemporaryDirectory() as folder:
        ball = pathlib.Path(folder) / "ball.msh"
        shell = write_ball(n, ball) if "ball" in wanted else 0
        mesh = pathlib.Path(options.ball_mesh).resolve() if options.ball_mesh else ball
        configs = {"plain": box_config(n, [], 1, options),
                   "thin": box_config(n, ["x_min"], 1, options),
                   "slab": box_config(n, ["x_min", "x_max"], n // 2 - 1, options),
                   "edge": box_config(n, ["x_min", "y_min"], n - 1, options),
                   "corner": box_config(n, ["x_min", "y_min", "z_min"], n - 1, options),
                   "plain ball": ball_config(mesh, False, options), "ball": ball_config(mesh, True, options)}
        kinds = [k for k in configs if k in wanted or k in ("plain", "thin", "slab") or
                 (k == "plain ball" and "ball" in wanted)]
        times, known = {k: [] for k in kinds}, {k: {} for k in kinds}
        for _ in range(options.repeats):
            for k in kinds:
                times[k].append(nanoseconds(options, configs[k], folder, known[k]))
    best = {k: min(t) for k, t in times.items()}
    s, thick = (n - 1) / n, 2 * (n // 2 - 1) / n  # the share of the PML along an axis: at edges and corners; slabs
    slab = (best["slab"] - best["thin"]) / (thick - 1 / n)  # what one element takes more
    beside = best["thin"] - slab / n
    more = {}
    for k in kinds:
        if k == "slab":
            more[k] = slab
        elif k == "edge":
            more[k] = (best[k] - beside - 2 * s * (1 - s) * slab) / s**2
        elif k == "corner" and "edge" in kinds:
            more[k] = (best[k] - beside - 3 * s * (1 - s)**2 * slab - 3 * s**2 * (1 - s) * more["edge"]) / s**3
        elif k == "ball":
            more[k] = (best[k] - best["plain ball"] * beside / best["plain"]) * known[k]["elements"] / shell
        cost = f"{1 + more[k] / beside:.2f} plain elements" if k in more else ""
        print(f"{k:10} {best[k]:8.3f} ns an element and stage (all: {' '.join(f'{t:.3f}' for t in times[k])}) "
              f"{known[k]['kernel_variant']} {cost}")
    print(f"{'beside':10} {beside:8.3f}")


if __name__ == "__main__":
    main()
