#pragma once

#include <string>
#include <vector>

#include "dg/operator/fused_generator.hpp"

namespace maxwell_dg::dg {

/// Prints dg/kernels/stage_tiles.kernel, a stage by tiles of elements and nodes (Schedule::Slicing::element_tiles), and
/// arranges matrices the way that kernel reads them.
class TileGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule that is none of element_tiles.
  TileGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return options_.schedule.warps * 32; }
  [[nodiscard]] std::size_t on_chip_bytes() const override;
  /// Right-hand factors, [node tile][step of 8 columns][of `matrices`][item][entry]: what one item reads is adjacent.
  /// On tensor cores a single-precision entry is split in two TF32 numbers.
  [[nodiscard]] std::vector<double> factors(const std::vector<const Eigen::MatrixXd*>& matrices) const override;

 private:
  [[nodiscard]] rtcg::syntax::Block load_operand_invariants(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block volume_products(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block equations(const Part& part) const;
  [[nodiscard]] std::string volume_of(const Part& part) const;
  [[nodiscard]] std::string lift_of(const Part& part) const;
  [[nodiscard]] std::string store_of(const Part& part) const;
  /// `if (part == 0) {...}` and so on.
  [[nodiscard]] std::string each_part(std::string (TileGenerator::*text_of_part)(const Part&) const) const;
  [[nodiscard]] rtcg::syntax::Block fluxes() const;
  [[nodiscard]] bool tensor_cores() const { return options_.schedule.products == Schedule::Products::tensor_cores; }

  int trace_row_, warps_a_tile_row_{}, tiles_a_warp_{};
};

}  // namespace maxwell_dg::dg
