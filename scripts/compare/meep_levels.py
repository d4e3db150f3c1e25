"""Settings of Meep's runs, from cheap to fine: points per unit of length (the radius, or the box's unit)."""

SPHERES = [{"resolution": 10}, {"resolution": 16}, {"resolution": 24}, {"resolution": 32}]
LEVELS = {
    "dielectric_sphere": SPHERES,
    "metal_sphere": SPHERES,
    "ball": [{"resolution": 20}, {"resolution": 40}],
    "box": [{"resolution": 20}, {"resolution": 80}],
}
