"""Whether the package gets along with a library that has a C++ runtime of its own: runtime_test.py LIBRARY. Run by CTest
with the package in PYTHONPATH."""

import pathlib
import subprocess
import sys
import unittest

FOREIGN = sys.argv.pop(1)
LOAD = f"import ctypes; ctypes.CDLL({FOREIGN!r})\n"
STEP = """
import tempfile
import maxwell_dg as mdg
from simulation_test import cavity
with tempfile.TemporaryDirectory() as folder:
    keys = cavity(checkpoint=mdg.Checkpoint(steps=2))
    keys["outputs"].directory = folder
    with mdg.Simulation(**keys) as simulation:
        simulation.step(3)
    print(mdg.Simulation(**keys).resume().steps)
"""


def python(code):
    return subprocess.run([sys.executable, "-c", code], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True)


class ForeignRuntime(unittest.TestCase):
    def test_one_that_comes_first_is_named_with_the_remedy(self):
        done = python(LOAD + "import maxwell_dg")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"ImportError: {FOREIGN}: loaded before maxwell_dg, with a C++ runtime of its own", done.stderr)
        self.assertIn("import maxwell_dg before it, or start Python with LD_PRELOAD=libstdc++.so.6", done.stderr)

    def test_one_that_comes_later_does_no_harm(self):
        done = python("import maxwell_dg\n" + LOAD + STEP)
        self.assertEqual((done.returncode, done.stdout), (0, "3\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
