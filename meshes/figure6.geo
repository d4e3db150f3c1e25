// An aircraft of metal, 6.4 long and 5.2 across, in a ball of air of radius `outer_radius`. The plane z = 0 through the
// air is a surface of its own, to show fields on. Surfaces: metal, plane, outer. Volume: air. About 79,000 tetrahedra.
// Set the parameters with `gmsh -setnumber NAME VALUE`, or here; `scale` makes all of the mesh coarser.
SetFactory("OpenCASCADE");
DefineConstant[
  scale = {1, Name "factor on all edge lengths"},
  facet = {0.162, Name "edge length on the metal"},
  coarse = {0.578, Name "edge length at the outer boundary"},
  outer_radius = {5.2, Name "radius of the outer boundary"}
];

// Fuselage along x, the nose at +x.
Cylinder(1) = {-2.2, 0, 0.1, 4, 0, 0, 0.42};
Cone(2) = {1.8, 0, 0.1, 1.4, 0, 0, 0.42, 0.1};
Cone(3) = {-2.2, 0, 0.1, -1, 0, 0, 0.42, 0.16};

// A panel: a prism over four points, `height` thick along z.
Macro Panel
  Point(point) = {x1, y1, z0};
  Point(point + 1) = {x2, y1, z0};
  Point(point + 2) = {x3, y2, z0};
  Point(point + 3) = {x4, y2, z0};
  For i In {0:3}
    Line(point + i) = {point + i, point + (i + 1) % 4};
  EndFor
  Curve Loop(point) = {point:point + 3};
  Plane Surface(point) = {point};
  panel[] = Extrude{0, 0, height}{ Surface{point}; };
Return
height = 0.14;
z0 = -0.09;
x1 = 0.9; x2 = -0.7; x3 = -1.2; x4 = -0.6;
point = 1001; y1 = 0; y2 = 2.6;
Call Panel;
wing_1 = panel[1];
point = 1101; y1 = 0; y2 = -2.6;
Call Panel;
wing_2 = panel[1];
z0 = 0.08; height = 0.12;
x1 = -2.3; x2 = -3.1; x3 = -3.4; x4 = -3;
point = 1201; y1 = 0; y2 = 1;
Call Panel;
tail_1 = panel[1];
point = 1301; y1 = 0; y2 = -1;
Call Panel;
tail_2 = panel[1];
// The fin is a panel turned upright.
z0 = -0.06;
point = 1401; y1 = 0.1; y2 = 1.3;
Call Panel;
Rotate{{1, 0, 0}, {0, 0, 0}, Pi / 2}{ Volume{panel[1]}; }
BooleanUnion(100) = { Volume{1}; Delete; }{ Volume{2, 3, wing_1, wing_2, tail_1, tail_2, panel[1]}; Delete; };

Sphere(200) = {0, 0, 0, outer_radius};
BooleanDifference(300) = { Volume{200}; Delete; }{ Volume{100}; Delete; };
Disk(3000) = {0, 0, 0, outer_radius};
BooleanFragments{ Volume{300}; Delete; }{ Surface{3000}; Delete; }

near = 4;
e = 0.001;
within[] = Surface In BoundingBox{-near, -near, -near, near, near, near};
flat[] = Surface In BoundingBox{-6, -6, -e, 6, 6, e};
all[] = Surface In BoundingBox{-6, -6, -6, 6, 6, 6};
// The plane's piece outside of the aircraft is the one that reaches to the outer boundary; that inside bounds nothing.
plane[] = flat[];
plane[] -= within[];
metal[] = within[];
metal[] -= flat[];
outer[] = all[];
outer[] -= within[];
outer[] -= plane[];
Physical Surface("metal") = {metal[]};
Physical Surface("plane") = {plane[]};
Physical Surface("outer") = {outer[]};
Physical Volume("air") = {Volume{:}};

// The edge length grows with the distance from the metal.
Field[1] = Distance;
Field[1].FacesList = {metal[]};
Field[1].EdgesList = {Boundary{ Surface{metal[]}; }};
Field[1].NNodesByEdge = 40;
Field[2] = MathEval;
Field[2].F = Sprintf("%g * (%g + %g * F1)", scale, facet, (coarse - facet) / (outer_radius - 1));
Background Field = 2;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;  // removes slivers, whose inscribed radius sets the time step
