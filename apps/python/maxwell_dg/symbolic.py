"""The language in which systems of equations are written: fields with traces and derivatives, vectors, functions.

Symbols as in docs/conventions.md: `inside` (minus) is the element itself, `outside` (plus) its neighbour or what a boundary
condition says; jump(q) = inside(q) - outside(q).
"""

from ._core import (
    Expr,
    ParameterField,
    ScalarField,
    Vector,
    VectorField,
    average,
    cross,
    curl,
    divergence,
    gradient,
    inside,
    jump,
    normal,
    outside,
    position,
    time,
)
from ._core import expr_abs as abs
from ._core import expr_acos as acos
from ._core import expr_asin as asin
from ._core import expr_atan as atan
from ._core import expr_atan2 as atan2
from ._core import expr_cos as cos
from ._core import expr_cosh as cosh
from ._core import expr_exp as exp
from ._core import expr_log as log
from ._core import expr_max as max
from ._core import expr_min as min
from ._core import expr_sin as sin
from ._core import expr_sinh as sinh
from ._core import expr_sqrt as sqrt
from ._core import expr_tan as tan
from ._core import expr_tanh as tanh
from ._core import inner as dot

__all__ = [
    "Expr",
    "ParameterField",
    "ScalarField",
    "Vector",
    "VectorField",
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "average",
    "cos",
    "cosh",
    "cross",
    "curl",
    "divergence",
    "dot",
    "exp",
    "gradient",
    "inside",
    "jump",
    "log",
    "max",
    "min",
    "normal",
    "outside",
    "position",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "time",
]
