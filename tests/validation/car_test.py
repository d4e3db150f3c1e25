"""The tutorial's monopole on the roof of a car. car_test.py BIN_FOLDER. Nobody else's values of this car are known; what is
asked is what must be so, whatever the car: the mast resonates a little below the quarter wave of its length, with about the
36 ohm of a monopole; what goes in is radiated; over the road there is no horizontal E; and left and right are the same."""

import math

from tutorial import close, files_of, table

MAST = 0.45
SPEED_OF_LIGHT = 299792458

with files_of("car_monopole", "car") as folder:
    results = folder.compute("car.yaml", time__until__decay="-40 dB")
    waves = table(results / "port_waves.csv")
    antenna = table(results / "antenna.csv")
    directions = table(results / "radiation.csv")

impedances = []
for row in waves:
    reflection = complex(row["b_re"], row["b_im"]) / complex(row["a_re"], row["a_im"])
    impedances.append((row["frequency"], 50 * (1 + reflection) / (1 - reflection)))
resonance, resistance = next((f, z.real) for (f, z), (_, after) in zip(impedances, impedances[1:]) if z.imag < 0 <= after.imag)
close("resonance over that of a quarter wave", resonance * 4 * MAST / SPEED_OF_LIGHT, 0.87, 0.03)
close("resistance there, in ohm", resistance, 36, 5)
for row in antenna:
    # The film of a lumped port takes some power by itself (docs/user_guide.md, Antennas).
    close("radiated over accepted power", row["radiation_efficiency"], 0.99, 0.012)
for row in directions:
    amplitude = math.hypot(row["E_theta_re"], row["E_theta_im"])
    if row["theta_deg"] == 90:
        close("E along the road over E across it", math.hypot(row["E_phi_re"], row["E_phi_im"]) / amplitude, 0, 1e-6)
    if row["theta_deg"] == 60 and row["phi_deg"] == 90:
        mirrored = next(other for other in directions if other["frequency"] == row["frequency"] and
                        other["theta_deg"] == 60 and other["phi_deg"] == 270)
        close("directivity to the left over that to the right", row["directivity"] / mirrored["directivity"], 1, 1e-6)
