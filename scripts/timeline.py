#!/usr/bin/env python3
"""Draws what the GPUs of several ranks of one host do in a few stages, from the files that `maxwell_dg --trace` writes:

    mpirun -n 2 maxwell_dg CONFIG.yaml --device cuda --trace trace.json
    /usr/bin/python3 scripts/timeline.py trace.json trace_r0001.json --microseconds 400 --picture timeline.svg

A row is a stream of a rank, a bar a kernel. The picture begins with a launch of `push_traces` in the middle of the first
file, or with `--begin` microseconds after its first kernel. Events around each launch tell the times, so that launches
are some microseconds further apart than without them. Needs python3-matplotlib.
"""

import argparse
import json
import sys

COLOURS = {"stage": "tab:blue", "push_traces": "tab:red", "receive_traces": "tab:green", "gather_traces": "tab:red",
           "scatter_traces": "tab:green"}


def kernels_of(name):
    """[(stream, kernel, begin, end)] of a trace, in microseconds of the host's clock."""
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
        events = json.loads(text if text.rstrip().endswith("]") else text + "]")
    except (OSError, json.JSONDecodeError) as error:
        sys.exit(f"error: {name}: {error}; give files that `maxwell_dg --trace` has written")
    zero = events[0]["args"]["begin"]
    return [(e["tid"], e["name"], zero + e["ts"], zero + e["ts"] + e["dur"])
            for e in events if e["ph"] == "X" and e["pid"] == 2]


def begin_of(kernels, offset):
    if offset is not None:
        return min(k[2] for k in kernels) + offset
    pushes = sorted(k[2] for k in kernels if k[1] in ("push_traces", "gather_traces"))
    if not pushes:
        sys.exit("error: no traces are sent in the first file; give --begin")
    return pushes[len(pushes) // 2]


def draw(ranks, begin, microseconds, picture):
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        sys.exit("error: this Python has no module matplotlib; install python3-matplotlib and use /usr/bin/python3")
    matplotlib.rcParams["svg.hashsalt"] = "timeline"  # the same file again
    rows, labels, used = [], [], {}
    for rank, kernels in enumerate(ranks):
        seen = [k for k in kernels if k[3] > begin and k[2] < begin + microseconds]
        for stream in sorted({k[0] for k in seen}):
            rows.append([k for k in seen if k[0] == stream])
            labels.append(f"rank {rank}, stream {stream}")
    figure, axes = pyplot.subplots(figsize=(9, 0.6 + 0.5 * len(rows)), layout="constrained")
    for row, kernels in enumerate(rows):
        for _, name, first, last in kernels:
            left, right = max(first - begin, 0), min(last - begin, microseconds)
            used[name] = axes.barh(row, right - left, left=left, height=0.7, color=COLOURS.get(name, "tab:gray"),
                                   edgecolor="white", linewidth=0.5)
    axes.set_yticks(range(len(rows)), labels)
    axes.invert_yaxis()
    axes.set_xlim(0, microseconds)
    axes.set_xlabel("microseconds")
    axes.legend(used.values(), used.keys(), loc="upper center", bbox_to_anchor=(0.5, 1.25), ncols=4, frameon=False)
    figure.savefig(picture, metadata={"Date": None} if picture.endswith(".svg") else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", help="a file a rank, the first rank's first")
    parser.add_argument("--begin", type=float, help="microseconds after the first kernel of the first file")
    parser.add_argument("--microseconds", type=float, default=300, help="the picture's length (%(default)s)")
    parser.add_argument("--picture", default="timeline.svg", help="PNG or SVG (%(default)s)")
    options = parser.parse_args()
    ranks = [kernels_of(name) for name in options.traces]
    draw(ranks, begin_of(ranks[0], options.begin), options.microseconds, options.picture)


if __name__ == "__main__":
    main()
