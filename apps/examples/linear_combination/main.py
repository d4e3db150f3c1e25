"""z = a x + b y in one kernel: with types written down, and with types that are only known from the arrays at hand."""

import os

import numpy as np

from maxwell_dg import rtcg


def static_types(x: rtcg.Array, y: rtcg.Array) -> rtcg.Array:
    kernel = rtcg.ElementwiseKernel("float32 a, const float32* x, float32 b, const float32* y, float32* z",
                                    "z[i] = a * x[i] + b * y[i]", name="linear_combination")
    z = x.context.empty(x.shape, "float32")
    kernel(5.0, x, 6.0, y, z)
    return z


def introspected_types(x: rtcg.Array, y: rtcg.Array) -> rtcg.Array:
    """The arguments are made from the arrays' dtypes, the result's dtype by promotion."""
    result = np.promote_types(x.dtype, y.dtype).name
    kernel = rtcg.ElementwiseKernel(f"{result} a, const {x.dtype}* x, {result} b, const {y.dtype}* y, {result}* z",
                                    "z[i] = a * x[i] + b * y[i]", name="linear_combination")
    z = x.context.empty(x.shape, result)
    kernel(5.0, x, 6.0, y, z)
    return z


context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
a, b = np.random.default_rng(1).uniform(-1, 1, (2, 1000)).astype(np.float32)
whole = np.arange(-500, 500, dtype=np.int32)
x, y, n = (rtcg.to_device(context, values) for values in (a, b, whole))
np.testing.assert_allclose(static_types(x, y).numpy(), 5 * a + 6 * b, atol=1e-5)
np.testing.assert_allclose(introspected_types(x, y).numpy(), 5 * a + 6 * b, atol=1e-5)
mixed = introspected_types(n, y)
np.testing.assert_allclose(mixed.numpy(), 5.0 * whole + 6.0 * b.astype(float), rtol=1e-14)
print("int32 with float32 gives", mixed.dtype)
