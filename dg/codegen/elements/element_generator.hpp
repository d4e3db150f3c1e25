#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dg/codegen/fit.hpp"
#include "dg/codegen/fused_generator.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/reference/derivative_nodes.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// Prints dg/codegen/elements/stage_elements.kernel, a stage in which an item has an element, or one part of its
/// equations (Schedule::Elements). Matrices become literals, and their zeros nothing at all: for
/// low orders, whose nodes fit in registers and whose products fit in the cache of instructions.
class ElementGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of another slicing, or that does not fit.
  ElementGenerator(const LoweredSystem& lowered, Options options);
  /// One whose schedule need not fit: to be asked what would. Throws std::invalid_argument as above but for that.
  [[nodiscard]] static ElementGenerator to_ask(const LoweredSystem& lowered, Options options) {
    return {lowered, std::move(options), Unchecked{}};
  }
  /// Whether a schedule of the same parts and basis fits, on a device where one is given.
  [[nodiscard]] Fit fit(const Schedule::Elements& schedule, const core::DeviceInfo* device) const;

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int elements_per_group() const override { return options_.schedule.as<Schedule::Elements>().elements; }
  [[nodiscard]] int group_items() const override { return elements_per_group() * parts(); }
  [[nodiscard]] std::size_t shared_bytes() const override { return shared_bytes(elements_per_group()); }
  /// The metric, the invariants of the element, then those of each face.
  [[nodiscard]] int invariant_row() const override { return values_of_an_element() + 4 * values_of_a_face(); }
  [[nodiscard]] int invariant_block() const override { return 32; }
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement&) const override { return {}; }
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement&) const override { return {}; }

 private:
  struct Unchecked {};
  ElementGenerator(const LoweredSystem& lowered, Options options, Unchecked unchecked);
  // Of a group of so many elements.
  [[nodiscard]] SharedRows rows_of(int elements) const;
  [[nodiscard]] std::size_t shared_bytes(int elements) const;
  [[nodiscard]] int parts() const { return static_cast<int>(contracted_.parts.size()); }
  /// Elements between the traces of two nodes: one more, so that items meet different banks either way.
  [[nodiscard]] static int trace_of(int elements) { return elements + 1; }
  [[nodiscard]] int trace() const { return trace_of(elements_per_group()); }
  [[nodiscard]] int first_invariant() const { return rows_have_metric() ? 9 : 0; }
  [[nodiscard]] int values_of_an_element() const {
    return first_invariant() + count_of(contracted_.element_invariants);
  }
  [[nodiscard]] int values_of_a_face() const { return count_of(contracted_.face_invariants); }
  /// How the traces are copied: so many faces at a time, a multiple of four, and the fields of a node by so many items.
  struct Copies {
    int faces, items_a_node;
  };
  [[nodiscard]] Copies copies_by(int group_items) const;
  [[nodiscard]] Copies copies() const { return copies_by(group_items()); }
  /// Where, in an array in shared memory, an element's outside trace or a value of its flux is:
  /// [face][row][node][element] [column].
  [[nodiscard]] std::string place_of_value(int face, int row, int column, int node) const;
  /// What the items of one part of the equations do; lists are in the order in which they lie in its registers.
  struct PartOfAnItem {
    Part part;
    std::vector<int> sums;                   ///< of Lifting
    std::array<std::vector<int>, 4> values;  ///< [face] that go into these sums
    std::vector<int> operand_fields;         ///< of contractions
    int first_value{};                       ///< of a face at a node, in shared memory
  };
  [[nodiscard]] PartOfAnItem part_of_an_item(std::size_t number) const;
  [[nodiscard]] std::vector<symbolic::Expr> right_hand_side(const Part& part) const;

  // What the template is given.
  [[nodiscard]] std::vector<std::pair<std::string, int>> sizes() const;
  /// Of a face: its flux, and by nodes where its traces and values are, and the columns of LIFT.
  [[nodiscard]] rtcg::Record face_values(int face) const;
  /// Of a part: what it lifts of each face, its contractions, its equations.
  [[nodiscard]] rtcg::Record part_values(const PartOfAnItem& item) const;
  /// Products with LIFT: sums of values, by their positions among those of the part, that go to a sum, or to several.
  [[nodiscard]] rtcg::Record lift_values(const PartOfAnItem& item, int face) const;
  [[nodiscard]] rtcg::Record contraction_values(const PartOfAnItem& item) const;
  /// [axis][column] entries of the rows that are multiplied out, and [node] which of these it is (-1: none), or else
  /// the entries that interpolate from them.
  [[nodiscard]] rtcg::Value::List derivatives() const;
  [[nodiscard]] rtcg::Value::List interpolation() const;

  ReferenceElement reference_;
  DerivativeNodes nodes_;
  Lifting lifting_;
  std::vector<PartOfAnItem> items_;
  int values_at_a_node_;  ///< of a face: of the outside trace, or of the flux
};

}  // namespace maxwell_dg::dg
