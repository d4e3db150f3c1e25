"""The patch antenna of docs/tutorials/patch_antenna.md with openEMS: in scripts/,

    python3 -m compare.openems_patch [CELL [LAYERS]]

CELL: of the grid at the edges of the patch, in mm (1 if left out); LAYERS of cells in the laminate (4 if left out). Prints
where the reflection is least, and the largest input resistance without losses in the laminate and with them, whose ratio is
the efficiency (tests/validation/patch_antenna_test.py says why and compares with these). For the feed this uses a lumped
element, an excitation and probes, since openEMS 0.0.35's class of ports does not run with NumPy 1.24."""

import math
import sys

import numpy

from compare.openems_grid import Space, edge, graded, spectrum

LENGTH, WIDTH, SIDE, HEIGHT = 32e-3, 40e-3, 60e-3, 1.524e-3  # the patch along x and y, its laminate
FEED, STRIP, RESISTANCE = -6e-3, 2e-3, 50.0
PERMITTIVITY, CONDUCTIVITY = 3.38, 4.6068e-4
SPACE = 70e-3  # between the laminate and the end of the grid, with the absorbing cells
FREQUENCIES = [2.3e9 + 0.5e6 * i for i in range(601)]


def grid(cell, layers):
    x, y = [[s * (SIDE / 2 + SPACE) for s in (-1, 1)] for _ in range(2)]
    for side in (-1, 1):
        x += edge(side * LENGTH / 2, cell, side) + edge(side * SIDE / 2, 4e-3, side)
        y += edge(side * WIDTH / 2, cell, side) + edge(side * SIDE / 2, 4e-3, side)
    x.append(FEED)
    y += [-STRIP / 2, 0, STRIP / 2]
    z = [-SPACE, *[HEIGHT * i / layers for i in range(layers + 1)], HEIGHT + SPACE]
    return [graded(along, 5e-3) for along in (x, y, z)]


def input_impedance(cell, layers, conductivity):
    space = Space(grid(cell, layers), 2.4e9, 0.8e9, 1e-6)
    structure = space.structure
    structure.AddMetal("patch").AddBox([-LENGTH / 2, -WIDTH / 2, HEIGHT], [LENGTH / 2, WIDTH / 2, HEIGHT], priority=10)
    structure.AddMetal("ground").AddBox([-SIDE / 2, -SIDE / 2, 0], [SIDE / 2, SIDE / 2, 0], priority=10)
    laminate = structure.AddMaterial("laminate", epsilon=PERMITTIVITY, kappa=conductivity)
    laminate.AddBox([-SIDE / 2, -SIDE / 2, 0], [SIDE / 2, SIDE / 2, HEIGHT])
    low, high, middle = [FEED, -STRIP / 2, 0], [FEED, STRIP / 2, HEIGHT], HEIGHT * (layers // 2 + 0.5) / layers
    structure.AddLumpedElement("resistor", ny=2, caps=True, R=RESISTANCE).AddBox(low, high, priority=5)
    structure.AddExcitation("feed", exc_type=0, exc_val=[0, 0, -1]).AddBox(low, high, priority=5)
    structure.AddProbe("voltage", p_type=0, weight=-1).AddBox([FEED, 0, 0], [FEED, 0, HEIGHT])
    structure.AddProbe("current", p_type=1, norm_dir=2).AddBox([FEED, -STRIP / 2, middle], [FEED, STRIP / 2, middle])
    (times, voltage), (later, current) = space.signals("voltage", "current")
    return numpy.array([spectrum(times, voltage, f) / spectrum(later, current, f) for f in FREQUENCIES])


def main():
    cell = float(sys.argv[1]) * 1e-3 if len(sys.argv) > 1 else 1e-3
    layers = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    lossy, lossless = (input_impedance(cell, layers, conductivity) for conductivity in (CONDUCTIVITY, 0.0))
    reflection = abs((lossy - RESISTANCE) / (lossy + RESISTANCE))
    print(f"least reflection at {FREQUENCIES[int(reflection.argmin())] / 1e9:.4f} GHz: {20 * math.log10(reflection.min()):.1f} dB")
    peaks = [float(impedance.real.max()) for impedance in (lossless, lossy)]
    print(f"largest input resistance: {peaks[0]:.2f} ohm without losses, {peaks[1]:.2f} ohm with them: efficiency "
          f"{peaks[1] / peaks[0]:.4f}")


if __name__ == "__main__":
    main()
