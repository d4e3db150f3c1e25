#pragma once

namespace maxwell_dg::dg {

/// How Gmsh meshes a geometry.
struct GmshMeshing {
  int order = 0;    ///< of the elements' geometry; 0: as a script says
  double size = 0;  ///< length of edges to aim at, in the units of the geometry; 0: none

  /// A script is meshed as it says alone.
  [[nodiscard]] bool asks_for_nothing() const { return order == 0 && size == 0; }
};

}  // namespace maxwell_dg::dg
