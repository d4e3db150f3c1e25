#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "core/round_up.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/codegen/tiles/step_matrices.hpp"
#include "dg/codegen/tiles/tile_factors.hpp"
#include "dg/codegen/tiles/tile_operators.hpp"
#include "dg/codegen/tiles/tile_sizes.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/tiles/stage_tiles.kernel, a stage by tiles of elements and nodes
/// (Schedule::Tiles), and arranges matrices the way that kernel reads them.
class TileGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of another slicing, or that does not fit (TileSizes).
  TileGenerator(const LoweredSystem& lowered, Options options) : TileGenerator(lowered, std::move(options), nullptr) {}

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int elements_per_group() const override { return slicing().elements; }
  [[nodiscard]] int group_items() const override { return slicing().warps * 32; }
  [[nodiscard]] std::size_t on_chip_bytes() const override { return sizes_.shared_bytes; }
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override { return sizes_.invariant_row; }
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  /// Of LIFT with its columns in the order of the fluxes on the chip.
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;

 protected:
  [[nodiscard]] const Schedule::Tiles& slicing() const { return options_.schedule.as<Schedule::Tiles>(); }
  /// `mirrored` where matrices act between mirror sums; it is not kept.
  TileGenerator(const LoweredSystem& lowered, Options options, const MirrorTiling* mirrored);

  // What MirrorTileGenerator does another way, in the order of the kernel.
  /// Who computes and stores what at which node.
  [[nodiscard]] virtual std::string definitions() const;
  [[nodiscard]] virtual std::string padding() const;
  /// Kept on the chip.
  [[nodiscard]] virtual std::string make_operands() const;
  [[nodiscard]] virtual std::string volume_of(const Part& part) const;
  [[nodiscard]] virtual std::string gather_first(const std::string& gather) const { return gather; }
  [[nodiscard]] virtual std::string gather_last(const std::string& /*gather*/) const { return ""; }
  /// A barrier at least. `wall` is what an item does at a wall.
  [[nodiscard]] virtual std::string before_fluxes(const std::string& /*wall*/) const { return "BARRIER();"; }
  /// What an item has to know of its flux.
  [[nodiscard]] virtual std::string look_up_flux() const { return ""; }
  [[nodiscard]] virtual std::string load_neighbour() const;
  [[nodiscard]] virtual std::string wall_of_item(const std::string& wall) const;
  /// A flux that a field has only on a slanted face.
  [[nodiscard]] virtual rtcg::syntax::Statement put_on_slanted(const std::string& place,
                                                               const std::string& value) const;
  [[nodiscard]] virtual std::string after_fluxes() const { return ""; }
  [[nodiscard]] virtual std::string lift_of(const Part& part) const;
  /// In the basis of the element, the right-hand side of a field of the sums of both terms.
  [[nodiscard]] virtual symbolic::Expr equation_of_sums(int field) const {
    return contracted_.equations.at(index(field));
  }
  /// Results to the chip, a node's numbers where its fields are.
  [[nodiscard]] virtual std::string store_results() const;
  [[nodiscard]] virtual std::string store_of(const Part& part) const;

  [[nodiscard]] const TileOperators& operators() const { return sizes_.operators; }
  /// rhs of a part's fields of the contractions, which are `w`.
  [[nodiscard]] std::string volume_terms(const Part& part, const std::vector<symbolic::Expr>& terms) const;
  /// `if (part == 0) {...}` and so on.
  [[nodiscard]] std::string each_part(const std::function<std::string(const Part&)>& text_of_part) const;
  [[nodiscard]] FactorForm factor_form() const { return sizes_.factor_form(); }
  /// In which order a tile of 8 nodes has them: an item's two are next to each other and stored together, but where
  /// rows have an odd number of nodes, four apart, so that items store to different banks.
  [[nodiscard]] NodeOrder order_of_nodes() const {
    return sizes_.tile_elements == 16 && Np_ % 2 != 0 ? NodeOrder::in_halves : NodeOrder::in_pairs;
  }

  TileSizes sizes_;

 private:
  [[nodiscard]] std::vector<double> factors(const std::vector<const Eigen::MatrixXd*>& matrices) const;
  [[nodiscard]] rtcg::syntax::Block load_operand_invariants(const Part& part) const;
  /// What a step multiplies by those of its `matrices`.
  [[nodiscard]] rtcg::syntax::Block volume_products(const Part& part, const std::string& matrices) const;
  /// rhs of a part's fields as `equations` say, [field of the part], where contraction w has the value `of_sum(w)`.
  [[nodiscard]] std::string equations(const Part& part, const std::vector<symbolic::Expr>& equations,
                                      const std::function<std::string(int)>& of_sum) const;
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
  static constexpr int steps_a_sum = 8;
  /// Whether so many steps of a product get sums of their own.
  [[nodiscard]] bool sums_apart() const;
  /// Adds the lift's sums to rhs, and begins new ones.
  [[nodiscard]] rtcg::syntax::Block add_lifted(const Part& part) const;
  /// In the basis of the element: the right-hand side of the sums of both terms.
  [[nodiscard]] std::string equations_of(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block load_face() const;
  /// In the basis of the element: the axes of the own face, and which of both is slanted.
  [[nodiscard]] rtcg::syntax::Block declare_faces() const;
  /// In the basis of the element, where the metric is not at hand: of a wall.
  [[nodiscard]] rtcg::syntax::Block normal_of_wall() const;
  [[nodiscard]] rtcg::syntax::Block load_inside() const;
  [[nodiscard]] rtcg::syntax::Block fluxes() const;
  [[nodiscard]] bool tensor_cores() const { return slicing().products == Schedule::Tiles::Products::tensor_cores; }
  [[nodiscard]] bool operands_on_chip() const { return slicing().operands != Schedule::Tiles::Operands::of_each_warp; }
  /// Whether a left factor comes from rows by one instruction: tensor cores have one for numbers of 32 bits, and fields
  /// begin at multiples of 16 bytes.
  [[nodiscard]] bool reads_rows_of_left() const {
    return factor_form() == FactorForm::tf32_parts && Np_ % vector_size() == 0;
  }
  /// How many faces the items gather at a time: whole passes, which need not ask which faces there are, if they are no
  /// more than one more; else as few as the least passes take.
  [[nodiscard]] int faces_a_pass() const;
  [[nodiscard]] bool by_node() const { return options_.schedule.connects_nodes(); }
  [[nodiscard]] std::vector<std::pair<std::string, int>> sizes() const;
  /// Who multiplies what of a tile, and tables of factors.
  [[nodiscard]] std::string multiplication() const;
  [[nodiscard]] std::string gather() const;
  [[nodiscard]] std::string place_of_neighbour(const std::string& numbers_an_element) const;
  /// Of an element's fields, and of its right-hand side where results are.
  [[nodiscard]] std::string padding_of_fields() const;
  [[nodiscard]] std::string padding_of_results() const;
  [[nodiscard]] bool by_face() const { return slicing().fluxes == Schedule::Tiles::Fluxes::by_face; }
};

}  // namespace maxwell_dg::dg
