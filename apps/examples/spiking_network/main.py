"""A ring of spiking neurons whose differential equations are text, as a user would give it: each line `dX/dt = ...` becomes a step
of Euler's method, all in one kernel."""

import os
import re

import numpy as np

from maxwell_dg import rtcg

NEURONS, STEPS, STEP = 1000, 200, 0.5  # ms
# Leaky integrate-and-fire neurons with a current that fades.
EQUATIONS = """
dv/dt = (drive + current - v) / 20
dcurrent/dt = -current / 5
"""
# Above 1, a neuron fires and begins again at 0; the spike reaches the next neuron in the next step.
FIRE = f"""
current_of[i] += 0.4f * before[i == 0 ? {NEURONS - 1} : i - 1];
fired[i] = v_of[i] > 1.0f;
if (v_of[i] > 1.0f) v_of[i] = 0.0f;
"""


def step_of(equations: str) -> rtcg.ElementwiseKernel:
    rates = dict(re.findall(r"^d(\w+)/dt = (.*)$", equations, re.MULTILINE))
    arguments = ["const float32* drives", "const float32* before", "float32* fired", *(f"float32* {name}_of" for name in rates)]
    lines = ["const float32 drive = drives[i];", *(f"const float32 {name} = {name}_of[i];" for name in rates),
             *(f"{name}_of[i] = {name} + {STEP}f * ({rate});" for name, rate in rates.items())]
    return rtcg.ElementwiseKernel(", ".join(arguments), "\n".join(lines) + FIRE, name="neurons")


context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
step = step_of(EQUATIONS)
drive = 1.05 + 0.2 * np.random.default_rng(1).uniform(-1, 1, NEURONS)  # about 1.05 is just enough to fire
drives = rtcg.to_device(context, drive, "float32")
fired, before, v, current = (context.zeros(NEURONS, "float32") for _ in range(4))
v_host, current_host, fired_host = np.zeros((3, NEURONS))
spikes = different = 0
for _ in range(STEPS):
    fired, before = before, fired
    step(drives, before, fired, v, current)

    arriving = np.roll(fired_host, 1)
    v_host, current_host = (v_host + STEP * (drive + current_host - v_host) / 20,
                            current_host - STEP * current_host / 5 + 0.4 * arriving)
    fired_host = (v_host > 1).astype(float)
    v_host[v_host > 1] = 0
    spikes += int(fired.sum().item())
    different += int((fired.numpy() != fired_host).sum())
print(f"{spikes} spikes of {NEURONS} neurons, {different} at another step than on the host")
assert spikes > NEURONS
assert different * 100 <= spikes  # rounding may move a spike at the threshold to the next step, and those that follow from it
