"""What scripts/view shows of a run in ParaView, and what it says of it: all that needs no ParaView."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .errors import ResultsError
from .labels import frequency_label, time_label
from .vtu import read_vtu

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from .kinds import PathLike
    from .run import Run

_MOST = 0.995  # of the values of a time step are within the range of colours: at edges of metal a few are much larger
_LITTLE = -20.0  # decibels against the strongest time step: what is below shows next to nothing in the same colours


def order_of(run: Run) -> int:
    """solver.order of the run; 1 where it is not known."""
    try:
        text = (run.directory / "config.resolved.yaml").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 1
    found = re.search(r"^  order: (\d+)", text, re.MULTILINE)
    return int(found.group(1)) if found else 1


def subdivision_level(order: int) -> int:
    """How often ParaView halves each edge: as many pieces as the order at least, and no more than eight."""
    return min(3, (order - 1).bit_length())


def _is_whole(file: PathLike, say: Callable[[str], object]) -> bool:
    try:
        grid = read_vtu(file)
        for name in grid.fields:
            _ = grid.fields[name]
    except ResultsError as error:
        say(f"warning: {error}; it is left out")
        return False
    return True


def _times(run: Run, name: str, say: Callable[[str], object]) -> list[float]:
    """The times of a series whose files are there and not empty, up to the last that is whole."""
    try:
        listed = run.series(name)
    except ResultsError as error:
        say(f"warning: {error}; it is left out")
        return []
    there = [(time, file) for time, file in listed if file.is_file() and file.stat().st_size > 0]
    if len(there) < len(listed):
        say(f"warning: {run.file(name)}: {len(listed) - len(there)} of its {len(listed)} snapshots are missing or empty")
    while there and not _is_whole(there[-1][1], say):
        there.pop()
    return [time for time, _ in there]


def sources(run: Run, say: Callable[[str], object]) -> list[tuple[str, pathlib.Path, list[float]]]:
    """[(name, file, times)] of what can be read, that to be shown first: fields over time, else on surfaces, else at the
    first frequency, else when the run diverged. What cannot be read is told by `say`."""
    result = []
    for name in ("fields", "surface_fields"):
        times = _times(run, name, say) if name in run else []
        if times:
            result.append((name, run.file(name), times))
    for file in run.grids("frequency_fields") + run.grids("diverged"):
        if _is_whole(file, say):
            result.append((file.stem, file, [0.0]))
    return result


def measure(values: ArrayLike) -> tuple[float, float, bool]:
    """Of [points] or [points, components] values: the root mean square of the magnitudes that are finite, what most of
    those stay below, and whether all are finite."""
    values = np.asarray(values, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        magnitudes = np.abs(values) if values.ndim == 1 else np.sqrt(np.square(values).sum(axis=1))
    known = magnitudes[np.isfinite(magnitudes)]
    if not known.size:
        return 0.0, 0.0, not magnitudes.size
    largest = known.max() or 1.0
    size = largest * float(np.sqrt(np.square(known / largest).mean()))
    return size, float(np.quantile(known, _MOST)) or float(known.max()), known.size == magnitudes.size


def told(run: Run, name: str, field: str, times: Sequence[float], measured: Mapping[float, tuple[float, float, bool]]) -> str:
    """What is shown, in a line or two: the field, when, and where it is strongest if there is next to nothing to see.
    `measured` is {time: `measure`} of some of the times, the last one among them."""
    size, _, is_finite = measured[times[-1]]
    not_finite = "" if is_finite else "; yellow: not finite"
    if name.startswith("frequency_fields_"):
        return f"{field}{frequency_label(run, int(name.rpartition('_')[2])) or f' of {name}'}{not_finite}"
    if name == "diverged":
        return f"{field} when the run diverged{not_finite}"
    text = f"{field} at the last time step, {time_label(times[-1], run.units)}{not_finite}"
    strongest = max(measured, key=lambda time: (measured[time][0], time))
    largest = measured[strongest][0]
    if largest == 0:
        return text + "\nThe field is zero at all times."
    if size > largest * 10 ** (_LITTLE / 20):
        return text
    peak = f"time step {times.index(strongest)}, {time_label(strongest, run.units)}"
    if size > 0:
        return f"{text}\nThis is {20 * np.log10(largest / size):.0f} dB below the strongest: {peak}."
    return text + (f"\nThe field is zero now; it is strongest at {peak}." if is_finite else f"\nBefore: {peak}.")
