#!/usr/bin/env python3
"""Writes the HDF5 files of this folder, with h5py and NumPy: one tetrahedron each, and one thing that is wrong."""

import pathlib

import h5py
import numpy as np

FOLDER = pathlib.Path(__file__).parent


def mesh(name, change):
    with h5py.File(FOLDER / name, "w", libver=("v108", "v110")) as file:
        file.attrs["format"] = np.bytes_("maxwell_dg mesh")
        file.attrs["version"] = np.int32(1)
        file["vertices"] = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "f8")
        file["cells"] = np.array([[0, 1, 2, 3]], "i4")
        file["cell_region"] = np.array([0], "i4")
        file["regions"] = np.array([b"air"], "S3")
        file["surface_faces"] = np.array([[0, 1, 2]], "i4")
        file["surface_face_surface"] = np.array([0], "i4")
        file["surfaces"] = np.array([b"wall"], "S4")
        change(file)


def extent(dataset, shape, dtype, **storage):
    """A dataset that claims to be large and was never written."""

    def change(file):
        file.pop(dataset, None)
        file.create_dataset(dataset, shape=shape, dtype=dtype, **storage)

    return change


def replaced(dataset, value):
    def change(file):
        del file[dataset]
        file[dataset] = value

    return change


def external_storage(file):
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_external(b"/etc/passwd", 0, 96)
    del file["vertices"]
    h5py.h5d.create(file.id, b"vertices", h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((4, 3)), properties)


def link_through_a_link(file):
    file["other"] = h5py.ExternalLink("good.h5", "/")
    replaced("vertices", h5py.SoftLink("/other/vertices"))(file)


def view(file):
    layout = h5py.VirtualLayout((4, 3), "f8")
    layout[:] = h5py.VirtualSource("good.h5", "vertices", shape=(4, 3))
    del file["vertices"]
    file.create_virtual_dataset("vertices", layout)


def many_versions(file):
    del file.attrs["version"]
    file.attrs["version"] = np.ones(2000, "i4")


def many_formats(file):
    del file.attrs["format"]
    file.attrs["format"] = np.array([b"maxwell_dg mesh"] * 500)


mesh("good.h5", lambda file: None)
mesh("texts_overflow.h5", extent("regions", (2**61,), "S8", chunks=(64,)))
mesh("texts_overflow_by_one.h5", extent("regions", (2**61 + 1,), "S8", chunks=(64,)))
mesh("texts_many.h5", extent("regions", (2**30,), "S64", chunks=(64,)))
mesh("vertices_overflow.h5", extent("vertices", (2**60, 3), "f8", chunks=(64, 3)))
mesh("vertices_many.h5", extent("vertices", (10**9, 3), "f8", chunks=(64, 3)))
mesh("vertices_none_but_wide.h5", extent("vertices", (0, 2**62), "f8"))
mesh("vertices_unwritten.h5", extent("vertices", (4, 3), "f8"))
mesh("values_overflow.h5", extent("cell_values/v", (2**62,), "f8", chunks=(64,)))
mesh("chunk_large.h5", extent("cell_region", (1,), "i4", maxshape=(None,), chunks=(2**29,), compression="gzip"))
mesh("external_storage.h5", external_storage)
mesh("external_link.h5", replaced("vertices", h5py.ExternalLink("good.h5", "/vertices")))
mesh("external_group.h5", lambda file: file.__setitem__("cell_values", h5py.ExternalLink("good.h5", "/")))
mesh("link_through_a_link.h5", link_through_a_link)
mesh("view.h5", view)
mesh("many_versions.h5", many_versions)
mesh("many_formats.h5", many_formats)
