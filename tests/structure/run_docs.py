"""Runs the commands of a document: run_docs.py FILE.md BIN_FOLDER. Blocks fenced as ```sh are commands that a reader
can type, in order, in the repository's root; those fenced otherwise (```console: long or system-wide) are not run."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    document, programs = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    root = Path(__file__).resolve().parents[2]
    blocks = re.findall(r"^```sh\n(.*?)^```", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit(f"error: {document.name} has no block fenced as sh")
    with tempfile.TemporaryDirectory() as folder:
        # A root of one's own: outputs stay in it.
        for entry in root.iterdir():
            if entry.name not in ("build", "out", ".git"):
                os.symlink(entry, Path(folder, entry.name))
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        script = "set -euxo pipefail\n" + "".join(blocks)
        sys.exit(subprocess.run(["bash", "-c", script], cwd=folder, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
