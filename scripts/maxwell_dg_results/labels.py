"""Numbers and units as they stand beside axes."""

from __future__ import annotations

import pathlib
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from .kinds import Array, PathLike
    from .run import Run

_TOO_LARGE = 1e150
_PREFIXES = {-15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}


def units_of(directory: PathLike) -> str:
    """"si" or "normalized", as config.resolved.yaml beside the results says; "si" where there is none."""
    try:
        text = (pathlib.Path(directory) / "config.resolved.yaml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "si"
    return units_in(text)


def units_in(config: str) -> str:
    """The same of a config's text as YAML."""
    found = re.search(r"^units:\s*(\w+)", config, flags=re.MULTILINE)
    return found.group(1) if found else "si"


def hertz(text: str) -> float:
    """A frequency as a config has it: 4e8, or "400 MHz"."""
    found = re.fullmatch(r"""[\s"']*([-+.\dEe]+)\s*([kMGTP]?)(?:Hz)?[\s"']*""", text)
    if found is None:
        raise ValueError(f"{text} is no frequency")
    return float(found[1]) * {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}[found[2]]


def scale(largest: float, unit: str) -> tuple[float, str]:
    """Factor and unit with the prefix that suits numbers up to `largest`: (1e9, "ns") for 2e-8 and "s". Without a unit,
    (1, "")."""
    if not unit or not np.isfinite(largest) or largest <= 0:
        return 1.0, unit
    exponent = int(np.clip(3 * np.floor(np.log10(largest * 1.0000001) / 3), -15, 12))
    return 10.0**-exponent, _PREFIXES[exponent] + unit


def length_scale(largest: float, unit: str) -> tuple[float, str]:
    """As `scale`, for a unit in brackets as `Grid.unit` gives it; lengths below a metre are in mm, um or nm."""
    plain = unit.strip(" ()")
    factor, name = scale(largest, plain)
    return factor, f" ({name})" if name else ""


def plain_number(value: float) -> str:
    """As text, without the rounding of binary numbers: "0.3", never "-0"."""
    return f"{value + 0.0:.6g}"


def quantity(value: float, unit: str) -> str:
    """"1.5 ns"."""
    factor, name = scale(abs(value), unit)
    return f"{value * factor:.4g} {name}".rstrip()


def time_label(time: float, units: str) -> str:
    """"t = 1.5 ns"."""
    return "t = " + quantity(time, "s" if units == "si" else "")


def drawable(values: ArrayLike) -> Array:
    """The values, with nan for what is not finite or so large that Matplotlib's axes overflow: a run that diverges passes
    through such."""
    values = np.asarray(values)
    return np.where(np.abs(values) < _TOO_LARGE, values, np.nan)


def axis(values: ArrayLike, name: str, unit: str) -> tuple[Array, str]:
    """The values in a unit with a prefix, and the axis' label."""
    values = drawable(values)
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0) if len(values) else 0.0
    factor, prefixed = scale(largest, unit)
    return values * factor, f"{name} ({prefixed})" if prefixed else name


def frequency_label(run: Run, number: int) -> str:
    """" at 1.5 GHz": the frequency of frequency_fields_NNN.vtu, where config.resolved.yaml tells it."""
    frequencies = run.frequencies_of_fields
    if number >= len(frequencies):
        return ""
    return " at " + (quantity(frequencies[number], "Hz") if run.units == "si" else f"frequency {frequencies[number]:.4g}")


def plain(name: str) -> str:
    """A name of the user's as Matplotlib draws it letter by letter: a dollar would begin a formula, and a line whose name
    begins with an underscore is left out of the legend."""
    return (" " if name.startswith("_") else "") + name.replace("$", r"\$")
