"""The examples of docs/results_in_python.md run, in order, on the run that the page makes."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import support  # first: it finds the package


class Examples(unittest.TestCase):
    def test_every_example_of_the_page_runs(self):
        text = (support.ROOT / "docs/results_in_python.md").read_text(encoding="utf-8")
        environment = os.environ | {"PATH": f"{support.PROGRAMS}:{os.environ['PATH']}",
                                    "PYTHONPATH": str(support.ROOT / "scripts"), "MPLBACKEND": "Agg"}
        with tempfile.TemporaryDirectory() as folder:
            for name in ("configs", "meshes"):
                pathlib.Path(folder, name).symlink_to(support.ROOT / name)
            found = re.findall(r"^```(sh|python) ?\S*\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
            self.assertGreaterEqual(len(found), 4)
            for language, block in found:
                interpreter = ["bash", "-ec"] if language == "sh" else [support.sys.executable, "-B", "-c"]
                done = subprocess.run([*interpreter, block], cwd=folder, env=environment, check=False, capture_output=True,
                                      text=True)
                self.assertEqual(done.returncode, 0, block + done.stderr)
            self.assertTrue(pathlib.Path(folder, "slice.png").exists())


support.main()
