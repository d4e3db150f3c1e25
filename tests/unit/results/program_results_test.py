"""What the reader finds in the files of a run is what the run computed."""

import tempfile
import unittest

import support  # first: it finds the package

import numpy as np

import maxwell_dg_results as results


class Cavity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.run_ = results.open(support.run_cavity(cls.folder.name))

    def test_tables_have_the_columns_that_the_guide_names(self):
        run = self.run_
        self.assertEqual(run.units, "normalized")
        self.assertEqual(run.probe_names, ["inside", "other"])
        self.assertEqual(run.probes.rows, run.summary["steps"] + 1)
        np.testing.assert_allclose(run.energy["total"], 0.125, rtol=1e-3)
        np.testing.assert_allclose(run.energy["electric"] + run.energy["magnetic"], run.energy["total"], rtol=1e-12)
        self.assertIn("upwind.energy", run.balance)

    def test_field_at_a_probe_is_what_the_probe_recorded(self):
        run = self.run_
        for number, (time, _) in enumerate(run.series("fields")):
            row = int(np.argmin(np.abs(run.probes["time"] - time)))
            grid = run.fields(number)
            for name, at in (("inside", [0.3, 0.4, 0.6]), ("other", [0.71, 0.2, 0.35])):
                recorded = [run.probes[f"{name}.{field}"][row] for field in ("Ex", "Ey", "Ez", "Hx", "Hy", "Hz")]
                read = np.concatenate([grid.at([at], "E")[0], grid.at([at], "H")[0]])
                np.testing.assert_allclose(read, recorded, atol=1e-12)

    def test_initial_fields_are_what_the_config_says_all_over_a_plane(self):
        grid = self.run_.fields(0)
        plane = grid.plane("z", at=0.37, pixels=40)
        E = grid.on_plane(plane, "E")
        points = plane.points(*np.mgrid[: plane.shape[0], : plane.shape[1]])
        x, y, z = np.moveaxis(np.pi * points, -1, 0)
        np.testing.assert_allclose(E[..., 0], np.cos(x) * np.sin(y) * np.sin(z), atol=2e-3)
        np.testing.assert_allclose(E[..., 1], -np.sin(x) * np.cos(y) * np.sin(z), atol=2e-3)

    def test_surface_fields_are_the_boundary_of_fields(self):
        # In the same order of time: both were asked for by the same count.
        faces = self.run_.fields(1).boundary()
        surface = self.run_.surface_fields(1)
        self.assertEqual(surface.order, 5)

        def by_place(grid):
            places = np.round(grid.positions.reshape(-1, 3) * 1e6).astype(int)
            E, H = grid.fields["E"].reshape(-1, 3), grid.fields["H"].reshape(-1, 3)
            rows = np.column_stack([places, np.round(E * 1e9), np.round(H * 1e9)])
            return {tuple(row) for row in rows.astype(int).tolist()}

        top_and_left = faces.select((np.abs(faces.vertices[..., 2] - 1).max(axis=1) < 1e-9)
                                    | (np.abs(faces.vertices[..., 0]).max(axis=1) < 1e-9))
        self.assertEqual(len(top_and_left), len(surface))
        self.assertEqual(len(by_place(surface) ^ by_place(top_and_left)), 0)

    def test_phasors_of_the_fields_are_those_of_the_probe(self):
        run = self.run_
        self.assertEqual(run.frequencies_of_fields, [0.5, 0.8660254])
        time, signal = run.probes["time"], run.probes["inside.Ex"]
        for number, frequency in enumerate(run.frequencies_of_fields):
            grid = run.frequency_fields(number)
            phasor = grid.at([[0.3, 0.4, 0.6]], "E_re")[0, 0] + 1j * grid.at([[0.3, 0.4, 0.6]], "E_im")[0, 0]
            kernel = signal * np.exp(-2j * np.pi * frequency * time)
            exact = ((kernel[1:] + kernel[:-1]) / 2 * np.diff(time)).sum()
            self.assertAlmostEqual(abs(phasor - exact), 0, delta=1e-9)
            self.assertAlmostEqual(grid.at([[0.3, 0.4, 0.6]], "|E|")[0] ** 2,
                                   sum(abs(grid.at([[0.3, 0.4, 0.6]], "E" + part)[0]) @ abs(grid.at([[0.3, 0.4, 0.6]], "E" + part)[0])
                                       for part in ("_re", "_im")), delta=1e-3)

    def test_snapshot_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(results.ResultsError, "surface_fields.pvd: has 4 snapshots; there is none with the number 9"):
            self.run_.surface_fields(9)


support.main()
