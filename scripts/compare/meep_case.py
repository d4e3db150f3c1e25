"""One problem with Meep, symmetric in two planes: python3 -m compare.meep_case PROBLEM LEVEL VALUES."""

import json
import math
import pathlib
import sys

import meep as mp
import numpy

from compare import problems


def sphere(metal, level):
    """The wave runs along z with E along x; an empty run is subtracted and gives the incident intensity."""
    frequency, gap, layer = problems.KA / (2 * math.pi), level.get("gap", 0.6), level.get("layer", 1.0)
    half = 1 + gap + layer
    surface = 1 + gap / 2

    def simulation(geometry, incident=None):
        source = mp.Source(mp.GaussianSource(frequency, fwidth=0.6 * frequency, is_integrated=True), component=mp.Ex,
                           center=mp.Vector3(0, 0, -half + layer), size=mp.Vector3(2 * half, 2 * half, 0))
        made = mp.Simulation(cell_size=mp.Vector3(2 * half, 2 * half, 2 * half), resolution=level["resolution"],
                             boundary_layers=[mp.PML(layer)], sources=[source], k_point=mp.Vector3(),
                             geometry=geometry, symmetries=[mp.Mirror(mp.X, phase=-1), mp.Mirror(mp.Y, phase=1)])
        regions = []
        for axis in range(3):
            for side in (1, -1):
                centre, size = numpy.zeros(3), numpy.full(3, 2 * surface)
                centre[axis], size[axis] = side * surface, 0
                regions.append(mp.Near2FarRegion(center=mp.Vector3(*centre), size=mp.Vector3(*size), weight=side))
        near = made.add_near2far(frequency, 0, 1, *regions)
        if incident is not None:
            made.load_minus_near2far_data(near, incident)
        through = made.add_flux(frequency, 0, 1, mp.FluxRegion(center=mp.Vector3(), size=mp.Vector3(1, 1, 0)))
        made.run(until_after_sources=mp.stop_when_fields_decayed(10, mp.Ex, mp.Vector3(0, 0, surface), 1e-5))
        return made, near, through

    empty, near, through = simulation([])
    intensity = mp.get_fluxes(through)[0]
    incident = empty.get_near2far_data(near)
    material = mp.metal if metal else mp.Medium(epsilon=4)
    body = mp.Sphere(1, material=material)
    empty.reset_meep()
    made, near, _ = simulation([body], incident)
    values, far = [], 1e4
    for phi in (0, math.pi / 2):
        for degrees in problems.THETA:
            theta = math.radians(degrees)
            r = (math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta))
            f = made.get_farfield(near, mp.Vector3(*(far * x for x in r)))
            power = numpy.real(numpy.cross(f[:3], numpy.conj(f[3:]))) @ r
            values.append(4 * far**2 * power / intensity)
    return values


def strongest(cell, level, geometry, component, at, frequency, symmetries=(), dimensions=3):
    source = mp.Source(mp.GaussianSource(frequency, fwidth=0.5 * frequency), component=component, center=at)
    made = mp.Simulation(cell_size=cell, resolution=level["resolution"], geometry=geometry, sources=[source],
                         symmetries=list(symmetries), dimensions=dimensions)
    ring = mp.Harminv(component, at, frequency, 0.5 * frequency)
    made.run(mp.after_sources(ring), until_after_sources=30 / frequency)
    mode = max(ring.modes, key=lambda m: abs(m.amp))
    return [2 * math.pi * mode.freq]


def ball(level):
    size = 2.2
    geometry = [mp.Block(mp.Vector3(size, size, size), material=mp.metal), mp.Sphere(1, material=mp.air)]
    return strongest(mp.Vector3(size, size, size), level, geometry, mp.Ez, mp.Vector3(), 2.74 / (2 * math.pi),
                     [mp.Mirror(mp.X), mp.Mirror(mp.Y)])


def box(level):
    """Two-dimensional: the lowest mode does not vary along z."""
    a, b, _ = problems.BOX
    return strongest(mp.Vector3(a, b), level, [], mp.Ez, mp.Vector3(0.1 * a, 0.1 * b),
                     math.hypot(1 / a, 1 / b) / 2, dimensions=2)


def main():
    name, level, to = sys.argv[1:]
    level = json.loads(pathlib.Path(level).read_text(encoding="utf-8"))
    make = {"dielectric_sphere": lambda x: sphere(False, x), "metal_sphere": lambda x: sphere(True, x), "ball": ball,
            "box": box}[name]
    pathlib.Path(to).write_text(json.dumps([float(v) for v in make(level)]), encoding="utf-8")


if __name__ == "__main__":
    main()
