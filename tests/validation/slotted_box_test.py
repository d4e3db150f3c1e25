"""The tutorial's box with a slot against two others' values of its shielding. slotted_box_test.py BIN_FOLDER.

- FDTD: openEMS 0.0.35 (https://www.openems.de), run for this test on the whole box with the same filling and walls without
  thickness; cells of 0.9 mm at the slot's long edges, of 4 mm at its ends, 10 mm elsewhere in the box. With 1.5 mm it tells
  the same to 0.2 dB from 250 MHz on.
- The circuit of M. P. Robinson et al., Analytical formulation for the shielding effectiveness of enclosures with apertures,
  IEEE Trans. Electromagn. Compat. 40 (1998) 240-248: the slot is a piece of coplanar line, the box a guide that is shorted
  at its end. It takes the front wall for an infinite one, so that below 500 MHz, where the box is smaller than half a
  wavelength, it tells too little shielding: there it is not compared."""

import cmath
import math

from tutorial import close, files_of, table

WIDTH, HEIGHT, DEPTH, SLOT, SLOT_HEIGHT, PLACE = 0.3, 0.12, 0.3, 0.1, 0.005, 0.15
CONDUCTIVITY = 2e-3
FDTD_DB = {200: 49.4, 250: 46.4, 300: 43.8, 350: 41.5, 400: 39.0, 450: 36.0, 500: 32.1,
           550: 27.5, 600: 22.1, 650: 15.0, 700: 4.1, 750: 12.0, 800: 16.3}
SPEED_OF_LIGHT, FREE_SPACE, EPSILON = 299792458, 376.730313668, 8.8541878128e-12


def circuit_db(frequency):
    """Robinson's model, of a box that is filled with a conducting medium."""
    wavenumber = 2 * math.pi * frequency / SPEED_OF_LIGHT
    root = (1 - (SLOT_HEIGHT / HEIGHT) ** 2) ** 0.25
    line = 120 * math.pi**2 / math.log(2 * (1 + root) / (1 - root))
    slot = 0.5j * SLOT / WIDTH * line * math.tan(wavenumber * SLOT / 2)
    voltage, source = slot / (FREE_SPACE + slot), FREE_SPACE * slot / (FREE_SPACE + slot)
    filling = 1 - 1j * CONDUCTIVITY / (2 * math.pi * frequency * EPSILON)
    guide = cmath.sqrt(wavenumber**2 * filling - (math.pi / WIDTH) ** 2)
    impedance = wavenumber * FREE_SPACE / guide
    there = cmath.cos(guide * PLACE) + 1j * source / impedance * cmath.sin(guide * PLACE)
    tangent = cmath.tan(guide * PLACE)
    before = (source + 1j * impedance * tangent) / (1 + 1j * source / impedance * tangent)
    behind = 1j * impedance * cmath.tan(guide * (DEPTH - PLACE))
    return -20 * math.log10(abs(2 * voltage / there * behind / (before + behind)))


with files_of("slotted_box", "slotted_box") as folder:
    rows = table(folder.compute("slotted_box.yaml") / "shielding.csv")
shielding = {round(row["frequency"] / 1e6): row["middle.electric_db"] for row in rows}
for megahertz, expected in FDTD_DB.items():
    close(f"{megahertz} MHz: shielding in dB against FDTD", shielding[megahertz], expected, 2)
for megahertz in (500, 550, 600, 650, 700, 750, 800):
    close(f"{megahertz} MHz: shielding in dB against the circuit", shielding[megahertz], circuit_db(megahertz * 1e6), 2)
