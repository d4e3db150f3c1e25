"""scripts/compare: compare_test.py BIN_FOLDER. Its exact values against those of tables and limits, a problem of this
program, and a code that is not installed."""

import os
import pathlib
import subprocess
import sys
import tempfile

programs = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "scripts"))

from compare import exact  # noqa: E402

assert abs(exact.ball_mode() - 2.7437072699922694) < 1e-12
in_e, in_h = exact.sphere_rcs(1e-3, 2.0, [0, 60])  # Rayleigh: 4 (ka)^4 |(e - 1) / (e + 2)|^2, times cos^2 in the plane of E
assert abs(in_e[0] / (4e-12 / 4) - 1) < 1e-5 and abs(in_h[1] / (4e-12 / 4) - 1) < 1e-5
assert abs(in_e[1] / in_e[0] - 0.25) < 1e-5
in_e, in_h = exact.sphere_rcs(1e-3, None, [180])  # metal: 9 (ka)^4 backwards
assert abs(in_e[0] / 9e-12 - 1) < 1e-5
in_e, _ = exact.sphere_rcs(60, None, [180])  # of optics
assert abs(in_e[0] - 1) < 0.02, in_e

with tempfile.TemporaryDirectory() as folder:
    command = [sys.executable, "-B", str(root / "scripts/compare"), "box", "--codes", "maxwell_dg", "meep", "--levels", "1",
               "--program", str(programs / "maxwell_dg"), "--python", "no_such_python", "--output", folder]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ, cwd=folder)
    print(done.stdout)
    table = pathlib.Path(folder, "table.md").read_text(encoding="utf-8")
assert "Meep is not installed: left out" in done.stdout
assert "| lowest mode of a metal box: 0.001" in table and " s, " in table, table
