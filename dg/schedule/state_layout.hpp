#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.hpp"
#include "core/round_up.hpp"
#include "dg/schedule/field_order.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// Where nodal values stand in device memory: [element][row][node, padded][column], in the order of FieldOrder. That is
/// [element][field][node] for most schedules; [element][node][field] where each lane of a vector is an element, since
/// neighbours ask for all fields of a node, which then lie together; [element][axis][node][E, H] where they ask for the
/// same components of two vectors (Schedule::Basis::element_interleaved). With blocks of elements it is
/// [block][row][element of the block, node][column], the nodes of all elements of a block padded together. Elements
/// that make up the last block or the last `lanes` follow, which hold zero; so do the values that pad a block.
struct StateLayout {
  std::size_t K{};
  FieldOrder order;
  int Np{};
  int block_elements = 1;
  std::size_t stored{};  ///< elements, with those that make up the last block, or the last lanes
  int row_nodes{};       ///< of a field in a block, with those that pad a row
  int block_values{};    ///< from a block to the next, padding included

  /// Throws std::invalid_argument on an odd number of fields where two should lie side by side.
  StateLayout(const Schedule& schedule, Dtype precision, std::size_t element_count, int field_count, int nodes);
  bool operator==(const StateLayout&) const = default;

  [[nodiscard]] int fields() const { return order.fields; }
  /// Behind the last element, where a load of a node's fields may end (RecordSquares::loaded).
  static constexpr std::size_t bytes_behind = 16;
  /// Values of the whole state, padding included.
  [[nodiscard]] std::size_t size() const { return values_of(stored); }
  /// Of the blocks that hold the first so many elements.
  [[nodiscard]] std::size_t values_of(std::size_t elements) const {
    return ceil_divide(elements, static_cast<std::size_t>(block_elements)) * static_cast<std::size_t>(block_values);
  }
  [[nodiscard]] std::size_t index(std::size_t k, int field, int node) const {
    const auto elements = static_cast<std::size_t>(block_elements);
    const int place = order.place(field, static_cast<int>(k % elements) * Np + node, row_nodes);
    return k / elements * static_cast<std::size_t>(block_values) + static_cast<std::size_t>(place);
  }
};

}  // namespace maxwell_dg::dg
