#!/usr/bin/env python3
"""The programs in Python that documents show hold for mypy's strict checks: documented_types.py CACHE_FOLDER"""

import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(__file__).parents[2]
with tempfile.TemporaryDirectory() as folder:
    programs = []
    for name in ("python", "results_in_python"):
        text = (source / f"docs/{name}.md").read_text(encoding="utf-8")
        for file, program in re.findall(r"^```python (\S+)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
            programs.append(pathlib.Path(folder, f"{name}_{file}"))
            programs[-1].write_text(program, encoding="utf-8")
    if not programs:
        sys.exit("docs/python.md shows no program; a block begins with ```python NAME.py")
    sys.exit(subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", source / "pyproject.toml", "--cache-dir",
                             sys.argv[1], *programs], check=False).returncode)
