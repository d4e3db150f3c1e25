"""What the compiled part of the package lets other libraries see: exported_symbols.py FILE. It should be the one function
that Python calls; copies of C++ templates would mix with those of other packages."""

import re
import subprocess
import sys

WANTED = {"PyInit__core"}


def exported_symbols(file):
    """Names that an ELF file defines for others."""
    dump = subprocess.run(["objdump", "--dynamic-syms", file], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in dump.splitlines() if re.match(r"[0-9a-f]{8,} ", line)]
    return {row[-1] for row in rows if "*UND*" not in row}


def findings(file):
    exported = exported_symbols(file)
    if WANTED - exported:
        yield f"does not export {', '.join(WANTED - exported)}"
    if exported - WANTED:
        yield f"exports {len(exported - WANTED)} names of its inside, such as {min(exported - WANTED)}"


def main():
    found = list(findings(sys.argv[1]))
    for finding in found:
        print(f"{sys.argv[1]}: {finding}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
