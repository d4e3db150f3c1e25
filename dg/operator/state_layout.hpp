#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.hpp"
#include "dg/operator/schedule.hpp"

namespace maxwell_dg::dg {

/// Where nodal values stand in device memory: [block of `lanes` elements][field][node, padded][lane]; where each lane
/// of a vector is an element, [block][node][field][lane], since neighbours ask for all fields of a node. The last block
/// is padded with elements that hold zero; so are the values that pad a block. Other numbers an element (metric,
/// constants) use the same blocks: [block][component][lane].
struct StateLayout {
  std::size_t K{};
  int fields{};
  int Np{};
  int lanes{};
  int field_stride{}, node_stride{};  ///< rows of lanes from a field to the next at a node, from a node to the next
  int block_values{};                 ///< of one block, padding included

  StateLayout(const Schedule& schedule, std::size_t elements, int field_count, int nodes);
  bool operator==(const StateLayout&) const = default;

  [[nodiscard]] std::size_t blocks() const {
    return (K + static_cast<std::size_t>(lanes) - 1) / static_cast<std::size_t>(lanes);
  }
  /// Values of the whole state, padding included.
  [[nodiscard]] std::size_t size() const { return blocks() * block_size(); }
  [[nodiscard]] std::size_t block_size() const { return static_cast<std::size_t>(block_values); }
  [[nodiscard]] std::size_t index(std::size_t k, int field, int node) const {
    const auto L = static_cast<std::size_t>(lanes);
    return k / L * block_size() + static_cast<std::size_t>(field * field_stride + node * node_stride) * L + k % L;
  }
  /// Of component c of `components` numbers an element.
  [[nodiscard]] std::size_t element_index(std::size_t k, int components, int c) const {
    const auto L = static_cast<std::size_t>(lanes);
    return (k / L * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)) * L + k % L;
  }
  [[nodiscard]] std::size_t element_size(int components) const {
    return blocks() * static_cast<std::size_t>(components) * static_cast<std::size_t>(lanes);
  }
};

}  // namespace maxwell_dg::dg
