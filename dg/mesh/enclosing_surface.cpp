#include "dg/mesh/enclosing_surface.hpp"

namespace maxwell_dg::dg {

std::vector<ElementFace> enclosing_surface(const Connectivity& connectivity, const std::vector<bool>& enclosed,
                                           const RegionSet& regions) {
  std::vector<ElementFace> faces;
  for (std::size_t k = 0; k < connectivity.neighbours.size(); ++k) {
    if (enclosed.at(k)) continue;
    for (int face = 0; face < 4; ++face) {
      const std::int32_t code = connectivity.neighbours[k].at(static_cast<std::size_t>(face));
      const bool leads_inside =
          code < 0 ? regions.contains(connectivity.boundary_faces.at(static_cast<std::size_t>(-1 - code)).behind)
                   : enclosed.at(static_cast<std::size_t>(code / 4));
      if (leads_inside) faces.push_back({k, face});
    }
  }
  return faces;
}

}  // namespace maxwell_dg::dg
