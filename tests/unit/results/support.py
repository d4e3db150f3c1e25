"""What the tests of maxwell_dg_results share: the package, the built program, and a small run of it."""

import importlib
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

try:
    importlib.import_module("numpy")
    matplotlib = importlib.import_module("matplotlib")
except ImportError as missing:
    print(f"skipped: {sys.executable} has no module {missing.name}; install python3-numpy and python3-matplotlib")
    sys.exit(77)

matplotlib.use("Agg")

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()

# The mode (1, 1, 1) of a box, known in closed form, in every kind of file that a run without sources writes.
CAVITY = """units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}
solver: {order: 5, precision: double}
time: {end: 1.2}
materials: [{region: interior, epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
initial_fields: {E: ["cos(pi*x)*sin(pi*y)*sin(pi*z)", "-sin(pi*x)*cos(pi*y)*sin(pi*z)", "0"]}
outputs:
  energy: {every: 2, balance: true}
  probes: [{name: inside, at: [0.3, 0.4, 0.6]}, {name: other, at: [0.71, 0.2, 0.35]}]
  fields: {count: 3}
  surface_fields: {surfaces: [z_max, x_min], count: 3}
  frequency_fields: {frequencies: [0.5, 0.8660254]}
"""


def run(*words, environment=None):
    """maxwell_dg with these words: the finished process, with its text."""
    return subprocess.run([str(PROGRAMS / "maxwell_dg"), *map(str, words)], check=False, capture_output=True, text=True,
                          env=os.environ | (environment or {}))


def run_cavity(folder):
    """Runs the cavity into `folder`/run; returns that directory."""
    folder = pathlib.Path(folder)
    (folder / "cavity.yaml").write_text(CAVITY, encoding="utf-8")
    done = run(folder / "cavity.yaml", "--quiet", "--output", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def main():
    """Runs the tests of the calling script; its arguments are not unittest's."""
    unittest.main(argv=sys.argv[:1], verbosity=2)
