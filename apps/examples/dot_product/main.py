"""The dot product three ways: as a reduction of an own map expression, as a formula that is summed on the way, and as the
function that is there."""

import os

import numpy as np

from maxwell_dg import rtcg

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
on_host = np.random.default_rng(1).uniform(-1, 1, (2, 100_000)).astype(np.float32)
x, y = (rtcg.to_device(context, values) for values in on_host)
products = on_host[0].astype(float) * on_host[1]

kernel = rtcg.ReductionKernel(arguments="const float32* x, const float32* y", map="x[i] * y[i]", reduce="a + b", neutral="0",
                              result="float32", name="dot_product")
found = {
    "kernel": kernel(x, y).item(),
    "formula": (rtcg.Lazy(x) * y).sum().item(),
    "function": rtcg.dot(x, y).item(),
}
for name, value in found.items():
    print(f"by {name} {value:.4f}, on the host {products.sum():.4f}")
    assert abs(value - products.sum()) <= 1e-6 * abs(products).sum(), name
