"""C = A B three ways: an element a work-item; tiles in shared memory, of a size that the tuner finds; a loop nest whose fastest
form is looked for."""

import os
import tempfile

import numpy as np

from maxwell_dg import rtcg

TEXT = """
#define ARGUMENTS GLOBAL float32* RESTRICT c, GLOBAL const float32* RESTRICT a, GLOBAL const float32* RESTRICT b

KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) simple(ARGUMENTS) {
  const int32 row = (int32)GLOBAL_ID(1), column = (int32)GLOBAL_ID(0);
  float32 sum = 0.0f;
  for (int32 k = 0; k < ${n}; ++k) sum += a[row * ${n} + k] * b[k * ${n} + column];
  c[row * ${n} + column] = sum;
}

KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) tiled(ARGUMENTS) {
  SHARED float32 a_tile[${tile}][${tile}], b_tile[${tile}][${tile}];
  const int32 row = (int32)GLOBAL_ID(1), column = (int32)GLOBAL_ID(0), y = LOCAL_ID(1), x = LOCAL_ID(0);
  float32 sum = 0.0f;
  for (int32 first = 0; first < ${n}; first += ${tile}) {
    a_tile[y][x] = a[row * ${n} + first + x];
    b_tile[y][x] = b[(first + y) * ${n} + column];
    BARRIER();
    UNROLL for (int32 k = 0; k < ${tile}; ++k) sum += a_tile[y][k] * b_tile[k][x];
    BARRIER();
  }
  c[row * ${n} + column] = sum;
}
"""

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
n = 128 if context.is_cpu else 1024
on_host = np.random.default_rng(1).uniform(-1, 1, (2, n, n)).astype(np.float32)
expected = on_host[0].astype(float) @ on_host[1]
a, b = (rtcg.to_device(context, matrix) for matrix in on_host)
c = context.zeros((n, n), "float32")


def objection() -> str | None:
    error = abs(c.numpy() - expected).max()
    return None if error < 1e-4 * n**0.5 else f"C is off by {error}"


def launch(kernel: str, tile: int) -> rtcg.Candidate:
    text = TEXT.replace("${n}", str(n)).replace("${tile}", str(tile))
    return rtcg.Candidate(text, kernel, [c, a, b], groups=(n // tile, n // tile), group_size=(tile, tile), name="product.kernel")


simple = rtcg.compile(context, TEXT, name="product.kernel", values={"n": n, "tile": 16}).kernel("simple")
simple(c, a, b, groups=(n // 16, n // 16), group_size=(16, 16))
assert objection() is None, objection()
print("simple: right")

with tempfile.TemporaryDirectory() as wisdom:
    tuned = rtcg.tune(context, "product float32", {"kernel": ["simple", "tiled"], "tile": [4, 8, 16]}, shape={"n": n},
                      candidate=lambda chosen: launch(chosen["kernel"], chosen["tile"]), verify=objection,
                      prepare=lambda: c.fill(0), require=["tile <= 16"], seconds=5, wisdom_directory=wisdom)
    assert tuned.tuned
    again = rtcg.tune(context, "product float32", {"kernel": ["simple", "tiled"], "tile": [4, 8, 16]}, shape={"n": n},
                      candidate=lambda chosen: launch(chosen["kernel"], chosen["tile"]), verify=objection,
                      prepare=lambda: c.fill(0), require=["tile <= 16"], seconds=5, wisdom_directory=wisdom)
    assert not again.tuned and again.best == tuned.best  # the wisdom knows
print(f"tuned: {tuned.best['kernel']} with tiles of {tuned.best['tile']}, {2e-9 * n**3 / tuned.seconds:.2f} GFLOP/s")

c.fill(0)
product = rtcg.LoopKernel(context, "product", {"i": n, "j": n, "k": n}, {"C": (n, n), "A": (n, n), "B": (n, n)},
                          "C[i, j] = sum(k, A[i, k] * B[k, j])", seconds=10, most_candidates=2 if n < 1024 else 50)
product(c, a, b)
assert objection() is None, objection()
print("loop nest: right, with", product.configuration)
