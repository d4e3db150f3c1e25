"""Scattering parameters for scikit-rf."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from .optional import optional

if TYPE_CHECKING:
    from .kinds import Array
    from .run import Run
    from .tables import Touchstone

_NO_REFERENCE = "has no meaning"  # in a comment of a file whose ports have impedances of their own


def network(run: Run) -> Any:
    """The scattering parameters as a skrf.Network, whose z0 is the reference of each port: that of the Touchstone file, or
    where ports have impedances of their own, these: a line's or a lumped port's, and of a guide its mode's wave impedance,
    which changes with frequency. Throws ImportError where scikit-rf is missing, ResultsError where there are no scattering
    parameters."""
    skrf = optional("skrf", "scikit-rf", "a Network is scikit-rf's",
                    "results.s_parameters has the matrices as NumPy arrays")
    found = run.s_parameters
    names = [str(port + 1) for port in range(found.S.shape[1])]
    result = skrf.Network(frequency=skrf.Frequency.from_f(found.frequency, unit="Hz"), s=found.S, z0=references(run, found),
                          name=run.name or "maxwell_dg", comments="\n".join(found.comments))
    for comment in found.comments:
        told = re.match(r"port (\d+): (.*?), ", comment)
        if told:
            names[int(told[1]) - 1] = told[2]
    result.port_names = names
    return result


def references(run: Run, found: Touchstone) -> Array:
    """[F, ports] The reference impedance of each port, ohm."""
    if any(_NO_REFERENCE in comment for comment in found.comments):
        return run.port_waves.impedance
    return np.full(found.S.shape[:2], found.reference)
