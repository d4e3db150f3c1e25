"""The recurrence diagram of a time series: which moments resemble which, seen as windows of a few delayed values. The window is
compiled in, by a template."""

import os

import numpy as np

from maxwell_dg import rtcg

WINDOW, DELAY, NEAR = 4, 2, 0.25
TEXT = """
KERNEL void GROUP_LIMIT(64, 1, 1) recurrence(GLOBAL int32* RESTRICT near, GLOBAL const float32* RESTRICT series) {
  const int32 i = GROUP_ID(1), j = (int32)GLOBAL_ID(0);
  float32 farthest = 0.0f;
% for step in range(window):
  farthest = fmax(farthest, fabs(series[i + ${step * delay}] - series[j + ${step * delay}]));
% endfor
  near[(int64)i * ${moments} + j] = farthest <= ${literal(bound, 'float32')};
}
"""

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
moments = 1024 if context.is_cpu else 8192
series = [0.4]  # x -> 3.9 x (1 - x), which is chaotic: it comes back near itself but never stays
while len(series) < moments + WINDOW * DELAY:
    series.append(series[-1] * 3.9 * (1 - series[-1]))
x = np.array(series, np.float32)

near = context.empty((moments, moments), "int32")
kernel = rtcg.compile(context, TEXT, values={"window": WINDOW, "delay": DELAY, "moments": moments, "bound": NEAR})
kernel.kernel("recurrence")(near, rtcg.to_device(context, x), groups=(moments // 64, moments), group_size=64)

windows = np.stack([x[k * DELAY:][:moments] for k in range(WINDOW)])
part = slice(0, 256)
expected = abs(windows[:, part, None] - windows[:, None]).max(axis=0) <= np.float32(NEAR)
np.testing.assert_array_equal(near.numpy()[part], expected)
for row in near[:16, :64].numpy():
    print("".join("#" if value else "." for value in row))
print(f"{100 * near.astype('float64').mean().item():.2f} % of all pairs of moments are near each other")
