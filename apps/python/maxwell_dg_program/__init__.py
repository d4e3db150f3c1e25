"""What the compiled part is told at import: where the program is that reads Gmsh's files, and an OpenCL driver for CPUs that
pip installed."""

import logging
import os
import pathlib
import sysconfig

_PLACES = (
    pathlib.Path(sysconfig.get_path("data"), "libexec/maxwell_dg"),  # of an installed package
    pathlib.Path(__file__).absolute().parents[2] / "bin",  # of one in a build folder
)


def find_gmsh_program() -> None:
    """Sets MAXWELL_DG_GMSH_PROGRAM, unless it is set. A build without Gmsh has no such program."""
    for place in _PLACES:
        program = place / "maxwell_dg_gmsh"
        if os.access(program, os.X_OK):
            os.environ.setdefault("MAXWELL_DG_GMSH_PROGRAM", str(program))
            return


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
