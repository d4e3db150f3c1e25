#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.hpp"
#include "core/round_up.hpp"
#include "dg/schedule/field_order.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// Where nodal values are in device memory: [element][row][node, padded][column], with rows and columns of FieldOrder.
/// For most schedules that is [element][field][node]. With Lanes it is [element][node][field], since neighbours read
/// all fields of a node. With Schedule::Basis::element_interleaved it is [element][axis][node][E, H], since neighbours
/// read the same components of two vectors. With blocks of elements it is [block][row][element of the block,
/// node][column], and a row is padded once for all elements of the block. The last block is filled up with elements of
/// zeros (with Lanes, the last vector is); the values that pad a block are zero as well.
struct StateLayout {
  std::size_t K{};
  FieldOrder order;
  int Np{};
  int block_elements = 1;
  std::size_t stored{};  ///< elements, including those that fill up the last block or vector
  int row_nodes{};       ///< nodes of a row of a block, padding included
  int block_values{};    ///< values from one block to the next, padding included

  /// Throws std::invalid_argument for an odd number of fields if two should be side by side.
  StateLayout(const Schedule& schedule, Dtype precision, std::size_t element_count, int field_count, int nodes);
  bool operator==(const StateLayout&) const = default;

  [[nodiscard]] int fields() const { return order.fields; }
  /// Bytes to allocate behind the last element: a load of a node's fields may end there (RecordSquares::loaded).
  static constexpr std::size_t bytes_behind = 16;
  /// Values of the whole state, padding included.
  [[nodiscard]] std::size_t size() const { return values_of(stored); }
  /// Values of the blocks that hold the first `elements` elements.
  [[nodiscard]] std::size_t values_of(std::size_t elements) const {
    return ceil_divide(elements, static_cast<std::size_t>(block_elements)) * static_cast<std::size_t>(block_values);
  }
  /// The offset of one value in the state.
  [[nodiscard]] std::size_t index(std::size_t k, int field, int node) const {
    const auto elements = static_cast<std::size_t>(block_elements);
    const int offset = order.offset(field, static_cast<int>(k % elements) * Np + node, row_nodes);
    return k / elements * static_cast<std::size_t>(block_values) + static_cast<std::size_t>(offset);
  }
};

}  // namespace maxwell_dg::dg
