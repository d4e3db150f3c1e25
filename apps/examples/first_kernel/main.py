"""A kernel from its text: y += a x."""

import os

import numpy as np

from maxwell_dg import rtcg

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))  # a GPU, or else the CPU
module = rtcg.compile(context, name="axpy.kernel", text="""
KERNEL void axpy(float32 a, GLOBAL const float32* x, GLOBAL float32* y) {
  y[GLOBAL_ID(0)] += a * x[GLOBAL_ID(0)];
}""")

x = rtcg.to_device(context, [1, 2, 3, 4], "float32")
y = rtcg.to_device(context, [10, 20, 30, 40], "float32")
module.kernel("axpy")(np.float32(2), x, y, groups=1, group_size=4)
print(y.numpy())
assert y.numpy().tolist() == [12, 24, 36, 48]
