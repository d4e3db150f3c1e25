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

/// Prints dg/codegen/tiles/stage_tiles.kernel, a stage by tiles of elements and nodes (Schedule::Tiles), and arranges
/// matrices as that kernel reads them.
class TileGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of another slicing, or that does not fit (TileSizes).
  TileGenerator(const LoweredSystem& lowered, Options options) : TileGenerator(lowered, std::move(options), nullptr) {}

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int elements_per_group() const override { return slicing().elements; }
  [[nodiscard]] int group_items() const override { return slicing().warps * 32; }
  [[nodiscard]] std::size_t shared_bytes() const override { return sizes_.shared_bytes; }
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override { return sizes_.invariant_row; }
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  /// LIFT's, with columns in the order of the fluxes in shared memory.
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;

 protected:
  [[nodiscard]] const Schedule::Tiles& slicing() const { return options_.schedule.as<Schedule::Tiles>(); }
  /// `mirrored`: how mirror sums are tiled, or null without them; it is not kept.
  TileGenerator(const LoweredSystem& lowered, Options options, const MirrorTiling* mirrored);

  // What MirrorTileGenerator overrides, in the order of the kernel.
  /// Definitions of which item computes and stores what at which node.
  [[nodiscard]] virtual std::string definitions() const;
  [[nodiscard]] virtual std::string padding() const;
  /// Computes the left factors and keeps them in shared memory.
  [[nodiscard]] virtual std::string make_operands() const;
  [[nodiscard]] virtual std::string volume_of(const Part& part) const;
  [[nodiscard]] virtual std::string gather_first(const std::string& gather) const { return gather; }
  [[nodiscard]] virtual std::string gather_last(const std::string& /*gather*/) const { return ""; }
  /// What comes between gather and fluxes, at least a barrier. `wall` is the text for a node of a boundary face.
  [[nodiscard]] virtual std::string before_fluxes(const std::string& /*wall*/) const { return "BARRIER();"; }
  /// Declares what the item needs to know of the flux that it computes.
  [[nodiscard]] virtual std::string look_up_flux() const { return ""; }
  [[nodiscard]] virtual std::string load_neighbour() const;
  [[nodiscard]] virtual std::string boundary_of_item(const std::string& wall) const;
  /// Stores a flux that a field has on slanted faces only.
  [[nodiscard]] virtual rtcg::syntax::Statement store_on_slanted(const std::string& place,
                                                                 const std::string& value) const;
  [[nodiscard]] virtual std::string after_fluxes() const { return ""; }
  [[nodiscard]] virtual std::string lift_of(const Part& part) const;
  /// In the basis of the element, the right-hand side of a field as an expression of the sums of volume and surface
  /// terms.
  [[nodiscard]] virtual symbolic::Expr equation_of_sums(int field) const {
    return contracted_.equations.at(index(field));
  }
  /// Stores results in shared memory, each at the offset of its field.
  [[nodiscard]] virtual std::string store_results() const;
  [[nodiscard]] virtual std::string store_of(const Part& part) const;

  [[nodiscard]] const TileOperators& operators() const { return sizes_.operators; }
  /// Adds a part's volume terms to rhs; the contractions are `w`.
  [[nodiscard]] std::string volume_terms(const Part& part, const std::vector<symbolic::Expr>& terms) const;
  /// `if (part == 0) {...}` and so on.
  [[nodiscard]] std::string each_part(const std::function<std::string(const Part&)>& text_of_part) const;
  [[nodiscard]] FactorForm factor_form() const { return sizes_.factor_form(); }
  /// The order of the 8 nodes of a tile. The two nodes of an item are neighbours, so that they are stored together; but
  /// if rows have an odd number of nodes they are four apart, so that items store to different banks.
  [[nodiscard]] NodeOrder order_of_nodes() const {
    return sizes_.tile_elements == 16 && Np_ % 2 != 0 ? NodeOrder::in_halves : NodeOrder::in_pairs;
  }

  TileSizes sizes_;

 private:
  [[nodiscard]] std::vector<double> factors(const std::vector<const Eigen::MatrixXd*>& matrices) const;
  [[nodiscard]] rtcg::syntax::Block load_operand_invariants(const Part& part) const;
  /// The products of a step with its `matrices`.
  [[nodiscard]] rtcg::syntax::Block volume_products(const Part& part, const std::string& matrices) const;
  /// Computes rhs of a part's fields by `equations`, [field of the part]; `of_sum(w)` is the text of contraction w.
  [[nodiscard]] std::string equations(const Part& part, const std::vector<symbolic::Expr>& equations,
                                      const std::function<std::string(int)>& of_sum) const;
  /// A run of steps of the lift, and the fields (by their numbers in the part) that have fluxes there. In the basis of
  /// the element a field does not have a flux on every face.
  struct Run {
    int first, end;
    std::vector<int> fields;
  };
  [[nodiscard]] std::vector<Run> lift_runs(const Part& part) const;
  /// The products of a step of a run with its matrix `lift`.
  [[nodiscard]] rtcg::syntax::Block lift_products(const Part& part, const Run& run, const std::string& lift) const;
  /// Dr, Ds and Dt, and LIFT.
  [[nodiscard]] StepMatrices derivatives() const;
  [[nodiscard]] StepMatrices lifts() const;
  static constexpr int steps_a_sum = 8;
  /// Whether every `steps_a_sum` steps of a product begin new sums: long sums lose accuracy on tensor cores.
  [[nodiscard]] bool sums_apart() const;
  /// Adds the lift's sums to rhs, and begins new ones.
  [[nodiscard]] rtcg::syntax::Block add_lifted(const Part& part) const;
  /// In the basis of the element: the right-hand side of the sums of both terms.
  [[nodiscard]] std::string equations_of(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block load_face() const;
  /// In the basis of the element: the axes of the own face, and which of both is slanted.
  [[nodiscard]] rtcg::syntax::Block declare_faces() const;
  /// In the basis of the element, which keeps no metric: computes the normal of a boundary face.
  [[nodiscard]] rtcg::syntax::Block normal_of_boundary() const;
  [[nodiscard]] rtcg::syntax::Block load_inside() const;
  [[nodiscard]] rtcg::syntax::Block fluxes() const;
  [[nodiscard]] bool tensor_cores() const { return slicing().products == Schedule::Tiles::Products::tensor_cores; }
  [[nodiscard]] bool shares_operands() const { return slicing().operands != Schedule::Tiles::Operands::of_each_warp; }
  /// Whether one instruction loads a left factor from rows: there is one for numbers of 32 bits, if fields begin at
  /// multiples of 16 bytes.
  [[nodiscard]] bool reads_rows_of_left() const {
    return factor_form() == FactorForm::tf32_parts && Np_ % vector_size() == 0;
  }
  /// How many faces the items gather in a pass. If whole passes (the same faces in each) need at most one pass more
  /// than the fewest possible, they are taken, since they need no test of which faces exist; else as few faces as the
  /// fewest passes need.
  [[nodiscard]] int faces_a_pass() const;
  [[nodiscard]] bool by_node() const { return options_.schedule.connects_nodes(); }
  [[nodiscard]] std::vector<std::pair<std::string, int>> sizes() const;
  /// Definitions of the multiplication of tiles, and tables of matrices in constant memory.
  [[nodiscard]] std::string multiplication() const;
  [[nodiscard]] std::string gather() const;
  [[nodiscard]] std::string offset_of_neighbour(const std::string& numbers_an_element) const;
  /// The values that pad an element's fields, and its results.
  [[nodiscard]] std::string padding_of_fields() const;
  [[nodiscard]] std::string padding_of_results() const;
  [[nodiscard]] bool by_face() const { return slicing().fluxes == Schedule::Tiles::Fluxes::by_face; }
};

}  // namespace maxwell_dg::dg
