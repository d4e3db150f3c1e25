"""Arrays, formulas in one kernel, and a kernel of a few words."""

import os

import numpy as np

from maxwell_dg import rtcg

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))  # device, stream, compiler and memory pool
x = rtcg.to_device(context, [[1, 2, 3], [4, 5, 6]], "float32")
row = rtcg.to_device(context, [10, 20, 30], "float32")

print(x + 2 * row)  # one kernel an operation, as in NumPy
print((rtcg.sqrt(rtcg.Lazy(x)) + 2 * row).evaluate())  # one kernel for all of it
print(x.sum().item())  # 21

clamp = rtcg.ElementwiseKernel(arguments="const float32* x, float32 most, float32* y", operation="y[i] = x[i] < most ? x[i] : most")
y = context.empty(x.shape, "float32")
clamp(x, 4.5, y)
print(y)

np.testing.assert_array_equal((x + 2 * row).numpy(), [[21, 42, 63], [24, 45, 66]])
np.testing.assert_allclose((rtcg.sqrt(rtcg.Lazy(x)) + 2 * row).evaluate().numpy(),
                           np.sqrt([[1, 2, 3], [4, 5, 6]]) + np.array([20, 40, 60]), rtol=1e-6)
assert x.sum().item() == 21
np.testing.assert_array_equal(y.numpy(), [[1, 2, 3], [4, 4.5, 4.5]])
