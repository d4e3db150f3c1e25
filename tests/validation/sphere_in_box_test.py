"""A metal sphere in a box of tetrahedra as the mesh generator makes them, a PML on all sides: the one of the tutorial, an
order lower. sphere_in_box_test.py BIN_FOLDER. Most elements of its PML lie askew across the planes between sides and
edges of the box. Did neighbours there not move their common face alike (with the diagonal of the displacement's gradient
alone, docs/theory.md), the cross section would be off by 0.052 dB; it is by 0.016 dB."""

from tutorial import files_of

with files_of("sphere_rcs", "curved_sphere") as folder:
    folder.compute("curved_sphere.yaml", solver__order=3)
    folder.run("compare_with_mie", "out", "--rcs", "--radius", "1", "--bound", "0.03")
