"""Code at run time from Python. Run by CTest like simulation_test.py."""

import tempfile
import unittest

import numpy as np

import maxwell_dg as mdg
from maxwell_dg import rtcg
from tested_device import DEVICE

CONTEXT = rtcg.Context(DEVICE)


def on_device(values, dtype=None):
    return rtcg.to_device(CONTEXT, values, dtype)


class Arrays(unittest.TestCase):
    def test_every_dtype_comes_and_goes_as_it_is(self):
        for dtype in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
                      "float64", "complex64", "complex128"):
            values = np.arange(6).reshape(2, 3).astype(dtype)
            array = on_device(values)
            self.assertEqual((array.dtype, array.shape, array.ndim, array.size, array.nbytes), (dtype, (2, 3), 2, 6, values.nbytes))
            back = array.numpy()
            self.assertEqual(back.dtype, values.dtype)
            np.testing.assert_array_equal(back, values)
            self.assertEqual(array[1, 1].item(), values[1, 1].item())

    def test_operators_are_numpys(self):
        a, b = np.linspace(1, 2, 6).reshape(2, 3), np.array([1.5, -2.0, 0.5])
        x, y = on_device(a), on_device(b)
        for found, expected in ((x + y, a + b), (x - 2, a - 2), (2 - x, 2 - a), (x * y, a * b), (1 / x, 1 / a), (x // y, a // b),
                                (x % y, a % b), (x**2, a**2), (2**x, 2**a), (-x, -a), (abs(y), abs(b)), (x < y, a < b),
                                (x >= 1.5, a >= 1.5), (x == x, a == a), (x != y, a != b), (rtcg.hypot(x, y), np.hypot(a, b)),
                                (rtcg.where(x < 1.5, x, y), np.where(a < 1.5, a, b)), (np.float64(3) * x, 3 * a)):
            np.testing.assert_allclose(found.numpy(), expected, rtol=1e-14)
            self.assertEqual(found.dtype, expected.dtype.name)
        i = on_device(np.arange(4, dtype=np.int32))
        np.testing.assert_array_equal(((i << 2) | 1).numpy(), (np.arange(4) << 2) | 1)
        self.assertEqual((2.0 * on_device(a, "float32")).dtype, "float32")  # numbers of Python are weak

    def test_views_share_memory(self):
        x = on_device(np.arange(24.0).reshape(2, 3, 4))
        a = np.arange(24.0).reshape(2, 3, 4)
        for key in (0, -1, (0, 1), np.s_[:, 1:], np.s_[..., ::-1], np.s_[None, 1], np.s_[:, :, 2]):
            np.testing.assert_array_equal(x[key].numpy(), a[key])
        x[:, 1] = 7
        x[0, 2] = x[1, 2] + 1
        a[:, 1], a[0, 2] = 7, a[1, 2] + 1
        np.testing.assert_array_equal(x.numpy(), a)
        np.testing.assert_array_equal(x.T.numpy(), a.T)
        np.testing.assert_array_equal(x.reshape((4, -1)).numpy(), a.reshape(4, -1))
        np.testing.assert_array_equal(np.asarray(x), a)
        self.assertEqual([row.shape for row in x], [(3, 4), (3, 4)])

    def test_totals_are_numpys(self):
        a = np.random.default_rng(3).normal(size=(5, 7))
        x = on_device(a)
        for name in ("sum", "prod", "mean", "var", "min", "max", "argmin", "argmax"):
            np.testing.assert_allclose(getattr(x, name)().item(), getattr(a, name)(), rtol=1e-12)
            np.testing.assert_allclose(getattr(x, name)(axis=1).numpy(), getattr(a, name)(axis=1), rtol=1e-12)
        self.assertEqual(x.sum(axis=(0, 1), keepdims=True).shape, (1, 1))
        self.assertTrue((x == x).all())
        np.testing.assert_allclose((rtcg.Lazy(x) * x).sum(axis=0).numpy(), (a * a).sum(axis=0), rtol=1e-12)

    def test_tensors_of_others_are_taken_by_dlpack(self):
        a = np.arange(6.0)
        np.testing.assert_array_equal(CONTEXT.from_dlpack(a).numpy(), a)
        x = on_device(a)
        kind, index = x.__dlpack_device__()
        self.assertEqual(kind, 2 if DEVICE.startswith("cuda") else 4)  # kDLCUDA, kDLOpenCL
        np.testing.assert_array_equal(CONTEXT.from_dlpack(x).numpy(), a)
        self.assertIn('"dltensor"', repr(x.__dlpack__()))
        self.assertIn('"dltensor_versioned"', repr(x.__dlpack__(max_version=(1, 0))))
        with self.assertRaisesRegex(BufferError, "another device"):
            x.__dlpack__(dl_device=(1, 0))
        with self.assertRaisesRegex(ValueError, "only CUDA's arrays take a stream"):
            x.__dlpack__(stream=1)
        shared = CONTEXT.from_dlpack(x)
        shared[0] = 9
        self.assertEqual(x[0].item(), 9)

    def test_mistakes_are_exceptions_that_say_what_was_given(self):
        x = on_device(np.zeros((2, 3)))
        for wrong, kind, pattern in (
            (lambda: x + on_device(np.zeros(4)), mdg.ArrayError, r"\(2, 3\).*\(4,\)"),
            (lambda: x[2], mdg.ArrayIndexError, "2"),
            (lambda: x[0, 0, 0], mdg.ArrayError, ""),
            (lambda: x[[0, 1]], TypeError, "lists of indices"),
            (lambda: x.reshape((4, 4)), mdg.ArrayError, "4"),
            (lambda: x + "a", TypeError, "unsupported operand"),
            (lambda: x.sum(axis=5), mdg.ArrayIndexError, "5"),
            (lambda: x.item(), mdg.ArrayError, ""),
            (lambda: bool(x), ValueError, "any\\(\\) or all\\(\\)"),
            (lambda: len(x[0, 0]), TypeError, "no length"),
            (lambda: x.astype("datetime64[s]"), TypeError, "datetime64"),
            (lambda: CONTEXT.empty((2, -1)), mdg.ArrayError, "-1"),
            (lambda: CONTEXT.empty("ab"), TypeError, "a shape"),
            (lambda: on_device(["a"]), mdg.ArrayError, "type 'str"),
            (lambda: rtcg.sin("a"), TypeError, "an Array or a number is needed, found a str"),
            (lambda: rtcg.Context("cuda:99"), mdg.DeviceError, "cuda:99"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                wrong()


class Kernels(unittest.TestCase):
    def test_elementwise(self):
        kernel = rtcg.ElementwiseKernel("const float64* x, float64 a, float64* z", "z[i] = twice(x[i]) + a",
                                        preamble="DEVICE_FUNCTION float64 twice(float64 x) { return 2 * x; }")
        z = CONTEXT.empty(5, "float64")
        kernel(on_device(np.arange(5.0)), 1, z)
        np.testing.assert_array_equal(z.numpy(), 2 * np.arange(5.0) + 1)
        for arguments, kind, pattern in (((z,), mdg.ArrayError, "argument|operand"), ((z, z, z), mdg.ArrayError, "a"),
                                         ((on_device(np.zeros(5), "float32"), 1, z), mdg.ArrayError, "float32"),
                                         ((z, "1", z), TypeError, "found a str")):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                kernel(*arguments)
        with self.assertRaisesRegex(mdg.ArrayError, "flaot"):
            rtcg.ElementwiseKernel("flaot* x", "x[i] = 1")

    def test_reduction_and_scan(self):
        a = np.random.default_rng(1).integers(0, 10, 1000).astype(np.int32)
        x = on_device(a)
        largest = rtcg.ReductionKernel("const int32* x", "x[i]", "a > b ? a : b", "-1", "int32")
        self.assertEqual(largest(x).item(), a.max())
        np.testing.assert_array_equal(largest(x.reshape((10, 100)), axis=1).numpy(), a.reshape(10, 100).max(axis=1))
        z = CONTEXT.empty(1000, "int32")
        rtcg.ScanKernel("const int32* x, int32* z", "x[i]", "a + b", "0", "z[i] = item", "int32")(x, z)
        np.testing.assert_array_equal(z.numpy(), np.cumsum(a))

    def test_texts_are_compiled_templates_rendered_and_errors_point_at_the_line(self):
        text = """KERNEL void scale(GLOBAL float32* x, float32 a) {
% for k in range(times):
  x[GLOBAL_ID(0)] *= a;
% endfor
}"""
        x = on_device([1, 2, 3], "float32")
        kernel = rtcg.compile(CONTEXT, text, values={"times": 3}).kernel("scale")
        self.assertEqual(kernel.name, "scale")
        kernel(x, np.float32(2), groups=3, group_size=1)
        np.testing.assert_array_equal(x.numpy(), [8, 16, 24])
        kernel(x, np.float32(0.5), groups=0, group_size=1)  # nothing to do
        for wrong, kind, pattern in (
            (lambda: rtcg.compile(CONTEXT, "KERNEL void f(GLOBAL float32* x) {\n  x[0] = y;\n}", name="mine"), mdg.CompileError, "mine:2"),
            (lambda: rtcg.compile(CONTEXT, text, values={}), mdg.CompileError, "times"),
            (lambda: rtcg.compile(CONTEXT, text, values={"times": 1}).kernel("other"), mdg.DeviceError, "other"),
            (lambda: kernel(x, 2.0, groups=1, group_size=1), TypeError, "numpy.float32"),
            (lambda: kernel(x, groups=1, group_size=1), mdg.DeviceError, "scale"),
            (lambda: kernel(x, np.float32(1), groups=(1, 1, 1, 1), group_size=1), ValueError, "groups are one to three"),
            (lambda: kernel(x, np.float32(1), groups=-1, group_size=1), ValueError, "none negative"),
            (lambda: kernel(x[::2], np.float32(1), groups=1, group_size=1), mdg.ArrayError, "contiguous"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                wrong()

    def test_a_loop_nest_is_computed_as_it_is_sliced(self):
        n = 32
        a, b = np.random.default_rng(2).normal(size=(2, n, n)).astype(np.float32)
        lanes = 1 if DEVICE.startswith("cuda") else 4  # which are vectors of OpenCL
        kernel = rtcg.LoopKernel(CONTEXT, "scaled", {"i": n, "j": n, "k": n}, {"C": (n, n), "A": (n, n), "B": (n, n)},
                                 "C[i, j] = alpha * sum(k, A[i, k] * B[k, j])", configuration={"lanes": lanes, "registers_i": 2})
        self.assertEqual((kernel.scalar_names, kernel.configuration["lanes"]), (["alpha"], lanes))
        c = CONTEXT.zeros((n, n), "float32")
        kernel(c, on_device(a), on_device(b), alpha=0.5)
        np.testing.assert_allclose(c.numpy(), 0.5 * a @ b, atol=1e-4)
        self.assertIn("KERNEL", kernel.text)
        for wrong, kind, pattern in ((lambda: kernel(c, c, c), TypeError, "the number alpha is missing"),
                                     (lambda: kernel(c, c, c, alpha=1, beta=2), TypeError, "more numbers"),
                                     (lambda: kernel(c, c, alpha=1), mdg.ArrayError, ""),
                                     (lambda: kernel(c, c, on_device(np.zeros((n, n))), alpha=1), mdg.ArrayError, "float64"),
                                     (lambda: kernel(c, c, CONTEXT.zeros((n, 2), "float32"), alpha=1), mdg.ArrayError, "B has the shape"),
                                     (lambda: rtcg.LoopKernel(CONTEXT, "w", {"i": 4}, {"A": (4,)}, "A[i] = B[i]"), mdg.CompileError, "B")):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                wrong()

    def test_the_tuner_takes_no_wrong_kernel_and_remembers(self):
        x, z = on_device(np.arange(64), "float32"), CONTEXT.empty(64, "float32")

        def candidate(chosen):
            if chosen["block"] == 32:
                raise ValueError("not this one")
            factor = "3" if chosen["wrong"] else "2"
            text = f"KERNEL void twice(GLOBAL float32* z, GLOBAL const float32* x) {{ z[GLOBAL_ID(0)] = {factor} * x[GLOBAL_ID(0)]; }}"
            return rtcg.Candidate(text, "twice", [z, x], groups=64 // chosen["block"], group_size=chosen["block"])

        def verify():
            return None if (z.numpy() == 2 * x.numpy()).all() else "not twice"

        space = {"block": [8, 16, 32, 64], "wrong": [0, 1]}
        with tempfile.TemporaryDirectory() as folder:
            found = rtcg.tune(CONTEXT, "twice", space, candidate, verify, require=["block <= 32"], seconds=100, wisdom_directory=folder)
            self.assertTrue(found.tuned)
            self.assertEqual(found.best["wrong"], 0)
            rejections = {row[2].splitlines()[0] for row in found.table if row[2]}
            for reason in ("not twice", "not this one"):
                self.assertTrue(any(reason in text for text in rejections), (reason, found.table))
            again = rtcg.tune(CONTEXT, "twice", space, candidate, verify, require=["block <= 32"], wisdom_directory=folder)
            self.assertEqual((again.tuned, again.best), (False, found.best))
            with self.assertRaisesRegex(ZeroDivisionError, "division"):
                rtcg.tune(CONTEXT, "broken", space, lambda chosen: 1 // 0, verify, wisdom_directory=folder)
            with self.assertRaises(mdg.DeviceError):
                rtcg.tune(CONTEXT, "hopeless", {"block": [8], "wrong": [1]}, candidate, verify, seconds=2, wisdom_directory=folder)


if __name__ == "__main__":
    unittest.main()
