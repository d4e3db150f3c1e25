#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "dg/mesh/gmsh/request.hpp"

namespace maxwell_dg::dg {

/// Opens a geometry in Gmsh, and meshes it in three dimensions. A script that is asked for neither an order nor a size
/// is meshed as Gmsh does it. Else Gmsh's Netgen improves the elements, where it has it, cells with flat corners
/// are cut (dg/mesh/gmsh/flat_corners.hpp), and the nodes of the order are put onto the geometry. `say` is told what
/// the user may want to know. Throws MeshError without the file's name; for a size that asks for too many elements,
/// before any is made (dg/mesh/gmsh/element_estimate.hpp).
void mesh_geometry(const GmshRequest& request, const std::function<void(const std::string&)>& say);

/// Lets Gmsh's optimizer of curved elements (see can_mend) move nodes until no element folds over, as far as it can.
void mend_curved_elements();

}  // namespace maxwell_dg::dg
