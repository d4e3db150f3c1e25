#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

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
  /// Throws std::invalid_argument on a schedule of another slicing.
  ElementGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource stage() const override;
  [[nodiscard]] int elements_per_group() const override { return options_.schedule.as<Schedule::Elements>().elements; }
  [[nodiscard]] int group_items() const override { return elements_per_group() * parts(); }
  [[nodiscard]] std::size_t on_chip_bytes() const override;
  /// The metric, the invariants of the element, then those of each face.
  [[nodiscard]] int invariant_row() const override { return values_of_an_element() + 4 * values_of_a_face(); }
  [[nodiscard]] int invariant_block() const override { return 32; }
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement&) const override { return {}; }
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement&) const override { return {}; }

 private:
  using Block = rtcg::syntax::Block;
  /// What becomes of the values of a face's flux at a face node: [value] their texts.
  using UseValues = std::function<Block(int node, const std::vector<std::string>& texts)>;

  [[nodiscard]] int parts() const { return static_cast<int>(contracted_.parts.size()); }
  /// Elements between the traces of two nodes: one more, so that items meet different banks either way.
  [[nodiscard]] int trace() const { return elements_per_group() + 1; }
  [[nodiscard]] int first_invariant() const { return rows_have_metric() ? 9 : 0; }
  [[nodiscard]] int values_of_an_element() const {
    return first_invariant() + count_of(contracted_.element_invariants);
  }
  [[nodiscard]] int values_of_a_face() const { return count_of(contracted_.face_invariants); }
  /// How the traces are copied: so many faces at a time, a multiple of four, and the fields of a node by so many items.
  struct Copies {
    int faces, items_a_node;
  };
  [[nodiscard]] Copies copies() const;
  /// `body(p)` is the same for all parts p.
  template <class F>
  [[nodiscard]] bool are_alike(F body) const;
  /// `body(p)` for the items of part p.
  template <class F>
  [[nodiscard]] Block each_part(F body) const;
  /// Where a field's value stands in the row of its element.
  [[nodiscard]] std::string own_value(int field, int node) const {
    return at("q", layout_.order.place(field, node, Np_));
  }
  /// An element's outside trace, or a value of its flux, in an array on the chip: [face][row][node][element][column].
  [[nodiscard]] std::string value_at(const std::string& array, int face, int row, int column, int node) const;
  /// The same of a part's flux, of which as many values lie side by side as of fields.
  [[nodiscard]] std::string flux_at(const std::string& array, int face, int value, int node) const;
  /// Whether a flux has the next of these values beside it.
  [[nodiscard]] bool is_beside_the_next(const std::vector<int>& values, std::size_t v) const;
  /// The values of one face's flux, node by node, given to `use`.
  [[nodiscard]] Block fluxes(int face, const UseValues& use) const;
  /// Declares the element's invariants that some expressions have.
  [[nodiscard]] Block load_invariants(std::span<const symbolic::Expr> expressions) const;
  /// Declares the traces that a face's values have, at a node.
  [[nodiscard]] Block load_traces(std::span<const symbolic::Expr> values, int face, int node) const;
  /// What the items of one part of the equations do; lists are in the order in which they lie in its registers.
  struct PartOfAnItem {
    Part part;
    std::vector<int> sums;                   ///< of Lifting
    std::array<std::vector<int>, 4> values;  ///< [face] that go into these sums
    std::vector<int> operand_fields;         ///< of contractions
    int first_value{};                       ///< of a face at a node, on the chip
  };
  [[nodiscard]] PartOfAnItem part_of_an_item(std::size_t number) const;
  /// Columns of LIFT times what `values(use)` hands to `use`: the values of a face's flux.
  [[nodiscard]] Block lift(const PartOfAnItem& item, int face,
                           const std::function<Block(const UseValues&)>& values) const;
  /// The values of a face's flux at a node to the parts that lift them, and what these find of them.
  [[nodiscard]] Block hand_over(int face, int node, const std::vector<std::string>& texts) const;
  [[nodiscard]] Block handed_over(const PartOfAnItem& item, int face, const UseValues& use) const;
  /// At the nodes that are multiplied out.
  [[nodiscard]] Block contractions(const PartOfAnItem& item) const;
  [[nodiscard]] Block right_hand_side(const PartOfAnItem& item) const;
  [[nodiscard]] Block work() const;
  /// Nodes of a part's fields into the element's row, in whole vectors where they begin with one.
  [[nodiscard]] Block store(const Part& part) const;
  [[nodiscard]] std::string real(double value) const;

  ReferenceElement reference_;
  DerivativeNodes nodes_;
  Lifting lifting_;
  std::vector<PartOfAnItem> items_;
  int values_at_a_node_;  ///< of a face: of the outside trace, or of the flux
};

}  // namespace maxwell_dg::dg
