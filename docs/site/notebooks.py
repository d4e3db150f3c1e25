"""A notebook of each tutorial: the text as it is, files to save as %%writefile, commands as calls of the package for Python."""

import json
import re
import time

import nbclient
import nbformat
from nbclient.exceptions import CellExecutionError  # noqa: F401  # what `run` raises

# What makes a run quick enough for a site that is built for every change, and the pictures to draw of it. Results of
# scripts that a tutorial runs afterwards are read from files.
TUTORIALS = {
    "sphere_rcs": (["solver.order=2"], ["rcs", "rcs_polar"]),
    "dipole_antenna": (["solver.order=2", "time={end: 20 ns}"], ["smith_chart", "pattern"]),
    "car_monopole": (["solver.order=2", "time={end: 60 ns}"], ["radiation_polar"]),
    "patch_antenna": (["solver.order=2", "time={end: 7 ns}"], ["s_parameters", "pattern"]),
    "horn_antenna": (["solver.order=2"], ["s_parameters", "pattern"]),
    "slotted_box": (["solver.order=2", "time.end=20 ns"], ["shielding"]),
    "coaxial_bead": (["solver.order=2"], ["s_parameters"]),
    "waveguide_filter": (["solver.order=2"], ["s_parameters", "smith_chart"]),
    "plasmonic_particle": (["solver.order=2"], ["rcs"]),
    "photonic_crystal_slab": (["solver.order=2", "time.end=20", "outputs.resonances=null"], ["probes"]),
}

_BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```\n", flags=re.MULTILINE | re.DOTALL)
_QUICK = "A quick check (its numbers mean nothing):"
_BEGIN = """import os
import maxwell_dg as mdg

ROOT = os.environ.get("MAXWELL_DG_ROOT", ".")   # the repository, of which some tutorials use files"""


def notebook_of(tutorial):
    """The notebook of docs/tutorials/NAME.md, as the text of an .ipynb file."""
    if tutorial.stem not in TUTORIALS:
        raise ValueError(f"{tutorial.name}: docs/site/notebooks.py does not say how it is shortened; add a line to TUTORIALS")
    changes, pictures = TUTORIALS[tutorial.stem]
    text = re.sub(r"\]\((\w+\.md)", r"](../tutorials/\1", tutorial.read_text(encoding="utf-8"))
    cells, position, began = [], 0, False
    for block in _BLOCK.finditer(text):
        prose = text[position:block.start()]
        position = block.end()
        made = _cells_of(*block.groups(), changes, pictures)
        if made is None:  # shown as it is
            prose += block[0]
        _add_prose(cells, prose.replace(_QUICK, ""))
        if not began and cells:
            cells.append(_code(_BEGIN))
            began = True
        cells += map(_code, made or [])
    _add_prose(cells, text[position:])
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def run(file, folder):
    """Runs a notebook in a folder of its own, and writes its results into it. Raises nbclient's CellExecutionError, which has
    the cell and what it said."""
    folder.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, startup_timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    nbformat.write(notebook, file)
    print(f"{file.name}: {time.monotonic() - start:.1f} s", flush=True)


def _cells_of(language, name, block, changes, pictures):
    """The texts of the cells of a block; None where it is only to be read."""
    if name:
        return [f"%%writefile {name}\n{block.rstrip()}"]
    if language not in ("sh", "console"):
        return None
    if "out/short" in block:
        return []
    check = re.fullmatch(r"maxwell_dg --check (\S+)\n", block)
    if check:
        return [f"mdg.Simulation.from_yaml({_path(check[1])}).check()"]
    if language == "sh":
        return [f"%%bash\nset -e\n{block.rstrip()}"]
    run = re.match(r"maxwell_dg ([^\s-]\S*\.yaml\"?)\n", block)
    if run:
        quick = ", ".join(json.dumps(change) for change in changes)
        return [f"quick = [{quick}]   # [] for the run of the tutorial, which takes longer\n"
                f"simulation = mdg.Simulation.from_yaml({_path(run[1])}, quick, in_memory=False)\n"
                "results = simulation.run()\nresults"]
    if block.startswith("maxwell_dg --plot"):
        return [f'results.plot("{picture}")' for picture in pictures]
    script = re.fullmatch(r"python3 (\S+)\n", block)
    if script:
        return [f"%run {script[1]}"]
    return None


def _path(word):
    """A file's name in a command as Python has it."""
    word = word.strip('"')
    return f'f"{word.replace("$MAXWELL_DG_ROOT", "{ROOT}")}"' if "$" in word else f'"{word}"'


def _code(source):
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}


def _add_prose(cells, text):
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    if text:
        cells.append({"cell_type": "markdown", "metadata": {}, "source": text})
