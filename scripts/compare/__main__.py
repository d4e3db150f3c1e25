"""python3 scripts/compare: see docs/comparing.md."""

import argparse
import importlib
import json
import os
import pathlib
import re
import shutil
import sys

if __package__ in (None, ""):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from compare import measure, ours  # noqa: E402
from compare.problems import PROBLEMS  # noqa: E402

OTHERS = {"ngsolve": "NGSolve", "meep": "Meep", "openems": "openEMS"}


class Run:
    def __init__(self, level, cost, error):
        self.level, self.cost, self.error = level, cost, error


def write(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def with_mesh_of(files, folder, made, arguments):
    """The files of a level whose mesh is `made`, an .h5 file, which is made of its .geo where it is missing."""
    if "mesh.geo" not in files:
        return files
    found = re.search(r"mesh: {file: mesh.geo(, [^}]*)?}", files["config.yaml"])
    if not made.exists():
        write(folder, files)
        settings = [word for part in (found[1] or "").split(",") if ":" in part
                    for word in ("--set", "mesh." + part.strip().replace(": ", "="))]
        command = [arguments.program, "--convert", "mesh.geo", str(made), *settings]
        code, _ = measure.run(command, folder, folder / "log.txt")
        if code != 0:
            sys.exit(f"error: no mesh {made}: exit code {code}, see {folder / 'log.txt'}")
    return {"config.yaml": files["config.yaml"].replace(found[0], f"mesh: {{file: {made}}}")}


def run_ours(name, arguments):
    make, read, levels = ours.CASES[name]
    runs = []
    for number, level in enumerate(levels[: arguments.levels]):
        folder = arguments.output / name / f"maxwell_dg_{number}"
        files = make(level)
        if arguments.meshes:
            files = with_mesh_of(files, folder, arguments.meshes / f"{name}_{number}.h5", arguments)
        for turn in ("compiling", "measured"):  # the first compiles kernels
            write(folder, files)
            command = [arguments.program, "config.yaml", "--quiet", "--output", "out", "--device", arguments.device]
            code, cost = measure.run(command, folder, folder / "log.txt")
            if code != 0:
                print(f"{name}: maxwell_dg, level {number}: exit code {code}, see {folder / 'log.txt'}", flush=True)
                break
        else:
            runs.append(Run(number, cost, PROBLEMS[name].error(read(folder))))
            report(name, "maxwell_dg", runs[-1])
    return runs


def run_other(name, code, python, arguments):
    case = importlib.import_module(f"compare.{code}_levels").LEVELS.get(name)
    runs = []
    for number, level in enumerate((case or [])[: arguments.levels]):
        folder = arguments.output / name / f"{code}_{number}"
        write(folder, {"level.json": json.dumps(level)})
        command = [python, "-m", f"compare.{code}_case", name, "level.json", "values.json"]
        here = str(pathlib.Path(__file__).resolve().parent.parent)
        exit_code, cost = measure.run(command, folder, folder / "log.txt", {"PYTHONPATH": here})
        if exit_code != 0:
            print(f"{name}: {code}, level {number}: exit code {exit_code}, see {folder / 'log.txt'}", flush=True)
            continue
        values = json.loads((folder / "values.json").read_text(encoding="utf-8"))
        runs.append(Run(number, cost, PROBLEMS[name].error(values)))
        report(name, code, runs[-1])
    return runs


def report(name, code, run):
    print(f"{name}: {code}, level {run.level}: error {run.error:.3g}, {run.cost.cpu:.2f} s of one core in "
          f"{run.cost.wall:.2f} s, {run.cost.memory:.0f} MB", flush=True)


def cell(runs, bound):
    """The cheapest run with an error within the bound."""
    good = [run for run in runs if run.error <= bound]
    if not good:
        return "-"
    best = min(good, key=lambda run: run.cost.cpu)
    return f"{best.cost.cpu:.1f} s, {best.cost.memory:.0f} MB"


def table(results, codes):
    titles = {"maxwell_dg": "maxwell_dg", **OTHERS}
    lines = ["| problem, error | " + " | ".join(titles[code] for code in codes) + " |",
             "|---|" + "---|" * len(codes)]
    for name, by_code in results.items():
        problem = PROBLEMS[name]
        for i, bound in enumerate(problem.bounds):
            title = (problem.title + ": " if i == 0 else "") + f"{bound:g} {problem.unit}".strip()
            lines.append(f"| {title} | " + " | ".join(cell(by_code.get(code, []), bound) for code in codes) + " |")
    return "\n".join(lines) + "\n"


def python_with(module, candidates):
    for python in candidates:
        if shutil.which(python) is None:
            continue
        code, _ = measure.run([python, "-c", f"import {module}"], None, os.devnull)
        if code == 0:
            return python
    return None


def main():
    parser = argparse.ArgumentParser(prog="compare", description="the same problems with this program and with others")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="default: all: " + ", ".join(PROBLEMS))
    parser.add_argument("--codes", nargs="+", default=["maxwell_dg", *OTHERS], choices=["maxwell_dg", *OTHERS])
    parser.add_argument("--program", default="maxwell_dg", help="the maxwell_dg to measure")
    parser.add_argument("--device", default="auto", help="its device; a GPU's time counts only on its host")
    parser.add_argument("--python", nargs="+", default=[sys.executable, "/usr/bin/python3"],
                        help="interpreters in which the other codes may be installed")
    parser.add_argument("--meshes", type=pathlib.Path, metavar="DIR",
                        help="run ours on DIR/PROBLEM_LEVEL.h5, made where they are missing: for machines without Gmsh")
    parser.add_argument("--levels", type=int, help="how many of the settings to run, the cheapest first")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("out/compare"))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.problems if name not in PROBLEMS]
    if unknown:
        sys.exit(f"error: no problem '{unknown[0]}'; there are {', '.join(PROBLEMS)}")
    arguments.output = arguments.output.resolve()
    if arguments.meshes:
        arguments.meshes = arguments.meshes.resolve()
        arguments.meshes.mkdir(parents=True, exist_ok=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    found = {}
    for code in arguments.codes:
        if code == "maxwell_dg":
            found[code] = shutil.which(arguments.program)
            if found[code] is None:
                sys.exit(f"error: no program '{arguments.program}'; name it with --program")
            arguments.program = str(pathlib.Path(found[code]).resolve())
            continue
        found[code] = python_with({"ngsolve": "ngsolve", "meep": "meep", "openems": "openEMS"}[code], arguments.python)
        if found[code] is None:
            print(f"{OTHERS[code]} is not installed: left out", flush=True)
    codes = [code for code in arguments.codes if found[code]]
    results = {}
    for name in arguments.problems or PROBLEMS:
        results[name] = {code: run_ours(name, arguments) if code == "maxwell_dg"
                         else run_other(name, code, found[code], arguments) for code in codes}
    text = table(results, codes)
    (arguments.output / "table.md").write_text(text, encoding="utf-8")
    print("\n" + text, end="")


if __name__ == "__main__":
    main()
