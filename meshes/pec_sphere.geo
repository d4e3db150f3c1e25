// A metal sphere in air: the ball of radius `outer_radius` around the sphere of radius 1, which is a hole.
// Surfaces: metal, outer. Volume: air. Set the parameters with `gmsh -setnumber NAME VALUE`, or here.
SetFactory("OpenCASCADE");
DefineConstant[
  facet = {0.25, Name "edge length on the metal"},
  coarse = {1.15, Name "edge length at the outer boundary"},
  outer_radius = {6, Name "radius of the outer boundary"},
  // Vertices lie on a sphere of this radius, a little above 1, so that the polyhedron inside them has the volume of
  // the ball of radius 1: what a small sphere scatters goes with its volume. Fits `facet` = 0.25; for other sizes it
  // is about 1 + 0.12 facet^2.
  metal_radius = {1.00745, Name "radius of the sphere on which the metal's vertices lie"}
];
Sphere(1) = {0, 0, 0, outer_radius};
Sphere(2) = {0, 0, 0, metal_radius};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };

// The smaller sphere is the one within a box that the larger one does not fit into.
metal[] = Surface In BoundingBox{-1.5, -1.5, -1.5, 1.5, 1.5, 1.5};
far = 1.1 * outer_radius;
outer[] = Surface In BoundingBox{-far, -far, -far, far, far, far};
outer[] -= metal[];
Physical Surface("metal") = {metal[]};
Physical Surface("outer") = {outer[]};
Physical Volume("air") = {3};

// The edge length grows linearly with the distance from the metal.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + (%g - %g) * (sqrt(x*x + y*y + z*z) - 1) / (%g - 1)", facet, coarse, facet, outer_radius);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;  // removes slivers, whose inscribed radius sets the time step
