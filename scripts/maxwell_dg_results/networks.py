"""Scattering parameters for scikit-rf."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .run import Run
    from .tables import Touchstone

_NO_REFERENCE = "has no meaning"  # in a comment of a file whose ports have impedances of their own
_OHM = {"m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6}


def network(run: Run) -> Any:
    """The scattering parameters as a skrf.Network, whose z0 is the reference of each port: that of the Touchstone file, or
    where ports have impedances of their own, these: a line's or a lumped port's, and of a guide its mode's wave impedance,
    which changes with frequency. Throws ImportError where scikit-rf is missing, ResultsError where there are no scattering
    parameters."""
    try:
        import skrf
    except ImportError as missing:
        raise ImportError("a Network is scikit-rf's: pip install scikit-rf; without it results.s_parameters has the "
                          "matrices as NumPy arrays") from missing
    found = run.s_parameters
    result = skrf.Network(frequency=skrf.Frequency.from_f(found.frequency, unit="Hz"), s=found.S, z0=references(run, found),
                          name=run.name or "maxwell_dg", comments="\n".join(found.comments))
    result.port_names = [name for name, _ in _ports(found)]
    return result


def references(run: Run, found: Touchstone) -> np.ndarray:
    """[F, ports] The reference impedance of each port, ohm."""
    shape = found.S.shape[:2]
    if not any(_NO_REFERENCE in comment for comment in found.comments):
        return np.full(shape, found.reference)
    of_modes = run.port_waves.impedance
    z0 = np.array([np.full(shape[0], own) if own else of_modes[:, p] for p, (_, own) in enumerate(_ports(found))]).T
    return z0


def _ports(found: Touchstone) -> list[tuple[str, float | None]]:
    """Name and own impedance of each port, as the comments tell them."""
    ports: list[tuple[str, float | None]] = [(str(p + 1), None) for p in range(found.S.shape[1])]
    for comment in found.comments:
        told = re.match(r"port (\d+): (.*?), ", comment)
        if told:
            own = re.search(r"impedance ([\d.e+-]+) ([mkM]?)ohm", comment)
            ports[int(told[1]) - 1] = told[2], float(own[1]) * _OHM[own[2]] if own else None
    return ports
