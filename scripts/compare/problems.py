"""What is computed, and how far a result is from the exact one."""

import math

from compare import exact

KA = 2.0
THETA = list(range(0, 181, 5))  # degrees
BOX = (1.0, 1.2, 0.7)
WIDTH, HEIGHT, APERTURE, THICKNESS = 22.86e-3, 10.16e-3, 12e-3, 2e-3  # of a WR-90 guide and its iris, metres
FREQUENCIES = [8.2e9 + i * 0.6e9 for i in range(8)]  # hertz


def rcs_error(index):
    """The largest deviation in dB where the pattern is within 20 dB of its peak; values are RCS / (pi a^2), first in the
    plane of E, then in that of H."""
    in_e, in_h = exact.sphere_rcs(KA, index, THETA)
    wanted = in_e + in_h

    def error(values):
        floor = max(wanted) / 100
        return max(abs(10 * math.log10(max(v, 1e-30) / w)) for v, w in zip(values, wanted) if w > floor)

    return error


def frequency_error(omega):
    return lambda values: abs(values[0] / omega - 1)


def iris_error(values):
    wanted = [exact.iris_reflection(f, WIDTH, APERTURE, THICKNESS) for f in FREQUENCIES]
    return max(abs(v - w) for v, w in zip(values, wanted))


class Problem:
    def __init__(self, title, unit, bounds, error):
        self.title, self.unit, self.bounds, self.error = title, unit, bounds, error


PROBLEMS = {
    "dielectric_sphere": Problem("dielectric sphere, epsilon_r 4, ka 2: bistatic RCS within 20 dB of the peak", "dB",
                                 [1, 0.3, 0.1, 0.03], rcs_error(2.0)),
    "metal_sphere": Problem("metal sphere, ka 2: the same", "dB", [1, 0.3, 0.1, 0.03], rcs_error(None)),
    "ball": Problem("lowest mode of a metal ball", "", [1e-3, 1e-4, 1e-6], frequency_error(exact.ball_mode())),
    "box": Problem("lowest mode of a metal box", "", [1e-3, 1e-6], frequency_error(exact.box_mode(BOX[0], BOX[1]))),
    "iris": Problem("iris in a WR-90 guide: magnitude of S11 at eight frequencies", "", [1e-2, 5e-3, 1e-3], iris_error),
}
