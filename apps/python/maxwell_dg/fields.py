"""Fields of a simulation in memory of its device, which other libraries use where it is."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import _core


class Fields(Mapping[str, Any]):
    """Nodal values by the names of fields, [element, node], and of vectors such as "E", [axis, element, node], in the precision
    of the run; V/m and A/m. All are views of one piece of memory. On a CPU they are NumPy arrays over memory that the device
    writes, elsewhere maxwell_dg.rtcg.Array, which PyTorch, CuPy and JAX take by DLPack (`torch.from_dlpack(fields["Ey"])`).

    The values are those of the moment at which Simulation.fields was called. Its next call for the same names writes new ones
    into the same memory, so copy what is to stay. They can be read when the simulation is closed.
    """

    def __init__(self, shared: _core.SharedFields, names: Sequence[str], known: Sequence[str]) -> None:
        self._shared = shared
        self._places: dict[str, tuple[int, int | None]] = {}  # the first, and how many where they are a vector
        of_fields = [field for name in names for field in components(name, known)]
        for place, field in enumerate(of_fields):
            self._places[field] = place, None
        for name in dict.fromkeys(field[:-1] for field in of_fields):
            vector = [name + axis for axis in "xyz"]
            first = self._places.get(vector[0], (0, None))[0]
            if of_fields[first : first + 3] == vector:
                self._places[name] = first, 3

    def __getitem__(self, name: str) -> Any:
        if name not in self._places:
            raise KeyError(f"'{name}' is none of {', '.join(self._places)}")
        return self._shared.array(*self._places[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @functools.cached_property
    def points(self) -> Any:
        """[element, node, 3] Where the nodes are, in the mesh's units and double precision; the same kind of array."""
        return self._shared.points()

    def __repr__(self) -> str:
        return f"<Fields {', '.join(self._places)}>"


def components(name: str, known: Sequence[str]) -> list[str]:
    """The fields that a name means: itself, or those of a vector."""
    vector = [name + axis for axis in "xyz"]
    return vector if name not in known and all(field in known for field in vector) else [name]
