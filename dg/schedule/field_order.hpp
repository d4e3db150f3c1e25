#pragma once

namespace maxwell_dg::dg {

/// The order of the fields' values in an element, [row][node][column]: at each node of a row, `side_by_side` fields are
/// adjacent in memory. Field f is in row f % rows() and column f / rows().
struct FieldOrder {
  int fields{};
  int side_by_side = 1;
  [[nodiscard]] constexpr int rows() const { return fields / side_by_side; }
  [[nodiscard]] constexpr int row(int field) const { return field % rows(); }
  [[nodiscard]] constexpr int column(int field) const { return field / rows(); }
  /// The offset of a value in the element, whose rows have `nodes` nodes.
  [[nodiscard]] constexpr int offset(int field, int node, int nodes) const {
    return (row(field) * nodes + node) * side_by_side + column(field);
  }
  bool operator==(const FieldOrder&) const = default;
};

}  // namespace maxwell_dg::dg
