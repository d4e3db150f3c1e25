"""What a run has found, in memory or in files, by the same names."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

import maxwell_dg_results as of_files
from maxwell_dg_results import open_run
from maxwell_dg_results.run import Run as Results
from maxwell_dg_results.tables import Resonance, Table, Touchstone

from . import _core
from .errors import ConfigError

__all__ = ["MemoryResults", "Results", "open_run"]


class MemoryResults(Results):
    """The results of a simulation so far. Those that belong to the end of a run are there when it has ended; what the config
    does not ask for is a ConfigError."""

    name = ""

    def __init__(self, run: _core.Run, units: str = "si") -> None:
        self._run = run
        self.units = units

    def __contains__(self, name: object) -> bool:
        if name == "summary":
            return bool(self._run.has_ended)
        if name == "resonances":
            return bool(self._run.has_ended and self._run.resonances())
        if name == "s_parameters":
            return bool(self._run.has_ended) and self._run.s_parameters() is not None
        try:
            self._run.table(str(name))
        except ConfigError:
            return False
        return True

    def _found(self, name: str) -> list[Any]:
        return []

    def file(self, name: str) -> Any:
        raise of_files.ResultsError(f"results of this simulation are in memory, so there is no file of '{name}'; make it "
                                    "with in_memory=False")

    def _numbers(self, name: str, words: Sequence[str] = ()) -> Table:
        return Table(name, self._run.table(name))

    def _tables(self, name: str) -> list[tuple[str, Table]]:
        prefix, of_ports, _ = self._FILES[name][0].partition("[0-9]*")
        if not of_ports:
            names = [name]
        else:  # numbered as their ports are, which antenna.csv lists
            names = [f"{prefix}{port:.0f}" for port in np.unique(self.antenna.get("port", []))] if "antenna" in self else []
        found = filter(self.__contains__, names)
        return [(table, self._numbers(table)) for table in found]

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        return dict(json.loads(self._run.summary_json()))

    @functools.cached_property
    def s_parameters(self) -> Touchstone:
        found = self._run.s_parameters()
        if found is None:
            raise of_files.NothingYet("s_parameters: there are none; outputs.s_parameters asks for them, they come at the "
                                      "end of the run, and need every port to be driven")
        return Touchstone(*found)

    @functools.cached_property
    def resonances(self) -> list[Resonance]:
        return [Resonance(*row) for row in self._run.resonances()]
