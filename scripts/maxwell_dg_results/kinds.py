"""Names of types that the functions of this package take and give. They cost nothing when it runs."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[Any]
PathLike = str | os.PathLike[str]
Series = list[tuple[float, pathlib.Path]]  # times and files of snapshots
Curves = Sequence[tuple[str, Array]]  # names and values
Draw = Callable[[], "Figure | None"]
Wanted = tuple[str, Draw]  # a picture's name, and what draws it
Add = Callable[[str, Draw], None]
