"""VTK reads a grid in pieces, as several ranks have written it, as the grid that one rank has written.

usage: vtk_compares.py FILE.pvtu FILE.vtu ...  (pairs of files)
Cells may come in another order. Exit code 77: this Python has no vtkmodules.
"""

import sys

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader
except ImportError as missing:
    print(missing)
    sys.exit(77)

BOUND = 1e-12  # of the largest value of an array


def grid_of(path):
    reader = vtkXMLPUnstructuredGridReader() if path.endswith(".pvtu") else vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def arrays_of(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def contents(grid):
    """(types of cells, {array: [cells, values]}) with the cells in an order of their nodes' positions."""
    cells = [grid.GetCell(k) for k in range(grid.GetNumberOfCells())]
    types = sorted({grid.GetCellType(k) for k in range(len(cells))})
    nodes = [[grid.GetCell(k).GetPointId(n) for n in range(grid.GetCell(k).GetNumberOfPoints())] for k in range(len(cells))]
    positions = vtk_to_numpy(grid.GetPoints().GetData())[nodes].reshape(len(cells), -1)
    values = {"positions": positions}
    for name, array in arrays_of(grid.GetPointData()).items():
        values["point data " + name] = array[nodes].reshape(len(cells), -1)
    for name, array in arrays_of(grid.GetCellData()).items():
        values["cell data " + name] = array.reshape(len(cells), -1)
    order = np.lexsort(np.round(positions * 1e8).astype(int).T)
    return types, {name: array[order] for name, array in values.items()}


def compare(pieces, whole):
    (types, found), (right_types, right) = contents(grid_of(pieces)), contents(grid_of(whole))
    assert len(right["positions"]) > 0, "no cells"
    assert types == right_types, f"cells of types {types} instead of {right_types}"
    assert list(found) == list(right), f"{list(found)} instead of {list(right)}"
    for name, values in right.items():
        assert found[name].shape == values.shape, f"{name}: {found[name].shape} instead of {values.shape}"
        difference = np.abs(found[name] - values).max()
        assert difference <= BOUND * np.abs(values).max(), f"{name} differs by {difference}"


for pieces, whole in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        compare(pieces, whole)
    except AssertionError as error:
        sys.exit(f"{pieces}: {error}")
