"""What the classes of maxwell_dg.config have in common."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ConfigError

ByPlace = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], ArrayLike] | NDArray[np.float64]
"""A function of arrays x, y, z of places, in metres, which gives an array of values; or an array with a value a cell, of a
MeshData."""


@dataclass_transform(kw_only_default=True)
class Keys:
    """A part of a config. Its keys are arguments of the constructor, by name, and attributes that may be changed. A key that
    is a word of Python, such as `from`, has an underscore behind it: `from_`."""

    _fixed: ClassVar[dict[str, str]] = {}  # keys that the class itself stands for, such as type: plane_wave

    def __init__(self, **keys: Any) -> None:
        refuse_unknown(type(self).__name__, keys, self._fields())
        missing = [name for name in self._required() if name not in keys]
        if missing:
            raise ConfigError(f"{type(self).__name__}: {' and '.join(missing)} must be given")
        for name in self._fields():
            setattr(self, name, keys.get(name))

    def __init_subclass__(cls) -> None:
        parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation,
                              default=getattr(cls, name, inspect.Parameter.empty))
            for name, annotation in cls.__annotations__.items() if name != "_fixed"
        ]
        cls.__signature__ = inspect.Signature(sorted(parameters, key=lambda p: p.default is None))  # type: ignore[attr-defined]

    def __setattr__(self, name: str, value: Any) -> None:
        refuse_unknown(type(self).__name__, [name], self._fields())
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # it may change

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items() if value is not None)
        return f"{type(self).__name__}({given})"

    @classmethod
    def _fields(cls) -> list[str]:
        return [name for name in cls.__annotations__ if name != "_fixed"]

    @classmethod
    def _required(cls) -> list[str]:
        return [name for name in cls._fields() if not hasattr(cls, name)]


def refuse_unknown(where: str, names: Iterable[str], known: list[str]) -> None:
    """Throws ConfigError for a name that is not known, with the nearest one that is."""
    for name in names:
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
        raise ConfigError(f"{where}: there is no key '{name}'; {hint}")


def plain(value: Any) -> Any:
    """The value with mappings in place of Keys, as a YAML file would have it."""
    if isinstance(value, Keys):
        keys = {name.removesuffix("_"): plain(entry) for name, entry in value.__dict__.items() if entry is not None}
        return {**value._fixed, **keys}
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value
