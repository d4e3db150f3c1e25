"""Agents on a closed world of squares, one on each, who are healthy, ill or immune. The rules, as text of the model's author, and
the size of the world are compiled in; Python reads the same text."""

import os

import numpy as np

from maxwell_dg import rtcg

WIDTH, HEIGHT, STEPS = 64, 48, 60
HEALTHY, ILL, IMMUNE = range(3)
# (from, condition, to): of the number of ill neighbours and a random number from 0 to 99. C and Python read it alike.
RULES = [(HEALTHY, "chance < 20 * ill_neighbours", ILL), (ILL, "chance < 25", IMMUNE), (IMMUNE, "chance < 2", HEALTHY)]

PLACES = [f"y * {WIDTH} + (x + {WIDTH - 1}) % {WIDTH}", f"y * {WIDTH} + (x + 1) % {WIDTH}",
          f"(y + {HEIGHT - 1}) % {HEIGHT} * {WIDTH} + x", f"(y + 1) % {HEIGHT} * {WIDTH} + x"]
live = rtcg.ElementwiseKernel("const int32* before, const int32* chances, int32* after", name="agents", operation=f"""
const int32 x = i % {WIDTH}, y = i / {WIDTH}, chance = chances[i], state = before[i];
const int32 ill_neighbours = {" + ".join(f"(before[{place}] == {ILL})" for place in PLACES)};
after[i] = state;
""" + "\n".join(f"if (state == {old} && ({condition})) after[i] = {new};" for old, condition, new in RULES))

context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
random = np.random.default_rng(1)
expected = np.full((HEIGHT, WIDTH), HEALTHY, np.int32)
expected.flat[::331] = ILL
now, following = rtcg.to_device(context, expected), context.empty(expected.shape, "int32")
most_ill = 0
for _ in range(STEPS):
    chance = random.integers(0, 100, expected.shape, np.int32)
    live(now, rtcg.to_device(context, chance), following)
    now, following = following, now

    ill = expected == ILL
    ill_neighbours = sum(np.roll(ill, shift, axis).astype(int) for shift in (-1, 1) for axis in (0, 1))
    names = {"chance": chance, "ill_neighbours": ill_neighbours}
    before, expected = expected, expected.copy()
    for old, condition, new in RULES:
        expected[(before == old) & eval(condition, names)] = new
    np.testing.assert_array_equal(now.numpy(), expected)
    most_ill = max(most_ill, int((expected == ILL).sum()))
print(f"{STEPS} steps of {expected.size} agents, at most {most_ill} of them ill at once")
assert most_ill > 50
