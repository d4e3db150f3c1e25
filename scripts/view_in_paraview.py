"""What scripts/view lets ParaView do: the results in $MAXWELL_DG_RUN, ready to look at."""

import os
import pathlib
import sys

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["MAXWELL_DG_SCRIPTS"])

from maxwell_dg_results import Run  # noqa: E402 (where it lies is known now)
from maxwell_dg_results import view as viewing  # noqa: E402

LOOKED_AT = 40  # time steps, for the range of colours


def say(text):
    """Lines in the terminal from which ParaView was started: what Python prints, ParaView takes for itself."""
    os.write(2, (text + "\n").encode())


def reader(name, file):
    """What reads a file, under its name in the pipeline."""
    if file.suffix == ".pvd":
        return simple.PVDReader(registrationName=name, FileName=str(file))
    reads = simple.XMLPartitionedUnstructuredGridReader if file.suffix == ".pvtu" else simple.XMLUnstructuredGridReader
    return reads(registrationName=name, FileName=[str(file)])


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


def with_magnitude(source, name):
    """Of phasors `NAME_re` and `NAME_im` the source with their magnitude, and what that is called. (The real part alone
    vanishes where the phase is a quarter of a turn.)"""
    is_vector = source.PointData[f"{name}_re"].GetNumberOfComponents() > 1
    parts = [f"mag({name}_{part})^2" if is_vector else f"{name}_{part}^2" for part in ("re", "im")]
    result = simple.Calculator(registrationName=f"{name} magnitude", Input=source)
    result.ResultArrayName = f"{name} magnitude"
    result.Function = f"sqrt({parts[0]} + {parts[1]})"
    result.UpdatePipeline()
    return result, result.ResultArrayName


def field_to_show(source, first=()):
    """The source and the name of its field: those named `first`, then E and p, then what else there is."""
    source.UpdatePipeline()
    names = [array.Name for array in source.PointData]
    for name in (*first, "E", "p"):
        if name in names:
            return source, name
        if f"{name}_re" in names and f"{name}_im" in names:
            return with_magnitude(source, name)
    return source, names[0] if names else None


def values_at(source, field, time):
    """[points] or [points, components]: the field at a time; empty where that snapshot cannot be read."""
    source.UpdatePipeline(time)
    array = servermanager.Fetch(source).GetPointData().GetArray(field)
    return np.zeros(0) if array is None else vtk_to_numpy(array)


def write(view, text):
    """Text in the upper left corner."""
    display = simple.Show(simple.Text(registrationName="what is shown", Text=text), view)
    places = list(display.GetProperty("WindowLocation").Available)  # spelt differently by version
    display.WindowLocation = next(place for place in places if place.replace(" ", "").startswith("UpperLeft"))
    display.Justification = "Left"
    display.FontSize = 16


def look_along(view, axis):
    """From the positive end of an axis, with the axis after the next one upwards: as `maxwell_dg --plot` draws it."""
    simple.ResetCamera(view)
    focus = list(view.CameraFocalPoint)
    distance = max(abs(p - f) for p, f in zip(view.CameraPosition, focus))
    view.CameraPosition = [f + (distance if i == axis else 0) for i, f in enumerate(focus)]
    view.CameraViewUp = [1.0 if i == (axis + 2) % 3 else 0.0 for i in range(3)]
    simple.ResetCamera(view)


def colour(run, view, shown, name, field, times):
    """Shows a source at its last time step by a field, in colours that hold for all time steps; says so."""
    display = simple.Show(shown, view)
    simple.ColorBy(display, ("POINTS", field))
    display.SetScalarBarVisibility(view, True)
    chosen = sorted({round(i * (len(times) - 1) / (LOOKED_AT - 1)) for i in range(LOOKED_AT)})
    measured = {times[i]: viewing.measure(values_at(shown, field, times[i])) for i in chosen}
    limit = max(most for _, most, _ in measured.values()) or 1.0
    signed = shown.PointData[field].GetNumberOfComponents() == 1 and not field.endswith(" magnitude")
    simple.GetColorTransferFunction(field).RescaleTransferFunction(-limit if signed else 0.0, limit)
    if len(times) > 1:
        simple.GetAnimationScene().AnimationTime = times[-1]
    text = viewing.told(run, name, field, times, measured)
    write(view, text)
    say(text)


def main():
    run = Run(pathlib.Path(os.environ["MAXWELL_DG_RUN"]))
    found = viewing.sources(run, say)
    if not found:
        say(f"error: {run.directory}: none of its fields can be read")
        os._exit(2)  # at once: ParaView would stay open with an empty window
    view = simple.GetActiveViewOrCreate("RenderView")
    readers = [reader(name, file) for name, file, _ in found]
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    first, (name, _, times) = readers[0], found[0]
    first.UpdatePipeline(times[-1])
    is_surface = name == "surface_fields"
    cut, axis = (first, None) if is_surface else sliced(first)
    shown, field = field_to_show(cut, ("H",) if is_surface else ())  # on metal, H is the density of the current
    if field:
        colour(run, view, shown, name, field, times)
    else:
        simple.Show(shown, view)
    if len(found) > 1:
        say("Hidden in the pipeline: " + ", ".join(other for other, _, _ in found[1:]))
    level = viewing.subdivision_level(viewing.order_of(run))
    for source in {shown, cut, *readers}:  # of those that are hidden, too
        simple.GetDisplayProperties(source, view).NonlinearSubdivisionLevel = level
        if source is not shown:
            simple.Hide(source, view)
    if axis is None:
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1.0, -1.2, 0.8], [0, 0, 0], [0, 0, 1]
        simple.ResetCamera(view)
    else:
        look_along(view, axis)
        view.AxesGrid.Visibility = 0
    simple.SetActiveSource(shown)
    simple.Render(view)


main()
