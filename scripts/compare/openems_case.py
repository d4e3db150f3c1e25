"""One problem with openEMS: python3 -m compare.openems_case PROBLEM LEVEL VALUES. Lengths in metres."""

import json
import math
import pathlib
import sys

import numpy
from CSXCAD import ContinuousStructure
from openEMS import openEMS

from compare import problems

C0 = 299792458.0
Z0 = 376.730313668


def lines(low, high, step):
    return numpy.linspace(low, high, int(math.ceil((high - low) / step)) + 1)


def spectrum(times, values, frequency):
    return 2 * numpy.sum(values * numpy.exp(-2j * math.pi * frequency * times)) * (times[1] - times[0])


def sphere(metal, level, folder):
    frequency, step = problems.KA * C0 / (2 * math.pi), 1 / level["resolution"]
    half = 1 + level.get("gap", 0.9) + 8 * step
    simulation = openEMS(EndCriteria=1e-5, NrTS=100000)
    simulation.SetGaussExcite(frequency, 0.5 * frequency)
    simulation.SetBoundaryCond(["PML_8"] * 6)
    structure = ContinuousStructure()
    simulation.SetCSX(structure)
    grid = structure.GetGrid()
    grid.SetDeltaUnit(1)
    for axis in "xyz":
        grid.AddLine(axis, lines(-half, half, step))
    body = structure.AddMetal("sphere") if metal else structure.AddMaterial("sphere", epsilon=4)
    body.AddSphere(priority=10, center=[0, 0, 0], radius=1)
    wave = structure.AddExcitation("wave", exc_type=10, exc_val=[1, 0, 0])
    wave.SetPropagationDir([0, 0, 1])
    wave.SetFrequency(frequency)
    box = 1 + 0.4 * level.get("gap", 0.9)
    wave.AddBox([-box] * 3, [box] * 3)
    surface = simulation.CreateNF2FFBox()
    simulation.Run(str(folder), cleanup=False)
    values = []
    times, excited = numpy.loadtxt(folder / "et", comments="%", usecols=(0, 1), unpack=True)
    power = abs(spectrum(times, excited, frequency)) ** 2 / (2 * Z0)
    for phi in (0, 90):
        far = surface.CalcNF2FF(str(folder), frequency, problems.THETA, [phi], outfile=f"nf2ff_{phi}.h5")
        density = numpy.asarray(far.P_rad[0])[:, 0]
        values += [4 * math.pi * float(p) / power / math.pi for p in density]
    return values


def box(level, folder):
    a, b, c = problems.BOX
    frequency = C0 * math.hypot(1 / a, 1 / b) / 2
    simulation = openEMS(EndCriteria=1e-30, NrTS=int(60 * level["resolution"] * 2))
    simulation.SetGaussExcite(frequency, 0.4 * frequency)
    simulation.SetBoundaryCond(["PEC"] * 6)
    structure = ContinuousStructure()
    simulation.SetCSX(structure)
    grid = structure.GetGrid()
    grid.SetDeltaUnit(1)
    x, y = (numpy.linspace(0, size, int(round(level["resolution"] * size)) + 1) for size in (a, b))
    for axis, along in (("x", x), ("y", y), ("z", numpy.linspace(0, c, 5))):
        grid.AddLine(axis, along)
    at, there = ([along[int(part * len(along))] for along in (x, y)] for part in (0.4, 0.6))
    current = structure.AddExcitation("current", exc_type=0, exc_val=[0, 0, 1])
    current.AddBox([*at, 0], [*at, c])
    probe = structure.AddProbe("probe", p_type=0)
    probe.AddBox([*there, 0], [*there, c])
    simulation.Run(str(folder), cleanup=False)
    times, signal = numpy.loadtxt(folder / "probe", comments="%", usecols=(0, 1), unpack=True)
    late = times > 0.4 * times[-1]
    return [frequency_of(times[late], signal[late], frequency) / C0 * 2 * math.pi]


def frequency_of(times, signal, about):
    """Of the strongest line: the peak of a spectrum under Hann's window."""
    window = numpy.hanning(len(times)) * signal

    def size(f):
        return abs(numpy.sum(window * numpy.exp(-2j * math.pi * f * times)))

    trial = numpy.linspace(0.8 * about, 1.2 * about, 400)
    for _ in range(8):
        best = trial[int(numpy.argmax([size(f) for f in trial]))]
        width = trial[1] - trial[0]
        trial = numpy.linspace(best - width, best + width, 21)
    return best


def main():
    name, level, to = sys.argv[1:]
    folder = pathlib.Path(to).resolve().parent / "openems"
    folder.mkdir(exist_ok=True)
    level = json.loads(pathlib.Path(level).read_text(encoding="utf-8"))
    target = pathlib.Path(to).resolve()
    make = {"dielectric_sphere": lambda x: sphere(False, x, folder), "metal_sphere": lambda x: sphere(True, x, folder),
            "box": lambda x: box(x, folder)}[name]
    values = make(level)  # openEMS changes the current folder
    target.write_text(json.dumps([float(v) for v in values]), encoding="utf-8")


if __name__ == "__main__":
    main()
