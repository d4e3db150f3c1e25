"""What a notebook shows of an object: small tables in HTML."""

from __future__ import annotations

from html import escape
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .labels import quantity

if TYPE_CHECKING:
    from .run import Run


def table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A title over rows of a name and a value; what is empty is left out."""
    body = "".join(f'<tr><th style="text-align:left">{escape(name)}</th>'
                   f'<td style="text-align:left">{escape(str(value))}</td></tr>'
                   for name, value in rows if value not in ("", None, []))
    return f"<div><b>{escape(title)}</b><table>{body}</table></div>"


def of_run(run: Run) -> str:
    """Of a run: what it was, as far as its summary is there, and which results and pictures it has."""
    rows: list[tuple[str, object]] = []
    if "summary" in run:
        s = run.summary
        si = "s" if run.units == "si" else ""
        rows = [("outcome", s.get("outcome")),
                ("elements", f"{s.get('elements')} of order {s.get('order')}, {s.get('dofs')} unknowns"),
                ("steps", f"{s.get('steps')}, to {quantity(s.get('time_end') or 0.0, si)}"),
                ("device", s.get("device")),
                ("wall time", quantity(s.get("wall_seconds") or 0.0, "s")),
                ("warnings", "; ".join(s.get("warnings", [])))]
    rows.append(("results", ", ".join(name for name in type(run).names() if name in run)))
    return table(f"Results {run.name}".rstrip(), rows)
