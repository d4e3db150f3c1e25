"""What scripts/view lets ParaView do: the results in $MAXWELL_DG_RUN, ready to look at."""

import os
import pathlib
import re

from paraview import simple

LOOKED_AT = 40  # time steps, for the range of colours
SOMETHING = 0.25  # of the largest value: a time step with less shows nothing in the same colours

RUN = pathlib.Path(os.environ["MAXWELL_DG_RUN"])


def order_of_run():
    """solver.order of the run; 1 where it is not known."""
    try:
        found = re.search(r"^  order: (\d+)", (RUN / "config.resolved.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return 1
    return int(found.group(1)) if found else 1


def subdivision_level(order):
    """How often each edge is halved: as many pieces as the order at least, and no more than eight."""
    return min(3, (order - 1).bit_length())


def readers():
    """[(reader, what it reads)], that to be shown first."""
    result = []
    for name in ("fields", "surface_fields"):
        if (RUN / f"{name}.pvd").exists():
            result.append((simple.PVDReader(registrationName=name, FileName=str(RUN / f"{name}.pvd")), name))
    for file in sorted(RUN.glob("frequency_fields_*.vtu")) + sorted(RUN.glob("diverged.vtu")):
        result.append((simple.XMLUnstructuredGridReader(registrationName=file.stem, FileName=[str(file)]), file.stem))
    return result


def field_to_show(source, first=()):
    """Those named `first`, then E and p, then what else there is."""
    names = [array.Name for array in source.PointData]
    return next((name for name in first + ("E", "E_re", "p", "p_re") if name in names), names[0] if names else None)


def sliced(source):
    """A slice through the middle, across y unless another extent is much smaller; and that axis."""
    b = source.GetDataInformation().GetBounds()
    extents = [b[1] - b[0], b[3] - b[2], b[5] - b[4]]
    axis = extents.index(min(extents)) if min(extents) < 0.5 * extents[1] else 1
    cut = simple.Slice(registrationName="slice", Input=source)
    cut.SliceType.Origin = [(b[0] + b[1]) / 2, (b[2] + b[3]) / 2, (b[4] + b[5]) / 2]
    cut.SliceType.Normal = [1.0 if i == axis else 0.0 for i in range(3)]
    hide_widget = getattr(simple, "HideInteractiveWidgets", None) or simple.Hide3DWidgets  # its name before 5.11
    hide_widget(proxy=cut.SliceType)
    return cut, axis


def largest_over_time(source, field, times):
    """[(time, largest magnitude of the field)] of these time steps, of some of them in a long series."""
    chosen = sorted({round(i * (len(times) - 1) / (LOOKED_AT - 1)) for i in range(LOOKED_AT)})
    result = []
    for i in chosen:
        source.UpdatePipeline(times[i])
        low, high = source.PointData[field].GetRange(-1 if source.PointData[field].GetNumberOfComponents() > 1 else 0)
        result.append((times[i], max(abs(low), abs(high))))
    return result


def look_along(view, axis):
    """From the positive end of an axis, with the axis after the next one upwards: as `maxwell_dg --plot` draws it."""
    simple.ResetCamera(view)
    focus = list(view.CameraFocalPoint)
    distance = max(abs(p - f) for p, f in zip(view.CameraPosition, focus))
    view.CameraPosition = [f + (distance if i == axis else 0) for i, f in enumerate(focus)]
    view.CameraViewUp = [1.0 if i == (axis + 2) % 3 else 0.0 for i in range(3)]
    simple.ResetCamera(view)


def main():
    order = order_of_run()
    view = simple.GetActiveViewOrCreate("RenderView")
    sources = readers()
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    for source, _ in sources:
        source.UpdatePipeline()
    first, name = sources[0]
    is_surface = name == "surface_fields"
    shown, axis = (first, None) if is_surface else sliced(first)
    display = simple.Show(shown, view)
    field = field_to_show(first, ("H",) if is_surface else ())  # on metal, H is the density of the current
    if field:
        simple.ColorBy(display, ("POINTS", field))
        display.SetScalarBarVisibility(view, True)
        sizes = largest_over_time(shown, field, list(getattr(first, "TimestepValues", None) or [0.0]))
        largest = max(size for _, size in sizes) or 1.0
        signed = first.PointData[field].GetNumberOfComponents() == 1
        simple.GetColorTransferFunction(field).RescaleTransferFunction(-largest if signed else 0.0, largest)
        last = max((time for time, size in sizes if size >= SOMETHING * largest), default=sizes[-1][0])
        simple.GetAnimationScene().AnimationTime = last
    for source, _ in sources:  # of those that are hidden, too
        simple.GetDisplayProperties(source, view).NonlinearSubdivisionLevel = subdivision_level(order)
        if source is not shown:
            simple.Hide(source, view)
    display.NonlinearSubdivisionLevel = subdivision_level(order)
    if axis is None:
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1.0, -1.2, 0.8], [0, 0, 0], [0, 0, 1]
        simple.ResetCamera(view)
    else:
        look_along(view, axis)
        view.AxesGrid.Visibility = 0
    simple.Render(view)


main()
