"""A bank of filters over an image of several channels: a 3D convolution whose sizes and unrolling are compiled in, and whose
fastest form is looked for."""

import os
import tempfile

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from maxwell_dg import rtcg

CHANNELS, FILTERS, WIDTH = 3, 8, 3


def text_of(edge: int, group: int, each: int) -> str:
    """A work-item computes `each` filters at one pixel, so that what it reads of the image serves all of them."""
    taps, row = CHANNELS * WIDTH**2, edge + WIDTH - 1
    lines = [f"float32 sum{f} = 0.0f;" for f in range(each)]
    for tap, (channel, dy, dx) in enumerate(np.ndindex(CHANNELS, WIDTH, WIDTH)):
        lines.append(f"const float32 pixel{tap} = image[y * {row} + x + {(channel * row + dy) * row + dx}];")
        lines += [f"sum{f} = fma(pixel{tap}, filters[first * {taps} + {f * taps + tap}], sum{f});" for f in range(each)]
    lines += [f"out[((first + {f}) * {edge} + y) * {edge} + x] = sum{f};" for f in range(each)]
    return f"""
KERNEL void GROUP_LIMIT({group}, 1, 1) filter_bank(GLOBAL float32* RESTRICT out, GLOBAL const float32* RESTRICT image,
                                                   GLOBAL const float32* RESTRICT filters) {{
  const int32 x = (int32)GLOBAL_ID(0), y = GROUP_ID(1), first = GROUP_ID(2) * {each};
  """ + "\n  ".join(lines) + "\n}\n"


context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
edge = 128 if context.is_cpu else 1024
random = np.random.default_rng(1)
image = random.uniform(-1, 1, (CHANNELS, edge + WIDTH - 1, edge + WIDTH - 1)).astype(np.float32)
filters = random.uniform(-1, 1, (FILTERS, CHANNELS, WIDTH, WIDTH)).astype(np.float32)
windows = sliding_window_view(image, (WIDTH, WIDTH), axis=(1, 2))
expected = np.tensordot(filters, windows, axes=((1, 2, 3), (0, 3, 4)))  # [filter, y, x]

out = context.empty(expected.shape, "float32")
arguments = [out, rtcg.to_device(context, image), rtcg.to_device(context, filters)]


def candidate(chosen: dict[str, int]) -> rtcg.Candidate:
    group, each = chosen["group"], chosen["each"]
    return rtcg.Candidate(text_of(edge, group, each), "filter_bank", arguments, groups=(edge // group, edge, FILTERS // each),
                          group_size=group, name="filter_bank.kernel")


def objection() -> str | None:
    error = abs(out.numpy() - expected).max()
    return None if error < 1e-5 * abs(expected).max() else f"off by {error}"


with tempfile.TemporaryDirectory() as wisdom:
    tuned = rtcg.tune(context, "filter bank", {"group": [32, 128], "each": [1, 4]}, candidate, objection,
                      prepare=lambda: out.fill(0), seconds=2, wisdom_directory=wisdom,
                      shape={"edge": edge, "channels": CHANNELS, "width": WIDTH, "filters": FILTERS})
print(tuned.text)
best = candidate(tuned.best)
out.fill(0)
rtcg.compile(context, best.text).kernel(best.kernel)(*best.arguments, groups=best.groups, group_size=best.group_size)
assert objection() is None, objection()
