"""Pictures and scripts/view show where there is something: the strongest snapshot, planes at round numbers, and how far the
last snapshot is below the strongest."""

import pathlib
import shutil
import tempfile
import unittest

import support  # first: it finds the package

import numpy as np

import maxwell_dg_results as results
from maxwell_dg_results import figures, lagrange, pictures, plots, snapshots, view


def tetrahedron(value, scale=1.0, file=""):
    """A grid of one cell with a constant field E along x."""
    points = scale * lagrange.lattice(2, 4)[:, 1:] / 2
    E = np.zeros((1, len(points), 3))
    E[..., 0] = value
    return results.Grid(2, points[None], {"E": lambda: E}, {}, file)


def levels_of(values):
    """Levels of a series in which E is one of the values in each snapshot; those that are None cannot be read."""

    def read(number):
        if values[number] is None:
            raise results.ResultsError(f"fields_{number:06d}.vtu: is damaged")
        return tetrahedron(values[number])

    series = [(number * 1e-9, None) for number in range(len(values))]
    return snapshots.Levels(read, series, lambda grid: "E")


class Levels(unittest.TestCase):
    def test_strongest_snapshot_is_found_and_others_are_told_in_decibels(self):
        levels = levels_of([0, 1, -2, 0.2, 2e-4])
        self.assertEqual(levels.strongest, 2)
        self.assertEqual(levels.title(2, "E_x", "si"), "E_x, t = 2 ns, the strongest of 5 snapshots")
        self.assertEqual(levels.title(4, "E_x", "si"), "E_x, t = 4 ns, the last snapshot: 80.0 dB below the strongest, t = 2 ns")
        self.assertEqual(levels.title(0, "E_x", "si"), "E_x, t = 0 s: the field is zero")

    def test_larger_cells_count_for_more(self):
        small, large = tetrahedron(1.0), tetrahedron(3.0, scale=2.0)
        both = results.Grid(2, np.concatenate([small.positions, large.positions]),
                            {"E": lambda: np.concatenate([small.fields["E"], large.fields["E"]])}, {})
        self.assertAlmostEqual(snapshots.root_mean_square(both, "E"), np.sqrt((1 + 8 * 9) / 9))

    def test_in_a_long_series_the_strongest_is_looked_for_between_those_looked_at(self):
        pulse = np.exp(-(((np.arange(1000) - 617) / 60) ** 2)) + 1e-9
        levels = levels_of(pulse)
        self.assertEqual(levels.strongest, 617)
        self.assertLess(len(levels._sizes), 60)

    def test_what_is_zero_not_finite_or_damaged_is_told(self):
        self.assertEqual(levels_of([0, 0]).title(1, "E_x", "si"), "E_x, t = 1 ns: the field is zero in all 2 snapshots")
        self.assertEqual(levels_of([3]).title(0, "E_x", "si"), "E_x, t = 0 s, the only snapshot")
        levels = levels_of([1, None, 5, np.inf])
        self.assertEqual(levels.strongest, 2)
        self.assertEqual(levels.title(3, "E_x", "si"), "E_x, t = 3 ns, the last snapshot: not finite where black")
        with self.assertRaisesRegex(results.ResultsError, "fields_000001.vtu: is damaged"):
            levels.require()
        with self.assertRaisesRegex(results.ResultsError, "fields_000000.vtu: is damaged"):
            _ = levels_of([None, None]).strongest

    def test_several_snapshots_are_those_with_a_field_and_the_strongest_is_among_them(self):
        levels = levels_of([0, 1e-6, 0.5, 1, 7, 1, 0.9, 0.8, 1e-3, 1e-3])
        numbers = levels.telling(3)
        self.assertIn(4, numbers)
        self.assertTrue(all(3 <= number <= 7 for number in numbers), numbers)


class Planes(unittest.TestCase):
    def test_a_plane_lies_at_the_roundest_number_near_the_middle(self):
        for value, length, exact in ((1.19e-5, 0.1, 0.0), (0.25, 0.5, 0.25), (11.43e-3, 22.86e-3, 11.5e-3), (0.5, 1, 0.5),
                                     (-1234.4, 100, -1235), (0.3 + 1e-12, 0.1, 0.3)):
            self.assertEqual(pictures.round_near(value, 0.01 * length), exact)

    def test_label_of_a_plane_has_its_unit(self):
        grid = tetrahedron(1.0, scale=0.05)
        plane = pictures.middle_plane(grid, "y", 50)
        self.assertEqual(pictures.plane_label(grid, plane), "y = 25 mm")
        self.assertEqual(pictures.plane_label(grid, pictures.lying(plane)), "y = 25 mm")

    def test_a_tall_plane_is_laid_down_with_the_same_values(self):
        points = lagrange.lattice(1, 4)[:, 1:] * np.array([1.0, 1.0, 6.0])
        grid = results.Grid(1, points[None], {"q": lambda: points[None, :, 2]}, {})
        plane = grid.plane("x", at=0.2, pixels=60)
        across = pictures.lying(plane)
        self.assertEqual((plane.names, across.names), (("y", "z"), ("z", "y")))
        np.testing.assert_allclose(grid.on_plane(across, "q"), grid.on_plane(plane, "q").T)


class Layout(unittest.TestCase):
    def test_labels_of_a_slice_are_not_cut_off(self):
        for size in ((1, 1, 1), (1, 1, 7), (7, 1, 1), (1, 7, 3)):
            points = lagrange.lattice(1, 4)[:, 1:] * np.array(size, float)
            grid = results.Grid(1, points[None], {"q": lambda points=points: points[None, :, 2]}, {})
            for normal in "xyz":
                figure = pictures.slice_figure(grid, "q", pictures.middle_plane(grid, normal, 60, 0.25), "title")
                figure.savefig(self.folder / "slice.png")
                outside = [axes.get_tightbbox() for axes in figure.axes]
                width, height = figure.bbox.size
                self.assertTrue(all(box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
                                    for box in outside), (size, normal, outside))
                plots.pyplot.close(figure)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_energy_is_logarithmic_only_where_it_falls_far(self):
        for last, scale, words in ((0.09, "linear", "0.5 dB below"), (1e-5, "log", "40.0 dB below")):
            (self.folder / "energy.csv").write_text(f"time,electric,magnetic,total\n0,0,0.1,0.1\n1,0,{last},{last}\n",
                                                    encoding="utf-8")
            (axes,) = figures.energy_figure(results.open(self.folder)).axes
            self.assertEqual(axes.get_yscale(), scale)
            self.assertIn(f"at the end {words} its largest", axes.get_title())


# A pulse that leaves through the boundary: at the end there is nothing to see.
PULSE = """units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 2], cells: [2, 2, 4]}}
solver: {order: 2}
time: {end: 8}
materials: [{region: interior, epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
initial_fields: {E: ["exp(-8*(z-1)^2)", "0", "0"]}
outputs: {fields: {count: 4}, frequency_fields: {frequencies: [0.25]}}
"""


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "pulse.yaml").write_text(PULSE, encoding="utf-8")
        done = support.run(cls.folder / "pulse.yaml", "--quiet", "--output", cls.folder / "run")
        assert done.returncode == 0, done.stderr

    def copy(self, *names):
        """A new directory with these files of the run alone."""
        directory = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name in names:
            for file in (self.folder / "run").glob(name):
                shutil.copy(file, directory)
        return directory

    def titles(self, directory):
        """The titles of the pictures of a run, by name."""
        found = {}
        for name, draw in plots._wanted([directory]):
            figure = draw() if name else None
            if figure is not None:
                found[name] = figure._suptitle.get_text()
                plots.pyplot.close(figure)
        return found

    def test_picture_of_fields_is_the_strongest_snapshot_and_the_last_tells_its_level(self):
        titles = self.titles(self.copy("fields*", "frequency_fields*", "config*"))
        self.assertEqual(titles["fields"], "E_x, t = 0, the strongest of 5 snapshots")
        self.assertRegex(titles["fields_last"], r"^E_x, t = 8, the last snapshot: \d\d+\.\d dB below the strongest, t = 0$")
        self.assertRegex(titles["fields_over_time"], "^E_x at [xy] = 0.5, in the same colours; dB: against the strongest$")
        self.assertEqual(titles["frequency_fields_000"], "phasor |E| at frequency 0.25")

    def test_slice_of_no_number_is_the_strongest_snapshot(self):
        package = str(support.ROOT / "scripts/maxwell_dg_results")
        picture = self.folder / "slice.svg"
        command = [support.sys.executable, "-B", package, "slice", str(self.folder / "run"), str(picture)]
        done = support.subprocess.run(command, check=False, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        title = "<!-- E_x at y = 0.5, t = 0, the strongest of 5 snapshots -->"
        self.assertTrue(title in picture.read_text(encoding="utf-8"))

    def shown(self, directory):
        """Names of what scripts/view shows, and what it says of files that cannot be read."""
        said = []
        return [name for name, _, _ in view.sources(results.Run(directory), said.append)], said

    def test_view_shows_what_there_is_of_any_run(self):
        self.assertEqual(self.shown(self.copy("fields*", "frequency*")), (["fields", "frequency_fields_000"], []))
        self.assertEqual(self.shown(self.copy("frequency*")), (["frequency_fields_000"], []))
        diverged = self.copy("fields_000000.vtu")
        (diverged / "fields_000000.vtu").rename(diverged / "diverged.vtu")
        self.assertEqual(self.shown(diverged), (["diverged"], []))
        shutil.copy(self.folder / "run/fields_000001.vtu", diverged / "frequency_fields_000.vtu")
        self.assertEqual(self.shown(diverged), (["frequency_fields_000", "diverged"], []))
        self.assertEqual(self.shown(self.copy("config*")), ([], []))

    def test_view_leaves_out_what_is_damaged_and_says_so(self):
        directory = self.copy("fields*", "frequency*")
        (directory / "fields_000002.vtu").unlink()
        whole = (directory / "fields_000004.vtu").read_bytes()
        (directory / "fields_000004.vtu").write_bytes(whole[: len(whole) // 2])
        (directory / "frequency_fields_000.vtu").write_text("no XML", encoding="utf-8")
        said = []
        ((name, _, times),) = view.sources(results.Run(directory), said.append)
        self.assertEqual((name, len(times)), ("fields", 3))
        for line, words in zip(said, ("fields.pvd: 1 of its 5 snapshots are missing", "fields_000004.vtu: ",
                                      "frequency_fields_000.vtu: is no whole XML file"), strict=True):
            self.assertRegex(line, f"^warning: .*{words}")

    def test_view_says_how_far_the_last_time_step_is_below_the_strongest(self):
        run, times = results.Run(self.folder / "run"), [0.0, 1.0, 2.0]

        def told(*values, name="fields"):
            measured = {time: view.measure(np.full((5, 3), value)) for time, value in zip(times, values)}
            return view.told(run, name, "E", times, measured)

        self.assertEqual(told(1, 2, 1), "E at the last time step, t = 2")
        self.assertEqual(told(1, 2, 2e-4), "E at the last time step, t = 2\nThis is 80 dB below the strongest: time step 1, t = 1.")
        self.assertIn("The field is zero now; it is strongest at time step 1, t = 1.", told(1, 2, 0))
        self.assertIn("The field is zero at all times.", told(0, 0, 0))
        self.assertEqual(told(1, 2, np.nan), "E at the last time step, t = 2; yellow: not finite\nBefore: time step 1, t = 1.")
        self.assertEqual(told(1, 2, 3, name="frequency_fields_000"), "E at frequency 0.25")
        self.assertEqual(told(1, 2, np.inf, name="diverged"), "E when the run diverged; yellow: not finite")

    @unittest.skipIf(shutil.which("pvbatch") is None, "there is no pvbatch, which is ParaView's")
    def test_paraview_itself_opens_every_kind_of_run(self):
        diverged = self.copy("fields_000001.vtu")
        (diverged / "fields_000001.vtu").rename(diverged / "diverged.vtu")
        script = support.ROOT / "scripts/view_in_paraview.py"
        for directory, words in ((self.folder / "run", "E at the last time step, t = 8\nThis is .* dB below the strongest: time step 0"),
                                 (self.copy("frequency*", "config*"), "E magnitude at frequency 0.25"),
                                 (diverged, "E when the run diverged")):
            environment = support.os.environ | {"MAXWELL_DG_RUN": str(directory), "MAXWELL_DG_SCRIPTS": str(script.parent)}
            done = support.subprocess.run(["pvbatch", "--force-offscreen-rendering", str(script)], check=False,
                                          capture_output=True, text=True, env=environment)
            if "bad X server connection" in done.stderr:
                self.skipTest("this ParaView needs a display")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, f"^{words}")


support.main()
