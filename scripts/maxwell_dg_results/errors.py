"""What goes wrong while results are read or drawn."""


class ResultsError(Exception):
    """One line: the file, what was found in it, and what to do."""
