#pragma once

#include <string>
#include <vector>

#include "dg/operator/derivative_nodes.hpp"
#include "dg/operator/fused_generator.hpp"

namespace maxwell_dg::dg {

/// Prints dg/kernels/stage_lanes.kernel, a stage in which an item has blocks of elements, one SIMD lane each
/// (Schedule::Slicing::lanes_in_vectors), and arranges matrices the way that kernel reads them.
class LaneGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule that is none of lanes_in_vectors.
  LaneGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int group_items() const override { return 1; }
  [[nodiscard]] int elements_per_group() const override { return blocks_per_group() * options_.schedule.lanes; }
  [[nodiscard]] std::size_t on_chip_bytes() const override;
  /// The invariants of the element, then for each face its normal and its invariants.
  [[nodiscard]] int invariant_row() const override { return first_of_faces() + 4 * values_of_a_face(); }
  /// [some nodes at once][column][axis][node], in the order of their use; behind that [some nodes at once][node that is
  /// multiplied out][node], which interpolate.
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  /// [some nodes at once][column][node]
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;

 private:
  /// Nodes where contractions are multiplied out, or those where they are interpolated.
  enum class Nodes { multiplied, interpolated };

  /// How a new state is stored: past the caches by rows, each of a line or more, or else by whole blocks.
  enum class NewState { cached, by_rows, by_blocks };

  [[nodiscard]] NewState how_to_store_new_state() const;
  [[nodiscard]] int blocks_per_group() const;
  [[nodiscard]] int first_of_faces() const { return count_of(contracted_.element_invariants); }
  [[nodiscard]] int values_of_a_face() const { return 3 + count_of(contracted_.face_invariants); }
  /// Numbers put side by side in a register of 16 bytes.
  [[nodiscard]] int lanes_at_once() const { return vector_size(); }
  [[nodiscard]] const std::vector<int>& list_of(Nodes which) const {
    return which == Nodes::multiplied ? nodes_.multiplied : nodes_.interpolated;
  }
  [[nodiscard]] symbolic::PrintedCode print_values(std::span<const symbolic::Expr> outputs) const;
  /// Declares the element invariants that some expressions need.
  [[nodiscard]] rtcg::syntax::Block load_invariants(std::span<const symbolic::Expr> expressions) const;
  [[nodiscard]] rtcg::syntax::Block operands() const;
  [[nodiscard]] rtcg::syntax::Block gather() const;
  [[nodiscard]] rtcg::syntax::Block load_face() const;
  [[nodiscard]] rtcg::syntax::Block fluxes() const;
  /// What is done for all nodes, some at once.
  [[nodiscard]] std::string nodes() const;
  /// The text of stage_lanes_nodes.kernel, for so many nodes.
  [[nodiscard]] std::string some_nodes(const Part& part, Nodes which, int count) const;
  /// Sums over columns of the differentiation matrices, or over the nodes that have their sums.
  [[nodiscard]] rtcg::syntax::Block multiply(const Part& part, int count) const;
  [[nodiscard]] rtcg::syntax::Block interpolate(const Part& part, int count) const;
  [[nodiscard]] rtcg::syntax::Block announce(const Part& part, int count) const;

  KernelGenerator prologue_;
  DerivativeNodes nodes_;
  NewState new_state_;
};

}  // namespace maxwell_dg::dg
