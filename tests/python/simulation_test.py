"""The package for Python, as a program of a user's own uses it. Run by CTest with the package in PYTHONPATH; the program
maxwell_dg is $MAXWELL_DG_PROGRAM."""

import gc
import json
import logging
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import weakref

import numpy as np

import maxwell_dg as mdg
import maxwell_dg_results
from maxwell_dg.results import MemoryResults
from tested_device import DEVICE

SOURCE = pathlib.Path(__file__).parents[2]
GUIDE = SOURCE / "apps/examples/waveguide_in_memory/guide.yaml"


def cavity(**changes):
    """The keys of the lowest mode of a unit cube, which rings with the period sqrt(2)."""
    return {
        "units": "normalized",
        "device": DEVICE,
        "mesh": mdg.Mesh(box=mdg.Box(min=[0, 0, 0], max=[1, 1, 1], cells=[3, 3, 3])),
        "solver": mdg.Solver(order=4, precision="double", tuning_seconds=0),
        "time": mdg.Time(end=2**0.5),
        "materials": [mdg.Material(region="*")],
        "boundaries": [mdg.PEC(region="*")],
        "initial_fields": mdg.InitialFields(E=["0", "0", "sin(pi*x)*sin(pi*y)"]),
        "outputs": mdg.Outputs(energy=mdg.EnergyOutput(), probes=[mdg.Probe(name="middle", at=[0.5, 0.5, 0.5])]),
        **changes,
    }


def setUpModule():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what runs in the background ignore it


class Runs(unittest.TestCase):
    def test_a_cavity_rings_as_its_lowest_mode_does(self):
        with mdg.Simulation(**cavity()) as simulation:
            results = simulation.run()
            self.assertTrue(simulation.has_ended)
            self.assertAlmostEqual(simulation.time, 2**0.5)
            signal_ = results.probes["middle.Ez"]
            expected = np.cos(2**0.5 * np.pi * results.probes["time"])
            self.assertLess(abs(signal_ - expected).max(), 0.01)
            x, y, _ = np.moveaxis(simulation.coordinates(), -1, 0)
            field = simulation.field("Ez")
            self.assertEqual(field.shape, (162, 35))
            self.assertLess(abs(field - np.sin(np.pi * x) * np.sin(np.pi * y)).max(), 0.01)
            self.assertEqual(results.summary["outcome"], "done")

    def test_check_tells_what_a_run_would_be(self):
        simulation = mdg.Simulation(**cavity())
        check = simulation.check()
        self.assertEqual((check.elements, check.order, check.dofs), (162, 4, 162 * 35 * 6))
        self.assertEqual(check.fields, ["Ex", "Ey", "Ez", "Hx", "Hy", "Hz"])
        self.assertAlmostEqual(check.dt * check.steps, 2**0.5)
        simulation.run()
        self.assertEqual(simulation.steps, check.steps)

    def test_check_has_the_programs_forecast_and_the_run_reads_no_mesh_again(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "cube.h5")
            mdg.MeshData(np.eye(4)[:, :3], [[0, 1, 2, 3]]).write(file)
            simulation = mdg.Simulation(**cavity(mesh=mdg.Mesh(file=file), outputs=mdg.Outputs()))
            check = simulation.check()
            yaml = pathlib.Path(folder, "Simulation.yaml")
            yaml.write_text(simulation.to_yaml())
            printed = subprocess.run([os.environ["MAXWELL_DG_PROGRAM"], "--check", yaml], check=True, capture_output=True, text=True)
            forecast = printed.stdout.partition("# forecast\n")[2]

            def without_figures_of_the_moment(text):
                return [line for line in text.splitlines() if not line.startswith(("# device memory", "# time"))]

            self.assertEqual(without_figures_of_the_moment(check.text), without_figures_of_the_moment(forecast))
            self.assertEqual(str(check), check.text)
            file.unlink()
            simulation.step()  # has the mesh
            self.assertEqual(without_figures_of_the_moment(simulation.check().text), without_figures_of_the_moment(forecast))
            simulation.close()
            with self.assertRaisesRegex(RuntimeError, "closed"):
                simulation.check()

    def test_a_run_is_resumed_from_its_checkpoint(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = cavity(checkpoint=mdg.Checkpoint(steps=4))
            keys["outputs"].directory = folder
            with mdg.Simulation(**keys) as begun:
                begun.step(10)
            with mdg.Simulation(**keys).resume() as resumed:
                self.assertEqual(resumed.steps, 10)  # closing the run has left a checkpoint
                resumed.check()
                signal_ = resumed.run().probes["middle.Ez"]
                with self.assertRaisesRegex(RuntimeError, "has begun"):
                    resumed.resume()
            whole = mdg.Simulation(**cavity()).run().probes["middle.Ez"]
            np.testing.assert_array_equal(signal_, whole)
        with self.assertRaisesRegex(mdg.ConfigError, "stay in memory; name outputs.directory"):
            mdg.Simulation(**cavity()).resume()

    def test_yaml_classes_and_dicts_are_the_same_config(self):
        by_classes = mdg.Simulation(**cavity())
        as_dicts = json.loads(json.dumps({
            "units": "normalized", "device": DEVICE, "mesh": {"box": {"min": [0, 0, 0], "max": [1, 1, 1], "cells": [3, 3, 3]}},
            "solver": {"order": 4, "precision": "double", "tuning_seconds": 0}, "time": {"end": 2**0.5},
            "materials": [{"region": "*"}], "boundaries": [{"region": "*", "type": "pec"}],
            "initial_fields": {"E": ["0", "0", "sin(pi*x)*sin(pi*y)"]},
            "outputs": {"energy": {}, "probes": [{"name": "middle", "at": [0.5, 0.5, 0.5]}]}}))
        self.assertEqual(by_classes.to_yaml(), mdg.Simulation(**as_dicts).to_yaml())
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "Simulation.yaml")
            file.write_text(by_classes.to_yaml())
            self.assertEqual(by_classes.to_yaml(), mdg.Simulation.from_yaml(file).to_yaml())

    def test_numbers_of_numpy_are_numbers(self):
        keys = cavity(time=mdg.Time(end=np.float64(2) ** 0.5))
        keys["mesh"] = {"box": {"min": np.zeros(3), "max": np.ones(3), "cells": np.array([3, 3, 3])}}
        self.assertEqual(mdg.Simulation(**keys).to_yaml(), mdg.Simulation(**cavity()).to_yaml())

    def test_numbers_are_those_of_the_program_to_the_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ["MAXWELL_DG_PROGRAM"], GUIDE, "--quiet", "--output", folder], check=True)
            of_program = mdg.open(folder)
            with mdg.Simulation.from_yaml(GUIDE) as simulation:
                of_python = simulation.run()
                for name in of_program.probes:
                    np.testing.assert_array_equal(of_python.probes[name], of_program.probes[name])
                np.testing.assert_array_equal(of_python.s_parameters.S, of_program.s_parameters.S)
                np.testing.assert_array_equal(of_python.port_waves.b, of_program.port_waves.b)
                self.assertEqual(of_python.s_parameters.comments, of_program.s_parameters.comments)

    def test_a_callback_sees_each_step_and_stop_ends_the_run(self):
        times = []

        def callback(simulation):
            times.append(simulation.time)
            if len(times) == 4:
                simulation.stop()

        with mdg.Simulation(**cavity()) as simulation:
            simulation.run(callback)
            self.assertEqual(simulation.steps, 3)
            np.testing.assert_allclose(np.diff(times), times[1])
            self.assertFalse(simulation.has_ended)
            simulation.run(callback, every=5)  # goes on
            self.assertTrue(simulation.has_ended)

    def test_what_a_callback_raises_comes_out_and_the_run_can_go_on(self):
        def callback(simulation):
            raise KeyError("mine")

        with mdg.Simulation(**cavity()) as simulation:
            with self.assertRaisesRegex(KeyError, "mine"):
                simulation.run(callback)
            simulation.run()
            self.assertTrue(simulation.has_ended)

    @unittest.skipUnless(os.environ.get("MAXWELL_DG_GMSH_PROGRAM"), "this build has no Gmsh")
    def test_a_geometry_is_meshed(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "ball.geo")
            file.write_text('SetFactory("OpenCASCADE"); Sphere(1) = {0, 0, 0, 1}; Physical Volume("ball") = {1};')
            keys = cavity(mesh=mdg.Mesh(file=file, order=2, size=0.8), outputs=mdg.Outputs())
            check = mdg.Simulation(**keys).check()
            self.assertGreater(check.curved_elements, 20)

    def test_files_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = cavity()
            keys["outputs"].directory = folder
            with mdg.Simulation(**keys) as simulation:
                simulation.run()
            self.assertEqual(mdg.open(folder).summary["outcome"], "done")
            self.assertTrue(pathlib.Path(folder, "probes.csv").exists())


class TablesInMemory:
    """Stands for a run that has these tables."""

    has_ended = True

    def __init__(self, tables):
        self.tables = tables

    def table(self, name):
        if name not in self.tables:
            raise mdg.ConfigError(name)
        return self.tables[name]


class Results(unittest.TestCase):
    def test_far_fields_of_ports_in_turn_are_found_in_memory(self):
        def radiation(of):
            columns = ("frequency", "theta_deg", "phi_deg", "directivity", "E_theta_re", "E_theta_im", "E_phi_re", "E_phi_im")
            return {name: np.array([of if name == "directivity" else 1.0]) for name in columns}

        several = MemoryResults(TablesInMemory({"radiation_1": radiation(3.0), "radiation_3": radiation(5.0),
                                                 "antenna": {"frequency": np.ones(2), "port": np.array([1.0, 3.0])}}))
        self.assertEqual([(name, field.value.item()) for name, field in several.far_fields()],
                         [("radiation_1", 3.0), ("radiation_3", 5.0)])
        one = MemoryResults(TablesInMemory({"radiation": radiation(2.0)}))
        self.assertEqual([name for name, _ in one.far_fields()], ["radiation"])
        self.assertEqual(one.far_field.value.item(), 2)
        self.assertEqual(one.patterns(), [])


class Interrupts(unittest.TestCase):
    def test_ctrl_c_comes_between_two_steps_and_the_run_can_go_on(self):
        keys = cavity(time=mdg.Time(end=1e6))
        with mdg.Simulation(**keys) as simulation:
            simulation.step()
            timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                simulation.run()
            timer.join()
            before = simulation.steps
            self.assertEqual(simulation.step(3), 3)
            self.assertEqual(simulation.steps, before + 3)

    def test_stop_of_another_thread(self):
        with mdg.Simulation(**cavity(time=mdg.Time(end=1e6))) as simulation:
            simulation.step()
            timer = threading.Timer(0.3, simulation.stop)
            timer.start()
            simulation.run()
            timer.join()
            self.assertFalse(simulation.has_ended)

    def test_two_threads_at_a_time_are_refused(self):
        with mdg.Simulation(**cavity(time=mdg.Time(end=1e6))) as simulation:
            simulation.step()
            thread = threading.Thread(target=simulation.run)
            thread.start()
            refused = False
            for _ in range(200):
                try:
                    simulation.step()
                except RuntimeError as error:
                    self.assertIn("another thread uses this simulation", str(error))
                    refused = True
                    break
                time.sleep(0.01)
            self.assertTrue(refused)
            simulation.stop()
            thread.join()

    def test_simulations_of_several_threads_run_side_by_side(self):
        found = {}

        def run(number):
            with mdg.Simulation(**cavity()) as simulation:
                found[number] = simulation.run().probes["middle.Ez"]

        threads = [threading.Thread(target=run, args=[number]) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 3)
        for number in range(1, 3):
            np.testing.assert_array_equal(found[number], found[0])


class Misuse(unittest.TestCase):
    def expect(self, kind, pattern, function):
        with self.assertRaisesRegex(kind, pattern):
            function()

    def test_a_wrong_keyword_names_the_nearest(self):
        self.expect(mdg.ConfigError, "Material: there is no key 'epsilonr'; did you mean 'epsilon_r'",
                    lambda: mdg.Material(region="*", epsilonr=2))
        self.expect(mdg.ConfigError, "Simulation: there is no key 'materails'; did you mean 'materials'",
                    lambda: mdg.Simulation(materails=[]))
        self.expect(mdg.ConfigError, "Probe: name must be given", lambda: mdg.Probe(at=[0, 0, 0]))
        material = mdg.Material(region="*")
        with self.assertRaisesRegex(mdg.ConfigError, "did you mean 'sigma'"):
            material.sigmas = 1

    def test_every_finding_of_a_config_has_its_key_and_what_is_allowed(self):
        keys = cavity(time=mdg.Time(end="3 parsec"), materials=[mdg.Material(region="*", epsilon_r="abc")], units="si")
        with self.assertRaises(mdg.ConfigError) as caught:
            mdg.Simulation(**keys)
        findings = "\n".join(caught.exception.findings)
        self.assertIn("Simulation: time.end: '3 parsec' has the unknown unit 'parsec'; allowed: a time such as '20 ns'", findings)
        self.assertIn("Simulation: materials.0.epsilon_r: unknown name 'abc'", findings)
        self.assertEqual(caught.exception.exit_code, 2)

    def test_a_config_error_has_the_key_and_the_remedy_of_its_first_finding(self):
        def error_of(function):
            with self.assertRaises(mdg.ConfigError) as caught:
                function()
            return caught.exception.key, caught.exception.remedy

        self.assertEqual(error_of(lambda: mdg.Simulation(**cavity(units="si", time=mdg.Time(end="3 parsec")))),
                         ("time.end", "allowed: a time such as '20 ns'"))
        key, remedy = error_of(lambda: mdg.Simulation(**cavity(materials=[mdg.Material(region="*", epsilon_r="abc")])))
        self.assertEqual(key, "materials.0.epsilon_r")
        self.assertEqual(error_of(lambda: mdg.Material(region="*", epsilonr=2)), (None, "did you mean 'epsilon_r'?"))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a config: of mine.yaml")
            file.write_text(mdg.Simulation(**cavity()).to_yaml().replace("precision:", "precison:"))
            key, remedy = error_of(lambda: mdg.Simulation.from_yaml(file))
            self.assertEqual(key, "solver.precison")
            self.assertIn("did you mean 'precision'?", remedy)

    def test_a_wrong_shape_says_what_was_expected(self):
        keys = cavity(mesh={"box": {"cells": np.array([3, 3])}})
        self.expect(mdg.ConfigError, "mesh.box.cells: .*3", lambda: mdg.Simulation(**keys))

    def test_what_cannot_stand_in_a_config_is_a_type_error(self):
        self.expect(TypeError, "time.end: cannot hold a function", lambda: mdg.Simulation(time=mdg.Time(end=lambda: 1)))
        self.expect(TypeError, "materials.0.sigma: cannot hold a complex",
                    lambda: mdg.Simulation(materials=[mdg.Material(region="*", sigma=1j)]))

    def test_errors_have_the_kinds_of_the_program(self):
        self.expect(mdg.ConfigError, "no_such.yaml: no such file", lambda: mdg.Simulation.from_yaml("no_such.yaml"))
        with mdg.Simulation(**cavity(mesh=mdg.Mesh(file="no_such.msh"))) as simulation:
            self.expect(mdg.MeshError, "no_such.msh", simulation.step)
        with mdg.Simulation(**cavity(device="cuda:99")) as simulation:
            self.expect(mdg.DeviceError, "cuda:99", simulation.step)
        with mdg.Simulation(**cavity()) as simulation:
            self.expect(mdg.ConfigError, "'Exx' is no field of these equations; did you mean", lambda: simulation.field("Exx"))
            self.expect(ValueError, "every must be at least 1", lambda: simulation.run(lambda s: None, every=0))
            self.expect(mdg.ConfigError, "outputs.s_parameters|port_waves", lambda: simulation.results.port_waves)
        self.expect(maxwell_dg_results.ResultsError, "is no directory", lambda: mdg.open("no_such_run"))

    def test_a_closed_simulation_is_refused(self):
        simulation = mdg.Simulation(**cavity())
        simulation.step()
        field = simulation.field("Ez")
        simulation.close()
        simulation.close()
        self.assertGreater(abs(field).max(), 0.5)
        for use in (simulation.step, simulation.run, lambda: simulation.time, lambda: simulation.field("Ez")):
            self.expect(RuntimeError, "the simulation is closed", use)
        self.assertIn("closed", repr(simulation))

    def test_a_forked_child_gets_an_exception(self):
        simulation = mdg.Simulation(**cavity())
        simulation.step()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                simulation.step()
                text = "no exception"
            except RuntimeError as error:
                text = str(error)
            os.write(writing, text.encode())
            os._exit(0)
        _, status = os.waitpid(child, 0)
        self.assertEqual(status, 0)
        self.assertIn("belongs to the parent of this process", os.read(reading, 1000).decode())
        self.assertEqual(simulation.step(), 1)

    def test_messages_go_to_the_logger(self):
        with self.assertLogs("maxwell_dg", logging.INFO) as logs, mdg.Simulation(**cavity()) as simulation:
            simulation.step()
        self.assertTrue(any("162 elements of order 4" in line for line in logs.output))

    def test_what_is_dropped_is_gone(self):
        simulation = mdg.Simulation(**cavity())
        simulation.step()
        gone = weakref.ref(simulation)
        results = simulation.results
        del simulation
        self.assertIsNone(gone())  # no cycle keeps it
        self.assertIn("middle.Ez", results.probes)
        del results
        gc.collect()


if __name__ == "__main__":
    unittest.main()
