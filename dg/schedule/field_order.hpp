#pragma once

namespace maxwell_dg::dg {

/// In which order the fields' values lie: rows of nodes, where at each node `side_by_side` fields lie together, those
/// whose numbers are `rows()` apart: [row][node][column].
struct FieldOrder {
  int fields{};
  int side_by_side = 1;
  [[nodiscard]] constexpr int rows() const { return fields / side_by_side; }
  [[nodiscard]] constexpr int row(int field) const { return field % rows(); }
  [[nodiscard]] constexpr int column(int field) const { return field / rows(); }
  /// Where a value stands, among rows of so many nodes.
  [[nodiscard]] constexpr int place(int field, int node, int nodes) const {
    return (row(field) * nodes + node) * side_by_side + column(field);
  }
  bool operator==(const FieldOrder&) const = default;
};

}  // namespace maxwell_dg::dg
