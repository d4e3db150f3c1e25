"""maxwell_dg: curved elements, parts by symmetry. Each level is a config; the results are read from its tables."""

import csv
import math

from compare import problems

NAME = "maxwell_dg"


# The sphere alone is curved: what is around it ends in flat faces. The shell, which is the PML, is cut along the planes
# between its sides and edges, so that its elements stretch along axes alone and none is changed for stability.
SPHERES = """SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, 1, -Pi/2, Pi/2, Pi/2}};
Box(2) = {{0, 0, -{near}, {near}, {near}, 2*{near}}};
Box(3) = {{0, 0, -{air}, {air}, {air}, 2*{air}}};
Box(4) = {{0, 0, -{outer}, {outer}, {outer}, 2*{outer}}};
Box(5) = {{0, 0, -{outer}, {air}, {outer}, 2*{outer}}};
Box(6) = {{0, 0, -{outer}, {outer}, {air}, 2*{outer}}};
Box(7) = {{0, 0, -{air}, {outer}, {outer}, 2*{air}}};
BooleanFragments{{ Volume{{1}}; Delete; }}{{ Volume{{2:7}}; Delete; }}
shell() = Volume{{:}};
shell() -= {{1, 2, 3}};
{without_ball}
Physical Volume("ball") = {{1}};
Physical Volume("near") = {{2}};
Physical Volume("air") = {{3}};
Physical Volume("shell") = shell();
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Field[1] = Ball;
Field[1].Radius = 1.05;
Field[1].VIn = {size_in};
Field[1].VOut = {size};
Field[1].Thickness = 0.2;
Background Field = 1;
"""


def sphere(metal, level, geometry=SPHERES):
    near, air = 1 + level["near"], 1 + level["gap"]
    script = geometry.format(near=near, air=air, outer=air + level["layer"], size=level["size"], size_in=level["size_in"],
                            without_ball="Recursive Delete { Volume{1}; }" if metal else "")
    if metal:
        script = script.replace('Physical Volume("ball") = {1};\n', "")
    frequency = problems.KA / (2 * math.pi)
    materials = "[{region: '*'}]" if metal else "[{region: ball, epsilon_r: 4}, {region: '*'}]"
    injection = ("{type: scattered_field}" if metal else "{type: total_field, regions: [ball, near]}")
    enclosing = "near" if metal else "[ball, near]"
    config = f"""units: normalized
mesh: {{file: mesh.geo, order: {level["geometry"]}}}
symmetry: [{{plane: x, kind: electric}}, {{plane: y, kind: magnetic}}]
materials: {materials}
boundaries: [{{region: "*", type: pec}}]
pml: {{region: shell, thickness: {level["layer"]}}}
solver: {{order: {level["order"]}, precision: single}}
time: {{end: {level["end"]}}}
sources:
  - {{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {injection},
     waveform: {{type: gaussian_pulse, frequency: {frequency:.12g}, bandwidth: {level.get("bandwidth", 0.4)}, delay: {level["delay"]}}}}}
outputs:
  far_field: {{enclosing: {enclosing}, frequencies: [{frequency:.12g}],
     theta: {{from: 0, to: 180, step: 5}}, phi: [0, 90]}}
"""
    return {"mesh.geo": script, "config.yaml": config}


def read_rcs(folder):
    with open(folder / "out/rcs.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    values = {(round(float(r["phi_deg"])), round(float(r["theta_deg"]))): float(r["rcs"]) / math.pi for r in rows}
    return [values[phi, theta] for phi in (0, 90) for theta in problems.THETA]


def cavity(mesh, level, more, omega):
    frequency = omega / (2 * math.pi)
    return f"""units: normalized
{mesh}
materials: [{{region: "*"}}]
boundaries: [{{region: "*", type: pec}}]
solver: {{order: {level["order"]}, precision: double{level.get("solver", "")}}}
time: {{end: {level["end"]}}}
{more}
outputs:
  resonances: {{from: {0.6 * frequency:.6g}, to: {1.4 * frequency:.6g}}}
"""


def ball(level):
    script = f"""SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, 1, 0, Pi/2, Pi/2}};
Mesh.MeshSizeMin = {level["size"]};
Mesh.MeshSizeMax = {level["size"]};
"""
    mesh = f"""mesh: {{file: mesh.geo, order: {level["geometry"]}}}
symmetry: [{{plane: x, kind: magnetic}}, {{plane: y, kind: magnetic}}, {{plane: z, kind: electric}}]"""
    more = """initial_fields: {H: ["-y*(1-0.55*(x^2+y^2+z^2))", "x*(1-0.55*(x^2+y^2+z^2))", "0"]}"""
    config = cavity(mesh, level, more, 2.7437)
    return {"mesh.geo": script, "config.yaml": config + "  probes: [{name: p, at: [0.1, 0.05, 0.1]}]\n"}


def box(level):
    a, b, c = problems.BOX
    cells = level["cells"]
    mesh = f"mesh: {{box: {{min: [0, 0, 0], max: [{a}, {b}, {c}], cells: {cells}}}}}"
    more = f"""initial_fields: {{E: ["0", "0", "sin(pi*x/{a})*sin(pi*y/{b})"]}}"""
    config = cavity(mesh, level, more, math.pi * math.hypot(1 / a, 1 / b))
    return {"config.yaml": config + "  probes: [{name: p, at: [0.3, 0.4, 0.3]}]\n"}


def read_mode(folder):
    with open(folder / "out/resonances.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    strongest = max(rows, key=lambda row: abs(float(row["amplitude"])))
    return [2 * math.pi * float(strongest["frequency"])]


def iris(level):
    half, height, opening = problems.WIDTH / 2, problems.HEIGHT / 2, problems.APERTURE / 2
    begin, end = level["feed"], level["feed"] + problems.THICKNESS
    length = end + level["feed"]
    script = f"""SetFactory("OpenCASCADE");
Box(1) = {{0, 0, 0, {half}, {height}, {begin}}};
Box(2) = {{0, 0, {begin}, {opening}, {height}, {problems.THICKNESS}}};
Box(3) = {{0, 0, {end}, {half}, {height}, {level["feed"]}}};
BooleanFragments{{ Volume{{1}}; Delete; }}{{ Volume{{2, 3}}; Delete; }}
in() = Surface In BoundingBox{{-1, -1, -1e-6, 1, 1, 1e-6}};
out() = Surface In BoundingBox{{-1, -1, {length} - 1e-6, 1, 1, {length} + 1e-6}};
Physical Surface("in") = {{in()}};
Physical Surface("out") = {{out()}};
Physical Volume("guide") = {{1, 2, 3}};
Field[1] = MathEval;
Field[1].F = "Min({level["size"]}, {level["edge"]} + {level["growth"]} * Sqrt((x-{opening})^2 + (Abs(z-{begin + problems.THICKNESS / 2})-{problems.THICKNESS / 2})^2))";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
"""
    first, last = problems.FREQUENCIES[0], problems.FREQUENCIES[-1]
    config = f"""mesh: {{file: mesh.geo, scale: 1}}
symmetry: [{{plane: x, kind: magnetic}}, {{plane: y, kind: electric}}]
materials: [{{region: "*"}}]
boundaries: [{{region: "*", type: pec}}]
ports: [{{name: p1, boundary: in, mode: te10}}, {{name: p2, boundary: out, mode: te10}}]
sources: [{{type: port, waveform: {{type: gaussian_pulse, frequency: 10.3 GHz, bandwidth: 4 GHz}}}}]
solver: {{order: {level["order"]}, precision: single}}
time: {{end: "{level["end"]} ns"}}
outputs: {{s_parameters: {{from: {first:.6g}, to: {last:.6g}, count: {len(problems.FREQUENCIES)}}}}}
"""
    return {"mesh.geo": script, "config.yaml": config}


def read_iris(folder):
    values = []
    for line in (folder / "out/s_parameters.s2p").read_text(encoding="utf-8").splitlines():
        if line and line[0].isdigit():
            numbers = [float(x) for x in line.split()]
            values.append(math.hypot(numbers[1], numbers[2]))
    return values


def sphere_level(order, size_in, size, layer, end, delay=10):
    return {"order": order, "geometry": max(order, 4), "size_in": size_in, "size": size, "near": 0.4, "gap": 0.9,
            "layer": layer, "delay": delay, "end": end}


CASES = {
    "dielectric_sphere": (lambda level: sphere(False, level), read_rcs, [
        # The sphere rings: docs/comparing.md says what an earlier end leaves.
        sphere_level(3, 0.9, 1.2, 1.2, 46, 7), sphere_level(4, 0.9, 1.2, 1.2, 58, 7)]),
    "metal_sphere": (lambda level: sphere(True, level), read_rcs, [
        sphere_level(2, 0.9, 1.0, 1.2, 23), sphere_level(3, 0.9, 1.0, 1.2, 23)]),
    "ball": (ball, read_mode, [{"order": 2, "geometry": 4, "size": 0.8, "end": 15},
                               {"order": 3, "geometry": 4, "size": 0.8, "end": 15},
                               {"order": 4, "geometry": 6, "size": 0.6, "end": 15},
                               {"order": 4, "geometry": 5, "size": 0.5, "end": 15}]),
    "box": (box, read_mode, [{"order": 3, "cells": [1, 1, 1], "end": 10}, {"order": 5, "cells": [1, 1, 1], "end": 10},
                             {"order": 7, "cells": [1, 1, 1], "end": 10}]),
    "iris": (iris, read_iris, [
        {"order": 2, "size": 6e-3, "edge": 2.5e-3, "growth": 0.5, "feed": 10e-3, "end": 5},
        {"order": 5, "size": 12e-3, "edge": 6e-3, "growth": 1, "feed": 10e-3, "end": 5},
        {"order": 4, "size": 8e-3, "edge": 0.8e-3, "growth": 0.7, "feed": 12e-3, "end": 8}]),
}
