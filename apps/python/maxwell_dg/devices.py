"""What can compute here."""

from __future__ import annotations

import dataclasses

from . import _core


@dataclasses.dataclass(frozen=True)
class Device:
    """A GPU or a CPU."""

    spec: str
    """what the key `device` takes: "cuda:0", "opencl:0\""""
    name: str
    driver: str
    architecture: str
    memory_bytes: int
    is_cpu: bool
    has_double: bool


def devices() -> list[Device]:
    """All devices that can be opened now, GPUs by CUDA first. Empty where there is no driver."""
    return [Device(**device) for device in _core.devices()]
