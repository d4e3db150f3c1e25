"""Sweeps: every combination, on several devices, going on where they stood. Run by CTest with the package in PYTHONPATH."""

import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest
from unittest import mock

import numpy as np

import maxwell_dg as mdg
import system_test
from meshes_test import cube
from simulation_test import cavity


def box(**changes):
    """The cavity at a lower order, for a shorter time, with a line of its energy for each step."""
    keys = {
        "solver": mdg.Solver(order=3, precision="double", tuning_seconds=0),
        "time": mdg.Time(end=0.5),
        "outputs": mdg.Outputs(energy=mdg.EnergyOutput(every=1), probes=[mdg.Probe(name="middle", at=[0.5, 0.5, 0.5])]),
    }
    return cavity(**{**keys, **changes})


def setUpModule():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what runs in the background ignore it


class Sweeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name, "sweep")

    def test_every_combination_is_computed_once(self):
        parameters = {"materials.0.epsilon_r": [1.0, np.float64(4)], "solver.order": [2, 3]}
        told = []
        made = mdg.sweep(box(), parameters, self.folder, progress=lambda point, there, of: told.append((there, of)))
        self.assertEqual((len(made), made.computed, told), (4, 4, [(1, 4), (2, 4), (3, 4), (4, 4)]))
        self.assertEqual([point.parameters for point in made][1], {"epsilon_r": 1.0, "order": 3})
        self.assertEqual([point.results.summary["order"] for point in made], [2, 3, 2, 3])
        for point in made:
            probes = point.results.probes
            exact = np.cos(2**0.5 * np.pi / point.parameters["epsilon_r"] ** 0.5 * probes["time"])
            self.assertLess(abs(probes["middle.Ez"] - exact).max(), 0.1)
        signals = made.dataset("probes")["Ez"]
        self.assertEqual(signals.dims, ("epsilon_r", "order", "probe", "time"))
        self.assertEqual(signals["order"].values.tolist(), [2, 3])
        last = signals.sel(epsilon_r=4.0, order=3, probe="middle").dropna("time")
        np.testing.assert_array_equal(last, made[3].results.probes["middle.Ez"])

        again = mdg.sweep(box(), parameters, self.folder)
        self.assertEqual(again.computed, 0)
        larger = mdg.sweep(box(), parameters | {"solver.order": [2, 3, 4]}, self.folder)
        self.assertEqual((len(larger), larger.computed), (6, 2))
        other = mdg.sweep(box(time=mdg.Time(end=0.4)), parameters, self.folder)
        self.assertEqual(other.computed, 4)
        self.assertAlmostEqual(other[0].results.summary["time_end"], 0.4)

    def test_numbers_are_those_of_a_single_run(self):
        made = mdg.sweep(box(), {"materials.0.epsilon_r": [2.25]}, self.folder)
        with mdg.Simulation(**box(materials=[mdg.Material(region="*", epsilon_r=2.25)])) as simulation:
            expected = simulation.run().probes["middle.Ez"]
        np.testing.assert_array_equal(made[0].results.probes["middle.Ez"], expected)

    def test_devices_take_the_next_point_each(self):
        threads = set()
        old = mdg.sweeps._Work._compute

        def spying(work, point, device):
            threads.add((threading.current_thread().name, device))
            time.sleep(0.05)
            return old(work, point, device)

        mdg.sweeps._Work._compute = spying
        self.addCleanup(setattr, mdg.sweeps._Work, "_compute", old)
        made = mdg.sweep(box(), {"materials.0.epsilon_r": [1, 2, 3, 4]}, self.folder, devices=["cpu", "opencl:0"])
        self.assertEqual(made.computed, 4)
        self.assertEqual(threads, {("sweep on cpu", "cpu"), ("sweep on opencl:0", "opencl:0")})

    def test_ports_that_are_driven_on_a_device_each_have_the_matrix_of_those_driven_in_turn(self):
        base = {
            "units": "normalized",
            "mesh": mdg.Mesh(box=mdg.Box(min=[0, 0, 0], max=[2, 1, 2], cells=[2, 1, 2])),
            "solver": mdg.Solver(order=2, precision="double", tuning_seconds=0),
            "materials": [mdg.Material(region="*")],
            "boundaries": [mdg.PEC(region="*")],
            "ports": [mdg.GuidePort(name="in", boundary="z_min", mode="te10"), mdg.GuidePort(name="out", boundary="z_max", mode="te10")],
            "sources": [mdg.PortSource(waveform=mdg.GaussianPulse(frequency=0.4, bandwidth=0.2))],
            "outputs": mdg.Outputs(s_parameters=mdg.SParameterOutput(from_=0.36, to=0.44, count=3)),
        }
        alone = {**base, "time": mdg.Time(end=200)}
        made = mdg.sweep(alone, {"driven": mdg.driven_ports(["out", "in"])}, self.folder, devices=["cpu", "opencl:0"])
        frequency, S = made.s_parameters()
        with mdg.Simulation(**base, time=mdg.Time(end=400)) as both:
            expected = both.run().s_parameters
        np.testing.assert_array_equal(frequency, expected.frequency)
        self.assertLess(abs(S - expected.S).max(), 1e-5)
        self.assertGreater(abs(S[:, 1, 0]).min(), 0.9)
        with self.assertRaisesRegex(ValueError, r"these runs drive the ports \[2\], and each of 2 must be driven once"):
            mdg.sweep(alone, {"driven": mdg.driven_ports(["out"])}, self.folder).s_parameters()

    def test_parameters_of_several_keys_have_labels(self):
        fields = {"along z": {"initial_fields.E": ["0", "0", "sin(pi*x)*sin(pi*y)"]},
                  "along y": {"initial_fields.E": ["0", "sin(pi*x)*sin(pi*z)", "0"]}}
        made = mdg.sweep(mdg.Simulation(**box()), {"mode": fields}, self.folder)
        self.assertEqual(made.values, {"mode": ["along z", "along y"]})
        largest = abs(made.dataset("probes")).max("time").squeeze("probe")
        self.assertGreater(largest["Ez"].sel(mode="along z"), 0.9)
        self.assertLess(largest["Ez"].sel(mode="along y"), 0.1)

    def test_incidences_are_those_of_the_key_sweep(self):
        waves = mdg.incidences([0, 90], phi=90)
        np.testing.assert_allclose(waves[90]["sources.0.direction"], [0, -1, 0], atol=1e-15)
        np.testing.assert_allclose(waves[90]["sources.0.polarization"], [0, 0, -1], atol=1e-15)
        np.testing.assert_allclose(waves[0]["sources.0.polarization"], [0, 1, 0], atol=1e-15)
        np.testing.assert_allclose(mdg.incidences([30], polarization="phi", source=2)[30]["sources.2.polarization"], [0, 1, 0])
        with self.assertRaisesRegex(mdg.ConfigError, "polarization: found 'x'; it is 'theta' or 'phi'"):
            mdg.incidences([0], polarization="x")

    def test_a_mesh_and_functions_in_memory_are_swept_and_not_computed_again(self):
        vertices, cells = cube(2)
        keys = box(mesh=mdg.MeshData(vertices, cells), materials=[mdg.Material(region="*", epsilon_r=lambda x, y, z: 1 + (x > 0.5))])
        made = mdg.sweep(keys, {"solver.order": [2, 3]}, self.folder)
        with mdg.Simulation(**keys) as simulation:
            alone = simulation.run().probes["middle.Ez"]
        np.testing.assert_array_equal(made[1].results.probes["middle.Ez"], alone)
        self.assertEqual(mdg.sweep(keys, {"solver.order": [2, 3]}, self.folder).computed, 0)
        keys["materials"][0].epsilon_r = lambda x, y, z: 1 + (y > 0.5)
        self.assertEqual(mdg.sweep(keys, {"solver.order": [2, 3]}, self.folder).computed, 2)

    def test_what_is_wrong_is_said_before_anything_is_computed(self):
        with self.assertRaisesRegex(mdg.ConfigError, "solver.order"):
            mdg.sweep(box(), {"solver.order": [3, "many"]}, self.folder)
        self.assertEqual(list(self.folder.glob("*/summary.json")), [])
        with self.assertRaisesRegex(mdg.ConfigError, "solver.order: has no values"):
            mdg.sweep(box(), {"solver.order": []}, self.folder)
        with self.assertRaisesRegex(mdg.ConfigError, "base: its system is in memory"):
            mdg.sweep(system_test.box(system_test.acoustics()), {"solver.order": [3]}, self.folder)
        with self.assertRaisesRegex(mdg.ConfigError, "devices: has none"):
            mdg.sweep(box(), {"solver.order": [3]}, self.folder, devices=[])

    def test_a_run_that_fails_is_named_and_those_before_it_stay(self):
        parameters = {"mesh": {"fine": {}, "missing": {"mesh": {"file": "no_such.h5"}}}}
        with self.assertRaises(mdg.MeshError) as caught:
            mdg.sweep(box(), parameters, self.folder)
        self.assertIn("no_such.h5", str(caught.exception))
        self.assertIn("{'mesh': 'missing'}", caught.exception.__notes__[0])
        self.assertEqual(len(list(self.folder.glob("*/sweep_point.json"))), 1)

    def test_ctrl_c_ends_the_runs_and_the_sweep_goes_on_later(self):
        long = {"short": {"time.end": 0.5}, "endless": {"time.end": 1e5}}
        timer = threading.Timer(2.0, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            mdg.sweep(box(), {"run": long}, self.folder)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual(len(list(self.folder.glob("*/sweep_point.json"))), 1)
        made = mdg.sweep(box(), {"run": {"short": {"time.end": 0.5}}}, self.folder)
        self.assertEqual(made.computed, 0)

    def test_ctrl_c_just_before_a_step_ends_the_run(self):
        step = mdg.Simulation.step

        def late(simulation, count):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
            return step(simulation, count)

        with mock.patch.object(mdg.Simulation, "step", late), self.assertRaises(KeyboardInterrupt):
            mdg.sweep(box(), {"time.end": [1e5]}, self.folder)


if __name__ == "__main__":
    unittest.main()
