"""A monostatic sweep over a sphere: monostatic_test.py BIN_FOLDER. From below it is the backward direction of the config's
own run, digit by digit but for rounding; from the side a sphere looks the same."""

import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile

programs = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[2]
environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
shorter = ["--set", "solver.order=1", "--set", "time.end=3 ns", "--set", "outputs.far_field.frequencies=[0.4 GHz]"]
config = str(root / "configs/sphere_rcs.yaml")


def run(*command):
    subprocess.run(list(command) + shorter, check=True, env=environment, cwd=root)


def rows(file):
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


with tempfile.TemporaryDirectory() as folder:
    run("maxwell_dg", config, "--quiet", "--output", f"{folder}/alone", "--set", "outputs.far_field.phi=[0]",
        "--set", "outputs.far_field.theta={from: 180, to: 180, step: 1}")
    run("maxwell_dg", config, "--quiet", "--output", f"{folder}/sweep", "--set",
        "sweep={plane_wave: {theta: {from: 90, to: 180, step: 90}, polarization: theta}}")
    assert not pathlib.Path(folder, "sweep", "rcs.csv").exists()
    refused = subprocess.run(["maxwell_dg", config, "--quiet", "--output", f"{folder}/no", "--set", "sweep={}", "--set",
                              "outputs.energy={every: 1}"], check=False, env=environment, cwd=root, capture_output=True,
                             text=True)
    assert refused.returncode == 2 and "sweep: writes monostatic.csv alone" in refused.stderr, refused.stderr
    (alone,) = rows(f"{folder}/alone/rcs.csv")
    side, below = rows(f"{folder}/sweep/monostatic.csv")
assert [float(row["theta_deg"]) for row in (side, below)] == [90, 180]
decibels = [10 * math.log10(float(row["rcs"]) / float(alone["rcs"])) for row in (side, below)]
print(f"against the config's own run: from the side {decibels[0]:.3f} dB, from below {decibels[1]:.6f} dB")
assert abs(decibels[1]) < 1e-3
assert abs(decibels[0]) < 0.5
