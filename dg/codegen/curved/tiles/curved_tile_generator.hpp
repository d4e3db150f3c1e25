#pragma once

#include <cstddef>
#include <vector>

#include "dg/codegen/curved/curved_kinds.hpp"
#include "dg/codegen/curved/tiles/curved_tile_sizes.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/curved/tiles/stage_curved_tiles.kernel, for GPUs: a group of work-items computes several elements,
/// whose products are tiles of elements by points, by tensor cores where there are any.
class CurvedTileGenerator : public CurvedGenerator {
 public:
  /// Throws std::invalid_argument for a system or tiles that do not fit.
  CurvedTileGenerator(const CurvedProblem& problem, const CurvedTiles& tiles);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return sizes_.items(); }
  [[nodiscard]] int elements_per_group() const override { return sizes_.tiles.elements; }
  [[nodiscard]] std::size_t shared_bytes() const override { return sizes_.shared_bytes(); }
  [[nodiscard]] bool has_directions() const override { return true; }
  [[nodiscard]] PointOrder invariant_order() const override {
    return {.numbers_at_once = sizes_.numbers_at_once(), .points_at_once = sizes_.tile_nodes};
  }
  /// From nodes of a face to its points, also as factors of tiles; then as such V D_r, V D_s, V D_t and V lift, with V
  /// from nodes to volume points; and the projection.
  [[nodiscard]] std::vector<std::vector<double>> matrices() const override;

 private:
  [[nodiscard]] rtcg::Record values() const;
  [[nodiscard]] rtcg::Record part_values(const CurvedProducts::Part& part) const;
  /// Fluxes of faces that have the same: {faces, flux}.
  [[nodiscard]] rtcg::Value::List flux_values_of_faces() const;

  CurvedProducts products_;
  CurvedTileSizes sizes_;
};

[[nodiscard]] CurvedKind curved_tiles();

}  // namespace maxwell_dg::dg
