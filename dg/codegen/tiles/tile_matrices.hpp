#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "dg/codegen/tiles/tile_sizes.hpp"
#include "dg/reference/reference_element.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// What the matrices of a stage by tiles act on: values at nodes (of_nodes), or mirror sums (of_mirror_sums). Outside
/// of the kernel's text the two ways differ in what is here.
class TileMatrices {
 public:
  virtual ~TileMatrices() = default;
  /// Dr, Ds and Dt, and LIFT, arranged by tiles and steps as the kernel reads them.
  [[nodiscard]] virtual std::vector<double> derivative_factors(const ReferenceElement& reference) const = 0;
  [[nodiscard]] virtual std::vector<double> lift_factors(const ReferenceElement& reference) const = 0;
  /// What the kernel looks up behind the nodes of faces, in Fmask.
  [[nodiscard]] virtual std::vector<std::int32_t> more_node_words(const ReferenceElement&) const { return {}; }
  /// Sizes that the kernel's text has beside those of all tiles, and tables for it.
  [[nodiscard]] virtual std::vector<std::pair<std::string, int>> sizes() const { return {}; }
  [[nodiscard]] virtual rtcg::Record tables() const { return {}; }
};

// Both keep a copy of what they are given.
[[nodiscard]] std::unique_ptr<TileMatrices> matrices_of_nodes(const TileSizes& sizes);
[[nodiscard]] std::unique_ptr<TileMatrices> matrices_of_mirror_sums(const TileSizes& sizes, const MirrorTiling& tiling);

}  // namespace maxwell_dg::dg
