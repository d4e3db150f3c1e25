"""The tutorial's patch antenna against finite differences. patch_antenna_test.py BIN_FOLDER.

It runs at order 3, in half the time of the tutorial's order 4, whose resonance is 0.1 % higher.

The values are of openEMS 0.0.35 (https://www.openems.de), run for this test on the same antenna with the same feed, a strip
of 2 mm with a resistor of 50 ohm. Lines of the grid lie two thirds of a cell within the metal's edges and a third outside.
- The resonance, where the reflection is least, on three grids: cells at the edges of the patch, cells across the laminate.
- The efficiency: of the laminate without losses the largest input resistance is 56.67 ohm, with losses 54.26 ohm (cells of
  1 mm, 4 across the laminate). It goes with the quality factor of the resonance, and that with one over the power that is
  lost or radiated, so their ratio is the share that is radiated. By the quality factor of 41.3 and the loss tangent it is
  0.9585. The far field of openEMS tells up to 5 % more than was accepted, so it is not used."""

from tutorial import close, files_of, table

RESONANCES = {"1 mm, 4": 2.4495e9, "0.5 mm, 4": 2.4465e9, "0.35 mm, 8": 2.4510e9}
EFFICIENCY = 54.26 / 56.67

with files_of("patch_antenna", "patch") as folder:
    results = folder.compute("patch.yaml", solver__order=3)
    waves = table(results / "port_waves.csv")
    antenna = table(results / "antenna.csv")

powers = [row["b_re"] ** 2 + row["b_im"] ** 2 for row in waves]
least = min(range(1, len(powers) - 1), key=lambda i: powers[i])
before, there, after = powers[least - 1 : least + 2]
step = waves[1]["frequency"] - waves[0]["frequency"]
resonance = waves[least]["frequency"] + step * (before - after) / (before - 2 * there + after) / 2
for cells, expected in RESONANCES.items():
    close(f"resonance in GHz, against cells of {cells}", resonance / 1e9, expected / 1e9, 0.005 * expected / 1e9)
for row in antenna:
    name = f"{row['frequency'] / 1e9:g} GHz"
    close(f"{name}: radiated over accepted power", row["radiation_efficiency"], EFFICIENCY, 0.03 * EFFICIENCY)
