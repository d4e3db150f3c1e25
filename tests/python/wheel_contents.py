"""Whether a wheel is one that runs on other machines: wheel_contents.py WHEEL. scripts/wheel calls it for those that it builds."""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import exported_symbols

MOST_BYTES = 30e6
PROGRAMS = ("maxwell_dg/bin/maxwell_dg", "maxwell_dg/bin/maxwell_dg_gmsh")
NEEDED = (*PROGRAMS, "maxwell_dg/_core.pyi", "maxwell_dg/py.typed", "maxwell_dg/meshes/pec_sphere.h5",
          "maxwell_dg_program/__init__.py", "maxwell_dg_results/__main__.py")
OF_THE_SYSTEM = r"lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z|gmsh)\.so.*|ld-linux.*"  # and Gmsh, which has a wheel of its own


def needed_libraries(file):
    """Names of libraries that an ELF file asks for."""
    dump = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    return re.findall(r"NEEDED +(\S+)", dump)


def findings(wheel):
    if wheel.stat().st_size > MOST_BYTES:
        yield f"has {wheel.stat().st_size / 1e6:.1f} MB; at most {MOST_BYTES / 1e6:.0f} are wanted"
    python, abi, platform = wheel.stem.split("-")[-3:]
    if "manylinux" not in platform:
        yield f"is for {platform}, which is no manylinux"
    version = int(python.removeprefix("cp3"))
    if (version > 11 or abi == "abi3") and (python, abi) != ("cp312", "abi3"):
        yield f"is for {python}-{abi}; one for cp312-abi3 serves every Python from 3.12 on"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        yield from (f"lacks {name}" for name in NEEDED if name not in names)
        cores = [name for name in names if re.fullmatch(r"maxwell_dg/_core\..*so", name)]
        wanted = "maxwell_dg/_core.abi3.so" if abi == "abi3" else f"maxwell_dg/_core.cpython-3{version}-"
        if not (len(cores) == 1 and cores[0].startswith(wanted)):
            yield f"has {', '.join(cores) or 'no compiled part'} in place of {wanted}"
        if not any(name.endswith("entry_points.txt") and b"maxwell_dg_program:main" in archive.read(name) for name in names):
            yield "has no command maxwell_dg"
        archive.extractall(folder)
        for name in cores:
            yield from (f"{name} {finding}" for finding in exported_symbols.findings(pathlib.Path(folder, name)))
        inside = {pathlib.PurePath(name).name for name in names}
        for name in (*PROGRAMS, *cores, *(name for name in names if name.startswith("maxwell_dg.libs/"))):
            if name in names:
                yield from (f"{name} needs {library}, which is not inside" for library in needed_libraries(pathlib.Path(folder, name))
                            if library not in inside and not re.fullmatch(OF_THE_SYSTEM, library))


def main():
    wheel = pathlib.Path(sys.argv[1])
    found = list(findings(wheel))
    for finding in found:
        print(f"{wheel}: {finding}")
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB, {len(found)} findings")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
