#pragma once

#include <cstddef>

#include "core/dtype.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// What a schedule of a stage in three kernels takes: for its kernels and for the rules of what fits.
struct NodeSizes {
  NodeSizes(const Schedule::Nodes& nodes, int fields, int N, Dtype precision);

  int shared_fields, shared_fluxes;  ///< values of a group in shared memory, before those of matrices
  std::size_t table_bytes = 0;       ///< of matrices in constant memory
  GroupDemand volume, surface;
};

/// Whether a schedule of such sizes fits, on a device where one is given: for its generator and for the tuner.
[[nodiscard]] Fit fits(const NodeSizes& sizes, const core::DeviceInfo* device);

}  // namespace maxwell_dg::dg
