"""A matrix transposed naively, which writes far apart, and by tiles in shared memory."""

import os
import time

import numpy as np

from maxwell_dg import rtcg

TILE = 16
# One more column in shared memory than the tile has: a column's elements lie in different banks.
TEXT = """
KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) naive(GLOBAL float32* RESTRICT to, GLOBAL const float32* RESTRICT from) {
  to[GLOBAL_ID(0) * ${n} + GLOBAL_ID(1)] = from[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)];
}

KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) shared(GLOBAL float32* RESTRICT to, GLOBAL const float32* RESTRICT from) {
  SHARED float32 part[${tile}][${tile} + 1];
  const int32 x = LOCAL_ID(0), y = LOCAL_ID(1);
  part[y][x] = from[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)];
  BARRIER();
  to[(GROUP_ID(0) * ${tile} + y) * ${n} + GROUP_ID(1) * ${tile} + x] = part[x][y];
}
"""

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
n, repeats = (512, 3) if context.is_cpu else (8192, 20)
on_host = np.random.default_rng(1).uniform(-1, 1, (n, n)).astype(np.float32)
matrix = rtcg.to_device(context, on_host)
module = rtcg.compile(context, TEXT, values={"n": n, "tile": TILE})
for name in ("naive", "shared"):
    transposed = context.zeros((n, n), "float32")
    kernel = module.kernel(name)
    kernel(transposed, matrix, groups=(n // TILE, n // TILE), group_size=(TILE, TILE))
    np.testing.assert_array_equal(transposed.numpy(), on_host.T)
    begin = time.perf_counter()
    for _ in range(repeats):
        kernel(transposed, matrix, groups=(n // TILE, n // TILE), group_size=(TILE, TILE))
    context.synchronize()
    print(f"{name}: {2e-9 * matrix.nbytes * repeats / (time.perf_counter() - begin):.2f} GB/s")
np.testing.assert_array_equal(matrix.T.numpy(), on_host.T)  # a view: nothing is moved until it is read
