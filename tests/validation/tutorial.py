"""Runs of what a tutorial ships: the files that it tells the reader to save, with the options that a test gives."""

import contextlib
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
TUTORIALS = pathlib.Path(__file__).resolve().parents[2] / "docs/tutorials"


class Folder:
    """An empty folder with the files of docs/tutorials/NAME.md whose names begin with `files`."""

    def __init__(self, path, name, files):
        self.path = pathlib.Path(path)
        text = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")
        blocks = re.findall(rf"^```\w+ ({files}\.\w+)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
        assert blocks, f"{name}.md has no files {files}.*"
        for file, block in blocks:
            (self.path / file).write_text(block, encoding="utf-8")

    def run(self, program, *arguments):
        """Runs a program of the build in the folder; it must succeed."""
        environment = os.environ | {"PATH": f"{PROGRAMS}:{os.environ['PATH']}"}
        subprocess.run([program, *arguments], cwd=self.path, env=environment, check=True)

    def compute(self, config, **options):
        """Runs a config; `options` replace its values: solver__order=3 is `--set solver.order=3`. Returns the folder of
        the results."""
        changes = [word for key, value in options.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
        self.run("maxwell_dg", config, "--quiet", *changes, "--output", "out")
        return self.path / "out"


@contextlib.contextmanager
def files_of(name, files):
    with tempfile.TemporaryDirectory() as path:
        yield Folder(path, name, files)


def table(path):
    """The rows of a CSV file of numbers, each by the names of its columns."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def close(what, value, expected, bound):
    """Fails, and says by how much, unless |value - expected| <= bound."""
    print(f"{what}: {value:.6g}, expected {expected:.6g} within {bound:.3g}")
    assert abs(value - expected) <= bound, what
