// An eighth of a ball of radius 1, x, y and z positive. Surfaces: wall, and unnamed ones in the planes. Volume: interior.
// For curved elements: mesh.order in the config.
SetFactory("OpenCASCADE");
DefineConstant[
  size = {0.6, Name "edge length"}
];
Sphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};
eps = 1e-3;
wall() = Surface In BoundingBox{-eps, -eps, -eps, 1 + eps, 1 + eps, 1 + eps};
planes() = Surface In BoundingBox{-eps, -eps, -eps, eps, 1 + eps, 1 + eps};
planes() += Surface In BoundingBox{-eps, -eps, -eps, 1 + eps, eps, 1 + eps};
planes() += Surface In BoundingBox{-eps, -eps, -eps, 1 + eps, 1 + eps, eps};
wall() -= planes();
Physical Surface("wall") = wall();
Physical Volume("interior") = {1};
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
