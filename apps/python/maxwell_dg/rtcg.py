"""Code at run time: arrays on a GPU or a CPU, and kernels that are generated, compiled, kept and tuned as the program runs.

    from maxwell_dg import rtcg

    context = rtcg.Context()                       # a GPU, or else the CPU
    x = rtcg.to_device(context, numpy.arange(6.0))
    y = 2 * x + rtcg.sin(x)                        # one kernel an operation
    z = (2 * rtcg.Lazy(x) + rtcg.sin(rtcg.Lazy(x))).evaluate()  # one kernel for all of it

The same library from C++ is described in docs/rtcg.md; its kernels, texts and rules are those here.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._core import (
    Array,
    Context,
    ElementwiseKernel,
    Kernel,
    Lazy,
    LoopKernel,
    Module,
    ReductionKernel,
    ScanKernel,
    abs,
    acos,
    asin,
    atan,
    atan2,
    conj,
    cos,
    cosh,
    dot,
    exp,
    floor,
    fma,
    hypot,
    imag,
    log,
    maximum,
    minimum,
    pow,
    real,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
    where,
)


def to_device(context: Context, values: ArrayLike, dtype: DTypeLike | None = None) -> Array:
    """A copy of numbers on the context's device. What has `__dlpack__` and is there already is shared, not copied."""
    if dtype is None and hasattr(values, "__dlpack_device__") and not isinstance(values, np.ndarray):
        return context.from_dlpack(values)
    return context.of_numpy(np.asarray(values, dtype=dtype, order="C"))


def compile(context: Context, text: str, *, name: str = "kernel", values: Mapping[str, Any] | None = None) -> Module:
    """Kernels from text in the dialect of docs/rtcg.md, `KERNEL void twice(GLOBAL float32* x) {...}`. With `values` the text is a
    template (docs/templates.md). Throws CompileError with the line that does not compile."""
    return _core.compile(context, text, name, None if values is None else dict(values))


@dataclasses.dataclass
class Candidate:
    """What one configuration of a tuning problem is: a kernel's text, and how it is launched."""

    text: str
    kernel: str
    arguments: Sequence[object]
    """Arrays, and numbers with a type of NumPy"""
    groups: int | Sequence[int] = 1
    group_size: int | Sequence[int] = 1
    name: str = "candidate"


@dataclasses.dataclass(frozen=True)
class TuningResult:
    """The fastest configuration."""

    best: dict[str, Any]
    seconds: float
    """of one run"""
    tuned: bool
    """False: an earlier answer was taken"""
    table: list[tuple[dict[str, Any], float, str]]
    """(configuration, seconds or 0, why it was rejected or "") of all that were tried"""
    text: str
    """the table for people"""


def tune(context: Context, question: str, parameters: Mapping[str, Sequence[Any]],
         candidate: Callable[[dict[str, Any]], Candidate], verify: Callable[[], str | None], *,
         prepare: Callable[[], object] | None = None, require: Sequence[str] = (), shape: Mapping[str, Any] | None = None,
         code: str = "", seconds: float = 60.0, most_candidates: int = 1000, anew: bool = False, keep: bool = True,
         wisdom_directory: str | os.PathLike[str] | None = None) -> TuningResult:
    """Finds the fastest of many kernels that compute the same, by trying them on the device, and keeps the answer in the wisdom:
    the same question is not tried again.

    parameters: {name: values} of the search space. require: expressions that must hold, "block * lanes <= 1024".
    candidate: makes the kernel of a configuration; a ValueError refuses it. prepare: brings inputs into their state before a
    run that is checked. verify: after it, what is wrong with the result, or None. shape and code: what the answer depends on
    besides. Throws DeviceError where no candidate works.
    """
    found = _core.tune(context, question, {name: list(values) for name, values in parameters.items()}, candidate, verify, prepare,
                       list(require), dict(shape or {}), code, seconds, most_candidates, anew, keep,
                       None if wisdom_directory is None else os.fspath(wisdom_directory))
    return TuningResult(**found)


__all__ = [
    "Array",
    "Candidate",
    "Context",
    "ElementwiseKernel",
    "Kernel",
    "Lazy",
    "LoopKernel",
    "Module",
    "ReductionKernel",
    "ScanKernel",
    "TuningResult",
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "compile",
    "conj",
    "cos",
    "cosh",
    "dot",
    "exp",
    "floor",
    "fma",
    "hypot",
    "imag",
    "log",
    "maximum",
    "minimum",
    "pow",
    "real",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "to_device",
    "tune",
    "where",
]
