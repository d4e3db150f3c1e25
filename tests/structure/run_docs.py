"""Runs the commands of a document: run_docs.py FILE.md BIN_FOLDER [--without-gmsh]. Blocks fenced as ```sh are commands
that a reader can type, in order, in the repository's root; those of a tutorial in an empty folder anywhere, with
MAXWELL_DG_ROOT naming the repository. Blocks fenced otherwise (```console: long or system-wide) are not run. A block
fenced as ```LANGUAGE FILE is what the reader is told to write to that file. A document with a .geo is skipped (exit code
77) without Gmsh."""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

SKIPPED = 77


def main():
    document, programs = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    root = Path(__file__).resolve().parents[2]
    text = document.read_text(encoding="utf-8")
    fenced = re.findall(r"^( *)```(\w+) ?(\S*)\n(.*?)^\1```", text, flags=re.MULTILINE | re.DOTALL)
    blocks = [textwrap.dedent(block) for _, language, name, block in fenced if language == "sh" and not name]
    written = {name: textwrap.dedent(block) for _, _, name, block in fenced if name}
    if "--without-gmsh" in sys.argv and any(".geo" in text for text in [*written, *blocks]):
        print(f"skipped: {document.name} makes a mesh, and this build has no Gmsh")
        sys.exit(SKIPPED)
    if not blocks:
        sys.exit(f"error: {document.name} has no block fenced as sh")
    with tempfile.TemporaryDirectory() as folder:
        # A root of one's own: outputs stay in it.
        for entry in () if document.parent.name == "tutorials" else root.iterdir():
            if entry.name not in ("build", "out", ".git"):
                os.symlink(entry, Path(folder, entry.name))
        for name, block in written.items():
            Path(folder, name).write_text(block, encoding="utf-8")
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "MAXWELL_DG_ROOT": str(root)}
        script = "set -euxo pipefail\n" + "".join(blocks)
        sys.exit(subprocess.run(["bash", "-c", script], cwd=folder, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
