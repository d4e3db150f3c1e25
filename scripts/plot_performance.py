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

COUNTED = ("Rates by the nominal count: the operations of the straightforward algorithm, over the time that the kernel took.\n"
           "Hollow, above the highest rate of the device: the kernel gets the same result from fewer operations.")
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


def draw(axes, label, measured, system):
    """A device: its rate over order in each precision, and the highest rate measured there as a line across."""
    orders = sorted({row["order"] for row in measured["results"] if row["system"] == system})
    if not orders:
        sys.exit(f"error: {label}: its file has no results of {system}; dg_bench --system {system} writes them")
    for color, (precision, style) in zip(("C0", "C1"), STYLES.items()):
        rates = {row["order"]: row["gflops"] for row in measured["results"]
                 if (row["system"], row["precision"]) == (system, precision)}
        if not rates:
            continue
        x = sorted(rates)
        y = [rates[order] for order in x]
        highest = ceiling(measured["ceilings"], precision)
        axes.plot(x, y, style, color=color, markersize=6, label=precision)
        above = [(order, rate) for order, rate in zip(x, y) if rate > highest]
        axes.plot(*zip(*above) if above else ([], []), style[0], color=color, markersize=6, markerfacecolor="white")
        axes.axhline(highest, color=color, linewidth=1, linestyle=style[1:])
        is_free = all(row["gflops"] < 0.9 * highest for row in measured["results"]
                      if row["system"] == system and row["order"] in orders[:3])  # left, where curves begin
        axes.annotate(f"highest rate, {precision}", (0.02 if is_free else 0.98, highest), xycoords=("axes fraction", "data"),
                      xytext=(0, 3), textcoords="offset points", ha="left" if is_free else "right", color=color, fontsize="small", zorder=5,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8})
    axes.set(xlabel="order N", title=label, ylim=(0, None), xticks=orders)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(which="major", alpha=0.4)
    axes.legend(loc="upper left", fontsize="small")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture")
    parser.add_argument("files", nargs="+", metavar="LABEL=FILE.json")
    parser.add_argument("--system", default="maxwell")
    arguments = parser.parse_args()

    found = [read(argument) for argument in arguments.files]
    figure, all_axes = pyplot.subplots(1, len(found), figsize=(1 + 4.5 * len(found), 4.8), layout="constrained", squeeze=False)
    for axes, (label, measured) in zip(all_axes.flat, found):
        draw(axes, label, measured, arguments.system)
    all_axes[0, 0].set_ylabel("nominal GFLOP/s")
    figure.suptitle(COUNTED, fontsize="medium")
    figure.savefig(arguments.picture, dpi=120)


main()
