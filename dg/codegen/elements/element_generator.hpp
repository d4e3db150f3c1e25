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

/// Prints dg/codegen/elements/stage_elements.kernel, a stage in which a work-item computes an element, or one part of
/// its equations (Schedule::Elements). Entries of matrices are literals in the text, and zeros are left out. This is
/// for low orders, where an element's nodes fit in registers and its products fit in the instruction cache.
class ElementGenerator : public FusedGenerator {
 public:
  /// Throws std::invalid_argument for a schedule of another slicing, or one that does not fit.
  ElementGenerator(const LoweredSystem& lowered, Options options);
  /// A generator only for calls of `fit`: its own schedule need not fit. Throws std::invalid_argument for a schedule of
  /// another slicing.
  [[nodiscard]] static ElementGenerator to_ask(const LoweredSystem& lowered, Options options) {
    return {lowered, std::move(options), Unchecked{}};
  }
  /// Whether a schedule with the same Parts and Basis fits, on the device unless it is null.
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
  // These are for a group of `elements` elements.
  [[nodiscard]] SharedRows rows_of(int elements) const;
  [[nodiscard]] std::size_t shared_bytes(int elements) const;
  [[nodiscard]] int parts() const { return static_cast<int>(contracted_.parts.size()); }
  /// The distance between the traces of two nodes in shared memory, counted in elements: one more than a group has,
  /// which avoids bank conflicts, whether a warp's work-items have neighbouring elements or neighbouring nodes.
  [[nodiscard]] static int trace_of(int elements) { return elements + 1; }
  [[nodiscard]] int trace() const { return trace_of(elements_per_group()); }
  [[nodiscard]] int first_invariant() const { return rows_have_metric() ? 9 : 0; }
  [[nodiscard]] int values_of_an_element() const {
    return first_invariant() + count_of(contracted_.element_invariants);
  }
  [[nodiscard]] int values_of_a_face() const { return count_of(contracted_.face_invariants); }
  /// How traces are copied: `faces` faces at a time, a multiple of four; the fields of a node by `items_a_node`
  /// work-items.
  struct Copies {
    int faces, items_a_node;
  };
  [[nodiscard]] Copies copies_by(int group_items) const;
  [[nodiscard]] Copies copies() const { return copies_by(group_items()); }
  /// What the work-items of one part of the equations compute. Lists are in the order of the kernel's arrays.
  struct PartOfAnItem {
    Part part;
    std::vector<int> sums;                   ///< the numbers of its sums in Lifting
    std::array<std::vector<int>, 4> values;  ///< [face] the numbers of the values in these sums
    std::vector<int> operand_fields;         ///< the fields that its operands need
    int first_value{};                       ///< the index of its first value among those of a node in shared memory
  };
  [[nodiscard]] PartOfAnItem part_of_an_item(std::size_t number) const;
  [[nodiscard]] std::vector<symbolic::Expr> right_hand_side(const Part& part) const;

  // Values of the template.
  [[nodiscard]] std::vector<std::pair<std::string, int>> sizes() const;
  /// A face: its flux, and for each node the rows of traces and values in shared memory, and the column of LIFT.
  [[nodiscard]] rtcg::Record face_values(int face) const;
  /// A part: what it lifts of each face, its contractions, its equations.
  [[nodiscard]] rtcg::Record part_values(const PartOfAnItem& item) const;
  /// The products of a part with LIFT on a face: each multiplies a sum of values, given by their indices among the
  /// values of the part, and is added to one or several of the part's sums.
  [[nodiscard]] rtcg::Record lift_values(const PartOfAnItem& item, int face) const;
  [[nodiscard]] rtcg::Record contraction_values(const PartOfAnItem& item) const;
  /// [axis][column] the entries of the rows that are multiplied out; and for each node, the index of its row among
  /// these
  /// (-1 if it is interpolated) and the entries that interpolate it from these rows.
  [[nodiscard]] rtcg::Value::List derivatives() const;
  [[nodiscard]] rtcg::Value::List interpolation() const;

  ReferenceElement reference_;
  DerivativeNodes nodes_;
  Lifting lifting_;
  std::vector<PartOfAnItem> items_;
  int values_at_a_node_;  ///< values in shared memory for a node of a face: of the outside trace, later of the flux
};

}  // namespace maxwell_dg::dg
