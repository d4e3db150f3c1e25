#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dg/codegen/fused_generator.hpp"
#include "dg/codegen/tiles/tile_matrices.hpp"
#include "dg/codegen/tiles/tile_sizes.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/tiles/stage_tiles.kernel, a stage by tiles of elements and nodes (Schedule::Tiles), and arranges
/// matrices as that kernel reads them.
class TileGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of another slicing, or that does not fit (TileSizes).
  TileGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int elements_per_group() const override { return slicing().elements; }
  [[nodiscard]] int group_items() const override { return sizes_.items(); }
  [[nodiscard]] std::size_t shared_bytes() const override { return sizes_.shared_bytes; }
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override { return sizes_.invariant_row; }
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override {
    return matrices_->derivative_factors(reference);
  }
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override {
    return matrices_->lift_factors(reference);
  }
  [[nodiscard]] std::vector<std::int32_t> node_words(const ReferenceElement& reference) const override;

 private:
  TileGenerator(const LoweredSystem& lowered, const std::optional<MirrorTiling>& tiling, Options options);

  // What the template is given.
  /// Which of its ways the text takes: `tiles`.
  [[nodiscard]] rtcg::Record choices() const;
  [[nodiscard]] std::vector<std::pair<std::string, int>> sizes() const;
  /// Of a part of the equations: {fields, sums, contractions, volume, invariants, operands, runs}, and in the basis of
  /// the element `equations`, of the sums of volume and surface terms.
  [[nodiscard]] rtcg::Record part_values(const Part& part) const;
  /// An operand of the derivatives: {number, terms: {w, axis, negative}}, and where each warp makes it of the fields,
  /// {value}, or {field, is_negative} where one instruction loads it.
  [[nodiscard]] rtcg::Record operand_values(const Part& part, int number) const;
  /// The lift: runs of steps, [{first, end, steps_a_sum, ends_sums, fields}], with the fields that have fluxes there.
  /// In the basis of the element a field does not have a flux on every face.
  [[nodiscard]] rtcg::Value::List lift_runs(const Part& part) const;
  /// From where matrices are read: {memory, D, LIFT, shared_values, D_values, LIFT_values, are_tables,
  /// D_table, LIFT_table, type}.
  [[nodiscard]] rtcg::Record operator_values() const;
  /// Between mirror sums: tables, what equations have of the fields at a node, and the fields whose fluxes are turned
  /// to the axes of mirror sums together, [{first, count, turned}].
  [[nodiscard]] rtcg::Record mirror_values() const;

  [[nodiscard]] const Schedule::Tiles& slicing() const { return options_.schedule.as<Schedule::Tiles>(); }
  [[nodiscard]] bool has_mirror_sums() const { return slicing().multiplies_mirror_sums(); }
  [[nodiscard]] bool by_face() const { return slicing().fluxes == Schedule::Tiles::Fluxes::by_face; }
  [[nodiscard]] bool shares_operands() const { return slicing().operands != Schedule::Tiles::Operands::of_each_warp; }
  [[nodiscard]] bool has_tensor_cores() const { return slicing().products == Schedule::Tiles::Products::tensor_cores; }
  /// Whether every `steps_a_sum` steps of a product begin new sums: long sums lose accuracy on tensor cores.
  [[nodiscard]] bool sums_apart() const;
  static constexpr int steps_a_sum = 8;

  TileSizes sizes_;
  std::unique_ptr<TileMatrices> matrices_;
};

}  // namespace maxwell_dg::dg
