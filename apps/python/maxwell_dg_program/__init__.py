"""The program maxwell_dg of an installed package, and what it and the package maxwell_dg are told of their surroundings: where
the program is that reads Gmsh's files, and what pip installed of NVRTC and of an OpenCL driver for CPUs. Imports nothing else, so that the
program starts at once."""

from __future__ import annotations

import logging
import os
import pathlib
import sys
import sysconfig
from typing import NoReturn

_HERE = pathlib.Path(__file__).absolute().parent
_PLACES = (
    _HERE.parent / "maxwell_dg/bin",  # of an installed package
    _HERE.parents[1] / "bin",  # of one in a build folder
)


def main() -> NoReturn:
    """Becomes the program, with the words of the command line."""
    program = _found("maxwell_dg")
    if program is None:
        sys.exit(f"maxwell_dg: the program is neither in {_PLACES[0]} nor in {_PLACES[1]}; install the package again")
    find_opencl_driver()
    find_nvrtc()
    os.environ.setdefault("MAXWELL_DG_PYTHON", sys.executable)  # draws for --plot
    os.execv(program, ["maxwell_dg", *sys.argv[1:]])


def find_gmsh_program() -> None:
    """Sets MAXWELL_DG_GMSH_PROGRAM, unless it is set. A build without Gmsh has no such program."""
    program = _found("maxwell_dg_gmsh")
    if program is not None:
        os.environ.setdefault("MAXWELL_DG_GMSH_PROGRAM", str(program))


def _found(name: str) -> pathlib.Path | None:
    return next((place / name for place in _PLACES if os.access(place / name, os.X_OK)), None)


def find_nvrtc(packages: pathlib.Path = _HERE.parent) -> None:
    """Names the folders of NVIDIA's packages that have NVRTC (pip install maxwell_dg[cuda13] or [cuda12]) in
    MAXWELL_DG_NVRTC_FOLDERS, unless that is set. What the system has comes before them."""
    folders = sorted({str(file.parent) for file in packages.glob("nvidia/*/lib/libnvrtc.so.*")})
    if folders:
        os.environ.setdefault("MAXWELL_DG_NVRTC_FOLDERS", ":".join(folders))


def find_opencl_driver(data: pathlib.Path = pathlib.Path(sysconfig.get_path("data")),
                       vendors: pathlib.Path = pathlib.Path("/etc/OpenCL/vendors")) -> None:
    """Where the system has no OpenCL driver and this environment has Intel's (pip install maxwell_dg[cpu]), sets OCL_ICD_VENDORS
    to a folder with a file that names it: the one that its package brings names a path of the machine that built it."""
    driver = data / "lib/libintelocl.so"
    if not driver.is_file() or any(vendors.glob("*.icd")) or "OCL_ICD_VENDORS" in os.environ or "OCL_ICD_FILENAMES" in os.environ:
        return
    folder = data / "etc/OpenCL/maxwell_dg"
    file = folder / "intel.icd"
    try:
        if not file.is_file() or file.read_text() != f"{driver}\n":
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{driver}\n")
    except OSError as error:
        logging.getLogger("maxwell_dg").warning("%s: cannot be written: %s; write the line %s into it, and set OCL_ICD_VENDORS to "
                                                "its folder", file, error.strerror, driver)
        return
    os.environ["OCL_ICD_VENDORS"] = str(folder)
