#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace maxwell_dg::dg {

/// Some of the regions of a mesh.
struct RegionSet {
  std::vector<bool> named;  ///< [region]
  bool unnamed{};           ///< cells without a region, too?

  /// `region`: as in Mesh::cell_region, or Connectivity::BoundaryFace::outside, which no set contains.
  [[nodiscard]] bool contains(std::int32_t region) const {
    if (region < 0) return region == -1 && unnamed;
    return static_cast<std::size_t>(region) < named.size() && named[static_cast<std::size_t>(region)];
  }
};

}  // namespace maxwell_dg::dg
