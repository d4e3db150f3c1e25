// A metal sphere in air: the ball of radius `outer_radius` around the sphere of radius 1, which is a hole. The air is
// cut in two by a sphere on whose faces the far field is taken, and ends in a shell that is to absorb.
// Surfaces: metal, outer. Volumes: near, air, shell. Set the parameters with `gmsh -setnumber NAME VALUE`, or here.
SetFactory("OpenCASCADE");
DefineConstant[
  facet = {0.32, Name "edge length on the metal"},
  coarse = {0.75, Name "edge length at the outer boundary"},
  near_radius = {1.6, Name "radius of the sphere between the volumes"},
  shell_radius = {2.4, Name "radius where the shell begins"},
  outer_radius = {3.4, Name "radius of the outer boundary"},
  // Vertices lie on a sphere of this radius, so that the polyhedron inside them has the volume of the ball of radius 1:
  // about 1 + 0.12 facet^2.
  metal_radius = {1 + 0.12 * facet * facet, Name "radius of the sphere on which the metal's vertices lie"}
];
Sphere(1) = {0, 0, 0, outer_radius};
Sphere(2) = {0, 0, 0, near_radius};
Sphere(3) = {0, 0, 0, metal_radius};
Sphere(4) = {0, 0, 0, shell_radius};
BooleanDifference(5) = { Volume{2}; }{ Volume{3}; Delete; };
BooleanDifference(6) = { Volume{4}; }{ Volume{2}; Delete; };
BooleanDifference(7) = { Volume{1}; Delete; }{ Volume{4}; Delete; };
BooleanFragments{ Volume{5}; Delete; }{ Volume{6, 7}; Delete; }

// The smaller sphere is the one within a box that the larger ones do not fit into.
size = (1 + near_radius) / 2;
metal[] = Surface In BoundingBox{-size, -size, -size, size, size, size};
far = 1.1 * outer_radius;
outer[] = Surface In BoundingBox{-far, -far, -far, far, far, far};
middle = 1.1 * shell_radius;
outer[] -= Surface In BoundingBox{-middle, -middle, -middle, middle, middle, middle};
near[] = Volume In BoundingBox{-1.1 * near_radius, -1.1 * near_radius, -1.1 * near_radius,
                               1.1 * near_radius, 1.1 * near_radius, 1.1 * near_radius};
air[] = Volume In BoundingBox{-1.1 * shell_radius, -1.1 * shell_radius, -1.1 * shell_radius,
                              1.1 * shell_radius, 1.1 * shell_radius, 1.1 * shell_radius};
shell[] = Volume In BoundingBox{-far, -far, -far, far, far, far};
shell[] -= air[];
air[] -= near[];
Physical Surface("metal") = {metal[]};
Physical Surface("outer") = {outer[]};
Physical Volume("near") = {near[]};
Physical Volume("air") = {air[]};
Physical Volume("shell") = {shell[]};

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
