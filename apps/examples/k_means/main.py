"""An image segmented: brightness grouped by k-means, whose centers are compiled in at every round, and the edges between the
segments by a stencil that is made from a small expression."""

import os

import numpy as np

from maxwell_dg import rtcg

EDGE = 64


def label(image: rtcg.Array, centers: list[float], labels: rtcg.Array) -> None:
    """The number of the nearest center, which is compared as a literal."""
    lines = ["float32 least = INFINITY;"]
    for number, center in enumerate(centers):
        distance = f"fabs(x[i] - {center!r}f)"
        lines.append(f"if ({distance} < least) {{ least = {distance}; label[i] = {number}; }}")
    rtcg.ElementwiseKernel("const float32* x, float32* label", "\n".join(lines))(image, labels)


def means(image: rtcg.Array, labels: rtcg.Array, count: int) -> list[float]:
    """The mean of each segment."""
    members = [rtcg.Lazy(labels) == number for number in range(count)]
    return [rtcg.where(member, image, 0).sum().item() / member.count_nonzero().item() for member in members]


context = rtcg.Context(os.environ.get("MAXWELL_DG_DEVICE", "auto"))
noise = np.random.default_rng(1).uniform(-1, 1, (EDGE, EDGE))
on_host = (0.2 * noise + 3 * np.arange(EDGE) // EDGE).astype(np.float32)  # three bands, dark to bright
image, labels = rtcg.to_device(context, on_host), context.empty((EDGE, EDGE), "float32")
centers = [0.3, 0.6, 1.8]
for _ in range(2):
    expected = abs(on_host[:, :, None] - np.array(centers, np.float32)).argmin(axis=2)
    label(image, centers, labels)
    np.testing.assert_array_equal(labels.numpy(), expected)
    centers = means(image, labels, len(centers))
    np.testing.assert_allclose(centers, [on_host[expected == number].mean() for number in range(3)], atol=1e-5)
print("centers", *(f"{center:.3f}" for center in centers))

inner = EDGE - 2
edges = rtcg.LoopKernel(context, "edges", {"i": inner, "j": inner}, {"out": (EDGE, EDGE), "in": (EDGE, EDGE)},
                        "out[i+1, j+1] = 4 * in[i+1, j+1] - in[i, j+1] - in[i+2, j+1] - in[i+1, j] - in[i+1, j+2]",
                        most_candidates=2)
found = context.zeros((EDGE, EDGE), "float32")
edges(found, labels)
stencil = np.zeros((EDGE, EDGE))
stencil[1:-1, 1:-1] = (4 * expected[1:-1, 1:-1] - expected[:-2, 1:-1] - expected[2:, 1:-1] - expected[1:-1, :-2]
                       - expected[1:-1, 2:])
np.testing.assert_array_equal(found.numpy(), stencil)
