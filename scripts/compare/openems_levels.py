"""Settings of openEMS's runs, from cheap to fine: cells along a unit of length (the radius, or the box's unit)."""

SPHERES = [{"resolution": 8}, {"resolution": 12}, {"resolution": 18}]
LEVELS = {
    "dielectric_sphere": SPHERES,
    "metal_sphere": SPHERES,
    "box": [{"resolution": 15}, {"resolution": 40}],
}
