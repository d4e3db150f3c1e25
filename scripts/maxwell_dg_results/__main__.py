"""Pictures of results from the command line: python3 -m maxwell_dg_results, or python3 FOLDER_OF_THIS_FILE."""

import importlib
import pathlib
import sys

if not __package__:  # the folder was named, not the package
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

try:
    importlib.import_module("numpy")
    matplotlib = importlib.import_module("matplotlib")
except ImportError as missing:
    print(f"error: {sys.executable} has no module {missing.name}; install python3-numpy and python3-matplotlib and use "
          "/usr/bin/python3, or another Python that has both", file=sys.stderr)
    sys.exit(2)

matplotlib.use("Agg")  # files alone, with or without a display

from maxwell_dg_results.command_line import main  # noqa: E402 (after the path and the backend are set)

sys.exit(main(sys.argv[1:]))
