"""A metal sphere in a box of tetrahedra as the mesh generator makes them, a PML on all sides: the one of the tutorial, an
order lower. sphere_in_box_test.py BIN_FOLDER. Most elements of its PML lie askew across the planes between sides and
edges of the box. Did neighbours there not move their common face alike (with the diagonal of the displacement's gradient
alone, docs/theory.md), the cross section would be off by 0.052 dB; it is by 0.016 dB."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

programs = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[2]
environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
tutorial = (root / "docs/tutorials/sphere_rcs.md").read_text(encoding="utf-8")
files = dict(re.findall(r"^```\w+ (curved_sphere\.\w+)\n(.*?)^```", tutorial, flags=re.MULTILINE | re.DOTALL))
assert sorted(files) == ["curved_sphere.geo", "curved_sphere.yaml"], files.keys()

with tempfile.TemporaryDirectory() as folder:
    for name, text in files.items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")

    def run(*command):
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode

    assert run("maxwell_dg", "curved_sphere.yaml", "--quiet", "--set", "solver.order=3", "--output", "out") == 0
    assert run("compare_with_mie", "out", "--rcs", "--radius", "1", "--bound", "0.03") == 0
