"""VTK's own cells give back the polynomials that our files hold.

usage: vtk_reads_it.py FILE ORDER CELL_TYPE ...  (of each file: its order and VTK's number of its cells)
Each file has point data `p` and `v`, of which at a point x of a cell, with cell data `factor` (1 if there is none),
p = factor * (0.3 + x - 0.5137 y + 0.2718 z)^ORDER and v = (10 p, -20 p, x). Exit code 77: this Python has no vtkmodules.
"""

import random
import sys

try:
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError as missing:
    print(missing)
    sys.exit(77)

SAMPLES = 5


def check(path, order, cell_type):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    p, v = grid.GetPointData().GetArray("p"), grid.GetPointData().GetArray("v")
    factors = grid.GetCellData().GetArray("factor")
    assert grid.GetNumberOfCells() > 0, "no cells"
    for k in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(k)
        assert cell.GetCellType() == cell_type, f"cell {k} is of type {cell.GetCellType()}"
        factor = factors.GetTuple1(k) if factors else 1
        for _ in range(SAMPLES):
            shares = [random.expovariate(1) for _ in range(cell.GetCellDimension() + 1)]
            parametric = [share / sum(shares) for share in shares[1:]] + [0.0] * (3 - cell.GetCellDimension())
            weights = [0.0] * cell.GetNumberOfPoints()
            cell.InterpolateFunctions(parametric, weights)
            points = [(cell.GetPointId(n), w) for n, w in enumerate(weights)]
            at = [sum(w * grid.GetPoint(i)[axis] for i, w in points) for axis in range(3)]
            seen = [sum(w * p.GetTuple1(i) for i, w in points)]
            seen += [sum(w * v.GetTuple3(i)[c] for i, w in points) for c in range(3)]
            power = factor * (0.3 + at[0] - 0.5137 * at[1] + 0.2718 * at[2]) ** order
            for what, right in zip(seen, [power, 10 * power, -20 * power, at[0]]):
                assert abs(what - right) < 1e-9 * (1 + abs(right)), f"cell {k}: {what} instead of {right}"


random.seed(5)
for path, order, cell_type in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    try:
        check(path, int(order), int(cell_type))
    except AssertionError as error:
        sys.exit(f"{path}: {error}")
