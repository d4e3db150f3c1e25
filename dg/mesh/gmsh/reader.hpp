#pragma once

#include <functional>
#include <string>

#include "dg/mesh/gmsh/request.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Gmsh's library, which has one global state: from here on it is initialized. It runs in a process of its own, which
/// ends without finalizing it.
class GmshReader {
 public:
  /// What it says goes to stdout and stderr, a line each.
  GmshReader();

  /// The tetrahedra of a file as Gmsh gives them, not yet prepared; a geometry is meshed first (mesh_geometry).
  /// Gmsh's physical volumes become regions, its physical surfaces surfaces. Ghost elements and the surfaces between
  /// partitions are left out. Volumes all of whose tetrahedra are left-handed are turned. `say` is told what the user
  /// may want to know. Throws MeshError without the file's name.
  [[nodiscard]] Mesh read(const GmshRequest& request, const std::function<void(const std::string&)>& say);
};

}  // namespace maxwell_dg::dg
