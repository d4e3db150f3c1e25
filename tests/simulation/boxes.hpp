#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::testing {

/// Names the cells of a box after what is at their centroids; those without a name are left out.
[[nodiscard]] inline dg::Mesh box_of_regions(const dg::Box& box,
                                             const std::function<std::string(const dg::Point&)>& region_at) {
  dg::Mesh mesh = dg::make_box(box), kept = mesh;
  kept.cells.clear();
  kept.cell_region.clear();
  kept.regions.clear();
  for (const auto& cell : mesh.cells) {
    const std::string region = region_at(centroid(mesh, cell));
    if (region.empty()) continue;
    auto found = std::ranges::find(kept.regions, region);
    if (found == kept.regions.end()) found = kept.regions.insert(found, region);
    kept.cells.push_back(cell);
    kept.cell_region.push_back(static_cast<std::int32_t>(found - kept.regions.begin()));
  }
  return kept;
}

/// Cubes in each other, around the origin: `body`, `near`, `outer`. From `min`, which is 0 or -0.9 along each axis.
[[nodiscard]] inline dg::Mesh box_around_near(const dg::Point& min) {
  std::array<int, 3> cells{};
  for (std::size_t i = 0; i < 3; ++i) cells.at(i) = min[i] < 0 ? 6 : 3;
  return box_of_regions({.min = min, .max = {0.9, 0.9, 0.9}, .cells = cells}, [](const dg::Point& x) {
    const double largest = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
    return largest < 0.3 ? "body" : largest < 0.6 ? "near" : "outer";
  });
}

}  // namespace maxwell_dg::testing
