"""Figures of a run's tables: signals, spectra, energies, scattering parameters, far fields. Each function returns a
Matplotlib figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import pyplot

from .labels import axis, drawable, plain, quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from .kinds import Array, Curves
    from .tables import FarField, Pattern, Table
    from .run import Run

_FLOOR = 1e-6  # of the largest value: below, a spectrum shows rounding alone
_DYNAMIC = 40.0  # decibels that a polar pattern shows


def _lines(axes: Axes, x: Array, columns: Curves, **style: Any) -> None:
    for name, y in columns:
        y = drawable(y)
        dots = {"marker": "."} if np.isfinite(y).sum() < 3 else {}  # a line of a single point is not seen
        axes.plot(x, y, label=plain(name), **(style | dots))
    if len(columns) > 1:
        axes.legend(fontsize="small", ncols=1 if len(columns) < 8 else 2)
    axes.grid(alpha=0.3)


def _of_probe(table: Table, probe: str) -> dict[str, Array]:
    """The columns of one probe by the field's name: {"Ex": ...}."""
    return {name[len(probe) + 1 :]: table[name] for name in table if name.rpartition(".")[0] == probe}


def _groups(columns: Mapping[str, Array], units: str) -> list[tuple[str, Curves]]:
    """[(axis label, [(name, values)])] of E and H, or p and u."""
    labels = {"E": "V/m", "H": "A/m", "p": "Pa", "u": "m/s"}
    groups: dict[str, list[tuple[str, Array]]] = {}
    for name, values in columns.items():
        groups.setdefault(name[0], []).append((name, values))
    return [(letter + (f" ({labels[letter]})" if units == "si" and letter in labels else ""), group)
            for letter, group in groups.items()]


def _probe_axes(run: Run, table: Table, probes: Sequence[str], columns: int,
                width: float) -> tuple[Figure, list[tuple[Any, list[tuple[str, Curves]], str]]]:
    """Figure and [probe][column] axes, the first column's labels naming the probe."""
    figure, axes = pyplot.subplots(len(probes), columns, figsize=(width, 0.6 + 2.3 * len(probes)), sharex=True,
                                   squeeze=False, layout="constrained")
    return figure, [(row, _groups(_of_probe(table, probe), run.units), probe) for row, probe in zip(axes, probes)]


def probes_figure(run: Run, probes: Sequence[str]) -> Figure:
    """The signals of some probes over time: a row for each, E and H side by side."""
    time, label = axis(run.probes["time"], "time", "s" if run.units == "si" else "")
    figure, rows = _probe_axes(run, run.probes, probes, 2, 12)
    for row, groups, probe in rows:
        for axes, (name, columns) in zip(row, groups):
            _lines(axes, time, columns, linewidth=1)
            axes.set(ylabel=name, title=plain(f"probe {probe}"))
    for axes in rows[-1][0]:
        axes.set_xlabel(label)
    return figure


def spectrum(time: Array, signal: Array, finer: int = 1) -> tuple[Array, Array]:
    """(frequency, S) of a signal at equal steps: the integral of signal exp(-j 2 pi f t) dt, for f from 0 up to half the
    rate of the steps, in `finer` times smaller steps than one over the signal's length (zeros follow it)."""
    dt = (time[-1] - time[0]) / (len(time) - 1)
    frequency = np.fft.rfftfreq(finer * len(signal), dt)
    return frequency, np.fft.rfft(signal, finer * len(signal)) * dt * np.exp(-2j * np.pi * frequency * time[0])


def spectra_figure(run: Run, probes: Sequence[str]) -> Figure:
    """Magnitudes of the Fourier transforms of some probes' signals, up to where nothing is left."""
    time = run.probes["time"]
    figure, rows = _probe_axes(run, run.probes, probes, 2, 12)
    for row, groups, probe in rows:
        for axes, (name, columns) in zip(row, groups):
            frequency, _ = spectrum(time, time, finer=8)
            spectra = [(column, np.abs(spectrum(time, values, finer=8)[1])) for column, values in columns]
            largest = np.nan_to_num(max(values.max() for _, values in spectra)) or 1.0
            used = np.max([values for _, values in spectra], axis=0) > 3e-3 * largest
            last = min(len(frequency), int(1.2 * np.nonzero(used)[0].max(initial=1)) + 2)
            x, label = axis(frequency[:last], "frequency", "Hz" if run.units == "si" else "")
            with np.errstate(divide="ignore"):
                _lines(axes, x, [(column, 20 * np.log10(values[:last] / largest)) for column, values in spectra],
                       linewidth=1)
            axes.set(ylabel=f"{name[0]} (dB)", ylim=(-80, 5), title=plain(f"spectrum of probe {probe}"))
    for axes in rows[-1][0]:
        axes.set_xlabel(label)
    return figure


def phasors_figure(run: Run, probes: Sequence[str]) -> Figure:
    """probe_spectra.csv: magnitudes and phases of some probes' phasors."""
    table = run.probe_spectra
    frequency, label = axis(table["frequency"], "frequency", "Hz" if run.units == "si" else "")
    figure, rows = _probe_axes(run, table, probes, 4, 16)
    for row, groups, probe in rows:
        for (size, phase), (name, columns) in zip((row[:2], row[2:]), groups):
            strongest = max(np.abs(values).max() for _, values in columns) or 1.0
            kept = [(column, values) for column, values in columns if np.abs(values).max() > _FLOOR * strongest]
            _lines(size, frequency, [(column, np.abs(values)) for column, values in kept])
            _lines(phase, frequency, [(column, np.angle(values, deg=True)) for column, values in kept], linestyle="",
                   marker=".", markersize=3)
            size.set(ylabel=f"|{name[0]}|", title=plain(f"phasors at probe {probe}"))
            phase.set(ylabel=f"phase of {name[0]} (degrees)", ylim=(-185, 185), yticks=range(-180, 181, 90))
    for axes in rows[-1][0]:
        axes.set_xlabel(label)
    return figure


def energy_figure(run: Run) -> Figure:
    """The energy in the mesh, on a logarithmic scale unless the total stays within a factor of ten."""
    table, si = run.energy, run.units == "si"
    time, label = axis(table["time"], "time", "s" if si else "")
    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    _lines(axes, time, [(name, table[name]) for name in table if name != "time"])
    total = drawable(table["total"])
    is_last_known, total = len(total) and np.isfinite(total[-1]), total[np.isfinite(total)]
    title = "energy in the mesh"
    if len(total) and total.max() > 0:
        if total.min() < 0.1 * total.max():
            axes.set_yscale("log")
            axes.set_ylim(bottom=max(total[total > 0].min(), total.max() * 1e-12) / 2)
        if is_last_known and total[-1] > 0:
            title += f": at the end {abs(10 * np.log10(total[-1] / total.max())):.1f} dB below its largest"
    axes.set(xlabel=label, ylabel="energy (J)" if si else "energy", title=title)
    return figure


def balance_figure(run: Run) -> Figure:
    """Where the energy comes from and where it goes."""
    table, si = run.balance, run.units == "si"
    time, label = axis(table["time"], "time", "s" if si else "")
    names = [name[: -len(".energy")] for name in table if name.endswith(".energy")]
    figure, (powers, energies) = pyplot.subplots(2, 1, figsize=(8, 7), sharex=True, layout="constrained")
    _lines(powers, time, [(name, table[name + ".power"]) for name in names], linewidth=1)
    parts = [("stored", table["total"] - table["total"][0])] + [(name, table[name + ".energy"]) for name in names]
    _lines(energies, time, parts + [("unaccounted", table["unaccounted"])], linewidth=1)
    powers.set(ylabel="power (W)" if si else "power", title="balance of energy: positive puts in, negative takes out")
    energies.set(xlabel=label, ylabel="energy since the beginning (J)" if si else "energy since the beginning")
    return figure


def resonances_figure(run: Run) -> Figure:
    """A line for each resonance, as high as its amplitude, with its quality factor; hollow where it is doubtful."""
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    found = [r for r in run.resonances if np.isfinite(drawable([r.frequency, r.amplitude])).all()]
    probes = list(dict.fromkeys(r.probe for r in found))
    _, label = axis(np.array([r.frequency for r in found]), "frequency", "Hz" if run.units == "si" else "")
    factor = axis(np.array([r.frequency for r in found]), "", "Hz" if run.units == "si" else "")[0].max(initial=0.0)
    factor /= max((r.frequency for r in found), default=1.0)
    for number, probe in enumerate(probes):
        own = [r for r in found if r.probe == probe]
        x = np.array([r.frequency for r in own]) * factor
        axes.vlines(x, 0, [r.amplitude for r in own], color=f"C{number}")
        axes.plot(x, [r.amplitude for r in own], "o", color=f"C{number}", label=plain(f"probe {probe}, {own[0].field[:1]}_{own[0].field[1:]}"))
        doubtful = [(place, r.amplitude) for place, r in zip(x, own) if r.doubtful]
        axes.plot(*zip(*doubtful) if doubtful else ([], []), "o", color=f"C{number}", markerfacecolor="white")
        for place, r in zip(x, own):
            q = f"{r.q:.3g}" if 0 < r.q < 1e9 else "∞"
            axes.annotate(f"Q = {q}", (place, r.amplitude), textcoords="offset points", xytext=(4, 4), fontsize="small")
    if found:
        axes.set_ylim(bottom=0, top=1.15 * max(r.amplitude for r in found))
        axes.margins(x=0.12)  # for the last one's text
        axes.legend(fontsize="small")
    else:
        axes.text(0.5, 0.5, "no resonance was found", ha="center", transform=axes.transAxes)
    axes.grid(alpha=0.3)
    axes.set(xlabel=label, ylabel="amplitude",
             title="resonances (hollow: doubtful)" if any(r.doubtful for r in found) else "resonances")
    return figure


def s_parameters_figure(frequency: Array, curves: Curves, si: bool, title: str) -> Figure:
    """Scattering parameters in dB; `curves` are [(name, complex values)]."""
    x, label = axis(frequency, "frequency", "Hz" if si else "")
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    with np.errstate(divide="ignore"):
        decibels = [(name, 20 * np.log10(np.abs(values))) for name, values in curves]
    for number, (name, y) in enumerate(decibels):
        axes.plot(x, y, label=name, linestyle=("-", "--", "-.", ":")[number % 4])
    known = np.concatenate([y[np.isfinite(y)] for _, y in decibels])
    limits = max(known.min(initial=0.0) - 3, -80), known.max(initial=1.0)
    axes.set(xlabel=label, ylabel="dB", title=title, ylim=limits)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    return figure


def smith_figure(frequency: Array, curves: Curves, si: bool, title: str) -> Figure:
    """Reflections on a Smith chart: a dot where the band begins."""
    figure, axes = pyplot.subplots(figsize=(6, 6), layout="constrained")
    draw_smith_chart(axes)
    for name, values in curves:
        (line,) = axes.plot(values.real, values.imag, label=name)
        axes.plot(values.real[:1], values.imag[:1], "o", color=line.get_color(), markersize=5)
    unit = "Hz" if si else ""
    band = f"{quantity(frequency[0], unit)} (dot) to {quantity(frequency[-1], unit)}"
    axes.set_title(f"{title}\n{band}", fontsize="medium")
    axes.legend(fontsize="small", loc="lower right")
    return figure


def draw_smith_chart(axes: Axes) -> None:
    """Circles of constant resistance and reactance, in units of the reference."""
    angle = np.linspace(0, 2 * np.pi, 721)
    style: dict[str, Any] = {"color": "0.75", "linewidth": 0.7, "zorder": 0}
    for r in (0, 0.2, 0.5, 1, 2, 5):
        radius = 1 / (1 + r)
        axes.plot(1 - radius + radius * np.cos(angle), radius * np.sin(angle), **style | ({"color": "0.3"} if r == 0 else {}))
        if r:
            axes.text((r - 1) / (r + 1) + 0.01, 0.01, f"{r:g}", color="0.5", fontsize=7)
    # z = r + jx with x fixed and r from 0 up: an arc from the rim to the right end.
    resistances = np.concatenate([[0], np.logspace(-3, 4, 400)])
    for x in (0.2, 0.5, 1, 2, 5):
        for sign in (1, -1):
            z = resistances + 1j * sign * x
            arc = (z - 1) / (z + 1)
            axes.plot(arc.real, arc.imag, **style)
            axes.text(1.06 * arc[0].real, 1.06 * arc[0].imag, f"{sign * x:+g}j", color="0.5", fontsize=7, ha="center",
                      va="center")
    axes.plot([-1, 1], [0, 0], **style)
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
    axes.set_axis_off()


def _names(far: FarField) -> tuple[str, str]:
    return ("radar cross section", "dBsm") if far.quantity == "rcs" else ("directivity", "dBi")


def far_field_figure(far: FarField, si: bool, title: str = "") -> Figure:
    """Decibels over theta, in one picture or, where that is too many lines, a picture for each phi; where there is a single
    theta over phi or frequency, whichever is longer."""
    if len(far.theta) == 1:
        if len(far.phi) == 1 or len(far.frequency) > len(far.phi):
            return far_field_over_frequency_figure(far, si, title)
        return _far_field_over_phi_figure(far, si, title)
    hertz = "Hz" if si else ""
    together = len(far.frequency) * len(far.phi) <= 8
    panels = [range(len(far.phi))] if together else [[p] for p in range(len(far.phi))][:6]
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure, all_axes = pyplot.subplots(rows, columns, figsize=(8 if together else 4.5 * columns + 1.5, 4.8 * rows),
                                       sharex=True, sharey=True, squeeze=False, layout="constrained")
    for axes in all_axes.flat[len(panels):]:
        axes.remove()
    for axes, phis in zip(all_axes.flat, panels):
        for f, frequency in enumerate(far.frequency):
            for p in phis:
                label = quantity(frequency, hertz) + (f", phi = {far.phi[p]:g}°" if together else "")
                axes.plot(far.theta, far.decibels[f, p], color=f"C{f % 10}", label=label,
                          linestyle=("-", "--", "-.", ":")[(p if together else f // 10) % 4])
        axes.grid(alpha=0.3)
        axes.set_xlabel("theta (degrees)")
        axes.set_title(title if together else f"{title} phi = {far.phi[phis[0]]:g}°".strip())
    if together:
        axes.legend(fontsize="small")
    else:
        axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.02, 1.0))
    all_axes.flat[0].set_ylabel(_decibel_label(far, si))
    _limit_decibels(axes, far.decibels)
    return figure


def _decibel_label(far: FarField, si: bool) -> str:
    name, unit = _names(far)
    return f"{name} ({unit if si or far.quantity != 'rcs' else 'dB'})"


def _far_field_over_phi_figure(far: FarField, si: bool, title: str) -> Figure:
    figure, axes = pyplot.subplots(figsize=(8, 4.8), layout="constrained")
    for f, frequency in enumerate(far.frequency):
        axes.plot(far.phi, far.decibels[f, :, 0], label=quantity(frequency, "Hz" if si else ""))
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    axes.set(xlabel="phi (degrees)", ylabel=_decibel_label(far, si), title=f"{title} theta = {far.theta[0]:g}°".strip())
    _limit_decibels(axes, far.decibels)
    return figure


def far_field_over_frequency_figure(far: FarField, si: bool, title: str = "") -> Figure:
    """Decibels over frequency, in up to three directions of theta at each of up to four phi."""
    x, label = axis(far.frequency, "frequency", "Hz" if si else "")
    figure, axes = pyplot.subplots(figsize=(8, 4.8), layout="constrained")
    thetas = np.unique(np.linspace(0, len(far.theta) - 1, 3).round().astype(int))
    for number, p in enumerate(range(len(far.phi))[:4]):
        for colour, t in enumerate(thetas):
            axes.plot(x, far.decibels[:, p, t], marker="o" if len(x) < 30 else None, markersize=4,
                      linestyle=("-", "--", "-.", ":")[number], color=f"C{colour}",
                      label=f"theta = {far.theta[t]:g}°, phi = {far.phi[p]:g}°")
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    axes.set(xlabel=label, ylabel=_decibel_label(far, si), title=title)
    _limit_decibels(axes, far.decibels[:, :, thetas])
    return figure


def _limit_decibels(axes: Axes, decibels: Array) -> None:
    """No deeper than 60 dB below the largest: minima are as deep as the mesh is fine."""
    known = decibels[np.isfinite(decibels)]
    if known.size:
        axes.set_ylim(max(known.min(), known.max() - 60) - 2, known.max() + 3)


def far_field_polar_figure(far: FarField, si: bool, title: str = "") -> Figure:
    """A polar pattern for each phi, theta from 0 at the top; the cut is closed by phi + 180 degrees where that is there."""
    name, unit = _names(far)
    cuts = _cuts(far)
    columns = min(3, len(cuts))
    rows = -(-len(cuts) // columns)
    is_half = all(other is None for _, other in cuts)
    width = 3.0 if is_half else 4.4
    figure, all_axes = pyplot.subplots(rows, columns, figsize=(width * columns + 1.4, 4.4 * rows + 0.5), squeeze=False,
                                       subplot_kw={"projection": "polar"}, layout="constrained")
    known = far.decibels[np.isfinite(far.decibels)]
    top = np.ceil(known.max(initial=0.0) / 10) * 10 if known.size else 0.0
    for axes in all_axes.flat[len(cuts):]:
        axes.remove()
    for axes, (phi, opposite) in zip(all_axes.flat, cuts):
        for f, frequency in enumerate(far.frequency[:10]):
            angle, values = np.radians(far.theta), far.decibels[f, phi]
            if opposite is not None:
                angle = np.concatenate([-angle[::-1], angle])
                values = np.concatenate([far.decibels[f, opposite][::-1], values])
            axes.plot(angle, np.maximum(values, top - _DYNAMIC), label=quantity(frequency, "Hz" if si else ""),
                      linestyle=("-", "--", "-.", ":")[f % 4])  # curves of near frequencies cover each other
        axes.set(theta_zero_location="N", theta_direction=-1, rlim=(top - _DYNAMIC, top),
                 rticks=np.arange(top - _DYNAMIC + 10, top + 1, 10))
        if is_half:
            axes.set(thetamin=0, thetamax=180)
        else:  # to the left is phi + 180 degrees, where theta goes from 0 to 180 again
            axes.set_xticks(np.radians(range(0, 360, 45)), [f"{min(a, 360 - a)}°" for a in range(0, 360, 45)])
        axes.set_rlabel_position(20)
        for label in axes.get_yticklabels():
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5})
        axes.set_title(f"phi = {far.phi[phi]:g}°" + (f" and {far.phi[opposite]:g}°" if opposite is not None else ""),
                       fontsize="medium")
        axes.tick_params(labelsize="small")
    axes.legend(loc="upper left", bbox_to_anchor=(1.08, 1.0), fontsize="small")
    figure.suptitle(title or f"{name} ({unit if si else 'dB'}) over theta")
    return figure


def shielding_figure(table: Table, si: bool) -> Figure:
    """Shielding effectiveness over frequency, of E solid and of H dashed."""
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    x, label = axis(table["frequency"], "frequency", "Hz" if si else "")
    probes = list(dict.fromkeys(name.rpartition(".")[0] for name in table if name != "frequency"))
    for number, probe in enumerate(probes):
        for style, kind in (("-", "electric"), ("--", "magnetic")):
            axes.plot(x, drawable(table[f"{probe}.{kind}_db"]), style, color=f"C{number}", label=plain(f"{probe}, {kind}"))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    axes.set(xlabel=label, ylabel="dB", title="shielding effectiveness")
    return figure


def antenna_figure(table: Table, si: bool) -> Figure:
    """Directivity and gains over frequency, and efficiencies, of each driven port."""
    has_feed = "gain_dbi" in table
    figure, all_axes = pyplot.subplots(2 if has_feed else 1, 1, figsize=(8, 7.5 if has_feed else 4.2), sharex=True,
                                       squeeze=False, layout="constrained")
    ports = np.unique(table["port"]) if has_feed else [None]
    groups = [("dBi", {"directivity_dbi": "directivity", "gain_dbi": "gain", "realized_gain_dbi": "realized gain"}),
              ("", {"radiation_efficiency": "radiation efficiency", "total_efficiency": "total efficiency"})]
    for axes, (unit, names) in zip(all_axes.flat, groups):
        for number, port in enumerate(ports):
            rows = slice(None) if port is None else table["port"] == port
            x, label = axis(table["frequency"][rows], "frequency", "Hz" if si else "")
            of_port = f", port {port:g}" if len(ports) > 1 else ""
            for style, (name, text) in zip(("-", "--", ":"), names.items()):
                if name in table:
                    axes.plot(x, drawable(table[name][rows]), style, color=f"C{number}", marker=".", label=text + of_port)
        axes.set(ylabel=unit or "efficiency")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    all_axes.flat[-1].set_xlabel(label)
    figure.suptitle("antenna")
    return figure


def input_impedance_figure(table: Table, si: bool) -> Figure:
    """Resistance and reactance over frequency, of each driven port."""
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    ports = np.unique(table["port"])
    for number, port in enumerate(ports):
        rows = table["port"] == port
        x, label = axis(table["frequency"][rows], "frequency", "Hz" if si else "")
        of_port = f", port {port:g}" if len(ports) > 1 else ""
        for style, name in (("-", "resistance"), ("--", "reactance")):
            axes.plot(x, drawable(table[name][rows]), style, color=f"C{number}", marker=".", label=name + of_port)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    axes.set(xlabel=label, ylabel="ohm" if si else "input impedance", title="input impedance")
    return figure


def pattern_figure(pattern: Pattern, si: bool) -> Figure:
    """Co- and cross-polarization over theta: a picture for each of up to six phi, a colour for each of up to four
    frequencies."""
    phis = range(len(pattern.phi))[:6]
    columns = min(3, len(phis))
    rows = -(-len(phis) // columns)
    figure, all_axes = pyplot.subplots(rows, columns, figsize=(4.5 * columns + 1.5, 4.2 * rows), sharex=True, sharey=True,
                                       squeeze=False, layout="constrained")
    for axes in all_axes.flat[len(phis):]:
        axes.remove()
    co, cross = (pattern.values[f"{part}_{pattern.quantity}_dbi"] for part in ("co", "cross"))
    for axes, p in zip(all_axes.flat, phis):
        for f, frequency in enumerate(pattern.frequency[:4]):
            label = quantity(frequency, "Hz" if si else "")
            axes.plot(pattern.theta, co[f, p], color=f"C{f}", label=f"{label}, co")
            axes.plot(pattern.theta, cross[f, p], "--", color=f"C{f}", label=f"{label}, cross")
        axes.grid(alpha=0.3)
        axes.set(xlabel="theta (degrees)", title=f"phi = {pattern.phi[p]:g}°")
    _limit_decibels(all_axes.flat[0], np.maximum(co, cross))
    all_axes.flat[0].set_ylabel(f"{pattern.quantity} (dBi)")
    all_axes.flat[len(phis) - 1].legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.02, 1.0))
    return figure


def _cuts(far: FarField) -> list[tuple[int, int | None]]:
    """[(phi, phi + 180 or None)] by number: each phi once."""
    cuts, taken = [], set()
    for i, phi in enumerate(far.phi):
        if i in taken:
            continue
        opposite = next((j for j, other in enumerate(far.phi) if j != i and abs((other - phi) % 360 - 180) < 1e-9), None)
        taken |= {i, opposite}
        cuts.append((i, opposite))
    return cuts


def convergence_figure(runs: Sequence[Run]) -> Figure:
    """Errors of several runs, from their summaries, over the number of unknowns along an axis."""
    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    done = [run.summary for run in runs if "error" in run.summary]
    for name in done[0]["error"]:
        for f, order in enumerate(sorted({s["order"] for s in done})):
            points = sorted((s["elements"] ** (1 / 3), s["error"][name]["l2"]) for s in done if s["order"] == order)
            axes.loglog(*zip(*points), "o-" if name == "E" else "s--", color=f"C{f}", label=f"{name}, order {order}")
            if len(points) > 1 and points[-1][1] > 0 and points[-1][0] > points[0][0]:
                rate = -np.log(points[-1][1] / points[-2][1]) / np.log(points[-1][0] / points[-2][0])
                axes.annotate(f"{rate:.2f}", points[-1], textcoords="offset points", xytext=(6, 0), fontsize="small")
    axes.grid(which="both", alpha=0.3)
    axes.legend(fontsize="small")
    axes.set(xlabel="elements$^{1/3}$", ylabel="L2 error at the end",
             title="convergence; beside the last point: the order of the last step")
    return figure


def comparison_figure(runs: Sequence[Run], read: Callable[[Run], Table], title: str) -> Figure:
    """How far each run's table is from the last one's: the largest difference of any column over the largest value of
    its kind (E, H ...), over the first column."""
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    reference = read(runs[-1])
    x_name, *names = reference
    scales: dict[str, float] = {}
    for name in names:
        kind = name.rpartition(".")[2][:1]
        scales[kind] = max(scales.get(kind, 0.0), np.abs(reference[name]).max(initial=0.0))
    for run in runs[:-1]:
        table = read(run)
        worst = np.zeros(len(reference[x_name]))
        for name in (name for name in names if name in table):
            here = np.interp(reference[x_name], table[x_name], table[name])
            worst = np.maximum(worst, np.abs(here - reference[name]) / (scales[name.rpartition(".")[2][:1]] or 1.0))
        axes.semilogy(drawable(reference[x_name]), np.maximum(drawable(worst), 1e-17), label=plain(run.directory.name))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    axes.set(xlabel=x_name, ylabel="difference over largest value", title=plain(title))
    return figure
