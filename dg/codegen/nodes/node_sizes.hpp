#pragma once

#include <cstddef>

#include "core/dtype.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// What the kernels of a schedule of Nodes need of a device.
struct NodeSizes {
  NodeSizes(const Schedule::Nodes& nodes, int fields, int N, Dtype precision);

  int shared_fields, shared_fluxes;  ///< values of a group in shared memory; those of matrices follow
  std::size_t table_bytes = 0;       ///< of matrices in constant memory
  GroupDemand volume, surface;
};

/// Whether a schedule with these sizes fits, on the device unless it is null.
[[nodiscard]] Fit fits(const NodeSizes& sizes, const core::DeviceInfo* device);

}  // namespace maxwell_dg::dg
