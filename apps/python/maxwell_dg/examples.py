"""Meshes that come with the package, to begin with: no mesher is needed."""

from __future__ import annotations

import pathlib

from .config import Mesh
from .errors import MeshError

_FOLDER = pathlib.Path(__file__).absolute().parent / "meshes"


def sphere(radius: float = 0.1) -> Mesh:
    """A metal sphere of this radius, in metres, in a ball of air 6 times as large, of 11,922 straight elements: the region
    `air`, the surfaces `metal` and `outer`. Its facets enclose the sphere's volume, and a wave as long as the radius is
    resolved well at order 3."""
    return _mesh("pec_sphere.h5", radius)


def sphere_in_layer(radius: float = 0.1) -> Mesh:
    """A metal sphere for its far field, of 4,903 straight elements: around it the regions `near`, at whose outside the far
    field can be taken, `air`, and from twice to three times the radius `shell`, for a PML; the surfaces `metal` and
    `outer`."""
    return _mesh("sphere_rcs.h5", radius)


def _mesh(name: str, scale: float) -> Mesh:
    file = _FOLDER / name
    if not file.is_file():
        raise MeshError(f"{file}: is missing from this installation; install maxwell_dg again")
    return Mesh(file=str(file), scale=scale)
