"""Whatever a Python program gives to the package, it gets an exception, never a crash: every public function, class, method and
property is called with arguments of wrong kinds, numbers and shapes. Run by CTest like simulation_test.py; MAXWELL_DG_FUZZ_CALLS is
how many calls each gets, MAXWELL_DG_FUZZ_SEED where they begin."""

import faulthandler
import inspect
import os
import pathlib
import random
import sys
import tempfile
import unittest

import numpy as np

import maxwell_dg as mdg
from maxwell_dg import _core, rtcg, symbolic
from meshes_test import cube
from simulation_test import cavity
from tested_device import DEVICE

faulthandler.enable()
CALLS = int(os.environ.get("MAXWELL_DG_FUZZ_CALLS", "15"))
VERBOSE = bool(os.environ.get("MAXWELL_DG_FUZZ_VERBOSE"))  # what is called is told before, for the one that crashes
SEED = int(os.environ.get("MAXWELL_DG_FUZZ_SEED", "1"))


class Odd:
    """Has methods that others ask for, and none of them behaves."""

    def __len__(self):
        return -1

    def __float__(self):
        raise RuntimeError("no float")

    def __index__(self):
        return "no index"

    def __dlpack__(self, **_):
        return object()

    def __dlpack_device__(self):
        return ("a", 1)

    def tolist(self):
        return self.__class__

    def __iter__(self):
        yield self


def cyclic():
    value = []
    value.append(value)
    return value


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


class Fuzz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.simulation = mdg.Simulation(**cavity(time=mdg.Time(end=1e9)))
        cls.simulation.step(1)
        cls.closed = mdg.Simulation(**cavity())
        cls.closed.close()
        cls.context = rtcg.Context(DEVICE)
        cls.array = cls.context.zeros((3, 4), "float32")
        cls.mesh = mdg.MeshData(*cube(1))
        cls.system = mdg.System("fuzzed")
        cls.q, cls.v = cls.system.scalar("q"), cls.system.vector("v")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        before = os.getcwd()
        cls.addClassCleanup(os.chdir, before)
        os.chdir(cls.folder.name)

    def setUp(self):
        self.random = random.Random(SEED)
        self.values = [
            None, True, 0, 1, -1, 3, 2**31, 2**63, -(2**63) - 1, 2**100, 0.0, -1.5, float("nan"), float("inf"), 1j, "", "Ez", "x",
            "float32", "\0", "a" * 10_000, "€\ud800", b"bytes", [], [1], [[1, 2], [3]], (), (1, 2), (2**62, 2**62), {}, {"a": 1}, {1: 2}, {None: None},
            {"region": "*"}, set(), object(), int, len, lambda *_: 1, Ellipsis, slice(None), slice(1, None, 0), range(3), NotImplemented,
            np.zeros(0), np.zeros(3), np.zeros((2, 3)), np.zeros((0, 4), int), np.ones((2, 4), np.int32), np.array("text"), np.array(None),
            np.float32(2), np.int64(-5), np.zeros(3, "M8[s]"), np.zeros((2, 2))[::2], np.zeros(3, ">f8"), pathlib.Path("no_such_file"),
            Odd(), cyclic(), self.simulation, self.closed, self.context, self.array, self.mesh, self.system, self.q, self.v,
            rtcg.Lazy(self.array), symbolic.inside(self.q), symbolic.normal(), mdg.Material(region="*"), ValueError("an exception"),
        ]

    def arguments(self, function):
        try:
            names = [name for name, p in inspect.signature(function).parameters.items() if p.kind is not p.VAR_POSITIONAL]
        except (TypeError, ValueError):
            names = []
        keywords = {name: self.pick() for name in names if self.random.random() < 0.3}
        return [self.pick() for _ in range(self.random.randrange(5))], keywords

    def pick(self):
        return self.random.choice(self.values)

    def call(self, name, function):
        for _ in range(CALLS):
            arguments, keywords = self.arguments(function)
            if self.random.random() < 0.5:
                keywords = {}
            if VERBOSE:
                print(name, arguments, keywords, file=sys.stderr, flush=True)
            try:
                function(*arguments, **keywords)
            except (KeyboardInterrupt, SystemExit):
                raise
            except Exception as error:  # any exception of Python
                self.assertTrue(str(error) or repr(error), name)
            except BaseException as error:
                self.fail(f"{name} raised {type(error)}")

    def call_members(self, thing, left_out=()):
        for name in dir(type(thing)):
            if name in left_out or (name.startswith("__") and name in dir(object)):
                continue
            try:
                member = getattr(thing, name)
            except Exception:
                continue
            if callable(member):
                self.call(f"{type(thing).__name__}.{name}", member)

    def test_simulations(self):
        for simulation in (self.simulation, self.closed):
            self.call_members(simulation, left_out=("run", "finish", "step", "close", "__exit__", "plot", "resume", "_abandon"))
        for count in ("a", None, -5, 1.5, [], 2**64):
            with self.assertRaises(Exception) if count != -5 else self.subTest():
                self.simulation.step(count)
        for every in (0, -1, "a", None, []):
            with self.assertRaises(Exception):
                self.simulation.run(lambda s: None, every=every)
        self.assertEqual(self.simulation.step(1), 1)

    def test_configs(self):
        for name in mdg.config.__all__:
            self.call(name, getattr(mdg, name))
        whole = cavity()
        for _ in range(20 * CALLS):
            keys = dict(whole)
            keys[self.random.choice(list(mdg.ConfigKeys.__annotations__))] = self.pick()
            try:
                mdg.Simulation(**keys)
            except Exception as error:
                self.assertTrue(str(error))
        for value in (cyclic(), deep()):
            with self.assertRaises(RecursionError):
                mdg.Simulation(**cavity(materials=value))

    def test_meshes(self):
        self.call("MeshData", mdg.MeshData)
        for method in ("from_meshio", "from_gmsh", "read"):
            self.call(method, getattr(mdg.MeshData, method))
        self.call_members(self.mesh)
        vertices, cells = cube(1)
        for _ in range(10 * CALLS):
            keys = {self.random.choice(["regions", "surfaces", "nodes"]): self.pick()}
            if self.random.random() < 0.5:
                keys = {"regions": {"a": self.pick()}, "surfaces": {"b": self.pick()}}
            try:
                mdg.MeshData(vertices, cells, **keys)
            except Exception as error:
                self.assertTrue(str(error))

    def test_arrays_and_kernels(self):
        for name in rtcg.__all__:
            if name not in ("Context", "tune"):
                self.call(name, getattr(rtcg, name))
        self.call_members(self.array)
        self.call_members(rtcg.Lazy(self.array))
        self.call_members(self.context)
        kernels = [rtcg.ElementwiseKernel("const float32* x, float32 a, float32* z", "z[i] = a * x[i]"),
                   rtcg.ReductionKernel("const float32* x", "x[i]", "a + b", "0"),
                   rtcg.ScanKernel("const float32* x, float32* z", "x[i]", "a + b", "0", "z[i] = item", "float32")]
        for kernel in kernels:
            self.call(type(kernel).__name__, kernel)
        for parameters in (None, {"a": []}, {"a": [object()]}, {1: [1]}):
            for candidate in (lambda chosen: None, lambda chosen: rtcg.Candidate(1, 2, 3), lambda: 1):
                with self.assertRaises(Exception):
                    rtcg.tune(self.context, "fuzz", parameters, candidate, lambda: None, seconds=0.1, keep=False)

    def test_systems_and_symbols(self):
        for name in symbolic.__all__:
            self.call(name, getattr(symbolic, name))
        self.call_members(mdg.System("a"))
        self.call_members(self.system)
        self.call_members(symbolic.inside(self.q))
        self.call_members(symbolic.normal())
        self.call_members(self.v)

    def test_the_rest(self):
        for name in ("open", "open_run", "incidences"):
            self.call(name, getattr(mdg, name))
        self.call("from_yaml", mdg.Simulation.from_yaml)
        for text in ("", "a: [", "&a [*a]", "mesh: {box: {cells: [1, 1, 1]}}", "\x00", "{" * 10_000):
            pathlib.Path("mine.yaml").write_text(text)
            with self.assertRaises(Exception):
                mdg.Simulation.from_yaml("mine.yaml")
        for name in ("make_config", "load_config", "read_mesh", "compile", "Mesh", "Planned", "Run", "OwnSystem", "Config"):
            self.call(f"_core.{name}", getattr(_core, name))


if __name__ == "__main__":
    unittest.main()
