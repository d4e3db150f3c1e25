"""The tutorial's horn against the gain of its aperture. horn_test.py BIN_FOLDER. The field in the aperture is TE10 with a
phase that grows as the square of the distance from the middle, and radiates as in free space (C. A. Balanis, Antenna
Theory, section 13.4)."""

import cmath
import math

from tutorial import close, files_of, table

GUIDE, APERTURE, LENGTH = (22.86e-3, 10.16e-3), (60e-3, 45e-3), 50e-3
SPEED_OF_LIGHT = 299792458


def line(width, apex, wavenumber, shape):
    """The mean over a side of the aperture of shape * exp(-j k x^2 / (2 apex)), squared, over the mean of shape^2."""
    count = 2000
    points = [((i + 0.5) / count - 0.5) * width for i in range(count)]
    total = sum(shape(x / width) * cmath.exp(-0.5j * wavenumber * x * x / apex) for x in points) / count
    return abs(total) ** 2 / (sum(shape(x / width) ** 2 for x in points) / count)


def aperture_gain_dbi(frequency):
    wavenumber = 2 * math.pi * frequency / SPEED_OF_LIGHT
    apex = [LENGTH * side / (side - throat) for side, throat in zip(APERTURE, GUIDE)]
    share = line(APERTURE[0], apex[0], wavenumber, lambda s: math.cos(math.pi * s))
    share *= line(APERTURE[1], apex[1], wavenumber, lambda s: 1)
    return 10 * math.log10(wavenumber**2 / math.pi * APERTURE[0] * APERTURE[1] * share)


with files_of("horn_antenna", "horn") as folder:
    rows = table(folder.compute("horn.yaml") / "antenna.csv")
assert len(rows) == 3
for row in rows:
    name = f"{row['frequency'] / 1e9:g} GHz"
    close(f"{name}: gain in dBi", row["gain_dbi"], aperture_gain_dbi(row["frequency"]), 0.4)
    close(f"{name}: radiated over accepted power", row["radiation_efficiency"], 1, 2e-3)
    close(f"{name}: degrees from the axis", row["theta_deg"], 0, 0.1)
    assert row["s11_db"] < -17, row["s11_db"]
