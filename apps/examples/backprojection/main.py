"""Filtered backprojection: an image of n x n pixels from its sums along n parallel rays of n views, whose number and directions
are compiled in."""

import os

import numpy as np

from maxwell_dg import rtcg

TEXT = """
CONSTANT float32 cosine[] = {${join([literal(c, 'float32') for c in cosines], ', ')}};
CONSTANT float32 sine[] = {${join([literal(s, 'float32') for s in sines], ', ')}};

KERNEL void GROUP_LIMIT(16, 16, 1) project(GLOBAL float32* RESTRICT image, GLOBAL const float32* RESTRICT rays) {
% set center = literal((n - 1) / 2, 'float32')
  const float32 x = GLOBAL_ID(0) - ${center}, y = GLOBAL_ID(1) - ${center};
  float32 sum = 0.0f;
  for (int32 view = 0; view < ${len(sines)}; ++view) {
    const float32 at = x * cosine[view] + y * sine[view] + ${center};
    if (at < 0.0f || at > ${n - 1}) continue;
    const int32 ray = min((int32)at, ${n - 2});
    sum += rays[view * ${n} + ray] + (at - ray) * (rays[view * ${n} + ray + 1] - rays[view * ${n} + ray]);
  }
  image[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)] = sum / ${len(sines)};
}
"""

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
n = 128 if context.is_cpu else 512
angles = np.pi * np.arange(n) / n
cosines, sines = np.cos(angles), np.sin(angles)

# A disc of density 1, radius 0.3 n and middle (0.1 n, 0). Its sums after the ramp filter, each the mean over the width of a pixel:
# differences of (s - sign(s) sqrt(s^2 - R^2)) / pi, in the disc of s / pi. The factor 1 / pi is left to the mean over views.
s = np.arange(n) - (n - 1) / 2 - 0.1 * n * cosines[:, None]  # [view, ray]
before, behind = (at - np.copysign(np.sqrt(np.maximum(0, at**2 - 0.09 * n**2)), at) for at in (s - 0.5, s + 0.5))
rays = (behind - before).astype(np.float32)

image = context.empty((n, n), "float32")
module = rtcg.compile(context, TEXT, values={"n": n, "cosines": cosines.tolist(), "sines": sines.tolist()})
module.kernel("project")(image, rtcg.to_device(context, rays), groups=(n // 16, n // 16), group_size=(16, 16))

x = np.arange(n) - (n - 1) / 2  # some rows on the host, without the first and last pixel, whose outermost rays rounding may drop
for row in range(8, n, 16):
    at = x[:, None] * cosines + x[row] * sines + (n - 1) / 2  # [pixel, view]
    there = np.stack([np.interp(at[:, view], np.arange(n), rays[view], 0, 0) for view in range(n)], axis=1)
    np.testing.assert_allclose(image[row, 1:-1].numpy(), there.mean(axis=1)[1:-1], atol=1e-5)
inside, outside = image[n // 2, n * 3 // 5].item(), image[n // 8, n // 2].item()
print(f"density {inside:.3f} inside of the disc, {outside:.3f} outside")
assert abs(inside - 1) < 0.02 and abs(outside) < 0.02
