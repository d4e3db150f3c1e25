#!/usr/bin/env python3
"""How long a stage takes on many GPUs: draws the model of docs/scaling.md, and writes its tables into that page.

    /usr/bin/python3 scripts/scaling.py
    /usr/bin/python3 scripts/scaling.py --partitions metis.txt curve.txt

All numbers come from docs/scaling.json, where what is measured later is entered. With --partitions the rows that the
example `partitions` printed take the place of those in that file. Needs python3-matplotlib.
"""
import argparse
import json
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
FIGURES, PAGE, PICTURE = DOCS / "scaling.json", DOCS / "scaling.md", DOCS / "images/scaling.svg"

WEAK_ELEMENTS = 160_000  # on each GPU


class Model:
    """Times are in microseconds."""

    def __init__(self, figures):
        self.stage = figures["stage"]
        self.transports = figures["transports"]
        times = [n * self.stage["dofs_an_element"] / rate / 1e3
                 for n, rate in zip(self.stage["elements"], self.stage["gdof_per_second"])]
        self.known = list(zip(self.stage["elements"], times))

    def alone(self, elements):
        """A stage of so many elements on one GPU: straight lines between what was measured, and beyond."""
        after = next((i for i, (n, _) in enumerate(self.known) if n >= elements), len(self.known) - 1)
        (n0, t0), (n1, t1) = self.known[max(after, 1) - 1:max(after, 1) + 1]
        return t0 + (t1 - t0) * (elements - n0) / (n1 - n0)

    def exchange(self, transport, faces, neighbours):
        t = self.transports[transport]
        sent = faces * self.stage["bytes_a_face"]
        return t["latency"] + neighbours * t["a_neighbour"] + (sent / t["gb_per_second"] / 1e3 if t["gb_per_second"] else 0)

    def together(self, transport, elements, faces, neighbours, slower=1.0):
        """A stage of the rank with so many elements and faces cut. `slower`: a whole time loop over the bare kernel."""
        t = self.transports[transport]
        if t["launches"]:  # not known what it is made of
            return slower * self.alone(elements) + t["launches"]
        edge = min(faces, elements / 2)
        return slower * self.alone(edge) + max(slower * self.alone(elements - edge), self.exchange(transport, faces, neighbours))


def read_partitions(names):
    rows = []
    for name in names:
        lines = pathlib.Path(name).read_text(encoding="utf-8").splitlines()
        keys = lines[0].split()
        for line in lines[1:]:
            row = dict(zip(keys, line.split()))
            rows.append({key: value if key == "method" else float(value) if "." in value else int(value)
                         for key, value in row.items()})
    return rows


def of_metis(figures):
    """[parts] the partitions by METIS, of the mesh that is drawn."""
    return {row["parts"]: row for row in figures["partitions"] if row["method"] == "metis"}


def strong(model, transport, row):
    """The stage of the slowest part of a partition, over that of an equal share on one GPU."""
    elements = row["elements"] / row["parts"]
    time = model.together(transport, elements * row["imbalance"], row["most_faces_cut"], row["most_neighbours"])
    return time, elements


def weak(model, transport, row):
    """The same where each GPU has WEAK_ELEMENTS: parts of a form have faces as the power 2/3 of their elements."""
    larger = WEAK_ELEMENTS / (row["elements"] / row["parts"])
    return model.together(transport, WEAK_ELEMENTS * row["imbalance"], row["most_faces_cut"] * larger**(2 / 3),
                          row["most_neighbours"])


def table(head, rows):
    lines = [head, ["---"] * len(head)] + rows
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def partition_table(figures):
    return table(["elements", "parts", "by", "faces cut", "of the part that has most", "its equal share of elements",
                  "most neighbours", "imbalance", "seconds"],
                 [[f"{r['elements']:,}", f"{r['parts']:,}", r["method"], f"{r['faces_cut']:,}", f"{r['most_faces_cut']:,}",
                   f"{r['elements'] // r['parts']:,}", r["most_neighbours"], f"{r['imbalance']:.3f}", f"{r['seconds']:.0f}"]
                  for r in figures["partitions"] if r["parts"] in (8, 64, 512, 1024)])


def check_table(model, figures):
    rows = []
    for run in figures["runs"]:
        share = run["elements"] / run["gpus"]
        dofs = model.stage["dofs_an_element"]
        alone = run["alone"] * dofs / run["gdof_alone"] / 1e3
        slower = alone / model.alone(run["alone"])
        found = run["elements"] * dofs / run["gdof"] / 1e3
        expected = model.together(run["transport"], share, run["faces_cut"], run.get("neighbours", 1), slower)
        efficiency = alone * share / run["alone"]
        rows.append([f"{run['elements']:,}", run["gpus"], run["transport"], f"{found:.0f}", f"{expected:.0f}",
                     f"{expected / found:.2f}", f"{efficiency / found:.2f}", f"{efficiency / expected:.2f}"])
    return table(["elements", "GPUs", "transport", "measured, µs a stage", "model", "model over measured",
                  "efficiency measured", "by the model"], rows)


def model_table(model, figures):
    rows = []
    for parts, row in sorted(of_metis(figures).items()):
        cells = [f"{parts:,}", f"{row['elements'] // parts:,}", f"{row['most_faces_cut'] * model.stage['bytes_a_face'] / 1e3:.0f}"]
        for transport in figures["drawn"]:
            time, share = strong(model, transport, row)
            one = model.alone(row["elements"]) / parts
            cells += [f"{time:.0f}", f"{time / model.alone(share):.2f}", f"{one / time:.2f}",
                      f"{model.alone(WEAK_ELEMENTS) / weak(model, transport, row):.2f}"]
        rows.append(cells)
    head = ["GPUs", "elements on each", "kB sent a stage"]
    for transport in figures["drawn"]:
        head += [f"{transport}: µs a stage", "over one GPU with as many", "strong efficiency", "weak efficiency"]
    return table(head, rows)


def transport_table(figures):
    return table(["transport", "what it is", "µs beside all else", "µs an exchange", "µs a neighbour", "GB/s a GPU", "from"],
                 [[name, t["what"], t["launches"], t["latency"], t["a_neighbour"], t["gb_per_second"] or "", t["from"]]
                  for name, t in figures["transports"].items()])


def with_tables(text, tables):
    """The page with each table between its two comments."""
    for name, content in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if begin not in text or end not in text:
            sys.exit(f"error: {PAGE}: no place for the table '{name}': put {begin.strip()} and {end} there")
        before, rest = text.split(begin, 1)
        text = before + begin + "\n" + content + "\n\n" + end + rest.split(end, 1)[1]
    return text


def draw(model, figures):
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        sys.exit("error: this Python has no module matplotlib; install python3-matplotlib and use /usr/bin/python3")
    matplotlib.rcParams["svg.hashsalt"] = "scaling"  # the same file again
    rows = [row for _, row in sorted(of_metis(figures).items())]
    parts = [row["parts"] for row in rows]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    left.plot(parts, [model.alone(rows[0]["elements"]) / p for p in parts], "k--", linewidth=1, label="time of one GPU, divided")
    left.plot(parts, [model.alone(row["elements"] / row["parts"]) for row in rows], "k:", linewidth=1,
              label="one GPU with as many elements")
    for transport in figures["drawn"]:
        left.plot(parts, [strong(model, transport, row)[0] for row in rows], "o-", markersize=4, label=transport)
        line, = right.plot(parts, [model.alone(row["elements"]) / row["parts"] / strong(model, transport, row)[0] for row in rows],
                           "o-", markersize=4, label=f"strong, {transport}")
        right.plot(parts, [model.alone(WEAK_ELEMENTS) / weak(model, transport, row) for row in rows], "s--", markersize=4,
                   color=line.get_color(), label=f"weak, {transport}")
    left.set(xscale="log", yscale="log", xlabel="GPUs", ylabel="microseconds a stage",
             title=f"{rows[0]['elements'] / 1e6:.1f} million elements")
    right.set(xscale="log", xlabel="GPUs", ylabel="efficiency", ylim=(0, 1.05),
              title=f"strong, and weak with {WEAK_ELEMENTS:,} elements a GPU")
    for axes in (left, right):
        axes.set_xticks(parts, [f"{p:,}" for p in parts], fontsize="small")
        axes.minorticks_off()
        axes.grid(alpha=0.4)
        axes.legend(fontsize="small")
    figure.savefig(PICTURE, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--partitions", nargs="+", metavar="FILE", help="what the example `partitions` printed")
    parser.add_argument("--check", action="store_true", help="say whether the page has the tables of that file; writes nothing")
    arguments = parser.parse_args()
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    if arguments.partitions:
        figures["partitions"] = read_partitions(arguments.partitions)
        before, after = FIGURES.read_text(encoding="utf-8").split('"partitions": [', 1)
        rows = ",\n    ".join(json.dumps(row) for row in figures["partitions"])
        FIGURES.write_text(before + f'"partitions": [\n    {rows}\n  ]' + after.split("]", 1)[1], encoding="utf-8")
    model = Model(figures)
    page = PAGE.read_text(encoding="utf-8")
    new = with_tables(page, {"partitions": partition_table(figures), "transports": transport_table(figures),
                             "check": check_table(model, figures), "model": model_table(model, figures)})
    if arguments.check:
        sys.exit(None if page == new else f"error: {PAGE}: its tables are not those of {FIGURES.name}: run scripts/scaling.py")
    PAGE.write_text(new, encoding="utf-8")
    draw(model, figures)


main()
