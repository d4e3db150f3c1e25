"""A loop unrolled by the program that writes the kernel: once by a template, once by Python that joins statements."""

import os

import numpy as np
from numpy.typing import NDArray

from maxwell_dg import rtcg

GROUP, UNROLLED = 32, 4
HEAD = f"""
KERNEL void GROUP_LIMIT({GROUP}, 1, 1) add(GLOBAL float32* z, GLOBAL const float32* x, GLOBAL const float32* y) {{
  const int64 first = (int64)GROUP_ID(0) * {GROUP * UNROLLED} + LOCAL_ID(0);
"""
TEMPLATE = HEAD + """\
% for step in range(unrolled):
  z[first + ${step * group}] = x[first + ${step * group}] + y[first + ${step * group}];
% endfor
}
"""

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
on_host = np.random.default_rng(1).uniform(-1, 1, (2, 4096)).astype(np.float32)
x, y = (rtcg.to_device(context, numbers) for numbers in on_host)


def sum_by(module: rtcg.Module) -> NDArray[np.float32]:
    z = context.zeros(x.shape, "float32")
    module.kernel("add")(z, x, y, groups=x.size // (GROUP * UNROLLED), group_size=GROUP)
    return z.numpy()


places = [f"first + {step * GROUP}" for step in range(UNROLLED)]
joined = HEAD + "".join(f"  z[{place}] = x[{place}] + y[{place}];\n" for place in places) + "}\n"
by_template = rtcg.compile(context, TEMPLATE, values={"group": GROUP, "unrolled": UNROLLED})
np.testing.assert_array_equal(sum_by(by_template), on_host[0] + on_host[1])
np.testing.assert_array_equal(sum_by(rtcg.compile(context, joined)), on_host[0] + on_host[1])
print(joined)
