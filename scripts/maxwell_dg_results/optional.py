"""Packages that some results need and most do not."""

from __future__ import annotations

import importlib
from typing import Any


def optional(module: str, package: str, purpose: str, without: str) -> Any:
    """A module, imported when it is needed. Throws ImportError where it is missing: what it is for, the package to install
    by pip, and what there is without it."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise ImportError(f"{purpose}: pip install {package}; without it {without}") from missing
