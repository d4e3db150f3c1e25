"""What goes wrong while results are read or drawn."""

from __future__ import annotations

class ResultsError(Exception):
    """One line: the file, what was found in it, and what to do."""


class NothingYet(ResultsError):
    """A file is whole, but holds nothing to draw: the run goes on, or ended early."""
