#!/usr/bin/env python3
"""The classes of keys are what the program's schema says: generated_config.py PROGRAM"""

import pathlib
import subprocess
import sys

source = pathlib.Path(__file__).parents[2]
schema = subprocess.run([sys.argv[1], "--schema"], check=True, capture_output=True, text=True).stdout
made = subprocess.run([sys.executable, source / "apps/python/generate_config.py"], input=schema, check=True, capture_output=True,
                      text=True).stdout
if made != (source / "apps/python/maxwell_dg/config.py").read_text():
    sys.exit("apps/python/maxwell_dg/config.py is not what the schema says; make it anew:\n"
             "  build/release/bin/maxwell_dg --schema | apps/python/generate_config.py > apps/python/maxwell_dg/config.py")
print("holds")
