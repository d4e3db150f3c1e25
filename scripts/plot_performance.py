"""Arithmetic rate over order, as Kloeckner et al. (J. Comput. Phys. 228, 2009) show it: a picture from the files that
dg_bench --json writes.

    python3 scripts/plot_performance.py PICTURE.png LABEL=FILE.json... [--system maxwell]

Each FILE gives a line for each precision it holds, of GFLOP/s by the nominal count of docs/performance.md; the highest
rates that the same run measured are drawn beside them. Needs python3-matplotlib.
"""

import argparse
import json
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit("error: this Python has no module matplotlib; install python3-matplotlib and use /usr/bin/python3")

WHY_ABOVE = ("Rates are by the nominal count of operations, which takes every matrix as full and is the same for all codes.\n"
             "A kernel that needs fewer operations than that comes to stand above the highest rate of its device.")
STYLES = {"single": "o-", "double": "s--"}


def ceiling(ceilings, precision):
    """GFLOP/s that docs/performance.md compares with: multiply-add or tensor cores, whichever is faster."""
    tensor = ceilings.get("tensor_gflops_double", 0) if precision == "double" else ceilings.get("tensor_gflops_tf32", 0) / 3
    return max(tensor, ceilings[f"fma_gflops_{precision}"])


def read(argument):
    label, equals, name = argument.partition("=")
    if not equals:
        sys.exit(f"error: '{argument}': write LABEL=FILE.json, where FILE.json comes from dg_bench --json")
    try:
        with open(name, encoding="utf-8") as file:
            return label, json.load(file)
    except (OSError, json.JSONDecodeError) as error:
        sys.exit(f"error: {name}: {error}; write it with dg_bench --json")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture")
    parser.add_argument("files", nargs="+", metavar="LABEL=FILE.json")
    parser.add_argument("--system", default="maxwell")
    arguments = parser.parse_args()

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for number, (label, found) in enumerate(map(read, arguments.files)):
        for precision, style in STYLES.items():
            rows = sorted(
                (row for row in found["results"] if (row["system"], row["precision"]) == (arguments.system, precision)),
                key=lambda row: row["order"],
            )
            if not rows:
                continue
            color = f"C{number}"
            axes.plot([row["order"] for row in rows], [row["gflops"] for row in rows], style, color=color,
                      label=f"{label}, {precision}")
            axes.axhline(ceiling(found["ceilings"], precision), color=color, linewidth=0.8, alpha=0.6,
                         linestyle="-" if precision == "single" else "--")
    if not axes.lines:
        sys.exit(f"error: no file has results of {arguments.system}; dg_bench --system {arguments.system} writes them")
    axes.set(xlabel="order N", ylabel="GFLOP/s (thin: highest rate of the device)", yscale="log")
    axes.set_title(WHY_ABOVE, fontsize="small")
    axes.grid(which="major", alpha=0.4)
    axes.legend(fontsize="small", loc="center")
    figure.savefig(arguments.picture, dpi=120)


main()
