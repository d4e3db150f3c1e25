"""Media that change while a run goes on. Run by CTest like simulation_test.py."""

import unittest

import numpy as np

import maxwell_dg as mdg
from meshes_test import bent, cube, nodes_of_order_2
from simulation_test import cavity
from tested_device import DEVICE


TENSOR = np.array([[2.5, 0.4, 0.2], [0.4, 2.0, -0.3], [0.2, -0.3, 1.8]])


def two_halves(bend=0.0, **changes):
    """A cavity of two regions, `left` and `right` of x = 1/2; bent within, if asked, so that elements are curved."""
    corners, cells = cube(4)
    left = corners[cells].mean(axis=1)[:, 0] < 0.5
    vertices, nodes = bent(corners, bend), bent(nodes_of_order_2(corners, cells), bend)
    return cavity(mesh=mdg.MeshData(vertices, cells, nodes=nodes, regions={"left": left, "right": ~left}),
                  solver=mdg.Solver(order=3, precision="double", tuning_seconds=0), **changes)


class ChangedMedia(unittest.TestCase):
    def test_a_cavity_whose_permittivity_grows_slowly_keeps_its_energy_times_its_period(self):
        # D and B stay when a medium changes: the energy falls as the frequency does, which is 1 / sqrt(2 epsilon_r).
        end, last = 30.0, 2.0
        simulation = mdg.Simulation(**cavity(time=mdg.Time(end=end)))

        def grow(run):
            run.set_medium(epsilon_r=1 + (last - 1) * np.sin(np.pi / 2 * run.time / end) ** 2)

        results = simulation.run(grow, every=5)
        self.assertAlmostEqual(simulation.medium("epsilon_r")[0], last, 2)
        energy, time = results.energy["total"], results.energy["time"]
        self.assertAlmostEqual(np.mean(energy[time > end - 4]) / energy[0] * last**0.5, 1, delta=0.01)
        signal, time = results.probes["middle.Ez"], results.probes["time"]
        zeros = time[1:][np.diff(np.sign(signal)) != 0]
        self.assertAlmostEqual(np.diff(zeros)[-3:].mean(), (2 * last) ** 0.5 / 2, delta=0.01)

    def test_media_set_before_the_first_step_are_those_of_a_config(self):
        electric = mdg.InitialFields(E=["0", "0", "sin(pi*x)*sin(pi*y)"])
        magnetic = mdg.InitialFields(H=["sin(pi*x)*cos(pi*y)", "-cos(pi*x)*sin(pi*y)", "0"])
        for initial_fields, constants in ((magnetic, {"epsilon_r": 2.0, "sigma": 0.3}), (electric, {"mu_r": 1.5})):
            of_config = mdg.Simulation(**two_halves(initial_fields=initial_fields, materials=[
                mdg.Material(region="left", **constants), mdg.Material(region="right")]))
            changed = mdg.Simulation(**two_halves(initial_fields=initial_fields))
            left = changed.elements_of("left")
            self.assertEqual(len(left), 192)
            changed.set_medium("left", **{name: np.full(192, value) for name, value in constants.items()})
            self.assertEqual(set(changed.medium(next(iter(constants)))[left]), {next(iter(constants.values()))})
            signals = [simulation.run().probes["middle.Ez"] for simulation in (of_config, changed)]
            np.testing.assert_allclose(signals[0], signals[1], rtol=0, atol=1e-13)

    def test_media_of_curved_elements_are_those_of_a_config(self):
        initial_fields = mdg.InitialFields(H=["sin(pi*x)*cos(pi*y)", "-cos(pi*x)*sin(pi*y)", "0"])
        bent = {"bend": 0.1, "initial_fields": initial_fields, "time": mdg.Time(end=0.3)}
        of_config = mdg.Simulation(**two_halves(**bent, materials=[mdg.Material(region="left", epsilon_r=2.0, sigma=0.3),
                                                                   mdg.Material(region="right")]))
        changed = mdg.Simulation(**two_halves(**bent))
        self.assertGreater(changed.check().curved_elements, 300)
        changed.set_medium("left", epsilon_r=2.0, sigma=0.3)
        signals = [simulation.run().probes["middle.Ez"] for simulation in (of_config, changed)]
        np.testing.assert_allclose(signals[0], signals[1], rtol=0, atol=1e-13)
        self.assertGreater(np.abs(signals[0]).max(), 0.1)

    def test_tensors_set_before_the_first_step_are_those_of_a_config_on_a_cpu_to_the_bit(self):
        fields = mdg.InitialFields(H=["sin(pi*x)*cos(pi*y)", "-cos(pi*x)*sin(pi*y)", "0"])
        for bend, sigma in ((0.0, 0.3), (0.1, 0.0)):
            keys = {"bend": bend, "time": mdg.Time(end=0.3), "initial_fields": fields}
            of_config = mdg.Simulation(**two_halves(**keys, materials=[mdg.Material(region="left", epsilon_r=TENSOR.tolist(), sigma=sigma),
                                                                       mdg.Material(region="right")]))
            changed = mdg.Simulation(**two_halves(**keys, materials=[mdg.Material(region="*", epsilon_r=[1, 1, 1])]))
            changed.set_medium("left", epsilon_r=np.full((192, 3, 3), TENSOR), sigma=sigma)
            np.testing.assert_array_equal(changed.medium("epsilon_r"), of_config.medium("epsilon_r"))
            signals = [np.stack([simulation.run().probes[f"middle.E{axis}"] for axis in "xyz"]) for simulation in (of_config, changed)]
            # On a GPU the constants of one kernel may be rounded otherwise by another.
            np.testing.assert_allclose(signals[0], signals[1], rtol=0, atol=1e-13 if DEVICE.startswith("cuda") else 0)
            self.assertGreater(np.abs(signals[0]).max(axis=1).min(), 1e-3)  # the tensor couples the components

    def test_new_losses_of_curved_elements_beside_tensors_are_refused(self):
        simulation = mdg.Simulation(**two_halves(bend=0.1, materials=[mdg.Material(region="*", epsilon_r=[1, 1, 1])]))
        with self.assertRaisesRegex(mdg.ConfigError, "is curved and would get losses, .*; give its material its sigma"):
            simulation.set_medium("left", epsilon_r=TENSOR, sigma=0.3)
        self.assertEqual(np.abs(simulation.medium("sigma")).max(), 0)

    def test_the_flux_densities_stay_when_tensors_change(self):
        simulation = mdg.Simulation(**two_halves(materials=[mdg.Material(region="left", epsilon_r=[1, 2, 3]), mdg.Material(region="right")]))
        simulation.step(5)
        left = simulation.elements_of("left")
        D = np.diag([1, 2, 3]) @ np.stack([simulation.field(f"E{axis}")[left] for axis in "xyz"], axis=1)
        B = np.stack([simulation.field(f"H{axis}")[left] for axis in "xyz"], axis=1)
        simulation.set_medium("left", epsilon_r=TENSOR, mu_r=2.0)
        for name, constant, density in (("E", TENSOR, D), ("H", 2 * np.eye(3), B)):
            now = np.stack([simulation.field(f"{name}{axis}")[left] for axis in "xyz"], axis=1)
            np.testing.assert_allclose(constant @ now, density, rtol=0, atol=1e-14 * np.abs(density).max())
        for message, tensor in (("epsilon_r of element .* must be symmetric", [[2, 0.5, 0], [0, 2, 0], [0, 0, 2]]),
                                ("epsilon_r of element .* must be positive definite, and has the eigenvalue -1", [[2, 3, 0], [3, 2, 0], [0, 0, 2]]),
                                ("epsilon_r of element .* must be positive definite, and has the diagonal element 0", [[2, 0, 0], [0, 0, 0], [0, 0, 2]])):
            with self.assertRaisesRegex(mdg.ConfigError, message):
                simulation.set_medium("left", epsilon_r=np.array(tensor))
        with self.assertRaisesRegex(mdg.ConfigError, "it would need a step of .*; begin with a smaller solver.cfl"):
            simulation.set_medium("left", epsilon_r=np.diag([0.01, 1, 1]))
        with self.assertRaisesRegex(mdg.ConfigError, "no constant 'epsilon_xx'.*they have: epsilon_r, mu_r, sigma"):
            simulation.set_medium(epsilon_xx=2)
        np.testing.assert_array_equal(simulation.medium("epsilon_r")[left], np.full((192, 3, 3), TENSOR))

    def test_the_flux_densities_stay_when_a_medium_changes(self):
        simulation = mdg.Simulation(**two_halves())
        simulation.step(5)
        left, before = simulation.elements_of("left"), {name: simulation.field(name) for name in ("Ez", "Hx")}
        simulation.set_medium("left", epsilon_r=2, mu_r=4)
        for name, factor in (("Ez", 2), ("Hx", 4)):
            expected = before[name].copy()
            expected[left] /= factor
            # Rounded where the device keeps vectors along the edges of each element.
            np.testing.assert_allclose(simulation.field(name), expected, rtol=0, atol=1e-14 * np.abs(expected).max())

    def test_what_cannot_be_is_refused_and_changes_nothing(self):
        simulation = mdg.Simulation(**two_halves(sources=[mdg.Dipole(at=[0.2, 0.3, 0.4], moment=[0, 0, 1], waveform=mdg.Sine(frequency=1))],
                                                 boundaries=[mdg.PEC(region="*")]))
        simulation.step(3)
        field = simulation.field("Ez")
        for message, region, constants in (
                (r"it would need a step of .*, and the run's is .*; begin with a smaller solver.cfl, at most 0\.", "right", {"epsilon_r": 0.01}),
                ("epsilon_r of element .* would be 0; a positive number is needed", "right", {"epsilon_r": 0}),
                ("sigma of element .* would be -1; a number of at least 0 is needed", "right", {"sigma": -1}),
                ("element .* is in the term 'electric_dipole', which was made for its constants", "left", {"epsilon_r": 2}),
                ("no constant 'epsilon'.*epsilon_r", "right", {"epsilon": 2}),
                (r"epsilon_r: a real number is needed, or an array of the shape \(192,\) or \(3, 3\) or \(192, 3, 3\); found float64 of the shape \(3,\)",
                 "right", {"epsilon_r": np.ones(3)}),
                (r"sigma: a real number is needed, or an array of the shape \(192,\); found float64 of the shape \(3, 3\)", "right",
                 {"sigma": np.eye(3)}),
                (r"epsilon_r of this run is one number an element; for tensors begin with one, such as epsilon_r: \[1, 1, 1\]", "right",
                 {"epsilon_r": np.diag([1.0, 2.0, 3.0])})):
            with self.assertRaisesRegex(mdg.ConfigError, message):
                simulation.set_medium(region, **constants)
        with self.assertRaisesRegex(mdg.MeshError, "no region 'middle'; it has left, right"):
            simulation.set_medium("middle", epsilon_r=2)
        np.testing.assert_array_equal(simulation.field("Ez"), field)
        self.assertEqual(set(simulation.medium("epsilon_r")), {1.0})
        balanced = mdg.Simulation(**cavity(outputs=mdg.Outputs(energy=mdg.EnergyOutput(balance=True))))
        with self.assertRaisesRegex(mdg.ConfigError, "outputs.energy.balance"):
            balanced.set_medium(epsilon_r=2)
        smooth = mdg.Simulation(**two_halves(materials=[mdg.Material(region="*", epsilon_r="1 + x", profile="smooth")]))
        with self.assertRaisesRegex(mdg.ConfigError, "constants vary within elements; leave out profile 'smooth'"):
            smooth.set_medium(epsilon_r=2)


if __name__ == "__main__":
    unittest.main()
