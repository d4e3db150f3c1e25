"""Hardware counters of the stage kernels on an NVIDIA GPU, as a table for docs/performance.md.

    python3 scripts/stage_counters.py DG_BENCH [--orders 1-8] [--system maxwell] [--precision both] [--ncu ncu]

Each line profiles one stage of what `dg_bench` takes for an order, by itself and with empty caches, with Nsight Compute.
Memory and the link between the halves of L2 are relative to what the copy kernel of the same benchmark moves.
"""

import argparse
import csv
import io
import re
import subprocess
import sys

METRICS = {
    "ns": "gpu__time_duration.sum",
    "instructions": "smsp__inst_executed.sum",
    "read": "dram__bytes_read.sum",
    "written": "dram__bytes_write.sum",
    "asked": "lts__t_sectors_srcunit_tex.sum",
    "link": "lts__t_sectors_srcunit_ltcfabric.sum",
    "l1": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "tensor": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "issue": "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    "warps": "sm__warps_active.avg.per_cycle_active",
    "registers": "launch__registers_per_thread",
}
WAITS = {
    "barrier": "barriers",
    "branch_resolving": "branches",
    "dispatch_stall": "dispatch",
    "lg_throttle": "the queue to memory",
    "long_scoreboard": "memory",
    "math_pipe_throttle": "busy units",
    "mio_throttle": "the queue to shared memory",
    "no_instruction": "instructions",
    "short_scoreboard": "shared memory",
    "wait": "arithmetic",
    "not_selected": "",
    "selected": "",
}
SECTOR = 32  # bytes


def wait_metric(name):
    return f"smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio"


def profile(ncu, kernel, skip, command):
    """Numbers by the names of METRICS and WAITS, and what the program printed."""
    metrics = list(METRICS.values()) + [wait_metric(name) for name in WAITS]
    run = subprocess.run(
        [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "-k", f"regex:^{kernel}$",
         "-s", str(skip), "-c", "1", "--metrics", ",".join(metrics), *command],
        capture_output=True, text=True, check=False)
    table = [line for line in run.stdout.splitlines() if line.startswith('"')]
    if run.returncode != 0 or len(table) < 3:
        sys.exit(f"error: {' '.join(command)}: ncu counted nothing: {(run.stderr or run.stdout).strip()[-400:]}")
    names, _, values = csv.reader(io.StringIO("\n".join(table[:3])))
    by_metric = dict(zip(names, values))
    number = lambda metric: float(by_metric[metric].replace(",", ""))
    counted = {name: number(metric) for name, metric in METRICS.items()}
    counted["waits"] = {name: number(wait_metric(name)) for name in WAITS}
    return counted, run.stdout


def of_question(printed):
    """Elements, GB/s of least traffic, ns an element, and the variant, of the line that dg_bench prints."""
    line = re.search(r"^(maxwell|acoustics) .*$", printed, re.MULTILINE).group(0).split()
    return {"elements": int(line[3]), "least": float(line[7]) * float(line[4]), "variant": line[-1]}


def row(order, precision, system, counted, question, copy):
    elements, least = question["elements"], question["least"]
    moved = counted["read"] + counted["written"]
    waits = sorted(counted["waits"].items(), key=lambda w: -w[1])
    all_waits = sum(counted["waits"].values())
    largest = [f"{WAITS[name]} {100 * value / all_waits:.0f} %" for name, value in waits if WAITS[name]][:4]
    cells = [
        f"{order} {precision}{'' if system == 'maxwell' else ', ' + system}",
        f"`{question['variant']}`",
        f"{counted['ns'] / 1e3:.0f}",
        f"{16 * counted['instructions'] / elements:,.0f}",
        f"{moved / (least * elements):.2f}",
        f"{counted['asked'] * SECTOR / (least * elements):.2f}",
        f"{moved / counted['ns'] / copy['memory']:.2f}",
        f"{counted['link'] / counted['ns'] / copy['link']:.2f}",
        f"{counted['l1']:.0f} %",
        f"{100 * counted['conflicts'] / counted['wavefronts']:.0f} %",
        f"{counted['tensor']:.0f} %",
        f"{counted['issue']:.0f} %",
        f"{counted['warps']:.0f}",
        f"{counted['registers']:.0f}",
        ", ".join(largest),
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dg_bench", nargs="+", help="the program, and what runs it")
    parser.add_argument("--orders", default="1-8")
    parser.add_argument("--system", choices=["maxwell", "acoustics", "both"], default="maxwell")
    parser.add_argument("--precision", choices=["single", "double", "both"], default="both")
    parser.add_argument("--ncu", default="ncu")
    arguments = parser.parse_args()
    first, _, last = arguments.orders.partition("-")
    systems = ["maxwell", "acoustics"] if arguments.system == "both" else [arguments.system]
    precisions = ["single", "double"] if arguments.precision == "both" else [arguments.precision]
    bench = [*arguments.dg_bench, "--device", "cuda"]

    counted, _ = profile(arguments.ncu, "copy", 3, [*bench, "--orders", "1", "--precision", "single", "--elements", "6"])
    copy = {"memory": (counted["read"] + counted["written"]) / counted["ns"], "link": counted["link"] / counted["ns"]}
    print(f"copy: {copy['memory']:.0f} GB/s, {copy['link']:.1f} sectors a nanosecond over the link\n")
    print("| N | variant | us | instructions | bytes | asked | memory | link | L1 | conflicts | tensor | issue | warps "
          "| registers | stalls |\n|" + "---|" * 15)
    for system in systems:
        for precision in precisions:
            for order in range(int(first), int(last or first) + 1):
                counted, printed = profile(arguments.ncu, "stage", 20, [
                    *bench, "--orders", str(order), "--system", system, "--precision", precision])
                print(row(order, precision, system, counted, of_question(printed), copy), flush=True)


if __name__ == "__main__":
    main()
