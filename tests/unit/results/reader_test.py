"""The reader by itself: Lagrange cells, VTK's encodings, text files, and what it says of bad ones."""

import base64
import pathlib
import tempfile
import unittest
import zlib

import support  # first: it finds the package

import numpy as np

import maxwell_dg_results as results
from maxwell_dg_results import figures, lagrange, pictures, surface


def random_barycentric(rng, n, vertices):
    return rng.dirichlet(np.ones(vertices), n)


class LagrangeCells(unittest.TestCase):
    def test_basis_gives_back_every_polynomial_of_its_order(self):
        rng = np.random.default_rng(1)
        for vertices in (3, 4):
            for order in range(1, 10):
                index = lagrange.lattice(order, vertices)
                self.assertEqual(lagrange.order_of(len(index), vertices), order)
                self.assertEqual(len({tuple(i) for i in index.tolist()}), len(index))
                powers = rng.integers(0, order + 1, vertices - 1)
                while powers.sum() > order:
                    powers = rng.integers(0, order + 1, vertices - 1)
                at = random_barycentric(rng, 50, vertices)
                nodal = np.prod((index[:, 1:] / order) ** powers, axis=1)
                exact = np.prod(at[:, 1:] ** powers, axis=1)
                np.testing.assert_allclose(lagrange.basis(order, at) @ nodal, exact, atol=1e-11)

    def test_there_is_no_order_with_eleven_points(self):
        self.assertIsNone(lagrange.order_of(11, 4))


def two_tetrahedra(order):
    """Grid of two neighbours with the field x + 2 y^order - z, and its exact function."""
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1]]], float)
    points = np.einsum("pv,kvc->kpc", lagrange.lattice(order, 4) / order, corners)

    def exact(p):
        return p[..., 0] + 2 * p[..., 1] ** order - p[..., 2]

    return results.Grid(order, points, {"q": lambda: exact(points), "E": lambda: np.stack([exact(points)] * 3, axis=2)},
                        {"region": lambda: np.array([0, 1])}, "two.vtu"), exact


def bent_tetrahedra(order):
    """The same two, bent by a map that is not linear, with a field that is linear in space and so a polynomial of each."""
    grid, _ = two_tetrahedra(order)
    x, y, z = np.moveaxis(grid.positions, 2, 0)
    points = np.stack([x + 0.3 * y * z, y - 0.2 * x * z, z - 0.4 * x * y], axis=2)

    def exact(p):
        return p @ [1.0, -2.0, 0.5]

    return results.Grid(order, points, {"q": lambda: exact(points)}, {}, "bent.vtu"), exact


class Grids(unittest.TestCase):
    def test_polynomial_is_exact_at_any_point_and_nan_outside(self):
        rng = np.random.default_rng(2)
        for order in (1, 4, 9):
            grid, exact = two_tetrahedra(order)
            points = np.concatenate([random_barycentric(rng, 40, 4) @ grid.vertices[k] for k in (0, 1)])
            np.testing.assert_allclose(grid.at(points, "q"), exact(points), atol=1e-9)
            self.assertTrue(np.isnan(grid.at([[2.0, 2.0, 2.0], [-0.1, 0.2, 0.2]], "q")).all())

    def test_plane_is_what_points_of_it_are(self):
        grid, exact = two_tetrahedra(4)
        for normal in "xyz":
            plane = grid.plane(normal, at=0.23, pixels=60)
            values = grid.on_plane(plane, "E_y")
            row, column = np.mgrid[: plane.shape[0], : plane.shape[1]]
            points = plane.points(row, column)
            inside = np.isfinite(values)
            self.assertGreater(inside.mean(), 0.2)
            np.testing.assert_array_equal(inside, np.isfinite(grid.at(points.reshape(-1, 3), "q")).reshape(values.shape))
            np.testing.assert_allclose(values[inside], exact(points)[inside], atol=1e-12)

    def test_plane_through_faces_of_the_mesh_has_no_gaps(self):
        grid, _ = two_tetrahedra(2)
        plane = grid.plane("z", at=0.0, pixels=50)
        inside = np.isfinite(grid.on_plane(plane, "q"))
        self.assertEqual(int(inside.sum()), 50 * 51 // 2)

    def test_in_bent_cells_points_are_found_where_the_polynomials_of_the_cells_have_them(self):
        rng = np.random.default_rng(3)
        for order in (2, 4, 7):
            grid, exact = bent_tetrahedra(order)
            inside = [random_barycentric(rng, 300, 4) for _ in (0, 1)]
            inside[0][:60, :1] = 0  # on the face between the two, which is bent as well
            inside[0] /= inside[0].sum(axis=1, keepdims=True)
            points = np.concatenate([lagrange.basis(order, b) @ grid.positions[k] for k, b in enumerate(inside)])
            np.testing.assert_allclose(grid.at(points, "q"), exact(points), rtol=0, atol=1e-10)
            cell, within = grid.locate(points)
            np.testing.assert_array_equal(cell[60:], np.repeat([0, 1], 300)[60:])
            np.testing.assert_allclose(within[60:], np.concatenate(inside)[60:], rtol=0, atol=1e-10)
            # Straight edges would tell other values: the middle of this edge of the second cell is far from it.
            self.assertGreater(np.abs(grid.vertices[1, :2].mean(axis=0) - lagrange.basis(order, [[0.5, 0.5, 0, 0]]) @ grid.positions[1]).max(), 0.05)

    def test_what_is_beside_a_bent_face_is_outside_and_what_it_bulges_by_is_inside(self):
        for order in (2, 5):
            grid, exact = bent_tetrahedra(order)
            face = random_barycentric(np.random.default_rng(4), 200, 4)
            face[:, 3] = 0
            face /= face.sum(axis=1, keepdims=True)
            on_face = lagrange.basis(order, face) @ grid.positions[0]  # of the first cell, below it is nothing
            self.assertTrue(np.isnan(grid.at(on_face - [0, 0, 1e-3], "q")).all())
            above = on_face[face[:, :3].min(axis=1) > 0.05] + [0, 0, 1e-3]
            np.testing.assert_allclose(grid.at(above, "q"), exact(above), rtol=0, atol=1e-10)
            self.assertLess(above[:, 2].min(), -0.02)  # where straight faces have z = 0

    def test_a_plane_through_bent_cells_is_what_points_of_it_are(self):
        grid, exact = bent_tetrahedra(4)
        for normal in "xyz":
            plane = grid.plane(normal, at=0.23, pixels=40)
            values = grid.on_plane(plane, "q")
            row, column = np.mgrid[: plane.shape[0], : plane.shape[1]]
            points = plane.points(row, column)
            inside = np.isfinite(values)
            self.assertGreater(inside.mean(), 0.2)
            np.testing.assert_array_equal(inside, np.isfinite(grid.at(points.reshape(-1, 3), "q")).reshape(values.shape))
            np.testing.assert_allclose(values[inside], exact(points)[inside], rtol=0, atol=1e-10)

    def test_boundary_has_the_outer_faces_with_their_fields_and_turns_outward(self):
        grid, exact = two_tetrahedra(3)
        faces = grid.boundary()
        self.assertEqual(len(faces), 6)
        np.testing.assert_allclose(faces.fields["q"], exact(faces.positions), atol=1e-12)
        corners = faces.vertices
        volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
        self.assertAlmostEqual(volume, 1 / 6 + 1 / 3)

    def test_field_that_is_not_there_is_an_error_that_lists_those_that_are(self):
        grid, _ = two_tetrahedra(1)
        with self.assertRaisesRegex(results.ResultsError, "two.vtu: has no field 'B', only q, E"):
            grid.at([[0.1, 0.1, 0.1]], "B")

    def test_front_triangle_hides_the_one_behind(self):
        triangle = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 0, 1], [2, 0, 1], [0, 2, 1]]])
        shown, weights = surface.visible(triangle, (0, 4, 0, 4), (8, 8))
        self.assertEqual(shown[0, 0], 1)
        self.assertEqual(shown[0, 6], 0)
        self.assertEqual(shown[7, 7], -1)
        np.testing.assert_allclose(weights[0, 6], [1 - 3.25 / 4 - 0.25 / 4, 3.25 / 4, 0.25 / 4])

    def test_holes_are_what_the_edge_does_not_reach(self):
        values = np.ones((7, 9))
        values[2:4, 3:5] = np.nan
        values[:, 0] = np.nan
        hole = pictures.holes(values)
        self.assertEqual(int(hole.sum()), 4)
        self.assertTrue(hole[2, 3])


class VtkFiles(unittest.TestCase):
    POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="<f4")
    E = np.arange(12, dtype="<f8").reshape(4, 3)

    def file(self, folder, style):
        """One linear tetrahedron as VTK writes it in a style: ascii, binary, zlib, base64 or raw (appended), raw-zlib."""
        appended = bytearray()
        zipped = "zlib" in style

        def packed(array):
            data = array.tobytes()
            if not zipped:
                return np.uint64(len(data)).tobytes(), data
            half = len(data) // 2 // 8 * 8 or len(data)
            blocks = [zlib.compress(block) for block in (data[:half], data[half:]) if block]
            return np.array([len(blocks), half, len(data) - half, *map(len, blocks)], "<u8").tobytes(), b"".join(blocks)

        def element(name, array):
            kind = {"f": "Float", "i": "Int", "u": "UInt"}[array.dtype.kind] + str(8 * array.dtype.itemsize)
            components = array.shape[1] if array.ndim == 2 else 1
            start = f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" '
            if style == "ascii":
                return start + 'format="ascii">' + " ".join(map(str, array.ravel())) + "</DataArray>"
            head, data = packed(array)
            text = base64.b64encode(head) + base64.b64encode(data) if zipped else base64.b64encode(head + data)
            if style in ("binary", "zlib"):
                return start + 'format="binary">\n  ' + text.decode() + "\n</DataArray>"
            offset = len(appended)
            appended.extend(head + data if style.startswith("raw") else text)
            return start + f'format="appended" offset="{offset}"/>'

        body = "<PointData>" + element("E", self.E) + "</PointData><CellData>" + element("region", np.array([7], "<i4"))
        body += "</CellData><Points>" + element("Points", self.POINTS) + "</Points><Cells>"
        body += element("connectivity", np.arange(4, dtype="<i8")) + element("offsets", np.array([4], "<i8"))
        body += element("types", np.array([10], "u1")) + "</Cells>"
        text = '<?xml version="1.0"?><VTKFile type="UnstructuredGrid" byte_order="LittleEndian" header_type="UInt64"'
        text += ' compressor="vtkZLibDataCompressor"' if zipped else ""
        text += f"><UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='1'>{body}</Piece></UnstructuredGrid>"
        data = text.encode()
        if appended:
            kind = "raw" if style.startswith("raw") else "base64"
            data += f'<AppendedData encoding="{kind}">_'.encode() + bytes(appended) + b"</AppendedData>"
        path = pathlib.Path(folder, style + ".vtu")
        path.write_bytes(data + b"</VTKFile>")
        return path

    def test_every_encoding_reads_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            for style in ("ascii", "binary", "zlib", "base64", "base64-zlib", "raw", "raw-zlib"):
                grid = results.read_vtu(self.file(folder, style))
                self.assertEqual((grid.order, len(grid)), (1, 1), style)
                np.testing.assert_array_equal(grid.fields["E"][0], self.E, style)
                np.testing.assert_array_equal(grid.cells["region"], [7], style)
                np.testing.assert_allclose(grid.at([[0, 0, 0.5]], "E"), [[4.5, 5.5, 6.5]])

    def test_damaged_files_are_errors_that_name_them(self):
        with tempfile.TemporaryDirectory() as folder:
            for style in ("binary", "zlib", "raw", "raw-zlib", "base64"):
                data = self.file(folder, style).read_bytes()
                damaged = pathlib.Path(folder, "damaged.vtu")
                for cut in range(50, len(data), 37):
                    damaged.write_bytes(data[:cut])
                    try:
                        grid = results.read_vtu(damaged)
                        _ = grid.fields["E"], grid.cells["region"]
                    except results.ResultsError as error:
                        self.assertIn("damaged.vtu", str(error))
                for place in range(60, len(data), 41):
                    damaged.write_bytes(data[:place] + b"#" + data[place + 1 :])
                    try:
                        grid = results.read_vtu(damaged)
                        _ = grid.fields["E"], grid.cells["region"]
                    except results.ResultsError as error:
                        self.assertIn("damaged.vtu", str(error))


    def test_lengths_of_another_type_are_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = self.file(folder, "zlib")
            for kind in ("Float64", "UIn64"):
                file.write_bytes(file.read_bytes().replace(b'header_type="UInt64"', f'header_type="{kind}"'.encode()))
                with self.assertRaisesRegex(results.ResultsError, "zlib.vtu: has lengths of type .*; it is damaged"):
                    results.read_vtu(file)
                file = self.file(folder, "zlib")


class TextFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name, name)
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_line_that_is_not_whole_is_left_out(self):
        table = results.read_table(self.write("probes.csv", "time,p.Ex\n0,1e-300\n0.5,2.5\n0.75,1"))
        np.testing.assert_array_equal(table["time"], [0, 0.5])
        np.testing.assert_array_equal(table["p.Ex"], [1e-300, 2.5])

    def test_infinite_and_text_cells_are_read(self):
        run = results.open(self.write("resonances.csv", "probe,field,frequency,q,amplitude,error,doubtful\np,Ez,2e9,inf,1,1e-6,1\n").parent)
        self.assertEqual(run.resonances, [results.Resonance("p", "Ez", 2e9, np.inf, 1.0, 1e-6, True)])

    def test_a_row_of_another_length_is_an_error_with_its_line(self):
        with self.assertRaisesRegex(results.ResultsError, "energy.csv:3: has 1 cells under 2 names"):
            results.read_table(self.write("energy.csv", "time,total\n0,1\n1\n"))

    def test_touchstone_in_all_its_formats_is_the_same_matrix(self):
        S = np.array([[0.5, 0.25j], [-0.75, 0.125 - 0.125j]])
        text = {
            "RI": lambda s: f"{s.real} {s.imag}",
            "MA": lambda s: f"{abs(s)} {np.degrees(np.angle(s))}",
            "DB": lambda s: f"{20 * np.log10(abs(s))} {np.degrees(np.angle(s))}",
        }
        for form, written in text.items():
            row = " ".join(written(s) for s in (S[0, 0], S[1, 0], S[0, 1], S[1, 1]))
            found = results.read_touchstone(self.write("a.s2p", f"! two ports\n# GHz S {form} R 75\n1.5 {row}\n"))
            np.testing.assert_allclose(found.S[0], S, atol=1e-12)
            self.assertEqual((found.frequency[0], found.reference, found.comments), (1.5e9, 75.0, ["two ports"]))

    def test_touchstone_of_three_ports_wraps_by_rows(self):
        rows = "1 0 2 0 3 0\n4 0 5 0 6 0\n7 0 8 0 9 0\n"
        found = results.read_touchstone(self.write("a.s3p", "# Hz S RI R 50\n10 " + rows))
        np.testing.assert_array_equal(found.S[0], np.arange(1, 10).reshape(3, 3))

    def test_monostatic_rows_come_by_angle_and_frequency(self):
        head = "frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im\n"
        rows = "".join(f"{f},{t},0,{f * t},0,{t},0,0,{f}\n" for t in (10, 20, 30) for f in (1, 2))
        far = results.read_monostatic(self.write("monostatic.csv", head + rows))
        np.testing.assert_array_equal(far.value[:, 0], [[10, 20, 30], [20, 40, 60]])
        np.testing.assert_array_equal(far.E_phi[1, 0], [2j, 2j, 2j])

    def test_a_directory_without_results_and_a_missing_file_say_what_to_do(self):
        with self.assertRaisesRegex(results.ResultsError, "there are no results in it; give the directory that a run wrote"):
            results.open(self.folder.name)
        self.write("energy.csv", "time,total\n0,1\n")
        run = results.open(self.folder.name)
        self.assertIn("energy", run)
        self.assertNotIn("probes", run)
        with self.assertRaisesRegex(results.ResultsError, "there is no probes.csv; outputs.probes asks for it"):
            _ = run.probes


class PolarPatterns(unittest.TestCase):
    def labels(self, phi):
        """The angles that are written around the pattern of a far field at these phi, and how far it goes round."""
        theta = np.arange(0.0, 181.0, 30.0)
        value = np.ones((1, len(phi), len(theta)))
        far = results.FarField(np.array([1e9]), np.array(phi), theta, "rcs", value, value, value)
        axes = figures.far_field_polar_figure(far, True).axes[0]
        axes.figure.canvas.draw()
        return [label.get_text() for label in axes.get_xticklabels()], axes.get_thetamax()

    def test_a_single_plane_is_half_a_circle_and_two_halves_count_theta_to_both_sides(self):
        self.assertEqual(self.labels([0.0])[1], 180)
        angles, end = self.labels([0.0, 180.0])
        self.assertEqual((angles, end), (["0°", "45°", "90°", "135°", "180°", "135°", "90°", "45°"], 360))


class Spectra(unittest.TestCase):
    def test_spectrum_of_a_gaussian_pulse_is_the_exact_transform(self):
        time, tau, t0 = np.arange(0, 2000) * 0.01 - 3, 0.6, 5.0
        frequency, S = figures.spectrum(time, np.exp(-((time - t0) ** 2) / (2 * tau**2)), finer=2)
        w = 2 * np.pi * frequency
        exact = tau * np.sqrt(2 * np.pi) * np.exp(-((w * tau) ** 2) / 2) * np.exp(-1j * w * t0)
        np.testing.assert_allclose(S, exact, atol=1e-10)


support.main()
