"""The device that tests compute on: a CPU, or what MAXWELL_DG_DEVICE names."""

import os

DEVICE = os.environ.get("MAXWELL_DG_DEVICE", "cpu")
