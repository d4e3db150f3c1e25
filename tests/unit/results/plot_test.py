"""maxwell_dg --plot draws every file of a run, in folders of any name, and says what it lacks."""

import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as xml

import support  # first: it finds the package


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name, "it's a \"run\"; $(touch here) & more")
        cls.folder.mkdir()
        cls.directory = support.run_cavity(cls.folder)
        # Files of a run with a far field and ports, as the guide describes them.
        head = "frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im\n"
        rows = "".join(f"1e9,{t},{p},{1 + t},0,1,0,0,1\n" for p in (0, 180) for t in (0, 90, 180))
        cls.write("rcs.csv", head + rows)
        cls.write("monostatic.csv", head + rows)
        cls.write("shielding.csv", "frequency,inside.electric_db,inside.magnetic_db\n1e9,20,10\n2e9,-3,5\n")
        head = "frequency,theta_deg,phi_deg,gain_dbi,co_gain_dbi,cross_gain_dbi\n"
        cls.write("pattern.csv", head + "".join(f"1e9,{t},{p},1,1,-inf\n" for p in (0, 90) for t in (0, 90, 180)))
        cls.write("antenna.csv", "frequency,port,resistance,reactance,directivity_dbi,gain_dbi,realized_gain_dbi,"
                  "radiation_efficiency,total_efficiency,front_to_back_db\n1e9,1,50,-3,2.1,2,1.9,0.98,0.9,nan\n"
                  "2e9,1,60,3,2.2,2,1.9,0.97,0.9,nan\n")
        cls.write("s_parameters.s2p", "# Hz S RI R 50\n1e9 0.5 0 0.8 0 0.8 0 0.5 0.1\n2e9 0.4 0 0.9 0 0.9 0 0.4 0.1\n")
        cls.write("resonances.csv", "probe,field,frequency,q,amplitude,error,doubtful\ninside,Ex,0.8,inf,1,1e-6,0\ninside,Ex,0.9,10,0.01,1e-6,1\n")
        cls.write("probe_spectra.csv", "frequency,inside.Ex_re,inside.Ex_im\n0.5,1,2\n0.6,2,1\n")

    @classmethod
    def write(cls, name, text):
        (cls.directory / name).write_text(text, encoding="utf-8")

    def python(self, **more):
        return {"MAXWELL_DG_PYTHON": support.sys.executable, **more}

    def test_every_file_has_its_picture_twice(self):
        done = support.run("--plot", self.directory, environment=self.python())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        expected = {"probes", "spectra", "probe_spectra", "energy", "balance", "resonances", "s_parameters", "smith_chart",
                    "rcs", "rcs_polar", "monostatic", "monostatic_polar", "shielding", "pattern", "antenna", "input_impedance", "surface_fields", "surface_fields_last",
                    "surface_fields_over_time", "fields", "fields_last", "fields_over_time", "frequency_fields_000",
                    "frequency_fields_001"}
        plots = self.directory / "plots"
        self.assertEqual({file.stem for file in plots.glob("*.png")}, expected)
        self.assertEqual({file.stem for file in plots.glob("*.svg")}, expected)
        self.assertEqual(len(list(plots.iterdir())), 2 * len(expected))
        self.assertTrue(all(file.read_bytes().startswith(b"\x89PNG") for file in plots.glob("*.png")))
        for file in plots.glob("*.svg"):
            xml.parse(file)
        self.assertFalse(pathlib.Path("here").exists())

    def test_several_runs_are_compared_and_a_folder_of_runs_is_a_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "cavity.yaml").write_text(support.CAVITY, encoding="utf-8")
            reference = 'reference_solution={E: ["cos(5.441398*t)*cos(pi*x)*sin(pi*y)*sin(pi*z)", "0", "0"]}'
            for order in (1, 2):
                done = support.run(folder / "cavity.yaml", "--quiet", "--output", folder / f"sweep/order_{order}",
                                   "--set", f"solver.order={order}", "--set", reference, "--set", "outputs.frequency_fields=null")
                self.assertEqual(done.returncode, 0, done.stderr)
            done = support.run("--plot", folder / "sweep", environment=self.python())
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            expected = {"convergence.png", "comparison_of_probes.png", "comparison_of_energy.png"}
            self.assertEqual({file.name for file in (folder / "sweep/plots").glob("*.png")}, expected)
            done = support.run("--plot", folder / "sweep/order_1", folder / "sweep/order_2", "--output", folder / "here",
                               environment=self.python())
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual({file.name for file in (folder / "here").glob("*.png")}, expected)

    def test_slice_and_surface_are_drawn_by_the_package_alone(self):
        package = str(support.ROOT / "scripts/maxwell_dg_results")
        with tempfile.TemporaryDirectory() as folder:
            for words in (["slice", "--normal", "z", "--field", "|E|"], ["surface"]):
                picture = pathlib.Path(folder, words[0] + ".png")
                command = [support.sys.executable, "-B", package, words[0], str(self.directory), str(picture), *words[1:]]
                done = support.subprocess.run(command, check=False, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))

    def test_far_fields_of_every_shape_are_drawn(self):
        head = "frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im\n"
        for frequencies, thetas, phis in ((5, 4, 4), (3, 1, 1), (1, 1, 5), (1, 1, 1), (12, 3, 2)):
            rows = "".join(f"{1e9 + f},{30 * t},{45 * p},{1 + t * p},0,1,0,0,1\n"
                           for f in range(frequencies) for p in range(phis) for t in range(thetas))
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "rcs.csv").write_text(head + rows, encoding="utf-8")
                done = support.run("--plot", folder, environment=self.python())
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def fails(self, code, message, *words, environment):
        done = support.run("--plot", *words, environment=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, "^error: [^\n]*" + message + "[^\n]*\n$")

    def test_without_python_or_its_modules_it_says_what_to_install(self):
        self.fails(2, "/nowhere/python3 is not there; install python3-numpy and python3-matplotlib", self.directory,
                   environment={"MAXWELL_DG_PYTHON": "/nowhere/python3"})
        with tempfile.TemporaryDirectory() as folder:
            bare = pathlib.Path(folder, "python3")
            bare.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
            bare.chmod(0o755)
            self.fails(2, "python3 lacks them; install python3-numpy and python3-matplotlib", self.directory,
                       environment={"MAXWELL_DG_PYTHON": str(bare)})

    def test_a_directory_without_results_is_a_usage_error(self):
        self.fails(2, "nowhere: is no directory", self.folder / "nowhere", environment=self.python())
        (self.folder / "empty").mkdir(exist_ok=True)
        self.fails(2, "there are no results in it", self.folder / "empty", environment=self.python())

    def test_a_damaged_file_stops_no_other_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "energy.csv").write_text("time,electric,magnetic,total\n0,0,1,1\n1,1,0,1\n", encoding="utf-8")
            (folder / "rcs.csv").write_text("frequency,theta_deg\n1,2\n3\n", encoding="utf-8")
            self.fails(2, "rcs.csv:3: has 1 cells under 2 names of columns", folder, environment=self.python())
            self.assertTrue((folder / "plots/energy.png").exists())

    def test_pictures_that_cannot_be_written_are_an_output_error(self):
        with tempfile.TemporaryDirectory() as folder:
            blocked = pathlib.Path(folder, "file")
            blocked.write_text("", encoding="utf-8")
            self.fails(6, "cannot be written", self.directory, "--output", blocked / "plots", environment=self.python())


class Performance(unittest.TestCase):
    def test_picture_says_why_points_lie_above_the_highest_rate(self):
        ceilings = {"fma_gflops_single": 100, "fma_gflops_double": 50}
        rows = [{"system": "maxwell", "precision": precision, "order": order, "gflops": 40 * order}
                for precision in ("single", "double") for order in (1, 2, 3)]
        with tempfile.TemporaryDirectory() as folder:
            file, picture = pathlib.Path(folder, "rates.json"), pathlib.Path(folder, "rates.svg")

            def draw(results):
                file.write_text(json.dumps({"ceilings": ceilings, "results": results}), encoding="utf-8")
                command = [support.sys.executable, support.ROOT / "scripts/plot_performance.py", picture, f"a device={file}"]
                return support.subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)

            done = draw(rows)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = picture.read_text(encoding="utf-8")
            for words in ("a device", "highest rate, single", "highest rate, double", "Hollow, above the highest rate"):
                self.assertIn(f"<!-- {words}", text)
            done = draw([])
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "^error: a device: its file has no results of maxwell")


class View(unittest.TestCase):
    def fails(self, message, *words, programs=("dirname", "bash")):
        # bash and coreutils alone, so that no paraview is found
        command = ["/bin/bash", str(support.ROOT / "scripts/view"), *map(str, words)]
        with tempfile.TemporaryDirectory() as folder:
            for name in programs:
                pathlib.Path(folder, name).symlink_to("/usr/bin/true" if name == "paraview" else f"/usr/bin/{name}")
            done = support.subprocess.run(command, check=False, capture_output=True, text=True, env={"PATH": folder})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "^error: [^\n]*" + message + "[^\n]*\n$")

    def test_says_what_it_lacks(self):
        self.fails("usage: scripts/view RUN_DIR")
        self.fails("nowhere: is no directory", "nowhere")
        with tempfile.TemporaryDirectory() as folder:
            self.fails("there are no fields in it; outputs.fields, surface_fields or frequency_fields ask for them", folder)
            pathlib.Path(folder, "sweep/a run").mkdir(parents=True)
            pathlib.Path(folder, "sweep/a run/fields.pvd").write_text("", encoding="utf-8")
            self.fails("sweep: holds runs, such as .*/a run; give one of them", pathlib.Path(folder, "sweep"))
            pathlib.Path(folder, "diverged.vtu").write_text("", encoding="utf-8")
            self.fails("there is no paraview in the path; install paraview and python3-paraview", folder)
            self.fails("there is no display for ParaView's window: log in with ssh -X, or draw without one by maxwell_dg --plot "
                       + folder, folder, programs=("dirname", "bash", "paraview"))


support.main()
