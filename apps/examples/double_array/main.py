"""Arithmetic on arrays, without a line of kernel text."""

import os

import numpy as np

from maxwell_dg import rtcg

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
numbers = np.random.default_rng(1).uniform(-1, 1, (4, 4)).astype(np.float32)
x = rtcg.to_device(context, numbers)
twice = 2 * x
print(x)
print("times two is")
print(twice)
np.testing.assert_array_equal(twice.numpy(), 2 * numbers)
