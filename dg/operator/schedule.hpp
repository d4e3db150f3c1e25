#pragma once

#include <string>

#include "core/device/device.hpp"
#include "core/dtype.hpp"

namespace maxwell_dg::dg {

/// How the algorithm is laid over a device; never what it computes. The state is stored as
/// [block of `lanes` elements][field][node, padded to a multiple of `node_padding`][lane].
struct Schedule {
  /// Which loop runs over a work-group's items.
  enum class Slicing {
    nodes_in_parallel,  ///< one work-item a node, fields staged on chip: GPUs
    lanes_in_vectors,   ///< one work-item a block of elements, one SIMD lane an element: CPUs
  };
  Slicing slicing = Slicing::nodes_in_parallel;
  int lanes = 1;               ///< elements side by side in memory; the SIMD width with lanes_in_vectors
  int node_padding = 1;        ///< nodes per field are padded to a multiple of this
  int elements_per_group = 1;  ///< with nodes_in_parallel

  auto operator<=>(const Schedule&) const = default;
  [[nodiscard]] std::string name() const;
};

[[nodiscard]] Schedule default_schedule(const core::DeviceInfo& device, int N, int fields, Dtype precision);

}  // namespace maxwell_dg::dg
