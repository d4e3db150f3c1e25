// A ball of radius 1 in air, around it a layer that absorbs: concentric spheres, for scattering by a ball of a medium.
// Volumes: ball, near (its outer face takes the incident wave and the far field), air, shell. Surfaces: ball_surface,
// outer. Set the parameters with `gmsh -setnumber NAME VALUE`, or here.
SetFactory("OpenCASCADE");
DefineConstant[
  facet = {0.34, Name "edge length on the ball"},
  coarse = {0.6, Name "edge length at the outer boundary"},
  near_radius = {1.5, Name "radius of the sphere between near and air"},
  layer_radius = {2, Name "where the layer begins"},
  outer_radius = {3.2, Name "radius of the outer boundary"},
  // Vertices lie on a sphere of this radius, so that the polyhedron inside them has the volume of the ball of radius 1:
  // about 1 + 0.12 facet^2.
  ball_radius = {1 + 0.12 * facet * facet, Name "radius of the sphere on which the ball's vertices lie"}
];
Sphere(1) = {0, 0, 0, outer_radius};
Sphere(2) = {0, 0, 0, layer_radius};
Sphere(3) = {0, 0, 0, near_radius};
Sphere(4) = {0, 0, 0, ball_radius};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2, 3, 4}; Delete; }

// Each volume is what lies within its box and not within the smaller ones.
margin = 0.05;
r = ball_radius + margin;
ball[] = Volume In BoundingBox{-r, -r, -r, r, r, r};
ball_surface[] = Surface In BoundingBox{-r, -r, -r, r, r, r};
r = near_radius + margin;
near[] = Volume In BoundingBox{-r, -r, -r, r, r, r};
r = layer_radius + margin;
air[] = Volume In BoundingBox{-r, -r, -r, r, r, r};
inner[] = Surface In BoundingBox{-r, -r, -r, r, r, r};
r = outer_radius + margin;
shell[] = Volume In BoundingBox{-r, -r, -r, r, r, r};
outer[] = Surface In BoundingBox{-r, -r, -r, r, r, r};
outer[] -= inner[];
shell[] -= air[];
air[] -= near[];
near[] -= ball[];
Physical Surface("ball_surface") = {ball_surface[]};
Physical Surface("outer") = {outer[]};
Physical Volume("ball") = {ball[]};
Physical Volume("near") = {near[]};
Physical Volume("air") = {air[]};
Physical Volume("shell") = {shell[]};

// The edge length grows linearly with the distance from the ball.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + (%g - %g) * Max(0, sqrt(x*x + y*y + z*z) - 1) / (%g - 1)", facet, coarse, facet,
                     outer_radius);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;  // removes slivers, whose inscribed radius sets the time step
