"""A kernel as text, compiled, and called on numbers that go to the device and back."""

import os

import numpy as np

from maxwell_dg import rtcg

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
module = rtcg.compile(context, """
KERNEL void GROUP_LIMIT(64, 1, 1) multiply_by_two(GLOBAL float32* RESTRICT to, GLOBAL const float32* RESTRICT from) {
  to[GLOBAL_ID(0)] = 2.0f * from[GLOBAL_ID(0)];
}""")

numbers = np.random.default_rng(1).uniform(-1, 1, 4096).astype(np.float32)
to = context.empty(numbers.shape, "float32")
module.kernel("multiply_by_two")(to, rtcg.to_device(context, numbers), groups=numbers.size // 64, group_size=64)
np.testing.assert_array_equal(to.numpy(), 2 * numbers)
print(numbers.size, "numbers are multiplied by two")
