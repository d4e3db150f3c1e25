"""Results as arrays with names, as networks, as pictures and in notebooks: of a run in memory and of its files alike. Run by
CTest with the package in PYTHONPATH; the program maxwell_dg is $MAXWELL_DG_PROGRAM."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import matplotlib

matplotlib.use("Agg")

import numpy as np  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

import maxwell_dg as mdg  # noqa: E402
import maxwell_dg_results  # noqa: E402
from meshes_test import bent, cube, nodes_of_order_2  # noqa: E402
from tested_device import DEVICE  # noqa: E402

SOURCE = pathlib.Path(__file__).parents[2]
GUIDE = SOURCE / "apps/examples/waveguide_in_memory/guide.yaml"


def of_program(folder, *words):
    subprocess.run([os.environ["MAXWELL_DG_PROGRAM"], *words, "--quiet", "--output", folder], check=True)
    return mdg.open(folder)


class Guide(unittest.TestCase):
    """A piece of guide with two ports, in memory and in files."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.files = of_program(folder.name, GUIDE)
        cls.simulation = mdg.Simulation.from_yaml(GUIDE)
        cls.addClassCleanup(cls.simulation.close)
        cls.memory = cls.simulation.run()

    def test_datasets_are_the_same_in_memory_and_in_files(self):
        self.assertEqual(self.memory.datasets(), ["probes", "port_waves", "s_parameters"])
        self.assertEqual(self.files.datasets(), self.memory.datasets())
        for name in self.memory.datasets():
            self.assertTrue(self.memory.dataset(name).identical(self.files.dataset(name)), name)

    def test_probes_have_names_times_and_units(self):
        probes = self.memory.dataset("probes")
        self.assertEqual(probes["Ey"].dims, ("probe", "time"))
        self.assertEqual((probes["Ey"].units, probes["Hx"].units, probes["time"].units), ("V/m", "A/m", "s"))
        np.testing.assert_array_equal(probes["Ey"].sel(probe="middle"), self.memory.probes["middle.Ey"])

    def test_scattering_parameters_are_chosen_by_port_and_frequency(self):
        S = self.memory.dataset("s_parameters")["S"]
        self.assertEqual(complex(S.sel(out=2, into=1, frequency=210e6)), self.memory.s_parameters.S[1, 1, 0])

    def test_a_network_has_the_impedance_of_each_mode(self):
        network = self.files.network()
        np.testing.assert_array_equal(network.s, self.files.s_parameters.S)
        np.testing.assert_array_equal(network.f, self.files.s_parameters.frequency)
        self.assertEqual(network.port_names, ["p1", "p2"])
        cutoff = 299792458 / 2  # a guide of a metre
        exact = 376.730313668 / np.sqrt(1 - (cutoff / network.f) ** 2)
        np.testing.assert_allclose(network.z0.real, np.stack([exact, exact], axis=1), rtol=2e-3)
        np.testing.assert_array_equal(self.memory.network().s, network.s)

    def test_pictures_are_those_of_the_files(self):
        self.assertEqual(self.memory.plot(), ["probes", "spectra", "s_parameters", "smith_chart"])
        self.assertEqual(self.files.plot(), self.memory.plot())
        for name in self.memory.plot():
            self.assertIsInstance(self.memory.plot(name), Figure)
        with self.assertRaisesRegex(maxwell_dg_results.ResultsError, "no picture 'rcs' of this run, only probes, spectra"):
            self.memory.plot("rcs")

    def test_what_is_not_there_says_what_is(self):
        with self.assertRaisesRegex(maxwell_dg_results.ResultsError, "no dataset 'probe', only probes"):
            self.memory.dataset("probe")
        with self.assertRaisesRegex(maxwell_dg_results.ResultsError, "outputs.energy asks for it"):
            self.files.dataset("energy")
        with self.assertRaises(mdg.ConfigError):
            self.memory.dataset("energy")

    def test_a_missing_package_says_how_to_get_it(self):
        grid = self.simulation.grid()
        for package, use in (("xarray", lambda: self.memory.dataset("probes")), ("scikit-rf", self.memory.network),
                             ("pyvista", grid.to_pyvista)):
            module = {"scikit-rf": "skrf"}.get(package, package)
            with unittest.mock.patch.dict(sys.modules, {module: None}):
                with self.assertRaisesRegex(ImportError, f"pip install {package}"):
                    use()

    def test_notebooks_show_what_there_is(self):
        for results in (self.memory, self.files):
            self.assertIn("108 of order 3, 12960 unknowns", results._repr_html_())
            self.assertIn("s_parameters", results._repr_html_())
        self.assertIn("p1", self.simulation._repr_html_())
        self.assertIn("12960", self.simulation.check()._repr_html_())


class ThreeDimensions(unittest.TestCase):
    """Meshes of PyVista, by VTK's own evaluation of the cells; nothing is rendered."""

    def test_cells_keep_their_order_and_their_fields(self):
        import pyvista

        with mdg.Simulation(units="normalized", device=DEVICE, mesh=mdg.Mesh(box=mdg.Box(cells=[1, 1, 1])),
                            solver=mdg.Solver(order=3, tuning_seconds=0), time=mdg.Time(end=1),
                            materials=[mdg.Material(region="*")], boundaries=[mdg.PEC(region="*")],
                            initial_fields=mdg.InitialFields(E=["x*x*y + z", "1", "y*z*z"])) as simulation:
            mesh = simulation.grid().to_pyvista()
        self.assertEqual((mesh.n_cells, set(mesh.celltypes)), (6, {pyvista.CellType.LAGRANGE_TETRAHEDRON}))
        points = np.array([[0.31, -0.2, 0.55], [-0.4, 0.7, -0.1]])
        sampled = pyvista.PolyData(points).sample(mesh)
        x, y, z = points.T
        np.testing.assert_allclose(sampled["E"], np.stack([x * x * y + z, np.ones(2), y * z * z], axis=1), atol=1e-5)

    def test_a_balloon_is_closed_and_as_large_as_the_pattern(self):
        theta, phi = np.arange(0, 181, 10.0), np.arange(0, 360, 30.0)
        value = np.broadcast_to(1.5 * np.sin(np.radians(theta)) ** 2, (1, len(phi), len(theta)))
        far = maxwell_dg_results.FarField(np.array([1e9]), phi, theta, "directivity", value, value + 0j, value + 0j)
        balloon = far.to_pyvista()
        self.assertEqual(balloon.dimensions, (13, 19, 1))
        radius = np.linalg.norm(balloon.points, axis=1)
        decibels = balloon["decibels"]
        self.assertAlmostEqual(radius[np.argmax(decibels)], 1)
        np.testing.assert_allclose(radius, np.clip(1 + (decibels - 10 * np.log10(1.5)) / 30, 0, 1), atol=1e-6)
        few = maxwell_dg_results.FarField(np.array([1e9]), phi[:2], theta, "directivity", value[:, :2], value[:, :2], value[:, :2])
        with self.assertRaisesRegex(maxwell_dg_results.ResultsError, "needs two theta and three phi at least"):
            few.to_pyvista()


class SphereAndLayer(unittest.TestCase):
    """The far field of a metal sphere, shortened: its numbers mean nothing."""

    KEYS = ["solver.order=1", "time.end=1 ns", "outputs.frequency_fields={frequencies: [0.4 GHz, 0.7 GHz]}"]

    def test_far_and_fourier_fields_have_directions_and_frequencies(self):
        with tempfile.TemporaryDirectory() as folder:
            files = of_program(folder, SOURCE / "configs/sphere_rcs.yaml",
                               *(word for change in self.KEYS for word in ("--set", change)))
            far = files.dataset("far_field")
            self.assertEqual(far["rcs"].dims, ("frequency", "phi", "theta"))
            self.assertEqual((far["rcs"].units, far["theta"].units, far["frequency"].units), ("m^2", "degree", "Hz"))
            np.testing.assert_array_equal(far["E_theta"].values, files.far_field.E_theta)
            phasors = files.dataset("frequency_fields")
            self.assertEqual((phasors["Ex"].dims, phasors["position"].dims), (("frequency", "cell", "node"),
                                                                              ("cell", "node", "axis")))
            second = files.frequency_fields(1)
            np.testing.assert_array_equal(phasors["Ey"].sel(frequency=0.7e9).values.imag, second.fields["E_im"][..., 1])
            self.assertIsInstance(files.plot("rcs_polar"), Figure)


class LiveFields(unittest.TestCase):
    def sphere(self, **changes):
        keys = {
            "mesh": mdg.examples.sphere(radius=0.1), "device": DEVICE, "materials": [mdg.Material(region="air")],
            "solver": mdg.Solver(order=2, tuning_seconds=0), "time": mdg.Time(end="4 ns"),
            "boundaries": [mdg.PEC(region="metal"), mdg.Absorbing(region="outer")],
            "sources": [mdg.PlaneWave(direction=[0, 0, 1], polarization=[1, 0, 0], injection=mdg.ScatteredField(),
                                      waveform=mdg.GaussianPulse(frequency="0.7 GHz", bandwidth="1.2 GHz"))],
            "outputs": mdg.Outputs(probes=[mdg.Probe(name="near", at=[0.0184, 0.0067, 0.14872])]), **changes}
        return mdg.Simulation(**keys)

    def test_fields_are_evaluated_and_drawn_while_the_run_goes_on(self):
        with self.sphere() as simulation:
            simulation.step(60)
            grid = simulation.grid()
            self.assertEqual((len(grid), grid.order), (11922, 2))
            recorded = [[simulation.results.probes[f"near.{field}{axis}"][-1] for axis in "xyz"] for field in "EH"]
            at = [[0.0184, 0.0067, 0.14872]]
            np.testing.assert_allclose([grid.at(at, field)[0] for field in "EH"], recorded, rtol=1e-4, atol=1e-7)
            vertices = grid.vertices
            self.assertGreater(np.linalg.det(vertices[:, 1:] - vertices[:, :1]).min(), 0)
            for name in (None, "Ex", "E_x", "|H|"):
                self.assertIsInstance(simulation.plot(name, normal="z", at=0.02), Figure)
            with self.assertRaisesRegex(mdg.ConfigError, "'E' is a vector; a component is 'E_x'"):
                simulation.plot("E")
            with self.assertRaisesRegex(maxwell_dg_results.ResultsError, "no field 'Q_x', only E, H"):
                simulation.plot("Q_x")

    def test_meshes_that_come_with_the_package_are_there(self):
        self.assertEqual(self.sphere().check().elements, 11922)
        check = self.sphere(mesh=mdg.examples.sphere_in_layer(2.0), materials=[mdg.Material(region="*")],
                            outputs=mdg.Outputs()).check()
        self.assertEqual(check.elements, 4903)

    def test_fields_are_evaluated_and_drawn_where_all_elements_are_curved(self):
        vertices, cells = cube(1)
        nodes = bent(nodes_of_order_2(vertices, cells), 0.4)  # the diagonal that all cells share is bent
        with mdg.Simulation(units="normalized", device=DEVICE, mesh=mdg.MeshData(vertices, cells, nodes=nodes), time=mdg.Time(end=1),
                            solver=mdg.Solver(order=4, precision="double", tuning_seconds=0), materials=[mdg.Material(region="*")],
                            boundaries=[mdg.PEC(region="*")],
                            initial_fields=mdg.InitialFields(E=["x + 2*y*z", "1", "z - x^2"])) as simulation:
            self.assertEqual(simulation.check().curved_elements, len(cells))
            grid, cell = simulation.grid(), np.arange(60) % len(cells)
            within = np.random.default_rng(1).dirichlet(np.ones(4), len(cell))
            at = np.einsum("pn,pnx->px", maxwell_dg_results.lagrange.basis(4, within), grid.positions[cell])
            x, y, z = at.T  # what is quadratic in space is a polynomial of order 4 in elements bent by order 2
            np.testing.assert_allclose(grid.at(at, "E"), np.stack([x + 2 * y * z, np.ones(60), z - x**2], axis=1), rtol=0, atol=1e-10)
            self.assertIsInstance(simulation.plot("E_x", at=0.4, extent=[0, 1, 0.4, 0.6]), Figure)


if __name__ == "__main__":
    unittest.main()
