"""The shielding of the box with a slot of docs/tutorials/slotted_box.md with openEMS: in scripts/,

    python3 -m compare.openems_slotted_box [CELL]

CELL: of the grid across the slot's long edges, in mm (0.9 if left out; 1.5 tells nearly the same and 3 is a quick look).
Prints the shielding in dB at each frequency; tests/validation/slotted_box_test.py compares with these."""

import math
import sys

from compare.openems_grid import Space, edge, graded, spectrum

WIDTH, HEIGHT, DEPTH, SLOT, SLOT_HEIGHT = 0.3, 0.12, 0.3, 0.1, 0.005
CONDUCTIVITY = 2e-3
FREQUENCIES = [200e6 + 50e6 * i for i in range(13)]
AIR = 0.2  # between the box and the absorbing cells, of which there are eight; the wave enters half way


def grid(cell, walls=10e-3, coarse=25e-3):
    """`walls`: the largest cells in the box, `coarse`: around it."""
    ends, space = max(4e-3, cell), AIR + 8 * coarse
    x = [s * (WIDTH / 2 + space) for s in (-1, 1)] + [s * WIDTH / 2 for s in (-1, 1)]
    y = [s * (HEIGHT / 2 + space) for s in (-1, 1)] + [s * HEIGHT / 2 for s in (-1, 1)]
    for side in (-1, 1):  # the metal is outside of the slot
        x += edge(side * SLOT / 2, ends, -side)
        y += edge(side * SLOT_HEIGHT / 2, cell, -side)
    x.append(0)  # where the probe is
    z = [-space, -cell, 0, cell, DEPTH, DEPTH + space]

    def lines(wanted, low, high):
        inside = [w for w in wanted if low - 1e-9 <= w <= high + 1e-9]
        outside = graded(wanted, coarse)
        return sorted({w for w in outside if w < low - 1e-9 or w > high + 1e-9} | set(graded(inside, walls)))

    return [lines(x, -WIDTH / 2, WIDTH / 2), lines(y, -HEIGHT / 2, HEIGHT / 2), lines(z, 0, DEPTH)]


def shielding(axes):
    space = Space(axes, 500e6, 450e6, 1e-7)
    structure = space.structure
    walls = structure.AddMetal("walls")
    a, b, d, s, h = WIDTH / 2, HEIGHT / 2, DEPTH, SLOT / 2, SLOT_HEIGHT / 2
    for low, high in (([-a, -b, d], [a, b, d]), ([-a, -b, 0], [-a, b, d]), ([a, -b, 0], [a, b, d]), ([-a, -b, 0], [a, -b, d]),
                      ([-a, b, 0], [a, b, d]),  # and the front around the slot:
                      ([-a, -b, 0], [a, -h, 0]), ([-a, h, 0], [a, b, 0]), ([-a, -h, 0], [-s, h, 0]), ([s, -h, 0], [a, h, 0])):
        walls.AddBox(low, high, priority=10)
    structure.AddMaterial("filling", epsilon=1, kappa=CONDUCTIVITY).AddBox([-a, -b, 0], [a, b, d])
    wave = structure.AddExcitation("wave", exc_type=10, exc_val=[0, 1, 0])
    wave.SetPropagationDir([0, 0, 1])
    wave.SetFrequency(500e6)
    wave.AddBox([-a - AIR / 2, -b - AIR / 2, -AIR / 2], [a + AIR / 2, b + AIR / 2, d + AIR / 2])
    y = sorted(axes[1], key=abs)[:2]
    structure.AddProbe("middle", p_type=0).AddBox([0, min(y), d / 2], [0, max(y), d / 2])
    (times, sent), (late, voltage) = space.signals("et", "middle")
    found = []
    for frequency in FREQUENCIES:
        incident = abs(spectrum(times, sent, frequency)) * abs(y[1] - y[0])
        found.append(20 * math.log10(incident / abs(spectrum(late, voltage, frequency))))
    return found


def main():
    cell = float(sys.argv[1]) * 1e-3 if len(sys.argv) > 1 else 0.9e-3
    for frequency, decibels in zip(FREQUENCIES, shielding(grid(cell))):
        print(f"{frequency / 1e6:.0f} MHz: {decibels:.1f} dB")


if __name__ == "__main__":
    main()
