// A spherical cavity of radius 1. Surface: wall. Volume: interior.
SetFactory("OpenCASCADE");
DefineConstant[
  size = {0.5, Name "edge length"},
  radius = {1, Name "radius"}
];
Sphere(1) = {0, 0, 0, radius};
Physical Surface("wall") = Boundary{ Volume{1}; };
Physical Volume("interior") = {1};

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
