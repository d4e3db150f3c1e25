#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.hpp"
#include "dg/operator/field_order.hpp"
#include "dg/operator/schedule.hpp"

namespace maxwell_dg::dg {

/// Where nodal values stand in device memory: [element][row][node, padded][column], in the order of FieldOrder. That is
/// [element][field][node] for most schedules; [element][node][field] where each lane of a vector is an element, since
/// neighbours ask for all fields of a node, which then lie together; [element][axis][node][E, H] where they ask for the
/// same components of two vectors (Schedule::Basis::element_interleaved). Elements that make up the last block of
/// `lanes` follow, which hold zero; so do the values that pad an element.
struct StateLayout {
  std::size_t K{};
  FieldOrder order;
  int Np{};
  std::size_t stored{};  ///< elements, with those that make up the last block of lanes
  int row_nodes{};       ///< with those that pad a row
  int element_values{};  ///< from an element to the next, padding included

  /// Throws std::invalid_argument on an odd number of fields where two should lie side by side.
  StateLayout(const Schedule& schedule, std::size_t element_count, int field_count, int nodes);
  bool operator==(const StateLayout&) const = default;

  [[nodiscard]] int fields() const { return order.fields; }
  /// Behind the last element, where a load of a node's fields may end (RecordSquares::loaded).
  static constexpr std::size_t bytes_behind = 16;
  /// Values of the whole state, padding included.
  [[nodiscard]] std::size_t size() const { return stored * element_size(); }
  [[nodiscard]] std::size_t element_size() const { return static_cast<std::size_t>(element_values); }
  [[nodiscard]] std::size_t index(std::size_t k, int field, int node) const {
    return k * element_size() + static_cast<std::size_t>(order.place(field, node, row_nodes));
  }
};

}  // namespace maxwell_dg::dg
