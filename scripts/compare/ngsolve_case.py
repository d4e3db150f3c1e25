"""One problem with NGSolve, curved elements and a direct solver: python3 -m compare.ngsolve_case PROBLEM LEVEL VALUES."""

import json
import math
import pathlib
import sys

import ngsolve as ng
import numpy
from netgen import occ

from compare import problems


def part_of_ball(radius, octant=False):
    box = occ.Box(occ.Pnt(0, 0, 0 if octant else -radius - 1), occ.Pnt(radius + 1, radius + 1, radius + 1))
    return occ.Sphere(occ.Pnt(0, 0, 0), radius) * box


def name_planes(shape, names, at=1e-6):
    """Faces in the planes where a coordinate is 0."""
    for face in shape.faces:
        low, high = face.bounding_box
        for axis, name in enumerate(names):
            if max(abs(low[axis]), abs(high[axis])) < at:
                face.name = name


def sphere(metal, level):
    """The scattered field of a wave along z with E along x, in the quarter x > 0, y > 0."""
    air, outer = 1 + level["gap"], 1 + level["gap"] + level["layer"]
    ball, close, middle, whole = (part_of_ball(r) for r in (1, 1 + level["gap"] / 2, air, outer))
    ball.faces.name, close.faces.name, middle.faces.name, whole.faces.name = "sphere", "surface", "air", "outer"
    parts = [close - ball, middle - close, whole - middle]
    for part, name in zip(parts, ("near", "near", "shell")):
        part.mat(name).maxh = level["size"]
    if not metal:
        ball.mat("ball").maxh = level["size_in"]
        parts.append(ball)
    shape = occ.Glue(parts)
    name_planes(shape, ("x0", "y0"))
    mesh = ng.Mesh(occ.OCCGeometry(shape).GenerateMesh(maxh=level["size"]))
    mesh.Curve(level["order"] + 1)
    mesh.SetPML(ng.pml.Radial(origin=(0, 0, 0), rad=air, alpha=1j * level.get("alpha", 2.5)), "shell")
    k = problems.KA
    wave = ng.CF((ng.exp(1j * k * ng.z), 0, 0))  # with exp(-i w t)
    dirichlet = "x0|outer" + ("|sphere" if metal else "")
    space = ng.HCurl(mesh, order=level["order"], complex=True, dirichlet=dirichlet)
    u, v = space.TnT()
    epsilon = mesh.MaterialCF({"ball": 4}, default=1)
    form = ng.BilinearForm(space, symmetric=True, condense=True)
    form += (ng.curl(u) * ng.curl(v) - k * k * epsilon * u * v) * ng.dx
    load = ng.LinearForm(space)
    if not metal:
        load += k * k * 3 * wave * v * ng.dx("ball")
    field = ng.GridFunction(space)
    if metal:
        field.Set(-wave, definedon=mesh.Boundaries("sphere"), dual=False)
    form.Assemble()
    load.Assemble()
    inverse = form.mat.Inverse(space.FreeDofs(True), inverse="sparsecholesky")
    residual = load.vec.CreateVector()
    residual.data = load.vec - form.mat * field.vec
    residual.data += form.harmonic_extension_trans * residual
    field.vec.data += inverse * residual
    field.vec.data += form.harmonic_extension * field.vec
    field.vec.data += form.inner_solve * residual
    return far_field(mesh, field, k)


def far_field(mesh, field, k):
    """RCS over pi a^2 from the traces of the scattered field on a sphere around all."""
    normal = ng.CF((ng.x, ng.y, ng.z)) / ng.sqrt(ng.x**2 + ng.y**2 + ng.z**2)
    boundary = mesh.Boundaries("surface")
    E, curl = ng.BoundaryFromVolumeCF(field), ng.BoundaryFromVolumeCF(ng.curl(field))
    J = ng.Cross(normal, curl) / (1j * k)  # n x H, Z = 1
    M = -ng.Cross(normal, E)
    values = []
    for phi in (0, math.pi / 2):
        for degrees in problems.THETA:
            theta = math.radians(degrees)
            r = numpy.array([math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)])
            to_theta = numpy.array([math.cos(theta) * math.cos(phi), math.cos(theta) * math.sin(phi), -math.sin(theta)])
            to_phi = numpy.array([-math.sin(phi), math.cos(phi), 0])
            # Images in x = 0 (electric) and y = 0 (magnetic): factors of J along the axes; M has the opposite parity.
            N, L = numpy.zeros(3, complex), numpy.zeros(3, complex)
            for sx in (1, -1):
                for sy in (1, -1):
                    phase = ng.exp(-1j * k * (sx * r[0] * ng.x + sy * r[1] * ng.y + r[2] * ng.z))
                    of_J = numpy.array([1, sx * sy, sx])  # E_x is even in x and y; E_y odd in both; E_z odd in x
                    of_M = numpy.array([sx * sy, 1, sy])
                    integral = ng.Integrate(ng.CF((phase * J, phase * M)), mesh, definedon=boundary, order=12)
                    N += of_J * numpy.array(integral[:3])
                    L += of_M * numpy.array(integral[3:])
            e_theta = L @ to_phi + N @ to_theta
            e_phi = L @ to_theta - N @ to_phi
            values.append(4 * math.pi * (k / (4 * math.pi)) ** 2 * (abs(e_theta) ** 2 + abs(e_phi) ** 2) / math.pi)
    return values


def lowest_mode(mesh, level, dirichlet, shift):
    mesh.Curve(level["order"] + 1)
    space = ng.HCurl(mesh, order=level["order"], complex=True, dirichlet=dirichlet)
    u, v = space.TnT()
    a = ng.BilinearForm(ng.curl(u) * ng.curl(v) * ng.dx).Assemble()
    m = ng.BilinearForm(u * v * ng.dx).Assemble()
    field = ng.GridFunction(space, multidim=4)
    found = ng.ArnoldiSolver(a.mat, m.mat, space.FreeDofs(), list(field.vecs), shift)
    return [math.sqrt(min((abs(x) for x in found if abs(x) > 0.5 * shift), key=lambda x: abs(x - shift)))]


def ball(level):
    shape = part_of_ball(1, octant=True)
    shape.faces.name = "wall"
    name_planes(shape, ("x0", "y0", "z0"))
    mesh = ng.Mesh(occ.OCCGeometry(shape).GenerateMesh(maxh=level["size"]))
    return lowest_mode(mesh, level, "wall|z0", 7.5)


def box(level):
    shape = occ.Box(occ.Pnt(0, 0, 0), occ.Pnt(*problems.BOX))
    shape.faces.name = "wall"
    mesh = ng.Mesh(occ.OCCGeometry(shape).GenerateMesh(maxh=level["size"]))
    return lowest_mode(mesh, level, "wall", math.pi**2 * (1 / problems.BOX[0] ** 2 + 1 / problems.BOX[1] ** 2))


def iris(level):
    """A quarter of the guide; ports by the impedance of TE10, at every frequency anew."""
    half, height, opening, feed = problems.WIDTH / 2, problems.HEIGHT / 2, problems.APERTURE / 2, 12e-3
    scale = 1e3  # millimetres
    half, height, opening, feed = (scale * x for x in (half, height, opening, feed))
    end = feed + scale * problems.THICKNESS
    left = occ.Box(occ.Pnt(0, 0, 0), occ.Pnt(half, height, feed))
    middle = occ.Box(occ.Pnt(0, 0, feed), occ.Pnt(opening, height, end))
    right = occ.Box(occ.Pnt(0, 0, end), occ.Pnt(half, height, end + feed))
    for edge in middle.edges:
        if abs(edge.center.x - opening) < 1e-6:
            edge.maxh = scale * level["edge"]
    shape = occ.Glue([left, middle, right])
    shape.faces.name = "wall"
    for face in shape.faces:
        low, high = face.bounding_box
        for axis, at, name in ((0, 0, "magnetic"), (2, 0, "in"), (2, end + feed, "out")):
            if max(abs(low[axis] - at), abs(high[axis] - at)) < 1e-6:
                face.name = name
        if abs(high[2] - low[2]) < 1e-6 and high[0] < opening + 1e-6 and low[2] > 1e-6 and high[2] < end + feed - 1e-6:
            face.name = "aperture"
    mesh = ng.Mesh(occ.OCCGeometry(shape).GenerateMesh(maxh=scale * level["size"]))
    space = ng.HCurl(mesh, order=level["order"], complex=True, dirichlet="wall")
    u, v = space.TnT()
    mode = ng.CF((0, ng.cos(math.pi * ng.x / (2 * half)), 0))
    values = []
    for frequency in problems.FREQUENCIES:
        k = 2 * math.pi * frequency / 299792458.0 / scale
        beta = math.sqrt(k * k - (math.pi / (2 * half)) ** 2)
        form = ng.BilinearForm(space, symmetric=True)
        form += (ng.curl(u) * ng.curl(v) - k * k * u * v) * ng.dx
        form += -1j * beta * u.Trace() * v.Trace() * ng.ds("in|out")
        load = ng.LinearForm(-2j * beta * mode * v.Trace() * ng.ds("in"))
        form.Assemble()
        load.Assemble()
        field = ng.GridFunction(space)
        field.vec.data = form.mat.Inverse(space.FreeDofs(), inverse="sparsecholesky") * load.vec
        ports = mesh.Boundaries("in")
        norm = ng.Integrate(mode * mode, mesh, definedon=ports)
        values.append(abs(ng.Integrate(field * mode, mesh, definedon=ports) / norm - 1))
    return values


def main():
    name, level, to = sys.argv[1:]
    level = json.loads(pathlib.Path(level).read_text(encoding="utf-8"))
    make = {"dielectric_sphere": lambda x: sphere(False, x), "metal_sphere": lambda x: sphere(True, x), "ball": ball,
            "box": box, "iris": iris}[name]
    with ng.TaskManager(pajetrace=0):
        values = make(level)
    pathlib.Path(to).write_text(json.dumps(values), encoding="utf-8")


if __name__ == "__main__":
    main()
