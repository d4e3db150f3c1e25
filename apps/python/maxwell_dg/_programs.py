"""The program that reads Gmsh's files, which the compiled part starts: it is told where this package has it."""

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
