"""The entropy of a distribution from samples alone: by the distance of each to its nearest neighbour, found by brute force. The
estimate is that of Kozachenko and Leonenko, 1987."""

import math
import os

import numpy as np

from maxwell_dg import rtcg

DIMENSIONS = 3
# The number of coordinates is compiled in: a point is held in registers.
TEXT = """
KERNEL void GROUP_LIMIT(64, 1, 1) nearest(GLOBAL float32* RESTRICT squared, GLOBAL const float32* RESTRICT x) {
  const int32 i = (int32)GLOBAL_ID(0);
% for d in range(dimensions):
  const float32 x${d} = x[${d * points} + i];
% endfor
  float32 least = INFINITY;
  for (int32 j = 0; j < ${points}; ++j) {
    float32 sum = 0.0f;
% for d in range(dimensions):
    const float32 d${d} = x[${d * points} + j] - x${d};
    sum = fma(d${d}, d${d}, sum);
% endfor
    least = j == i ? least : fmin(least, sum);
  }
  squared[i] = least;
}
"""

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
points = 4096 if context.is_cpu else 32768
x = np.random.default_rng(1).uniform(-1, 1, (DIMENSIONS, points)).astype(np.float32)  # a cube of edge 2
squared = context.empty(points, "float32")
kernel = rtcg.compile(context, TEXT, values={"dimensions": DIMENSIONS, "points": points}).kernel("nearest")
kernel(squared, rtcg.to_device(context, x), groups=points // 64, group_size=64)

some = range(0, points, 64)
for i in some:
    distances = ((x - x[:, i : i + 1]).astype(float) ** 2).sum(axis=0)
    distances[i] = np.inf
    np.testing.assert_allclose(squared[i].item(), distances.min(), rtol=1e-4)

ball = 4 / 3 * math.pi
entropy = DIMENSIONS * 0.5 * rtcg.log(rtcg.Lazy(squared)).mean().item() + math.log(ball * (points - 1)) + np.euler_gamma
print(f"entropy {entropy:.3f} nats, exactly {3 * math.log(2):.3f} (the edge of the cube makes it a little larger)")
assert abs(entropy - 3 * math.log(2)) < 0.15
