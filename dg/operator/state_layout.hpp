#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.hpp"
#include "dg/operator/schedule.hpp"

namespace maxwell_dg::dg {

/// Where nodal values stand in device memory: [element][field][node, padded]; where each lane of a vector is an
/// element, [element][node][field], since neighbours ask for all fields of a node, which then lie together. Elements
/// that make up the last block of `lanes` follow, which hold zero; so do the values that pad an element.
struct StateLayout {
  std::size_t K{};
  int fields{};
  int Np{};
  std::size_t stored{};               ///< elements, with those that make up the last block of lanes
  int field_stride{}, node_stride{};  ///< values from a field to the next at a node, from a node to the next
  int element_values{};               ///< from an element to the next, padding included

  StateLayout(const Schedule& schedule, std::size_t element_count, int field_count, int nodes);
  bool operator==(const StateLayout&) const = default;

  /// Behind the last element, where a load of a node's fields may end (RecordSquares::loaded).
  static constexpr std::size_t bytes_behind = 16;
  /// Values of the whole state, padding included.
  [[nodiscard]] std::size_t size() const { return stored * element_size(); }
  [[nodiscard]] std::size_t element_size() const { return static_cast<std::size_t>(element_values); }
  [[nodiscard]] std::size_t index(std::size_t k, int field, int node) const {
    return k * element_size() + static_cast<std::size_t>(field * field_stride + node * node_stride);
  }
};

}  // namespace maxwell_dg::dg
