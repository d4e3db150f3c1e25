"""Settings of NGSolve's runs, from cheap to fine. A quarter of a sphere, an eighth of a ball."""

SPHERES = [
    {"order": 3, "size_in": 0.8, "size": 1.2, "gap": 0.5, "layer": 1.0},
    {"order": 3, "size_in": 0.6, "size": 0.9, "gap": 0.5, "layer": 1.0},
    {"order": 4, "size_in": 0.6, "size": 0.9, "gap": 0.5, "layer": 1.0},
    {"order": 5, "size_in": 0.6, "size": 0.9, "gap": 0.5, "layer": 1.2},
]
LEVELS = {
    "dielectric_sphere": SPHERES,
    "metal_sphere": SPHERES,
    "ball": [{"order": 2, "size": 0.7}, {"order": 3, "size": 0.7}, {"order": 4, "size": 0.7}, {"order": 5, "size": 0.7}],
    "box": [{"order": 3, "size": 1.2}, {"order": 5, "size": 1.2}, {"order": 7, "size": 1.2}],
    "iris": [{"order": 3, "size": 8e-3, "edge": 1.5e-3}, {"order": 4, "size": 8e-3, "edge": 1.5e-3},
             {"order": 4, "size": 8e-3, "edge": 0.8e-3},
             {"order": 4, "size": 8e-3, "edge": 0.3e-3}],
}
