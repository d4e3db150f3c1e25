"""What may include what. The one place where the house's rules are listed; structure.py enforces them."""

import re

# Bottom to top: a file includes its own floor and the floors below it.
FLOORS = ["core", "rtcg", "dg", "apps"]

# The rooms of a floor, bottom to top: a file includes its own room and the rooms of the lines above its own here. The room
# "." is what stands in none; a folder within a room that is not listed itself belongs to it. "a/*" lists each folder in a.
ROOMS = {
    "dg": [
        ["hdf5", "reference", "checkpoint", "schedule", "symbolic"],
        ["mesh", "mesh/gmsh"],
        ["maxwell", "acoustics", "lowering", "partition"],
        ["codegen"],
        ["codegen/vectors"],
        ["codegen/*"],
        ["variants"],
        ["operator"],
        ["time", "tuning"],
        ["observe/files"],
        ["observe"],
    ],
    "apps": [
        ["config"],
        ["simulation"],
        ["."],
        ["maxwell_dg", "dg_bench", "rtcg_bench", "python", "examples"],
    ],
}

# Rooms that are one in two folders: the reader of Gmsh's files is a process of its own.
TWINS = {"mesh/gmsh": "mesh"}

# Files of one room in the folder of another: what can be chosen in a slicing lies beside its kernels, and belongs to the
# schedule.
LODGERS = {"dg/codegen/*/*_choices.*": "dg/schedule"}

# Vendor headers and the files that wrap them. A place is a folder (ends in "/") or one file.
VENDORS = [
    ("CUDA", r"cuda\w*\.h|nvrtc\.h", ["core/cuda/"]),
    ("cuBLAS", r"cublas\w*\.h", ["apps/examples/cublas_interop/"]),
    ("NVTX", r"nvtx3/.*|nvToolsExt\.h", ["core/cuda/nvtx.cpp"]),
    ("OpenCL", r"CL/.*", ["core/opencl/"]),
    ("NCCL", r"nccl\.h", ["core/cuda/"]),
    ("MPI", r"mpi\.h", ["core/mpi/"]),
    ("Gmsh", r"gmsh\.h(_cwrap)?|gmshc\.h", ["dg/mesh/gmsh/"]),
    ("OpenCASCADE", r"\w+\.hxx", ["dg/mesh/gmsh/step_face_names.cpp"]),
    ("METIS", r"metis\.h", ["dg/partition/metis.cpp"]),
    ("VTK", r"vtk\w*\.h", []),
    ("zlib", r"zlib\.h", ["dg/observe/files/vtu_arrays.cpp"]),
    ("HDF5", r"hdf5\.h|H5\w*\.h", ["dg/hdf5/"]),
    ("yaml-cpp", r"yaml-cpp/.*", ["apps/config/"]),
    ("Python", r"Python\.h|nanobind/.*", ["apps/python/bindings/"]),
    ("CLI11", r"CLI/.*", ["apps/"]),
    ("spdlog", r"spdlog/.*|fmt/.*", ["core/log.cpp"]),
    ("nlohmann-json", r"nlohmann/.*", ["apps/", "rtcg/tune/"]),
]

# A source is read in one sitting, a folder listed on one screen. A unit is a source with its header.
MOST_LINES = 400
MOST_UNITS = 30

# In kernel texts `#define NAME(...)` is for index formulas, one expression each (docs/conventions.md). This is more: a
# declaration.
MORE_THAN_FORMULAS = {"SHARED_ARRAY"}

# Where JSON becomes text.
JSON_PLACE = "core/json_text.hpp"

# Words of unfinished work, whole words only, and paths that exist on one developer's machine (the user `someone` of the
# tests has none). Written in pieces, so that this file does not contain them.
UNFINISHED = [
    re.compile(r"\b" + word + r"\b")
    for word in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "W" + "IP", "(?i:not (yet )?" + "implemented)")
]
PRIVATE_PATH = re.compile(r"(?<![\w.$}])/(home|Users|root|" + "wo" + r"rk)/(?!someone\b)\w|[A-Z]:\\\\?Users")

SOURCE_SUFFIXES = {".hpp", ".cpp", ".h", ".kernel", ".cl", ".cu"}
TEXT_SUFFIXES = SOURCE_SUFFIXES | {".txt", ".cmake", ".in", ".md", ".py", ".sh", ".json", ".yaml", ".yml", ".geo", ""}
SKIPPED_FOLDERS = re.compile(r"\.git|\.cache|build.*|out|__pycache__")
