// A quarter (x, y > 0) of a dipole along z: two tubes of metal without thickness, open at both ends, with a gap between
// them. Lengths in metres. Inside a tube fields fall by exp(-2.4 z / radius), so the middle of each is left out. With
// ground = 1 the half above the plane z = 0: a monopole on a conducting plane, over half of the gap. Elements of the layer
// end at the planes between its sides, edges and corners, so that a PML there reflects less.
SetFactory("OpenCASCADE");
DefineConstant[ ground = 0, half = 0.228, radius = 0.01, gap = 0.02, near = 0.07, air = 0.15, layer = 0.58 ];
DefineConstant[ fine = 0.01, along = 0.02, growth = 0.6, coarse = 0.2 ];
a = radius; g = gap / 2; plug = 4 * a; e = 1e-5;
If (ground)
  z() = {0, g, g + plug, half - plug, half};
Else
  z() = {-half, -half + plug, -g - plug, -g, g, g + plug, half - plug, half};
EndIf
last = #z() - 2;  // of the pieces of the tubes and the gap
margins() = {near, air, air + layer};
For i In {0 : 2}
  m = margins(i); bottom = ground ? 0 : -half - m;
  Box(i + 1) = {0, 0, bottom, m, m, half + m - bottom};
EndFor
v = 3;
For i In {0 : last}
  For s In {0 : 1}  // an eighth of the circle each
    v += 1;
    Cylinder(v) = {0, 0, z(i), 0, 0, z(i + 1) - z(i), a, Pi / 4};
    Rotate {{0, 0, 1}, {0, 0, 0}, s * Pi / 4} { Volume{v}; }
  EndFor
EndFor
w = air + layer; h = half + w; bottom = ground ? 0 : -h;
Box(v + 1) = {air, 0, bottom, layer, w, h - bottom};
Box(v + 2) = {0, air, bottom, w, layer, h - bottom};
Box(v + 3) = {0, 0, half + air, w, w, layer};
v += 3;
If (!ground)
  v += 1;
  Box(v) = {0, 0, -h, w, w, layer};
EndIf
BooleanFragments{ Volume{3}; Delete; }{ Volume{1, 2, 4 : v}; Delete; }

lower() = {}; upper() = {}; feed() = {}; omitted() = {};
Transfinite Curve{Curve In BoundingBox {-e, -e, -half - e, a + e, a + e, half + e}} = 2;
For i In {0 : last}
  from = z(i); to = z(i + 1); middle = (from + to) / 2;
  is_omitted = Abs(middle) > g + plug && Abs(middle) < half - plug;
  // Layers along the axis.
  c() = Curve In BoundingBox {-e, -e, from - e, a + e, a + e, to + e};
  c() -= {Curve In BoundingBox {-e, -e, from - e, a + e, a + e, from + e}};
  c() -= {Curve In BoundingBox {-e, -e, to - e, a + e, a + e, to + e}};
  Transfinite Curve{c()} = Ceil((to - from) / (is_omitted ? along : fine) - e) + 1;
  // The faces on the tube: those in the planes x = 0, y = 0 and x = y, and across the axis, are not.
  ends() = Surface In BoundingBox {-e, -e, from - e, a + e, a + e, from + e};
  ends() += {Surface In BoundingBox {-e, -e, to - e, a + e, a + e, to + e}};
  s() = Surface In BoundingBox {-e, -e, from - e, a + e, a + e, to + e};
  s() -= {Surface In BoundingBox {-e, -e, from - e, e, a + e, to + e}};
  s() -= {Surface In BoundingBox {-e, -e, from - e, a + e, e, to + e}};
  s() -= {Surface In BoundingBox {-e, -e, from - e, a * Cos(Pi / 4) + e, a * Sin(Pi / 4) + e, to + e}};
  s() -= {ends()};
  If (is_omitted)
    omitted() += {Volume In BoundingBox {-e, -e, from - e, a + e, a + e, to + e}};
    s() += {ends()};
  EndIf
  If (Abs(middle) < g)
    feed() += {s()};
  ElseIf (middle > 0)
    upper() += {s()};
  Else
    lower() += {s()};
  EndIf
EndFor
Transfinite Surface{Surface In BoundingBox {-e, -e, -half - e, a + e, a + e, half + e}};
Recursive Delete { Volume{omitted()}; }

Physical Surface("upper") = {upper()};
Physical Surface("gap") = {feed()};
outer() = Surface In BoundingBox {w - e, -e, -h - e, w + e, w + e, h + e};
outer() += {Surface In BoundingBox {-e, w - e, -h - e, w + e, w + e, h + e}};
outer() += {Surface In BoundingBox {-e, -e, h - e, w + e, w + e, h + e}};
If (ground)
  Physical Surface("ground") = {Surface In BoundingBox {-e, -e, -e, w + e, w + e, e}};
Else
  outer() += {Surface In BoundingBox {-e, -e, -h - e, w + e, w + e, -h + e}};
  Physical Surface("lower") = {lower()};
EndIf
Physical Surface("outer") = {outer()};
close() = Volume In BoundingBox {-e, -e, -half - near - e, near + e, near + e, half + near + e};
open() = Volume In BoundingBox {-e, -e, -half - air - e, air + e, air + e, half + air + e};
shell() = Volume{:};
shell() -= {open()};
open() -= {close()};
Physical Volume("near") = {close()};
Physical Volume("air") = {open()};
Physical Volume("shell") = {shell()};

// Edges: `fine` at the gap and the open ends, `along` on the tubes, growing away from them.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g * sqrt(x*x + y*y + ((abs(z) - %g + abs(abs(z) - %g)) / 2)^2)", along, growth, half, half);
Field[2] = MathEval;
Field[2].F = Sprintf("%g + %g * sqrt(x*x + y*y + (abs(z) - %g)^2)", fine, growth, half);
Field[3] = MathEval;
Field[3].F = Sprintf("%g + %g * sqrt(x*x + y*y + z*z)", fine, growth);
Field[4] = MathEval;
Field[4].F = Sprintf("%g", coarse);
Field[5] = Min;
Field[5].FieldsList = {1 : 4};
Background Field = 5;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
