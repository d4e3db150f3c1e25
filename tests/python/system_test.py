"""Systems of equations written in Python. Run by CTest like simulation_test.py."""

import unittest

import numpy as np

import maxwell_dg as mdg
from maxwell_dg import symbolic as sym
from simulation_test import cavity


def acoustics(name="sound"):
    """As dg/acoustics/acoustics.cpp has them, with the upwind flux."""
    system = mdg.System(name, "linear acoustics", alpha=1.0)
    p, u = system.scalar("p"), system.vector("u")
    density, speed = system.parameter("rho", 1.0, "density"), system.parameter("c", 1.0, "speed of sound")
    rho, c = sym.inside(density), sym.inside(speed)
    n = sym.normal()
    Z_m, Z_p = rho * c, sym.outside(density) * sym.outside(speed)
    Y_m, Y_p = 1.0 / Z_m, 1.0 / Z_p
    system.volume({p: -rho * c * c * sym.divergence(u), u: -sym.gradient(p) / rho})
    jump_un = sym.dot(n, sym.jump(u))
    system.flux({p: rho * c * c * (Z_p * jump_un - sym.jump(p)) / (Z_m + Z_p),
                 u: ((Y_p * sym.jump(p) - jump_un) / ((Y_m + Y_p) * rho)) * n})
    p_m, u_m = sym.inside(p), sym.inside(u)
    system.boundary("rigid", {p: p_m, u: u_m - 2.0 * sym.dot(n, u_m) * n}, doc="no normal velocity")
    system.max_speed(c)
    system.energy("potential", {p: 0.5 / (rho * c * c)})
    system.energy("kinetic", {u: 0.5 * rho * sym.Vector(1, 1, 1)})
    return system


def box(system, **changes):
    keys = cavity(system=system, boundaries=[{"region": "*", "type": "rigid"}],
                  materials=[{"region": "*", "rho": 1.2, "c": "1 + x / 4"}],
                  initial_fields={"p": "cos(pi*x)*cos(pi*y)"}, **changes)
    return keys


class Systems(unittest.TestCase):
    def test_equations_of_python_compute_what_the_built_in_ones_do(self):
        own = mdg.Simulation(**box(acoustics())).run()
        built_in = mdg.Simulation(**box("acoustics")).run()
        for name in ("middle.p", "middle.ux"):
            np.testing.assert_allclose(own.probes[name], built_in.probes[name], rtol=0, atol=1e-12)
        np.testing.assert_allclose(own.energy["kinetic"], built_in.energy["kinetic"], rtol=1e-10)
        self.assertGreater(abs(own.probes["middle.ux"]).max(), 1e-3)

    def test_its_names_are_those_of_the_config_and_of_fields(self):
        system = acoustics()
        self.assertEqual((system.name, system.fields), ("sound", ["p", "ux", "uy", "uz"]))
        self.assertEqual(repr(system), "<System sound of p, ux, uy, uz>")
        with mdg.Simulation(**box(system)) as simulation:
            simulation.step(3)
            self.assertEqual(list(simulation.fields()), ["p", "ux", "uy", "uz", "u"])
            self.assertIn('system: "sound"', simulation.to_yaml().replace("system: sound", 'system: "sound"'))
        for keys, pattern in (({"materials": [{"region": "*", "rhoo": 2}]}, "materials.0.rhoo: unknown key; did you mean 'rho'"),
                              ({"boundaries": [{"region": "*", "type": "rigit"}]}, "rigid"),
                              ({"materials": [{"region": "*", "c": -1}]}, "materials.0.c"),
                              ({"initial_fields": {"q": "1"}}, "initial_fields.q")):
            with self.subTest(pattern), self.assertRaisesRegex(mdg.ConfigError, pattern):
                mdg.Simulation(**{**box(acoustics()), **keys})

    def test_expressions_are_written_with_operators_and_functions(self):
        system = mdg.System("all")
        q, v = system.scalar("q"), system.vector("v")
        x = sym.position()[0]
        e = sym.inside(q)
        system.volume({q: sym.sin(x) ** 2 + abs(e) - (2 - e) * 3 / (1 + sym.exp(-x)) + sym.max(e, 0) * sym.sqrt(x * x),
                       v: sym.cross(sym.curl(v), sym.inside(v)) * e - sym.Vector(0, e, 1) / 2 + v[1].derivative(2) * sym.normal()})
        with self.assertRaises(IndexError):
            sym.position()[3]
        with self.assertRaises(TypeError):
            sym.sin("x")

    def test_what_is_no_system_is_said(self):
        system = mdg.System("nothing")
        for make, kind, pattern in (
            (lambda: mdg.Simulation(**cavity(system=system)), ValueError, "'nothing' has no fields"),
            (lambda: mdg.System("a").volume({"p": 1}), TypeError, "keys are fields of this system"),
            (lambda: mdg.System("a").parameter("c", 1.0, range="big"), ValueError, "found 'big'"),
            (lambda: mdg.System(3), TypeError, "argument"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                make()
        q = system.scalar("q")
        u = system.vector("u")
        for make, kind, pattern in (
            (lambda: system.scalar("q"), ValueError, "there is a field 'q' already"),
            (lambda: system.vector("u"), ValueError, "there is a field 'u' already"),
            (lambda: system.volume({u: 1.0}), ValueError, "a vector field's entry is a Vector"),
            (lambda: system.volume({q: sym.normal()}), ValueError, "a scalar field's entry is a number or an Expr"),
            (lambda: mdg.System("b").volume({q: 1.0}), ValueError, "a field is of another system"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                make()
        system.volume({q: sym.divergence(u)})
        with self.assertRaisesRegex(ValueError, "fields come before equations"):
            system.scalar("late")
        for setting, pattern in ((lambda: system.flux({}), "no fluxes"), (lambda: system.boundary("wall", {}), "no boundary conditions"),
                                 (lambda: system.max_speed(1.0), "no fastest speed"),
                                 (lambda: system.energy("e", {q: 1.0, u: sym.Vector(1, 1, 1)}), "no energy")):
            with self.assertRaisesRegex(ValueError, pattern):
                mdg.Simulation(**cavity(system=system))
            setting()
        with self.assertRaisesRegex(ValueError, "a condition 'wall' already"):
            system.boundary("wall", {})


if __name__ == "__main__":
    unittest.main()
