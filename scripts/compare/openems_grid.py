"""Grids and runs that openEMS's antennas and boxes share. Lengths in metres."""

import math
import os
import pathlib
import tempfile

import numpy
from CSXCAD import ContinuousStructure
from openEMS import openEMS

C0 = 299792458.0
Z0 = 376.730313668
EPSILON = 8.8541878128e-12


def edge(at, cell, outwards):
    """The two lines about the edge of metal without thickness. The field at an edge makes metal look a third of a cell
    longer than its last line, which is therefore a third of a cell within; `outwards` is +1 or -1."""
    return [at - outwards * cell / 3, at + outwards * 2 * cell / 3]


def graded(wanted, largest, ratio=1.3):
    """Lines through all of `wanted`, at most `largest` apart; intervals grow by `ratio` at most from one to the next, as far as
    the wanted lines allow that."""
    lines = sorted(set(wanted))
    fine = min(b - a for a, b in zip(lines, lines[1:]))
    result = [lines[0]]
    gaps = [b - a for a, b in zip(lines, lines[1:])]

    def size(x):
        """The interval that is allowed at x: small where wanted lines are close."""
        return min([largest] + [gap + (ratio - 1) * max(a - x, x - b, 0) for a, b, gap in zip(lines, lines[1:], gaps)])

    for a, b in zip(lines, lines[1:]):
        steps, x = [], a
        while x < b:
            step = max(min(size(x), size(x + size(x))), fine)
            steps.append(step)
            x += step
        scale = (b - a) / sum(steps)
        inner = numpy.cumsum(steps) * scale + a
        result += [float(y) for y in inner[:-1]] + [b]
    return result


def spectrum(times, values, frequency):
    return 2 * numpy.sum(values * numpy.exp(-2j * math.pi * frequency * times)) * (times[1] - times[0])


class Space:
    """Open space with a grid, and what is in it."""

    def __init__(self, grid, frequency, half_bandwidth, end, steps=200000):
        self.simulation = openEMS(EndCriteria=end, NrTS=steps)
        self.simulation.SetGaussExcite(frequency, half_bandwidth)
        self.simulation.SetBoundaryCond(["PML_8"] * 6)
        self.structure = ContinuousStructure()
        self.simulation.SetCSX(self.structure)
        lines = self.structure.GetGrid()
        lines.SetDeltaUnit(1)
        for axis, along in zip("xyz", grid):
            lines.AddLine(axis, numpy.array(along))
        print(f"{math.prod(len(along) - 1 for along in grid)} cells", flush=True)

    def signals(self, *names):
        """Runs it, on as many threads as OMP_NUM_THREADS says; of each probe, and of the excitation `et`, times and values."""
        threads = int(os.environ.get("OMP_NUM_THREADS", "0"))  # 0: of all cores those that are fastest
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.simulation.Run(folder, cleanup=False, numThreads=threads)  # it changes the current folder
            finally:
                os.chdir(here)
            return [numpy.loadtxt(pathlib.Path(folder, name), comments="%", usecols=(0, 1), unpack=True) for name in names]
