"""What a notebook shows of a simulation, and of what it would be."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from maxwell_dg_results import html
from maxwell_dg_results.labels import quantity

if TYPE_CHECKING:
    from .simulation import Check, Simulation


def of_check(check: Check) -> str:
    """As HTML."""
    return html.table("A run would be", [
        ("elements", f"{check.elements} of order {check.order}"
         + (f", {check.curved_elements} of them curved" if check.curved_elements else "")),
        ("unknowns", check.dofs),
        ("steps", f"{check.steps}{' at most' if check.ends_by_decay else ''} of {check.dt:.4g}"),
        ("device", check.device),
        ("memory", f"{quantity(check.device_bytes, 'B')} of {quantity(check.free_bytes, 'B')} that are free"),
        ("warnings", "; ".join(check.warnings)),
    ])


def of_simulation(simulation: Simulation) -> str:
    """As HTML: where the run stands, and its config. Makes nothing ready."""
    text = repr(simulation).strip("<>")
    return (html.table(text, [("warnings", "; ".join(simulation.warnings))])
            + f"<details><summary>config</summary><pre>{escape(simulation.to_yaml())}</pre></details>")
