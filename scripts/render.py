"""Draws a scatterer at the origin, its surface coloured by |E|, and the field around it: E_x on the plane y = 0 from
fields_*.vtu, or arrows of E on the other surfaces of surface_fields_*.vtu.

Called by scripts/render: RUN_DIRECTORY PICTURE.png [snapshot]."""

import sys
from pathlib import Path

import vtk

SIZE = (1400, 900)
SHOWN_RADII = 4.9  # of the scatterer, on the plane
LEVELS_OF_SUBDIVISION = 2  # of Lagrange cells
ARROWS = 4000
LONGEST_ARROW = 0.06  # of the scatterer's size


def read(file):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    grid = reader.GetOutput()
    if not grid.GetPointData().HasArray("E"):
        sys.exit(f"error: {file}: there is no field E")
    return grid


def strength(grid):
    """The largest |E|."""
    return grid.GetPointData().GetArray("E").GetRange(-1)[1]


def boundary(grid):
    """All exterior faces, subdivided. Elements of a file share no points: merged, they have neighbours."""
    merge = vtk.vtkAppendFilter()  # does nothing to a single input, hence two halves
    merge.MergePointsOn()
    merge.SetTolerance(1e-6)
    middle, last = grid.GetNumberOfCells() // 2, grid.GetNumberOfCells() - 1
    for first_cell, last_cell in ((0, middle), (middle + 1, last)):
        half = vtk.vtkExtractCells()
        half.SetInputData(grid)
        half.AddCellRange(first_cell, last_cell)
        merge.AddInputConnection(half.GetOutputPort())
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputConnection(merge.GetOutputPort())
    surface.SetNonlinearSubdivisionLevel(LEVELS_OF_SUBDIVISION)
    clean = vtk.vtkCleanPolyData()
    clean.SetInputConnection(surface.GetOutputPort())
    clean.Update()
    return clean.GetOutput()


def scatterer(grid):
    """The connected part of the boundary that is nearest to the origin."""
    nearest = vtk.vtkPolyDataConnectivityFilter()
    nearest.SetInputData(boundary(grid))
    nearest.SetExtractionModeToClosestPointRegion()
    nearest.SetClosestPoint(0, 0, 0)
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputConnection(nearest.GetOutputPort())
    normals.SplittingOff()
    normals.Update()
    return normals.GetOutput()


def plane_cut(grid, radius):
    """The plane y = 0 within some radii."""
    plane = vtk.vtkPlane()
    plane.SetNormal(0, 1, 0)
    cut = vtk.vtkCutter()
    cut.SetInputData(grid)
    cut.SetCutFunction(plane)
    disc = vtk.vtkSphere()
    disc.SetRadius(radius)
    clip = vtk.vtkClipPolyData()
    clip.SetInputConnection(cut.GetOutputPort())
    clip.SetClipFunction(disc)
    clip.InsideOutOn()
    clip.Update()
    return clip.GetOutput()


def largest(data, component):
    """What a component of E (-1: its magnitude) exceeds at one point in two hundred only."""
    E = data.GetPointData().GetArray("E")
    sample = range(0, E.GetNumberOfTuples(), max(1, E.GetNumberOfTuples() // 50000))
    values = sorted(vtk.vtkMath.Norm(E.GetTuple3(i)) if component < 0 else abs(E.GetTuple3(i)[component]) for i in sample)
    return values[int(0.995 * (len(values) - 1))] or 1.0


def colours(points):
    """A table from (position, red, green, blue)."""
    function = vtk.vtkColorTransferFunction()
    function.SetColorSpaceToLab()
    for point in points:
        function.AddRGBPoint(*point)
    return function


def actor(data, table, component):
    """Coloured by a component of E, -1: its magnitude."""
    if component < 0:
        table.SetVectorModeToMagnitude()
    else:
        table.SetVectorModeToComponent()
        table.SetVectorComponent(component)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("E")
    mapper.SetLookupTable(table)
    result = vtk.vtkActor()
    result.SetMapper(mapper)
    return result


def scale_bar(table, title):
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle(title)
    bar.SetNumberOfLabels(5)
    bar.SetLabelFormat("%.2g")
    bar.UnconstrainedFontSizeOn()
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        text.SetColor(0.1, 0.1, 0.1)
        text.SetFontSize(24)
        text.ItalicOff()
        text.ShadowOff()
        text.BoldOff()
    bar.SetPosition(0.89, 0.25)
    bar.SetWidth(0.07)
    bar.SetHeight(0.5)
    return bar


def of_surface(grid, surface):
    """The triangles of one surface, subdivided."""
    chosen = vtk.vtkThreshold()
    chosen.SetInputData(grid)
    chosen.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "surface")
    chosen.SetLowerThreshold(surface - 0.5)
    chosen.SetUpperThreshold(surface + 0.5)
    chosen.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    triangles = vtk.vtkDataSetSurfaceFilter()
    triangles.SetInputConnection(chosen.GetOutputPort())
    triangles.SetNonlinearSubdivisionLevel(LEVELS_OF_SUBDIVISION)
    triangles.Update()
    return triangles.GetOutput()


def surfaces(grid):
    """All surfaces of a file, the smallest first."""
    first, last = grid.GetCellData().GetArray("surface").GetRange()
    parts = [of_surface(grid, surface) for surface in range(int(first), int(last) + 1)]
    return sorted((part for part in parts if part.GetNumberOfCells() > 0), key=lambda part: part.GetLength())


def arrows(data, size):
    """E as arrows at some points, as long as E is strong; the very strongest no longer than others."""
    some = vtk.vtkMaskPoints()
    some.SetInputData(data)
    some.SetMaximumNumberOfPoints(ARROWS)
    some.RandomModeOn()
    some.SetRandomModeType(2)  # the same density everywhere
    glyphs = vtk.vtkGlyph3D()
    glyphs.SetInputConnection(some.GetOutputPort())
    shape = vtk.vtkArrowSource()
    glyphs.SetSourceConnection(shape.GetOutputPort())
    glyphs.SetInputArrayToProcess(1, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "E")
    glyphs.SetVectorModeToUseVector()
    glyphs.SetScaleModeToScaleByVector()
    glyphs.ClampingOn()
    glyphs.SetRange(0, largest(data, -1))
    glyphs.SetScaleFactor(LONGEST_ARROW * size)
    glyphs.Update()
    return glyphs.GetOutput()


def surface_scene(grid):
    body, *others = surfaces(grid)
    size = body.GetLength()
    most = largest(body, -1)
    table = colours([(0, 0.10, 0.14, 0.35), (0.33 * most, 0.16, 0.47, 0.60), (0.67 * most, 0.88, 0.75, 0.35),
                     (most, 0.80, 0.20, 0.13)])
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    renderer.AddActor(actor(body, table, -1))
    for other in others:
        strong = largest(other, -1)
        of_arrows = colours([(0, 0.75, 0.78, 0.82), (strong, 0.20, 0.24, 0.32)])
        renderer.AddActor(actor(arrows(other, size), of_arrows, -1))
    renderer.AddActor2D(scale_bar(table, "|E|"))
    camera = renderer.GetActiveCamera()
    camera.SetViewUp(0, 0, 1)
    camera.SetPosition(0.75 * size, -0.85 * size, 0.75 * size)
    camera.SetFocalPoint(0, 0, 0)
    camera.SetViewAngle(40)
    renderer.ResetCameraClippingRange()
    return renderer


def volume_scene(grid):
    sphere = scatterer(grid)
    bounds = sphere.GetBounds()
    radius = max(abs(b) for b in bounds)
    cut = plane_cut(grid, SHOWN_RADII * radius)

    top = largest(cut, 0)
    signed = colours([(-top, 0.13, 0.26, 0.55), (-0.4 * top, 0.45, 0.66, 0.84), (0, 0.97, 0.97, 0.96),
                      (0.4 * top, 0.93, 0.56, 0.42), (top, 0.62, 0.06, 0.15)])
    most = largest(sphere, -1)
    unsigned = colours([(0, 0.16, 0.17, 0.20), (0.5 * most, 0.62, 0.55, 0.42), (most, 1.0, 0.93, 0.70)])

    plane = actor(cut, signed, 0)
    plane.GetProperty().LightingOff()
    ball = actor(sphere, unsigned, -1)
    ball.GetProperty().SetInterpolationToPhong()
    ball.GetProperty().SetSpecular(0.35)
    ball.GetProperty().SetSpecularPower(30)

    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    renderer.AddActor(plane)
    renderer.AddActor(ball)
    renderer.AddActor2D(scale_bar(signed, "E_x"))
    camera = renderer.GetActiveCamera()
    camera.SetViewUp(1, 0, 0)
    camera.SetPosition(4 * radius, 19.5 * radius, -3 * radius)
    camera.SetFocalPoint(0, 0, 0)
    camera.SetViewAngle(30)
    renderer.ResetCameraClippingRange()
    return renderer


def draw(renderer, picture):
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(*SIZE)
    window.AddRenderer(renderer)
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(str(picture))
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()


def main():
    run, picture = Path(sys.argv[1]), Path(sys.argv[2])
    for name, scene in (("fields", volume_scene), ("surface_fields", surface_scene)):
        files = sorted(run.glob(f"{name}_[0-9]*.vtu"))
        if files:
            break
    else:
        sys.exit(f"error: {run}: there are no fields_*.vtu and no surface_fields_*.vtu")
    if len(sys.argv) > 3:
        grid = read(run / f"{name}_{int(sys.argv[3]):06d}.vtu")
    else:
        grid = read(max(files, key=lambda file: strength(read(file))))
    draw(scene(grid), picture)
    print(f"{picture} shows {run}")


if __name__ == "__main__":
    main()
