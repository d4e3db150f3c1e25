"""Meshes in memory, and materials by functions and arrays. Run by CTest like simulation_test.py."""

import importlib.util
import pathlib
import tempfile
import types
import unittest

import numpy as np

import maxwell_dg as mdg
from simulation_test import cavity

FACES = [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)]


def cube(n=3):
    """Vertices and cells of a unit cube of n^3 cuboids of six tetrahedra, as the key `mesh.box` has them."""
    steps = np.arange(n + 1)
    x, y, z = np.meshgrid(steps, steps, steps, indexing="ij")
    vertices = np.stack([x, y, z], -1).reshape(-1, 3) / n
    cells = []
    for corner in np.ndindex(n, n, n):
        for axes in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            path = [np.array(corner)]
            for axis in axes:
                path.append(path[-1] + np.eye(3, dtype=int)[axis])
            cells.append([np.ravel_multi_index(p, (n + 1, n + 1, n + 1)) for p in path])
    return vertices, np.array(cells)


def nodes_of_order_2(vertices, cells):
    """The nodes of straight cells of order 2, in the order of `mesh.nodes`: corners and middles of edges."""
    half = np.array([[(2 - i - j - k) / 2, i / 2, j / 2, k / 2] for k in range(3) for j in range(3 - k) for i in range(3 - k - j)])
    return np.einsum("na,cax->cnx", half, vertices[cells])


def bent(points, by):
    """Points of the unit cube, moved within; the cube keeps its faces."""
    return points + by * np.sin(np.pi * points[..., [1, 2, 0]]) * (points * (1 - points))


def boundary(vertices, cells, where):
    """[face, 3] of those whose vertices are all where a function says."""
    inside = where(vertices)
    return np.array([cell[list(face)] for cell in cells for face in FACES if inside[cell[list(face)]].all()])


def outputs():
    return mdg.Outputs(energy=mdg.EnergyOutput(), probes=[mdg.Probe(name="middle", at=[0.5, 0.5, 0.5])])


class Arrays(unittest.TestCase):
    def test_a_mesh_of_arrays_is_the_box_of_the_same_cells_to_the_bit(self):
        vertices, cells = cube()
        rng = np.random.default_rng(1)
        order = rng.permutation(len(cells))
        turned = cells[order][:, [1, 0, 2, 3]]  # left-handed
        mesh = mdg.MeshData(vertices, turned)
        self.assertEqual((len(mesh), mesh.regions, mesh.surfaces), (162, ["interior"], []))
        of_arrays = mdg.Simulation(**cavity(mesh=mesh))
        of_box = mdg.Simulation(**cavity())
        self.assertEqual(of_arrays.check().dt, of_box.check().dt)
        signals = [simulation.run().probes["middle.Ez"] for simulation in (of_arrays, of_box)]
        np.testing.assert_allclose(signals[0], signals[1], rtol=0, atol=1e-13)

    def test_names_of_regions_and_surfaces_are_those_given(self):
        vertices, cells = cube(2)
        left = vertices[cells].mean(axis=1)[:, 0] < 0.5
        mesh = mdg.MeshData(vertices, cells, regions={"glass": left, "air": np.flatnonzero(~left)},
                            surfaces={"wall": boundary(vertices, cells, lambda v: v[:, 0] == 0)})
        self.assertEqual((mesh.regions, mesh.surfaces), (["glass", "air"], ["wall"]))
        keys = cavity(mesh=mesh, materials=[mdg.Material(region="glass", epsilon_r=4), mdg.Material(region="air")],
                      boundaries=[mdg.PMC(region="wall"), mdg.PEC(region="*")])
        check = mdg.Simulation(**keys).check()
        self.assertIn("24 in 'glass', 24 in 'air'", check.text)
        self.assertIn("8 in 'wall'", check.text)
        keys["materials"].pop()
        with self.assertRaisesRegex(mdg.ConfigError, "'air'"):
            mdg.Simulation(**keys).check()

    def test_a_mesh_is_written_and_read(self):
        vertices, cells = cube(2)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "cube.h5")
            mdg.MeshData(vertices, cells, surfaces={"low": boundary(vertices, cells, lambda v: v[:, 2] == 0)}).write(file)
            again = mdg.MeshData.read(file)
            self.assertEqual((len(again), again.surfaces), (48, ["low"]))
            self.assertEqual(mdg.Simulation(**cavity(mesh=mdg.Mesh(file=file))).check().elements, 48)
            self.assertEqual(mdg.Simulation(**cavity(mesh=again)).check().elements, 48)

    def test_cells_of_a_higher_order_are_curved(self):
        vertices, cells = cube(1)
        nodes = nodes_of_order_2(vertices, cells)
        self.assertIn("48 cells", repr(mdg.MeshData(*cube(2))))
        self.assertEqual(mdg.Simulation(**cavity(mesh=mdg.MeshData(vertices, cells, nodes=nodes))).check().curved_elements, 0)
        curved = mdg.MeshData(vertices, cells, nodes=bent(nodes, 0.05))
        self.assertGreater(mdg.Simulation(**cavity(mesh=curved)).check().curved_elements, 0)

    def test_wrong_meshes_say_what_is_wrong(self):
        vertices, cells = cube(1)
        for wrong, pattern in (
            (lambda: mdg.MeshData(vertices, cells[:, :3]), r"cells are numbers of vertices, whole ones, \[:, 4\]; found int64 of"),
            (lambda: mdg.MeshData(vertices, cells + 0.5), "cells are numbers of vertices, whole ones"),
            (lambda: mdg.MeshData(vertices[:, :2], cells), "vertices has 2 columns, not 3"),
            (lambda: mdg.MeshData(vertices, cells - 1), "count from 0"),
            (lambda: mdg.MeshData(vertices, cells + 1), "mesh in memory"),
            (lambda: mdg.MeshData(vertices[:, [0, 0, 0]], cells), "mesh in memory.*degenerate|without volume|volume"),
            (lambda: mdg.MeshData(vertices, cells, surfaces={"a": [[0, 1, 99]]}), "surface's vertex 99 is none of the 8"),
            (lambda: mdg.MeshData(vertices, cells, regions={"a": [99]}), "region 'a' is a list of cells, 0 to 5"),
            (lambda: mdg.MeshData(vertices, cells, regions={"a": [0], "b": [0]}), "region 'b' has cells of another one"),
            (lambda: mdg.MeshData(vertices, cells, nodes=np.zeros((6, 7, 3))), "no order up to 9 has 7 nodes a cell"),
            (lambda: mdg.MeshData([], []), "mesh in memory"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(mdg.MeshError, pattern):
                wrong()


class Libraries(unittest.TestCase):
    def meshio_like(self, **more):
        vertices, cells = cube(2)
        return types.SimpleNamespace(points=vertices, cells_dict={"tetra": cells}, **more)

    def test_names_of_meshio_are_taken_by_gmshs_numbers_or_by_sets(self):
        vertices, cells = cube(2)
        low = boundary(vertices, cells, lambda v: v[:, 2] == 0)
        half = np.where(vertices[cells].mean(axis=1)[:, 0] < 0.5, 7, 8)
        mesh = types.SimpleNamespace(points=vertices, cells_dict={"tetra": cells, "triangle": low},
                                     cell_data_dict={"gmsh:physical": {"tetra": half, "triangle": np.full(len(low), 3)}},
                                     field_data={"glass": np.array([7, 3]), "low": np.array([3, 2])}, cell_sets_dict={})
        made = mdg.MeshData.from_meshio(mesh)
        self.assertEqual((sorted(made.regions), made.surfaces), (["glass", "volume_8"], ["low"]))
        sets = types.SimpleNamespace(points=vertices, cells_dict={"tetra": cells}, cell_sets_dict={
            "left": {"tetra": np.flatnonzero(half == 7)}, "right": {"tetra": np.flatnonzero(half == 8)}})
        self.assertEqual(mdg.MeshData.from_meshio(sets).regions, ["left", "right"])
        self.assertEqual(mdg.Simulation(**cavity(mesh=mesh)).check().elements, 48)  # in place of the key

    def test_quadratic_cells_of_meshio_have_their_nodes_where_they_are(self):
        vertices, cells = cube(1)
        points, ten = list(vertices), []
        for cell in cells:
            more = []
            for a, b in ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)):
                more.append(len(points))
                points.append((vertices[cell[a]] + vertices[cell[b]]) / 2)
            ten.append([*cell, *more])
        mesh = types.SimpleNamespace(points=np.array(points), cells_dict={"tetra10": np.array(ten)})
        self.assertIn("of 6 cells; regions interior", repr(mdg.MeshData.from_meshio(mesh)))  # straight: a wrong order would bend

    def test_what_meshio_has_beside_tetrahedra_is_refused(self):
        with self.assertRaisesRegex(mdg.MeshError, "no tetrahedra of order 1 or 2; it has hexahedron"):
            mdg.MeshData.from_meshio(types.SimpleNamespace(points=np.zeros((8, 3)), cells_dict={"hexahedron": np.zeros((1, 8))}))

    @unittest.skipUnless(importlib.util.find_spec("meshio"), "meshio is not installed")
    def test_a_mesh_of_meshio(self):
        import meshio

        vertices, cells = cube(2)
        mesh = meshio.Mesh(vertices, [("tetra", cells)])
        self.assertEqual(mdg.Simulation(**cavity(mesh=mesh)).check().elements, 48)

    @unittest.skipUnless(importlib.util.find_spec("gmsh"), "gmsh is not installed")
    def test_a_live_model_of_gmsh_with_its_names_in_any_order(self):
        import gmsh

        gmsh.initialize()
        self.addCleanup(gmsh.finalize)
        gmsh.option.setNumber("General.Terminal", 0)
        ball = gmsh.model.occ.addSphere(0, 0, 0, 10)
        gmsh.model.occ.synchronize()
        gmsh.model.addPhysicalGroup(3, [ball], name="inside")
        gmsh.model.addPhysicalGroup(2, [tag for _, tag in gmsh.model.getEntities(2)], name="metal")
        gmsh.option.setNumber("Mesh.MeshSizeMax", 6)
        gmsh.model.mesh.generate(3)
        straight = mdg.MeshData.from_gmsh(gmsh, scale=0.1)
        self.assertEqual((straight.regions, straight.surfaces), (["inside"], ["metal"]))
        volumes = []
        for order in (2, 3):
            gmsh.model.mesh.setOrder(order)
            mesh = mdg.MeshData.from_gmsh(gmsh, scale=0.1)
            keys = cavity(mesh=mesh, boundaries=[mdg.PEC(region="metal")], outputs=mdg.Outputs(), time=mdg.Time(end=0.1))
            with mdg.Simulation(**keys) as simulation:
                self.assertGreater(simulation.check().curved_elements, 20)
                simulation.step(2)
                radius = np.sqrt((simulation.coordinates() ** 2).sum(-1)).max()
                volumes.append(radius)
        np.testing.assert_allclose(volumes, 1, atol=0.01)
        gmsh.model.mesh.setOrder(1)
        self.assertEqual(mdg.Simulation(**cavity(mesh=gmsh)).check().elements, len(straight))


class Materials(unittest.TestCase):
    def frequency(self, **material):
        """Of the lowest mode of a unit cube that the material fills, by its period."""
        keys = cavity(materials=[mdg.Material(region="*", **material)], time=mdg.Time(end=6))
        keys["mesh"] = material.pop("mesh", keys["mesh"])
        with mdg.Simulation(**keys) as simulation:
            signal = simulation.run().probes["middle.Ez"]
            return float(np.abs(signal).sum()), signal

    def test_a_function_of_place_is_the_expression_at_the_centres_of_cells(self):
        seen = []

        def epsilon(x, y, z):
            seen.append(x.shape)
            return 2 + 0 * x

        by_function, signal = self.frequency(epsilon_r=epsilon)
        by_number, expected = self.frequency(epsilon_r=2)
        self.assertEqual(seen, [(162,)])
        np.testing.assert_array_equal(signal, expected)
        uneven, _ = self.frequency(epsilon_r=lambda x, y, z: 1 + 2 * (x > 0.5))
        self.assertNotAlmostEqual(uneven, by_number, 3)

    def test_smooth_functions_are_those_at_vertices(self):
        _, by_function = self.frequency(epsilon_r=lambda x, y, z: 2 - x, profile="smooth")
        _, by_expression = self.frequency(epsilon_r="2 - x", profile="smooth")
        np.testing.assert_allclose(by_function, by_expression, atol=1e-10)  # linear: the same medium

    def test_an_array_has_a_value_a_cell_of_the_mesh_as_it_was_given(self):
        vertices, cells = cube()
        order = np.random.default_rng(2).permutation(len(cells))
        mesh = mdg.MeshData(vertices, cells[order])
        centres = vertices[cells[order]].mean(axis=1)
        keys = cavity(mesh=mesh, materials=[mdg.Material(region="*", epsilon_r=1 + centres[:, 0])])
        by_array = mdg.Simulation(**keys).run().probes["middle.Ez"]
        keys["materials"] = [mdg.Material(region="*", epsilon_r=lambda x, y, z: 1 + x)]
        np.testing.assert_allclose(by_array, mdg.Simulation(**keys).run().probes["middle.Ez"], atol=1e-12)

    def test_tensors_may_have_functions_as_components_and_only_their_region_is_asked(self):
        vertices, cells = cube(2)
        left = vertices[cells].mean(axis=1)[:, 0] < 0.5
        mesh = mdg.MeshData(vertices, cells, regions={"left": left, "right": ~left})

        def epsilon(x, y, z):
            self.assertLess(x.max(), 0.5)
            return 2 + y

        keys = cavity(mesh=mesh, materials=[mdg.Material(region="left", epsilon_r=[epsilon, 2, 3]), mdg.Material(region="right")])
        self.assertGreater(mdg.Simulation(**keys).run().summary["steps"], 10)

    def test_wrong_functions_and_arrays_are_config_errors_with_their_key(self):
        for value, pattern in (
            (lambda x, y, z: np.ones(3), r"materials.0.epsilon_r: the function of x, y, z.*gave the shape \(3,\)"),
            (lambda x, y, z: 1j * x, "materials.0.epsilon_r: real numbers are needed, found complex128"),
            (lambda x, y, z: np.nan * x, "materials.0.epsilon_r: the function gives no finite number at"),
            (lambda x, y, z: -1 + 0 * x, "epsilon_r"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(mdg.ConfigError, pattern):
                mdg.Simulation(**cavity(materials=[mdg.Material(region="*", epsilon_r=value)])).check()
        with self.assertRaisesRegex(mdg.ConfigError, "epsilon_r: an array has a value a cell"):
            mesh = mdg.MeshData(*cube())
            mdg.Simulation(**cavity(mesh=mesh, materials=[mdg.Material(region="*", profile="smooth", epsilon_r=np.ones(162))]))


if __name__ == "__main__":
    unittest.main()
