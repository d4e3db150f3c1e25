"""Systems of equations of a user's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from . import _core
from .symbolic import Expr, ParameterField, ScalarField, Vector, VectorField

Equations = Mapping[ScalarField | VectorField, Expr | Vector | float]


class System:
    """A first-order linear hyperbolic system, in symbols (maxwell_dg.symbolic):

        dq/dt = volume(q, derivatives of q, parameters) + LIFT (Fscale * flux(both sides of a face))

    It stands for the key `system` of a Simulation: kernels are generated, tuned and checked as those of Maxwell's equations are.
    Its fields, parameters and boundary conditions are then the names that `initial_fields`, `materials` and `boundaries` have.
    Numbers are computed with as they are given, in any consistent units.

    Equations are dicts: of a scalar field an expression or a number, of a vector field a Vector; fields that are left out have
    zero. Fields come before equations. Throws ValueError or TypeError for what is no equation.
    """

    def __init__(self, name: str, doc: str = "", *, alpha: float | None = None) -> None:
        """`alpha` says of which kind the flux is, 1 upwind, 0 central, or between: the default integrator is chosen by it."""
        self._own = _core.OwnSystem(name, doc or name, alpha)

    @property
    def name(self) -> str:
        return self._own.name

    @property
    def fields(self) -> list[str]:
        """"p", "ux" ..."""
        return list(self._own.fields)

    def scalar(self, name: str) -> ScalarField:
        """Adds an unknown."""
        return self._own.scalar(name)

    def vector(self, name: str) -> VectorField:
        """Adds the three unknowns NAMEx, NAMEy, NAMEz."""
        return self._own.vector(name)

    def parameter(self, name: str, default: float, doc: str = "",
                  range: Literal["positive", "at least zero", "any"] = "positive") -> ParameterField:
        """Adds a number that each material gives, and that is constant in each element."""
        return self._own.parameter(name, default, doc or name, range)

    def volume(self, equations: Equations) -> None:
        """dq/dt without the fluxes: of derivatives (curl, gradient, divergence) and inside values."""
        self._own.volume(dict(equations))

    def flux(self, equations: Equations) -> None:
        """n . (F* - F^-) at faces, in strong form, of jumps, averages and the normal."""
        self._own.flux(dict(equations))

    def boundary(self, name: str, outside: Equations, *, doc: str = "", absorbs: bool = False, conducts: bool = False) -> None:
        """Adds a boundary condition, by what the outside trace is there. `absorbs`: it may end open space; `conducts`: the
        tangential electric field vanishes there."""
        self._own.boundary(name, dict(outside), doc, absorbs, conducts)

    def energy(self, name: str, weights: Equations) -> None:
        """Adds a part of the energy: the integral of the sum of weights times the squares of fields. A run whose energy grows
        without a source is ended as diverged."""
        self._own.energy(name, dict(weights))

    def max_speed(self, speed: Expr | float) -> None:
        """Sets the speed of the fastest wave, of parameters: the time step follows from it."""
        self._own.max_speed(speed)

    def relaxation_rate(self, rate: Expr | float) -> None:
        """Sets the rate of terms without derivatives, losses, of parameters; 0 unless set."""
        self._own.relaxation_rate(rate)

    def __repr__(self) -> str:
        return f"<System {self.name} of {', '.join(self.fields) or 'no fields'}>"


__all__ = ["System"]
