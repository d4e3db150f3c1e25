"""How strong the field is in each snapshot of a time series, so that pictures show those in which there is something."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .errors import ResultsError
from .labels import time_label

if TYPE_CHECKING:
    from .kinds import Array, Series
    from .grid import Grid

_LOOKED_AT = 25  # snapshots of a long series, before those beside the strongest of them


def fields_of(grid: Grid) -> list[str]:
    """The fields that a picture is made of: E and p before others, without the imaginary parts of phasors."""
    names = [name for name in grid.fields if not name.endswith("_im")]
    if not names:
        raise ResultsError(f"{grid.file}: holds no fields")
    return sorted(names, key=lambda name: name.split("_")[0] not in ("E", "p"))


def field_of_surface(grid: Grid) -> str:
    """The field that a picture of a surface shows: on metal, H is the density of the current."""
    return "H" if "H" in grid.fields else fields_of(grid)[0]


def cell_sizes(grid: Grid) -> Array:
    """[cells] volumes of tetrahedra, or areas of triangles."""
    edges = grid.vertices[:, 1:] - grid.vertices[:, :1]
    if edges.shape[1] == 3:
        return np.abs(np.linalg.det(edges)) / 6
    return np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1) / 2


def root_mean_square(grid: Grid, field: str) -> float:
    """Of a field over the grid, each cell counted by its size and the mean of its points; nan or inf if a value is."""
    values = np.asarray(grid.values(field), dtype=float).reshape(len(grid), grid.positions.shape[1], -1)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.square(values).sum(axis=2).mean(axis=1)
        return float(np.sqrt(np.average(squares, weights=cell_sizes(grid))))


class Levels:
    """The root mean square of a field in the snapshots of a series. `read(number)` gives a snapshot's grid and
    `field(grid)` the field's name. A snapshot that cannot be read has no level; its error is among `errors`."""

    def __init__(self, read: Callable[[int], Grid], series: Series, field: Callable[[Grid], str]) -> None:
        self._read, self._field, self.series = read, field, series
        self._sizes: dict[int, float] = {}
        self.errors: list[ResultsError] = []

    def size(self, number: int) -> float:
        """The root mean square in a snapshot; nan where it is not finite or the snapshot cannot be read."""
        if number not in self._sizes:
            try:
                grid = self._read(number)
                size = root_mean_square(grid, self._field(grid))
            except ResultsError as error:
                self.errors.append(error)
                size = np.nan
            self._sizes[number] = size if np.isfinite(size) else np.nan
        return self._sizes[number]

    @property
    def sample(self) -> list[int]:
        """Numbers of snapshots at equal steps: all of them, unless there are many."""
        return np.unique(np.linspace(0, len(self.series) - 1, _LOOKED_AT).round().astype(int)).tolist()

    @property
    def strongest(self) -> int:
        """The number of the strongest snapshot; in a long series the strongest as far as a search tells, which goes on
        between neighbours of the strongest so far. Raises ResultsError where no snapshot can be used."""
        for number in self.sample:
            self.size(number)
        while True:
            usable = {number: size for number, size in self._sizes.items() if np.isfinite(size)}
            if not usable:
                raise self.errors[0] if self.errors else ResultsError("no snapshot holds finite values")
            best = max(usable, key=lambda number: (usable[number], number))
            known = sorted(self._sizes)
            at = known.index(best)
            beside = [(known[at] + known[i]) // 2 for i in (at - 1, at + 1) if 0 <= i < len(known)]
            unknown = [number for number in beside if number not in self._sizes]
            if not unknown:
                return best
            for number in unknown:
                self.size(number)

    def require(self) -> None:
        """Raises the errors of the snapshots that could not be read; else returns None."""
        if self.errors:
            raise ResultsError("\n".join(map(str, self.errors)))

    def decibels(self, number: int) -> float:
        """The level of a snapshot against the strongest: 0 or less; -inf where the field is zero, nan if not known."""
        largest, size = self.size(self.strongest), self.size(number)
        if np.isnan(size) or largest == 0:
            return np.nan
        return 20 * np.log10(size / largest) if size > 0 else -np.inf

    def telling(self, most: int, least: float = 0.1) -> list[int]:
        """Up to so many numbers at equal steps, the strongest among them, from when the field reaches a part of its
        largest level until it stays below that, as far as a few snapshots tell."""
        strongest = self.strongest
        largest = self.size(strongest)
        strong = [number for number in sorted(self._sizes) if self.size(number) >= least * largest]
        if len(strong) == 1:
            strong = [max(0, strongest - 1), min(strongest + 1, len(self.series) - 1)]
        numbers = np.linspace(strong[0], strong[-1], most).round().astype(int)
        numbers[np.argmin(np.abs(numbers - strongest))] = strongest
        return [number for number in np.unique(numbers).tolist() if np.isfinite(self.size(number))]

    def below(self, number: int, units: str) -> str:
        """How a snapshot compares, in words: "12.3 dB below the strongest, t = 3 ns"."""
        decibels = self.decibels(number)
        if np.isnan(decibels):
            return "not finite where black"
        if np.isinf(decibels):
            return "the field is zero"
        peak = time_label(self.series[self.strongest][0], units)
        return f"{-decibels:.1f} dB below the strongest, {peak}"

    def title(self, number: int, what: str, units: str) -> str:
        """What a picture of a snapshot shows, when, and how strong it is."""
        count, last, strongest = len(self.series), len(self.series) - 1, self.strongest
        title = f"{what}, {time_label(self.series[number][0], units)}"
        if count == 1:
            return title + ", the only snapshot"
        if self.size(strongest) == 0:
            return f"{title}: the field is zero in all {count} snapshots"
        if number == strongest:
            return f"{title}, the strongest of {count} snapshots" + (", and the last" if number == last else "")
        return f"{title}{', the last snapshot' if number == last else ''}: {self.below(number, units)}"
