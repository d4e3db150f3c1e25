// The unit cube, cut at x = 1/2 into two volumes that share the interface. Surface: wall. Volumes: left, right.
SetFactory("OpenCASCADE");
DefineConstant[
  size = {0.35, Name "edge length"},
  interface_at = {0.5, Name "position of the interface in x"}
];
Box(1) = {0, 0, 0, interface_at, 1, 1};
Box(2) = {interface_at, 0, 0, 1 - interface_at, 1, 1};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }  // the interface becomes one surface of both

Physical Volume("left") = {1};
Physical Volume("right") = {2};
Physical Surface("wall") = CombinedBoundary{ Volume{1, 2}; };

Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Mesh.MeshSizeFromPoints = 0;
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.5;
