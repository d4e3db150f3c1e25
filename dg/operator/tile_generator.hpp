#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "dg/operator/fused_generator.hpp"
#include "dg/operator/mirror_tiles.hpp"
#include "dg/operator/step_matrices.hpp"
#include "dg/operator/tile_factors.hpp"

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
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override;
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  /// Of LIFT with its columns in the order of the fluxes on the chip.
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;
  /// With mirror sums, adds mirror_words, then what a flux at a node looks up (flux_words).
  [[nodiscard]] std::vector<std::int32_t> node_words(const ReferenceElement& reference) const override;

 private:
  [[nodiscard]] std::vector<double> factors(const std::vector<const Eigen::MatrixXd*>& matrices) const;
  [[nodiscard]] rtcg::syntax::Block load_operand_invariants(const Part& part) const;
  [[nodiscard]] std::string make_operands() const;
  // By mirror sums (Schedule::multiplies_mirror_sums): what takes the place of the others.
  [[nodiscard]] std::string mirror_definitions() const;
  [[nodiscard]] std::string make_mirrored_operands() const;
  [[nodiscard]] std::string mirror_fluxes() const;
  [[nodiscard]] rtcg::syntax::Block load_invariants_of_element(std::span<const symbolic::Expr> expressions) const;
  [[nodiscard]] rtcg::syntax::Block mirrored_products(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block mirrored_lift(const Part& part) const;
  /// Between mirror sums: [tile][axis][step of the axis' kind], as mirror_tiles counts.
  [[nodiscard]] std::vector<double> mirrored_factors(const std::vector<Eigen::MatrixXd>& matrices,
                                                     const MirrorColumns& columns) const;
  [[nodiscard]] bool multiplies_mirror_sums() const override { return mirror_.has_value(); }
  /// Results to the chip, a node's numbers where its fields are.
  [[nodiscard]] std::string store_results() const;
  [[nodiscard]] FactorForm factor_form() const;
  /// What a step multiplies by those of its `matrices`.
  [[nodiscard]] rtcg::syntax::Block volume_products(const Part& part, const std::string& matrices) const;
  /// rhs of a part's fields as `equations` say, [field of the part], where contraction w has the value `of_sum(w)`.
  [[nodiscard]] std::string equations(const Part& part, const std::vector<symbolic::Expr>& equations,
                                      const std::function<std::string(int)>& of_sum) const;
  [[nodiscard]] std::string volume_of(const Part& part) const;
  /// Steps of the lift, and the fields that have fluxes there, by their numbers in the part. In the basis of the
  /// element not every field has one on every face.
  struct Run {
    int first, end;
    std::vector<int> fields;
  };
  [[nodiscard]] std::vector<Run> lift_runs(const Part& part) const;
  /// What a step of a run multiplies by that of its `lift`.
  [[nodiscard]] rtcg::syntax::Block lift_products(const Part& part, const Run& run, const std::string& lift) const;
  /// Dr, Ds and Dt, and LIFT.
  [[nodiscard]] StepMatrices derivatives() const;
  [[nodiscard]] StepMatrices lifts() const;
  /// Adds the lift's sums to rhs, and begins new ones.
  [[nodiscard]] rtcg::syntax::Block add_lifted(const Part& part) const;
  [[nodiscard]] std::string lift_of(const Part& part) const;
  /// Where the flux at a face's node lies among those of its field: first the nodes of each face that fill whole steps
  /// of the lift, then the others, [face][node], or [node][face] by_face.
  [[nodiscard]] int flux_place(int face, int node) const;
  /// With mirror sums, [face][place in the order of items] of a node of the face, its number in the element and the place
  /// of its flux, a byte each; -1 for none. In an order in which squares of items (bank_order.hpp) have few waits.
  [[nodiscard]] std::vector<std::int32_t> flux_words(const ReferenceElement& reference) const;
  /// In the basis of the element: the right-hand side of the sums of both terms.
  [[nodiscard]] std::string equations_of(const Part& part) const;
  [[nodiscard]] std::string store_of(const Part& part) const;
  /// `if (part == 0) {...}` and so on.
  [[nodiscard]] std::string each_part(std::string (TileGenerator::*text_of_part)(const Part&) const) const;
  [[nodiscard]] rtcg::syntax::Block load_face() const;
  /// In the basis of the element: the axes of the own face, and which of both is slanted.
  [[nodiscard]] rtcg::syntax::Block declare_faces() const;
  /// In the basis of the element, where the metric is not at hand: of a wall.
  [[nodiscard]] rtcg::syntax::Block normal_of_wall() const;
  [[nodiscard]] rtcg::syntax::Block load_inside() const;
  [[nodiscard]] rtcg::syntax::Block fluxes() const;
  [[nodiscard]] bool tensor_cores() const { return options_.schedule.products == Schedule::Products::tensor_cores; }
  [[nodiscard]] bool operands_on_chip() const { return options_.schedule.operands != Schedule::Operands::of_each_warp; }
  /// Volume terms come before the traces, which then have the place of the operands.
  [[nodiscard]] bool multiplies_first() const {
    return options_.schedule.operands == Schedule::Operands::mirrored_first;
  }
  /// How many faces the items gather at a time: whole passes, which need not ask which faces there are, if they are no
  /// more than one more; else as few as the least passes take.
  [[nodiscard]] int faces_a_pass() const;
  [[nodiscard]] bool by_face() const { return options_.schedule.fluxes == Schedule::Fluxes::by_face; }
  /// Whether a few steps of a product get sums of their own.
  [[nodiscard]] bool sums_apart() const;
  [[nodiscard]] int fluxes_of_a_field() const;
  /// Of a row on the chip, with what pads the last step of the last field's lift.
  [[nodiscard]] int traces_read() const;
  /// How many numbers of a face an item reads at once: by whole vectors where it does so for every node.
  [[nodiscard]] int numbers_at_once() const { return by_face() ? 1 : vector_size(); }
  /// Of a row of invariants, in whole vectors.
  [[nodiscard]] int values_of_an_element() const;
  [[nodiscard]] int values_of_a_face() const;

  int tile_elements_, tile_nodes_;  ///< 16 and 8, or 8 and 16 in a group of 8 elements
  int whole_nodes_;                 ///< of each face: those that fill whole steps of the lift
  struct Mirror {
    MirrorColumns nodes, face_nodes;
    std::vector<MirrorTile> tiles;
  };
  std::optional<Mirror> mirror_;
  int trace_row_{}, operand_nodes_{}, operand_row_{}, warps_a_tile_row_{}, tiles_a_warp_{};
};

}  // namespace maxwell_dg::dg
