// A quarter, x and y positive, of a round coaxial line along z with a bead in its middle, in millimetres. Volumes: air,
// bead. Surfaces: near_end, far_end; the conductors and the planes have no names. For curved elements: mesh.order.
SetFactory("OpenCASCADE");
DefineConstant[
  inner = {1.5, Name "radius of the inner conductor"},
  outer = {3.45, Name "radius of the outer conductor"},
  size = {2, Name "edge length"}
];
lengths[] = {4, 3, 4};
z = 0;
For i In {0:2}
  Cylinder(10 + i) = {0, 0, z, 0, 0, lengths[i], outer, Pi/2};
  Cylinder(20 + i) = {0, 0, z, 0, 0, lengths[i], inner, Pi/2};
  BooleanDifference(1 + i) = { Volume{10 + i}; Delete; }{ Volume{20 + i}; Delete; };
  z = z + lengths[i];
EndFor
Coherence;
eps = 1e-3;
Physical Volume("air") = {1, 3};
Physical Volume("bead") = {2};
Physical Surface("near_end") = { Surface In BoundingBox{-eps, -eps, -eps, outer + eps, outer + eps, eps} };
Physical Surface("far_end") = { Surface In BoundingBox{-eps, -eps, z - eps, outer + eps, outer + eps, z + eps} };
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
